"""Where examples go in a tree: the leaf of each, and what came by at every node."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from horotree._checks import Floats, as_floats, check_range

from .packing import Forest
from .tree import Tree


@dataclass(frozen=True, slots=True, eq=False)
class NodeWeights:
    """What came by at every node of a tree.

    Parameters
    ----------
    negative, positive : float64 array
        The weight of each class; at an inner node the sum of its children's.
    count : int64 array
        The number of examples, also of those with weight 0.
    """

    negative: Floats
    positive: Floats
    count: NDArray[np.int64]

    @property
    def weight(self) -> Floats:
        """The weight of both classes."""
        return self.negative + self.positive

    @property
    def posterior(self) -> Floats:
        """The share of the positive class's weight; NaN where no weight came by."""
        weight = self.weight
        return np.divide(self.positive, weight, out=np.full_like(weight, np.nan), where=weight > 0)


def find_leaves(tree: Tree, X: ArrayLike, n_threads: int = 1) -> NDArray[np.int32]:
    """Return the leaf in which each row ends.

    Parameters
    ----------
    tree : Tree
        The tree.
    X : array_like of shape (n_rows, n_columns)
        Numbers and category codes; NaN is missing.
    n_threads : int
        Threads.

    Returns
    -------
    int32 array of shape (n_rows,)

    Examples
    --------
    >>> from horotree.trees import Tree, find_leaves
    >>> tree = Tree(
    ...     left=[1, -1, -1], right=[2, -1, -1], feature=[0, -1, -1], threshold=[0.5, 0.0, 0.0],
    ...     missing_left=[True, False, False], category_start=[0, 0, 0, 0], category=[],
    ...     value=[0.0, -1.0, 2.0], output=[0.0, -1.0, 2.0], weight=[3.0, 2.0, 1.0],
    ...     count=[6, 4, 2],
    ... )
    >>> find_leaves(tree, [[0.5], [0.6], [float("nan")]]).tolist()
    [1, 2, 1]
    """
    forest = Forest.of([tree])
    return forest.leaves(forest.check(X), n_threads)[:, 0]


def node_weights(
    tree: Tree,
    X: ArrayLike,
    positive: ArrayLike,
    weights: ArrayLike | None = None,
    n_threads: int = 1,
) -> NodeWeights:
    """Send examples through a tree; return the weight of each class and the count at every node.

    Parameters
    ----------
    tree : Tree
        The tree.
    X : array_like of shape (n_rows, n_columns)
        Numbers and category codes; NaN is missing.
    positive : array_like of bool
        Which rows are of the positive class.
    weights : array_like, optional
        What each row weighs; 1 if not given.
    n_threads : int
        Threads.

    Returns
    -------
    NodeWeights

    Examples
    --------
    >>> from horotree.trees import Tree, node_weights
    >>> tree = Tree(
    ...     left=[1, -1, -1], right=[2, -1, -1], feature=[0, -1, -1], threshold=[0.5, 0.0, 0.0],
    ...     missing_left=[True, False, False], category_start=[0, 0, 0, 0], category=[],
    ...     value=[0.0, -1.0, 2.0], output=[0.0, -1.0, 2.0], weight=[3.0, 2.0, 1.0],
    ...     count=[6, 4, 2],
    ... )
    >>> node_weights(tree, [[0.0], [0.0], [1.0]], [True, False, True]).posterior.round(3).tolist()
    [0.667, 0.5, 1.0]
    """
    leaf = find_leaves(tree, X, n_threads)
    is_positive = np.asarray(positive)
    w = np.ones(len(leaf)) if weights is None else as_floats(weights, "weights")
    for name, array in (("positive", is_positive), ("weights", w)):
        if array.shape != leaf.shape:
            raise ValueError(f"{name} must have one entry a row, {len(leaf)}, got {array.shape}.")
    if is_positive.dtype.kind != "b":
        raise TypeError(
            f"positive must hold booleans, got dtype {is_positive.dtype}: pass y == the positive "
            "class."
        )
    check_range(
        w, "weights", (w >= 0.0) & np.isfinite(w), "finite and not negative", "drop such rows"
    )

    def totals(by_row: Floats) -> Floats:
        return sum_upwards(tree, np.bincount(leaf, weights=by_row, minlength=tree.n_nodes))

    return NodeWeights(
        negative=totals(np.where(is_positive, 0.0, w)),
        positive=totals(np.where(is_positive, w, 0.0)),
        count=totals(np.ones(len(leaf))).astype(np.int64),
    )


def sum_upwards(tree: Tree, leaf_totals: NDArray[Any]) -> Floats:
    """Return the totals of all nodes from those of the leaves, the deepest level first."""
    total = leaf_totals.astype(np.float64)
    inner = np.flatnonzero(~tree.is_leaf)
    inner = inner[np.argsort(tree.depth[inner], kind="stable")]
    starts = np.flatnonzero(np.diff(tree.depth[inner], prepend=-1))
    for nodes in reversed(np.split(inner, starts[1:])):
        total[nodes] = total[tree.left[nodes]] + total[tree.right[nodes]]
    return total
