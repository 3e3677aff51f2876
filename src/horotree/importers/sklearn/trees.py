"""scikit-learn's trees that hold class shares: alone, averaged, or voting."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.importers.errors import UnsupportedModelError
from horotree.importers.shared.forest import LARGEST
from horotree.importers.shared.values import shares_to_values
from horotree.trees import Ensemble, Tree

TREES = ("DecisionTreeClassifier", "ExtraTreeClassifier")

# The ensembles of a model, the link, and the labels of columns with categories.
Content = tuple[list[Ensemble], str, dict[int, tuple[Any, ...]]]


def read_tree(model: Any, n_classes: int) -> Content:
    """Return one ensemble of the one tree, or one a class."""
    return _read_shares([model], [None], n_classes), "mean", {}


def read_forest(model: Any, n_classes: int) -> Content:
    """Return the mean of the trees of a forest."""
    estimators = _check_trees(model)
    return _read_shares(estimators, [None] * len(estimators), n_classes), "mean", {}


def read_bagging(model: Any, n_classes: int) -> Content:
    """Return the mean of trees, each of which may have been trained on some columns and classes."""
    features = [np.asarray(subset) for subset in model.estimators_features_]
    return _read_shares(_check_trees(model), features, n_classes), "mean", {}


def read_adaboost(model: Any, n_classes: int) -> Content:
    """Return trees that vote: 1 for a class, -1/(K-1) for each other one.

    The score of two classes is the decision function. That of more is divided by K-1, so that the
    softmax of scores gives the probabilities.
    """
    algorithm = getattr(model, "algorithm", "SAMME")
    if algorithm not in ("SAMME", "deprecated"):
        raise UnsupportedModelError(
            f"AdaBoost must vote by SAMME, got algorithm={algorithm!r}: fit it anew."
        )
    estimators = _check_trees(model)
    weights = np.asarray(model.estimator_weights_, np.float64)
    share = weights[: len(estimators)] / weights.sum()
    leverage = 2.0 * share if n_classes == 2 else share / (n_classes - 1)
    classes = np.asarray(model.classes_)
    unknown = np.full(len(estimators), np.nan)
    ensembles = []
    for k in _drawn_classes(n_classes):
        trees = []
        for estimator in estimators:
            shares = _node_shares(estimator.tree_, _places(estimator.classes_, classes), n_classes)
            vote = np.where(shares.argmax(axis=1) == k, 1.0, -1.0 / (n_classes - 1))
            trees.append(_build(estimator.tree_, shares, k, vote, None))
        ensembles.append(Ensemble(tuple(trees), leverage, unknown, 0.0))
    return ensembles, "logistic" if n_classes == 2 else "softmax", {}


def find_vote_weight(model: Any) -> float:
    """Return the sum of the weights of AdaBoost's votes; 0 if rows had other weights, too.

    Then rows did not weigh the same for the first tree.
    """
    trees = [estimator.tree_ for estimator in model.estimators_]
    count, weight = trees[0].n_node_samples, trees[0].weighted_n_node_samples
    if not np.allclose(weight / weight[0], count / count[0], rtol=1e-9, atol=0.0):
        return 0.0
    return float(np.asarray(model.estimator_weights_, np.float64)[: len(trees)].sum())


def read_structure(tree: Any, features: NDArray[Any] | None = None) -> dict[str, Any]:
    """Return the fields of a Tree for its tests, and for the examples at each node.

    ``features`` are the columns that the tree was trained on. Default: all.
    """
    leaf = tree.children_left < 0
    feature = np.where(leaf, 0, tree.feature)
    return {
        "left": tree.children_left,
        "right": tree.children_right,
        "feature": np.where(leaf, -1, feature if features is None else features[feature]),
        "threshold": np.where(leaf, 0.0, np.minimum(tree.threshold, LARGEST)),  # inf: missing
        "missing_left": ~leaf & (np.asarray(tree.missing_go_to_left) != 0),
        "category_start": np.zeros(len(leaf) + 1, np.int32),
        "category": np.empty(0, np.int32),
        "weight": tree.weighted_n_node_samples,
        "count": tree.n_node_samples,
    }


def _read_shares(
    estimators: Sequence[Any], features: Sequence[NDArray[Any] | None], n_classes: int
) -> list[Ensemble]:
    """Return the ensembles that average the trees' class shares."""
    n_trees = len(estimators)
    # Half of the votes is common, and then the first class is right: the sum must not round up. By
    # a power of 2 it is divided without rounding.
    is_exact = n_classes > 2 or n_trees & (n_trees - 1) == 0
    less = 0.0 if is_exact else n_trees * np.finfo(np.float64).eps
    leverage, unknown = np.full(n_trees, (1.0 - less) / n_trees), np.full(n_trees, np.nan)
    by_class: list[list[Tree]] = [[] for _ in _drawn_classes(n_classes)]
    for estimator, subset in zip(estimators, features, strict=True):
        # A tree of an ensemble knows classes by their place; one that knows all, in that order.
        seen = np.asarray(estimator.classes_)
        places = np.arange(n_classes) if len(seen) == n_classes else seen.astype(np.intp)
        shares = _node_shares(estimator.tree_, places, n_classes)
        for trees, k in zip(by_class, _drawn_classes(n_classes), strict=True):
            trees.append(_build(estimator.tree_, shares, k, shares[:, k], subset))
    return [Ensemble(tuple(trees), leverage, unknown, 0.0) for trees in by_class]


def _drawn_classes(n_classes: int) -> list[int]:
    """Return the classes with an ensemble of their own: the second of two, or all."""
    return [1] if n_classes == 2 else list(range(n_classes))


def _build(
    tree: Any, shares: Floats, k: int, output: Floats, features: NDArray[Any] | None
) -> Tree:
    """Return a tree as it is drawn for one class."""
    own = shares[:, k]
    others = np.delete(shares, k, axis=1).sum(axis=1)
    total = own + others
    # Weights may be in any unit (AdaBoost's sum to 1): smooth by the number of examples.
    in_examples = tree.weighted_n_node_samples * (
        tree.n_node_samples[0] / tree.weighted_n_node_samples[0]
    )
    value = shares_to_values(own / total, in_examples, others / total)
    return Tree(value=value, output=output, **read_structure(tree, features))


def _node_shares(tree: Any, places: NDArray[np.intp], n_classes: int) -> Floats:
    """Return the share of every class (axis 1) at every node (axis 0); 0 if unknown to it."""
    shares = np.zeros((tree.node_count, n_classes))
    shares[:, places] = tree.value[:, 0, : len(places)]
    return shares


def _places(labels: Any, classes: NDArray[Any]) -> NDArray[np.intp]:
    place_of = {label: place for place, label in enumerate(classes.tolist())}
    return np.array([place_of[label] for label in np.asarray(labels).tolist()], np.intp)


def _check_trees(model: Any) -> list[Any]:
    """Return the estimators of an ensemble if all of them are trees."""
    estimators = list(model.estimators_)
    for estimator in estimators:
        kind = type(estimator)
        if kind.__name__ not in TREES or not kind.__module__.startswith("sklearn.tree"):
            raise UnsupportedModelError(
                f"a {type(model).__name__} must be made of trees, got a {kind.__name__} in it: "
                "pass DecisionTreeClassifier() as its estimator."
            )
    return estimators
