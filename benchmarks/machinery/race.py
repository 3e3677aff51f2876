"""Times that can be compared: all in turn, several times, and medians of that."""

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from sklearn.metrics import log_loss
from threadpoolctl import ThreadpoolController

from benchmarks.machinery.cores import Alone
from benchmarks.machinery.rows import LEAVES, Split
from benchmarks.models.classifiers import PEERS, mean_leaves, our_sized

MAKERS = {"ours": our_sized} | PEERS

# How often a call is timed for one time that counts, at most.
MOST_TRIES = 6

# What runs: a name, and how many threads it may use.
Entry = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Timed:
    """The median CPU and wall time of a call, in seconds, and what its last one returned.

    ``n_again`` tells how often it was timed again, since the machine was not all ours, and
    ``counts`` whether it was all ours in the end.
    """

    cpu: float
    wall: float
    returned: Any
    n_again: int
    counts: bool


@dataclass(frozen=True, slots=True)
class Result:
    """What one model did: seconds, and quality on rows that it did not see."""

    cpu: float
    wall: float
    leaves: float
    error: float
    log_loss: float
    n_again: int = 0
    counts: bool = True


def race(
    calls: Mapping[Entry, Callable[[], Any]],
    repeats: int,
    clocks: Sequence[Callable[[], float]] = (time.process_time, time.perf_counter),
    is_ours: Callable[[], bool] = lambda: True,
) -> dict[Entry, Timed]:
    """Time calls, each in turn ``repeats`` times, with as many threads as its entry says.

    A call counts if the machine was all ours before and after it, else it is timed again, until
    there have been enough tries: the last one counts anyhow. What is loaded now is limited:
    HistGradientBoosting by this alone, and NumPy's BLAS. So call everything once before.
    """
    times: dict[Entry, list[list[float]]] = {entry: [] for entry in calls}
    returned: dict[Entry, Any] = {}
    n_again = dict.fromkeys(calls, 0)
    all_count = dict.fromkeys(calls, True)
    controller = ThreadpoolController()
    for _ in range(repeats):
        for entry, call in calls.items():
            n_tries, counts = 0, False
            while not counts and n_tries < MOST_TRIES:
                n_tries += 1
                returned.pop(entry, None)
                gc.collect()  # nobody pays for another's garbage
                counts = is_ours()
                with controller.limit(limits=entry[1]):
                    start = [clock() for clock in clocks]
                    returned[entry] = call()
                    end = [clock() for clock in clocks]
                counts = counts and is_ours()
            n_again[entry] += n_tries - 1
            all_count[entry] &= counts
            times[entry].append([b - a for a, b in zip(start, end, strict=True)])
    found = {}
    for entry in calls:
        cpu, wall = (statistics.median(one) for one in zip(*times[entry], strict=True))
        found[entry] = Timed(cpu, wall, returned[entry], n_again[entry], all_count[entry])
    return found


def race_fits(
    data: Split, trees: Mapping[str, int], threads: Sequence[int], repeats: int
) -> dict[Entry, Timed]:
    """Fit each model, with its number of trees, on each number of threads."""

    def fit(make: Callable[..., Any], n_threads: int, rows: slice, n_trees: int) -> Any:
        return make(n_threads, n_trees, LEAVES).fit(data.X[rows], data.y[rows])

    for name in trees:
        fit(MAKERS[name], max(threads), slice(400), 2)  # load libraries, start threads
    calls = {
        (name, n): partial(fit, MAKERS[name], n, slice(None), n_trees)
        for name, n_trees in trees.items()
        for n in threads
    }
    return race(calls, repeats, is_ours=Alone())


def measure(
    data: Split, n_trees: int, names: Sequence[str], threads: Sequence[int], repeats: int
) -> dict[Entry, Result]:
    """Return times and quality of each model with so many trees, on each number of threads."""
    timed = race_fits(data, dict.fromkeys(names, n_trees), threads, repeats)
    return {
        entry: replace(
            evaluate(one.returned, data, cpu=one.cpu, wall=one.wall),
            n_again=one.n_again,
            counts=one.counts,
        )
        for entry, one in timed.items()
    }


def evaluate(model: Any, data: Split, *, cpu: float, wall: float) -> Result:
    """Return a model's quality on the test rows, next to its times."""
    posterior = model.predict_proba(data.X_test)[:, 1].astype(np.float64)
    return Result(
        cpu,
        wall,
        mean_leaves(model),
        float(np.mean((posterior > 0.5) != data.y_test)),
        float(log_loss(data.y_test, posterior)),
    )
