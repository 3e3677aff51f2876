"""Which leaf of each tree an example ends in, and the weights and counts that reach each node."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from horotree import _native
from horotree._checks import Floats, as_floats, as_matrix, check_range
from horotree._native import PackedTrees, pack_trees

from .forest import category_starts, join_field, sum_up, tree_starts
from .tree import Tree


@dataclass(frozen=True, slots=True, eq=False)
class Router:
    """Trees as the kernels walk them, and where the nodes of each tree start."""

    tree_start: NDArray[np.int64]
    packed: PackedTrees

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> "Router":
        """Pack trees: their sets of categories become bits, or lists where bits would be many."""
        names = ("left", "right", "feature", "threshold")
        tree_start = tree_starts(trees)
        packed = pack_trees(
            **{name: join_field(trees, name) for name in names},
            missing_left=join_field(trees, "missing_left").view(np.uint8),
            set_start=category_starts(trees),
            codes=join_field(trees, "category"),
            tree_start=tree_start,
        )
        return cls(tree_start, packed)

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.tree_start) - 1

    def check(self, X: ArrayLike) -> Floats:
        """Return X as the C-contiguous float64 matrix that the kernels read, else raise."""
        given = np.asarray(X)
        if given.ndim != 2 or given.dtype.kind not in "biuf":
            raise ValueError(
                f"X must be a matrix of numbers, got shape {given.shape} and dtype {given.dtype}: "
                "a table with other columns goes to a Model."
            )
        if given.shape[1] < self.packed.n_features:
            raise ValueError(
                f"X must have {self.packed.n_features} columns or more, got {given.shape[1]}: pass "
                "the features that the trees were grown on."
            )
        return as_matrix(given)

    def score(self, output: Floats, base: float, X: Floats, n_threads: int) -> Floats:
        """Return base + the sum over trees, in their order, of output[leaf]; X as checked."""
        score = np.empty(len(X))
        threads = _check_threads(n_threads)
        _native.score_rows(self.packed, output, base, 0, self.n_trees, X, threads, score)
        return score

    def leaves(
        self, X: Floats, n_threads: int, first: int = 0, last: int | None = None
    ) -> NDArray[np.int32]:
        """Return the leaf of each row (axis 0) in each of these trees (axis 1); X as checked."""
        end = self.n_trees if last is None else last
        leaf = np.empty((len(X), end - first), np.int32)
        _native.find_leaves(self.packed, first, end, X, _check_threads(n_threads), leaf)
        return leaf


def _check_threads(n_threads: int) -> int:
    """Return the number of threads if there is at least one, else raise."""
    if n_threads < 1:
        raise ValueError(f"n_threads must be at least 1, got {n_threads!r}.")
    return int(n_threads)


@dataclass(frozen=True, slots=True, eq=False)
class NodeWeights:
    """The weight of each class, and the number of examples, that reach each node of a tree.

    Weights at an inner node are the sums of its children's; ``count`` includes examples of weight
    0.
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
        """The share of the positive class's weight; NaN where there is no weight."""
        weight = self.weight
        return np.divide(self.positive, weight, out=np.full_like(weight, np.nan), where=weight > 0)


def find_leaves(tree: Tree, X: ArrayLike, n_threads: int = 1) -> NDArray[np.int32]:
    """Return the leaf in which each row of a matrix ends; NaN is missing."""
    router = Router.of([tree])
    return router.leaves(router.check(X), n_threads)[:, 0]


def node_weights(
    tree: Tree,
    X: ArrayLike,
    positive: ArrayLike,
    weights: ArrayLike | None = None,
    n_threads: int = 1,
) -> NodeWeights:
    """Return the weight of each class, and the count of examples, at every node of a tree.

    ``positive`` says which rows of X are of the positive class, ``weights`` what each weighs: 1 if
    not given.
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

    by_row = (np.where(is_positive, 0.0, w), np.where(is_positive, w, 0.0), np.ones(len(leaf)))
    at_leaf = np.stack([np.bincount(leaf, part, tree.n_nodes) for part in by_row]).astype(float)
    negative, positive_weight, count = sum_up(at_leaf, tree.left, tree.right)
    return NodeWeights(negative, positive_weight, count.astype(np.int64))
