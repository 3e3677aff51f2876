"""What travels between the client and its workers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.distributed.ring.ring import Traffic
from horotree.training import Plan, Trained
from horotree.trees import Ensemble

from .survey import BinnedTask


class Checkpoint(NamedTuple):
    """The trees of an ensemble that is not complete.

    ``factors`` hold per tree what its nodes multiply the odds of negative and of positive examples
    by. They come from where the tree was grown: logarithms and powers differ between machines.
    """

    ensemble: Ensemble
    factors: list[Floats]
    next_round: int
    losses: list[float]


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """What all workers do in one attempt."""

    plan: Plan
    n_jobs: int | None  # threads of a worker; None for as many as Dask gives it
    task: BinnedTask
    name: str = ""  # of this attempt alone
    key: bytes = field(default=b"", repr=False)  # a secret of its workers and its client
    # By the place of a class among the plan's targets: ensembles to continue, and complete ones.
    starts: dict[int, Checkpoint] = field(default_factory=dict)
    done: dict[int, Trained] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    """What a worker has stored of a partition: the number of examples of each class."""

    partition: int
    by_class: NDArray[np.int64]  # to learn from
    validation: NDArray[np.int64]
    total_weight: float


@dataclass(frozen=True, slots=True, eq=False)
class NewTree:
    """Sent by the first worker to the client after a round."""

    place: int
    round: int
    tree: Ensemble
    factors: Floats
    losses: list[float]


@dataclass(frozen=True, slots=True, eq=False)
class NewEnsemble:
    """Sent by the first worker to the client when an ensemble is complete."""

    place: int
    trained: Trained


@dataclass(frozen=True, slots=True, eq=False)
class WorkerReport:
    """What a worker returns: the ensembles by place if it is the first, and its costs."""

    results: dict[int, Trained]
    traffic: Traffic
    seconds: float
    memory: dict[str, int]


def check_examples(job: Job, loaded: Sequence[Loaded]) -> None:
    """Raise unless there are examples to learn from and, if asked for, to validate on."""
    by_class = np.sum([part.by_class for part in loaded], axis=0)
    n_validation = sum(part.validation.sum() for part in loaded)
    if job.plan.fraction and (not by_class.all() or not n_validation):
        raise ValueError(
            f"{by_class.sum()} examples are too few to hold out {job.plan.fraction:g} of them: "
            "pass an eval_set, another validation_fraction, or early_stopping=False."
        )
    if job.plan.validates and not n_validation:
        raise ValueError(
            "eval_set has no rows, or none that has a weight: pass some, or no eval_set."
        )
    if not np.isfinite(sum(part.total_weight for part in loaded)):
        raise ValueError("the weights add up to infinity: divide sample_weight by its mean.")
