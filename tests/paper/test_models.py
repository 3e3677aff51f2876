"""Section 5 of the paper as far as training goes, and its appendix on boosting."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from horotree import losses
from horotree.geometry import poincare
from horotree.training import Settings
from horotree.trees import routing
from tests.training.samples import boost_table

posteriors = st.floats(1e-9, 1 - 1e-9)


def problem(n=400, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    positive = X[:, 0] + X[:, 1] ** 2 + rng.normal(size=n) > 1
    return np.ascontiguousarray(X), positive


# Unsmoothed posteriors are the paper's: no leaf may be pure then.
LITERAL = Settings(
    n_estimators=6, max_leaf_nodes=8, smoothing=0.0, learning_rate=1.0, pure_leaves="forbid"
)


def fit(settings, X, positive):
    kinds = np.zeros(X.shape[1], np.int32)
    return boost_table(X, positive, np.ones(len(X)), n_categories=kinds, settings=settings)


@given(p=posteriors)
def test_eqpartialloss(p):
    """The log-loss is symmetric: the partial losses mirror each other."""
    of_positive = losses.log_loss([True], [p])
    assert_allclose(of_positive, -math.log(p), rtol=1e-12)
    assert_allclose(losses.log_loss([False], [p]), -math.log1p(-p), rtol=1e-9)


@given(prior=st.floats(0.01, 0.99), p=st.floats(0.01, 0.99))
def test_cbrlog(prior, p):
    """The log-loss is strictly proper: the prior itself is the best guess, with the Bayes risk."""

    def risk(guess):
        return -prior * math.log(guess) - (1 - prior) * math.log1p(-guess)

    assert_allclose(losses.bayes_risk(prior), risk(prior), rtol=1e-12)
    assert risk(p) >= risk(prior)
    assert abs(p - prior) < 1e-3 or risk(p) > risk(prior)


@given(p=posteriors)
def test_defCANO(p):
    assert_allclose(losses.link(p), math.log(p) - math.log1p(-p), rtol=1e-9, atol=1e-15)
    assert_allclose(losses.inverse_link(losses.link(p)), p, rtol=1e-9)


@given(p=st.floats(0.001, 0.999))
def test_defCANOLOGB1(p):
    """A confidence is the distance from the origin of a point of norm |2p - 1|."""
    distance = poincare.distance_of_norm(abs(2 * p - 1))
    assert_allclose(abs(losses.link(p)), distance, rtol=1e-9, atol=1e-15)


def test_ecbrReal():
    """Expected Bayes risk at the leaves (ecbr) is the logistic loss of the real predictions."""
    X, positive = problem()
    tree = fit(Settings(n_estimators=1, max_leaf_nodes=12, smoothing=0.0, pure_leaves="forbid"),
               X, positive).trees[0]  # fmt: skip
    leaf = routing.find_leaves(tree, X)
    at_leaf = [positive[leaf == i].mean() for i in leaf]
    risk = np.mean(losses.bayes_risk(at_leaf))
    assert_allclose(risk, losses.logistic_loss(positive, tree.value[leaf]), rtol=1e-8)
    assert_allclose(losses.inverse_link(tree.value[leaf]), at_leaf, rtol=1e-7)


@given(
    alpha=st.floats(-5, 5), radius=st.floats(0.1, 10), share=st.floats(-1, 1)
)  # eqAPPROXALPHA with u = z/R
def test_eqAPPROXALPHA(alpha, radius, share):
    z = share * radius
    left = np.logaddexp(0, -alpha * z)
    ends = np.logaddexp(0, -alpha * radius), np.logaddexp(0, alpha * radius)
    assert left <= (1 + share) / 2 * ends[0] + (1 - share) / 2 * ends[1] + 1e-12


@given(edge=st.floats(0, 0.999), radius=st.floats(0.1, 10))
def test_eqAPPROXALPHA__minimizer(edge, radius):
    """The leverage log((1+r)/(1-r))/R minimizes the secant bound of the loss."""

    def bound(alpha):
        up, down = np.logaddexp(0, -alpha * radius), np.logaddexp(0, alpha * radius)
        return (1 + edge) / 2 * up + (1 - edge) / 2 * down

    best = math.log((1 + edge) / (1 - edge)) / radius
    assert all(bound(best) <= bound(best + shift) + 1e-12 for shift in (-0.3, -0.01, 0.01, 0.3))


@pytest.mark.parametrize("seed", range(3))
def test_alg_logisticboost(seed):
    """Weights, edges and leverages of every round, as the algorithm and its text define them."""
    X, positive = problem(seed=seed)
    ensemble = fit(LITERAL, X, positive)
    y = np.where(positive, 1.0, -1.0)
    weights, score = np.full(len(X), 0.5), np.zeros(len(X))
    for tree, leverage, edge in zip(ensemble.trees, ensemble.leverage, ensemble.edge, strict=True):
        leaf = routing.find_leaves(tree, X)
        h = tree.value[leaf]
        for node in np.unique(leaf):  # posteriors under this round's weights
            inside = leaf == node
            share = np.average(positive[inside], weights=weights[inside])
            assert_allclose(losses.inverse_link(tree.value[node]), share, rtol=1e-6)
        largest = np.abs(tree.value[tree.is_leaf]).max()  # defNt, defCANOLOGTSTAR
        r = np.average(y * h / largest, weights=weights)  # defCANOLOGT with the label
        assert_allclose(edge, r, rtol=1e-6)
        assert r >= 0
        assert_allclose(leverage, math.log((1 + r) / (1 - r)) / largest, rtol=1e-6)
        weights = weights / (weights + (1 - weights) * np.exp(leverage * y * h))  # defweightupdate
        score += leverage * h
        assert_allclose(weights, losses.inverse_link(-y * score), rtol=1e-9)
    assert_allclose(ensemble.score(X), score, rtol=1e-9)  # defBOOSTH


@pytest.mark.parametrize("smoothing", [1.0, 20.0, 100.0])
def test_defCANOLOGT__smoothed(smoothing):
    """With smoothing too: 0 <= edge, 0 <= leverage <= 1, and the most confident node is a leaf."""
    X, positive = problem()
    ensemble = fit(Settings(n_estimators=20, smoothing=smoothing, learning_rate=1.0), X, positive)
    assert np.all((ensemble.edge >= 0) & (ensemble.edge < 1))
    assert np.all((ensemble.leverage >= 0) & (ensemble.leverage <= 1))
    for tree in ensemble.trees:
        assert tree.is_leaf[np.argmax(tree.confidence)]
    assert_allclose(
        ensemble.max_confidence, [t.confidence[t.is_leaf].max() for t in ensemble.trees]
    )
    # the leverage's own confidence (the inner circle) is never beyond the largest (the outer one)
    assert np.all(ensemble.leverage_confidence <= ensemble.max_confidence)
