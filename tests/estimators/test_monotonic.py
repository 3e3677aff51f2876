"""Boosting with monotonic trees, and a single one."""

import dataclasses
import pickle

import numpy as np
import pytest
from hypothesis import given
from sklearn.utils.estimator_checks import parametrize_with_checks

from horotree import LogisticBoostClassifier, LogLossTreeClassifier, load, save
from horotree.evaluation.agreement import agreement
from horotree.losses import inverse_link, logistic_loss
from horotree.trees import find_leverage, monotonic
from tests.training.samples import SMALL, draw, draw_settings, seeds

from .data import numbers, table


def boosted(n_estimators=10, **parameters):
    options = {"max_leaf_nodes": 16, "weak_learner": "monotonic"} | parameters
    return LogisticBoostClassifier(n_estimators, **options)


@parametrize_with_checks([boosted(5, max_leaf_nodes=8)])
def test_scikit_learn_agrees(estimator, check):
    check(estimator)


# --- boosting -------------------------------------------------------------------------------------


@given(seeds)
def test_what_is_boosted_is_its_own_monotonic_version(seed):
    data = draw(seed, max_rows=120)
    settings = draw_settings(np.random.default_rng(seed))
    ensemble = data.boost(dataclasses.replace(settings, weak_learner="monotonic"))
    assert ensemble.as_drawn() == ensemble
    np.testing.assert_array_equal(ensemble.as_drawn().score(data.X), ensemble.score(data.X))
    for tree in ensemble.trees:
        np.testing.assert_array_equal(tree.output, tree.value[monotonic(tree).host])


@given(seeds)
def test_edges_and_leverages_are_those_of_the_hosts(seed):
    data = draw(seed, max_rows=120)
    settings = dataclasses.replace(SMALL, weak_learner="monotonic", smoothing=3.0)
    ensemble = data.boost(settings)
    for j, tree in enumerate(ensemble.trees):
        leaf = tree.is_leaf
        edge, leverage = find_leverage(tree.value[leaf], tree.output[leaf], tree.weight[leaf])
        assert ensemble.edge[j] == edge
        assert ensemble.leverage[j] == settings.learning_rate * leverage
        assert 0.0 < edge < 1.0
        assert 0.0 < leverage <= 1.0 + 1e-12  # what leaves say is never exaggerated


def literal(learning_rate):
    """Return the paper's literal setting, with monotonic trees."""
    return dataclasses.replace(
        SMALL,
        n_estimators=10,
        weak_learner="monotonic",
        smoothing=0.0,
        pure_leaves="forbid",
        learning_rate=learning_rate,
    )


@pytest.mark.parametrize("learning_rate", [0.5, 1.0])
@given(seed=seeds)
def test_without_smoothing_every_monotonic_tree_has_an_edge_and_lowers_the_loss(
    learning_rate, seed
):
    """The edge is Σ W (2p - 1) (h - h of the parent) over kept nodes, a sum of positive terms."""
    data = draw(seed, max_rows=100)
    if data.positive.all() or not data.positive.any():
        return
    ensemble = data.boost(literal(learning_rate))
    losses = [np.log(2.0)]
    for tree, edge, score in zip(
        ensemble.trees, ensemble.edge, ensemble.staged_score(data.X), strict=True
    ):
        kept = monotonic(tree)
        above = np.where(kept.parent < 0, 0.0, kept.value[kept.parent])
        weight, posterior = tree.weight[kept.node], tree.posterior[kept.node]
        terms = weight * (2.0 * posterior - 1.0) * (kept.value - above)
        assert (terms >= 0.0).all()
        largest = np.abs(tree.output[tree.is_leaf]).max()
        expected = min(terms.sum() / (largest * tree.weight[0]), 1.0 - 1.0 / len(data.X))
        assert edge == pytest.approx(expected, rel=1e-6, abs=1e-9)
        losses.append(logistic_loss(data.positive, score, data.sample_weight))
    assert (np.diff(losses) < 1e-9).all()


def test_the_loss_falls_with_every_tree():
    X, y = table()
    fitted = boosted(30).fit(X, y)
    losses = [logistic_loss(y == "yes", s) for s in fitted.staged_decision_function(X)]
    assert (np.diff([np.log(2.0), *losses]) < 0.0).all()


def test_some_of_it_differs_from_boosting_trees():
    X, y = table()
    fitted, plain = boosted(20, max_leaf_nodes=31).fit(X, y), boosted(20, weak_learner="tree")
    plain.set_params(max_leaf_nodes=31).fit(X, y)
    one, other = (model.model_.ensembles[0] for model in (fitted, plain))
    np.testing.assert_array_equal(one.trees[0].value, other.trees[0].value)
    assert any(len(monotonic(tree).rerouted) for tree in one.trees)
    assert (fitted.decision_function(X) != plain.decision_function(X)).any()
    assert plain.model_.as_drawn() != plain.model_


def test_it_predicts_as_it_is_drawn():
    X, y = table()
    found = agreement(boosted(20, max_leaf_nodes=31).fit(X, y), X, y)
    assert found.same_class == 1.0
    assert found.confidence_difference == found.probability_difference == 0.0
    assert found.monotonic_log_loss == found.log_loss
    assert found.rerouted[0].max() > 0.0
    assert "predicts as it is drawn" in str(found)


def test_several_classes_have_an_ensemble_each_against_the_rest():
    X, y = numbers(n_classes=3)
    fitted = boosted().fit(X, y)
    assert fitted.model_.as_drawn() == fitted.model_
    for k, ensemble in enumerate(fitted.model_.ensembles):
        assert ensemble == boosted().fit(X, y == k).model_.ensembles[0]


def test_a_weight_is_a_number_of_rows():
    X, y = table()
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), weight)
    weighted = boosted(max_bins=None).fit(X, y, sample_weight=weight)
    repeated = boosted(max_bins=None).fit(X.iloc[rows], y[rows])
    np.testing.assert_allclose(
        weighted.decision_function(X), repeated.decision_function(X), rtol=1e-6, atol=1e-9
    )


@pytest.mark.parametrize("n_classes", [2, 3])
def test_early_stopping_keeps_the_trees_up_to_the_least_loss(n_classes):
    X, y = numbers(n=500, n_classes=n_classes, noise=0.4)
    X_val, y_val = numbers(n=300, n_classes=n_classes, noise=0.4, seed=1)
    fitted = boosted(60, early_stopping=True, n_iter_no_change=5).fit(X, y, eval_set=(X_val, y_val))
    history = fitted.validation_loss_.reshape(len(fitted.validation_loss_), -1)
    targets = [1] if n_classes == 2 else range(n_classes)
    for column, k, ensemble in zip(history.T, targets, fitted.model_.ensembles, strict=True):
        losses = column[~np.isnan(column)]
        assert len(ensemble.trees) == np.argmin(losses[1:]) + 1 < 60
        for n_trees, score in enumerate(ensemble.staged_score(X_val), start=1):
            assert logistic_loss(y_val == k, score) == pytest.approx(losses[n_trees], rel=1e-12)
    assert fitted.model_.as_drawn() == fitted.model_


def test_a_warm_start_goes_on_with_monotonic_trees():
    X, y = numbers()
    grown = boosted(4, warm_start=True).fit(X, y)
    begun = grown.model_.ensembles[0].trees
    grown.set_params(n_estimators=9).fit(X, y)
    whole = boosted(9).fit(X, y)
    assert grown.model_.ensembles[0].trees[:4] == begun
    np.testing.assert_allclose(grown.decision_function(X), whole.decision_function(X), rtol=1e-6)
    assert grown.model_.as_drawn() == grown.model_
    with pytest.raises(
        ValueError, match="cannot change weak_learner, got 'tree' after 'monotonic'"
    ):
        grown.set_params(weak_learner="tree").fit(X, y)


def test_files_pickles_and_threads_change_nothing(tmp_path):
    X, y = table()
    fitted = boosted().fit(X, y)
    save(fitted, tmp_path / "model.horotree")
    assert load(tmp_path / "model.horotree") == fitted.model_
    score = load(tmp_path / "model.horotree").score(X)
    np.testing.assert_array_equal(score, fitted.decision_function(X))
    again = pickle.loads(pickle.dumps(fitted))  # noqa: S301 - made here
    np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
    assert boosted(n_jobs=2).fit(X, y).model_ == fitted.model_


def test_the_smoothing_is_chosen_with_monotonic_trees_too():
    X, y = numbers()
    fitted = boosted(5, smoothing="auto", random_state=0).fit(X, y)
    chosen = {"smoothing": fitted.smoothing_, "learning_rate": fitted.learning_rate_}
    assert boosted(5, **chosen).fit(X, y).model_ == fitted.model_


@pytest.mark.parametrize("weak_learner", ["stump", None, True])
def test_other_weak_learners_are_refused(weak_learner):
    X, y = numbers()
    with pytest.raises((ValueError, TypeError), match="weak_learner must be"):
        boosted(weak_learner=weak_learner).fit(X, y)


# --- one tree -------------------------------------------------------------------------------------


def test_a_single_tree_predicts_by_its_hosts():
    X, y = table()
    fitted = LogLossTreeClassifier(as_drawn=True, max_leaf_nodes=40, smoothing=5.0).fit(X, y)
    plain = LogLossTreeClassifier(max_leaf_nodes=40, smoothing=5.0).fit(X, y)
    tree, host = plain.tree_, monotonic(plain.tree_).host
    leaf = fitted.apply(X)
    assert len(monotonic(tree).rerouted) > 0
    # The gains of tests are those of the outputs that training had.
    assert fitted.tree_ == dataclasses.replace(
        tree, output=tree.value[host], gain=fitted.tree_.gain
    )
    (drawn,) = plain.model_.as_drawn().ensembles[0].trees
    assert drawn == dataclasses.replace(fitted.tree_, gain=np.full(tree.n_nodes, np.nan))
    np.testing.assert_array_equal(leaf, plain.apply(X))
    np.testing.assert_array_equal(fitted.decision_function(X), tree.value[host[leaf]])
    np.testing.assert_array_equal(fitted.predict_proba(X)[:, 1], tree.posterior[host[leaf]])
    assert fitted.model_.ensembles[0].leverage.tolist() == [1.0]


def test_several_classes_have_a_monotonic_tree_each():
    X, y = numbers(n_classes=3)
    fitted = LogLossTreeClassifier(as_drawn=True, max_leaf_nodes=12).fit(X, y)
    for k, ensemble in enumerate(fitted.model_.ensembles):
        alone = LogLossTreeClassifier(as_drawn=True, max_leaf_nodes=12).fit(X, y == k)
        assert ensemble.trees == (alone.tree_,)
    share = inverse_link(fitted.decision_function(X))
    np.testing.assert_allclose(
        fitted.predict_proba(X), share / share.sum(axis=1, keepdims=True), rtol=1e-14
    )


def test_a_single_tree_takes_only_a_flag():
    X, y = numbers()
    for given_ in ("yes", 1, None):
        with pytest.raises((ValueError, TypeError), match="as_drawn must be"):
            LogLossTreeClassifier(as_drawn=given_).fit(X, y)


# --- what smoothing guarantees --------------------------------------------------------------------


@given(seeds)
def test_the_most_confident_kept_node_is_a_leaf(seed):
    data = draw(seed, max_rows=120)
    ensemble = data.boost(draw_settings(np.random.default_rng(seed)))
    for tree, largest in zip(ensemble.trees, ensemble.max_confidence, strict=True):
        kept = monotonic(tree)
        assert kept.confidence.max() == pytest.approx(largest, rel=1e-12)
        # A leaf of the monotonic tree is one of the tree: where a node is surer than its parent,
        # one of its children is surer still. Only a root may know nothing, like all below it.
        assert tree.is_leaf[kept.node[kept.is_leaf]].all() or not tree.confidence.any()
