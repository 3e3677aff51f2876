"""The fit as the client sees it: survey, training, and starting again when workers are lost."""

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

from horotree.distributed.collections import Partition
from horotree.distributed.ring.lost import LostError
from horotree.training.binning import SAMPLE
from horotree.trees import Columns

from .attempt import Attempt, Outcome, Raw
from .cluster import Cluster
from .plan import Job
from .progress import Progress
from .survey import Agreement, Survey, agree, count_rows, join_surveys, survey

T = TypeVar("T")

# How many surveys are joined at a time.
FAN_IN = 16

# The sums of this many of the largest weights still fit in 64 bits.
MOST_EXAMPLES = 2**33


class Driver:
    """Fits on the partitions of a cluster's collections; a context that leaves nothing behind.

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
        self._cluster = Cluster(client, timeout)
        self._partitions = [*train, *evaluation]
        self._n_train = len(train)
        self._n_restarts = n_restarts
        self._workers: list[str] | None = None  # None for all; those that answer after a loss
        self._raw: list[list[Any]] | None = None
        self._sizes: list[int] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._release()

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
        if whole is None or not whole.n_examples:
            raise ValueError("sample_weight must not be zero everywhere: give some row a weight.")
        return agree(whole, max_bins, class_weight, columns)

    def fit(self, job: Job, progress: Progress) -> Outcome:
        """Train, and start again from the last finished tree when workers are lost."""
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

        return self._persist(attempt, lambda: f"after {progress.n_trees} trees")

    def _persist(self, attempt: Callable[[], T], tell: Callable[[], str]) -> T:
        """Try until nobody is lost, as often as is allowed; ``tell`` says how far it came."""
        while True:
            try:
                return attempt()
            except LostError as error:
                self._release()
                if self._n_restarts == 0:
                    raise RuntimeError(
                        f"the fit has lost a worker, {tell()}, and may not start again ({error}): "
                        "look for its reason in the workers' logs (memory, as a rule), or raise "
                        "n_restarts."
                    ) from error
                self._n_restarts -= 1
                self._workers = self._answering(error)
                warnings.warn(
                    f"the fit has lost a worker ({error}) and goes on {tell()}, on "
                    f"{len(self._workers)} worker(s).",
                    RuntimeWarning,
                    stacklevel=5,
                )

    def _release(self) -> None:
        """Let go of all partitions and results, so that Dask begins anew with what it is asked."""
        self._cluster.release()
        self._raw = None

    def _compute(self) -> list[list[Any]]:
        """Return futures of all partitions' parts, the same ones until they are released."""
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

    def _answering(self, error: LostError) -> list[str]:
        """Return the workers that are alive; there is one at least."""
        timeout = self._cluster.timeout
        deadline = time.monotonic() + timeout
        while True:
            time.sleep(1.0)  # the scheduler learns of a death, and a new worker may come
            alive = sorted(self._cluster.ask(os.getpid, workers=self._cluster.workers()))
            if alive:
                return alive
            if time.monotonic() > deadline:
                break
        raise RuntimeError(
            f"all workers are lost ({error}), and none has come for {timeout:g} seconds: start "
            "workers and fit again, or raise timeout."
        )

    def _clean(self, name: str) -> None:
        """Leave nothing of an attempt on the cluster, as far as it can be reached."""
        self._release()
        if self._cluster.client.status == "running":
            with suppress(Exception):  # who has gone needs no cleaning
                self._cluster.client.unsubscribe_topic(name)
                self._cluster.forget_topic(name)
