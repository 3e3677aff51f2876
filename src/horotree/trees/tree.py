"""A tree is a table of nodes, each with a real-valued prediction."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from horotree import _native
from horotree._checks import Floats
from horotree._frozen import Frozen, freeze
from horotree.losses import inverse_link

from .checks import NODE_FIELDS, set_up

Ints = NDArray[np.int32]
Flags = NDArray[np.bool_]

# Equal confidences, computed from different counts, differ in their last bits: a node is kept if it
# is more confident than its host by this share.
TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tree(Frozen):
    """A binary decision tree as a table of nodes: read-only arrays with one entry a node.

    Node 0 is the root, and a parent precedes its children. At an inner node a missing value (NaN)
    goes left iff ``missing_left``; any other value goes left iff it is at most the threshold or, at
    a node with a set of categories, iff it is one of their codes. The constructor checks all
    arrays and copies them; the trees of a ``Forest`` are views of its arrays.

    Parameters
    ----------
    left, right : int32 array
        The children; -1 at a leaf.
    feature : int32 array
        The column that is tested; -1 at a leaf.
    threshold : float64 array
        Finite; 0 where nothing is compared with it: at leaves and at sets of categories.
    missing_left : bool array
        Whether missing values go left.
    category_start : int32 array
        Where the set of each node starts in ``category``, and the end: one entry more than there
        are nodes. An empty set means a numeric test: at a set, some code must go left.
    category : int32 array
        The codes that go left, set after set, increasing in each.
    value : float64 array
        What is drawn, at every node: the logit of its posterior, or a margin.
    output : float64 array
        What the node adds to the score when an example stops there.
    weight : float64 array
        The training weight that reached the node; NaN if unknown.
    count : int64 array
        The training examples that reached the node; -1 if unknown.
    gain : float64 array, optional
        By how much the test of a node lowers the log-loss of the training examples that reach it,
        under their weights in training: ``Σ w log(1 + exp(-y output))`` at the node less the sums
        at its children. 0 at a leaf; NaN, the default, if unknown.

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
    >>> stump.parent.tolist(), stump.confidence.tolist(), stump.host.tolist()
    ([-1, 0, 0], [0.0, 1.0, 2.0], [0, 1, 2])
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
    gain: Floats = field(default_factory=lambda: np.empty(0))

    def __post_init__(self) -> None:
        set_up(self, NODE_FIELDS | {"category_start": np.int32, "category": np.int32})

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

    @cached_property
    def host(self) -> Ints:
        """The host of each node: the last on its path that is more confident than all before."""
        return freeze(find_hosts(self.parent, self.confidence))


def find_hosts(parent: ArrayLike, confidence: ArrayLike) -> Ints:
    """Return the host of each node: the last on its path more confident than all before it.

    ``parent`` has the parent of each node, which precedes it; -1 for the root.
    """
    host = np.empty(np.shape(parent), np.int32)
    _native.monotonic_hosts(
        np.ascontiguousarray(parent, np.int32),
        np.ascontiguousarray(confidence, np.float64),
        TOLERANCE,
        host,
    )
    return host
