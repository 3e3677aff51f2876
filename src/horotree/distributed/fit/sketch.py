"""The distribution of the values of a column in little space; sketches can be merged."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats

# A sketch keeps at most this many values.
CAPACITY = 2**12


@dataclass(frozen=True, slots=True, eq=False)
class QuantileSketch:
    """Sorted distinct values without NaN, and how many values of the column each represents.

    For every x, the number of values <= x in the column differs from that in the sketch by at most
    ``error``. It is 0 while no value was dropped. Dropping some of n values adds at most
    n / CAPACITY; a merge adds the errors.

    Examples
    --------
    >>> import numpy as np
    >>> from horotree.distributed.fit.sketch import QuantileSketch, merge
    >>> columns = np.array([[2.0, 1.0], [2.0, np.nan]])
    >>> whole = merge([QuantileSketch.of(column) for column in columns])
    >>> whole.values.tolist(), whole.counts.tolist(), whole.error
    ([1.0, 2.0], [1, 2], 0)
    """

    values: Floats
    counts: NDArray[np.int64]
    error: int = 0

    @classmethod
    def of(cls, column: Floats) -> "QuantileSketch":
        """Return the sketch of the values of a column that are not missing, without any error."""
        values, counts = np.unique(column[~np.isnan(column)], return_counts=True)
        return cls(values, counts.astype(np.int64))

    def compressed(self, capacity: int = CAPACITY) -> "QuantileSketch":
        """Return a sketch of at most so many values: groups of neighbors move to their median.

        The values are cut into ``capacity`` equal shares, and a group begins where a share does. So
        without its last value it weighs less than one share, and at most half of the group, or all
        but its last value, moves past any x.
        """
        if len(self.values) <= capacity:
            return self
        upto = np.cumsum(self.counts)
        share = (upto - self.counts) * capacity // upto[-1]
        last = np.flatnonzero(np.append(share[1:] != share[:-1], True))
        end = upto[last]
        begin = np.concatenate([[0], end[:-1]])
        median = np.searchsorted(upto, begin + (end - begin + 1) // 2)
        below = upto[median] - self.counts[median] - begin
        above = end - upto[median]
        moved = int(np.maximum(below, above).max())
        return QuantileSketch(self.values[median], end - begin, self.error + moved)


def merge(sketches: Sequence[QuantileSketch]) -> QuantileSketch:
    """Return the sketch of the values of several columns together."""
    values, place = np.unique(np.concatenate([s.values for s in sketches]), return_inverse=True)
    counts = np.zeros(len(values), np.int64)
    np.add.at(counts, place, np.concatenate([s.counts for s in sketches]))
    return QuantileSketch(values, counts, sum(s.error for s in sketches))
