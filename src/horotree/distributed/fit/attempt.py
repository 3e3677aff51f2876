"""One attempt to grow trees: partitions find their workers, are binned there, and train."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree.distributed.ring.listener import Address
from horotree.distributed.ring.lost import LostError
from horotree.training import Trained

from . import tasks
from .cluster import Cluster
from .placement import place
from .plan import Job, Loaded, Report, check_examples


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The ensembles of all targets, and what each worker reports."""

    results: tuple[Trained, ...]
    reports: dict[str, Report]
    rows: dict[str, int]


@dataclass(frozen=True, slots=True, eq=False)
class Raw:
    """Futures of the parts of each partition, with its rows; those to learn from come first."""

    parts: Sequence[Sequence[Any]]
    sizes: Sequence[int]
    n_train: int


class Attempt:
    """Trains once, on the workers that are there.

    Parameters
    ----------
    cluster : Cluster
        Where to train; who made it releases what is left on it.
    job : Job
        What to do.
    raw : Raw
        The partitions; each is released when it is binned.
    workers : sequence of str
        Who may take part.
    """

    def __init__(self, cluster: Cluster, job: Job, raw: Raw, workers: Sequence[str]) -> None:
        self._cluster = cluster
        self._job = job
        self._raw = raw
        self._chosen = self._place(workers)
        self._used = sorted(set(self._chosen))

    def run(self) -> Outcome:
        """Bin, train, and return what came of it."""
        used, name = self._used, self._job.name
        shared = self._cluster.submit(_same, self._job, to=used, key=f"{name}-job")
        kept = self._load(shared)
        by_worker = [[k for k, at in zip(kept, self._chosen, strict=True) if at == w] for w in used]
        loaded = self._describe(by_worker)
        check_examples(self._job, loaded)
        by_class = np.stack([part.by_class for part in loaded])
        listeners, addresses = self._listen()
        told = self._train(listeners, addresses, by_worker, by_class)
        rows = dict.fromkeys(used, 0)
        for worker, part in zip(self._chosen, loaded, strict=True):
            rows[worker] += int(part.by_class.sum())
        results = tuple(result for _, result in sorted((told[0].results or {}).items()))
        return Outcome(results, dict(zip(used, told, strict=True)), rows)

    def _place(self, workers: Sequence[str]) -> list[str]:
        """Return the worker of each partition; those of an eval_set are spread by themselves."""
        tables = [parts[0] for parts in self._raw.parts]
        for _ in self._cluster.follow(tables):
            pass
        if not workers:
            raise LostError("no worker is there")
        where, sizes, n = self._cluster.holders(tables), self._raw.sizes, self._raw.n_train
        chosen = place(sizes[:n], where[:n], workers)
        return chosen + place(sizes[n:], where[n:], sorted(set(chosen)))

    def _load(self, shared: Any) -> list[Any]:
        """Let workers bin their partitions; each raw one is released when that is done."""
        raw = self._raw
        kept = [
            self._cluster.submit(
                tasks.load,
                shared,
                i,
                *raw.parts[i],
                title=_title(i, raw.n_train),
                apart=i >= raw.n_train,
                to=[worker],
                key=f"{self._job.name}-load-{i}",
            )
            for i, worker in enumerate(self._chosen)
        ]
        places = {future.key: i for i, future in enumerate(kept)}
        for future in self._cluster.follow(kept, self._used):
            parts = raw.parts[places[future.key]]
            self._cluster.release([part for part in parts if part is not None])
        return kept

    def _describe(self, by_worker: Sequence[Sequence[Any]]) -> list[Loaded]:
        """Return what was kept of each partition."""
        futures = [
            self._cluster.submit(tasks.describe, kept, self._job.plan.n_classes, to=[worker])
            for worker, kept in zip(self._used, by_worker, strict=True)
        ]
        found = self._cluster.collect(futures, self._used)
        return sorted((x for each in found for x in each), key=lambda loaded: loaded.partition)

    def _listen(self) -> tuple[list[Any], list[Address]]:
        """Let workers listen for each other, whenever their turn comes, and return where."""
        used, submit = self._used, self._cluster.submit
        if len(used) == 1:
            return [None], []
        listeners = [submit(tasks.listen, to=[worker]) for worker in used]
        pairs = zip(used, listeners, strict=True)
        found = [submit(tasks.address_of, listener, to=[worker]) for worker, listener in pairs]
        return listeners, self._cluster.collect(found, used)

    def _train(
        self,
        listeners: Sequence[Any],
        addresses: Sequence[Address],
        by_worker: Sequence[Sequence[Any]],
        by_class: NDArray[np.int64],
    ) -> list[Report]:
        """Run one long task a worker.

        Of two fits at a time all workers must begin with the same, or each waits for the other. So
        tasks need nothing that is not on their worker, and those of a later graph come later.
        """
        import dask

        running = []
        for rank, worker in enumerate(self._used):
            with dask.annotate(workers=[worker], allow_other_workers=False):
                task = dask.delayed(tasks.train, pure=False)(
                    rank,
                    listeners[rank],
                    addresses,
                    self._cluster.timeout,
                    by_worker[rank],
                    by_class,
                    dask_key_name=f"{self._job.name}-train-{rank}",
                )
            running.append(task)
        futures = self._cluster.compute(running, optimize_graph=False, fifo_timeout=0)
        try:
            return self._cluster.collect(futures, self._used)
        except LostError:
            self._raise_reason(futures)
            raise

    def _raise_reason(self, futures: Sequence[Any]) -> None:
        """Raise what one worker failed of, if others have merely noticed that it did."""
        from distributed import KilledWorker

        for _ in range(20):  # they notice at once, but not at the same time
            there = self._cluster.workers()
            pairs = zip(self._used, futures, strict=True)
            if not any(f.status == "pending" for worker, f in pairs if worker in there):
                break
            time.sleep(0.1)
        for future in futures:
            if future.status == "error":
                error = future.exception(timeout=self._cluster.timeout)
                if not isinstance(error, LostError | KilledWorker):
                    raise error


def _same(job: Job) -> Job:
    return job


def _title(partition: int, n_train: int) -> str:
    """Return what errors call a partition."""
    if partition < n_train:
        return f"partition {partition}"
    return f"eval_set, partition {partition - n_train}"
