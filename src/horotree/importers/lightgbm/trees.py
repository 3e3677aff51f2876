"""The trees of LightGBM's text as a RawForest.

LightGBM sends x left iff ``x <= s``, as we do, but |x| <= 1e-35 counts as 0. What is missing
depends on the node: nothing (NaN is 0), zeros and NaN, or NaN.
"""

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.importers.errors import UnsupportedModelError
from horotree.importers.shared.documents import whole
from horotree.importers.shared.forest import RawForest, check_codes
from horotree.trees.forest import offsets

from .splits import DTYPES, read_splits
from .text import Fields, floats, whole_numbers

# The values of leaves in the arrays of splits.
_AT_LEAF = dict.fromkeys(("left", "right", "feature"), -1)
_AT_LEAF |= dict.fromkeys(("threshold", "missing_left", "set_size"), 0)


def read_trees(trees: list[Fields]) -> RawForest:
    """Return the trees, not ordered: in each the inner nodes come before the leaves."""
    forests, n_codes = [], 0
    for fields in trees:
        forests.append(_read_tree(fields))
        n_codes += len(forests[-1].codes)
        check_codes(n_codes)
    sizes = np.array([len(forest.left) for forest in forests], np.int64)
    start = offsets(sizes)
    shift = np.repeat(start[:-1], sizes)
    arrays = {
        name: np.concatenate([np.empty(0, dtype), *(getattr(one, name) for one in forests)])
        for name, dtype in DTYPES.items()
    }
    for side in ("left", "right"):
        arrays[side] = np.where(arrays[side] < 0, -1, arrays[side] + shift)
    return RawForest(start=start, **arrays)


def _read_tree(fields: Fields) -> RawForest:
    if fields.get("is_linear", "0").strip() != "0":
        raise UnsupportedModelError(
            "a leaf must have one value, got a linear function of the features: train with "
            "linear_tree=False."
        )
    n_leaves = whole(fields.get("num_leaves"), "num_leaves", 1)
    output = floats(fields, "leaf_value", n_leaves)
    n = n_leaves - 1
    count, weight = _read_leaves(fields, n_leaves)
    inner_count = np.full(n, -1, np.int64)
    if n and "internal_count" in fields:
        inner_count = whole_numbers(fields, "internal_count", n)
    splits = read_splits(fields, n)
    for side in ("left", "right"):
        splits[side] = _children(splits[side], n, n_leaves)
    for name, value in _AT_LEAF.items():
        splits[name] = np.append(splits[name], np.full(n_leaves, value, DTYPES[name]))
    return RawForest(
        start=np.zeros(1, np.int64),
        **splits,
        output=np.concatenate([np.zeros(n), output]),
        weight=np.concatenate([np.zeros(n), weight]),
        count=np.concatenate([inner_count, count]),
    )


def _read_leaves(fields: Fields, n_leaves: int) -> tuple[NDArray[np.int64], Floats]:
    """Return the counts and the weights of the leaves: old files, and single leaves, have less."""
    count, weight = np.full(n_leaves, -1, np.int64), np.full(n_leaves, np.nan)
    if fields.get("leaf_count", "").strip():
        count = whole_numbers(fields, "leaf_count", n_leaves)
    if fields.get("leaf_weight", "").strip():
        weight = floats(fields, "leaf_weight", n_leaves)
    return count, weight


def _children(child: NDArray[np.int64], n: int, n_leaves: int) -> NDArray[np.int64]:
    """Return children by our numbers: LightGBM's leaves are -1, -2, ..."""
    if ((child >= n) | (child < -n_leaves)).any():
        raise ValueError("a child must be a node or a leaf of its tree: the file is damaged.")
    return np.where(child < 0, n + ~child, child)
