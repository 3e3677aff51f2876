"""What travels between the client and its workers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.distributed.ring.ring import Traffic
from horotree.training import Plan, Trained
from horotree.trees import Ensemble

from .survey import Agreement


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """Trees that an ensemble begins with, the round to go on with, and losses of validation.

    ``factors`` are what a tree's nodes multiply odds by, of negative and of positive examples: from
    where the tree was grown, since logarithms and powers differ from one machine to another.
    """

    boosted: Ensemble
    factors: list[Floats]
    next_round: int
    losses: list[float]


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """What all workers do.

    Parameters
    ----------
    name : str
        Of this attempt; no other has it.
    key : bytes
        A secret of this attempt, which only its workers and its client have.
    plan : Plan
        How to fit.
    n_jobs : int or None
        Threads on a worker; None for as many as Dask gives it.
    agreement : Agreement
        Columns, classes and cuts.
    starts : dict
        By the place of a class among the plan's targets, the trees that are there.
    done : dict
        Likewise the ensembles that need no more trees, with their losses.
    """

    name: str
    key: bytes = field(repr=False)
    plan: Plan
    n_jobs: int | None
    agreement: Agreement
    starts: dict[int, Start] = field(default_factory=dict)
    done: dict[int, Trained] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    """What a worker has kept of a partition: examples by class, to learn from and kept apart."""

    partition: int
    by_class: NDArray[np.int64]
    apart: NDArray[np.int64]
    total_weight: float


@dataclass(frozen=True, slots=True, eq=False)
class NewTree:
    """What the first worker tells the client after a round: the tree alone."""

    place: int
    round: int
    boosted: Ensemble
    factors: Floats
    losses: list[float]


@dataclass(frozen=True, slots=True, eq=False)
class NewEnsemble:
    """What it tells the client when an ensemble is done."""

    place: int
    trained: Trained


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """What a worker returns: the ensembles if it is the first, and what it took."""

    results: dict[int, Trained] | None
    traffic: Traffic
    seconds: float
    memory: dict[str, Any]


def check_examples(job: Job, loaded: Sequence[Loaded]) -> None:
    """Raise unless there are examples to learn from and, if asked for, to validate on."""
    by_class = np.sum([part.by_class for part in loaded], axis=0)
    fraction = job.plan.fraction
    if fraction and (not by_class.all() or not sum(part.apart.sum() for part in loaded)):
        raise ValueError(
            f"{by_class.sum()} examples are too few to keep {fraction:g} of them apart: pass "
            "an eval_set, another validation_fraction, or early_stopping=False."
        )
    if job.plan.validates and not sum(part.apart.sum() for part in loaded):
        raise ValueError(
            "eval_set has no rows, or none that has a weight: pass some, or no eval_set."
        )
    if not np.isfinite(sum(part.total_weight for part in loaded)):
        raise ValueError("the weights add up to infinity: divide sample_weight by its mean.")
