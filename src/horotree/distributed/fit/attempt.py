"""One attempt to grow trees: partitions are assigned to workers, binned there, and trained on."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree.distributed.ring.links import WorkerLostError
from horotree.distributed.ring.listener import Address
from horotree.training import Trained

from . import tasks
from .cluster import Cluster
from .messages import Job, Loaded, WorkerReport, check_examples
from .placement import place


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The ensembles of all targets, and by worker its report and its number of rows."""

    results: list[Trained]
    reports: dict[str, WorkerReport]
    rows: dict[str, int]

    @property
    def workers(self) -> dict[str, dict[str, Any]]:
        """What ``workers_`` holds."""
        return {
            worker: {
                "rows": self.rows[worker],
                "seconds": report.seconds,
                "seconds_waiting": report.traffic.seconds,
                "bytes": report.traffic.n_bytes,
                "sums": report.traffic.n_sums,
                "decisions": report.traffic.n_decisions,
                "memory": report.memory["now"],
                "peak_memory": report.memory["peak"],
            }
            for worker, report in self.reports.items()
        }


@dataclass(frozen=True, slots=True, eq=False)
class Raw:
    """Futures of the parts of each partition (X, y, weight), those to learn from first."""

    parts: Sequence[Sequence[Any]]
    sizes: Sequence[int]  # rows
    n_train: int  # partitions to learn from


class Attempt:
    """Trains once, on some of these workers.

    Each partition is released when it is binned; the caller releases the futures of the cluster.
    """

    def __init__(self, cluster: Cluster, job: Job, raw: Raw, workers: Sequence[str]) -> None:
        self._cluster = cluster
        self._job = job
        self._raw = raw
        self._chosen = self._place(workers)
        self._used = sorted(set(self._chosen))

    def run(self) -> Outcome:
        """Bin and train."""
        used, name = self._used, self._job.name
        job = self._cluster.submit(_same, self._job, to=used, key=f"{name}-job")
        stored = self._load(job)
        pairs = list(zip(stored, self._chosen, strict=True))
        by_worker = [[part for part, at in pairs if at == worker] for worker in used]
        loaded = self._describe(by_worker)
        check_examples(self._job, loaded)
        by_class = np.stack([part.by_class for part in loaded])
        reports = self._train(*self._listen(), by_worker, by_class)
        rows = dict.fromkeys(used, 0)
        for worker, part in zip(self._chosen, loaded, strict=True):
            rows[worker] += int(part.by_class.sum())
        results = [result for _, result in sorted(reports[0].results.items())]
        return Outcome(results, dict(zip(used, reports, strict=True)), rows)

    def _place(self, workers: Sequence[str]) -> list[str]:
        """Return the worker of each partition; those of an eval_set are spread by themselves."""
        tables = [parts[0] for parts in self._raw.parts]
        for _ in self._cluster.follow(tables):
            pass
        if not workers:
            raise WorkerLostError("no worker is there")
        where, sizes, n = self._cluster.holders(tables), self._raw.sizes, self._raw.n_train
        chosen = place(sizes[:n], where[:n], workers)
        return chosen + place(sizes[n:], where[n:], sorted(set(chosen)))

    def _load(self, job: Any) -> list[Any]:
        """Let workers bin their partitions; each raw one is released when that is done."""
        raw = self._raw
        stored = [
            self._cluster.submit(
                tasks.load,
                job,
                i,
                *raw.parts[i],
                title=_title(i, raw.n_train),
                validates=i >= raw.n_train,
                to=[worker],
                key=f"{self._job.name}-load-{i}",
            )
            for i, worker in enumerate(self._chosen)
        ]
        places = {future.key: i for i, future in enumerate(stored)}
        for future in self._cluster.follow(stored, self._used):
            parts = raw.parts[places[future.key]]
            self._cluster.release([part for part in parts if part is not None])
        return stored

    def _describe(self, by_worker: Sequence[Sequence[Any]]) -> list[Loaded]:
        """Return what was stored of each partition."""
        futures = [
            self._cluster.submit(tasks.describe, stored, self._job.plan.n_classes, to=[worker])
            for worker, stored in zip(self._used, by_worker, strict=True)
        ]
        found = self._cluster.collect(futures, self._used)
        return sorted((x for each in found for x in each), key=lambda loaded: loaded.partition)

    def _listen(self) -> tuple[list[Any], list[Address]]:
        """Let workers listen for each other; return futures of the listeners, and addresses."""
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
    ) -> list[WorkerReport]:
        """Run one long task per worker.

        When there are two fits at a time, all workers must begin with the same one, or each fit
        waits for the other. So a task needs only what is on its worker, and all tasks have a
        priority by the order of their graphs (``fifo_timeout=0``).
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
        except WorkerLostError:
            self._raise_cause(futures)
            raise

    def _raise_cause(self, futures: Sequence[Any]) -> None:
        """Raise the error of the worker that failed, if others only lost their connection to it."""
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
                if not isinstance(error, WorkerLostError | KilledWorker):
                    raise error


def _same(job: Job) -> Job:
    return job


def _title(partition: int, n_train: int) -> str:
    """Return the name of a partition in errors."""
    if partition < n_train:
        return f"partition {partition}"
    return f"eval_set, partition {partition - n_train}"
