"""How the values of a column are distributed, in little space; sketches of parts can be merged."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats

# A sketch keeps at most this many values.
CAPACITY = 2**12


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """Sorted distinct values, and how many values of the column each stands for.

    Parameters
    ----------
    values : float64 array
        Sorted, all different, none missing.
    counts : int64 array
        How many values each stands for.
    error : int
        For no x is the number of values <= x in the column further from that in the sketch. 0 while
        nothing was left out; to leave out values of n may add n / CAPACITY, and to merge adds up.

    Examples
    --------
    >>> import numpy as np
    >>> from horotree.distributed.fit.sketch import Sketch, merge
    >>> whole = merge([Sketch.of(np.array([2.0, 1.0])), Sketch.of(np.array([2.0, np.nan]))])
    >>> whole.values.tolist(), whole.counts.tolist(), whole.error
    ([1.0, 2.0], [1, 2], 0)
    """

    values: Floats
    counts: NDArray[np.int64]
    error: int = 0

    @classmethod
    def of(cls, column: Floats) -> "Sketch":
        """Return the sketch of a column's known values, with nothing left out."""
        values, counts = np.unique(column[~np.isnan(column)], return_counts=True)
        return cls(values, counts.astype(np.int64))

    def compressed(self, capacity: int = CAPACITY) -> "Sketch":
        """Return a sketch of at most so many values: each group of neighbors is put at its median.

        Groups begin in different shares 1 / capacity of the values, so that a group weighs less
        than such a share but for its last value. Nothing more than half of the group, or all but
        its last value, is so on another side of some x.
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
        return Sketch(self.values[median], end - begin, self.error + moved)


def merge(sketches: Sequence[Sketch]) -> Sketch:
    """Return the sketch of several columns' values together, with nothing more left out."""
    values, place = np.unique(np.concatenate([s.values for s in sketches]), return_inverse=True)
    counts = np.zeros(len(values), np.int64)
    np.add.at(counts, place, np.concatenate([s.counts for s in sketches]))
    return Sketch(values, counts, sum(s.error for s in sketches))
