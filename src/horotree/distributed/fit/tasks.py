"""What runs on the workers: partitions are binned and stored, then trees grow on them."""

import pickle
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import n_threads_of
from horotree.distributed.ring.handshake import connect
from horotree.distributed.ring.links import WorkerLostError
from horotree.distributed.ring.listener import Address, Listener
from horotree.distributed.ring.ring import Ring, Traffic
from horotree.training import Examples, Labeled, Machines, Start, Trained, Trainer

from .messages import Job, Loaded, NewEnsemble, NewTree, WorkerReport
from .parts import BinnedPart, bin_part, find_segments, join_words, read
from .survey import naming


class StoredPart:
    """A binned partition on its worker, until it is taken; and the job.

    Dask refers to the arguments of a task while it runs: after ``take`` this object is empty, so
    that the memory can be freed.
    """

    def __init__(self, job: Job, partition: int, part: BinnedPart) -> None:
        self.job = job
        self.partition = partition
        self._part: BinnedPart | None = part

    @property
    def part(self) -> BinnedPart:
        """The partition; raises if a task that Dask runs a second time has taken it."""
        if self._part is None:
            raise WorkerLostError(f"partition {self.partition} was taken before")
        return self._part

    def take(self) -> BinnedPart:
        """Return the partition and forget it."""
        part, self._part = self.part, None
        return part


def load(
    job: Job, partition: int, table: Any, y: Any, weight: Any, *, title: str, validates: bool
) -> StoredPart:
    """Bin a partition and store it on this worker; ``validates`` if it is of an ``eval_set``."""
    from distributed import get_worker

    with naming(title):
        rows = read(job, table, y, weight)
    is_held_out = np.full(len(rows), validates)
    if not validates and job.plan.fraction > 0.0:
        seed = [job.plan.settings.seed, partition]
        is_held_out = np.random.default_rng(seed).random(len(rows)) < job.plan.fraction
        classes, first = np.unique(rows.y, return_index=True)
        for label, row in zip(classes, first, strict=True):  # keep some of each class
            is_held_out[row] &= not is_held_out[rows.y == label].all()
    n_threads = _n_threads(job, get_worker())
    return StoredPart(job, partition, bin_part(job, rows, is_held_out, n_threads))


def describe(stored: Sequence[StoredPart], n_classes: int) -> list[Loaded]:
    """Return what partitions hold."""
    return [
        Loaded(
            each.partition,
            np.bincount(each.part.y, minlength=n_classes),
            np.bincount(each.part.validation.y, minlength=n_classes),
            float(each.part.weight.sum() + each.part.validation.weight.sum()),
        )
        for each in stored
    ]


def listen(dask_worker: Any = None) -> Listener:
    """Return where the other workers of a fit connect to this one; closed when Dask drops it.

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
    stored: Sequence[StoredPart],
    by_class: NDArray[np.int64],
) -> WorkerReport:
    """Grow all trees with the other workers; ``listener`` is None if there are none."""
    from distributed import get_worker

    job, worker = stored[0].job, get_worker()
    start, traffic = time.perf_counter(), Traffic()
    parts = {each.partition: each.take() for each in stored}
    settings = replace(job.plan.settings, n_threads=_n_threads(job, worker))
    job = replace(job, plan=replace(job.plan, settings=settings))
    check = _make_check(worker)

    def send(message: NewTree | NewEnsemble) -> None:
        check()
        if rank == 0:
            worker.log_event(job.name, pickle.dumps(message))  # does not wait

    if listener is None:
        results = _train(job, Machines(), parts, by_class, send)
    else:
        with closing(connect(listener, addresses, rank, job.key, timeout, check)) as links:
            ring = Ring(links, rank, len(addresses), traffic)
            results = _train(job, ring, parts, by_class, send)
    seconds = time.perf_counter() - start
    return WorkerReport(results if rank == 0 else {}, traffic, seconds, memory_of())


def _train(
    job: Job,
    machines: Machines,
    parts_of: dict[int, BinnedPart],
    by_class: NDArray[np.int64],
    send: Callable[[NewTree | NewEnsemble], None],
) -> dict[int, Trained]:
    """Grow the ensembles of all targets on the parts of this worker, which are taken over."""
    partitions, parts = list(parts_of), list(parts_of.values())
    parts_of.clear()
    validation = _join([part.validation for part in parts]) if job.plan.validates else None
    odds = {place: np.concatenate([part.odds[place] for part in parts]) for place in job.starts}
    y = np.concatenate([part.y for part in parts])
    weight = np.concatenate([part.weight for part in parts])

    def pack(positive: NDArray[np.bool_]) -> Examples:
        return Examples.from_words(join_words(parts, positive), positive, job.task.binning)

    trainer, results = Trainer(y, weight, pack), dict(job.done)
    for place, target in enumerate(job.plan.targets):
        if place in results:
            continue
        if isinstance(machines, Ring):
            machines.segments = find_segments(by_class, partitions, target)
        start = None
        if place in job.starts:
            begun = job.starts[place]
            start = Start(begun.ensemble, odds.pop(place), begun.next_round, begun.losses)
        results[place] = trainer.fit(
            target,
            job.plan,
            machines=machines,
            validation=validation,
            start=start,
            on_tree=lambda *new, place=place: send(NewTree(place, *new)),
        )
        send(NewEnsemble(place, results[place]))
    return results


def _join(parts: Sequence[Labeled]) -> Labeled:
    return Labeled(
        np.concatenate([part.X for part in parts]),
        np.concatenate([part.y for part in parts]),
        np.concatenate([part.weight for part in parts]),
    )


def memory_of() -> dict[str, int]:
    """Return this process's memory in bytes, now and at most."""
    import psutil

    memory = psutil.Process().memory_info()
    try:
        import resource
    except ImportError:  # Windows has no such module; psutil knows the peak there
        return {"now": memory.rss, "peak": memory.peak_wset}
    unit = 1 if sys.platform == "darwin" else 1024
    return {"now": memory.rss, "peak": unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}


def _n_threads(job: Job, worker: Any) -> int:
    return worker.state.nthreads if job.n_jobs is None else n_threads_of(job.n_jobs)


def _make_check(worker: Any) -> Callable[[], None]:
    """Return a function that raises when the task was cancelled, or when its worker closes."""
    from distributed.core import Status

    key = worker.get_current_task()

    def check() -> None:
        task = worker.state.tasks.get(key)
        closes = worker.status in (Status.closing, Status.closed, Status.failed)
        if closes or task is None or task.state == "cancelled":
            raise WorkerLostError("the fit was cancelled, or its client or scheduler has gone")

    return check
