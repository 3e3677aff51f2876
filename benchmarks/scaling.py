"""The part of the report on cost: how the time of a fit grows with rows, features and trees."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from benchmarks.machinery.data import synthetic
from benchmarks.machinery.race import race
from benchmarks.machinery.rows import LEAVES, Scope, judged, say, table
from benchmarks.models.classifiers import our_sized

# Linear, and what timing may add to it.
MOST_SLOPE = 1.05


TEXT = """\
Our CPU time on one thread, trees of {leaves} leaves, median of {repeats}, and the slope of log time
against log size. 1 is linear; what does not grow, as a scan that has as many bins for few rows as
for many, makes it less. It must be at most {most}: 1 and noise."""


def write_slopes(scope: Scope) -> str:
    """Time fits of growing size; return the table."""
    trees = scope.trees or 20
    if scope.quick:
        parts = [
            row_times([5_000 * 2**k for k in range(4)], 20, trees, scope.repeats),
            feature_times(5_000, [5 * 2**k for k in range(5)], trees, scope.repeats),
            tree_times(5_000, 20, [10, 20, 40, 80], scope.repeats),
        ]
    else:
        parts = [
            row_times([10_000 * 2**k for k in range(5)], 20, trees, scope.repeats),
            feature_times(20_000, [5 * 2**k for k in range(5)], trees, scope.repeats),
            tree_times(20_000, 20, [25, 50, 100, 200], scope.repeats),
        ]
    heads = ["grows", "the rest", "sizes", "CPU s", "slope"]
    text = TEXT.format(leaves=LEAVES, repeats=scope.repeats, most=MOST_SLOPE)
    return text + "\n\n" + table(heads, parts)


def row_times(sizes: Sequence[int], n_features: int, trees: int, repeats: int) -> list[str]:
    """Return the line for growing numbers of rows."""
    data = synthetic(max(sizes), n_features)
    fits = {n: partial(_fit, data.X[:n], data.y[:n], trees) for n in sizes}
    return _line("rows", f"{n_features} features, {trees} trees", fits, repeats)


def feature_times(n_rows: int, sizes: Sequence[int], trees: int, repeats: int) -> list[str]:
    """Return the line for growing numbers of features."""
    data = synthetic(n_rows, max(sizes))
    fits = {n: partial(_fit, np.ascontiguousarray(data.X[:, :n]), data.y, trees) for n in sizes}
    return _line("features", f"{n_rows:,} rows, {trees} trees", fits, repeats)


def tree_times(n_rows: int, n_features: int, sizes: Sequence[int], repeats: int) -> list[str]:
    """Return the line for growing numbers of trees."""
    data = synthetic(n_rows, n_features)
    fits = {n: partial(_fit, data.X, data.y, n) for n in sizes}
    return _line("trees", f"{n_rows:,} rows, {n_features} features", fits, repeats)


def slope(sizes: Sequence[float], times: Sequence[float]) -> float:
    """Return the slope of log time against log size."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def _fit(X: Any, y: Any, trees: int) -> Any:
    return our_sized(1, trees, LEAVES).fit(X, y)


def _line(what: str, rest: str, fits: Mapping[int, partial[Any]], repeats: int) -> list[str]:
    say(f"slope in {what}")
    next(iter(fits.values()))()  # warm up
    timed = race({(str(n), 1): fit for n, fit in fits.items()}, repeats)
    times = [one.cpu for one in timed.values()]
    text = " · ".join(f"{n:,}" for n in fits)
    seconds = " · ".join(f"{time:.3f}" for time in times)
    return [what, rest, text, seconds, judged(slope(list(fits), times), MOST_SLOPE)]
