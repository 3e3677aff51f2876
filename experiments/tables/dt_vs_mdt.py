"""Test errors of boosted trees and of their monotonic versions, on the paper's twelve domains.

Three predictors on the same trees: these themselves (DT), their monotonic versions (MDT), and the
monotonic versions as the authors' program evaluates them, which never looks at the leaf that ends a
path (MDT′). Two settings: ours, and the paper's.
"""

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import ttest_rel

from benchmarks.machinery.data import Dataset
from experiments.context import Context, MissingDataError
from experiments.measures.dt_vs_mdt_page import page, times
from experiments.results_table import write_table
from experiments.study.folds import Fold, Rows, run_folds
from experiments.study.models import SETTINGS, classifier
from experiments.study.paper import DT_VS_MDT, LEVEL, N_FOLDS
from horotree import monotonic

__all__ = ["LABEL", "ORDER", "page", "run", "times"]

LABEL = "tab:dt-vs-mdt-XAI"
ORDER = 10
NAME = "tab-dt-vs-mdt"
PREDICTORS = ("dt", "mdt", "inner")


def run(context: Context) -> list[Path]:
    """Write a line a domain and setting, all seeds' lines, and the seconds."""
    lines, by_seed, seconds = [], [], []
    seeds = range(context.n_seeds)
    models = {name: partial(classifier, context.n_trees, name) for name in SETTINGS}
    for dataset in context.domains(DT_VS_MDT):
        folds = run_folds(context, dataset, models, measure, seeds=seeds)
        for setting in models:
            of_setting = [fold for fold in folds if fold.model == setting]
            parts = [[f for f in of_setting if f.seed == seed] for seed in seeds]
            found = [_compare(part) for part in parts]
            by_seed += [{**_head(dataset, setting), "seed": s, **f} for s, f in enumerate(found)]
            lines.append({**_head(dataset, setting), **_summarize(dataset.name, found)})
            spent = np.median([fold.figures["seconds"] for fold in of_setting])
            seconds.append({**_head(dataset, setting), "seconds": round(float(spent), 2)})
    if not lines:
        raise MissingDataError("data not available: none of the paper's domains; pass --data DIR")
    made = {"seeds": list(seeds), "folds": context.n_folds, "trees": context.n_trees}
    return [
        write_table(context, NAME, lines, **made),
        write_table(context, f"{NAME}-seeds", by_seed, **made),
        write_table(context, f"{NAME}-times", seconds, **made),
    ]


def measure(model: Any, dataset: Dataset, train: Rows, test: Rows) -> dict[str, float]:
    """Return the errors of the three predictors on a fold, and what their trees are like."""
    start = time.process_time()
    model.fit(*dataset.take(train))
    seconds = time.process_time() - start
    table, y = dataset.take(test)
    trees = model.model_
    predictors = (trees, trees.as_drawn(), trees.as_drawn(evaluate="inner"))
    errors = [float(np.mean((p.score(table) > 0.0) != (y == 1))) for p in predictors]
    (ensemble,) = trees.ensembles
    kept = [len(monotonic(tree)) for tree in ensemble.trees]
    return {
        **dict(zip(PREDICTORS, errors, strict=True)),
        "trees": len(kept),
        "nodes": float(np.mean([tree.n_nodes for tree in ensemble.trees])),
        "kept": float(np.mean(kept)),
        "seconds": seconds,
    }


def _head(dataset: Dataset, setting: str) -> dict[str, Any]:
    return {"setting": setting, "domain": dataset.name}


def _compare(folds: Sequence[Fold]) -> dict[str, float]:
    """Return means and deviations of the errors in %, and p-values of paired t-tests."""
    errors = {name: np.array([100.0 * f.figures[name] for f in folds]) for name in PREDICTORS}
    found = {name: float(error.mean()) for name, error in errors.items()}
    found |= {f"{name}_std": float(error.std(ddof=1)) for name, error in errors.items()}
    found |= {f"p_{name}": _p(errors["dt"], errors[name]) for name in PREDICTORS[1:]}
    for name in ("trees", "nodes", "kept"):
        found[name] = float(np.mean([fold.figures[name] for fold in folds]))
    return found


def _p(errors: Any, others: Any) -> float:
    """Return the p-value of Student's paired t-test; it is 1 or 0 if all differences are equal."""
    difference = others - errors
    if np.ptp(difference) == 0.0:
        return float(difference[0] == 0.0)
    return float(ttest_rel(others, errors).pvalue)


def _summarize(domain: str, found: Sequence[dict[str, float]]) -> dict[str, Any]:
    """Return the first seed's figures, the spread over all seeds, and the paper's."""
    printed = DT_VS_MDT[domain]
    line: dict[str, Any] = dict(found[0])
    for name in PREDICTORS:
        means = np.array([part[name] for part in found])
        line[f"{name}_seeds"] = float(means.mean())
        line[f"{name}_seeds_std"] = float(means.std(ddof=1))
    for name in PREDICTORS[1:]:
        line[f"{name}_worse"] = sum(f[f"p_{name}"] < LEVEL and f[name] > f["dt"] for f in found)
        line[f"{name}_better"] = sum(f[f"p_{name}"] < LEVEL and f[name] < f["dt"] for f in found)
    standard_error = printed.dt_std / N_FOLDS**0.5
    line["away"] = (line["dt_seeds"] - printed.dt) / standard_error
    line["seeds"] = len(found)
    return line
