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

# Called after every tree: its round, the tree as an ensemble, what its nodes multiply the odds of
# negative and of positive examples by, and the validation losses so far.
Keep = Callable[[int, Ensemble, Floats, list[float]], None]


class Trained(NamedTuple):
    """An ensemble, and the validation losses after 0, 1, ... trees (none without validation)."""

    ensemble: Ensemble
    losses: list[float]


class Trainer:
    """Fits the ensembles of all targets on the same examples, which are binned and packed once.

    Parameters
    ----------
    train : Labeled
        The examples to learn from.
    plan : Plan
        Says how to bin.
    """

    def __init__(self, train: Labeled, plan: Plan) -> None:
        self._train = train
        self._n_threads = plan.settings.n_threads
        self._binning = find_bins(
            train.X, plan.n_categories, plan.settings.max_bins, n_threads=self._n_threads
        )
        self._examples: Examples | None = None

    def fit(
        self,
        plan: Plan,
        validation: Labeled | None = None,
        start: Sequence[Ensemble] | None = None,
        report: Report | None = None,
    ) -> tuple[Trained, ...]:
        """Return the ensemble of each target, grown from those in ``start`` if given."""
        results = []
        for place, target in enumerate(plan.targets):
            examples = self._group(self._train.y == target)
            begun = None if start is None else start[place]
            result = fit_target(
                examples,
                np.take(self._train.weight, examples.order),  # faster than an index
                target,
                plan,
                validation=validation,
                start=begun,
                odds=None if begun is None else self._odds_after(begun, examples),
                report=report,
            )
            results.append(result)
        return tuple(results)

    def _group(self, positive: NDArray[np.bool_]) -> Examples:
        if self._examples is None:
            self._examples = Examples(
                self._train.X, positive, self._binning, n_threads=self._n_threads
            )
        else:
            self._examples.regroup(positive)
        return self._examples

    def _odds_after(self, start: Ensemble, examples: Examples) -> Floats:
        """Return exp(-y F) of each example."""
        score = start.score(self._train.X, self._n_threads)[examples.order]
        score[examples.n_negative :] *= -1.0
        return np.exp(np.clip(score, -MOST_SCORE, MOST_SCORE))


def fit_target(
    examples: Examples,
    weight: Floats,
    target: int,
    plan: Plan,
    *,
    machines: Machines | None = None,
    validation: Labeled | None = None,
    start: Ensemble | None = None,
    odds: Floats | None = None,
    first_round: int | None = None,
    losses: Sequence[float] = (),
    report: Report | None = None,
    keep: Keep | None = None,
) -> Trained:
    """Boost the ensemble of one class against the rest.

    Each is stopped by the log-loss of its own two-class problem: the problems are independent, and
    a rare class may need fewer trees than a common one.

    Parameters
    ----------
    examples : Examples
        Those of this machine, with the target as the positive class.
    weight : float64 array
        Of each, in their order.
    target : int
        The class.
    plan : Plan
        How to fit.
    machines : Machines, optional
        All that hold examples; this one alone if not given.
    validation : Labeled, optional
        Examples of this machine for the validation loss.
    start, odds, first_round
        Trees to continue from; see ``boost``.
    losses : sequence of float
        The validation losses of ``start``, if they are known.
    report : callable, optional
        Called now and then with the number of new trees, and a function that returns the loss.
    keep : callable, optional
        Called after every tree.
    """
    machines = machines or Machines()
    monitor = None
    if validation is not None:
        monitor = Monitor(validation, target, plan, machines, report, start, losses)

    def on_round(round_: int, new: Ensemble, factors: Floats) -> bool:
        if monitor is not None:
            monitor.add(new)
        if keep is not None:
            keep(round_, new, factors, [] if monitor is None else monitor.losses)
        return monitor is not None and monitor.is_done

    if start is not None and losses and monitor is not None and monitor.is_done:
        ensemble = start  # a worker was lost after the last tree
    else:
        ensemble = boost(
            examples,
            weight,
            settings=plan.settings,
            machines=machines,
            start=start,
            odds=odds,
            first_round=first_round,
            on_round=None if monitor is None and keep is None else on_round,
            report=report if monitor is None else None,
        )
    if monitor is None:
        return Trained(ensemble, [])
    if plan.patience is not None:
        ensemble = _first_trees(ensemble, monitor.n_best)
    return Trained(ensemble, monitor.losses)


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
