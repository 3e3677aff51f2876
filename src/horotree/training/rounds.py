"""What grows with the rounds of boosting: trees, and the odds of every example."""

import math
from dataclasses import dataclass

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
    """What a grown tree predicts, and what that is worth.

    ``by_node`` has five rows: the nodes' values, what they predict, their weights, and what they
    multiply the odds of their negative and of their positive examples by.
    """

    by_node: Floats
    edge: float
    leverage: float


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
        self._waiting: list[tuple[Grown, Hypothesis]] = []
        self._n_waiting = 0
        if start is not None:
            self.trees = list(start.ensemble.trees)
            self.leverage = start.ensemble.leverage.tolist()
            self.edge = start.ensemble.edge.tolist()
            self.importance = start.importance.copy()

    def weigh(self, amount: Floats, machines: Machines) -> float:
        """Set the integer weights of this round; return what 1 stands for, on all machines."""

        def weigh(least_unit: float) -> float:
            n_threads = self._n_threads
            return _native.fixed_point_weights(
                self.odds, amount, least_unit, n_threads, self.weights
            )

        unit = weigh(0.0)
        common = machines.common_unit(unit)
        if unit < common:
            weigh(common)
        return common

    def add(self, grown: Grown, hypothesis: Hypothesis) -> None:
        """Take in a tree, and change the odds by what it predicts."""
        self._waiting.append((grown, hypothesis))
        value, _, _, negative, positive = hypothesis.by_node
        self._n_waiting += len(value) + len(grown.left_bins)
        if self._n_waiting > self._batch or not math.isfinite(hypothesis.leverage):
            self.freeze()  # raises if a value is not finite, before the odds are spoiled
        _native.update_odds(
            grown.leaf, self._n_negative, negative, positive, self._n_threads, self.odds
        )
        self.leverage.append(hypothesis.leverage)
        self.edge.append(hypothesis.edge)

    def freeze(self) -> None:
        """Make trees of all that was added."""
        new = self._waiting
        if not new:
            return
        grown, by_node = [tree for tree, _ in new], [told.by_node for _, told in new]
        value, output, weight = zip(*(rows[:3] for rows in by_node), strict=True)
        self.trees += to_trees(grown, value, output, weight, self._binning)
        feature = np.concatenate([tree.nodes["feature"] for tree in grown])
        gain = np.concatenate([told.leverage * tree.nodes["gain"] for tree, told in new])
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
