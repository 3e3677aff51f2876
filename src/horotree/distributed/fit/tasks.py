"""What runs on the workers: partitions are binned and kept, then trees grow on them."""

import pickle
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.distributed.ring.listener import Address, Listener
from horotree.distributed.ring.lost import LostError
from horotree.distributed.ring.meeting import meet
from horotree.distributed.ring.ring import Ring, Traffic
from horotree.estimators.parameters import n_threads_of
from horotree.training import Examples, Labeled, Machines, Trained, fit_target
from horotree.trees import Ensemble

from .parts import Part, find_segments, join_words, make_part, read
from .plan import Job, Loaded, NewEnsemble, NewTree, Report
from .survey import naming


class Kept:
    """A binned partition on its worker, until it is taken; and what to do with it.

    Dask keeps what a task is given for as long as it runs: of this only an empty shell.
    """

    def __init__(self, job: Job, partition: int, part: Part) -> None:
        self.job = job
        self.partition = partition
        self._part: Part | None = part

    @property
    def part(self) -> Part:
        """The partition; raises if it was taken, by a task that Dask runs a second time."""
        if self._part is None:
            raise LostError(f"partition {self.partition} was taken before")
        return self._part

    def take(self) -> Part:
        """Return the partition and keep nothing."""
        part, self._part = self.part, None
        return part


def load(
    job: Job, partition: int, table: Any, y: Any, weight: Any, *, title: str, apart: bool
) -> Kept:
    """Bin a partition, to be kept on this worker; ``apart`` if all of it is for validation."""
    from distributed import get_worker

    with naming(title):
        rows = read(job, table, y, weight)
    chosen = np.full(len(rows), apart)
    if not apart and job.plan.fraction > 0.0:
        seed = [job.plan.settings.seed, partition]
        chosen = np.random.default_rng(seed).random(len(rows)) < job.plan.fraction
        classes, first = np.unique(rows.y, return_index=True)
        for label, row in zip(classes, first, strict=True):  # some of each class must stay
            chosen[row] &= not chosen[rows.y == label].all()
    return Kept(job, partition, make_part(job, rows, chosen, _n_threads(job, get_worker())))


def describe(kept: Sequence[Kept], n_classes: int) -> list[Loaded]:
    """Return what partitions hold."""
    return [
        Loaded(
            each.partition,
            np.bincount(each.part.y, minlength=n_classes),
            np.bincount(each.part.apart.y, minlength=n_classes),
            float(each.part.amount.sum() + each.part.apart.weight.sum()),
        )
        for each in kept
    ]


def listen(dask_worker: Any = None) -> Listener:
    """Return where the other workers of a fit will come to this one; it closes when Dask drops it.

    As a task, or through ``client.run``, which passes the worker.
    """
    from distributed import get_worker

    return Listener(dask_worker or get_worker())


def address_of(listener: Listener) -> Address:
    """Return how other workers find a listener."""
    return listener.address


def train(
    rank: int,
    listener: Listener | None,
    addresses: Sequence[Address],
    timeout: float,
    kept: Sequence[Kept],
    by_class: NDArray[np.int64],
) -> Report:
    """Grow all trees with the other workers; ``listener`` is None if there are none."""
    from distributed import get_worker

    job = kept[0].job
    worker = get_worker()
    start, traffic = time.perf_counter(), Traffic()
    parts = {each.partition: each.take() for each in kept}
    plan = replace(job.plan, settings=replace(job.plan.settings, n_threads=_n_threads(job, worker)))
    job = replace(job, plan=plan)
    check = _make_check(worker)
    if listener is None:
        trainer = _Trainer(job, Machines(), parts, worker, check)
        results = trainer.run(by_class)
    else:
        teller = worker if rank == 0 else None
        with closing(meet(listener, addresses, rank, job.key, timeout, check)) as links:
            ring = Ring(links, rank, len(addresses), traffic)
            trainer = _Trainer(job, ring, parts, teller, check)
            results = trainer.run(by_class)
    seconds = time.perf_counter() - start
    return Report(results if rank == 0 else None, traffic, seconds, memory_of())


def memory_of() -> dict[str, int]:
    """Return this process's memory in bytes, now and at most."""
    import psutil

    memory = psutil.Process().memory_info()
    try:
        import resource
    except ImportError:  # Windows has no such module, but tells at once
        return {"now": memory.rss, "peak": memory.peak_wset}
    unit = 1 if sys.platform == "darwin" else 1024
    return {"now": memory.rss, "peak": unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}


class _Trainer:
    """Grows the ensembles of all targets on the parts of a worker."""

    def __init__(
        self,
        job: Job,
        machines: Machines,
        kept: dict[int, Part],
        teller: Any,
        check: Callable[[], None],
    ) -> None:
        self._job, self._machines, self._check = job, machines, check
        self._teller = teller
        self._partitions = list(kept)
        parts = list(kept.values())
        kept.clear()
        self._y = np.concatenate([part.y for part in parts])
        self._amount = np.concatenate([part.amount for part in parts])
        self._odds = {
            place: np.concatenate([part.odds[place] for part in parts]) for place in job.starts
        }
        self._apart = _join_apart([part.apart for part in parts]) if job.plan.validates else None
        self._parts = parts
        self._examples: Examples | None = None

    def run(self, by_class: NDArray[np.int64]) -> dict[int, Trained]:
        results = {}
        for place, target in enumerate(self._job.plan.targets):
            if place in self._job.done:
                results[place] = self._job.done[place]
                continue
            if isinstance(self._machines, Ring):
                self._machines.segments = find_segments(by_class, self._partitions, target)
            results[place] = self._fit(place, target)
            self._tell(NewEnsemble(place, results[place]))
        return results

    def _fit(self, place: int, target: int) -> Trained:
        start = self._job.starts.get(place)
        examples = self._group(target)
        weight = self._amount[examples.order]
        keep = partial(self._keep, place)
        options: dict[str, Any] = {}
        if start is not None:
            options = {
                "start": start.boosted,
                "odds": self._odds.pop(place)[examples.order],
                "first_round": start.next_round,
                "losses": start.losses,
            }
        return fit_target(
            examples,
            weight,
            target,
            self._job.plan,
            machines=self._machines,
            validation=self._apart,
            keep=keep,
            **options,
        )

    def _group(self, target: int) -> Examples:
        """Return the examples with the target as the positive class."""
        positive = self._y == target
        if self._examples is None:
            words = join_words(self._parts, positive)
            self._examples = Examples.from_words(words, positive, self._job.agreement.binning)
        else:
            self._examples.regroup(positive)
        return self._examples

    def _keep(
        self, place: int, round_: int, new: Ensemble, factors: Floats, losses: list[float]
    ) -> None:
        self._check()
        self._tell(NewTree(place, round_, new, factors, losses))

    def _tell(self, news: NewTree | NewEnsemble) -> None:
        """Send news to the client, without waiting."""
        if self._teller is not None:
            self._teller.log_event(self._job.name, pickle.dumps(news))


def _join_apart(parts: Sequence[Labeled]) -> Labeled:
    return Labeled(
        np.concatenate([part.X for part in parts]),
        np.concatenate([part.y for part in parts]),
        np.concatenate([part.weight for part in parts]),
    )


def _n_threads(job: Job, worker: Any) -> int:
    return worker.state.nthreads if job.n_jobs is None else n_threads_of(job.n_jobs)


def _make_check(worker: Any) -> Callable[[], None]:
    """Return what raises when nobody waits any more: a task was cancelled, or its worker closes."""
    from distributed.core import Status

    key = worker.get_current_task()

    def check() -> None:
        task = worker.state.tasks.get(key)
        closes = worker.status in (Status.closing, Status.closed, Status.failed)
        if closes or task is None or task.state == "cancelled":
            raise LostError("the fit was cancelled, or its client or scheduler has gone")

    return check
