"""An ensemble for each class against the rest, or one for two classes."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.trees import Ensemble

from .binning import find_bins
from .boosting import MOST_SCORE, Report, boost
from .early_stopping import Monitor
from .induction import Examples
from .machines import Machines
from .task import Labeled, Plan

# Called after every tree: its round, the tree as an ensemble, its nodes' factors of the odds of
# negative and of positive examples, and the validation losses so far.
OnTree = Callable[[int, Ensemble, Floats, list[float]], None]


class Start(NamedTuple):
    """Trees to continue from."""

    ensemble: Ensemble
    odds: Floats  # exp(-y F) of each example, in the order of rows
    next_round: int | None = None  # default: the number of trees
    losses: Sequence[float] = ()  # the validation losses, if known


class Trained(NamedTuple):
    """An ensemble, and the validation losses after 0, 1, ... trees (none without validation)."""

    ensemble: Ensemble
    losses: list[float]


class Trainer:
    """Fits ensembles on the same rows, which are packed once for all classes.

    ``pack`` returns the Examples, given which rows are positive; it is called once.
    """

    def __init__(
        self,
        y: NDArray[np.integer],
        weight: Floats,
        pack: Callable[[NDArray[np.bool_]], Examples],
    ) -> None:
        self._y, self._weight, self._pack = y, weight, pack
        self._examples: Examples | None = None

    def fit(
        self,
        target: int,
        plan: Plan,
        *,
        machines: Machines | None = None,
        validation: Labeled | None = None,
        start: Start | None = None,
        report: Report | None = None,
        on_tree: OnTree | None = None,
    ) -> Trained:
        """Boost the ensemble of one class against the rest.

        It is stopped by the log-loss of its own two-class problem: the problems are independent,
        and a rare class may need fewer trees than a common one.
        """
        machines = machines or Machines()
        monitor = None
        if validation is not None:
            monitor = Monitor(validation, target, plan, machines, report)
            if start is not None:
                monitor.resume(start.ensemble, start.losses)

        def on_round(round_: int, new: Ensemble, factors: Floats) -> bool:
            if monitor is not None:
                monitor.add(new)
            if on_tree is not None:
                on_tree(round_, new, factors, [] if monitor is None else monitor.losses)
            return monitor is not None and monitor.is_done

        examples = self._group(self._y == target)
        if start is not None and start.losses and monitor is not None and monitor.is_done:
            ensemble = start.ensemble  # a worker was lost after the last tree
        else:
            ensemble = boost(
                examples,
                np.take(self._weight, examples.order),  # faster than an index
                settings=plan.settings,
                machines=machines,
                start=None if start is None else start.ensemble,
                odds=None if start is None else start.odds[examples.order],
                first_round=None if start is None else start.next_round,
                on_round=None if monitor is None and on_tree is None else on_round,
                report=report if monitor is None else None,
            )
        if monitor is None:
            return Trained(ensemble, [])
        n_kept = len(ensemble.trees) if plan.patience is None else monitor.n_best
        return Trained(_first_trees(ensemble, n_kept), monitor.losses)

    def _group(self, positive: NDArray[np.bool_]) -> Examples:
        if self._examples is None:
            self._examples = self._pack(positive)
        else:
            self._examples.regroup(positive)
        return self._examples


class LocalTrainer:
    """Fits the ensembles of all targets on rows in memory, binned as the plan says."""

    def __init__(self, train: Labeled, plan: Plan) -> None:
        n_threads = plan.settings.n_threads
        binning = find_bins(train.X, plan.n_categories, plan.settings.max_bins, n_threads=n_threads)
        self._train = train
        self._trainer = Trainer(
            train.y,
            train.weight,
            lambda positive: Examples(train.X, positive, binning, n_threads=n_threads),
        )

    def fit(
        self,
        plan: Plan,
        validation: Labeled | None = None,
        start: Sequence[Ensemble] | None = None,
        report: Report | None = None,
    ) -> list[Trained]:
        """Return the ensemble of each target, grown from those in ``start`` if given."""
        starts = [None] * len(plan.targets) if start is None else start
        return [
            self._trainer.fit(
                target,
                plan,
                validation=validation,
                start=None if begun is None else self._start(begun, target, plan),
                report=report,
            )
            for target, begun in zip(plan.targets, starts, strict=True)
        ]

    def _start(self, ensemble: Ensemble, target: int, plan: Plan) -> Start:
        score = ensemble.score(self._train.X, plan.settings.n_threads)
        score[self._train.y == target] *= -1.0
        return Start(ensemble, np.exp(np.clip(score, -MOST_SCORE, MOST_SCORE)))


def stack_losses(results: Sequence[Trained]) -> Floats | None:
    """Return the validation losses: one column per ensemble if there are several.

    Columns that are shorter than others end in NaN. None without validation.

    Examples
    --------
    >>> from horotree.training.one_vs_rest import Trained, stack_losses
    >>> from horotree.trees import Ensemble
    >>> none = Ensemble((), [], [], 0.0)
    >>> stack_losses([Trained(none, [0.7, 0.5]), Trained(none, [0.7])]).tolist()
    [[0.7, 0.7], [0.5, nan]]
    """
    longest = max(len(result.losses) for result in results)
    if not longest:
        return None
    table = np.full((longest, len(results)), np.nan)
    for column, result in enumerate(results):
        table[: len(result.losses), column] = result.losses
    return table[:, 0] if len(results) == 1 else table


def _first_trees(ensemble: Ensemble, n_trees: int) -> Ensemble:
    return Ensemble(
        ensemble.trees[:n_trees],
        ensemble.leverage[:n_trees],
        ensemble.edge[:n_trees],
        ensemble.base_value,
    )
