"""The fit as the client sees it: survey, placement, binning, training, and starting again."""

import os
import time
import uuid
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from horotree.training import Boosted
from horotree.training.binning import SAMPLE
from horotree.trees import Columns

from . import _worker
from ._cluster import LostError, ask, collect, follow, workers_of
from ._collections import Partition
from ._placement import place
from ._plan import Job, Loaded, Report, check_examples
from ._progress import Progress
from ._survey import Agreement, Survey, agree, count_rows, join_surveys, survey

T = TypeVar("T")

# How many surveys are joined at a time.
FAN_IN = 16

# The sums of this many of the largest weights still fit in 64 bits.
MOST_EXAMPLES = 2**33


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The ensembles by place with their losses, and what each worker reports."""

    results: dict[int, tuple[Boosted, list[float]]]
    reports: dict[str, Report]
    rows: dict[str, int]


class Driver:
    """Fits on the partitions of a cluster's collections.

    Parameters
    ----------
    client : distributed.Client
        The cluster.
    train, evaluation : sequences of Partition
        What to learn from, and what to validate on.
    timeout : float
        Seconds that anybody waits for someone who does not answer.
    n_restarts : int
        How many times to go on when a worker is lost.
    """

    def __init__(
        self,
        client: Any,
        train: Sequence[Partition],
        evaluation: Sequence[Partition],
        timeout: float,
        n_restarts: int,
    ) -> None:
        self._client = client
        self._partitions = [*train, *evaluation]
        self._n_train = len(train)
        self._timeout = timeout
        self._n_restarts = n_restarts
        self._workers: list[str] | None = None  # None for all; those that answer after a loss
        self._raw: list[list[Any]] | None = None
        self._sizes: list[int] = []

    @property
    def n_rows(self) -> int:
        """The number of rows to learn from, also of those that have no weight."""
        return sum(self._sizes[: self._n_train])

    def survey(
        self,
        max_bins: int | None,
        class_weight: Any,
        categorical_features: Any,
        columns: Columns | None,
    ) -> Agreement:
        """Look through all partitions to learn from; return what follows for all machines."""
        self._persist(self._count, lambda: "before the first tree")
        n_rows = self.n_rows
        if n_rows == 0:
            raise ValueError("X has no rows: pass a collection that is not empty.")
        if n_rows >= MOST_EXAMPLES:
            raise ValueError(f"X has {n_rows} rows, which is more than {MOST_EXAMPLES - 1}.")
        exact = max_bins is None or n_rows <= SAMPLE
        options = {"categorical_features": categorical_features, "exact": exact}
        whole = self._persist(partial(self._survey, options), lambda: "before the first tree")
        if whole is None:
            raise ValueError("sample_weight must not be zero everywhere: give some row a weight.")
        return agree(whole, max_bins, class_weight, columns)

    def _survey(self, options: Mapping[str, Any]) -> Survey | None:
        def submit(function: Callable[..., Any], *args: Any, **rest: Any) -> Any:
            where = {"workers": self._workers, "pure": False}
            return self._client.submit(function, *args, **rest, **where)

        raw = self._compute()[: self._n_train]
        found = [submit(survey, i, *parts, **options) for i, parts in enumerate(raw)]
        while len(found) > 1:
            groups = [found[i : i + FAN_IN] for i in range(0, len(found), FAN_IN)]
            found = [submit(join_surveys, group, exact=options["exact"]) for group in groups]
        whole: Survey | None = collect(self._client, found, self._timeout)[0]
        return whole

    def fit(self, job: Job, progress: Progress) -> Outcome:
        """Train, and start again from the last finished tree when workers are lost."""

        def attempt() -> Outcome:
            starts, done = progress.state()
            name = f"horotree-{uuid.uuid4().hex}"
            self._client.subscribe_topic(name, progress.hear)
            try:
                return self._attempt(replace(job, name=name, starts=starts, done=done))
            finally:
                self._clean(name)

        return self._persist(attempt, lambda: f"after {progress.n_trees} trees")

    def _persist(self, attempt: Callable[[], T], tell: Callable[[], str]) -> T:
        """Try until nobody is lost, as often as is allowed; ``tell`` says how far it came."""
        while True:
            try:
                return attempt()
            except LostError as error:
                if self._n_restarts == 0:
                    raise RuntimeError(
                        f"the fit has lost a worker, {tell()}, and may not start again ({error}): "
                        "look for its reason in the workers' logs (memory, as a rule), or raise "
                        "n_restarts."
                    ) from error
                self._n_restarts -= 1
                self._raw = None
                self._workers = self._answering(error)
                warnings.warn(
                    f"the fit has lost a worker ({error}) and goes on {tell()}, on "
                    f"{len(self._workers)} worker(s).",
                    RuntimeWarning,
                    stacklevel=5,
                )

    def _attempt(self, job: Job) -> Outcome:
        client, name = self._client, job.name
        chosen = self._place()
        used = sorted(set(chosen))
        shared = client.submit(_same, job, workers=used, pure=False, key=f"{name}-job")
        loaded = self._load(shared, name, chosen, used)
        check_examples(job, loaded)
        by_class = np.stack([part.by_class for part in loaded])
        validates = bool(job.fraction) or self._n_train < len(self._partitions)
        where = None
        if len(used) > 1:
            found = ask(
                client, _worker.start_tracker, name, len(used), int(self._timeout), workers=used[:1]
            )
            if not found:
                raise LostError(f"{used[0]} does not answer")
            where = found[used[0]]
        futures = self._submit_training(shared, name, used, where, by_class, validates=validates)
        try:
            told = collect(client, futures, self._timeout, used)
        except LostError:
            self._raise_reason(dict(zip(used, futures, strict=True)))
            raise
        reports = dict(zip(used, told, strict=True))
        rows: dict[str, int] = dict.fromkeys(used, 0)
        for worker, part in zip(chosen, loaded, strict=True):
            rows[worker] += int(part.by_class.sum())
        return Outcome(reports[used[0]].results or {}, reports, rows)

    def _compute(self) -> list[list[Any]]:
        """Return futures of all partitions' parts; they are released when this list is."""
        if self._raw is None:
            parts = [part for p in self._partitions for part in (p.X, p.y, p.weight)]
            waiting = [part for part in parts if part is not None]
            futures = iter(self._client.compute(waiting, workers=self._workers))
            flat = [None if part is None else next(futures) for part in parts]
            self._raw = [flat[i : i + 3] for i in range(0, len(flat), 3)]
        return self._raw

    def _count(self) -> None:
        tables = [parts[0] for parts in self._compute()]
        counted = self._client.map(count_rows, tables, workers=self._workers, pure=False)
        self._sizes = collect(self._client, counted, self._timeout)

    def _place(self) -> list[str]:
        """Return the worker of each partition; those of an eval_set are spread by themselves."""
        tables = [parts[0] for parts in self._compute()]
        for _ in follow(self._client, tables, self._timeout):
            pass
        holders = self._client.who_has(tables)
        where = [holders.get(table.key, ()) for table in tables]
        n, workers = self._n_train, self._workers or workers_of(self._client)
        chosen = place(self._sizes[:n], where[:n], workers)
        return chosen + place(self._sizes[n:], where[n:], sorted(set(chosen)))

    def _load(
        self, shared: Any, name: str, chosen: Sequence[str], used: Sequence[str]
    ) -> list[Loaded]:
        """Let workers bin their partitions; each raw one is released when that is done."""
        raw, self._raw = self._compute(), None
        futures = {}
        for i, worker in enumerate(chosen):
            future = self._client.submit(
                _worker.load,
                shared,
                i,
                *raw[i],
                apart=i >= self._n_train,
                workers=[worker],
                allow_other_workers=False,
                pure=False,
                key=f"{name}-load-{i}",
            )
            futures[future.key] = future
        places = {key: i for i, key in enumerate(futures)}
        for future in follow(self._client, list(futures.values()), self._timeout, used):
            raw[places[future.key]] = []
        return collect(self._client, list(futures.values()), self._timeout, used)

    def _submit_training(
        self,
        shared: Any,
        name: str,
        used: Sequence[str],
        where: Mapping[str, Any] | None,
        by_class: Any,
        *,
        validates: bool,
    ) -> list[Any]:
        """Start one long task a worker, all in one graph.

        Tasks of a graph have one priority: of two fits at a time, all workers begin with the same.
        """
        import dask

        tasks = []
        for rank, worker in enumerate(used):
            with dask.annotate(workers=[worker], allow_other_workers=False):
                task = dask.delayed(_worker.train, pure=False)(
                    shared,
                    rank,
                    where,
                    int(self._timeout),
                    by_class,
                    validates=validates,
                    dask_key_name=f"{name}-train-{rank}",
                )
            tasks.append(task)
        return list(self._client.compute(tasks, optimize_graph=False))

    def _raise_reason(self, futures: Mapping[str, Any]) -> None:
        """Raise what one worker failed of, if others have merely noticed that it did."""
        from distributed import KilledWorker

        for _ in range(20):  # they notice at once, but not at the same time
            there = workers_of(self._client)
            if not any(f.status == "pending" for w, f in futures.items() if w in there):
                break
            time.sleep(0.1)
        for future in futures.values():
            if future.status == "error":
                error = future.exception()
                if not isinstance(error, ConnectionError | KilledWorker | _worker.StoppedError):
                    raise error

    def _answering(self, error: LostError) -> list[str]:
        """Return the workers that are alive; there is one at least."""
        deadline = time.monotonic() + self._timeout
        while time.monotonic() < deadline:
            time.sleep(1.0)  # the scheduler learns of a death, and a new worker may come
            workers = workers_of(self._client)
            alive = sorted(ask(self._client, os.getpid, workers=workers))
            if alive:
                return alive
        raise RuntimeError(
            f"all workers are lost ({error}), and none has come for {self._timeout:g} seconds: "
            "start workers and fit again, or raise timeout."
        )

    def _clean(self, name: str) -> None:
        """Leave nothing of an attempt on the cluster, as far as it can be reached."""
        client = self._client
        if client.status != "running":
            return
        client.unsubscribe_topic(name)
        with suppress(Exception):
            keys = [key for key in client.futures if str(key).startswith(name)]
            client.cancel([client.futures[key] for key in keys])
            ask(client, _worker.forget, name, workers=self._workers or workers_of(client))
            client.run_on_scheduler(_forget_topic, name)


def _same(job: Job) -> Job:
    return job


def _forget_topic(name: str, dask_scheduler: Any) -> None:
    """Drop the events of an attempt, which the scheduler would keep."""
    with suppress(AttributeError, KeyError):
        del dask_scheduler._broker._topics[name]  # noqa: SLF001 - there is no public way
