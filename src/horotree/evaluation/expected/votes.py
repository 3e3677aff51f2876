"""Rows at the nodes of trees that vote (AdaBoost), under the weights that SAMME gave their round.

A tree's vote has a weight a, and a row of class c that is not voted for weighs exp(a) times as much
in the next round. So before a tree a row weighs ``exp(-Σ a)``, the sum being over the trees that
voted for c, but for a factor that all rows share. It follows from the score of c, which sums the
same votes: 1 for a class and -1/(K-1) for each other one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.trees import Model, Tree, find_leaves
from horotree.trees.shares import Sums, sum_log_weights


@dataclass(frozen=True, slots=True)
class Capped:
    """Shares as importers draw them: no surer than a pure node of as many rows."""

    def apply(self, tree: Tree, node: NDArray[np.int32], value: Floats) -> Floats:
        """Return logits that were found at nodes, capped as trained ones are; NaN of NaN."""
        rows = tree.weight[node] * (tree.count[0] / tree.weight[0])
        limit = np.log1p(2.0 * rows)
        return np.clip(value, -limit, limit)


def sum_votes(
    model: Model,
    X: Floats,
    place: NDArray[np.intp],
    wanted: Mapping[int, list[int]],
    n_threads: int,
) -> Iterator[tuple[int, int, Sums]]:
    """Yield ensemble, tree, and what came by at its nodes, tree after tree.

    Parameters
    ----------
    model : Model
        Its trees vote; all ensembles have the same trees, drawn for one class each.
    X : float64 array
        The rows.
    place : int array
        The class of each row, by its place.
    wanted : dict
        Of each ensemble that is looked at, the trees to yield, increasing.
    n_threads : int
        Threads.

    Yields
    ------
    int, int, Sums
    """
    score = np.zeros((len(model.ensembles), len(X)))
    last = max((trees[-1] for trees in wanted.values() if trees), default=-1)
    for j in range(last + 1):
        leaf = find_leaves(model.ensembles[0].trees[j], X, n_threads)
        log_weight = _log_weights(model, score)
        for k in (k for k, trees in wanted.items() if j in trees):
            positive = model.targets[k]
            both = np.stack([_of_others(log_weight, place, positive), log_weight[positive]])
            tree = model.ensembles[k].trees[j]
            yield k, j, sum_log_weights(tree, leaf, place == positive, both)
        for k, ensemble in enumerate(model.ensembles):
            score[k] += (ensemble.leverage[j] * ensemble.trees[j].output)[leaf]


def _log_weights(model: Model, score: Floats) -> Floats:
    """Return the logarithm of what each row (axis 1) weighs if it is of a class (axis 0)."""
    total, n_classes = float(model.vote_weight or 0.0), len(model.classes)
    if n_classes == 2:  # the one score is that of the second class less that of the first
        return 0.25 * total * np.concatenate([score, -score])
    return -total * (n_classes - 1) ** 2 / n_classes * score


def _of_others(log_weight: Floats, place: NDArray[np.intp], positive: int) -> Floats:
    """Return what rows weigh, or, if they are of the positive class, would at most in another."""
    others = np.delete(log_weight, positive, axis=0).max(axis=0)
    own = log_weight[place, np.arange(len(place))]
    return np.where(place == positive, others, own)
