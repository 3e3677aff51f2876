"""One setting changed at a time: smoothing, size, learning rate, bins, what is boosted."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.accuracy import LITERAL
from benchmarks.machinery.data import Dataset
from experiments.context import Context, MissingDataError
from experiments.page import listed, table
from experiments.results_table import read_table, write_table
from experiments.study.folds import Rows, run_folds
from experiments.study.models import classifier
from horotree import monotonic
from horotree.losses import logistic_loss

LABEL = "ablations"
ORDER = 50
NAME = "tab-ablations"
# Seven domains of every kind but the largest, which would add time rather than insight.
DOMAINS = (
    "ionosphere",
    "tictactoe",
    "winered",
    "german",
    "abalone",
    "qsar",
    "online_shoppers_intention",
)
DEFAULT = "default: M = 100, ν = ½, 101 leaves, 255 bins"
EXACT = "every distinct value"
MONOTONIC = "monotonic trees boosted"
PAPER = "the paper's setting"
CHANGES: dict[str, dict[str, Any]] = {
    DEFAULT: {},
    "smoothing M = 4": {"smoothing": 4.0},
    "smoothing M = 20": {"smoothing": 20.0},
    "smoothing M = 400": {"smoothing": 400.0},
    'smoothing "auto"': {"smoothing": "auto"},
    "learning rate ν = 0.1": {"learning_rate": 0.1},
    "learning rate ν = 1": {"learning_rate": 1.0},
    "8 leaves": {"max_leaf_nodes": 8},
    "31 leaves": {"max_leaf_nodes": 31},
    "255 leaves": {"max_leaf_nodes": 255},
    "31 bins": {"max_bins": 31},
    EXACT: {"max_bins": None},
    "pure leaves forbidden": {"pure_leaves": "forbid"},
    MONOTONIC: {"weak_learner": "monotonic"},
    PAPER: dict(LITERAL),
    "the same, 255 bins": {**LITERAL, "max_bins": 255},
    "the same, monotonic trees boosted": {**LITERAL, "weak_learner": "monotonic"},
}
INTRODUCTION = """## What each setting does

One setting changed at a time, 200 trees, ten folds; for the boosted trees, for their monotonic
versions with the same leverages (MDT), and for these with the leverages that boosting would have
given them (*refitted*). *Nodes kept*: the share of a tree's nodes that its monotonic version has.
Where monotonic trees are boosted, all three are the same model. Means of {n} domains:
{domains}.
"""
FINDINGS = """In the paper's setting the error is {paper_error} % against {error} % by our
default, and the log-loss {paper_loss} against {loss}: without smoothing, trees are far too sure of
themselves. With every distinct value as a threshold the error is {exact} %; with monotonic trees
boosted, of which pictures show exactly what predicts, {monotonic} %.
"""
# The trees, their monotonic versions, and these with leverages of their own.
PREDICTORS = ("dt", "mdt", "refitted")


def run(context: Context) -> list[Path]:
    """Write a line a domain and change, and one a change with the means of the domains."""
    models = {name: partial(classifier, context.n_trees, **c) for name, c in CHANGES.items()}
    lines = []
    for dataset in context.domains(DOMAINS):
        folds = run_folds(context, dataset, models, measure)
        for name in models:
            figures = [fold.figures for fold in folds if fold.model == name]
            mean = {figure: float(np.mean([f[figure] for f in figures])) for figure in figures[0]}
            lines.append({"change": name, "domain": dataset.name, **mean})
    if not lines:
        raise MissingDataError("data not available: none of the domains; pass --data DIR")
    means = []
    for name in models:
        of_change = [line for line in lines if line["change"] == name]
        figures = [figure for figure in of_change[0] if figure not in ("change", "domain")]
        mean = {figure: float(np.mean([line[figure] for line in of_change])) for figure in figures}
        means.append({"change": name, "domains": len(of_change), **mean})
    made = {"seeds": [0], "folds": context.n_folds, "trees": context.n_trees}
    return [
        write_table(context, NAME, lines, **made),
        write_table(context, f"{NAME}-means", means, **made),
    ]


def measure(model: Any, dataset: Dataset, train: Rows, test: Rows) -> dict[str, float]:
    """Return error (in %) and log-loss of the three predictors on a fold, and nodes kept (in %)."""
    trees = model.fit(*dataset.take(train)).model_
    rows, y = dataset.take(test)
    predictors = (trees, trees.as_drawn(), trees.as_drawn(refit_leverage=True))
    found: dict[str, float] = {}
    for name, predictor in zip(PREDICTORS, predictors, strict=True):
        score = predictor.score(rows)
        found[f"{name}_error"] = 100.0 * float(np.mean((score > 0.0) != (y == 1)))
        found[f"{name}_log_loss"] = logistic_loss(y == 1, score)
    (ensemble,) = trees.ensembles
    kept = [len(monotonic(tree)) / tree.n_nodes for tree in ensemble.trees]
    return {**found, "kept": 100.0 * float(np.mean(kept)), "trees": len(kept)}


def page(results: Path) -> str:
    """Return the section."""
    means = read_table(results, f"{NAME}-means")
    domains = list(dict.fromkeys(line["domain"] for line in read_table(results, NAME)))
    rows = [[line["change"], *_cells(line), f"{float(line['kept']):.0f}"] for line in means]
    head = ["changed", "error %", "log-loss", "MDT: error %", "log-loss"]
    head += ["MDT, refitted: error %", "log-loss", "nodes kept %"]
    introduction = INTRODUCTION.format(n=len(domains), domains=listed(domains))
    return "\n".join([introduction, table(head, rows), _findings(means)])


def _findings(means: Sequence[dict[str, str]]) -> str:
    error = {line["change"]: f"{float(line['dt_error']):.2f}" for line in means}
    loss = {line["change"]: f"{float(line['dt_log_loss']):.3f}" for line in means}
    return FINDINGS.format(
        error=error[DEFAULT],
        loss=loss[DEFAULT],
        paper_error=error[PAPER],
        paper_loss=loss[PAPER],
        exact=error[EXACT],
        monotonic=error[MONOTONIC],
    )


def _cells(line: dict[str, str]) -> list[str]:
    cells = []
    for name in PREDICTORS:
        cells.append(f"{float(line[f'{name}_error']):.2f}")
        cells.append(f"{float(line[f'{name}_log_loss']):.3f}")
    return cells
