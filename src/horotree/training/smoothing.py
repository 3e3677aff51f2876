"""``smoothing="auto"``: the pseudo-weight and the learning rate of least held-out log-loss."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .boosting import Report, Settings
from .one_vs_rest import LocalTrainer
from .splitting import folds, hold_out
from .task import Labeled, Plan

# The candidates: a pseudo-weight, and the learning rate that goes with it.
CANDIDATES = ((4.0, 1.0), (20.0, 0.5), (100.0, 0.5), (100.0, 1.0))

# They are compared on folds if there are fewer examples than this, else on one split.
FEW_EXAMPLES = 5_000
N_FOLDS = 3
SPLIT = 0.2


def choose_smoothing(train: Labeled, plan: Plan, report: Report | None = None) -> Settings:
    """Return the settings with the candidate of least log-loss on held-out examples."""
    splits = _splits(train, plan.settings.seed)
    if not splits:
        raise ValueError(
            f"smoothing='auto' compares log-losses on held-out examples, got {len(train)}, each "
            "the only one of its class: pass more examples, or a number."
        )
    candidates = [
        replace(plan.settings, smoothing=smoothing, learning_rate=learning_rate)
        for smoothing, learning_rate in CANDIDATES
    ]
    losses = [0.0] * len(candidates)
    for is_held_out in splits:
        held_out = train.take(is_held_out)
        trainer = LocalTrainer(train.take(~is_held_out), plan)
        for k, settings in enumerate(candidates):
            losses[k] += _loss(trainer, held_out, replace(plan, settings=settings), report)
    best, least = plan.settings, np.inf
    for settings, loss in zip(candidates, losses, strict=True):
        if loss < least:
            best, least = settings, loss
    return best


def n_inner_fits(n_examples: int) -> int:
    """Return how many ensembles per target ``choose_smoothing`` fits."""
    return len(CANDIDATES) * (N_FOLDS if n_examples < FEW_EXAMPLES else 1)


def _splits(train: Labeled, seed: int) -> list[NDArray[np.bool_]]:
    """Return which examples to hold out, once or several times."""
    if len(train) >= FEW_EXAMPLES:
        return [hold_out(train.y, SPLIT, seed=seed)]
    return [fold for fold in folds(train.y, N_FOLDS, seed=seed) if fold.any()]


def _loss(trainer: LocalTrainer, held_out: Labeled, plan: Plan, report: Report | None) -> float:
    """Return the total log-loss of the probabilities that a fitted model would give."""
    validation = None if plan.patience is None else held_out
    results = trainer.fit(plan, validation, report=report)
    n_threads = plan.settings.n_threads
    score = np.stack([r.ensemble.score(held_out.X, n_threads) for r in results], axis=-1)
    if plan.n_classes == 2:
        loss = np.logaddexp(0.0, np.where(held_out.y == 1, -score[:, 0], score[:, 0]))
    else:
        log_share = -np.logaddexp(0.0, -score)  # of the sigmoids, before they are normalized
        own = np.take_along_axis(log_share, held_out.y[:, np.newaxis], axis=1)[:, 0]
        loss = np.logaddexp.reduce(log_share, axis=1) - own
    return float(held_out.weight @ loss)
