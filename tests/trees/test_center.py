from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris, make_classification
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier

from horotree import LogisticBoostClassifier
from horotree.io import from_model
from horotree.losses import inverse_link
from horotree.trees import (
    Ensemble,
    Model,
    base_rates,
    center_ensemble,
    center_tree,
    find_center,
    monotonic,
    origin_of,
)
from tests.trees.strategies import random_tree


def rare(share, n=4_000, seed=0):
    """Return rows of which a share is of class 1, some of them in segments that can be found."""
    return make_classification(
        n, 8, n_informative=5, weights=[1.0 - share], flip_y=0.0, class_sep=0.7, random_state=seed
    )


@given(seed=st.integers(0, 2**32 - 1), size=st.integers(1, 40))
def test_evidence_is_the_value_less_that_of_the_root(seed, size):
    tree = random_tree(np.random.default_rng(seed), [0], size)
    shifted = center_tree(tree, "base")
    np.testing.assert_allclose(shifted.value, tree.value - tree.value[0], atol=1e-11)
    assert shifted.value[0] == 0.0
    assert (shifted.output == tree.output).all()
    assert center_tree(tree, "half") is tree
    assert origin_of(tree, "base") == tree.value[0]
    assert origin_of(tree, "half") == 0.0


@given(seed=st.integers(0, 2**32 - 1), size=st.integers(1, 40))
def test_evidence_is_the_logit_of_the_posterior_with_even_classes(seed, size):
    tree = random_tree(np.random.default_rng(seed), [0], size)
    p, base = np.asarray(inverse_link(tree.value)), float(inverse_link(tree.value[0]))
    # Positive rows weigh 1 / base, negative ones 1 / (1 - base): at the root both are even.
    balanced = (p / base) / (p / base + (1.0 - p) / (1.0 - base))
    even = np.asarray(inverse_link(center_tree(tree, "base").value))
    np.testing.assert_allclose(even, balanced, rtol=1e-9)


@given(seed=st.integers(0, 2**32 - 1), size=st.integers(1, 40))
def test_a_node_is_kept_if_it_is_further_from_the_root_than_all_above_it(seed, size):
    tree = random_tree(np.random.default_rng(seed), [0], size)
    kept = set(monotonic(center_tree(tree, "base")).node.tolist())
    for node in range(tree.n_nodes):
        above, far = tree.parent[node], abs(tree.value[node] - tree.value[0])
        nearer = True
        while above >= 0:
            nearer &= abs(tree.value[above] - tree.value[0]) < far - 1e-9
            above = tree.parent[above]
        if nearer:
            assert node in kept
        elif node in kept:  # within rounding of the other answer
            above = tree.parent[node]
            least = far
            while above >= 0:
                least = min(least, far - abs(tree.value[above] - tree.value[0]))
                above = tree.parent[above]
            assert abs(least) <= 1e-9


def test_a_node_that_differs_from_the_root_by_rounding_says_what_the_root_says():
    tree = random_tree(np.random.default_rng(0), [0], 3)
    value = np.full(tree.n_nodes, 0.3)
    value[-1] = 0.1 + 0.2
    assert (center_tree(replace(tree, value=value), "base").value == 0.0).all()


def test_the_roots_are_the_intercept_of_the_score():
    X, y = rare(0.1)
    model = LogisticBoostClassifier(n_estimators=20, max_leaf_nodes=8).fit(X, y).model_
    (ensemble,) = model.ensembles
    roots = np.array([tree.value[0] for tree in ensemble.trees])
    intercept = ensemble.base_value + ensemble.leverage @ roots
    leaves = ensemble.apply(X)
    evidence = np.zeros(len(X))
    for j, tree in enumerate(center_ensemble(ensemble, "base").trees):
        evidence += ensemble.leverage[j] * tree.value[leaves[:, j]]
    np.testing.assert_allclose(intercept + evidence, model.score(X), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("center", ["half", "base"])
def test_scores_do_not_depend_on_the_center(center):
    X, y = rare(0.1)
    ensemble = LogisticBoostClassifier(n_estimators=5).fit(X, y).model_.ensembles[0]
    assert (center_ensemble(ensemble, center).score(X) == ensemble.score(X)).all()


# Smoothing draws the roots of our own trees to even odds, by so many rows of either class.
SMOOTHED = 100


@pytest.mark.parametrize("share", [0.02, 0.1, 0.5])
@pytest.mark.parametrize(
    ("make", "pseudo", "tolerance"),
    [
        (lambda: LogisticBoostClassifier(n_estimators=5), SMOOTHED, 0.01),
        (lambda: HistGradientBoostingClassifier(max_iter=5), 0, 0.01),
        (lambda: RandomForestClassifier(5, max_depth=4, random_state=0), 0, 0.2),
    ],
)
def test_the_base_rate_is_that_of_the_training(make, pseudo, tolerance, share):
    X, y = rare(share)
    (rate,) = base_rates(from_model(make().fit(X, y)))
    expected = (y.sum() + pseudo) / (len(y) + 2 * pseudo)
    assert rate == pytest.approx(expected, rel=tolerance)
    # A quarter is the limit.
    assert find_center(from_model(make().fit(X, y))) == ("half" if share == 0.5 else "base")


def test_of_margins_that_start_at_even_odds_the_first_step_tells_the_base_rate():
    xgboost = pytest.importorskip("xgboost")
    X, y = rare(0.1)
    booster = xgboost.XGBClassifier(
        n_estimators=3, base_score=0.5, reg_lambda=0.0, max_depth=3
    ).fit(X, y)
    (rate,) = base_rates(from_model(booster))
    assert rate == pytest.approx(y.mean(), rel=1e-3)


def test_each_class_of_several_has_its_rate():
    X, y = make_classification(
        3_000, 8, n_informative=6, n_classes=3, weights=[0.6, 0.3, 0.1], flip_y=0, random_state=0
    )
    model = LogisticBoostClassifier(n_estimators=2).fit(X, y).model_
    smoothed = (np.bincount(y) + SMOOTHED) / (len(y) + 2 * SMOOTHED)
    np.testing.assert_allclose(base_rates(model), smoothed, rtol=0.01)
    assert find_center(model) == "base"
    some = np.concatenate([np.flatnonzero(y == k)[:250] for k in range(3)])
    even = LogisticBoostClassifier(n_estimators=2).fit(X[some], y[some]).model_
    assert find_center(even) == "half"


def test_no_trees_are_even():
    nothing = Ensemble((), [], [], 0.0)
    model = Model((nothing,), "logistic", [0, 1], ("x",), (None,), "float64")
    assert base_rates(model).tolist() == [0.5]
    assert find_center(model) == "half"


def test_of_single_tests_both_branches_are_drawn():
    X, y = rare(0.35)
    model = LogisticBoostClassifier(n_estimators=3, max_leaf_nodes=2).fit(X, y).model_
    assert find_center(model) == "base"
    trees = model.ensembles[0].trees
    n_drawn = {
        center: [monotonic(center_tree(tree, center)).node.size for tree in trees]
        for center in ("base", "half")
    }
    assert n_drawn["base"] == [3, 3, 3]
    assert min(n_drawn["half"]) == 2
    assert find_center(LogisticBoostClassifier(n_estimators=3).fit(X, y).model_) == "half"


def test_one_class_of_single_tests_is_enough():
    X, y = load_iris(return_X_y=True)
    model = LogisticBoostClassifier(n_estimators=4, max_leaf_nodes=8).fit(X, y).model_
    assert {tree.n_nodes for tree in model.ensembles[0].trees} == {3}
    assert 3 not in {tree.n_nodes for tree in model.ensembles[1].trees}
    assert min(base_rates(model)) > 0.25
    assert find_center(model) == "base"
    first = model.ensembles[0].trees[0]
    assert monotonic(center_tree(first, find_center(model))).node.size == 3


@pytest.mark.parametrize(
    ("n_large", "center"), [(0, "base"), (1, "base"), (2, "half"), (30, "half")]
)
def test_single_tests_among_larger_trees_decide_only_if_they_are_most(n_large, center):
    X, y = rare(0.5)
    large = LogisticBoostClassifier(n_estimators=30, max_leaf_nodes=8).fit(X, y).model_
    single = LogisticBoostClassifier(n_estimators=1, max_leaf_nodes=2).fit(X, y).model_
    (stump,) = single.ensembles[0].trees
    stump = replace(stump, value=np.array([0.5, 0.2, 1.0]))  # "half" hides the left branch
    whole = large.ensembles[0]
    assert min(tree.n_nodes for tree in whole.trees) > 3
    trees = (*whole.trees[:n_large], stump, *([stump] if n_large else []))
    ensemble = Ensemble(trees, np.ones(len(trees)), np.full(len(trees), np.nan), 0.0)
    assert find_center(replace(large, ensembles=(ensemble,))) == center


def test_another_center_is_refused():
    model = LogisticBoostClassifier(n_estimators=1).fit(*rare(0.5)).model_
    with pytest.raises(ValueError, match="center must be one of auto, base, half, got 'middle'"):
        find_center(model, "middle")
