"""Columns of numbers as small integers: the cut points, and the packed bins that trees grow on."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from horotree import _native
from horotree._checks import Floats

# Quantiles of a longer column are taken from this many of its values, drawn with a fixed seed.
SAMPLE = 2**18

# A cut above every value: all but the missing go left.
LAST_CUT = float(np.finfo(np.float64).max)


@dataclass(frozen=True, slots=True)
class Binning:
    """Where columns are cut.

    A value of a numeric feature is in bin b or below iff it is <= its cut b. A category's code is
    its bin. Missing values have the last bin, in features that had some when the cuts were made.

    Parameters
    ----------
    cuts : float64 array
        The cut points of all numeric features, one feature after the other.
    cut_start : int64 array
        Per feature the place of its first cut; one more at the end.
    n_bins : int32 array
        Per feature, the missing bin included.
    missing : int32 array
        Per feature the bin of missing values, -1 if there is none.
    categorical : uint8 array
        Per feature 1 if its values are category codes.
    """

    cuts: Floats
    cut_start: NDArray[np.int64]
    n_bins: NDArray[np.int32]
    missing: NDArray[np.int32]
    categorical: NDArray[np.uint8]

    @property
    def bits(self) -> int:
        """Bits a bin: the least of 8, 16 and 32 that hold every feature's bins."""
        largest = int(self.n_bins.max())
        return 8 if largest <= 2**8 else 16 if largest <= 2**16 else 32

    def threshold(self, feature: NDArray[np.int32], bins: NDArray[np.int32]) -> Floats:
        """Return the cut at or below which values go left, for pairs of feature and bin."""
        place = self.cut_start[feature] + bins
        beyond = place >= self.cut_start[feature + 1]
        return np.where(
            beyond, LAST_CUT, np.append(self.cuts, LAST_CUT)[np.where(beyond, -1, place)]
        )

    def pack(self, X: Floats, order: NDArray[np.uint32], *, n_threads: int) -> NDArray[np.uint64]:
        """Return the bins of the rows ``X[order]``, 64 / bits features a word, group-major."""
        lanes = 64 // self.bits
        words = np.empty((-(-X.shape[1] // lanes), len(order)), np.uint64)
        _native.pack_bins(
            X,
            order,
            self.cuts,
            self.cut_start,
            self.missing,
            self.categorical,
            self.bits,
            n_threads,
            words,
        )
        return words


def find_bins(X: Floats, n_categories: NDArray[np.int32], max_bins: int | None) -> Binning:
    """Choose cuts: between all distinct values if there are at most max_bins, else quantiles."""
    n_features = X.shape[1]
    cuts = [np.empty(0) if n_categories[f] else _cuts(X[:, f], max_bins) for f in range(n_features)]
    sizes = np.array([len(c) for c in cuts], np.int64)
    values = np.where(n_categories > 0, n_categories, sizes + 1).astype(np.int32)
    has_missing = np.isnan(X).any(axis=0)
    return Binning(
        cuts=np.concatenate([*cuts, np.empty(0)]),
        cut_start=np.concatenate([[0], np.cumsum(sizes)]),
        n_bins=(values + has_missing).astype(np.int32),
        missing=np.where(has_missing, values, -1).astype(np.int32),
        categorical=(n_categories > 0).astype(np.uint8),
    )


def _cuts(column: Floats, max_bins: int | None) -> Floats:
    values = column[~np.isnan(column)]
    if max_bins is None:
        return _midpoints(np.unique(values))
    if len(values) > SAMPLE:
        # Not every k-th: rows often come in an order that has a period.
        drawn = np.sort(np.random.default_rng(0).choice(values, SAMPLE, replace=False))
        if _count_distinct(drawn) > max_bins:
            return _quantile_cuts(drawn, max_bins)
    values.sort()  # a copy; few distinct values in a sample need not mean few in all
    if _count_distinct(values) > max_bins:
        return _quantile_cuts(values, max_bins)
    return _midpoints(values[np.append(True, _steps(values))] if len(values) else values)


def _quantile_cuts(values: Floats, max_bins: int) -> Floats:
    """Return at most max_bins - 1 cuts between sorted values, with equal shares between them."""
    ends = np.arange(1, max_bins) * len(values) // max_bins
    below = values[ends - 1]
    above = values[np.minimum(np.searchsorted(values, below, side="right"), len(values) - 1)]
    return np.unique(_between(below, above)[above > below])


def _steps(values: Floats) -> NDArray[np.bool_]:
    """Tell where sorted values change; by comparison, since a difference may overflow."""
    return np.asarray(values[1:] != values[:-1])


def _count_distinct(values: Floats) -> int:
    return int(np.count_nonzero(_steps(values))) + 1 if len(values) else 0


def _midpoints(distinct: Floats) -> Floats:
    return _between(distinct[:-1], distinct[1:])


def _between(low: Floats, high: Floats) -> Floats:
    """Return the middle of each pair, which low is not above and high is: also for neighbors."""
    middle = 0.5 * low + 0.5 * high
    return np.where(middle < high, middle, low)
