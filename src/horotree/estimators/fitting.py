"""Ensembles for all classes: one against the other, or each against the rest."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.losses import logistic_loss
from horotree.training import Report, Settings, boost, find_bins
from horotree.trees import Ensemble, Tree

from .inputs import Labeled
from .splitting import folds, hold_out

# What smoothing="auto" chooses from: a pseudo-weight, and the learning rate that goes with it.
CANDIDATES = ((4.0, 1.0), (20.0, 0.5), (100.0, 0.5), (100.0, 1.0))

# How it chooses: by folds among fewer examples than this, by one split among more.
FEW_EXAMPLES = 5_000
N_FOLDS = 3
SPLIT = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """How to fit: columns' categories, classes, settings, and when to stop early (None: never)."""

    n_categories: NDArray[np.int32]
    n_classes: int
    settings: Settings
    patience: int | None

    @property
    def targets(self) -> range:
        """The classes that have an ensemble of their own: the second of two, or all."""
        return range(1, 2) if self.n_classes == 2 else range(self.n_classes)


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """The ensembles of all targets, and for each the validation loss after 0, 1, ... trees."""

    boosted: tuple[Ensemble, ...]
    losses: tuple[list[float], ...]

    @property
    def history(self) -> Floats | None:
        """The losses: of one dimension, or a column for each of several targets; None if none."""
        if not self.losses:
            return None
        history = np.full((max(map(len, self.losses)), len(self.losses)), np.nan)
        for column, losses in enumerate(self.losses):
            history[: len(losses), column] = losses
        return history[:, 0] if len(self.losses) == 1 else history


class Monitor:
    """Follows the loss of an ensemble as it grows, and tells when it has stopped falling."""

    def __init__(self, examples: Labeled, target: int, plan: Plan, report: Report | None) -> None:
        self._examples = examples
        self._positive = examples.y == target
        self._plan = plan
        self._report = report
        self._score = np.zeros(len(examples))
        self.losses = [self.loss()]

    def loss(self) -> float:
        """Return the log-loss of the trees so far."""
        return logistic_loss(self._positive, self._score, self._examples.weight)

    @property
    def n_best(self) -> int:
        """The number of trees, from 1 on, with the least loss; 0 if there are none."""
        return int(np.argmin(self.losses[1:])) + 1 if len(self.losses) > 1 else 0

    def follow(self, ensemble: Ensemble) -> None:
        """Take in the trees that are there at the start."""
        n_threads = self._plan.settings.n_threads
        for score in ensemble.staged_score(self._examples.X, n_threads):
            self._score = score
            self.losses.append(self.loss())

    def __call__(self, _round: int, tree: Tree, leverage: float) -> bool:
        """Take the tree of a round; return whether to stop."""
        alone = Ensemble((tree,), np.array([leverage]), np.array([np.nan]), 0.0)
        self._score = self._score + alone.score(self._examples.X, self._plan.settings.n_threads)
        self.losses.append(self.loss())
        if self._report is not None:
            self._report(1, lambda: self.losses[-1])
        return self.is_done

    @property
    def is_done(self) -> bool:
        """Whether the loss has stopped falling, if that is asked for."""
        patience = self._plan.patience
        return patience is not None and len(self.losses) - 1 - self.n_best >= patience


def fit_ensembles(
    train: Labeled,
    validation: Labeled | None,
    plan: Plan,
    *,
    start: tuple[Ensemble, ...] | None = None,
    report: Report | None = None,
) -> Fitted:
    """Boost an ensemble for every target.

    Each is stopped by the log-loss of its own two-class problem: the problems are independent, and
    a rare class may need fewer trees than a common one.
    """
    boosted, losses = [], []
    binning = find_bins(  # the same for all
        train.X,
        plan.n_categories,
        plan.settings.max_bins,
        n_threads=plan.settings.n_threads,
    )
    for place, target in enumerate(plan.targets):
        begun = None if start is None else start[place]
        monitor = None
        if validation is not None:
            monitor = Monitor(validation, target, plan, report)
            if begun is not None:
                monitor.follow(begun)
        result = boost(
            train.X,
            train.y == target,
            train.weight,
            n_categories=plan.n_categories,
            settings=plan.settings,
            binning=binning,
            start=begun,
            on_round=monitor,
            report=report if monitor is None else None,
        )
        if monitor is not None:
            losses.append(monitor.losses)
            if plan.patience is not None:
                result = first_trees(result, monitor.n_best)
        boosted.append(result)
    return Fitted(tuple(boosted), tuple(losses))


def first_trees(ensemble: Ensemble, n_trees: int) -> Ensemble:
    """Return an ensemble of its first trees."""
    return Ensemble(
        ensemble.trees[:n_trees],
        ensemble.leverage[:n_trees],
        ensemble.edge[:n_trees],
        ensemble.base_value,
    )


def choose_smoothing(train: Labeled, plan: Plan, report: Report | None = None) -> Settings:
    """Return the settings with the smoothing and learning rate of least log-loss on rows apart."""
    splits = list(_inner_splits(train, plan.settings.seed))
    if not splits:
        raise ValueError(
            f"smoothing='auto' chooses by examples that it keeps apart, got {len(train)}, each the "
            "only one of its class: pass more examples, or a number."
        )
    best, least = plan.settings, np.inf
    for smoothing, learning_rate in CANDIDATES:
        settings = replace(plan.settings, smoothing=smoothing, learning_rate=learning_rate)
        candidate = replace(plan, settings=settings)
        loss = sum(
            _held_out_loss(train.take(~apart), train.take(apart), candidate, report)
            for apart in splits
        )
        if loss < least:
            best, least = settings, loss
    return best


def n_inner_fits(n_examples: int) -> int:
    """Return how many ensembles a target ``choose_smoothing`` fits."""
    return len(CANDIDATES) * (N_FOLDS if n_examples < FEW_EXAMPLES else 1)


def _inner_splits(train: Labeled, seed: int) -> Iterator[NDArray[np.bool_]]:
    if len(train) >= FEW_EXAMPLES:
        yield hold_out(train.y, SPLIT, seed=seed)
        return
    for apart in folds(train.y, N_FOLDS, seed=seed):
        if apart.any():
            yield apart


def _held_out_loss(train: Labeled, apart: Labeled, plan: Plan, report: Report | None) -> float:
    """Return the total log-loss on examples apart, of the probabilities that a model would give."""
    validation = None if plan.patience is None else apart
    fitted = fit_ensembles(train, validation, plan, report=report)
    n_threads = plan.settings.n_threads
    score = np.stack([b.score(apart.X, n_threads) for b in fitted.boosted], axis=-1)
    if plan.n_classes == 2:
        loss = np.logaddexp(0.0, np.where(apart.y == 1, -score[:, 0], score[:, 0]))
    else:
        log_share = -np.logaddexp(0.0, -score)  # of the sigmoid, before they are normalized
        own = np.take_along_axis(log_share, apart.y[:, np.newaxis], axis=1)[:, 0]
        loss = np.logaddexp.reduce(log_share, axis=1) - own
    return float(apart.weight @ loss)
