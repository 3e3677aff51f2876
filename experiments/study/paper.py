"""Numbers that the paper prints: its domains, and the table of DT against MDT."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Printed:
    """A line of tab:dt-vs-mdt-XAI: errors in % with deviations over ten folds, and a p-value."""

    dt: float
    dt_std: float
    mdt: float
    mdt_std: float
    p: float


DT_VS_MDT = {
    "breastwisc": Printed(4.15, 2.18, 5.00, 2.38, 0.2408),
    "ionosphere": Printed(5.71, 2.70, 9.11, 5.34, 0.0237),
    "tictactoe": Printed(2.61, 1.85, 2.09, 1.10, 0.1390),
    "winered": Printed(18.39, 2.02, 18.32, 2.27, 0.9227),
    "german": Printed(24.00, 4.37, 23.90, 4.25, 0.8793),
    "analcatdata_supreme": Printed(23.40, 1.85, 22.56, 1.75, 0.0134),
    "abalone": Printed(22.15, 2.20, 21.14, 2.44, 0.1267),
    "qsar": Printed(12.98, 2.63, 12.89, 4.05, 0.8772),
    "hillnoise": Printed(37.04, 2.73, 45.88, 4.72, 0.0008),
    "firmteacher": Printed(6.87, 1.23, 7.04, 1.17, 0.4292),
    "online_shoppers_intention": Printed(9.90, 0.78, 10.67, 0.54, 0.0057),
    "hardware": Printed(1.33, 0.27, 1.44, 0.19, 0.0534),
}

# Rows and features in t-s-uci, in its order.
SHAPES = {
    "breastwisc": (699, 9),
    "ionosphere": (351, 33),
    "tictactoe": (958, 9),
    "winered": (1_599, 11),
    "german": (1_000, 20),
    "analcatdata_supreme": (4_053, 8),
    "abalone": (4_177, 8),
    "qsar": (1_055, 41),
    "hillnoise": (1_212, 100),
    "firmteacher": (10_800, 16),
    "online_shoppers_intention": (12_330, 17),
    "give_me_some_credit": (120_269, 11),
    "hardware": (28_179, 96),
    "twitter": (583_250, 78),
}

N_FOLDS = 10
LEVEL = 0.05
