"""Which features matter to a model, and in which direction: one ranking, used everywhere.

Two measures, each a share of a sum over all tests of all trees:

- ``gain``, where training has kept the gains of all tests: a test counts with its gain times the
  leverage of its tree. The gain is by how much the test lowers the log-loss of the training rows
  at its node, under their weights w in the round, when each is predicted with what its node says,
  h: ``Σ w log(1 + exp(-y h))`` at the node less the sums at both children.
  Leverage makes rounds comparable: the round adds ``leverage · h`` to scores. As
  ``log(1 + x) <= x``, the log-loss of training falls at least by
  ``Σ w (1 - exp(-y leverage h))``; by convexity, for leverages up to 1/2, at least by
  ``2 leverage Σ w (1 - exp(-y h / 2))``. If no leaf is surer than its rows are, as smoothing
  towards even odds ensures, this is at least ``2 leverage Σ w (log 2 - log(1 + exp(-y h)))``,
  that is ``2 leverage (what the root takes off W log 2 + Σ_tests gain)``. So leverage times gain
  is half of what a test is sure to take off the log-loss of training: exact for learning rates up
  to 1/2 and a smoothing of 0 or towards even odds, else an approximation. Smoothing counts: of a
  test whose children are shrunk to what the node says, little is left. A test may even lose.
- ``variance``, for models of other libraries and own files without gains: a tree adds one number
  to the score of each training row. A test divides the rows of a node in two parts of different
  means, and explains ``share(v) q_l q_r (m_l - m_r)²`` of the variance of these numbers: with the
  share of the rows at the node, the parts of them that go left and right, and the means of what
  the leaves below add (leverage times output). Over the tests of a tree these sum to its variance.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree._frozen import Frozen, freeze

from .forest import Forest, join, sum_up
from .model import Model

# From which part of its movement in one direction a feature is said to push that way: four fifths.
ONE_WAY = 0.6

UNKNOWN = (
    "the model does not say how many training examples reach its nodes: pass rows to "
    "from_model, or a file that has them"
)

# What importances are parts of, in words.
MEANINGS = {
    "gain": "the part of the gain of all tests that those of the feature have: by how much a test "
    "lowers the weighted log-loss of the training rows at its node, times the leverage of its tree",
    "variance": "the part of the variance of what trees add to the score, over training rows, "
    "that tests of the feature explain",
    "": "",
}

SHORT_MEANINGS = {
    "gain": "the part of the training gain that their tests have",
    "variance": "the part of the variance of what trees add that their tests explain",
}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Importance(Frozen):
    """How much each feature matters to a model, and where larger values push its score.

    Parameters
    ----------
    measure : {"gain", "variance", ""}
        What shares are parts of, see ``horotree.trees.importance``; empty if there are none.
    share : float64 array
        By feature, the share of its tests in the sum over all tests. The shares sum to 1; all are 0
        if no test counts anything, and NaN if neither measure is known. One is negative if the
        tests of a feature, which lower the loss before smoothing, raise it after it.
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

    measure: str
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
        """Whether there are shares."""
        return bool(self.measure)

    @property
    def meaning(self) -> str:
        """What a share is, in words."""
        return MEANINGS[self.measure]

    def ranking(self) -> list[int]:
        """Return the features that are tested, the most important first.

        They are sorted by share, or where there is none by how many trees test them; ties by place.
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
        """Return where larger values of a feature push an ensemble's score: "up" or "down".

        "both ways" where less than four fifths go one way, and an empty text where there is no
        direction.
        """
        way = self.direction(feature, ensemble)
        if np.isnan(way):
            return ""
        return "up" if way >= ONE_WAY else "down" if way <= -ONE_WAY else "both ways"


def find_importance(model: Model) -> Importance:
    """Find how much each feature matters to a model, by gain if it is known, else by variance.

    For variances and directions, training examples are counted where the model knows how many
    reached each leaf, else weighted by what it knows of their weights (in boosting those of the
    round).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from horotree import LogisticBoostClassifier
    >>> from horotree.trees.importance import find_importance
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> classifier = LogisticBoostClassifier(n_estimators=5).fit(X, y)
    >>> found = find_importance(classifier.model_)
    >>> first = found.ranking()[0]
    >>> found.measure, X.columns[first], float(found.share[first].round(2)), found.word(first)
    ('gain', 'worst perimeter', 0.38, 'down')
    """
    n = len(model.feature_names)
    forest = Forest.of(model.trees)
    inner = np.flatnonzero(forest.left >= 0)
    feature = forest.feature[inner].astype(np.int64)
    tree = forest.by_node(np.arange(forest.n_trees))[inner]
    n_trees = np.bincount(np.unique(tree * n + feature) % n, minlength=n)
    leverage = forest.by_node(join([ensemble.leverage for ensemble in model.ensembles]))
    added = leverage * forest.output
    largest = float(np.abs(added[forest.left < 0]).max(initial=0.0)) or 1.0  # squares are finite
    split = _split(forest, inner, added / largest)
    gain = forest.gain[inner]
    if not np.isnan(gain).any():
        measure, size = "gain", leverage[inner] * gain
    elif split is not None:
        measure, size = "variance", split[0] * split[1] * split[1]
    else:
        measure, size = "", np.full(len(inner), np.nan)
    pair, way = np.empty(0, np.int64), np.empty(0)
    if split is not None:
        ensemble = np.repeat(
            np.arange(len(model.ensembles)), [len(e.trees) for e in model.ensembles]
        )
        steps = np.where(forest.set_size[inner] == 0, split[0] * split[1], 0.0)
        pair, way = _find_ways(ensemble[tree] * n + feature, steps)
    return Importance(
        measure, _shares(size, feature, n), n_trees, pair, way, "" if measure else UNKNOWN
    )


def _shares(size: Floats, feature: NDArray[np.int64], n: int) -> Floats:
    """Return the part of each feature in the sum of what tests count."""
    by_feature = np.bincount(feature, size, n).astype(np.float64)
    total = by_feature.sum()
    return by_feature / total if total != 0.0 else by_feature


def _find_ways(pairs: NDArray[np.int64], steps: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Return the pairs, each once, and which part of their steps remains in their sum."""
    pair, place = np.unique(pairs, return_inverse=True)
    signed = np.bincount(place, steps, len(pair))
    moved = np.bincount(place, np.abs(steps), len(pair))
    return pair, np.divide(signed, moved, out=np.full(len(pair), np.nan), where=moved > 0.0)


def _split(forest: Forest, inner: NDArray[np.intp], added: Floats) -> tuple[Floats, Floats] | None:
    """Return ``share q_l q_r`` of each inner node, and its right mean minus its left one.

    None if the model does not know its training examples.
    """
    leaf, (left, right) = forest.left < 0, forest.children
    examples = forest.count if (forest.count >= 0).all() else forest.weight
    if np.isnan(examples).any():
        return None
    at_leaf = np.where(leaf, examples, 0.0)
    amount, total = sum_up(np.stack([at_leaf, at_leaf * np.where(leaf, added, 0.0)]), left, right)
    mean = np.divide(total, amount, out=np.zeros(len(leaf)), where=amount > 0.0)
    product, both = amount[left] * amount[right], amount
    part = np.divide(product, both, out=np.zeros(len(leaf)), where=~leaf & (both > 0.0))
    root = forest.by_node(amount[forest.tree_start[:-1]])
    share = np.divide(part, root, out=np.zeros(len(leaf)), where=root > 0.0)
    return share[inner], (mean[right] - mean[left])[inner]
