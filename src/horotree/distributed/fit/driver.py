"""The fit on the client: survey, training, and restarts when workers are lost."""

import os
import secrets
import time
import uuid
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Self, TypeVar

from horotree.distributed.partitions import Partition
from horotree.distributed.ring.links import WorkerLostError
from horotree.training.binning import SAMPLE
from horotree.trees import Columns

from .attempt import Attempt, Outcome, Raw
from .cluster import Cluster
from .messages import Job
from .progress import Progress
from .survey import BinnedTask, Survey, count_rows, join_surveys, make_task, survey

T = TypeVar("T")

# How many surveys are joined at a time.
FAN_IN = 16

# The sums of this many of the largest weights still fit in 64 bits.
MOST_EXAMPLES = 2**33


class Driver:
    """Fits on partitions; a context that leaves nothing on the cluster.

    ``timeout`` is how many seconds to wait for a worker that does not answer, ``n_restarts`` how
    many times to continue when a worker is lost.
    """

    def __init__(
        self,
        client: Any,
        train: Sequence[Partition],
        evaluation: Sequence[Partition],
        timeout: float,
        n_restarts: int,
    ) -> None:
        self._cluster = Cluster(client, timeout)
        self._partitions = [*train, *evaluation]
        self._n_train = len(train)
        self._n_restarts = n_restarts
        self._workers: list[str] | None = None  # None for all; after a loss those that answer
        self._raw: list[list[Any]] | None = None
        self._sizes: list[int] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._release()

    def survey(
        self,
        max_bins: int | None,
        class_weight: Any,
        categorical_features: Any,
        columns: Columns | None,
    ) -> BinnedTask:
        """Read all partitions to learn from; return the problem that all workers share."""
        self._retry(self._count, lambda: "before the first tree")
        n_rows = sum(self._sizes[: self._n_train])
        if n_rows == 0:
            raise ValueError("X has no rows: pass a collection that is not empty.")
        if n_rows >= MOST_EXAMPLES:
            raise ValueError(f"X has {n_rows} rows, which is more than {MOST_EXAMPLES - 1}.")
        exact = max_bins is None or n_rows <= SAMPLE
        options = {"categorical_features": categorical_features, "exact": exact}
        whole = self._retry(partial(self._survey, options), lambda: "before the first tree")
        if whole is None or not whole.n_examples:
            raise ValueError("sample_weight must not be zero everywhere: give some row a weight.")
        return make_task(whole, max_bins, class_weight, columns)

    def fit(self, job: Job, progress: Progress) -> Outcome:
        """Train; restart from the last finished tree when workers are lost."""
        client = self._cluster.client

        def attempt() -> Outcome:
            name = f"horotree-{uuid.uuid4().hex}"
            starts, done = progress.begin(name)
            client.subscribe_topic(name, partial(progress.hear, name))
            try:
                raw, self._raw = Raw(self._compute(), self._sizes, self._n_train), None
                workers = self._workers or self._cluster.workers()
                key = secrets.token_bytes(32)
                this = replace(job, name=name, key=key, starts=starts, done=done)
                return Attempt(self._cluster, this, raw, workers).run()
            finally:
                self._clean(name)

        return self._retry(attempt, lambda: f"after {progress.n_trees} trees")

    def _retry(self, attempt: Callable[[], T], stage: Callable[[], str]) -> T:
        """Try again when a worker is lost, at most ``n_restarts`` times in all.

        ``stage`` says in messages how far the fit has come.
        """
        while True:
            try:
                return attempt()
            except WorkerLostError as error:
                self._release()
                if self._n_restarts == 0:
                    raise RuntimeError(
                        f"the fit has lost a worker, {stage()}, and has no restart left ({error}): "
                        "find the cause in the logs of the workers (often memory), or raise "
                        "n_restarts."
                    ) from error
                self._n_restarts -= 1
                self._workers = self._answering(error)
                warnings.warn(
                    f"the fit has lost a worker ({error}) and continues {stage()}, on "
                    f"{len(self._workers)} worker(s).",
                    RuntimeWarning,
                    stacklevel=4,
                )

    def _release(self) -> None:
        """Release all partitions and results: Dask computes again what is asked for again."""
        self._cluster.release()
        self._raw = None

    def _compute(self) -> list[list[Any]]:
        """Return futures of the parts of all partitions: the same ones until they are released."""
        if self._raw is None:
            parts = [part for p in self._partitions for part in (p.X, p.y, p.weight)]
            waiting = [part for part in parts if part is not None]
            futures = iter(self._cluster.compute(waiting, self._workers))
            flat = [None if part is None else next(futures) for part in parts]
            self._raw = [flat[i : i + 3] for i in range(0, len(flat), 3)]
        return self._raw

    def _count(self) -> None:
        import dask

        count = dask.delayed(count_rows, pure=False)
        counted = [count(parts[0]) for parts in self._compute()]
        self._sizes = self._cluster.collect(self._cluster.compute(counted, self._workers))

    def _survey(self, options: Mapping[str, Any]) -> Survey | None:
        import dask

        look, join = dask.delayed(survey, pure=False), dask.delayed(join_surveys, pure=False)
        raw = self._compute()[: self._n_train]
        found = [look(i, *parts, **options) for i, parts in enumerate(raw)]
        while len(found) > 1:
            groups = [found[i : i + FAN_IN] for i in range(0, len(found), FAN_IN)]
            found = [join(group, exact=options["exact"]) for group in groups]
        whole: Survey | None
        (whole,) = self._cluster.collect(self._cluster.compute(found, self._workers))
        return whole

    def _answering(self, error: WorkerLostError) -> list[str]:
        """Return the workers that are alive, at least one."""
        timeout = self._cluster.timeout
        deadline = time.monotonic() + timeout
        while True:
            time.sleep(1.0)  # the scheduler has to notice, and a new worker may come
            alive = sorted(self._cluster.ask(os.getpid, self._cluster.workers()))
            if alive:
                return alive
            if time.monotonic() > deadline:
                break
        raise RuntimeError(
            f"all workers are lost ({error}), and no new one has come for {timeout:g} seconds: "
            "start workers and fit again, or raise timeout."
        )

    def _clean(self, name: str) -> None:
        """Remove what an attempt left on the cluster, as far as it can be reached."""
        self._release()
        if self._cluster.client.status == "running":
            with suppress(Exception):  # a scheduler that has gone holds nothing
                self._cluster.client.unsubscribe_topic(name)
                self._cluster.forget_topic(name)
