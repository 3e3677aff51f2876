"""What the single tree promises."""

from dataclasses import replace

import numpy as np
import pytest

from horotree import LogisticBoostClassifier, LogLossTreeClassifier
from horotree.losses import inverse_link, link
from horotree.trees import node_weights
from horotree.trees.importance import find_importance

from .data import numbers, table


def test_it_has_the_tests_of_the_first_tree_of_boosting():
    X, y = table()
    tree = LogLossTreeClassifier(smoothing=7.0).fit(X, y).tree_
    first = LogisticBoostClassifier(1, smoothing=7.0).fit(X, y).model_.ensembles[0].trees[0]
    assert tree == replace(first, value=tree.value, output=tree.output, gain=tree.gain)


def test_the_probability_is_the_posterior_of_the_leaf():
    X, y = table()
    fitted = LogLossTreeClassifier(max_leaf_nodes=10).fit(X, y)
    leaf = fitted.apply(X)
    assert fitted.model_.ensembles[0].leverage.tolist() == [1.0]
    np.testing.assert_array_equal(fitted.decision_function(X), fitted.tree_.value[leaf])
    np.testing.assert_array_equal(fitted.predict_proba(X)[:, 1], fitted.tree_.posterior[leaf])


def test_values_are_logits_of_posteriors_smoothed_towards_the_parent():
    X, y = numbers()
    smoothing = 3.0
    tree = LogLossTreeClassifier(max_leaf_nodes=12, smoothing=smoothing).fit(X, y).tree_
    seen = node_weights(tree, X, y == 1, np.full(len(X), 0.5))
    posterior = np.empty(tree.n_nodes)
    for v in range(tree.n_nodes):
        above = posterior[tree.parent[v]] if v else 0.5
        posterior[v] = (seen.positive[v] + smoothing * above) / (seen.weight[v] + smoothing)
    np.testing.assert_allclose(tree.value, link(posterior), rtol=1e-12)


def test_several_classes_have_a_tree_each():
    X, y = numbers(n_classes=3)
    fitted = LogLossTreeClassifier(max_leaf_nodes=8).fit(X, y)
    assert fitted.apply(X).shape == (len(X), 3)
    for k, ensemble in enumerate(fitted.model_.ensembles):
        alone = LogLossTreeClassifier(max_leaf_nodes=8).fit(X, y == k)
        assert ensemble.trees == (alone.tree_,)
        assert (fitted.apply(X)[:, k] == alone.apply(X)).all()
    share = inverse_link(fitted.decision_function(X))
    np.testing.assert_allclose(
        fitted.predict_proba(X), share / share.sum(axis=1, keepdims=True), rtol=1e-14
    )
    with pytest.raises(AttributeError, match=r"model_.ensembles\[k\].trees\[0\]"):
        _ = fitted.tree_


def test_nothing_to_learn_gives_a_root():
    X, y = np.ones((10, 2)), np.arange(10) % 2
    with pytest.warns(UserWarning, match="ended without a tree"):
        fitted = LogLossTreeClassifier().fit(X, y)
    assert (fitted.tree_.n_nodes, fitted.tree_.count[0], fitted.tree_.weight[0]) == (1, 10, 5.0)
    assert fitted.predict_proba(X).tolist() == [[0.5, 0.5]] * 10
    assert fitted.apply(X).tolist() == [0] * 10
    assert fitted.feature_importances_.tolist() == [0.0, 0.0]


def test_importances_are_those_of_the_model():
    X, y = numbers(n=1000, noise=0.05)
    fitted = LogLossTreeClassifier(max_leaf_nodes=10).fit(X, y)
    importance = find_importance(fitted.model_).share
    np.testing.assert_array_equal(fitted.feature_importances_, importance)
    fitted.feature_importances_[0] = 2.0  # a copy
    np.testing.assert_array_equal(fitted.feature_importances_, importance)


@pytest.mark.parametrize("limit", [{"max_leaf_nodes": 5}, {"max_depth": 2}])
def test_a_limit_is_kept(limit):
    X, y = numbers()
    tree = LogLossTreeClassifier(**limit).fit(X, y).tree_
    assert tree.n_leaves <= limit.get("max_leaf_nodes", 4)
    assert tree.depth.max() <= limit.get("max_depth", 4)


def test_leaves_have_the_examples_they_need():
    X, y = numbers()
    tree = LogLossTreeClassifier(min_samples_leaf=20).fit(X, y).tree_
    assert tree.count[tree.is_leaf].min() >= 20


def test_there_is_no_tree_before_a_fit():
    assert not hasattr(LogLossTreeClassifier(), "tree_")
