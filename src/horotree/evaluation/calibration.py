"""Calibration: ten groups of rows by predicted probability, with the share of the class in each."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree._frozen import Frozen, as_array, freeze

from .proportions import Shares

N_BINS = 10


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Calibration(Shares, Frozen):
    """At most ten groups of rows, ordered by the predicted probability of a class.

    Rows of equal probability stay together; otherwise the groups are of equal size.

    Parameters
    ----------
    count : int64 array
        The rows of each group, at least one.
    positive : int64 array
        Those of the class.
    probability : float64 array
        Their mean predicted probability of the class.
    """

    count: NDArray[np.int64]
    positive: NDArray[np.int64]
    probability: Floats

    def __post_init__(self) -> None:
        for name, dtype in (("count", np.int64), ("positive", np.int64)):
            object.__setattr__(self, name, freeze(as_array(getattr(self, name), name, dtype)))
        probability = as_array(self.probability, "probability", np.float64)
        object.__setattr__(self, "probability", freeze(probability))

    def __hash__(self) -> int:
        return hash((self.count.tobytes(), self.positive.tobytes()))

    def __len__(self) -> int:
        return len(self.count)

    def __repr__(self) -> str:
        return f"Calibration({self.n_agree} of {len(self)} groups agree)"

    @property
    def n_agree(self) -> int:
        """The number of groups whose interval contains the mean probability."""
        return int(np.sum((self.low <= self.probability) & (self.probability <= self.high)))


def calibrate(probability: Floats, is_own: NDArray[np.bool_], n_bins: int = N_BINS) -> Calibration:
    """Group rows by the predicted probability of a class, in at most ``n_bins`` groups.

    Examples
    --------
    >>> import numpy as np
    >>> from horotree.evaluation.calibration import calibrate
    >>> found = calibrate(np.array([0.1, 0.1, 0.1, 0.8]), np.array([False, False, True, True]))
    >>> found.count.tolist(), found.share.round(2).tolist(), found.probability.round(2).tolist()
    ([3, 1], [0.33, 1.0], [0.1, 0.8])
    """
    _, place = np.unique(probability, return_inverse=True)
    size = np.bincount(place)
    middle = np.cumsum(size) - 0.5 * size  # the mean rank of the rows of one probability
    group = (n_bins * middle / len(place)).astype(np.intp)[place]
    count = np.bincount(group, minlength=n_bins)
    positive = np.bincount(group[is_own], minlength=n_bins)
    total = np.bincount(group, probability, minlength=n_bins)
    some = count > 0
    return Calibration(count[some], positive[some], total[some] / count[some])
