"""Which arcs meet: geodesics are chords of the Klein disk, and chords meet as segments do.

Rounded coordinates of that disk settle most pairs. Where they cannot, next to the border and where
a node is next to an arc, the sides that points are on come from distances and angles.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.geometry import polar

Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]

# A library's tanh, sine and cosine may be four units off in the last place: coordinates are within
# 1e-15 of the truth and turns, with differences up to 2, within 2e-14.
_SLACK = 1e-14
_SURE = 5e-14

# How many pairs of arcs are looked at together, at 200 bytes each.
_MAX_PAIRS = 500_000


@dataclass(frozen=True, slots=True)
class Arcs:
    """Arcs between nodes at (distance, angle), by the numbers of their ends."""

    distance: Floats
    angle: Floats
    start: Indices
    end: Indices

    def take(self, rows: Indices) -> "Arcs":
        """Return some of the arcs, between the same nodes."""
        return Arcs(self.distance, self.angle, self.start[rows], self.end[rows])


def count_crossings(arcs: Arcs) -> int:
    """Count the pairs of arcs, all geodesics, that meet elsewhere than at a common node.

    A node on another's arc makes a crossing, and so do arcs that leave a node in one direction.
    Beyond a distance of 370, nodes at the very same angle are taken for one place.
    """
    x = np.tanh(arcs.distance) * np.cos(arcs.angle)
    y = np.tanh(arcs.distance) * np.sin(arcs.angle)
    count = 0
    for i, j in _near_pairs(arcs, x, y):
        one, two = arcs.take(i), arcs.take(j)
        crosses, doubtful = _compare(one, two, x, y)
        rows = np.flatnonzero(doubtful)
        count += int(crosses.sum()) + int(_meet(one.take(rows), two.take(rows)).sum())
    return count


def _near_pairs(arcs: Arcs, x: Floats, y: Floats) -> Iterator[tuple[Indices, Indices]]:
    """Yield pairs of arcs whose bounding boxes in the Klein disk overlap, or nearly so."""
    low_x = np.minimum(x[arcs.start], x[arcs.end])
    order = np.argsort(low_x)
    low_x = low_x[order]
    high_x = np.maximum(x[arcs.start], x[arcs.end])[order] + _SLACK
    low_y = np.minimum(y[arcs.start], y[arcs.end])[order]
    high_y = np.maximum(y[arcs.start], y[arcs.end])[order] + _SLACK
    places = np.arange(len(order))
    # The boxes that begin within the width of one that begins before them.
    n_after = np.searchsorted(low_x, high_x, side="right") - places - 1
    total = np.cumsum(n_after)
    first = 0
    while first < len(order):
        done = total[first] - n_after[first]
        last = max(first + 1, int(np.searchsorted(total, done + _MAX_PAIRS, side="right")))
        size = n_after[first:last]
        i = np.repeat(places[first:last], size)
        j = i + 1 + np.arange(len(i)) - np.repeat(total[first:last] - size - done, size)
        near = (low_y[i] <= high_y[j]) & (low_y[j] <= high_y[i])
        yield order[i[near]], order[j[near]]
        first = last


def _compare(one: Arcs, two: Arcs, x: Floats, y: Floats) -> tuple[Flags, Flags]:
    """Return the pairs that cross for sure, and those that may."""

    def turn(a: Indices, b: Indices, c: Indices) -> Floats:
        return (x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a])

    sides = (
        turn(one.start, one.end, two.start),
        turn(one.start, one.end, two.end),
        turn(two.start, two.end, one.start),
        turn(two.start, two.end, one.end),
    )
    sure = [np.abs(side) > _SURE for side in sides]
    settled = [sure[0] & sure[1], sure[2] & sure[3]]
    same = [(sides[0] > 0.0) == (sides[1] > 0.0), (sides[2] > 0.0) == (sides[3] > 0.0)]
    crosses = settled[0] & ~same[0] & settled[1] & ~same[1]
    separate = (settled[0] & same[0]) | (settled[1] & same[1])
    # Arcs with a common node meet elsewhere only if they are on one geodesic.
    separate |= _share(one, two) & (sure[0] | sure[1] | sure[2] | sure[3])
    return crosses, ~crosses & ~separate


def _share(one: Arcs, two: Arcs) -> Flags:
    """Tell which pairs have a common node; in a tree no two arcs have the same end."""
    below = (one.end == two.start) | (one.start == two.end)
    return np.asarray(below | (one.start == two.start))


def _meet(one: Arcs, two: Arcs) -> Flags:
    """Tell which pairs of arcs meet elsewhere than at a common node, from distances and angles."""
    sides, touches = [], np.zeros(len(one.start), np.bool_)
    for arc, other in ((one, two), (two, one)):
        for node in (other.start, other.end):
            side = _side(arc, node)
            own = (node == arc.start) | (node == arc.end)
            touches |= (side == 0.0) & ~own & _is_between(arc, node)
            sides.append(np.where(own, 0.0, np.sign(side)))
    return touches | ((sides[0] * sides[1] < 0.0) & (sides[2] * sides[3] < 0.0))


def _side(arc: Arcs, node: Indices) -> Floats:
    a, theta = arc.distance, arc.angle
    corners = (arc.start, arc.end, node)
    return polar.orientation(*(part[corner] for corner in corners for part in (a, theta)))


def _is_between(arc: Arcs, node: Indices) -> Flags:
    """Tell which nodes, on the geodesic of an arc, are on the arc: its ends are on both sides."""
    a, theta = arc.distance, arc.angle
    here = a[node], theta[node]
    start, end = (a[arc.start], theta[arc.start]), (a[arc.end], theta[arc.end])
    is_end = (polar.distance(*here, *start) == 0.0) | (polar.distance(*here, *end) == 0.0)
    opening = polar.direction(*here, *start) - polar.direction(*here, *end)
    return np.asarray(is_end | (np.cos(opening) < 0.0))
