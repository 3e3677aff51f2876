"""Columns of numbers as small integers: cut points, and packed bins."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from horotree import _native
from horotree._checks import Floats

from .lanes import Lanes

# Quantiles of a longer table are those of this many rows, drawn with a fixed seed.
SAMPLE = 2**17

# Columns sorted at a time, to save memory on wide tables.
COLUMNS = 64

# A cut above every value: all but missing values go left.
LAST_CUT = float(np.finfo(np.float64).max)


@dataclass(frozen=True, slots=True)
class Binning:
    """The cut points of columns.

    A value of a numeric feature is in bin b or below iff it is <= cut b. The bin of a category is
    its code. Missing values have the last bin, in features that had some when cuts were chosen.
    """

    cuts: Floats  # the cut points of all numeric features, one feature after the other
    cut_start: NDArray[np.int64]  # per feature the place of its first cut; one more at the end
    n_bins: NDArray[np.int32]  # per feature, the missing bin included
    missing: NDArray[np.int32]  # per feature the bin of missing values, -1 if there is none
    categorical: NDArray[np.uint8]  # per feature 1 if its values are category codes

    def threshold(self, feature: NDArray[np.int32], bins: NDArray[np.int32]) -> Floats:
        """Return the threshold for pairs of feature and bin: values up to it go left."""
        place = self.cut_start[feature] + bins
        beyond = place >= self.cut_start[feature + 1]
        return np.where(
            beyond, LAST_CUT, np.append(self.cuts, LAST_CUT)[np.where(beyond, -1, place)]
        )

    def pack(
        self, X: Floats, order: NDArray[np.uint32], lanes: Lanes, *, n_threads: int
    ) -> NDArray[np.uint64]:
        """Return the bins of the rows ``X[order]`` at their lanes, group-major."""
        words = np.empty((lanes.n_groups, len(order)), np.uint64)
        _native.pack_bins(
            X,
            order,
            self.cuts,
            self.cut_start,
            self.missing,
            self.categorical,
            lanes.bits,
            lanes.lane,
            lanes.shift,
            n_threads,
            words,
        )
        return words


def find_bins(
    X: Floats, n_categories: NDArray[np.int32], max_bins: int | None, *, n_threads: int = 1
) -> Binning:
    """Choose cuts: between all distinct values if there are at most max_bins, else quantiles.

    In X, NaN is missing, and categories are codes; ``n_categories`` is 0 for numbers. ``max_bins``
    does not count the bin of missing values; None is one bin per distinct value. The cuts do not
    depend on ``n_threads``.
    """
    rows = _take_rows(len(X), max_bins)
    is_sample = len(rows) < len(X)
    has_missing = np.zeros(X.shape[1], np.uint8)
    if is_sample:
        _native.find_missing(X, n_threads, has_missing)
    cuts = [np.empty(0)] * X.shape[1]
    again = []
    space = np.empty((min(COLUMNS, X.shape[1]), len(rows)))
    for first in range(0, X.shape[1], COLUMNS):
        columns = space[: X.shape[1] - first]
        _native.gather_columns(X, rows, first, n_threads, columns)
        counts = zip(*_sort(columns, max_bins, n_threads), strict=True)
        for f, (column, (n, n_own)) in enumerate(zip(columns, counts, strict=True), first):
            if not is_sample:
                has_missing[f] = n < len(X)
            if n_categories[f]:
                continue
            # Few values, or few distinct ones, in a sample may be many in the table.
            if is_sample and (n < SAMPLE // 8 or n_own <= (max_bins or 0)):
                again.append(f)
            else:
                cuts[f] = _cuts(column, n, n_own, max_bins)
    del space
    for some in (again[k : k + n_threads] for k in range(0, len(again), n_threads)):
        whole = np.ascontiguousarray(X[:, some].T)  # few at a time, to save memory
        counts = zip(*_sort(whole, max_bins, n_threads), strict=True)
        for f, column, (n, n_own) in zip(some, whole, counts, strict=True):
            cuts[f] = _cuts(column, n, n_own, max_bins)
    return join_cuts(cuts, n_categories, has_missing)


def join_cuts(
    cuts: Sequence[Floats], n_categories: NDArray[np.int32], has_missing: NDArray[np.uint8]
) -> Binning:
    """Return the binning with these cuts per feature, none for categories."""
    sizes = np.array([len(c) for c in cuts], np.int64)
    values = np.where(n_categories > 0, n_categories, sizes + 1).astype(np.int32)
    return Binning(
        cuts=np.concatenate([*cuts, np.empty(0)]),
        cut_start=np.concatenate([[0], np.cumsum(sizes)]),
        n_bins=(values + has_missing).astype(np.int32),
        missing=np.where(has_missing, values, -1).astype(np.int32),
        categorical=(n_categories > 0).astype(np.uint8),
    )


def cut_counted(values: Floats, counts: NDArray[np.int64], max_bins: int | None) -> Floats:
    """Return the cuts of sorted distinct values with their counts.

    Examples
    --------
    >>> import numpy as np
    >>> from horotree.training.binning import cut_counted
    >>> cut_counted(np.array([0.0, 1.0, 4.0]), np.array([1, 1, 2]), max_bins=2).tolist()
    [2.5]
    """
    if max_bins is None or len(values) <= max_bins:
        return _midpoints(values)
    upto = np.cumsum(counts)
    ends = np.arange(1, max_bins) * upto[-1] // max_bins
    place = np.searchsorted(upto, ends - 1, side="right")
    place = place[place + 1 < len(values)]
    return np.unique(_between(values[place], values[place + 1]))


def _take_rows(n_rows: int, max_bins: int | None) -> NDArray[np.uint32]:
    """Return the rows to take quantiles of: all, or a sample of a long table.

    Not every k-th row: the order of rows is often periodic.
    """
    if max_bins is None or n_rows <= SAMPLE:
        return np.arange(n_rows, dtype=np.uint32)
    drawn = np.random.default_rng(0).choice(n_rows, SAMPLE, replace=False, shuffle=False)
    return np.sort(drawn).astype(np.uint32)


def _sort(
    columns: Floats, max_bins: int | None, n_threads: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sort each column, missing values last; drop repeated values where no quantiles are needed.

    Returns the numbers of values and of distinct values per column.
    """
    counts = np.empty((len(columns), 2), np.int64)
    few = columns.shape[1] if max_bins is None else max_bins
    _native.sort_columns(columns.view(np.uint64), few, n_threads, counts)
    return counts[:, 0], counts[:, 1]


def _cuts(column: Floats, n_known: int, n_distinct: int, max_bins: int | None) -> Floats:
    """Return the cuts of a sorted column."""
    if max_bins is not None and n_distinct > max_bins:
        return _quantile_cuts(column[:n_known], max_bins)
    return _midpoints(column[:n_distinct])


def _quantile_cuts(values: Floats, max_bins: int) -> Floats:
    """Return at most max_bins - 1 cuts between sorted values, at equal shares."""
    ends = np.arange(1, max_bins) * len(values) // max_bins
    below = values[ends - 1]
    above = values[np.minimum(np.searchsorted(values, below, side="right"), len(values) - 1)]
    return np.unique(_between(below, above)[above > below])


def _midpoints(distinct: Floats) -> Floats:
    return _between(distinct[:-1], distinct[1:])


def _between(low: Floats, high: Floats) -> Floats:
    """Return a number m of each pair with low <= m < high, the middle if there is one."""
    middle = 0.5 * low + 0.5 * high
    return np.where(middle < high, middle, low)
