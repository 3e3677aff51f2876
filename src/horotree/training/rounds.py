"""The state of boosting: the trees so far, and the odds of every example."""

import numpy as np

from horotree._checks import Floats
from horotree.trees import Ensemble, Tree

from .induction import Examples, Grown, to_trees


class State:
    """The trees so far, and the odds of each example.

    Grown trees are collected until they have ``batch`` nodes and bins of categories, then converted
    together.
    """

    def __init__(
        self,
        examples: Examples,
        start: Ensemble | None,
        odds: Floats | None,
        *,
        batch: int,
    ) -> None:
        self._batch = batch
        self.trees: list[Tree] = []
        self.leverage: list[float] = []
        self.edge: list[float] = []
        self.odds = np.ones(len(examples)) if odds is None else odds
        self._binning = examples.binning
        self._waiting: list[Grown] = []
        self._n_waiting = 0
        if start is not None:
            self.trees = list(start.trees)
            self.leverage = start.leverage.tolist()
            self.edge = start.edge.tolist()

    def add(self, grown: Grown) -> None:
        """Add the trees of some rounds."""
        if not grown.n_nodes:
            return
        self._waiting.append(grown)
        self._n_waiting += len(grown.nodes) + len(grown.left_bins)
        self.leverage += grown.leverage
        self.edge += grown.edge
        if self._n_waiting > self._batch:
            self.freeze()

    def freeze(self) -> None:
        """Convert all trees that were added; raises if a value is not finite."""
        new, self._waiting, self._n_waiting = self._waiting, [], 0
        if not new:
            return
        self.trees += to_trees(new, self._binning)

    def result(self, last: int = 0) -> Ensemble:
        """Return the trees, or the last so many of them."""
        self.freeze()
        return Ensemble(
            trees=tuple(self.trees[-last:]),
            leverage=np.array(self.leverage[-last:], np.float64),
            edge=np.array(self.edge[-last:], np.float64),
            base_value=0.0,
        )
