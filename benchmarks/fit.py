"""How long a fit takes, ours and the peers', all in one alternating run.

Run as ``python -m benchmarks.fit``. All have the same data and the same trees × leaves, and all
else as it comes; binning is included. One thread is measured in CPU time, more in wall time.
"""

import argparse
import gc
import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from threadpoolctl import threadpool_limits

from benchmarks._data import (
    SUFFIX,
    Dataset,
    Loader,
    breast_cancer,
    find_domains,
    find_folder,
    synthetic,
)
from benchmarks._models import PEERS, find_peers, mean_leaves, our_sized, versions

LEAVES = 101


@dataclass(frozen=True, slots=True)
class Row:
    """A data set and how many trees are grown on it, in all and for a quick look."""

    source: str | Loader
    trees: int
    quick_trees: int


# A text is the name of a domain in the data folder.
ROWS = {
    "breast_cancer": Row(breast_cancer, 200, 200),
    "small": Row(partial(synthetic, 10_000, 20), 200, 200),
    "online_shoppers": Row("online_shoppers_intention", 200, 200),
    "hardware": Row("hardware", 200, 200),
    "medium": Row(partial(synthetic, 100_000, 50), 200, 40),
    "give_me_some_credit": Row("give_me_some_credit", 200, 50),
    "large": Row(partial(synthetic, 583_000, 78), 50, 10),
}


@dataclass(frozen=True, slots=True)
class Result:
    """What one model did: seconds, and quality on rows that it did not see."""

    seconds: float
    leaves: float
    error: float
    log_loss: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table row by row; return 0 or 2."""
    options = _parse(arguments)
    try:
        folder = find_folder(options.data)
        loaders = _find_loaders(options.rows, folder)
    except (FileNotFoundError, LookupError) as error:
        print(f"Error: {error}.", file=sys.stderr)
        return 2
    peers, missing = find_peers(tuple(PEERS))
    for name in missing:
        _say(f"left out: {name} is not installed")
    _print_head(options)
    ratios = {}
    for name, load in loaders.items():
        trees = options.trees or (ROWS[name].quick_trees if options.quick else ROWS[name].trees)
        _say(f"{name}: {trees} trees")
        dataset = load()
        results = _measure(dataset, trees, peers, options.threads, options.repeats)
        _print_results(name, dataset, trees, results)
        if "LightGBM" in results:
            ratios[name] = results["ours"].seconds / results["LightGBM"].seconds
    if ratios:
        n_won = sum(ratio <= 1.0 for ratio in ratios.values())
        print(f"\nNo slower than LightGBM on {n_won} of {len(ratios)} rows.")
    return 0


def race(
    fits: Mapping[str, Callable[[], Any]], repeats: int, clock: Callable[[], float]
) -> dict[str, tuple[float, Any]]:
    """Return the median time of each fit, called in turn ``repeats`` times, and its last model."""
    times: dict[str, list[float]] = {name: [] for name in fits}
    models: dict[str, Any] = {}
    for _ in range(repeats):
        for name, fit in fits.items():
            models.pop(name, None)
            gc.collect()  # nobody pays for another's garbage
            start = clock()
            models[name] = fit()
            times[name].append(clock() - start)
    return {name: (statistics.median(times[name]), models[name]) for name in fits}


def _measure(
    dataset: Dataset, trees: int, peers: Sequence[str], n_threads: int, repeats: int
) -> dict[str, Result]:
    n_rows = len(dataset.y)
    train, test = train_test_split(
        np.arange(n_rows), test_size=n_rows // 5, stratify=dataset.y, random_state=0
    )
    X, y = dataset.take(train)
    makers = {"ours": our_sized} | {name: PEERS[name] for name in peers}

    def fit(make: Callable[..., Any], rows: slice, n_trees: int) -> Any:
        return make(n_threads, n_trees, LEAVES).fit(X[rows], y[rows])

    for make in makers.values():
        fit(make, slice(400), 2)  # load libraries, start threads
    # What is loaded now is limited: HistGradientBoosting by this alone, and NumPy's BLAS.
    with threadpool_limits(n_threads):
        timed = race(
            {name: partial(fit, make, slice(None), trees) for name, make in makers.items()},
            repeats,
            time.process_time if n_threads == 1 else time.perf_counter,
        )
        return {
            name: _evaluate(model, s, *dataset.take(test)) for name, (s, model) in timed.items()
        }


def _evaluate(model: Any, seconds: float, X: Any, y: Any) -> Result:
    posterior = model.predict_proba(X)[:, 1].astype(np.float64)
    return Result(
        seconds,
        mean_leaves(model),
        float(np.mean((posterior > 0.5) != y)),
        float(log_loss(y, posterior)),
    )


def _find_loaders(names: Sequence[str], folder: Path | None) -> dict[str, Loader]:
    domains = find_domains(folder)
    loaders: dict[str, Loader] = {}
    for name in names:
        source = ROWS[name].source
        if not isinstance(source, str):
            loaders[name] = source
        elif source in domains:
            loaders[name] = domains[source]
        else:
            _say(f"left out: {name}, for want of {source}{SUFFIX}; --data names its folder")
    if not loaders:
        raise LookupError("no row is left to measure")
    return loaders


def _print_head(options: argparse.Namespace) -> None:
    clock = "CPU time" if options.threads == 1 else "wall time"
    print(f"{versions()}\n{options.threads} of {os.cpu_count()} cores, {LEAVES} leaves, {clock},")
    print(f"median of {options.repeats}, load {os.getloadavg()[0]:.1f} before the run\n")
    print("| train data | trees | model | seconds | to fastest peer | to LightGBM ", end="")
    print("| leaves a tree | error % | log-loss |\n|---|---|---|---|---|---|---|---|---|")


def _print_results(name: str, dataset: Dataset, trees: int, results: dict[str, Result]) -> None:
    n_rows, n_features = dataset.X.shape
    data = f"{name} {n_rows - n_rows // 5:,}×{n_features}"
    fastest = min((r.seconds for model, r in results.items() if model != "ours"), default=np.nan)
    lightgbm = results["LightGBM"].seconds if "LightGBM" in results else np.nan
    for model, result in results.items():
        print(
            f"| {data} | {trees} | {model} | {result.seconds:.3f} | {result.seconds / fastest:.2f} "
            f"| {result.seconds / lightgbm:.2f} | {result.leaves:.1f} | {100 * result.error:.2f} "
            f"| {result.log_loss:.4f} |",
            flush=True,
        )


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fit", description=__doc__)
    parser.add_argument("--data", type=Path, metavar="DIR", help=f"folder of <domain>{SUFFIX}")
    parser.add_argument("--rows", nargs="+", choices=list(ROWS), default=list(ROWS), metavar="ROW")
    parser.add_argument("--quick", action="store_true", help="fewer trees on the large rows")
    parser.add_argument("--trees", type=int, help="so many trees on every row")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=3)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
