"""Node posteriors from data: what trees of class shares say of examples that one has."""

from dataclasses import replace
from typing import Any

import numpy as np

from horotree._checks import Floats
from horotree.trees import Ensemble, Model, Tree, node_weights
from horotree.trees._labels import find_places
from horotree.trees.tree import Flags

from ._values import shares_to_values


def recompute(model: Model, X: Any, y: Any) -> Model:
    """Return a model whose nodes are drawn by the posteriors that data have at them.

    Parameters
    ----------
    model : Model
        One that averages class shares (link "mean").
    X : data frame or array_like
        Rows as ``model.predict`` takes them.
    y : array_like
        Their classes.

    Returns
    -------
    Model
        With the same predictions. A node where no row comes by is drawn as its parent is.
    """
    if model.link != "mean":
        raise ValueError(
            "X and y give new posteriors to trees that average class shares, got a model with link "
            f"{model.link!r}, whose trees are drawn by the margins they add: leave X and y out."
        )
    matrix = model.to_matrix(X)
    if not len(matrix):
        raise ValueError("X must have a row or more, got none: pass some, or leave X and y out.")
    places = find_places(y, model.classes, len(matrix))
    drawn = [1] if len(model.ensembles) == 1 else range(len(model.classes))
    return replace(
        model,
        ensembles=tuple(
            _draw_ensemble(ensemble, matrix, places == k)
            for ensemble, k in zip(model.ensembles, drawn, strict=True)
        ),
    )


def _draw_ensemble(ensemble: Ensemble, X: Floats, positive: Flags) -> Ensemble:
    trees = tuple(_draw_tree(tree, X, positive) for tree in ensemble.trees)
    return replace(ensemble, trees=trees)


def _draw_tree(tree: Tree, X: Floats, positive: Flags) -> Tree:
    came = node_weights(tree, X, positive)
    weight = came.weight
    reached = weight > 0.0
    total = np.where(reached, weight, 1.0)
    share = np.where(reached, came.positive / total, 0.5)
    complement = np.where(reached, came.negative / total, 0.5)
    value = shares_to_values(share, weight, complement)
    return replace(tree, value=value[_last_reached(tree, reached)], weight=weight, count=came.count)


def _last_reached(tree: Tree, reached: Flags) -> Any:
    """Return the last node on the path to each node that is reached; the root always is."""
    nodes = np.arange(tree.n_nodes)
    host = np.where(reached, nodes, np.maximum(tree.parent, 0))
    while not reached[host].all():
        host = host[host]  # twice as far each round
    return host
