"""Inputs that once broke a fit, and must not again."""

import numpy as np
import pandas as pd
import pytest

from horotree import LogisticBoostClassifier, LogLossTreeClassifier
from horotree.training.binning import SAMPLE


def test_a_column_whose_rows_have_a_period_is_cut_like_any_other():
    n = 2 * SAMPLE + 10
    rng = np.random.default_rng(1)
    even = np.arange(n) % 2 == 0
    column = np.where(even, 0.0, rng.normal(size=n))
    y = np.where(even, rng.integers(0, 2, n), column > 0.5)
    X = column[:, np.newaxis]
    classifier = LogisticBoostClassifier(2, max_leaf_nodes=8).fit(X, y)
    assert classifier.score(X, y) > 0.74  # a coin for the even rows, all of the odd ones


def test_values_whose_difference_overflows_are_cut_apart():
    X = np.array([-1.7e308, 1.7e308] * 30)[:, np.newaxis]
    y = X[:, 0] > 0
    assert LogisticBoostClassifier(3).fit(X, y).score(X, y) == 1.0


@pytest.mark.parametrize("seed", range(6))
def test_features_are_drawn_until_one_can_split(seed):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=300), np.zeros((300, 4))])
    y = X[:, 0] > np.median(X[:, 0])
    tree = LogLossTreeClassifier(max_features=1, random_state=seed).fit(X, y)
    assert tree.score(X, y) > 0.9
    boosted = LogisticBoostClassifier(20, max_features=1, random_state=seed).fit(X, y)
    assert boosted.n_estimators_ == 20


def test_an_unlucky_bag_does_not_end_boosting():
    X = np.arange(100.0)[:, np.newaxis]
    y = X[:, 0] >= 97
    sizes = [
        LogisticBoostClassifier(200, subsample=0.02, random_state=seed).fit(X, y).n_estimators_
        for seed in range(4)
    ]
    assert min(sizes) > 50


def test_bold_steps_stay_finite():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = X[:, 0] + 0.5 * rng.normal(size=300) > 0
    classifier = LogisticBoostClassifier(40, learning_rate=10.0, smoothing=1e-9).fit(X, y)
    assert np.isfinite(classifier.decision_function(X)).all()
    with pytest.raises(ValueError, match=r"learning_rate must be above 0, at most 10, got 1000"):
        LogisticBoostClassifier(learning_rate=1000.0).fit(X, y)


def test_a_node_stores_the_smaller_side_of_many_categories():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2000, 3000)
    frame = pd.DataFrame({"label": pd.Categorical(labels)})
    y = (labels % 3 == 0) ^ (rng.random(3000) < 0.1)
    classifier = LogisticBoostClassifier(3).fit(frame, y)
    for tree in classifier.model_.ensembles[0].trees:
        sizes = np.diff(tree.category_start)[~tree.is_leaf]
        assert sizes.max() <= 1000
        assert len(tree.category) < 3000  # 100 nodes that stored the other side had 100,000
    assert classifier.score(frame, y) > 0.8


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_depth": 10**30}, "max_depth must be at most"),
        ({"n_jobs": 2**40}, "n_jobs must be None or an integer"),
        ({"class_weight": np.array([1, 2])}, "class_weight must be None, 'balanced' or a dict"),
        ({"smoothing": 5e-324}, "smoothing must be 0, or at least 1e-9"),
    ],
)
def test_numbers_beyond_the_core_are_refused_in_words(parameters, message):
    X = np.arange(10.0)[:, np.newaxis]
    with pytest.raises(ValueError, match=message):
        LogisticBoostClassifier(3, **parameters).fit(X, X[:, 0] > 4)
