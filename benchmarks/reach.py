"""The part of the report on the time to a goal: the test log-loss that LightGBM ends with.

And a harder one: the least that it ever has.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from benchmarks.machinery.race import race_fits
from benchmarks.machinery.rows import LEAVES, Scope, Split, judged, say, split, table
from benchmarks.models.classifiers import lightgbm, our_sized

TARGET = 0.6

# We may take this many times as many trees as LightGBM has.
MOST_TREES = 2

HEADS = ["train data", "LightGBM's log-loss", "its trees", "its seconds", "our trees"]


TEXT = """\
LightGBM's test log-loss falls, and often rises again, as trees are added. One goal is where it
ends, as in the table above: LightGBM, too, may have been there before. A harder one, where that
differs, is the least value on its way. Times are wall times on two threads of whole fits with as
many trees as reach the goal first, in turn, median of {repeats}. Ours must be at most {target} of
LightGBM's."""


def write_reach(scope: Scope) -> str:
    """Measure all rows; return the table."""
    if "LightGBM" not in scope.peers:
        return "Not measured: LightGBM is not installed."
    rows = []
    for name, load in scope.loaders.items():
        data = split(name, load())
        say(f"{name}: time to reach LightGBM's log-loss")
        rows += reach_rows(data, scope.n_trees(name), 2, scope.repeats)
    text = TEXT.format(repeats=scope.repeats, target=TARGET)
    return text + "\n\n" + table([*HEADS, "our seconds", "ours / LightGBM"], rows)


def reach_rows(data: Split, n_trees: int, n_threads: int, repeats: int) -> list[list[str]]:
    """Return the lines of one data set."""
    theirs = lightgbm_losses(lightgbm(n_threads, n_trees, LEAVES).fit(data.X, data.y), data)
    model = our_sized(n_threads, MOST_TREES * n_trees, LEAVES).fit(data.X, data.y)
    ours = our_losses(model, data)
    goals = {"at the end": theirs[-1]}
    if min(theirs) < theirs[-1]:
        goals["least"] = min(theirs)
    rows = []
    for title, goal in goals.items():
        first = first_reaching(goal, theirs)
        cells = [data.title, f"{goal:.4f} ({title})", str(first)]
        rows.append(cells + race_to(goal, data, {"LightGBM": first}, ours, n_threads, repeats))
    return rows


def first_reaching(goal: float, losses: Sequence[float]) -> int | None:
    """Return the least number of trees with a loss that is no more than the goal."""
    return next((k for k, loss in enumerate(losses, 1) if loss <= goal), None)


def race_to(
    goal: float,
    data: Split,
    trees: dict[str, int | None],
    ours: list[float],
    n_threads: int,
    repeats: int,
) -> list[str]:
    """Return LightGBM's seconds, our trees and seconds, and their ratio."""
    reached = first_reaching(goal, ours)
    if reached is not None:
        trees = {"ours": reached} | trees
    timed = race_fits(data, trees, (n_threads,), repeats)
    their_time = timed["LightGBM", n_threads].wall
    cells = [f"{their_time:.3f}"]
    if reached is None:
        least = f"(least log-loss {min(ours):.4f})"
        return [*cells, f"more than {len(ours)}", least, "not reached ✗"]
    our_time = timed["ours", n_threads].wall
    return [*cells, str(reached), f"{our_time:.3f}", judged(our_time / their_time, TARGET)]


def our_losses(model: Any, data: Split) -> list[float]:
    """Return the test log-loss after the first tree, the first two, and so on."""
    (ensemble,) = model.model_.ensembles
    return _losses(ensemble.staged_score(model.model_.to_matrix(data.X_test)), data)


def lightgbm_losses(model: Any, data: Split) -> list[float]:
    """Return the test log-loss after the first tree, the first two, and so on."""
    booster = model.booster_
    steps = (
        booster.predict(data.X_test, start_iteration=k, num_iteration=1, raw_score=True)
        for k in range(booster.current_iteration())
    )
    return _losses(np.cumsum(list(steps), axis=0), data)


def _losses(scores: Iterable[Any], data: Split) -> list[float]:
    sign = np.where(data.y_test == 1, -1.0, 1.0)
    return [float(np.logaddexp(0.0, sign * score).mean()) for score in scores]
