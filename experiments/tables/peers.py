"""Other libraries on the same folds: error, log-loss, area under the ROC curve, ranks, seconds."""

import importlib.metadata
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import rankdata
from sklearn.metrics import log_loss, roc_auc_score

from benchmarks.machinery.data import Dataset
from benchmarks.machinery.scores import is_wrong
from experiments.context import Context, MissingDataError
from experiments.page import table
from experiments.progress import say
from experiments.results_table import read_table, write_table
from experiments.study.folds import Fold, Rows, run_folds
from experiments.study.paper import DT_VS_MDT
from experiments.study.peers import find_models

LABEL = "peers"
ORDER = 30
NAME = "tab-peers"
# Figures, and whether small ones are good.
FIGURES = {"error": True, "log_loss": True, "auc": False}
INTRODUCTION = """## Other libraries on the same folds

The {n} domains above, the first draw of their ten folds, one thread. *200 × 101*: as many trees
and leaves as the paper's; *its default*: as the library comes (100 trees of at most 31 leaves, or
of depth 6). The forest has 200 trees and AdaBoost 200 stumps; both and scikit-learn's single tree
get a column of zeros and ones for each category, AdaBoost medians for missing values. Means over
domains, and mean ranks among the models (1 is the best). *horotree, monotonic* boosts monotonic
trees, so that pictures show exactly what predicts.
"""
PACKAGES = ("scikit-learn", "lightgbm", "xgboost", "xgboost-cpu")


def run(context: Context) -> list[Path]:
    """Write a line a domain and model, the models' means and ranks, and their seconds."""
    models, missing = find_models(context.n_trees)
    for name in missing:
        say(f"left out: {name} is not installed")
    found: dict[str, dict[str, dict[str, float]]] = {}
    versions = _versions()
    for dataset in context.domains(DT_VS_MDT):
        folds = run_folds(context, dataset, models, measure, versions=sorted(versions.items()))
        found[dataset.name] = {
            name: _mean([fold for fold in folds if fold.model == name]) for name in models
        }
    if not found:
        raise MissingDataError("data not available: none of the paper's domains; pass --data DIR")
    lines = [
        {"domain": domain, "model": name, **{figure: of[figure] for figure in FIGURES}}
        for domain, by_model in found.items()
        for name, of in by_model.items()
    ]
    seconds = [
        {"domain": domain, **{name: round(of["seconds"], 3) for name, of in by_model.items()}}
        for domain, by_model in found.items()
    ]
    made = {"seeds": [0], "folds": context.n_folds, "trees": context.n_trees, "peers": versions}
    return [
        write_table(context, NAME, lines, **made),
        write_table(context, f"{NAME}-means", _summarize(found), **made),
        write_table(context, f"{NAME}-times", seconds, **made),
    ]


def measure(model: Any, dataset: Dataset, train: Rows, test: Rows) -> dict[str, float]:
    """Return error, log-loss and AUC on a fold, and the seconds of fitting."""
    start = time.process_time()
    model.fit(*dataset.take(train))
    seconds = time.process_time() - start
    table, y = dataset.take(test)
    posterior = model.predict_proba(table)[:, 1].astype(np.float64)
    return {
        "error": float(is_wrong(y, posterior).mean()),
        "log_loss": float(log_loss(y, posterior, labels=[0, 1])),
        "auc": float(roc_auc_score(y, posterior)),
        "seconds": seconds,
    }


def _versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _mean(folds: list[Fold]) -> dict[str, float]:
    means = {name: float(np.mean([f.figures[name] for f in folds])) for name in FIGURES}
    return means | {"seconds": float(np.median([fold.figures["seconds"] for fold in folds]))}


def _summarize(found: Mapping[str, Mapping[str, Mapping[str, float]]]) -> list[dict[str, Any]]:
    """Return the models' mean figures and mean ranks over domains; rank 1 is the best."""
    names = list(next(iter(found.values())))
    lines: list[dict[str, Any]] = [{"model": name} for name in names]
    for figure, small_is_good in FIGURES.items():
        values = np.array([[of[name][figure] for name in names] for of in found.values()])
        signed = np.round(values if small_is_good else -values, 9)  # equal figures have one rank
        ranks = np.mean([rankdata(row) for row in signed], axis=0)
        for line, value, rank in zip(lines, values.mean(axis=0), ranks, strict=True):
            line |= {figure: float(value), f"{figure}_rank": float(rank)}
    return lines


def page(results: Path) -> str:
    """Return the section."""
    means = read_table(results, f"{NAME}-means")
    lines = read_table(results, NAME)
    head = ["model", "error %", "rank", "log-loss", "rank", "AUC", "rank"]
    rows = [
        [
            line["model"],
            f"{100 * float(line['error']):.2f}",
            f"{float(line['error_rank']):.1f}",
            f"{float(line['log_loss']):.3f}",
            f"{float(line['log_loss_rank']):.1f}",
            f"{float(line['auc']):.4f}",
            f"{float(line['auc_rank']):.1f}",
        ]
        for line in means
    ]
    domains = list(dict.fromkeys(line["domain"] for line in lines))
    by = {(line["domain"], line["model"]): line for line in lines}
    models = [line["model"] for line in means]
    errors = [[d, *(f"{100 * float(by[d, m]['error']):.2f}" for m in models)] for d in domains]
    return "\n".join(
        [
            INTRODUCTION.format(n=len(domains)),
            table(head, rows),
            "Errors in %, domain by domain:\n",
            table(["domain", *models], errors),
        ]
    )


def times(results: Path) -> str:
    """Return the median seconds of a fold's fit, models in lines."""
    lines = read_table(results, f"{NAME}-times")
    models = [name for name in lines[0] if name != "domain"]
    rows = [[model, *(f"{float(line[model]):.2f}" for line in lines)] for model in models]
    return table(["fit of a fold, seconds", *(line["domain"] for line in lines)], rows)
