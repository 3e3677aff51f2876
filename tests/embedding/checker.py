"""Which geodesic arcs meet: every pair, in whole numbers, with no code of the library.

A point at (distance, angle) is tanh(distance) · (cos, sin) of the Klein disk, where geodesics are
straight. tanh, cos and sin of the given doubles are taken to 60 digits beyond what the border eats
up and from there on all is exact. Points with equal angles share cos and sin, and so are exactly on
one line through the origin.
"""

import itertools

import mpmath as mp
import numpy as np

DIGITS = 60


def find_crossings(distance, angle, parent):
    """Return the pairs (i, j) of nodes whose arcs to their parents meet but at a common node.

    The parent of node 0 is not looked at. An end of one arc on another arc is a meeting, too.
    """
    points = klein_points(distance, angle)
    arcs = [(int(parent[node]), node) for node in range(1, len(points))]
    return [
        (arcs[i][1], arcs[j][1])
        for i, j in _pairs_with_near_boxes(distance, angle, arcs)
        if meet(points, arcs[i], arcs[j])
    ]


def klein_points(distance, angle):
    """Return whole numbers x, y of one common scale."""
    digits = DIGITS + int(max(distance))
    with mp.workdps(digits + 10):
        scale = mp.mpf(10) ** digits

        def whole(x):
            return int(mp.nint(x * scale))

        points = []
        for a, theta in zip(np.asarray(distance).tolist(), np.asarray(angle).tolist(), strict=True):
            radius = whole(mp.tanh(mp.mpf(a)))
            cos, sin = mp.cos_sin(mp.mpf(theta))
            points.append((radius * whole(cos), radius * whole(sin)))
    return points


def meet(points, one, two):
    """Tell whether two arcs, pairs of nodes, have a point in common that is not a common node."""
    common = set(one) & set(two)
    sides = []
    for (start, end), other in ((one, two), (two, one)):
        p, q = points[start], points[end]
        for node in other:
            side = 0 if node in common else turn(p, q, points[node])
            sides.append((side > 0) - (side < 0))
            if side == 0 and node not in common and is_between(p, q, points[node]):
                return True
    return sides[0] * sides[1] < 0 and sides[2] * sides[3] < 0


def turn(p, q, r):
    """Return twice the signed area of a triangle."""
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def is_between(p, q, r):
    """Tell whether r, on the line through p and q, is between them or one of them."""
    return (p[0] - r[0]) * (q[0] - r[0]) + (p[1] - r[1]) * (q[1] - r[1]) <= 0


def _pairs_with_near_boxes(distance, angle, arcs):
    """Yield pairs of arcs but those that are far apart even if coordinates are off by 1e-9."""
    if not arcs:
        return
    x = np.tanh(distance) * np.stack([np.cos(angle), np.sin(angle)])
    ends = x[:, np.array(arcs)]
    low, high = ends.min(axis=2) - 1e-9, ends.max(axis=2) + 1e-9
    near = ((low[:, :, None] <= high[:, None]) & (low[:, None] <= high[:, :, None])).all(axis=0)
    for i, j in itertools.combinations(range(len(arcs)), 2):
        if near[i, j]:
            yield i, j
