"""The sheet of an ensemble: which trees it has, where their disks are, and their magnification."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from horotree._checks import Floats
from horotree.display.disk.painter import Lens
from horotree.scene import Scene

# Inches: the label above a disk, its largest cell, and the smallest cell with a label.
LABEL = 0.16
LARGEST = 3.47
SMALLEST_LABELED = 0.5
# The radius of a disk, relative to the side of its cell.
FILLED = 0.435
# The height of a sheet of 120 trees, relative to its width; with more it is up to three times that.
HEIGHT = 0.71
# The least number of disks in a row, if there are as many.
LEAST_COLUMNS = 5


@dataclass(frozen=True, eq=False)
class Sheet:
    """The disks of a sheet, in inches from its lower left corner."""

    centers: Floats  # row by row from the upper left, (n, 2)
    radius: float  # of a disk
    height: float  # of the sheet
    columns: int  # disks in a row

    @property
    def is_labeled(self) -> bool:
        """Whether there is room for a label above each disk."""
        return self.radius >= FILLED * SMALLEST_LABELED


def arrange(n: int, width: float, columns: int | None = None) -> Sheet:
    """Return a sheet of this width in inches for n disks, about as high as wide by default.

    Examples
    --------
    >>> from horotree.display.ensemble.sheet_layout import arrange
    >>> arrange(120, 10.4).columns, arrange(3, 10.4).columns
    (15, 3)
    """
    if columns is None:
        columns = _find_columns(n, width)
    cell, label = _cell(width, columns)
    rows = -(-n // columns)
    row, column = np.divmod(np.arange(n), columns)
    height = rows * (cell + label)
    x, y = (column + 0.5) * cell, height - row * (cell + label) - label - 0.5 * cell
    return Sheet(np.stack([x, y], axis=-1), FILLED * cell, height, columns)


def _cell(width: float, columns: int) -> tuple[float, float]:
    """Return the side of a disk's cell, and the height of the label above it."""
    cell = min(width / columns, LARGEST)
    return cell, LABEL if cell >= SMALLEST_LABELED else 0.0


def _find_columns(n: int, width: float) -> int:
    limit = HEIGHT * width * float(np.clip(math.sqrt(n / 120.0), 1.0, 3.0))

    def fits(columns: int, part: float = 1.0) -> bool:
        return -(-n // columns) * sum(_cell(width, columns)) <= part * limit

    columns = min(n, LEAST_COLUMNS)
    while not fits(columns):
        columns += 1
    even = -(-n // -(-n // columns))  # as many rows, the last as full as can be
    return even if fits(even, 1.1) else columns


def find_factors(lens: Lens, scenes: Sequence[Scene], scale: str) -> Floats:
    """Return the magnification of each disk.

    With the scale "common" it is one for all, 1 unless all nodes are near the center; with "own"
    each disk has its own.
    """
    outermost = np.array([float(lens.norm(scene.distance).max()) for scene in scenes])
    if scale == "common":
        outermost[:] = outermost.max()
    # A disk with all its nodes at the center has nothing to enlarge.
    some = outermost > 1e-9
    factor = np.maximum(0.9 / np.where(some, outermost, 1.0), 1.0)
    return np.where(some & (factor > (1.8 if scale == "common" else 1.1)), factor, 1.0)


def choose_trees(n_trees: int, max_trees: int) -> list[int]:
    """Return at most ``max_trees`` indices of trees: all, or evenly spaced ones and the last.

    Examples
    --------
    >>> from horotree.display.ensemble.sheet_layout import choose_trees
    >>> choose_trees(10, 4), choose_trees(12, 4)
    ([0, 3, 6, 9], [0, 4, 8, 11])
    """
    if max_trees < 2:
        raise ValueError(f"max_trees must be at least 2, the first and the last, got {max_trees}.")
    step = max(-(-(n_trees - 1) // (max_trees - 1)), 1)
    return sorted({*range(0, n_trees, step), max(n_trees - 1, 0)})


def describe_subset(trees: Sequence[int], n_trees: int) -> str:
    """Return words for a subset of trees, given their indices; an empty text if it is all.

    Examples
    --------
    >>> from horotree.display.ensemble.sheet_layout import describe_subset
    >>> describe_subset([0, 5, 10, 12], 13), describe_subset([3, 4], 1000)
    ('every 5th of 13 trees, and the last', '2 of 1,000 trees')
    """
    if len(trees) == n_trees:
        return ""
    found = sorted(trees)
    step = found[1] - found[0] if len(found) > 2 else 0
    if step > 1 and found[-1] == n_trees - 1:
        regular = list(range(0, n_trees, step))
        if found == regular:
            return f"every {_ordinal(step)} of {n_trees:,} trees"
        if found == [*regular, n_trees - 1]:
            return f"every {_ordinal(step)} of {n_trees:,} trees, and the last"
    return f"{len(found):,} of {n_trees:,} trees"


def _ordinal(n: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{'th' if n % 100 in (11, 12, 13) else ending}"
