"""The rules that every table of nodes keeps: of one tree, or of many, one after the other."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._frozen import as_array, freeze

Starts = NDArray[np.int64]

# Sets of categories are bits when trees are walked: a stray large code must not ask for gigabytes.
MAX_CATEGORIES = 2**24

# The fields with one entry a node, and their types.
NODE_FIELDS: dict[str, type[np.generic]] = {
    "left": np.int32,
    "right": np.int32,
    "feature": np.int32,
    "threshold": np.float64,
    "missing_left": np.bool_,
    "value": np.float64,
    "output": np.float64,
    "weight": np.float64,
    "count": np.int64,
    "gain": np.float64,
}


def set_up(table: Any, fields: Mapping[str, type[np.generic]]) -> None:
    """Copy the arrays of a new Tree or Forest, check them, and make them read-only.

    ``fields`` has their types. Children are numbered from the root of their tree.
    """
    for name, dtype in fields.items():
        object.__setattr__(table, name, as_array(getattr(table, name), name, dtype))
    n = len(table.left)
    has_gains = len(table.gain) > 0
    if not has_gains:
        object.__setattr__(table, "gain", np.full(n, np.nan))
    tree_start = table.tree_start if "tree_start" in fields else np.array([0, n])
    _check_lengths(table, tree_start)
    _check_children(table, tree_start)
    _check_sets(table, tree_start)
    _check_tests(table, tree_start)
    _check_numbers(table, tree_start)
    if has_gains:
        _check_gains(table, tree_start)
    # One zero and one NaN, so that equal trees have equal bytes.
    for array in (table.threshold, table.value, table.output, table.weight):
        np.add(array, 0.0, out=array)
    table.weight[np.isnan(table.weight)] = np.nan
    for name in fields:
        freeze(getattr(table, name))


def _require(
    ok: NDArray[np.bool_], tree_start: Starts, name: str, rule: str, got: NDArray[Any]
) -> None:
    """Raise unless ``ok`` at every node; the message names the first node where it is not."""
    if not ok.all():
        row = int(np.argmin(ok))
        wrong = got[row].item()
        raise ValueError(f"{name} must be {rule}, got {wrong!r} at {_place(row, tree_start)}.")


def _place(row: int, tree_start: Starts) -> str:
    tree = int(np.searchsorted(tree_start, row, side="right")) - 1
    node = f"node {row - tree_start[tree]}"
    return node if len(tree_start) == 2 else f"{node} of tree {tree}"


def _check_lengths(table: Any, tree_start: Starts) -> None:
    n = len(table.left)
    if not len(tree_start) or tree_start[0] != 0 or tree_start[-1] != n:
        raise ValueError(f"tree_start must start at 0 and end at the number of nodes ({n}).")
    if (tree_start[1:] <= tree_start[:-1]).any():
        raise ValueError("a tree needs at least one node, got none: node 0 is the root.")
    for name in NODE_FIELDS:
        length = len(getattr(table, name))
        if length != n:
            raise ValueError(f"{name} must have one entry a node, got {length} for {n} nodes.")
    if len(table.category_start) != n + 1:
        raise ValueError(
            "category_start must have one entry a node and one more, got "
            f"{len(table.category_start)} for {n} nodes."
        )


def _check_children(table: Any, tree_start: Starts) -> None:
    left, right = table.left, table.right
    inner = left != -1
    rule = "-1 where left is, and only there"
    _require(inner == (right != -1), tree_start, "right", rule, right)
    sizes = tree_start[1:] - tree_start[:-1]
    first, size = (np.repeat(x, sizes) for x in (tree_start[:-1], sizes))
    node = np.arange(len(left)) - first
    for name, child in (("left", left), ("right", right)):
        ok = ~inner | ((child > node) & (child < size))
        rule = "-1, or a child in the same tree that comes after its parent"
        _require(ok, tree_start, name, rule, child)
    children = np.concatenate([left[inner], right[inner]]) + np.tile(first[inner], 2)
    times = np.bincount(children, minlength=len(left))
    times[tree_start[:-1]] = 1
    _require(times == 1, tree_start, "every node but the root", "the child of one node", times)


def _check_sets(table: Any, tree_start: Starts) -> None:
    start, category = table.category_start, table.category
    if start[0] != 0 or start[-1] != len(category) or (start[1:] < start[:-1]).any():
        raise ValueError(
            "category_start must start at 0, never fall, and end at the number of codes "
            f"({len(category)}), got {start[0]} to {start[-1]}."
        )
    if not len(category):
        return
    size = np.diff(start)
    ok = (size == 0) | (table.left >= 0)
    _require(ok, tree_start, "the set of categories", "empty at a leaf", size)
    grows = np.diff(category, prepend=-1) > 0
    first = start[:-1][size > 0]
    grows[first] = category[first] >= 0
    grows &= category < MAX_CATEGORIES
    if not grows.all():
        row = int(np.searchsorted(start, int(np.argmin(grows)), side="right")) - 1
        raise ValueError(
            f"the codes of a set of categories must increase, from 0 to {MAX_CATEGORIES - 1}, got "
            f"{category[start[row] : start[row + 1]]} at {_place(row, tree_start)}."
        )


def _check_tests(table: Any, tree_start: Starts) -> None:
    inner, feature, threshold = table.left >= 0, table.feature, table.threshold
    ok = np.where(inner, feature >= 0, feature == -1)
    rule = "a column (0 or more) at inner nodes and -1 at leaves"
    _require(ok, tree_start, "feature", rule, feature)
    numeric = inner & (table.category_start[1:] == table.category_start[:-1])
    ok = ~numeric | np.isfinite(threshold)
    _require(ok, tree_start, "threshold", "finite at a numeric test", threshold)
    rule = "0 at a leaf and at a set of categories"
    _require(numeric | (threshold == 0.0), tree_start, "threshold", rule, threshold)


def _check_numbers(table: Any, tree_start: Starts) -> None:
    for name in ("value", "output"):
        _require(
            np.isfinite(getattr(table, name)), tree_start, name, "finite", getattr(table, name)
        )
    weight = table.weight
    ok = np.isnan(weight) | ((weight >= 0.0) & (weight < np.inf))
    _require(ok, tree_start, "weight", "finite and not negative, or NaN if unknown", weight)
    rule = "0 or more, or -1 if unknown"
    _require(table.count >= -1, tree_start, "count", rule, table.count)


def _check_gains(table: Any, tree_start: Starts) -> None:
    gain = table.gain
    _require(~np.isinf(gain), tree_start, "gain", "finite, or NaN if unknown", gain)
    unknown = np.isnan(gain)
    ok = (table.left >= 0) | (gain == 0.0) | unknown
    _require(ok, tree_start, "gain", "0 at a leaf, or NaN if unknown", gain)
    np.add(gain, 0.0, out=gain)
    gain[unknown] = np.nan
