"""Clusters of local workers, tables that their workers make, and what fits on them take."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.machinery.rows import LEAVES, say

HOST = "127.0.0.1"

# Exchanges that are timed alone: 8-byte numbers each, and how many times.
EXCHANGES = ((1, 200), (5_000, 200), (25_000, 100), (100_000, 40))


@dataclass(frozen=True, slots=True)
class Size:
    """A table: its rows, features and partitions."""

    rows: int
    features: int
    partitions: int


@dataclass(frozen=True, slots=True)
class Fit:
    """What a fit took: seconds in all; ours, of a worker: waiting, bytes, exchanges, memory.

    Memory is that of a process before the fit, as training ends, and at most.
    """

    seconds: float
    trees: int
    training: float = np.nan
    waiting: float = np.nan
    sent: float = np.nan
    sums: float = np.nan
    decisions: float = np.nan
    rest: float = np.nan
    memory: float = np.nan
    peak: float = np.nan
    model: Any = None

    @property
    def key(self) -> float:
        """What makes one fit faster than another: the training where that is known."""
        return self.seconds if np.isnan(self.training) else self.training


@dataclass(frozen=True, slots=True)
class Exchange:
    """How long workers take to add up so many bytes; None bytes for one that tells the others."""

    workers: int
    n_bytes: int | None
    seconds: float


@contextmanager
def cluster(n_workers: int) -> Iterator[Any]:
    """Yield the client of so many worker processes on this machine, of one thread each."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            host=HOST,
            dashboard_address=None,
            memory_limit=None,
            silence_logs=50,
        ) as workers,
        Client(workers) as client,
    ):
        client.wait_for_workers(n_workers)
        yield client


def make_part(part: int, rows: int, features: int) -> NDArray[np.float32]:
    """Return a part of the table, and the class in a last column: a noisy sum of products."""
    rng = np.random.default_rng([7, part])
    table = rng.standard_normal((rows, features + 1), dtype=np.float32)
    signal = (table[:, 0:8:2] * table[:, 1:8:2]).sum(axis=1) + table[:, 8:12].sum(axis=1)
    table[:, -1] = signal + 2.0 * table[:, -1] > 0.0
    return table


Data = tuple[Any, Any]


def collections(size: Size) -> Data:
    """Return X and y as Dask arrays, which workers make when they are asked for."""
    import dask
    import dask.array as da

    ends = np.arange(size.partitions + 1) * size.rows // size.partitions
    parts = [
        da.from_delayed(
            dask.delayed(make_part)(i, int(rows), size.features),
            (int(rows), size.features + 1),
            np.float32,
        )
        for i, rows in enumerate(np.diff(ends))
    ]
    whole = da.concatenate(parts)
    return whole[:, :-1], whole[:, -1].astype(np.int8)


def fit_ours(client: Any, data: Data, trees: int) -> Fit:
    """Fit ours; workers tell what it took."""
    from horotree.distributed import DaskLogisticBoostClassifier
    from horotree.distributed.fit.tasks import memory_of

    at_rest = client.run(memory_of)
    model = DaskLogisticBoostClassifier(trees, max_leaf_nodes=LEAVES, client=client)
    seconds = _time(model, data)
    reports = list(model.workers_.values())

    def mean(name: str) -> float:
        return float(np.mean([one[name] for one in reports]))

    return Fit(
        seconds,
        trees,
        training=mean("seconds"),
        waiting=mean("seconds_waiting"),
        sent=mean("bytes"),
        sums=mean("sums"),
        decisions=mean("decisions"),
        rest=float(np.mean([one["now"] for one in at_rest.values()])),
        memory=mean("memory"),
        peak=max(one["peak_memory"] for one in reports),
        model=model.model_,
    )


def fit_xgboost(client: Any, data: Data, trees: int) -> Fit:
    """Fit XGBoost's histogram trees, grown best leaf first as the others are."""
    from xgboost.dask import DaskXGBClassifier

    model = DaskXGBClassifier(
        n_estimators=trees,
        max_leaves=LEAVES,
        max_depth=0,
        grow_policy="lossguide",
        tree_method="hist",
        learning_rate=0.1,
        n_jobs=1,
        verbosity=0,
    )
    model.client = client
    return Fit(_time(model, data), trees)


def fit_lightgbm(client: Any, data: Data, trees: int) -> Fit:
    """Fit LightGBM, each worker with its rows."""
    from lightgbm import DaskLGBMClassifier

    model = DaskLGBMClassifier(
        n_estimators=trees,
        num_leaves=LEAVES,
        tree_learner="data",
        client=client,
        verbosity=-1,
    )
    return Fit(_time(model, data), trees)


MODELS = {"ours": fit_ours, "XGBoost": fit_xgboost, "LightGBM": fit_lightgbm}


def _time(model: Any, data: Data) -> float:
    X, y = data
    start = time.perf_counter()
    model.fit(X, y)
    return time.perf_counter() - start


def time_exchanges(client: Any) -> list[Exchange]:
    """Time sums over the workers, without a fit."""
    from horotree.distributed.fit import tasks

    workers = sorted(client.nthreads())
    if len(workers) == 1:
        return []
    listeners = [client.submit(tasks.listen, workers=[w], pure=False) for w in workers]
    addresses = client.gather(
        [
            client.submit(tasks.address_of, listener, workers=[worker])
            for listener, worker in zip(listeners, workers, strict=True)
        ]
    )
    futures = [
        client.submit(_exchange, listener, addresses, rank, EXCHANGES, workers=[worker], pure=False)
        for rank, (listener, worker) in enumerate(zip(listeners, workers, strict=True))
    ]
    seconds = np.median(client.gather(futures), axis=0)
    sizes = [8 * n for n, _ in EXCHANGES]
    return [
        Exchange(len(workers), n_bytes, float(s))
        for n_bytes, s in zip([*sizes, None], seconds, strict=True)
    ]


def _exchange(
    listener: Any, addresses: Any, rank: int, sizes: Sequence[tuple[int, int]]
) -> list[float]:
    """Return the median time of exchanges of each size, on a worker."""
    from horotree.distributed.ring.handshake import connect
    from horotree.distributed.ring.ring import Ring, Traffic

    medians = []
    with closing(connect(listener, addresses, rank, bytes(32), 60.0, lambda: None)) as links:
        ring = Ring(links, rank, len(addresses), Traffic())
        for n, times in sizes:
            medians.append(_median(partial(ring.sums, np.ones(n, np.int64)), times))
        decision = np.ones(8, np.int64)
        medians.append(_median(partial(_decide_in_turn, ring, decision), sizes[0][1]))
        medians[-1] -= medians[0]
    return medians


def _decide_in_turn(ring: Any, decision: NDArray[np.int64]) -> None:
    """Let the first tell the others, who answer: else it would be ahead of them."""
    ring.decide(decision)
    ring.sums(decision[:1])


def _median(call: Callable[[], Any], times: int) -> float:
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return float(np.median(seconds))


def per_tree(few: Fit, many: Fit, name: str = "seconds") -> float:
    """Return what a tree takes: the difference of two fits, without what comes before trees."""
    return float((getattr(many, name) - getattr(few, name)) / (many.trees - few.trees))


def measure(
    client: Any, size: Size, names: Sequence[str], trees: Sequence[int], repeats: int
) -> dict[str, list[Fit]]:
    """Fit each model with few trees and with many, in turn; the fastest of each counts.

    Data are there before. Ours has one more fit of few trees, the first of all, for which workers
    make the data: its memory is that of a fit, without data that stay.
    """
    from distributed import wait

    for name in names:
        MODELS[name](client, collections(Size(2_000, size.features, 2)), 1)  # warm up
    data = collections(size)
    lean = fit_ours(client, data, trees[0])
    data = client.persist(data)
    wait(data)
    fits: dict[str, list[list[Fit]]] = {name: [[] for _ in trees] for name in names}
    for _ in range(repeats):
        for name in names:
            say(f"  {name}, {size.rows:,} rows")
            for place, n in enumerate(trees):
                fits[name][place].append(MODELS[name](client, data, n))
    best = {
        name: [min(same, key=lambda fit: fit.key) for same in by_size]
        for name, by_size in fits.items()
    }
    best["lean"] = [lean]
    return best
