"""Node posteriors from given rows."""

from dataclasses import replace
from typing import Any

import numpy as np

from horotree._checks import Floats
from horotree.trees import Ensemble, Model, Tree
from horotree.trees.shares import Sums, sum_stages
from horotree.trees.tables import find_places
from horotree.trees.tree import Flags, Ints

from .notes import POSTERIORS, ROUND_POSTERIORS


def recompute(model: Model, X: Any, y: Any) -> Model:
    """Return a model with node values from the class shares of given rows.

    In boosted trees rows have the boosting weights of the round, as in ``held_out``. A node that no
    row reaches has the value of its parent. Predictions stay.
    """
    matrix = model.to_matrix(X)
    if not len(matrix):
        raise ValueError("X must have a row or more, got none: pass some, or leave X and y out.")
    places = find_places(y, model.classes, len(matrix))
    boosted = model.link != "mean"
    ensembles = tuple(
        _draw_ensemble(ensemble, matrix, places == k, boosted=boosted)
        for ensemble, k in zip(model.ensembles, model.targets, strict=True)
    )
    notes = (ROUND_POSTERIORS if boosted else POSTERIORS,)
    value_kind = "posterior" if boosted else "share"
    plain = replace(model, steps=None, vote_weight=None)
    return replace(plain, ensembles=ensembles, notes=notes, value_kind=value_kind)


def _draw_ensemble(ensemble: Ensemble, X: Floats, positive: Flags, *, boosted: bool) -> Ensemble:
    every = list(range(len(ensemble.trees)))
    stages = sum_stages(ensemble, X, positive, every, weighted=boosted, n_threads=1)
    trees = tuple(_draw_tree(ensemble.trees[j], sums, boosted=boosted) for j, sums in stages)
    return replace(ensemble, trees=trees)


def _draw_tree(tree: Tree, sums: Sums, *, boosted: bool) -> Tree:
    """Return a tree with the values, weights and counts of the rows that reached each node."""
    count = sums.count.sum(axis=0)
    value = np.where(count > 0, sums.value, 0.0)
    pure = np.copysign(np.log1p(2.0 * sums.effective_count), value)  # half an example of each class
    value = np.where(np.isinf(value), pure, value)
    weight = (sums.total * np.exp(sums.unit)).sum(axis=0) if boosted else count.astype(np.float64)
    return replace(tree, value=value[_last_reached(tree, count > 0)], weight=weight, count=count)


def _last_reached(tree: Tree, reached: Flags) -> Ints:
    """Return the last node on the path to each node that is reached; the root always is."""
    nodes = np.arange(tree.n_nodes)
    host = np.where(reached, nodes, np.maximum(tree.parent, 0))
    while not reached[host].all():
        host = host[host]  # twice as far each round
    return np.asarray(host, np.int32)
