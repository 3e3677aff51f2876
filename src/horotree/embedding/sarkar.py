"""The paper's placement: Sarkar's algorithm with fans in proportion to the leaves below.

Arcs have the length of the gain in confidence, so a node is as far from the origin as it is
confident only if all arcs above it are on one ray. Otherwise it is nearer; ρ says by how much.

Directions at a node are in half turns from outward, counterclockwise. Nothing passes through
coordinates of the disk: a child is found from the triangle (origin, node, child), whose sides and
angles stay accurate at any distance.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats, check_number
from horotree.geometry import polar
from horotree.trees import MonotonicTree, Tree

from .embedding import DiskEmbedding

FAN = math.pi
NARROWING = 0.8

# What π is more than the double math.pi.
_PI_REST = 1.2246467991473532e-16

Places = NDArray[np.int64]


def place_sarkar(
    monotonic: MonotonicTree,
    *,
    normalize: bool = False,
    fan: float = FAN,
    narrowing: float = NARROWING,
) -> DiskEmbedding:
    """Place the nodes as the paper does (sarkar-mod): each arc as long as the gain in confidence.

    The root is straight below the center. The middle of a node's fan is turned away from its
    parent, the root's from the center. With L leaves below the node, a unit is 1/L of its fan; a
    child with k leaves strictly below it takes a sector of k+1 units and is in the middle of it.
    The child's own fan is ``narrowing`` (above 0, at most 1) times its sector, at most a full turn;
    the root's is ``fan``, in radians, above 0 and at most 2π. Sectors follow each other in depth-
    first order, left first: counterclockwise after the inversion that swaps the node and the
    origin, and so clockwise around the node.

    A child that is not a leaf makes the sectors take more than the fan, and the drawing drifts to
    one side. With ``normalize`` a unit is the fan divided by the sum of all k+1, so that they fit.

    The embedding is one at t = 1. A root with confidence 0 is at the origin, with the fan of one
    just below.

    Examples
    --------
    >>> from horotree.embedding.sarkar import place_sarkar
    >>> from horotree.trees import Tree, monotonic
    >>> stump = Tree(
    ...     left=[1, -1, -1], right=[2, -1, -1], feature=[0, -1, -1], threshold=[0.5, 0.0, 0.0],
    ...     missing_left=[True, False, False], category_start=[0, 0, 0, 0], category=[],
    ...     value=[1.0, -3.0, 2.0], output=[1.0, -3.0, 2.0], weight=[3.0, 2.0, 1.0],
    ...     count=[6, 4, 2],
    ... )
    >>> embedding = place_sarkar(monotonic(stump))
    >>> embedding.distance.round(3).tolist(), embedding.angle.round(3).tolist()
    ([1.0, 2.867, 1.881], [-1.571, -1.274, -1.833])
    """
    first_fan = _check_share(fan, "fan", 2.0 * math.pi, "2π: it is in radians") / math.pi
    narrowing = _check_share(narrowing, "narrowing", 1.0, "1: fans must not grow")
    plan = _plan(monotonic, normalize=bool(normalize))
    confidence = monotonic.confidence[plan.row]
    distance, angle = np.empty_like(confidence), np.empty_like(confidence)
    fans, back = np.empty_like(confidence), np.empty_like(confidence)
    distance[0], angle[0], fans[0], back[0] = confidence[0], -0.5 * math.pi, first_fan, 1.0
    for start, end in pairwise(plan.level_start[1:]):
        level, up = slice(start, end), plan.parent[start:end]
        fans[level] = np.minimum(narrowing * plan.share[level] * fans[up], 2.0)
        # An inversion mirrors: sectors that follow each other counterclockwise around the origin
        # do so clockwise around the node.
        direction = back[up] + 1.0 - plan.middle[level] * fans[up]
        direction -= 2.0 * np.round(0.5 * direction)
        length = confidence[level] - confidence[up]
        distance[level], turn, back[level] = _step(distance[up], length, direction)
        angle[level] = angle[up] + turn
    place = np.argsort(plan.row)
    return DiskEmbedding(monotonic, distance[place], angle[place], 1.0)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The kept nodes breadth first, each level in depth-first order, so that siblings are together.

    ``row`` is the kept node at each place. All else is by place: the parent's place, the
    share of the parent's fan that the sector takes, and how far its middle is from that of the
    fan, in fans. ``level_start`` has the first place of each level, and the end.
    """

    row: Places
    parent: Places
    share: Floats
    middle: Floats
    level_start: list[int]


def _plan(monotonic: MonotonicTree, *, normalize: bool) -> _Plan:
    row, parent, level_start = _breadth_first(monotonic)
    n_below = np.zeros(len(row), np.int64)
    for start, end in reversed(list(pairwise(level_start[1:]))):
        np.add.at(n_below, parent[start:end], np.maximum(n_below[start:end], 1))
    units = n_below + 1
    units[0] = 0
    n_units = n_below
    if normalize:
        n_units = np.zeros_like(n_below)
        np.add.at(n_units, parent[1:], units[1:])
    whole = n_units[parent]
    whole[0] = 1
    end_of_sector = np.cumsum(units)
    first = np.searchsorted(parent, parent)
    first[0] = 0
    before = (end_of_sector - units) - (end_of_sector - units)[first]
    return _Plan(
        row=row,
        parent=parent,
        share=units / whole,
        middle=(2 * before + units - whole) / (2 * whole),
        level_start=level_start,
    )


def _breadth_first(monotonic: MonotonicTree) -> tuple[Places, Places, list[int]]:
    """Return the kept nodes by place, their parents' places, and where levels start and end."""
    depths = [0] * len(monotonic)
    for node, parent in enumerate(monotonic.parent[1:].tolist(), start=1):
        depths[node] = depths[parent] + 1
    depth = np.array(depths)
    row = np.lexsort((_depth_first(monotonic.tree)[monotonic.node], depth))
    place = np.empty_like(row)
    place[row] = np.arange(len(row))
    parents = place[monotonic.parent[row]]
    parents[0] = -1
    level_start = np.concatenate([[0], np.cumsum(np.bincount(depth))])
    return row, parents, level_start.tolist()


def _depth_first(tree: Tree) -> Places:
    """Return when each node is first met by a walk that goes left first."""
    left, right, parent = tree.left.tolist(), tree.right.tolist(), tree.parent.tolist()
    size = [1] * tree.n_nodes
    for node in range(tree.n_nodes - 1, 0, -1):
        size[parent[node]] += size[node]
    met = [0] * tree.n_nodes
    for node, child in enumerate(left):
        if child >= 0:
            met[child] = met[node] + 1
            met[right[node]] = met[child] + size[child]
    return np.array(met)


def _step(distance: Floats, length: Floats, direction: Floats) -> tuple[Floats, Floats, Floats]:
    """Walk from points at a distance so far in a direction, in half turns within [-1, 1].

    Return the distance there, the angle at the origin, and the direction back, in half turns.
    """
    # A child may lie straight beyond the origin, where a rounded π would be a turn too much by
    # exp(distance): split directions into 0 or ±π, and a rest that is accurate next to both.
    side = np.copysign(np.abs(direction) > 0.5, direction)
    rest = math.pi * (direction - side) + _PI_REST * side
    there, angle = polar.translate(length, math.pi * side, distance, -rest)
    # As seen from the start, the end is at (length, direction) and the origin at (distance, π).
    opening = np.copysign(math.pi * (1.0 - np.abs(direction)), direction)
    return there, angle + rest, polar.direction(length, opening, distance, 0.0) / math.pi


def _check_share(value: float, name: str, most: float, rule: str) -> float:
    number = check_number(value, name)
    if not 0.0 < number <= most:
        raise ValueError(f"{name} must be above 0 and at most {rule}, got {number!r}.")
    return number
