"""Early stopping: the validation loss after every tree."""

from collections.abc import Sequence

import numpy as np

from horotree.losses import logistic_loss
from horotree.trees import Ensemble

from .boosting import Report
from .machines import Machines
from .task import Labeled, Plan


class Monitor:
    """The validation loss of one ensemble as it grows.

    The validation examples are those of this machine (there may be none); the loss is that of
    ``target`` against the rest, on all machines. ``report`` is called after every tree.
    """

    def __init__(
        self,
        validation: Labeled,
        target: int,
        plan: Plan,
        machines: Machines,
        report: Report | None = None,
    ) -> None:
        self._X, self._weight = validation.X, validation.weight
        self._total = float(self._weight.sum())
        self._positive = validation.y == target
        self._patience, self._n_threads = plan.patience, plan.settings.n_threads
        self._machines, self._report = machines, report
        self._score = np.zeros(len(validation))
        self.losses = [self._loss()]

    def _loss(self) -> float:
        """Return the log-loss of the trees so far, on all machines."""
        loss = logistic_loss(self._positive, self._score, self._weight) if self._total else 0.0
        return self._machines.mean(loss, self._total)

    @property
    def n_best(self) -> int:
        """The number of trees, from 1 on, with the least loss; 0 if there are none."""
        return int(np.argmin(self.losses[1:])) + 1 if len(self.losses) > 1 else 0

    @property
    def is_done(self) -> bool:
        """Whether to stop: the loss has not fallen for ``patience`` trees."""
        return self._patience is not None and len(self.losses) - 1 - self.n_best >= self._patience

    def resume(self, start: Ensemble, losses: Sequence[float]) -> None:
        """Add the trees that are there at the start; their losses are computed if not known."""
        if losses:
            self._score = start.score(self._X, self._n_threads)
            self.losses = list(losses)
            return
        for score in start.staged_score(self._X, self._n_threads):
            self._score = score
            self.losses.append(self._loss())

    def add(self, new: Ensemble) -> None:
        """Add a new tree, given as an ensemble."""
        self._score = self._score + new.score(self._X, self._n_threads)
        self.losses.append(self._loss())
        if self._report is not None:
            self._report(1, lambda: self.losses[-1])
