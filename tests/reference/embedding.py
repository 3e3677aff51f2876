"""Slow, literal placements and measures: complex numbers of the disk with 100 digits and more."""

from collections import deque
from dataclasses import dataclass, field

import mpmath as mp

DIGITS = 100


@dataclass
class Placed:
    """A node of a monotonic tree: its confidence and children, and where it is put in the disk."""

    node: int
    confidence: object
    children: list["Placed"] = field(default_factory=list)
    parent: "Placed | None" = None
    fan: object = None
    z: object = None


def digits_for(confidences):
    """Digits that leave ``DIGITS`` next to the border, in products of several distances to it."""
    return DIGITS + 3 * int(max(confidences))


def as_nodes(monotonic):
    """Return the root of linked nodes; the children of each as a walk that goes left meets them."""
    tree = monotonic.tree

    def kept_below(node):
        for child in (tree.left[node], tree.right[node]):
            if child >= 0 and monotonic.host[child] == child:
                yield link(child)
            elif child >= 0:
                yield from kept_below(child)

    def link(node):
        placed = Placed(int(node), mp.mpf(float(tree.confidence[node])))
        for child in kept_below(node):
            child.parent = placed
            placed.children.append(child)
        return placed

    return link(0)


def leaves_below(placed):
    """Count the leaves strictly below a node: none below a leaf."""
    return sum(leaves_below(child) or 1 for child in placed.children)


def invert(z, u):
    """Return z inverted in the circle that swaps u and the origin.

    The circle is orthogonal to the border. As u goes straight up to the origin it becomes the
    horizontal diameter, and the inversion the reflection in it.
    """
    if u == 0:
        return mp.conj(z)
    center = 1 / mp.conj(u)
    return center + (abs(center) ** 2 - 1) / mp.conj(z - center)


def place_sarkar(monotonic, *, normalize=False, fan_half_turns=1.0, narrowing=0.8):
    """Return {node: (distance, angle)}, by the recipe of the paper and of its authors' program."""
    with mp.workdps(digits_for(monotonic.confidence)):
        root = as_nodes(monotonic)
        root.z = mp.tanh(root.confidence / 2) * mp.expj(-mp.pi / 2)
        root.fan = mp.mpf(fan_half_turns) * mp.pi
        queue, found = deque([root]), {}
        while queue:
            placed = queue.popleft()
            angle = mp.arg(placed.z) if placed.z != 0 else -mp.pi / 2
            found[placed.node] = 2 * mp.atanh(abs(placed.z)), angle
            place_children(placed, normalize, mp.mpf(narrowing))
            queue.extend(placed.children)
    return found


def place_children(placed, normalize, narrowing):
    if not placed.children:
        return
    units = [leaves_below(child) + 1 for child in placed.children]
    unit = placed.fan / (sum(units) if normalize else leaves_below(placed))
    seen = invert(placed.parent.z if placed.parent else mp.mpc(0), placed.z)
    theta = (mp.arg(seen) if seen != 0 else -mp.pi / 2) + mp.pi - placed.fan / 2
    for child, k in zip(placed.children, units, strict=True):
        sector = k * unit
        length = child.confidence - placed.confidence
        child.z = invert(mp.tanh(length / 2) * mp.expj(theta + sector / 2), placed.z)
        child.fan = min(narrowing * sector, 2 * mp.pi)
        theta += sector
