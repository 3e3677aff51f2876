"""Many trees as one table: their nodes one tree after the other, as files keep them."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._frozen import freeze

from .tree import Tree, trusted_trees

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
    fields = _cut(arrays, nodes, codes)
    return [
        Tree(**dict(zip(fields, parts, strict=True)))
        for parts in zip(*fields.values(), strict=True)
    ]


def trust_trees(arrays: Mapping[str, NDArray[Any]]) -> list[Tree]:
    """Return the trees that training joined, as views of these arrays, which are frozen.

    The kernels grow trees that keep the rules; to check one takes longer than to grow a small one.
    Numbers are another matter, since arithmetic may overflow: they are checked, all at once.
    """
    floats = [arrays[name] for name in ("threshold", "value", "output", "weight")]
    if not all(np.isfinite(array).all() for array in floats):
        return split_trees(arrays)  # which says what is wrong, and where
    for array in floats:
        np.add(array, 0.0, out=array)  # one zero, as in all trees
    nodes = [0, *np.cumsum(arrays["n_nodes"]).tolist()]
    codes = np.zeros(nodes[-1] + 1, np.int32)
    np.cumsum(arrays["set_size"], out=codes[1:])
    for array in arrays.values():
        freeze(array)
    return trusted_trees(_cut(arrays, nodes, codes))


def _cut(
    arrays: Mapping[str, NDArray[Any]], nodes: Sequence[int], codes: NDArray[Any]
) -> dict[str, list[NDArray[Any]]]:
    """Return each field of every tree; ``nodes`` and ``codes`` tell where trees and sets begin."""
    freeze(codes)
    ends = list(itertools.pairwise(nodes))
    parts = [slice(a, b) for a, b in ends]
    fields = {name: [*map(arrays[name].__getitem__, parts)] for name in _SAME if name != "category"}
    starts = [codes[a : b + 1] for a, b in ends]
    fields["category"] = [arrays["category"][start[0] : start[-1]] for start in starts]
    if codes[-1] > 0:
        starts = [freeze(start - start[0]) for start in starts]
    return fields | {"category_start": starts}


def bounds(sizes: NDArray[Any], total: int, name: str) -> list[int]:
    """Return where parts of these sizes begin and end, if they make up the whole."""
    ends = list(itertools.accumulate(sizes.tolist(), initial=0))
    if ends[-1] != total or (sizes < 0).any():
        raise ValueError(f"{name} must not be negative and must sum to {total}, got {ends[-1]}.")
    return ends
