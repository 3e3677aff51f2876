"""Coordinates of a tree drawn from the top down, for nodes of any width."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from horotree._checks import Floats, as_floats

# The left and the right edges of a subtree's levels.
_Edges = tuple[list[float], list[float]]


def find_positions(parent: ArrayLike, width: ArrayLike, *, gap: float = 0.0) -> Floats:
    """Return the horizontal centers of a tree's nodes, so that those of a level do not overlap.

    A parent is in the middle between its first and its last child. A subtree looks the same
    everywhere, and its mirror image is that of the mirrored subtree. Siblings are as close as the
    levels below them allow; those between two others are in the middle of their room.

    Each parent precedes its children, and siblings are drawn in their order. The gap is the least
    distance between neighbors of a level; the left edge of the leftmost node is at 0. Time and
    memory are linear in the number of nodes.

    Examples
    --------
    >>> from horotree.display.tree.layout import find_positions
    >>> find_positions([-1, 0, 0, 2, 2], [2.0, 1.0, 1.0, 1.0, 1.0], gap=0.5).tolist()
    [1.25, 0.5, 2.0, 1.25, 2.75]
    """
    parents = [int(above) for above in np.asarray(parent)]
    widths = as_floats(width, "width").tolist()
    _check(parents, widths, gap)
    children: list[list[int]] = [[] for _ in parents]
    for row in range(1, len(parents)):
        children[parents[row]].append(row)
    offset = [0.0] * len(parents)
    outlines = [_Outline() for _ in parents]
    for row in reversed(range(len(parents))):
        below = [outlines[child] for child in children[row]]
        outlines[row], places = _join(below, gap)
        outlines[row].append(0.5 * widths[row])
        for child, place in zip(children[row], places, strict=True):
            offset[child] = place
    for row in range(1, len(parents)):
        offset[row] += offset[parents[row]]
    centers = np.array(offset)
    return np.asarray(centers - (centers - 0.5 * np.array(widths)).min())


def _check(parent: Sequence[int], width: Sequence[float], gap: float) -> None:
    if len(parent) == 0 or len(width) != len(parent):
        raise ValueError(
            f"parent and width must have one entry a node, got {len(parent)} and {len(width)}: a "
            "tree has a root."
        )
    for row, above in enumerate(parent):
        if not (above == -1 if row == 0 else 0 <= above < row):
            raise ValueError(
                f"parent must be -1 for the first node and precede the others, got {above} for "
                f"node {row}."
            )
    if min(width) < 0.0 or not gap >= 0.0:
        raise ValueError(f"widths and gap must not be negative, got {min(width)!r} and {gap!r}.")


class _Outline:
    """The left and right edges of a subtree, the lowest level first, from its root's center.

    ``shift`` is added to all of them, so that moving a subtree takes constant time.
    """

    __slots__ = ("left", "right", "shift")

    def __init__(self) -> None:
        self.left: list[float] = []
        self.right: list[float] = []
        self.shift = 0.0

    def __len__(self) -> int:
        return len(self.left)

    def append(self, half_width: float) -> None:
        """Add a node on top."""
        self.left.append(-half_width - self.shift)
        self.right.append(half_width - self.shift)

    def tops(self, n_levels: int) -> _Edges:
        """Return the edges of the uppermost levels, from the top down."""
        end = -n_levels - 1
        return (
            [edge + self.shift for edge in self.left[:end:-1]],
            [edge + self.shift for edge in self.right[:end:-1]],
        )


def _join(outlines: Sequence[_Outline], gap: float) -> tuple[_Outline, list[float]]:
    """Return the outline of subtrees side by side, and their positions from the middle.

    The outline of the deepest one is reused: below the others it does not change.
    """
    if not outlines:
        return _Outline(), []
    deepest = max(range(len(outlines)), key=lambda i: len(outlines[i]))
    n_levels = max((len(o) for i, o in enumerate(outlines) if i != deepest), default=0)
    tops = [outline.tops(n_levels) for outline in outlines]
    places = _spread(tops, gap)
    left: list[float] = []
    right: list[float] = []
    for (edges, _), place in zip(reversed(tops), reversed(places), strict=True):
        left[: len(edges)] = [place + edge for edge in edges]
    for (_, edges), place in zip(tops, places, strict=True):
        right[: len(edges)] = [place + edge for edge in edges]
    joined = outlines[deepest]
    joined.shift += places[deepest]
    start = len(joined) - n_levels
    joined.left[start:] = [edge - joined.shift for edge in reversed(left)]
    joined.right[start:] = [edge - joined.shift for edge in reversed(right)]
    return joined, places


def _spread(tops: Sequence[_Edges], gap: float) -> list[float]:
    """Return the positions of subtrees from the middle between the first and the last.

    Neither in the packing to the left nor in that to the right do two of them overlap; hence not in
    the mean of both either.
    """
    mirrored = [([-edge for edge in right], [-edge for edge in left]) for left, right in tops]
    to_left = _pack(tops, gap)
    to_right = _pack(mirrored[::-1], gap)[::-1]
    places = [0.5 * (a - b) for a, b in zip(to_left, to_right, strict=True)]
    middle = 0.5 * (places[0] + places[-1])
    return [place - middle for place in places]


def _pack(tops: Sequence[_Edges], gap: float) -> list[float]:
    """Return positions in which each subtree is as near to those before it as possible."""
    taken: list[float] = []
    places: list[float] = []
    for left, right in tops:
        place = max((a + gap - b for a, b in zip(taken, left, strict=False)), default=0.0)
        places.append(place)
        taken[: len(right)] = [place + edge for edge in right]
    return places
