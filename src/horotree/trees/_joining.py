"""Many trees as one table: their nodes one tree after the other, as files keep them."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .tree import Tree

# The fields that are joined as they are. Starts of category sets become sizes, which need no shift.
_SAME = (
    "left",
    "right",
    "feature",
    "threshold",
    "missing_left",
    "category",
    "value",
    "output",
    "weight",
    "count",
)


def join(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return the arrays one after the other; there may be none."""
    return np.concatenate(parts) if parts else np.empty(0)


def join_trees(trees: Sequence[Tree]) -> dict[str, NDArray[Any]]:
    """Return the fields of all trees, with ``n_nodes`` a tree and ``set_size`` a node."""
    return {
        "n_nodes": np.array([tree.n_nodes for tree in trees], np.int64),
        "set_size": join([np.diff(tree.category_start) for tree in trees]),
        **{name: join([getattr(tree, name) for tree in trees]) for name in _SAME},
    }


def split_trees(arrays: Mapping[str, NDArray[Any]]) -> list[Tree]:
    """Return the trees that were joined; they are checked as all trees are."""
    nodes = bounds(arrays["n_nodes"], len(arrays["left"]), "n_nodes")
    codes = np.array(bounds(arrays["set_size"], len(arrays["category"]), "set_size"))
    by_node = [name for name in _SAME if name != "category"]
    return [
        Tree(
            category_start=codes[a : b + 1] - codes[a],
            category=arrays["category"][codes[a] : codes[b]],
            **{name: arrays[name][a:b] for name in by_node},
        )
        for a, b in itertools.pairwise(nodes)
    ]


def bounds(sizes: NDArray[Any], total: int, name: str) -> list[int]:
    """Return where parts of these sizes begin and end, if they make up the whole."""
    ends = list(itertools.accumulate(sizes.tolist(), initial=0))
    if ends[-1] != total or (sizes < 0).any():
        raise ValueError(f"{name} must not be negative and must sum to {total}, got {ends[-1]}.")
    return ends
