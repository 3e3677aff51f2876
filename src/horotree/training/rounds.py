"""What grows with the rounds of boosting: trees, and the odds of every example."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from horotree import _native
from horotree._checks import Floats
from horotree.trees import Ensemble, Tree

from .induction import Examples, Grown, to_trees
from .machines import Machines


@dataclass(frozen=True, slots=True)
class Boosted:
    """An ensemble, and the total risk reduction by feature, weighted by leverage."""

    ensemble: Ensemble
    importance: Floats


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """The values of a grown tree's nodes, what they predict, and what that is worth.

    Odds are multiplied by a factor a node, one for each class.
    """

    value: Floats
    output: Floats
    factors: tuple[Floats, Floats]
    edge: float
    leverage: float


class _Waiting(NamedTuple):
    """A grown tree that is not frozen yet."""

    nodes: dict[str, Any]
    weight: Floats
    hypothesis: Hypothesis


class State:
    """What grows with the rounds: the trees so far, and the odds of each example.

    Grown trees wait until they have ``batch`` nodes and bits of sets, and are frozen together.
    """

    def __init__(
        self,
        examples: Examples,
        start: Boosted | None,
        odds: Floats | None,
        *,
        batch: int,
        n_threads: int,
    ) -> None:
        self._n_threads = n_threads
        self._batch = batch
        self.trees: list[Tree] = []
        self.leverage: list[float] = []
        self.edge: list[float] = []
        self.importance = np.zeros(len(examples.binning.n_bins))
        self.odds = np.ones(len(examples)) if odds is None else odds
        self.weights = np.empty(len(examples), np.int32)
        self._n_negative = examples.n_negative
        self._binning = examples.binning
        self._waiting: list[_Waiting] = []
        self._n_waiting = 0
        if start is not None:
            self.trees = list(start.ensemble.trees)
            self.leverage = start.ensemble.leverage.tolist()
            self.edge = start.ensemble.edge.tolist()
            self.importance = start.importance.copy()

    def weigh(self, amount: Floats, machines: Machines) -> float:
        """Set the integer weights of this round; return what 1 stands for, on all machines."""
        unit = _native.fixed_point_weights(self.odds, amount, self._n_threads, self.weights)
        common = machines.common_unit(unit)
        if unit < common:
            # Once more, next to an example that is as heavy as the heaviest of all machines.
            odds, amount = np.append(self.odds, np.inf), np.append(amount, 0.75 * 2**30 * common)
            weights = np.empty(len(odds), np.int32)
            _native.fixed_point_weights(odds, amount, self._n_threads, weights)
            self.weights = weights[:-1]
        return common

    def add(self, grown: Grown, hypothesis: Hypothesis) -> None:
        """Take in a tree, and change the odds by what it predicts."""
        weight = grown.negative + grown.positive
        self._waiting.append(_Waiting(grown.nodes, weight, hypothesis))
        self._n_waiting += len(hypothesis.value) + len(grown.nodes["left_bins"])
        if self._n_waiting > self._batch or not np.isfinite(hypothesis.value).all():
            self.freeze()  # raises if a value is not finite, before the odds are spoiled
        n_negative, factors = self._n_negative, hypothesis.factors
        _native.update_odds(grown.leaf, n_negative, *factors, self._n_threads, self.odds)
        self.leverage.append(hypothesis.leverage)
        self.edge.append(hypothesis.edge)

    def freeze(self) -> None:
        """Make trees of all that was added."""
        new = self._waiting
        if not new:
            return
        self.trees += to_trees(
            [tree.nodes for tree in new],
            [tree.hypothesis.value for tree in new],
            [tree.hypothesis.output for tree in new],
            [tree.weight for tree in new],
            self._binning,
        )
        feature = np.concatenate([tree.nodes["feature"] for tree in new])
        gain = np.concatenate([tree.hypothesis.leverage * tree.nodes["gain"] for tree in new])
        inner = feature >= 0
        np.add.at(self.importance, feature[inner], gain[inner])
        self._waiting, self._n_waiting = [], 0

    def result(self, last: int = 0) -> Boosted:
        """Return the trees, or the last so many of them, and the importance in all."""
        self.freeze()
        ensemble = Ensemble(
            trees=tuple(self.trees[-last:]),
            leverage=np.array(self.leverage[-last:], np.float64),
            edge=np.array(self.edge[-last:], np.float64),
            base_value=0.0,
        )
        return Boosted(ensemble, self.importance.copy())
