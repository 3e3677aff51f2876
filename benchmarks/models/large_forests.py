"""Pages of forests as scikit-learn grows them: hundreds of trees with thousands of leaves."""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.machinery.data import Dataset
from horotree import from_model
from horotree.viewer import view

# Bytes and processor seconds of the page that is made unless all trees are asked for.
LIMIT, SECONDS = 5e6, 10.0

N_CATEGORIES = (9, 7, 15, 6, 5, 2, 42)


def census(n_rows: int, seed: int = 0) -> Dataset:
    """Return made data like those of a census: six numbers, seven codes, a sixth of one class."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "age": rng.integers(17, 90, n_rows),
            "weight": np.exp(rng.normal(12.0, 0.5, n_rows)).round(),
            "schooling": rng.integers(1, 17, n_rows),
            "gain": np.where(rng.random(n_rows) < 0.08, np.exp(rng.normal(8.5, 1.0, n_rows)), 0.0),
            "loss": np.where(rng.random(n_rows) < 0.05, rng.integers(200, 3_000, n_rows), 0),
            "hours": np.clip(rng.normal(40.0, 12.0, n_rows), 1.0, 99.0).round(),
            **{f"code {j}": rng.integers(0, k, n_rows) for j, k in enumerate(N_CATEGORIES)},
        }
    ).round()
    age, codes = table["age"] - 40, [table[f"code {j}"] for j in range(len(N_CATEGORIES))]
    odds = 0.25 * (table["schooling"] - 9) + 0.03 * age - 0.0008 * (age - 10) ** 2 - 2.6
    odds += 0.02 * (table["hours"] - 40) + 4.0 * (table["gain"] > 5_000) + 1.6 * (codes[1] == 2)
    odds += 0.5 * codes[5] + 0.1 * (codes[2] - 7)
    positive = rng.logistic(0.0, 0.7, n_rows) < odds
    return Dataset("census", table, positive.to_numpy().astype(np.int64))


def forest_figures(n_rows: int, n_trees: int) -> Iterator[tuple[str, float, float, str]]:
    """Yield what pages of a forest weigh and how long they take: what, value, limit, unit."""
    from sklearn.ensemble import RandomForestClassifier

    data = census(n_rows)
    forest = RandomForestClassifier(n_trees, random_state=0, n_jobs=-1).fit(data.X, data.y)
    held_out = census(n_rows // 5, seed=1)
    name = f"{n_trees:,} default trees, {n_rows:,} rows"
    for what, rows, options in (
        (f"page of {name}", (), {}),
        (f"... with {n_rows // 5:,} rows held out", (held_out.X, held_out.y), {}),
        ("... of all its trees", (), {"max_trees": None}),
    ):
        limits = (np.nan, np.nan) if options else (LIMIT, SECONDS)
        yield from _figures(what, forest, rows, limits, **options)
    nodes = sum(tree.n_nodes for tree in from_model(forest).ensembles[0].trees)
    yield "nodes of all its trees", float(nodes), np.nan, ""


def _figures(
    what: str, forest: Any, rows: tuple[Any, ...], limits: tuple[float, float], **options: Any
) -> Iterator[tuple[str, float, float, str]]:
    start = time.process_time()
    size = len(view(forest, *rows, **options).html.encode())
    seconds = time.process_time() - start
    yield what, size / 1e3, limits[0] / 1e3, "kB"
    yield f"processor time, {what.removeprefix('... ')}", seconds, limits[1], "s"
