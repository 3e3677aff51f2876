"""The trees of an XGBoost document as a RawForest.

XGBoost sends a number left iff ``x < s``, both rounded to float32, and a category left iff it is
not in the set. Ours goes left iff ``x <= s``, and iff it is in the set: thresholds move to the
float32 below, and the children of a set change places.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.importers.errors import UnsupportedModelError
from horotree.importers.shared.documents import get, whole
from horotree.importers.shared.forest import LARGEST, RawForest, as_numbers, join_ranges
from horotree.importers.shared.values import below32
from horotree.trees.forest import offsets

# Of each node: the name in the file and the kind of number.
_FIELDS = {
    "left_children": "i",
    "right_children": "i",
    "split_indices": "i",
    "split_conditions": "f",
    "default_left": "b",
    "sum_hessian": "f",
    "base_weights": "f",
}


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Each node's leaf weight before shrinkage, and its hessian, as XGBoost writes them."""

    base_weight: Floats
    hessian: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Sets:
    """Sets of categories: at which nodes, how large, and which codes."""

    node: NDArray[np.int64]
    size: NDArray[np.int64]
    codes: NDArray[np.int64]


def read_trees(trees: list[Any]) -> tuple[RawForest, Weights]:
    """Return the trees of a document, not ordered, and the weights of their nodes."""
    sizes = []
    for tree in trees:
        if whole(get(tree, "tree_param", "size_leaf_vector") or "0", "size_leaf_vector") > 1:
            raise UnsupportedModelError(
                "a leaf must have one value, got a vector: train with "
                "multi_strategy='one_output_per_tree'."
            )
        children = get(tree, "left_children")
        if not isinstance(children, list | np.ndarray) or len(children) == 0:
            raise ValueError("a tree must have a node or more, got none: the file is damaged.")
        sizes.append(len(children))
    start = offsets(sizes)
    fields = {
        name: _join([_take(tree, name, n, kind) for tree, n in _with(trees, sizes)], kind)
        for name, kind in _FIELDS.items()
    }
    is_set = _join([_split_types(tree, n) for tree, n in _with(trees, sizes)], "b")
    sets = _join_sets([_read_sets(tree, n) for tree, n in _with(trees, sizes)], start)
    return _forest(fields, is_set, sets, start), Weights(
        round32(fields["base_weights"]), round32(fields["sum_hessian"])
    )


def _take(tree: Any, name: str, n: int, kind: str) -> NDArray[Any]:
    """Return a field, and drop it from the document: millions of objects are slow to keep."""
    values = as_numbers(get(tree, name), name, n, kind=kind)
    del tree[name]
    return values


def _with(trees: list[Any], sizes: list[int]) -> "zip[tuple[Any, int]]":
    return zip(trees, sizes, strict=True)


def _join(arrays: list[NDArray[Any]], kind: str) -> NDArray[Any]:
    dtype = {"f": np.float64, "i": np.int64, "b": np.bool_}[kind]
    return np.concatenate([np.empty(0, np.dtype(dtype)), *arrays])


def round32(values: Floats) -> Floats:
    """Round to float32: what a decimal number of a file stands for."""
    with np.errstate(over="ignore"):
        return np.asarray(values.astype(np.float32).astype(np.float64))


def _forest(
    fields: dict[str, NDArray[Any]],
    is_set: NDArray[np.bool_],
    sets: _Sets,
    start: NDArray[np.int64],
) -> RawForest:
    n = len(is_set)
    shift, length = np.repeat(start[:-1], np.diff(start)), np.repeat(np.diff(start), np.diff(start))
    left, right = (_global(fields[f"{side}_children"], shift, length) for side in ("left", "right"))
    set_size = np.zeros(n, np.int64)
    set_size[sets.node] = sets.size
    swap = set_size > 0
    has_set = np.zeros(n, np.bool_)
    has_set[sets.node] = True
    if ((has_set != is_set) & (left >= 0)).any() or (swap & ~is_set).any():
        raise ValueError(
            "a split must have a set of categories if its split_type is 1, and else none: the file "
            "is damaged."
        )
    condition = round32(fields["split_conditions"])
    # A set without codes sends every category to the same side.
    threshold = np.where(is_set & ~swap, LARGEST, below32(condition))
    return RawForest(
        start=start,
        left=np.where(swap, right, left),
        right=np.where(swap, left, right),
        feature=fields["split_indices"],
        threshold=threshold,
        missing_left=fields["default_left"] ^ swap,
        set_size=set_size,
        codes=sets.codes,
        output=condition,
        weight=round32(fields["sum_hessian"]),
        count=np.full(n, -1, np.int64),
    )


def _global(
    child: NDArray[np.int64], shift: NDArray[np.int64], length: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return children counted through all trees."""
    if (child >= length).any() or (child < -1).any():
        raise ValueError("a child must be a node of its tree, or -1: the file is damaged.")
    return np.where(child < 0, -1, child + shift)


def _split_types(tree: Any, n: int) -> NDArray[Any]:
    """Return which nodes split by a set; the oldest files have numeric splits only."""
    if "split_type" not in tree:
        return np.zeros(n, np.bool_)
    return np.asarray(as_numbers(tree["split_type"], "split_type", n, kind="i") == 1)


def _read_sets(tree: Any, n: int) -> _Sets:
    """Return the sets of one tree."""
    node, start, size, codes = (
        as_numbers(tree.get(name, []), name, kind="i")
        for name in ("categories_nodes", "categories_segments", "categories_sizes", "categories")
    )
    if not len(node) == len(start) == len(size):
        raise ValueError("sets of categories need a node, a start and a size: the file is damaged.")
    if len(node) == 0:
        return _Sets(node, size, codes[:0])
    total = int(np.minimum(size, len(codes) + 1).sum())
    inside = (size >= 0) & (start >= 0) & (start <= len(codes)) & (size <= len(codes) - start)
    # More codes in the sets than there are means that sets overlap: small files could become large.
    if not inside.all() or total > len(codes) or (node < 0).any() or (node >= n).any():
        raise ValueError("sets of categories must be within the list: the file is damaged.")
    if len(np.unique(node)) < len(node):
        raise ValueError("a node must have one set of categories, got two: the file is damaged.")
    return _Sets(node, size, codes[join_ranges(start, size)])


def _join_sets(sets: list[_Sets], start: NDArray[np.int64]) -> _Sets:
    """Return the sets of all trees in the order of the nodes, codes increasing."""
    node = _join([one.node + a for one, a in zip(sets, start, strict=False)], "i")
    size = _join([one.size for one in sets], "i")
    codes = _join([one.codes for one in sets], "i")
    by_code = np.repeat(node, size)
    order = np.argsort(node)
    return _Sets(node[order], size[order], codes[np.lexsort((codes, by_code))])
