"""Many trees as one table: the form of files, payloads, kernels and importers."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from horotree._checks import Floats
from horotree._frozen import Frozen, freeze

from .checks import NODE_FIELDS, Starts, set_up
from .tree import Flags, Ints, Tree

Rows = NDArray[np.intp]

_FIELDS = NODE_FIELDS | {
    "tree_start": np.int64,
    "category_start": np.int64,
    "category": np.int32,
}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Forest(Frozen):
    """The nodes of many trees, one tree after the other: read-only arrays that trees are views of.

    The constructor checks all trees at once, by the rules of ``Tree``, and copies the arrays.

    Parameters
    ----------
    tree_start : int64 array
        Where each tree starts, and the end: one entry more than there are trees.
    left, right, feature, threshold, missing_left, value, output, weight, count, gain : array
        As in ``Tree``; children are numbered from the root of their tree.
    category_start : int64 array
        Where the set of each node starts in ``category``, and the end.
    category : int32 array
        The codes of all sets.

    Examples
    --------
    >>> from horotree.trees import Forest, Tree
    >>> leaf = Tree([-1], [-1], [-1], [0.0], [False], [0, 0], [], [2.0], [2.0], [1.0], [1])
    >>> forest = Forest.of([leaf, leaf])
    >>> forest, forest.tree_start.tolist(), forest.trees == (leaf, leaf)
    (Forest(2 trees, 2 nodes), [0, 1, 2], True)
    """

    tree_start: Starts
    left: Ints
    right: Ints
    feature: Ints
    threshold: Floats
    missing_left: Flags
    category_start: Starts
    category: Ints
    value: Floats
    output: Floats
    weight: Floats
    count: NDArray[np.int64]
    gain: Floats = field(default_factory=lambda: np.empty(0))

    def __post_init__(self) -> None:
        set_up(self, _FIELDS)

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> "Forest":
        """Return the forest of these trees; they are not checked again."""
        forest = object.__new__(cls)
        joined = {name: join_field(trees, name) for name in (*NODE_FIELDS, "category")}
        starts = {"tree_start": tree_starts(trees), "category_start": category_starts(trees)}
        for name, array in (joined | starts).items():
            object.__setattr__(forest, name, freeze(array))
        return forest

    def __hash__(self) -> int:
        return hash((self.tree_start.tobytes(), self.left.tobytes(), self.feature.tobytes()))

    def __repr__(self) -> str:
        return f"Forest({self.n_trees} trees, {len(self.left)} nodes)"

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.tree_start) - 1

    @property
    def n_nodes(self) -> NDArray[np.int64]:
        """The number of nodes of each tree."""
        return np.diff(self.tree_start)

    @property
    def set_size(self) -> NDArray[np.int64]:
        """The number of codes in the set of each node; 0 where there is no set."""
        return np.diff(self.category_start)

    @property
    def children(self) -> tuple[Rows, Rows]:
        """The left and the right child of each node, numbered through all trees; -1 at a leaf."""
        first = self.by_node(self.tree_start[:-1])
        left, right = (np.where(x >= 0, x + first, -1) for x in (self.left, self.right))
        return left, right

    def by_node(self, by_tree: ArrayLike) -> NDArray[Any]:
        """Return what there is of each tree at each of its nodes."""
        return np.repeat(np.asarray(by_tree), self.n_nodes)

    @cached_property
    def trees(self) -> tuple[Tree, ...]:
        """The trees, as views of these arrays."""
        parts = [slice(a, b) for a, b in pairwise(self.tree_start.tolist())]
        fields = {name: [*map(getattr(self, name).__getitem__, parts)] for name in NODE_FIELDS}
        starts = _sets_of_trees(self.category_start, self.tree_start)
        ends = self.category_start[self.tree_start].tolist()
        sets = [self.category[a:b] for a, b in pairwise(ends)]
        trees = [object.__new__(Tree) for _ in parts]
        # By field, not by tree: hundreds of small trees are a good part of a short fit.
        for name, arrays in (fields | {"category_start": starts, "category": sets}).items():
            put = getattr(Tree, name).__set__  # the slot's: frozen objects have no other setter
            deque(map(put, trees, arrays), maxlen=0)
        return tuple(trees)


def offsets(sizes: ArrayLike) -> Starts:
    """Return where parts of these sizes start, and the end."""
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])


def tree_starts(trees: Sequence[Tree]) -> Starts:
    """Return where each tree starts in the forest of these trees, and the end."""
    return offsets([tree.n_nodes for tree in trees])


def category_starts(trees: Sequence[Tree]) -> Starts:
    """Return where the set of each node starts in the forest of these trees, and the end."""
    first = offsets([len(tree.category) for tree in trees])[:-1]
    ends = join([tree.category_start[1:] for tree in trees], np.int64)
    shifts = np.repeat(first, [tree.n_nodes for tree in trees])
    return np.concatenate([[0], ends + shifts])


def join_field(trees: Sequence[Tree], name: str) -> NDArray[Any]:
    """Return a field of trees, one tree after the other."""
    return join([getattr(tree, name) for tree in trees], _FIELDS[name])


def join(parts: Sequence[NDArray[Any]], dtype: type[np.generic] = np.float64) -> NDArray[Any]:
    """Return the arrays one after the other; of this type if there are none."""
    return np.concatenate(parts) if parts else np.empty(0, dtype)


def levels(left: NDArray[Any], right: NDArray[Any]) -> Iterator[Rows]:
    """Yield the inner nodes of each depth, the deepest first.

    ``left`` and ``right`` are the children of one tree, or of many, numbered through all of them;
    negative at a leaf. A parent precedes its children.
    """
    inner = np.flatnonzero(left >= 0)
    if (left[inner] <= inner).any() or (right[inner] <= inner).any():
        raise ValueError("children must come after their parent: order the nodes first.")
    is_root = np.ones(len(left), np.bool_)
    is_root[left[inner]] = is_root[right[inner]] = False
    found = [inner[is_root[inner]]]
    while len(found[-1]):
        below = np.concatenate([left[found[-1]], right[found[-1]]])
        found.append(below[left[below] >= 0])
    yield from reversed(found[:-1])


def sum_up(figures: NDArray[Any], left: NDArray[Any], right: NDArray[Any]) -> NDArray[Any]:
    """Return the sums of the figures of leaves: each inner node has that of its children.

    ``figures`` has the shape (..., n_nodes); only those of leaves are read. ``left`` and ``right``
    are as in ``levels``.

    Examples
    --------
    >>> import numpy as np
    >>> from horotree.trees import sum_up
    >>> sum_up(np.array([0, 3, 4]), np.array([1, -1, -1]), np.array([2, -1, -1])).tolist()
    [7, 3, 4]
    """
    sums = figures.copy()
    for nodes in levels(left, right):
        sums[..., nodes] = sums[..., left[nodes]] + sums[..., right[nodes]]
    return sums


def _sets_of_trees(category_start: Starts, tree_start: Starts) -> list[Ints]:
    """Return ``category_start`` of each tree."""
    parts = [slice(a, b + 1) for a, b in pairwise(tree_start.tolist())]
    if category_start[-1] == 0:
        nothing = freeze(np.zeros(len(category_start), np.int32))
        return [nothing[part] for part in parts]
    starts = [category_start[part] for part in parts]
    return [freeze((start - start[0]).astype(np.int32)) for start in starts]
