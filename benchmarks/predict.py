"""The part of the report on predictions: many rows at once, and one row at a time."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from benchmarks.machinery.data import synthetic
from benchmarks.machinery.race import MAKERS, race
from benchmarks.machinery.rows import LEAVES, Scope, judged, say, table
from benchmarks.models.classifiers import mean_leaves

N_FEATURES = 20

# How many times as fast as the fastest peer we must be, and µs for one prepared row.
FASTER = 1.5
MOST_MICROSECONDS = 15.0


TEXT = f"""\
Models of {{trees}} trees × {{leaves}} leaves × {N_FEATURES} features, one thread, wall time, in
turn, median of {{repeats}}: `predict_proba` of a float64 matrix of {{n_rows:,}} rows. Ours must be
{FASTER} times as fast as the fastest peer."""

SINGLE_TEXT = f"""\
One row, {{n_calls}} calls in a loop. `Ensemble.score`, on a row that is already a float64 matrix,
must take less than {MOST_MICROSECONDS:g} µs, and `predict_proba` no longer than LightGBM's."""


def write_predictions(scope: Scope) -> str:
    """Fit all models; return the tables of their times."""
    trees = scope.trees or 200
    n_train, n_rows, n_calls = (4_000, 20_000, 50) if scope.quick else (10_000, 100_000, 500)
    say(f"prediction: {trees} trees")
    models, X = fit_models(n_train, n_rows, trees, ["ours", *scope.peers])
    text = TEXT.format(trees=trees, leaves=LEAVES, n_rows=n_rows, repeats=scope.repeats)
    batch = batch_table(models, X, scope.repeats)
    single = single_table(models, X[:1].copy(), n_calls, scope.repeats)
    return "\n\n".join([text, batch, SINGLE_TEXT.format(n_calls=n_calls), single])


def fit_models(
    n_train: int, n_rows: int, trees: int, names: Sequence[str]
) -> tuple[dict[str, Any], Any]:
    """Return models with one thread, and rows that they have not seen."""
    data = synthetic(n_train + n_rows, N_FEATURES)
    X, y = data.X[:n_train], data.y[:n_train]
    models = {name: MAKERS[name](1, trees, LEAVES).fit(X, y) for name in names}
    return models, data.X[n_train:].copy()


def batch_table(models: dict[str, Any], X: Any, repeats: int) -> str:
    """Time predictions of many rows."""
    for model in models.values():
        model.predict_proba(X[:10])  # pack trees, start threads
    timed = race({(name, 1): partial(m.predict_proba, X) for name, m in models.items()}, repeats)
    times = {name: 1e6 * one.wall / len(X) for (name, _), one in timed.items()}
    fastest = min((time for name, time in times.items() if name != "ours"), default=float("nan"))
    rows = []
    for name, time in times.items():
        faster = fastest / time
        text = judged(faster, FASTER, most=False) if name == "ours" else f"{faster:.2f}"
        rows.append([name, f"{time:.2f}", text, f"{mean_leaves(models[name]):.1f}"])
    return table(["model", "µs a row", "times as fast as the fastest peer", "leaves a tree"], rows)


def single_table(models: dict[str, Any], row: Any, n_calls: int, repeats: int) -> str:
    """Time predictions of one row."""
    calls = {f"{name}: `predict_proba`": m.predict_proba for name, m in models.items()}
    (ensemble,) = models["ours"].model_.ensembles
    calls = {"ours: `Ensemble.score`": ensemble.score} | calls

    def loop(call: Callable[[Any], Any]) -> None:
        for _ in range(n_calls):
            call(row)

    for call in calls.values():
        call(row)
    timed = race({(name, 1): partial(loop, call) for name, call in calls.items()}, repeats)
    times = {name: 1e6 * one.wall / n_calls for (name, _), one in timed.items()}
    bounds = {"ours: `Ensemble.score`": MOST_MICROSECONDS}
    if "LightGBM" in models:
        bounds["ours: `predict_proba`"] = times["LightGBM: `predict_proba`"]
    rows = []
    for name, time in times.items():
        text = judged(time, bounds[name]) if name in bounds else f"{time:.2f}"
        rows.append([name, text, f"{bounds[name]:.1f}" if name in bounds else ""])
    return table(["call", "µs", "at most"], rows)
