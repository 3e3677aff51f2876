"""The monotonic part of a tree: on each path, the nodes that are more confident than all above."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from horotree._checks import Floats
from horotree._frozen import Frozen, freeze

from .tree import Flags, Ints, Tree


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MonotonicTree(Frozen):
    """The monotonic tree of a tree: its nodes that are more confident than all before them.

    The host of a node is the last node on its path from the root that is more confident than all
    before it. Nodes that are their own hosts are kept: they are the nodes of the monotonic tree,
    and an example is predicted by the host of its leaf. The arrays below have an entry for each
    kept node, in the order of the tree: a parent precedes its children.

    Parameters
    ----------
    tree : Tree
        The tree.

    See Also
    --------
    monotonic : The monotonic tree of a tree.

    References
    ----------
    Paper, defMDT.
    """

    tree: Tree

    def __post_init__(self) -> None:
        if not isinstance(self.tree, Tree):
            raise TypeError(f"tree must be a horotree tree, got a {type(self.tree).__name__}.")

    def __hash__(self) -> int:
        return hash(self.tree)

    def __repr__(self) -> str:
        return f"MonotonicTree({len(self.node)} of {self.tree.n_nodes} nodes)"

    def __len__(self) -> int:
        return len(self.node)

    @property
    def host(self) -> Ints:
        """The host of each node of the tree."""
        return self.tree.host

    @cached_property
    def is_kept(self) -> Flags:
        """Whether a node of the tree is kept."""
        return freeze(self.host == np.arange(self.tree.n_nodes))

    @cached_property
    def node(self) -> Ints:
        """The kept nodes, by their number in the tree."""
        return freeze(np.flatnonzero(self.is_kept).astype(np.int32))

    @cached_property
    def row(self) -> Ints:
        """For each node of the tree, where its host is in ``node``."""
        return freeze((np.cumsum(self.is_kept, dtype=np.int32) - np.int32(1))[self.host])

    @cached_property
    def parent(self) -> Ints:
        """For each kept node, where its parent among the kept is in ``node``; -1 for the root."""
        parent = self.row[self.tree.parent[self.node]]
        parent[0] = -1
        return freeze(parent)

    @cached_property
    def n_tests(self) -> Ints:
        """For each kept node, the tests on the arc from its parent; 0 for the root."""
        depth = self.tree.depth[self.node]
        n_tests = depth - depth[self.parent]
        n_tests[0] = 0
        return freeze(n_tests)

    @cached_property
    def is_leaf(self) -> Flags:
        """Whether a kept node has no children among the kept."""
        is_leaf = np.ones(len(self), np.bool_)
        is_leaf[self.parent[1:]] = False
        return freeze(is_leaf)

    @cached_property
    def value(self) -> Floats:
        """The value of each kept node."""
        return freeze(self.tree.value[self.node])

    @cached_property
    def confidence(self) -> Floats:
        """The confidence of each kept node; it increases along every path."""
        return freeze(self.tree.confidence[self.node])

    @cached_property
    def rerouted(self) -> Ints:
        """The leaves of the tree that are predicted by another node."""
        return freeze(np.flatnonzero(self.tree.is_leaf & ~self.is_kept).astype(np.int32))

    def tags(self, node: int) -> Ints:
        """Return the leaves that are rerouted to a node of the tree: its tags, by their number."""
        if not 0 <= node < self.tree.n_nodes:
            raise ValueError(f"node must be from 0 to {self.tree.n_nodes - 1}, got {node}.")
        return np.asarray(self.rerouted[self.host[self.rerouted] == node])


def monotonic(tree: Tree) -> MonotonicTree:
    """Return the monotonic tree of a tree.

    A node is kept if it is more confident than the last kept node above it; the root always is.
    "More" means by a share of 1e-12, so that a tie is a tie however it was rounded.

    Parameters
    ----------
    tree : Tree
        The tree.

    Returns
    -------
    MonotonicTree

    References
    ----------
    Paper, alg-initsampling.

    Examples
    --------
    >>> from horotree.trees import Tree, monotonic
    >>> tree = Tree(
    ...     left=[1, -1, 3, -1, -1], right=[2, -1, 4, -1, -1], feature=[0, -1, 1, -1, -1],
    ...     threshold=[0.5, 0.0, 9.0, 0.0, 0.0], missing_left=[True] + 4 * [False],
    ...     category_start=6 * [0], category=[], value=[1.0, 0.5, -0.9, -1.1, 0.2],
    ...     output=[1.0, 0.5, -0.9, -1.1, 0.2], weight=5 * [1.0], count=5 * [1],
    ... )
    >>> monotonic_tree = monotonic(tree)
    >>> monotonic_tree
    MonotonicTree(2 of 5 nodes)
    >>> monotonic_tree.host.tolist(), monotonic_tree.tags(0).tolist()
    ([0, 0, 0, 3, 0], [1, 4])
    >>> monotonic_tree.node.tolist(), monotonic_tree.n_tests.tolist()
    ([0, 3], [0, 2])
    """
    return MonotonicTree(tree)
