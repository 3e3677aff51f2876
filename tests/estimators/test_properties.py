"""What must not change predictions, and what the smoothing rule promises."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree import LogisticBoostClassifier, LogLossTreeClassifier
from horotree.losses import inverse_link
from horotree.trees import node_weights

from .data import numbers, table

seeds = st.integers(0, 2**16)


def small(n_estimators=6, **parameters):
    return LogisticBoostClassifier(n_estimators, **({"max_leaf_nodes": 10} | parameters))


@given(seeds)
def test_the_order_of_rows_does_not_matter(seed):
    X, y = table(200, seed=seed)
    order = np.random.default_rng(seed).permutation(len(y))
    assert small().fit(X.iloc[order], y[order]).model_ == small().fit(X, y).model_


@given(seeds)
def test_the_order_of_columns_does_not_matter(seed):
    # weights and leaves such that two features are not equally good by chance
    X, y = numbers(250, seed=seed)
    rng = np.random.default_rng(seed)
    order, weight = rng.permutation(X.shape[1]), rng.uniform(0.5, 2.0, len(y))
    first = small(min_samples_leaf=20).fit(X, y, weight)
    second = small(min_samples_leaf=20).fit(X[:, order], y, weight)
    np.testing.assert_array_equal(second.decision_function(X[:, order]), first.decision_function(X))
    np.testing.assert_allclose(
        second.feature_importances_, first.feature_importances_[order], rtol=1e-12
    )


@given(seeds)
def test_repeated_rows_are_weights(seed):
    X, y = table(150, seed=seed)
    rng = np.random.default_rng(seed)
    repeats = 2 ** rng.integers(0, 4, len(y))
    repeats[::7] = 0
    weight = rng.uniform(0.5, 2.0, len(y))  # else two splits may be equally good but for rounding
    rows = np.repeat(np.arange(len(y)), repeats)
    repeated = small().fit(X.iloc[rows], y[rows], sample_weight=weight[rows])
    weighted = small().fit(X, y, sample_weight=weight * repeats)
    for one, other in zip(
        repeated.model_.ensembles[0].trees, weighted.model_.ensembles[0].trees, strict=True
    ):
        np.testing.assert_array_equal(one.feature, other.feature)
        np.testing.assert_array_equal(one.threshold, other.threshold)
        np.testing.assert_array_equal(one.category, other.category)
        np.testing.assert_allclose(one.weight, other.weight, rtol=1e-7)
    np.testing.assert_allclose(
        repeated.decision_function(X), weighted.decision_function(X), rtol=1e-6, atol=1e-7
    )


@given(seeds)
def test_repeated_rows_are_weights_to_the_bit_in_the_first_tree(seed):
    # all weights are a power of 2, so the fixed point drops nothing
    X, y = table(150, seed=seed)
    repeats = 2 ** np.random.default_rng(seed).integers(0, 4, len(y))
    repeated = LogLossTreeClassifier().fit(X.loc[X.index.repeat(repeats)], y.repeat(repeats)).tree_
    weighted = LogLossTreeClassifier().fit(X, y, sample_weight=repeats).tree_
    for name in ("left", "right", "feature", "threshold", "category", "value", "weight"):
        np.testing.assert_array_equal(getattr(repeated, name), getattr(weighted, name))


@given(seeds)
def test_rows_of_weight_0_are_as_if_they_were_not_there(seed):
    X, y = table(200, seed=seed)
    counts = np.random.default_rng(seed).random(len(y)) < 0.6
    assert (
        small().fit(X, y, sample_weight=counts).model_ == small().fit(X[counts], y[counts]).model_
    )


@given(seeds)
def test_new_names_of_categories_change_nothing(seed):
    X, y = table(200, seed=seed)
    rng = np.random.default_rng(seed)
    names = dict(zip(["Bern", "Oslo", "Rome", "Turin"], rng.permutation(list("abcd")), strict=True))
    renamed = X.assign(city=pd.Categorical(X["city"].astype(object).map(names)))
    weight = rng.uniform(0.5, 2.0, len(y))  # no two categories have the same share of a class
    first, second = small().fit(X, y, weight), small().fit(renamed, y, weight)
    np.testing.assert_array_equal(second.decision_function(renamed), first.decision_function(X))


def test_a_monotonic_change_of_a_column_changes_nothing():
    X, y = numbers()
    first, second = small().fit(X, y), small().fit(X**3, y)
    np.testing.assert_array_equal(second.decision_function(X**3), first.decision_function(X))


def test_swapping_the_classes_changes_signs():
    X, y = numbers()
    first, second = small().fit(X, y), small().fit(X, 1 - y)
    np.testing.assert_allclose(
        second.decision_function(X), -first.decision_function(X), rtol=1e-9, atol=1e-12
    )


# --- the rule of smoothing ------------------------------------------------------------------------


@given(seeds, st.sampled_from([0.1, 1.0, 20.0, 200.0]), st.sampled_from([0.1, 0.5, 1.0]))
def test_structure_of_smoothed_trees(seed, smoothing, learning_rate):
    X, y = table(200, seed=seed)
    weight = np.random.default_rng(seed).uniform(0.1, 3.0, len(y))
    fitted = small(smoothing=smoothing, learning_rate=learning_rate).fit(X, y, sample_weight=weight)
    (ensemble,) = fitted.model_.ensembles
    leverage = ensemble.leverage / learning_rate
    assert ((leverage >= 0.0) & (leverage <= 1.0 + 1e-12)).all()
    assert ((ensemble.edge >= 0.0) & (ensemble.edge <= 1.0)).all()
    for tree in ensemble.trees:
        # the most confident node is a leaf
        assert tree.confidence[tree.is_leaf].max() == tree.confidence.max()
    for tree, largest in zip(ensemble.trees, ensemble.max_confidence, strict=True):
        assert largest == tree.confidence.max()


@given(seeds)
def test_weights_have_the_closed_form(seed):
    X, y = table(150, seed=seed)
    amount = np.random.default_rng(seed).uniform(0.5, 2.0, len(y))
    fitted = small().fit(X, y, sample_weight=amount)
    (ensemble,) = fitted.model_.ensembles
    matrix, positive = fitted.model_.to_matrix(X), y == "yes"
    score = np.zeros(len(y))
    stages = fitted.staged_decision_function(X)
    for tree, r in zip(ensemble.trees, ensemble.edge, strict=True):
        weight = amount * inverse_link(np.where(positive, -score, score))
        seen = node_weights(tree, matrix, positive, weight)
        np.testing.assert_allclose(tree.weight, seen.weight, rtol=1e-6, atol=1e-7)
        # the edge under the tree's own posteriors
        leaf = tree.is_leaf
        share = tree.value[leaf] / tree.confidence.max()
        edge = np.average((2.0 * tree.posterior[leaf] - 1.0) * share, weights=tree.weight[leaf])
        assert r == pytest.approx(edge, rel=1e-9)
        score = next(stages)
