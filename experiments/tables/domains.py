"""The domains: examples, features and classes, next to the paper's numbers, with their licences."""

from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.machinery.data import Dataset
from experiments.context import Context, MissingDataError
from experiments.page import table
from experiments.progress import say
from experiments.results_table import read_table, write_table
from experiments.study.paper import SHAPES

LABEL = "t-s-uci"
ORDER = 60
NAME = "tab-domains"
OPEN = "CC BY 4.0"
# Where a domain comes from, under which licence, and what class 1 is.
CARDS = {
    "breastwisc": ("UCI 15, Breast Cancer Wisconsin (Original)", OPEN, "malignant"),
    "ionosphere": ("UCI 52, Ionosphere", OPEN, "good return"),
    "tictactoe": ("UCI 101, Tic-Tac-Toe Endgame", OPEN, "x wins"),
    "winered": ("UCI 186, Wine Quality (red)", OPEN, "quality ≥ 6"),
    "german": ("UCI 144, Statlog (German Credit Data)", OPEN, "good credit"),
    "analcatdata_supreme": (
        "OpenML 504, analcatdata_supreme",
        "public",
        "the lower court disagreed",
    ),
    "abalone": ("UCI 1, Abalone", OPEN, "rings ≥ 10"),
    "qsar": ("UCI 254, QSAR biodegradation", OPEN, "ready biodegradable"),
    "hillnoise": ("UCI 166, Hill-Valley, with noise", OPEN, "hill"),
    "firmteacher": ("UCI 324, Firm-Teacher Clave-Direction", OPEN, "forward clave"),
    "online_shoppers_intention": ("UCI 468, Online Shoppers Purchasing Intention", OPEN, "bought"),
    "give_me_some_credit": (
        "Kaggle, Give Me Some Credit",
        "the competition's rules",
        "delinquent within two years",
    ),
    "hardware": ("UCI 248, Buzz in social media (Tom's Hardware)", OPEN, "displays above the mean"),
    "twitter": ("UCI 248, Buzz in social media (Twitter)", OPEN, "discussions above the mean"),
}


def run(context: Context) -> list[Path]:
    """Write a line a domain; of one that is not there, only what the paper and its card say."""
    lines = []
    for name, (rows, features) in SHAPES.items():
        source, licence, positive = CARDS[name]
        try:
            found = _count(context.domain(name))
        except MissingDataError as error:
            say(str(error))
            found = dict.fromkeys(_COUNTS)
        card = {"class_1": positive, "source": source, "licence": licence}
        lines.append({"domain": name, "paper_m": rows, "paper_d": features, **found, **card})
    return [write_table(context, NAME, lines)]


WHY = {
    "analcatdata_supreme": "a file with a header and the class has as many lines and columns as "
    "the paper prints",
    "give_me_some_credit": "the paper may count the row number or the class; never shipped",
    "twitter": "77 features and the class; read by name if it is there",
}
INTRODUCTION = """## Domains (`t-s-uci`)

Examples × features. Classes of numeric labels are not in the paper: those here are the rules whose
errors agree with the paper's.
"""
_COUNTS = ("m", "d", "numeric", "categorical", "missing", "positive")


def _count(dataset: Dataset) -> dict[str, Any]:
    columns = pd.DataFrame(dataset.X)
    numeric = sum(pd.api.types.is_numeric_dtype(columns[name]) for name in columns)
    counts = (
        len(columns),
        columns.shape[1],
        numeric,
        columns.shape[1] - numeric,
        int(columns.isna().sum().sum()),
        100.0 * float(dataset.y.mean()),
    )
    return dict(zip(_COUNTS, counts, strict=True))


def page(results: Path) -> str:
    """Return the section."""
    rows = []
    for line in read_table(results, NAME):
        ours = "data not available"
        if line["m"]:
            ours = f"{int(line['m']):,} × {int(line['d']):,}"
        share = f"{float(line['positive']):.1f}" if line["positive"] else ""
        kinds = f"{line['numeric']} / {line['categorical']}" if line["m"] else ""
        rows.append(
            [
                line["domain"],
                f"{int(line['paper_m']):,} × {int(line['paper_d']):,}",
                ours,
                kinds,
                line["missing"],
                share,
                line["class_1"],
                line["source"],
                line["licence"],
                WHY.get(line["domain"], ""),
            ]
        )
    head = [
        "domain",
        "paper's m × d",
        "ours",
        "numbers / categories",
        "missing cells",
        "class 1, %",
    ]
    return "\n".join([INTRODUCTION, table([*head, "class 1", "source", "licence", "why"], rows)])
