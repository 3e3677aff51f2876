"""What smoothed the posteriors of horotree's own trees is found from them, and nothing else is."""

from dataclasses import replace

import numpy as np
import pytest

from horotree import LogisticBoostClassifier, LogLossTreeClassifier
from horotree.evaluation.expected.smoothing import find_smoothing
from horotree.losses import inverse_link, link


def draw(n=600, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, (X[:, 0] * X[:, 1] + rng.normal(size=n) > 0.5).astype(int)


@pytest.mark.parametrize("amount", [0.01, 3.0, 100.0])
@pytest.mark.parametrize("weak_learner", ["tree", "monotonic"])
def test_the_smoothing_of_boosting_is_found(amount, weak_learner):
    boost = LogisticBoostClassifier(
        n_estimators=5, smoothing=amount, weak_learner=weak_learner, random_state=0
    )
    found = find_smoothing(boost.fit(*draw()).model_.ensembles[0])
    assert found.to_host
    assert found.amount == pytest.approx(amount, rel=1e-9)


def test_that_of_a_single_tree_is_towards_parents():
    found = find_smoothing(LogLossTreeClassifier(smoothing=7.0).fit(*draw()).model_.ensembles[0])
    assert not found.to_host
    assert found.amount == pytest.approx(7.0, rel=1e-9)


def test_trees_without_smoothing_or_with_other_values_have_none():
    literal = {"smoothing": 0.0, "pure_leaves": "forbid", "random_state": 0}
    ensemble = LogisticBoostClassifier(n_estimators=5, **literal).fit(*draw()).model_.ensembles[0]
    assert abs(find_smoothing(ensemble).amount) < 1e-9
    tree = ensemble.trees[0]
    rng = np.random.default_rng(1)
    for changed in (
        replace(tree, value=tree.value + 1e-3 * rng.normal(size=tree.n_nodes)),
        replace(tree, weight=np.full(tree.n_nodes, np.nan)),
    ):
        parts = replace(ensemble, trees=(changed,), leverage=[1.0], edge=[0.1])
        assert find_smoothing(parts).amount == 0.0


def test_rows_are_smoothed_as_the_training_rows_were():
    X, y = draw()
    boost = LogisticBoostClassifier(n_estimators=1, smoothing=20.0, random_state=0).fit(X, y)
    ensemble = boost.model_.ensembles[0]
    tree, node = ensemble.trees[0], np.arange(ensemble.trees[0].n_nodes, dtype=np.int32)
    positive = np.zeros(tree.n_nodes)
    leaf = ensemble.apply(X)[:, 0]
    for v in reversed(range(tree.n_nodes)):
        positive[v] += y[leaf == v].sum()
        if v:
            positive[tree.parent[v]] += positive[v]
    raw = np.asarray(link(positive / tree.count))
    smoothed = find_smoothing(ensemble).apply(tree, node, raw)
    assert smoothed == pytest.approx(tree.value, abs=1e-9)
    assert np.abs(raw - tree.value).max() > 0.5
    assert np.isnan(find_smoothing(ensemble).apply(tree, node, np.full(len(node), np.nan))).all()
    assert (inverse_link(smoothed) > 0.0).all()
