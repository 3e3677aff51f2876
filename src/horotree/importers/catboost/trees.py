"""The three ways in which CatBoost writes trees, as the nodes of binary trees."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree.importers.shared.documents import get, items, whole
from horotree.importers.shared.forest import as_numbers
from horotree.trees.forest import offsets

from .contents import MAX_SYMMETRIC_DEPTH, Skeleton, check_size

Ints = NDArray[np.int64]


def grow_symmetric(sizes: Ints, splits: Ints, n_values: int, n_classes: int) -> Skeleton:
    """Return symmetric trees, each of which tests the same split at all nodes of a level.

    ``sizes`` are the depths, ``splits`` those of the levels, the root's first, tree after tree;
    leaves have ``n_classes`` of the ``n_values`` values. Parents come before their children. Bit j
    of a leaf's number in its tree, counted from 0, is 1 iff the condition at level j holds.
    """
    if ((sizes < 0) | (sizes > MAX_SYMMETRIC_DEPTH)).any():
        raise ValueError(
            f"a symmetric tree's depth must be from 0 to {MAX_SYMMETRIC_DEPTH}, got "
            f"{sizes.min()} to {sizes.max()}: the file is damaged."
        )
    n_leaves = np.left_shift(1, sizes)
    _check_total("splits", int(sizes.sum()), len(splits))
    _check_total("leaf values", int(n_leaves.sum()) * n_classes, n_values)
    start = offsets(2 * n_leaves - 1)
    check_size(len(sizes), int(start[-1]), n_classes)
    split_start, leaf_start = offsets(sizes), offsets(n_leaves)
    left, right, split, leaf = (np.full(start[-1], -1, np.int64) for _ in range(4))
    for depth in np.unique(sizes).tolist():
        trees = np.flatnonzero(sizes == depth)[:, None]
        first = start[trees]
        ends = first + 2**depth - 1 + np.arange(2**depth)
        leaf[ends] = leaf_start[trees] + np.arange(2**depth)
        for level in range(depth):
            width = 2**level
            nodes = first + width - 1 + np.arange(width)
            below = first + 2 * width - 1 + np.arange(width)
            left[nodes], right[nodes] = below, below + width
            split[nodes] = splits[split_start[trees] + level]
    return Skeleton(start, left, right, split, leaf)


def grow_stepwise(
    sizes: Ints, splits: Ints, steps: Ints, values: Ints, n_values: int, n_classes: int
) -> Skeleton:
    """Return trees of nodes that have the distances to their children.

    ``sizes`` are numbers of nodes. ``steps`` say how far the left and the right child are, 0 if it
    is a leaf, which the node itself is then: a node with one child is a split and a leaf.
    ``values`` are the places of the first values of leaves. Leaves that were part of an inner node
    come after it.
    """
    n = len(splits)
    if (sizes < 1).any() or n_values % n_classes:
        raise ValueError("every tree must have nodes, every leaf a value: the file is damaged.")
    _check_total("nodes", int(sizes.sum()), n)
    _check_total("steps", n, len(steps))
    _check_total("leaves of nodes", n, len(values))
    ends = offsets(sizes)
    own_end = np.repeat(ends[1:], sizes)
    if (np.arange(n)[:, None] + steps >= own_end[:, None]).any():
        raise ValueError("a child must be a node of its tree: the file is damaged.")
    has_leaf, inner = (steps == 0).any(axis=1), (steps > 0).any(axis=1)
    wrong = has_leaf & ((values < 0) | (values >= n_values) | (values % n_classes != 0))
    if wrong.any():
        raise ValueError(f"a leaf must have values, got {values[wrong][0]}: the file is damaged.")
    both = has_leaf & inner
    shift = offsets(both.astype(np.int64))  # what comes before a node that was not there
    n_nodes = n + int(shift[-1])
    check_size(len(sizes), n_nodes, n_classes)
    node = np.arange(n) + shift[:-1]
    left, right, split, leaf = (np.full(n_nodes, -1, np.int64) for _ in range(4))
    for side, step in ((left, steps[:, 0]), (right, steps[:, 1])):
        target = np.minimum(np.arange(n) + step, n - 1)
        side[node[inner]] = np.where(step > 0, node[target], node + 1)[inner]
    split[node[inner]] = splits[inner]
    leaf[(node + both)[has_leaf]] = values[has_leaf] // n_classes
    return Skeleton(ends + shift[ends], left, right, split, leaf)


def read_nested(trees: list[Any]) -> tuple[Skeleton, list[Any], list[Any]]:
    """Return the trees of nested documents, and the values and weights of their leaves.

    An inner node has "left", "right" and "split", a leaf has "value" and "weight".
    """
    start = [0]
    left: list[int] = []
    right: list[int] = []
    leaf: list[int] = []
    split: list[Any] = []
    values: list[Any] = []
    weights: list[Any] = []
    for tree in trees:
        stack = [(tree, -1)]
        while stack:
            node, parent = stack.pop()
            number = len(split)
            if parent >= 0:  # the left child comes directly after its parent
                right[parent] = number
            is_split = isinstance(node, dict) and "split" in node
            left.append(number + 1 if is_split else -1)
            right.append(-1)
            leaf.append(-1 if is_split else len(values))
            if is_split:
                split.append(get(node["split"], "split_index"))
                stack += [(get(node, "right"), number), (get(node, "left"), -1)]
            else:
                split.append(-1)
                values.append(get(node, "value"))
                weights.append(node.get("weight"))
        start.append(len(split))
    check_size(len(trees), len(split), 1)
    skeleton = Skeleton(
        start=np.array(start, np.int64),
        left=np.array(left, np.int64),
        right=np.array(right, np.int64),
        split=as_numbers(split, "split_index", kind="i"),
        leaf=np.array(leaf, np.int64),
    )
    return skeleton, values, weights


def read_flat(trees: list[Any]) -> tuple[Ints, list[Any], list[Any], list[Any]]:
    """Return depths, splits, values and weights of symmetric trees that are documents."""
    sizes, splits, values, weights = [], [], [], []
    for tree in trees:
        own = items(get(tree, "splits") or [], "splits")
        leaves = items(get(tree, "leaf_values"), "leaf_values")
        sizes.append(len(own))
        splits += [whole(get(split, "split_index"), "split_index") for split in own]
        values += leaves
        weights += items(tree.get("leaf_weights") or [], "leaf_weights")
    return np.array(sizes, np.int64), splits, values, weights


def _check_total(what: str, wanted: int, got: int) -> None:
    if wanted != got:
        raise ValueError(f"there must be {wanted} {what}, got {got}: the file is damaged.")
