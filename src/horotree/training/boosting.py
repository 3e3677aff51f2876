"""LogisticBoost: trees on the weights of what is still wrong, each with its leverage.

An example's weight is sigmoid(-y F(x)), 1/2 at first. It is kept as the odds exp(-y F(x)), which a
new tree multiplies by one constant a leaf and class.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree import _native
from horotree._checks import Floats
from horotree.trees import Ensemble, Tree, find_hosts, find_leverage
from horotree.trees.monotonic_tree import TOLERANCE

from .binning import Binning, find_bins
from .induction import Examples, Grown, Reduce, Rules, to_trees

# An edge below this is rounding: the tree knows nothing that the ensemble does not.
LEAST_EDGE = 1e-12

# Grown trees wait until they have this many nodes and bits of sets, and are frozen together.
BATCH = 2**16

OnRound = Callable[[int, Tree, float], bool]


@dataclass(frozen=True, slots=True)
class Settings:
    """How to boost; see ``horotree.LogisticBoostClassifier``, which checks them, for each.

    ``shrink_to`` is what posteriors are smoothed towards: that of the "host", the last node above
    that is more confident than all before it, or of the "parent", which suits a tree on its own.
    """

    n_estimators: int = 200
    max_leaf_nodes: int = 101
    max_depth: int | None = None
    min_samples_leaf: int = 1
    learning_rate: float = 0.5
    smoothing: float = 100.0
    shrink_to: str = "host"
    pure_leaves: str = "allow"
    weak_learner: str = "tree"
    max_bins: int | None = 255
    max_features: int | None = None
    subsample: float = 1.0
    n_threads: int = 1
    seed: int = 0

    def rules(self, n_features: int) -> Rules:
        """Return what concerns one tree."""
        return Rules(
            max_leaf_nodes=self.max_leaf_nodes,
            max_depth=np.iinfo(np.int32).max if self.max_depth is None else self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            max_features=n_features if self.max_features is None else self.max_features,
            forbid_pure=self.pure_leaves == "forbid",
            n_threads=self.n_threads,
        )


@dataclass(frozen=True, slots=True)
class Boosted:
    """An ensemble, and the total risk reduction by feature, weighted by leverage."""

    ensemble: Ensemble
    importance: Floats


@dataclass(frozen=True, slots=True)
class _Hypothesis:
    """A grown tree, the values of its nodes, what they predict, and what that is worth."""

    nodes: dict[str, Any]
    value: Floats
    output: Floats
    weight: Floats
    edge: float
    leverage: float


def boost(
    X: Floats,
    positive: NDArray[np.bool_],
    sample_weight: Floats,
    *,
    n_categories: NDArray[np.int32],
    settings: Settings,
    binning: Binning | None = None,
    start: Boosted | None = None,
    on_round: OnRound | None = None,
    reduce: Reduce | None = None,
) -> Boosted:
    """Boost trees on the log-loss.

    Parameters
    ----------
    X : float64 array, C-contiguous
        One row an example; NaN is missing, categories are codes 0, 1, ...
    positive : bool array
        The class of each example.
    sample_weight : float64 array
        What each example counts.
    n_categories : int32 array
        Per feature the number of its categories; 0 for numbers.
    settings : Settings
        How to boost.
    binning : Binning, optional
        Where to cut the columns, if that is known already.
    start : Boosted, optional
        Go on from these trees until there are ``settings.n_estimators``.
    on_round : callable, optional
        Called with a tree's index, the tree and its leverage; boosting ends when it returns True.
    reduce : callable, optional
        Sums histograms over machines, in place.

    Returns
    -------
    Boosted
        Fewer trees than asked for if an edge of 0 ended boosting, or some draws had none.

    References
    ----------
    Paper, alg-logisticboost and defCANOLOGT.
    """
    if binning is None:
        binning = find_bins(X, n_categories, settings.max_bins, n_threads=settings.n_threads)
    examples = Examples(X, positive, binning, n_threads=settings.n_threads)
    amount = sample_weight[examples.order]
    state = _State.begin(X, examples, start, settings.n_threads)
    rules = settings.rules(X.shape[1])
    draws = settings.subsample < 1.0 or rules.max_features < X.shape[1]
    for j in range(len(state.trees), settings.n_estimators):
        seed = _seed(settings.seed, j) if draws else 0
        unit = state.weigh(_bag(amount, settings.subsample, seed))
        if unit > 0.0:
            grown = examples.grow(state.weights, unit, rules, seed=seed, reduce=reduce)
            hypothesis = _evaluate(grown, settings, len(examples))
        if unit == 0.0 or hypothesis.edge < LEAST_EDGE:
            if settings.subsample < 1.0:
                continue  # an unlucky draw; the next may do better
            break
        state.add(hypothesis, grown.leaf)
        if on_round is not None:
            state.freeze()
            if on_round(j, state.trees[-1], hypothesis.leverage):
                break
    return state.result()


def _seed(seed: int, j: int) -> int:
    """Return the seed of a round."""
    return int(np.random.SeedSequence([seed, j]).generate_state(1, np.uint64)[0])


def _bag(amount: Floats, subsample: float, seed: int) -> Floats:
    """Return the amounts, with 0 for examples that are left out of this round."""
    if subsample >= 1.0:
        return amount
    inside = np.random.default_rng(seed).random(len(amount)) < subsample
    return np.where(inside, amount, 0.0)


def _evaluate(grown: Grown, settings: Settings, n_examples: int) -> _Hypothesis:
    """Return all nodes' values, and the edge and leverage of the leaves' (smoothed) posteriors."""
    nodes, negative, positive = grown.nodes, grown.negative, grown.positive
    weight = negative + positive
    if settings.smoothing == 0.0 and min(negative[0], positive[0]) == 0.0:
        # One class weighs less than the fixed point can tell from nothing: nothing left to learn.
        nothing = np.zeros_like(negative)
        return _Hypothesis(nodes, nothing, nothing, weight, 0.0, 0.0)
    posterior, value = np.empty(len(weight)), np.empty(len(weight))
    _native.smoothed_values(
        nodes["parent"],
        negative,
        positive,
        settings.smoothing,
        settings.shrink_to == "host",
        TOLERANCE,
        posterior,
        value,
    )
    output = value
    if settings.weak_learner == "monotonic":
        output = value[find_hosts(nodes["parent"], np.abs(value))]
    # The literal setting keeps the posterior (1 + r)/2 within [1/2m, 1 - 1/2m].
    least_rest = 1.0 / n_examples if settings.smoothing == 0.0 else 0.0
    leaves = (nodes["left"] < 0).nonzero()[0]
    edge, leverage = find_leverage(
        value.take(leaves), output.take(leaves), weight.take(leaves), least_rest
    )
    return _Hypothesis(nodes, value, output, weight, edge, settings.learning_rate * leverage)


class _State:
    """What grows with the rounds: the trees so far, and the odds of each example."""

    def __init__(self, examples: Examples, importance: Floats, n_threads: int) -> None:
        self._n_threads = n_threads
        self.trees: list[Tree] = []
        self.leverage: list[float] = []
        self.edge: list[float] = []
        self.importance = importance
        self.odds = np.ones(len(examples))
        self.weights = np.empty(len(examples), np.int32)
        self._n_negative = examples.n_negative
        self._binning = examples.binning
        self._waiting: list[_Hypothesis] = []
        self._n_waiting = 0

    @classmethod
    def begin(
        cls, X: Floats, examples: Examples, start: Boosted | None, n_threads: int
    ) -> "_State":
        if start is None:
            return cls(examples, np.zeros(X.shape[1]), n_threads)
        state = cls(examples, start.importance.copy(), n_threads)
        state.trees = list(start.ensemble.trees)
        state.leverage = start.ensemble.leverage.tolist()
        state.edge = start.ensemble.edge.tolist()
        score = start.ensemble.score(X, n_threads=n_threads)[examples.order]
        score[examples.n_negative :] *= -1.0
        state.odds = np.exp(score)  # exp(-y F)
        return state

    def weigh(self, amount: Floats) -> float:
        """Set the integer weights of this round; return what 1 stands for."""
        return _native.fixed_point_weights(self.odds, amount, self._n_threads, self.weights)

    def add(self, hypothesis: _Hypothesis, leaf: NDArray[np.int32]) -> None:
        self._waiting.append(hypothesis)
        self._n_waiting += len(hypothesis.value) + len(hypothesis.nodes["left_bins"])
        if self._n_waiting > BATCH or not np.isfinite(hypothesis.value).all():
            self.freeze()  # raises if a value is not finite, before the odds are spoiled
        step = hypothesis.leverage * hypothesis.output
        factors = np.exp(step), np.exp(-step)
        _native.update_odds(leaf, self._n_negative, *factors, self._n_threads, self.odds)
        self.leverage.append(hypothesis.leverage)
        self.edge.append(hypothesis.edge)

    def freeze(self) -> None:
        """Make trees of all that was added."""
        new = self._waiting
        if not new:
            return
        self.trees += to_trees(
            [h.nodes for h in new],
            [h.value for h in new],
            [h.output for h in new],
            [h.weight for h in new],
            self._binning,
        )
        feature = np.concatenate([h.nodes["feature"] for h in new])
        gain = np.concatenate([h.leverage * h.nodes["gain"] for h in new])
        inner = feature >= 0
        np.add.at(self.importance, feature[inner], gain[inner])
        self._waiting, self._n_waiting = [], 0

    def result(self) -> Boosted:
        self.freeze()
        ensemble = Ensemble(
            trees=tuple(self.trees),
            leverage=np.array(self.leverage, np.float64),
            edge=np.array(self.edge, np.float64),
            base_value=0.0,
        )
        return Boosted(ensemble, self.importance)
