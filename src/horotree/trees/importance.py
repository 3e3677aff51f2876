"""Which features move the score, how far, and in which direction: one ranking, used everywhere.

A tree adds one number to the score of each example, and these numbers vary. A test divides the
examples of a node in two parts with different means, so that it explains a part of the variance:
``share(v) q_l q_r (m_l - m_r)²``, with the share of the training examples that come by at the node,
the parts of them that go left and right, and the means of what the leaves below add (leverage times
output). Over all tests of a tree these sum to its variance. The importance of a feature is the part
of the sum over all trees that its tests have.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree._frozen import Frozen, freeze

from .forest import sum_up
from .model import Model
from .tree import Tree

# From which part of its movement in one direction a feature is said to push that way: four fifths.
ONE_WAY = 0.6

UNKNOWN = (
    "the model does not say how many training examples come by at its nodes: pass rows to "
    "from_model, or a file that has them"
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Importance(Frozen):
    """How far each feature moves the score, and where larger values push it.

    Parameters
    ----------
    share : float64 array
        By feature, the share of the variance of what trees add to the score that its tests explain,
        over the training examples. They sum to 1; all are 0 if nothing moves the score, and NaN if
        the model does not know its examples.
    n_trees : int64 array
        By feature, the trees that test it.
    pair : int64 array
        The pairs of an ensemble k and a feature j that it tests, increasing: ``k n_features + j``.
        All pairs may be far more than a model has nodes.
    way : float64 array
        By pair, from -1 to 1: what larger values add to the score of the ensemble's class, as a
        part of all that the feature moves: 1 if every test adds to it above its threshold. NaN for
        categories, and for features that move nothing.
    reason : str
        Why there are no shares, if there are none.

    See Also
    --------
    find_importance : Finds it.
    """

    share: Floats
    n_trees: NDArray[np.int64]
    pair: NDArray[np.int64]
    way: Floats
    reason: str = ""

    def __post_init__(self) -> None:
        for name in ("share", "n_trees", "pair", "way"):
            object.__setattr__(self, name, freeze(np.array(getattr(self, name))))

    def __hash__(self) -> int:
        return hash((self.share.tobytes(), self.way.tobytes()))

    def __repr__(self) -> str:
        return f"Importance({int((self.n_trees > 0).sum())} of {len(self.share)} features tested)"

    @property
    def is_known(self) -> bool:
        """Whether the model knows how many examples come by at its nodes."""
        return not self.reason

    def ranking(self) -> list[int]:
        """Return the features that are tested, the most important first.

        Returns
        -------
        list of int
            By share, or where there is none by how many trees test them; ties by place.
        """
        size = self.share if self.is_known else self.n_trees
        order = np.argsort(-size, kind="stable")
        return [int(j) for j in order if self.n_trees[j]]

    def direction(self, feature: int, ensemble: int = 0) -> float:
        """Return the ``way`` of a feature and an ensemble; NaN if it does not test it."""
        wanted = ensemble * len(self.share) + feature
        place = int(np.searchsorted(self.pair, wanted))
        known = place < len(self.pair) and self.pair[place] == wanted
        return float(self.way[place]) if known else float("nan")

    def word(self, feature: int, ensemble: int = 0) -> str:
        """Return where larger values of a feature push an ensemble's score.

        Parameters
        ----------
        feature : int
            Which feature.
        ensemble : int
            Of which class.

        Returns
        -------
        str
            "up", "down", "both ways" where less than four fifths go one way, or an empty text where
            there is no direction.
        """
        way = self.direction(feature, ensemble)
        if np.isnan(way):
            return ""
        return "up" if way >= ONE_WAY else "down" if way <= -ONE_WAY else "both ways"


def find_importance(model: Model) -> Importance:
    """Find how far each feature moves the score of a model.

    Training examples are counted where the model knows how many came by at each leaf, else weighed
    by what it knows of their weights (in boosting those of the round).

    Parameters
    ----------
    model : Model
        The model.

    Returns
    -------
    Importance

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from horotree import LogisticBoostClassifier
    >>> from horotree.trees.importance import find_importance
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> classifier = LogisticBoostClassifier(n_estimators=5).fit(X, y)
    >>> found = find_importance(classifier.model_)
    >>> first = found.ranking()[0]
    >>> X.columns[first], float(found.share[first].round(2)), found.word(first)
    ('worst perimeter', 0.57, 'down')
    """
    n = len(model.feature_names)
    weigh = _find_weights(model)
    n_trees = _count_trees(model)
    if weigh is None:
        return Importance(np.full(n, np.nan), n_trees, np.empty(0, np.int64), np.empty(0), UNKNOWN)
    explained = np.zeros(n)
    pairs, steps = [np.empty(0, np.int64)], [np.empty(0)]
    largest = _largest(model)
    for k, ensemble in enumerate(model.ensembles):
        for leverage, tree in zip(ensemble.leverage, ensemble.trees, strict=True):
            inner, part, gap = _split(tree, getattr(tree, weigh), leverage * tree.output / largest)
            feature = tree.feature[inner]
            np.add.at(explained, feature, part * gap * gap)
            is_numeric = np.diff(tree.category_start)[inner] == 0
            pairs.append(k * n + feature.astype(np.int64))
            steps.append(np.where(is_numeric, part * gap, 0.0))
    total = explained.sum()
    share = explained / total if total > 0.0 else explained
    return Importance(share, n_trees, *_find_ways(np.concatenate(pairs), np.concatenate(steps)))


def _find_ways(pairs: NDArray[np.int64], steps: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Return the pairs, each once, and which part of their steps remains in their sum."""
    pair, place = np.unique(pairs, return_inverse=True)
    signed = np.bincount(place, steps, len(pair))
    moved = np.bincount(place, np.abs(steps), len(pair))
    return pair, np.divide(signed, moved, out=np.full(len(pair), np.nan), where=moved > 0.0)


def _largest(model: Model) -> float:
    """Return the largest number that a leaf adds, to be divided by: its square may be too large."""
    added = [
        abs(leverage) * np.abs(tree.output[tree.is_leaf]).max()
        for ensemble in model.ensembles
        for leverage, tree in zip(ensemble.leverage, ensemble.trees, strict=True)
    ]
    return float(max(added, default=0.0)) or 1.0


def _find_weights(model: Model) -> str | None:
    """Return the field that says how many examples come by at each node of all trees."""
    trees = [tree for ensemble in model.ensembles for tree in ensemble.trees]
    if all((tree.count >= 0).all() for tree in trees):
        return "count"
    return None if any(np.isnan(tree.weight).any() for tree in trees) else "weight"


def _count_trees(model: Model) -> NDArray[np.int64]:
    n_trees = np.zeros(len(model.feature_names), np.int64)
    for ensemble in model.ensembles:
        for tree in ensemble.trees:
            n_trees[np.unique(tree.feature[tree.feature >= 0])] += 1
    return n_trees


def _split(
    tree: Tree, examples: NDArray[Any], added: Floats
) -> tuple[NDArray[np.intp], Floats, Floats]:
    """Return the inner nodes, ``share q_l q_r`` of each, and its right mean minus its left one."""
    inner = np.flatnonzero(~tree.is_leaf)
    left, right = tree.left[inner], tree.right[inner]
    at_leaf = np.where(tree.is_leaf, examples, 0.0)
    amount = sum_up(at_leaf, tree.left, tree.right)
    if not amount[0] > 0.0:
        return inner, np.zeros(len(inner)), np.zeros(len(inner))
    total = sum_up(at_leaf * np.where(tree.is_leaf, added, 0.0), tree.left, tree.right)
    mean = np.divide(total, amount, out=np.zeros(tree.n_nodes), where=amount > 0.0)
    product, both = amount[left] * amount[right], amount[inner]
    part = np.divide(product, both, out=np.zeros(len(inner)), where=both > 0.0)
    return inner, part / amount[0], mean[right] - mean[left]
