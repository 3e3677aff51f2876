"""Models on the folds of domains."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from benchmarks.machinery.data import Dataset
from experiments.context import Context
from experiments.study.checksum import checksum
from experiments.study.kept import describe, digest, run_kept

Rows = NDArray[np.intp]
# Fits a model on the first rows of a domain, and returns figures measured on the second.
Measure = Callable[[Any, Dataset, Rows, Rows], dict[str, float]]


@dataclass(frozen=True, slots=True)
class Fold:
    """One model on one fold: which, and what came out."""

    domain: str
    model: str
    seed: int
    fold: int
    figures: Mapping[str, float]


def run_folds(
    context: Context,
    dataset: Dataset,
    models: Mapping[str, partial[Any]],
    measure: Measure,
    *,
    seeds: Sequence[int] = (0,),
    versions: Sequence[Any] = (),
) -> list[Fold]:
    """Measure models on the stratified folds of a domain, those that were finished before but once.

    Parameters
    ----------
    context : Context
        How many folds and processes, and where finished folds are kept.
    dataset : Dataset
        The domain.
    models : mapping of str to partial
        What makes each model, by name: a partial, whose arguments tell whether a fold that was
        kept is of the same model.
    measure : callable
        Fits a model and returns figures.
    seeds : sequence of int
        Folds are drawn once for each.
    versions : sequence
        Versions of other packages that outcomes depend on.

    Returns
    -------
    list of Fold
        By seed, model and fold, in this order.
    """
    folder = context.output / "folds" / dataset.name
    common = [checksum(dataset), context.n_folds, *versions, describe(measure)]
    heads, parts = [], {}
    for seed in seeds:
        splitter = StratifiedKFold(context.n_folds, shuffle=True, random_state=seed)
        splits = list(splitter.split(np.empty(len(dataset.y)), dataset.y))
        for name, make in models.items():
            key = digest(*common, describe(make))
            for fold, (train, test) in enumerate(splits):
                path = folder / f"{key}-seed{seed}-fold{fold}.json"
                parts[path] = partial(_measure, measure, make, dataset, train, test)
                heads.append((dataset.name, name, seed, fold))
    done = run_kept(context, dataset.name, parts)
    return [Fold(*head, figures) for head, figures in zip(heads, done, strict=True)]


def _measure(
    measure: Measure, make: partial[Any], dataset: Dataset, train: Rows, test: Rows
) -> dict[str, float]:
    return measure(make(), dataset, train, test)
