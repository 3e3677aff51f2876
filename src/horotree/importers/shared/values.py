"""The order of nodes, and the values that are drawn at them.

Arrays may hold one tree or many, one after the other: children are then counted through all of
them. All steps take one round a level, for all trees at once.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from horotree._checks import Floats, as_floats, check_range
from horotree.losses import link
from horotree.trees import levels

Nodes = NDArray[np.intp]


def order_nodes(left: ArrayLike, right: ArrayLike, roots: ArrayLike = (0,)) -> Nodes:
    """Return the nodes that are below roots, tree after tree, parents before their children.

    This is where the child arrays of untrusted files are checked, in time and memory proportional
    to their length: ValueError if a child is no node, a node has one child only, or a node is
    reached twice. Leaves have any negative number in both arrays.
    """
    children = np.stack([_as_nodes(left, "left"), _as_nodes(right, "right")])
    n = children.shape[1]
    level = _as_nodes(roots, "roots")
    tree = np.arange(len(level))
    seen = np.zeros(n, np.bool_)
    levels, owners = [level], [tree]
    while len(level):
        _check_level(level, seen)
        below = children[:, level]
        inner = (below >= 0).any(axis=0)
        below, tree = below[:, inner], tree[inner]
        level, tree = below.T.reshape(-1), np.repeat(tree, 2)
        levels.append(level)
        owners.append(tree)
    order = np.concatenate(levels)
    return np.asarray(order[np.argsort(np.concatenate(owners), kind="stable")])


def _as_nodes(values: ArrayLike, name: str) -> Nodes:
    array = np.asarray(values)
    if array.ndim != 1 or (len(array) and array.dtype.kind not in "iu"):
        raise ValueError(
            f"{name} must be a list of whole numbers, got shape {array.shape} and dtype "
            f"{array.dtype}: the model is damaged."
        )
    return array.astype(np.intp)


def _check_level(level: Nodes, seen: NDArray[np.bool_]) -> None:
    """Mark the nodes of a level as seen; raise if one is no node or was seen before."""
    outside = (level < 0) | (level >= len(seen))
    if outside.any():
        raise ValueError(
            f"a child must be one of the tree's {len(seen)} nodes, got {level[outside][0]}: the "
            "model is damaged."
        )
    by_number = np.sort(level)
    again = np.concatenate([level[seen[level]], by_number[1:][np.diff(by_number) == 0]])
    seen[level] = True
    if len(again):
        raise ValueError(
            f"every node must be the child of one node, got node {again[0]} twice: the model is "
            "damaged."
        )


def renumber(children: ArrayLike, order: Nodes) -> NDArray[np.int32]:
    """Return the children of the nodes in this order, by their place in it; -1 at leaves.

    ``children`` are the left, or the right, ones by old numbers; ``order`` is that of one tree.
    """
    old = np.asarray(children)
    place = np.full(len(old) + 1, -1, np.int32)  # the last is for -1
    place[order] = np.arange(len(order))
    return np.asarray(place[np.maximum(old[order], -1)])


def below32(values: Floats) -> Floats:
    """Return the largest float32 below each number rounded to float32; -inf where there is none."""
    with np.errstate(over="ignore"):
        return np.nextafter(values.astype(np.float32), np.float32(-np.inf)).astype(np.float64)


def mean_below(left: ArrayLike, right: ArrayLike, leaf_value: Floats, weight: Floats) -> Floats:
    """Return the mean of the leaves below each node, by their training weight.

    Only the values and weights of leaves are read. Where no leaf below a node has any weight, and
    everywhere if one is not known (NaN), all leaves count alike.
    """
    lefts, rights = np.asarray(left, np.intp), np.asarray(right, np.intp)
    leaf = lefts < 0
    mean, mass = np.asarray(leaf_value, np.float64).copy(), _as_masses(weight, leaf)
    count = leaf.astype(np.float64)
    for nodes in levels(lefts, rights):
        a, b = lefts[nodes], rights[nodes]
        count[nodes] = count[a] + count[b]
        mass[nodes] = mass[a] + mass[b]
        empty = mass[nodes] == 0.0
        total = np.where(empty, count[nodes], mass[nodes])
        share_a = np.where(empty, count[a], mass[a]) / total
        share_b = np.where(empty, count[b], mass[b]) / total
        low, high = np.minimum(mean[a], mean[b]), np.maximum(mean[a], mean[b])
        # Rounding must not make a node more confident than all leaves below it.
        mean[nodes] = np.clip(mean[a] * share_a + mean[b] * share_b, low, high)
    return mean


def _as_masses(weight: Floats, leaf: NDArray[np.bool_]) -> Floats:
    """Return the weights of leaves, the largest being 1, so that no sum of them overflows."""
    mass = np.where(leaf, np.asarray(weight, np.float64), 0.0)
    if np.isnan(mass).any():
        return leaf.astype(np.float64)
    fix = "the model is damaged"
    check_range(mass, "weight", (mass >= 0.0) & np.isfinite(mass), "finite, 0 or more", fix)
    largest = mass.max(initial=0.0)
    return mass / largest if largest > 0.0 else mass


def shares_to_values(
    share: ArrayLike, weight: ArrayLike, complement: ArrayLike | None = None
) -> Floats:
    """Return the values of class shares: their logits, smoothed at pure nodes.

    A pure node of weight W is given half an example of either class: its confidence is ``log(2 W +
    1)``. No node is more confident than a pure one of its weight. ``complement`` is the share of
    all other classes, if it is known better than by subtraction.
    """
    mass = as_floats(weight, "weight")
    fix = "the model is damaged"
    check_range(mass, "weight", (mass >= 0.0) & np.isfinite(mass), "finite, 0 or more", fix)
    largest = np.log1p(2.0 * np.minimum(mass, 1e300))  # 1e300 doubles without overflow
    value = np.asarray(link(share, complement), np.float64)
    return np.asarray(np.copysign(np.minimum(np.abs(value), largest), value))
