"""A tree is a table of nodes, each with a real-valued prediction."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree._frozen import Frozen, as_array, freeze
from horotree.losses import inverse_link

Ints = NDArray[np.int32]
Flags = NDArray[np.bool_]

# Sets of categories are bits when trees are walked: a stray large code must not ask for gigabytes.
MAX_CATEGORIES = 2**24

# The fields with one entry a node, and what they hold.
_NODE_FIELDS: dict[str, type[np.generic]] = {
    "left": np.int32,
    "right": np.int32,
    "feature": np.int32,
    "threshold": np.float64,
    "missing_left": np.bool_,
    "value": np.float64,
    "output": np.float64,
    "weight": np.float64,
    "count": np.int64,
}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tree(Frozen):
    """A binary decision tree as a table of nodes: read-only arrays with one entry a node.

    Node 0 is the root, and a parent precedes its children. At an inner node a missing value (NaN)
    goes left iff ``missing_left``; any other iff it is at most the threshold or, at a node with a
    set of categories, iff it is one of their codes. Everything is checked on construction, and
    copied.

    Parameters
    ----------
    left, right : int32 array
        The children; -1 at a leaf.
    feature : int32 array
        The column that is tested; -1 at a leaf.
    threshold : float64 array
        Finite; 0 where there is nothing to compare with, at leaves and at sets of categories.
    missing_left : bool array
        Whether missing values go left.
    category_start : int32 array
        Where each node's set starts in ``category``, and its end: one entry more than there are
        nodes. An empty set means a numeric test: at a set, some code must go left.
    category : int32 array
        The codes that go left, set after set, each increasing.
    value : float64 array
        What is drawn, at every node: the logit of its posterior, or a margin.
    output : float64 array
        What the node adds to the score when an example stops there.
    weight : float64 array
        The training weight that came by; NaN if unknown.
    count : int64 array
        The training examples that came by; -1 if unknown.

    Examples
    --------
    >>> from horotree.trees import Tree
    >>> stump = Tree(
    ...     left=[1, -1, -1], right=[2, -1, -1], feature=[0, -1, -1], threshold=[0.5, 0.0, 0.0],
    ...     missing_left=[True, False, False], category_start=[0, 0, 0, 0], category=[],
    ...     value=[0.0, -1.0, 2.0], output=[0.0, -1.0, 2.0], weight=[3.0, 2.0, 1.0],
    ...     count=[6, 4, 2],
    ... )
    >>> stump
    Tree(3 nodes, 2 leaves, depth 1)
    >>> stump.parent.tolist(), stump.confidence.tolist()
    ([-1, 0, 0], [0.0, 1.0, 2.0])
    """

    left: Ints
    right: Ints
    feature: Ints
    threshold: Floats
    missing_left: Flags
    category_start: Ints
    category: Ints
    value: Floats
    output: Floats
    weight: Floats
    count: NDArray[np.int64]

    def __post_init__(self) -> None:
        for name, dtype in _NODE_FIELDS.items():
            self._set(name, as_array(getattr(self, name), name, dtype))
        for name in ("category_start", "category"):
            self._set(name, as_array(getattr(self, name), name, np.int32))
        _check_lengths(self)
        _check_links(self)
        _check_sets(self)
        _check_tests(self)
        _check_numbers(self)
        # One zero and one NaN, so that equal trees have equal bytes.
        for array in (self.threshold, self.value, self.output, self.weight):
            np.add(array, 0.0, out=array)
        self.weight[np.isnan(self.weight)] = np.nan
        for name in (*_NODE_FIELDS, "category_start", "category"):
            freeze(getattr(self, name))

    def _set(self, name: str, array: NDArray[Any]) -> None:
        object.__setattr__(self, name, array)

    def __hash__(self) -> int:
        return hash((self.left.tobytes(), self.feature.tobytes(), self.category.tobytes()))

    def __repr__(self) -> str:
        depth = int(self.depth.max())
        return f"Tree({self.n_nodes} nodes, {self.n_leaves} leaves, depth {depth})"

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.left)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return (self.n_nodes + 1) // 2

    @cached_property
    def is_leaf(self) -> Flags:
        """Whether a node is a leaf."""
        return freeze(self.left < 0)

    @cached_property
    def parent(self) -> Ints:
        """The parent of each node; -1 for the root."""
        parent = np.full(self.n_nodes, -1, np.int32)
        inner = np.flatnonzero(self.left >= 0).astype(np.int32)
        parent[self.left[inner]] = inner
        parent[self.right[inner]] = inner
        return freeze(parent)

    @cached_property
    def depth(self) -> Ints:
        """The number of tests on the way from the root to each node."""
        # Each round doubles how far the ancestor is: log2(depth) rounds.
        ancestor = np.maximum(self.parent, 0)
        depth = (self.parent >= 0).astype(np.int32)
        while ancestor.any():
            depth += depth[ancestor]
            ancestor = ancestor[ancestor]
        return freeze(depth)

    @cached_property
    def posterior(self) -> Floats:
        """The posterior of each node: the sigmoid of its value."""
        return freeze(np.asarray(inverse_link(self.value)))

    @cached_property
    def confidence(self) -> Floats:
        """The confidence of each node: the absolute value of its value."""
        return freeze(np.abs(self.value))


def trusted_trees(fields: Mapping[str, Sequence[NDArray[Any]]]) -> list[Tree]:
    """Return trees of frozen arrays as they are: only for what keeps all rules anyhow.

    By field, not by tree: to make hundreds of small trees takes a good part of a short fit.
    """
    trees = [object.__new__(Tree) for _ in fields["left"]]
    for name, arrays in fields.items():
        put = getattr(Tree, name).__set__  # the slot's: what is frozen has no other way in
        deque(map(put, trees, arrays), maxlen=0)
    return trees


def _require(ok: Flags, name: str, rule: str, got: NDArray[Any]) -> None:
    """Raise unless ``ok`` at every node, naming the first where it is not."""
    if not ok.all():
        node = int(np.argmin(ok))
        raise ValueError(f"{name} must be {rule}, got {got[node].item()!r} at node {node}.")


def _check_lengths(tree: Tree) -> None:
    n = len(tree.left)
    if n == 0:
        raise ValueError("a tree needs at least one node, got none: node 0 is the root.")
    for name in _NODE_FIELDS:
        length = len(getattr(tree, name))
        if length != n:
            raise ValueError(f"{name} must have one entry a node, got {length} for {n} nodes.")
    if len(tree.category_start) != n + 1:
        raise ValueError(
            "category_start must have one entry a node and one more, got "
            f"{len(tree.category_start)} for {n} nodes."
        )


def _check_links(tree: Tree) -> None:
    left, right, n = tree.left, tree.right, len(tree.left)
    inner = left != -1
    _require(inner == (right != -1), "right", "-1 where left is, and only there", right)
    nodes = np.arange(n, dtype=np.int32)
    for name, child in (("left", left), ("right", right)):
        ok = ~inner | ((child > nodes) & (child < n))
        _require(ok, name, f"-1, or a child that comes after its parent and before {n}", child)
    times = np.bincount(np.concatenate([left[inner], right[inner]]), minlength=n)
    times[0] = 1
    _require(times == 1, "every node but the root", "the child of one node", times)


def _check_sets(tree: Tree) -> None:
    start, category = tree.category_start, tree.category
    size = np.diff(start)
    if start[0] != 0 or start[-1] != len(category) or (size < 0).any():
        raise ValueError(
            "category_start must start at 0, never fall, and end at the number of codes "
            f"({len(category)}), got {start[0]} to {start[-1]}."
        )
    if not len(category):
        return
    _require((size == 0) | (tree.left >= 0), "the set of categories", "empty at a leaf", size)
    grows = np.diff(category, prepend=-1) > 0
    first = start[:-1][size > 0]
    grows[first] = category[first] >= 0
    grows &= category < MAX_CATEGORIES
    if not grows.all():
        place = int(np.argmin(grows))
        node = int(np.searchsorted(start, place, side="right")) - 1
        raise ValueError(
            f"the codes of a set of categories must increase, from 0 to {MAX_CATEGORIES - 1}, got "
            f"{category[start[node] : start[node + 1]]} at node {node}."
        )


def _check_tests(tree: Tree) -> None:
    inner, feature, threshold = tree.left >= 0, tree.feature, tree.threshold
    ok = np.where(inner, feature >= 0, feature == -1)
    _require(ok, "feature", "a column (0 or more) at inner nodes and -1 at leaves", feature)
    numeric = inner & (np.diff(tree.category_start) == 0)
    _require(~numeric | np.isfinite(threshold), "threshold", "finite at a numeric test", threshold)
    rule = "0 at a leaf and at a set of categories"
    _require(numeric | (threshold == 0.0), "threshold", rule, threshold)


def _check_numbers(tree: Tree) -> None:
    _require(np.isfinite(tree.value), "value", "finite", tree.value)
    _require(np.isfinite(tree.output), "output", "finite", tree.output)
    known = ~np.isnan(tree.weight)
    ok = ~known | ((tree.weight >= 0.0) & (tree.weight < np.inf))
    _require(ok, "weight", "finite and not negative, or NaN if unknown", tree.weight)
    _require(tree.count >= -1, "count", "0 or more, or -1 if unknown", tree.count)
