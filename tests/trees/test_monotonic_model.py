"""Models whose trees predict by their monotonic versions, row by row against a walk."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horotree import load, save
from horotree.trees import Ensemble, Model, find_leaves, monotonic
from tests.trees import oracle
from tests.trees.strategies import (
    chain,
    generators,
    matrices,
    models,
    n_categories,
    random_tied_tree,
    tables,
)

models_and_tables = models().flatmap(lambda model: st.tuples(st.just(model), tables(model)))


@st.composite
def tied_ensembles(draw):
    """Draw an ensemble of trees with ties and known weights, and rows."""
    sizes, rng = draw(n_categories), draw(generators)
    trees = [
        random_tied_tree(rng, sizes, int(rng.integers(1, 13))) for _ in range(rng.integers(1, 4))
    ]
    trees = [replace(tree, weight=rng.exponential(size=tree.n_nodes) + 0.1) for tree in trees]
    n = len(trees)
    return Ensemble(trees, rng.random(n) + 0.1, rng.random(n), 0.25), draw(matrices(sizes))


def as_model(ensemble, n_features):
    names = tuple(f"x{j}" for j in range(n_features))
    return Model((ensemble,), "logistic", [0, 1], names, (None,) * n_features, "float64")


def speaks_for(tree, row, *, looks_at_leaf=True):
    """Return the last node on the row's path that is more confident than all before it."""
    path = oracle.path_to(tree, oracle.leaf_of(tree, row))
    host = path.pop(0)
    for node in path if looks_at_leaf else path[:-1]:
        if abs(tree.value[node]) > abs(tree.value[host]) * (1.0 + 1e-12):
            host = node
    return host


def score_of(ensemble, row, *, looks_at_leaf=True):
    score = ensemble.base_value
    for leverage, tree in zip(ensemble.leverage, ensemble.trees, strict=True):
        host = speaks_for(tree, row, looks_at_leaf=looks_at_leaf)
        score += leverage * tree.output[host]
    return score


# --- invariant (M) --------------------------------------------------------------------------------


@given(models_and_tables)
def test_a_row_is_predicted_by_the_last_node_of_rising_confidence(drawn):
    model, table = drawn
    expected = np.array(
        [[score_of(e, row) for e in model.ensembles] for row in model.to_matrix(table)]
    )
    score = model.as_drawn().score(table)
    np.testing.assert_array_equal(score.reshape(expected.shape), expected)
    np.testing.assert_array_equal(model.as_drawn().score(table, n_jobs=2), score)


@given(tied_ensembles())
def test_so_it_is_with_ties(drawn):
    ensemble, X = drawn
    expected = [score_of(ensemble, row) for row in X]
    np.testing.assert_array_equal(ensemble.as_drawn().score(X), expected)


@given(tied_ensembles())
def test_the_inner_evaluation_never_tests_the_leaf(drawn):
    ensemble, X = drawn
    expected = [score_of(ensemble, row, looks_at_leaf=False) for row in X]
    inner = ensemble.as_drawn(evaluate="inner")
    np.testing.assert_array_equal(inner.score(X), expected)


def test_the_inner_evaluation_is_another_one():
    tree = chain(np.array([0.0, -1.0, 1.0, -2.0, 2.0]), np.random.default_rng(0))
    ensemble = Ensemble((tree,), [1.0], [0.5], 0.0)
    model = as_model(ensemble, 1)
    X = np.linspace(-3.0, 3.0, 50)[:, np.newaxis]
    assert set(np.abs(model.as_drawn().score(X))) == {1.0, 2.0}
    assert set(model.as_drawn(evaluate="inner").score(X)) == {0.0, 1.0}


@given(tied_ensembles())
def test_the_output_of_every_node_is_that_of_its_host(drawn):
    ensemble, _ = drawn
    for tree, other in zip(ensemble.trees, ensemble.as_drawn().trees, strict=True):
        assert other == replace(tree, output=tree.output[monotonic(tree).host])


# --- what stays -----------------------------------------------------------------------------------


@settings(max_examples=50)
@given(models())
def test_all_but_the_outputs_stays(model):
    other = model.as_drawn()
    assert other == other.as_drawn()
    assert replace(other, ensembles=model.ensembles) == model
    for before, after in zip(model.ensembles, other.ensembles, strict=True):
        assert after.base_value == before.base_value
        np.testing.assert_array_equal(after.leverage, before.leverage)
        np.testing.assert_array_equal(after.edge, before.edge)
        np.testing.assert_array_equal(after.max_confidence, before.max_confidence)
        for tree, same in zip(before.trees, after.trees, strict=True):
            assert replace(same, output=tree.output) == tree
            assert monotonic(same).host.tolist() == monotonic(tree).host.tolist()


@settings(max_examples=25)
@given(models_and_tables)
def test_a_saved_monotonic_model_scores_the_same(tmp_path_factory, drawn):
    model, table = drawn
    path = tmp_path_factory.mktemp("models") / "monotonic.horotree"
    save(model.as_drawn(), path)
    assert load(path) == model.as_drawn()
    np.testing.assert_array_equal(load(path).score(table), model.as_drawn().score(table))


def rising(rng, n_leaves):
    """Return a tree that is more confident the deeper a node is."""
    tree = random_tied_tree(rng, [0, 0], n_leaves)
    value = (tree.depth + 1.0) * rng.choice([-1.0, 1.0], tree.n_nodes)
    return replace(tree, value=value, output=value, weight=np.ones(tree.n_nodes))


@given(generators, st.booleans())
def test_a_model_of_rising_trees_is_its_monotonic_version(rng, refit_leverage):
    trees = [rising(rng, int(rng.integers(1, 9))) for _ in range(3)]
    model = as_model(Ensemble(trees, rng.random(3), [np.nan] * 3, 0.0), 2)
    assert model.as_drawn(refit_leverage=refit_leverage) == model


# --- refitted leverages ---------------------------------------------------------------------------


def leverage_of(tree, output):
    """Return log((1 + r) / (1 - r)) / R by its formula, 0 if nothing is predicted."""
    leaf = tree.is_leaf
    value, output, weight = tree.value[leaf], output[leaf], tree.weight[leaf]
    R = np.abs(output).max()
    if R == 0.0:
        return 0.0
    r = np.average(np.tanh(value / 2.0) * output / R, weights=weight)
    return np.log((1.0 + r) / (1.0 - r)) / R


@given(tied_ensembles())
def test_refitted_leverages_are_what_boosting_would_give(drawn):
    """In units of the leverage of the tree: the learning rate stays in it."""
    ensemble, X = drawn
    refitted = ensemble.as_drawn(refit_leverage=True)
    for j, tree in enumerate(ensemble.trees):
        before = leverage_of(tree, tree.output)
        after = leverage_of(tree, tree.output[monotonic(tree).host])
        expected = ensemble.leverage[j] * (after / before if before else 1.0)
        assert refitted.leverage[j] == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert refitted.trees == ensemble.as_drawn().trees
    scores = [oracle.score_of(refitted, row) for row in X]
    np.testing.assert_array_equal(refitted.score(X), scores)


def test_a_refitted_leverage_by_hand():
    """The left leaf, of posterior .4, is predicted by the root, of .7; the other one is kept."""
    value = np.log([7 / 3, 4 / 6, 9 / 1])
    tree = replace(chain(value, np.random.default_rng(0)), weight=[5.0, 2.0, 3.0])
    model = as_model(Ensemble((tree,), [0.3], [0.4], 0.0), 1)
    R = np.log(9.0)
    before = (2.0 * -0.2 * np.log(4 / 6) + 3.0 * 0.8 * R) / (5.0 * R)
    after = (2.0 * -0.2 * np.log(7 / 3) + 3.0 * 0.8 * R) / (5.0 * R)
    ratio = np.arctanh(after) / np.arctanh(before)
    assert ratio < 0.9
    (ensemble,) = model.as_drawn(refit_leverage=True).ensembles
    assert ensemble.leverage[0] == pytest.approx(0.3 * ratio, rel=1e-13)
    rows = [[-9.0], [9.0]]
    spoken_for = np.where(find_leaves(tree, rows) == 1, value[0], value[2])
    score = model.as_drawn(refit_leverage=True).score(rows)
    np.testing.assert_allclose(score, 0.3 * ratio * spoken_for, rtol=1e-13)


def test_a_tree_that_knows_nothing_keeps_its_leverage():
    tree = replace(chain(np.zeros(3), np.random.default_rng(0)), weight=np.ones(3))
    ensemble = Ensemble((tree,), [0.3], [0.0], 0.0)
    assert ensemble.as_drawn(refit_leverage=True) == ensemble


# --- what is refused ------------------------------------------------------------------------------


def test_weights_that_are_unknown_cannot_refit():
    tree = replace(chain(np.ones(3), np.random.default_rng(0)), weight=[3.0, np.nan, 1.0])
    model = as_model(Ensemble((tree,), [0.3], [0.4], 0.0), 1)
    with pytest.raises(ValueError, match="refit_leverage=True needs the training weight of every"):
        model.as_drawn(refit_leverage=True)
    assert model.as_drawn().ensembles[0].leverage.tolist() == [0.3]


@pytest.mark.parametrize("evaluate", ["outer", None, 1])
def test_other_evaluations_are_refused(evaluate):
    model = as_model(Ensemble((), [], [], 0.0), 1)
    with pytest.raises(ValueError, match="evaluate must be 'leaf' or 'inner', got"):
        model.as_drawn(evaluate=evaluate)


def test_leverages_of_a_mean_of_shares_are_not_refitted():
    tree = chain(np.array([0.1, 1.0, -2.0]), np.random.default_rng(0))
    tree = replace(tree, output=np.full(3, 0.5), weight=np.ones(3))
    ensemble = Ensemble((tree,), [1.0], [np.nan], 0.0)
    model = Model((ensemble,), "mean", [0, 1], ("x",), (None,), "float64")
    assert model.as_drawn().link == "mean"
    with pytest.raises(ValueError, match="averages class shares"):
        model.as_drawn(refit_leverage=True)


def test_a_tree_without_weight_keeps_its_leverage():
    tree = chain(np.array([0.1, 1.0, -2.0]), np.random.default_rng(0))
    tree = replace(tree, weight=np.zeros(3))
    ensemble = Ensemble((tree,), [0.7], [np.nan], 0.0)
    assert ensemble.as_drawn(refit_leverage=True).leverage.tolist() == [0.7]
