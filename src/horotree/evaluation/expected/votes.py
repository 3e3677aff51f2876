"""Rows at the nodes of trees that vote (AdaBoost), with their weights by SAMME.

The vote of a tree has a weight a. A row of class c that the tree does not vote for gets ``exp(a)``
times its weight in the next round. So before a tree its weight is ``exp(-Σ a)`` over the trees that
voted for c, up to a factor that all rows share. It follows from the score of c, which sums the same
votes: 1 for the class voted for and -1/(K-1) for each other one.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.evaluation.rows import Chosen
from horotree.trees import Model, Tree, find_leaves
from horotree.trees.shares import Sums, sum_log_weights


@dataclass(frozen=True, slots=True)
class Capped:
    """The cap that importers put on shares: the confidence of a pure node of as many rows."""

    def apply(self, tree: Tree, node: NDArray[np.int32], value: Floats) -> Floats:
        """Return logits of nodes, capped as trained ones are; NaN for NaN."""
        rows = tree.weight[node] * (tree.count[0] / tree.weight[0])
        limit = np.log1p(2.0 * rows)
        return np.clip(value, -limit, limit)


def sum_votes(
    model: Model,
    X: Floats,
    place: NDArray[np.intp],
    wanted: Chosen,
    n_threads: int,
) -> Iterator[tuple[int, int, Sums]]:
    """Yield the indices of an ensemble and a tree, and the sums of weights at its nodes.

    All ensembles of the model have the same trees, each with the values of its class. ``wanted``
    are the trees to yield.
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
    """Return the logarithm of the weight of each row (axis 1) if it is of a class (axis 0)."""
    total, n_classes = float(model.vote_weight or 0.0), len(model.classes)
    if n_classes == 2:  # the one score is that of the second class minus that of the first
        return 0.25 * total * np.concatenate([score, -score])
    return -total * (n_classes - 1) ** 2 / n_classes * score


def _of_others(log_weight: Floats, place: NDArray[np.intp], positive: int) -> Floats:
    """Return the weights of rows; of the positive class, the largest that another would give."""
    others = np.delete(log_weight, positive, axis=0).max(axis=0)
    own = log_weight[place, np.arange(len(place))]
    return np.where(place == positive, others, own)
