"""The monotonic part of a tree: on each path, the nodes that are more confident than all above."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from horotree import _native
from horotree._checks import Floats
from horotree._frozen import Frozen, as_array, freeze

from .tree import Flags, Ints, Tree

# Equal confidences, computed from different counts, differ in their last bits: a node is kept if it
# is more confident than its host by this share.
TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MonotonicTree(Frozen):
    """A tree, and for each of its nodes the one that speaks for it.

    The host of a node is the last node on its path from the root that is more confident than all
    before it. Nodes that host themselves are kept: they are the nodes of the monotonic tree, and an
    example is predicted by the host of its leaf. What follows is listed by kept node, in the order
    of the tree, so that a parent precedes its children.

    Parameters
    ----------
    tree : Tree
        The tree.
    host : int32 array
        For each node of the tree a kept node on its path.

    See Also
    --------
    monotonic : The monotonic tree of a tree.

    References
    ----------
    Paper, defMDT.
    """

    tree: Tree
    host: Ints

    def __post_init__(self) -> None:
        if not isinstance(self.tree, Tree):
            raise TypeError(f"tree must be a horotree tree, got a {type(self.tree).__name__}.")
        host = as_array(self.host, "host", np.int32)
        expected = find_hosts(self.tree.parent, self.tree.confidence)
        if not np.array_equal(host, expected):
            raise ValueError(
                f"host must be the hosts of the tree's {self.tree.n_nodes} nodes, got others: call "
                "monotonic(tree)."
            )
        object.__setattr__(self, "host", freeze(host))

    def __hash__(self) -> int:
        return hash(self.tree)

    def __repr__(self) -> str:
        return f"MonotonicTree({len(self.node)} of {self.tree.n_nodes} nodes)"

    def __len__(self) -> int:
        return len(self.node)

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
        """The leaves of the tree that another node speaks for."""
        return freeze(np.flatnonzero(self.tree.is_leaf & ~self.is_kept).astype(np.int32))

    def tags(self, node: int) -> Ints:
        """Return the leaves that are rerouted to a kept node: its tags, by number in the tree.

        Parameters
        ----------
        node : int
            A node of the tree.

        Returns
        -------
        int32 array
            Empty if there are none.
        """
        if not 0 <= node < self.tree.n_nodes:
            raise ValueError(f"node must be from 0 to {self.tree.n_nodes - 1}, got {node}.")
        return np.asarray(self.rerouted[self.host[self.rerouted] == node])


def monotonic(tree: Tree) -> MonotonicTree:
    """Return the monotonic tree of a tree.

    A node is kept if it is more confident than the last kept node above it; the root always is.
    "More" means by a share of 1e-12, so that a tie is one however it was rounded.

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
    return MonotonicTree(tree, find_hosts(tree.parent, tree.confidence))


def find_hosts(parent: ArrayLike, confidence: ArrayLike) -> Ints:
    """Return the host of each node: the last on its path more confident than all before it.

    Parameters
    ----------
    parent : int32 array
        The parent of each node, which precedes it; -1 for the root.
    confidence : float64 array
        The confidence of each node.

    Returns
    -------
    int32 array
    """
    host = np.empty(np.shape(parent), np.int32)
    _native.monotonic_hosts(
        np.ascontiguousarray(parent, np.int32),
        np.ascontiguousarray(confidence, np.float64),
        TOLERANCE,
        host,
    )
    return host
