"""Trees that score together: each adds the output of its leaf, times its leverage."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from horotree import _native
from horotree._checks import Floats, check_number
from horotree._frozen import Frozen, as_array, freeze

from .forest import join_field, tree_starts
from .routing import Router
from .tree import Tree

EVALUATIONS = ("leaf", "inner")
STAGES = 64  # trees that are walked at once for their stages: their leaves are held in memory


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ensemble(Frozen):
    """One scorer: ``base_value + Σ_j leverage_j · output_j(leaf of x in tree j)``.

    The sum is taken in the order of the trees, so a score is the same to the bit wherever and with
    however many threads it is computed.

    Parameters
    ----------
    trees : tuple of Tree
        The trees; there may be none.
    leverage : float64 array
        The factor of each tree.
    edge : float64 array
        The edge that each tree had in training; NaN if unknown.
    base_value : float
        The score before the first tree.

    References
    ----------
    Paper, defBOOSTHMAIN.

    Examples
    --------
    >>> from horotree.trees import Ensemble, Tree
    >>> leaf = Tree([-1], [-1], [-1], [0.0], [False], [0, 0], [], [2.0], [2.0], [1.0], [1])
    >>> ensemble = Ensemble((leaf, leaf), leverage=[0.5, 0.25], edge=[0.4, 0.1], base_value=1.0)
    >>> ensemble.score([[0.0]]).tolist(), ensemble.leverage_confidence.tolist()
    ([2.5], [1.0, 0.5])
    """

    trees: tuple[Tree, ...]
    leverage: Floats
    edge: Floats
    base_value: float

    def __post_init__(self) -> None:
        trees = tuple(self.trees)
        for tree in trees:
            if not isinstance(tree, Tree):
                raise TypeError(f"trees must be horotree trees, got a {type(tree).__name__}.")
        leverage = as_array(self.leverage, "leverage", np.float64) + 0.0
        edge = as_array(self.edge, "edge", np.float64) + 0.0
        for name, array in (("leverage", leverage), ("edge", edge)):
            if len(array) != len(trees):
                raise ValueError(f"{name} must have one entry a tree, got {len(array)}.")
        edge[np.isnan(edge)] = np.nan  # of the many NaNs one, so that equal bytes mean equal
        largest = _largest_outputs(trees)
        with np.errstate(over="ignore"):
            finite = np.isfinite(leverage * largest)
        if not finite.all() or np.isinf(edge).any():
            raise ValueError(
                "leverage, leverage times output, and edge (or NaN) must be finite, got leverage "
                f"{leverage} and edge {edge}."
            )
        object.__setattr__(self, "trees", trees)
        object.__setattr__(self, "leverage", freeze(leverage))
        object.__setattr__(self, "edge", freeze(edge))
        object.__setattr__(self, "base_value", check_number(self.base_value, "base_value") + 0.0)

    def __hash__(self) -> int:
        return hash((self.trees, self.leverage.tobytes(), self.base_value))

    def __repr__(self) -> str:
        n_nodes = sum(tree.n_nodes for tree in self.trees)
        return f"Ensemble({len(self.trees)} trees, {n_nodes} nodes)"

    @cached_property
    def max_confidence(self) -> Floats:
        """The largest confidence of a leaf, by tree: the outer circle of its picture."""
        return freeze(np.array([tree.confidence[tree.is_leaf].max() for tree in self.trees]))

    @cached_property
    def leverage_confidence(self) -> Floats:
        """Leverage times largest confidence, by tree: the inner circle of its picture."""
        return freeze(self.leverage * self.max_confidence)

    @cached_property
    def router(self) -> Router:
        """The trees as the kernels walk them."""
        return Router.of(self.trees)

    @cached_property
    def _output(self) -> Floats:
        parts = [a * tree.output for a, tree in zip(self.leverage, self.trees, strict=True)]
        return np.concatenate([np.empty(0), *parts])

    def as_drawn(self, *, refit_leverage: bool = False, evaluate: str = "leaf") -> "Ensemble":
        """Return the ensemble of the monotonic trees; arguments as ``Model.as_drawn``."""
        if evaluate not in EVALUATIONS:
            raise ValueError(f"evaluate must be 'leaf' or 'inner', got {evaluate!r}.")
        trees, leverage = [], self.leverage.copy()
        for j, tree in enumerate(self.trees):
            host = tree.host
            if evaluate == "inner":  # the leaf that ends a path is not looked at
                host = np.where(tree.is_leaf, host[np.maximum(tree.parent, 0)], host)
            output, unknown = tree.output[host], np.full(tree.n_nodes, np.nan)
            is_same = np.array_equal(output, tree.output)  # else its tests have other gains
            trees.append(tree if is_same else replace(tree, output=output, gain=unknown))
            if refit_leverage:
                leverage[j] *= _leverage_ratio(tree, trees[j])
        return Ensemble(tuple(trees), leverage, self.edge, self.base_value)

    def score(self, X: ArrayLike, n_threads: int = 1) -> Floats:
        """Score the rows of a matrix.

        Parameters
        ----------
        X : array_like of shape (n_rows, n_columns)
            Numbers and category codes; NaN is missing. A C-contiguous float64 array is not copied.
        n_threads : int
            Threads; the scores do not depend on their number.

        Returns
        -------
        float64 array of shape (n_rows,)
        """
        return self.router.score(self._output, self.base_value, self.router.check(X), n_threads)

    def staged_score(self, X: ArrayLike, n_threads: int = 1) -> Iterator[Floats]:
        """Yield the scores after the first tree, the first two, and so on; arguments as ``score``.

        Yields
        ------
        float64 array of shape (n_rows,)
            To the bit the scores of the ensemble that ends there.
        """
        matrix = self.router.check(X)
        score = np.full(len(matrix), self.base_value)
        start = self.router.tree_start
        for first in range(0, len(self.trees), STAGES):
            last = min(first + STAGES, len(self.trees))
            leaf = self.router.leaves(matrix, n_threads, first, last)
            for j in range(first, last):
                score = score + self._output[start[j] : start[j + 1]][leaf[:, j - first]]
                yield score

    def apply(self, X: ArrayLike, n_threads: int = 1) -> NDArray[np.int32]:
        """Return the leaf of each row in each tree; arguments as ``score``.

        Returns
        -------
        int32 array of shape (n_rows, n_trees)
        """
        return self.router.leaves(self.router.check(X), n_threads)


def find_leverage(
    value: Floats, output: Floats, weights: Floats, least_rest: float = 0.0
) -> tuple[float, float]:
    """Return the edge r of a tree and its leverage ``log((1+r) / (1-r)) / R`` (defCANOLOGT).

    With p a leaf's posterior, h what it predicts and R the largest absolute h, r is the weighted
    mean of (2p - 1) h / R: how much better than guessing the tree is under its own posteriors. A
    large r is taken from its complement, summed without forming 1 - (2p - 1), a small one as it is:
    so the logarithm keeps its digits at both ends. Both are 0 if no leaf predicts anything.

    The arrays have an entry a leaf: ``value`` is the logit of its posterior, ``output`` what it
    predicts (its value, or that of its host), and ``weights`` its training weight. 1 - r is at
    least ``least_rest``, which keeps the leverage finite where all leaves are sure.

    Examples
    --------
    >>> import numpy as np
    >>> from horotree.trees import find_leverage
    >>> value, weights = np.array([-1.0, 2.0]), np.array([3.0, 1.0])
    >>> [round(x, 4) for x in find_leverage(value, value, weights)]
    [0.3637, 0.3811]
    """
    if np.shape(weights) != np.shape(value):
        raise TypeError(
            f"weights must have one entry a leaf, got shape {np.shape(weights)} for values of "
            f"shape {np.shape(value)}."
        )
    if not np.add.reduce(weights, axis=None):
        raise ZeroDivisionError("weights must not be zero everywhere.")
    value, output, weights = (np.ravel(x).astype(np.float64) for x in (value, output, weights))
    return _native.find_leverage(value, output, weights, least_rest)


def _largest_outputs(trees: Sequence[Tree]) -> Floats:
    """Return the largest absolute output of each tree."""
    outputs = np.abs(join_field(trees, "output"))
    return np.maximum.reduceat(outputs, tree_starts(trees)[:-1]) if trees else outputs


def _leverage_ratio(tree: Tree, monotonic: Tree) -> float:
    """Return the leverage of the monotonic tree in units of that of the tree."""
    if np.isnan(tree.weight).any():
        raise ValueError(
            "refit_leverage=True needs the training weight of every leaf, which this model does "
            "not have: leave it out."
        )
    leaf = tree.is_leaf
    weights, value = tree.weight[leaf], tree.value[leaf]
    if not weights.any():
        return 1.0  # no example, no edge to compare
    _, before = find_leverage(value, tree.output[leaf], weights)
    _, after = find_leverage(value, monotonic.output[leaf], weights)
    return after / before if before else 1.0
