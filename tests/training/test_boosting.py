"""LogisticBoost against the literal one, and what its formulas promise."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.losses import logistic_loss
from horotree.training import Settings, boosting
from horotree.trees import Tree, monotonic, node_weights
from tests.reference.boosting import boost as boost_literally
from tests.reference.boosting import sigmoid
from tests.reference.induction import bayes_risk, leaf_of_rows

from .samples import FULL, SMALL, Data, draw, draw_large, draw_settings, seeds


def literal(data, settings):
    return boost_literally(
        data.X,
        data.positive,
        data.sample_weight,
        data.n_categories,
        n_estimators=settings.n_estimators,
        learning_rate=settings.learning_rate,
        smoothing=settings.smoothing,
        max_leaf_nodes=settings.max_leaf_nodes,
        max_depth=settings.max_depth,
        min_samples_leaf=settings.min_samples_leaf,
        forbid_pure=settings.pure_leaves == "forbid",
    )


@given(seeds)
def test_rounds_are_the_literal_ones(seed):
    data, settings = draw(seed, max_rows=40), draw_settings(np.random.default_rng(seed))
    ensemble = data.boost(settings)
    rounds = literal(data, settings)
    assert len(ensemble.trees) == len(rounds)
    leaves = ensemble.apply(data.X)
    for j, (tree, score, expected) in enumerate(
        zip(ensemble.trees, ensemble.staged_score(data.X), rounds, strict=True)
    ):
        assert ensemble.edge[j] == pytest.approx(expected.edge, rel=1e-6)
        leverage = settings.learning_rate * expected.leverage
        assert ensemble.leverage[j] == pytest.approx(leverage, rel=1e-6)
        np.testing.assert_allclose(score, expected.score, rtol=1e-6, atol=1e-8)
        # The same examples stand together, and their node says the same.
        leaf, same = leaves[:, j], leaf_of_rows(expected.nodes)
        assert len(set(zip(leaf, same, strict=True))) == len(set(leaf)) == len(set(same))
        np.testing.assert_allclose(
            tree.value[leaf], np.array(expected.value)[same], rtol=1e-6, atol=1e-8
        )
        np.testing.assert_allclose(np.sort(tree.value), np.sort(expected.value), 1e-6, 1e-8)


@given(seeds)
def test_weights_and_values_of_every_node_follow_from_the_scores_before_it(seed):
    data = draw(seed, max_rows=200)
    settings = dataclasses.replace(SMALL, smoothing=3.0)
    ensemble = data.boost(settings)
    score = np.zeros(len(data.X))
    for tree, after in zip(ensemble.trees, ensemble.staged_score(data.X), strict=True):
        weights = data.sample_weight * sigmoid(-data.y * score)
        seen = node_weights(tree, data.X, data.positive, weights)
        rounding = len(weights) * weights.max() * 2.0**-30
        np.testing.assert_allclose(tree.weight, seen.weight, rtol=1e-9, atol=rounding)
        np.testing.assert_array_equal(tree.count, seen.count)
        posterior, host = [], monotonic(tree).host
        for v, p in enumerate(tree.parent):
            above = 0.5 if p < 0 else posterior[host[p]]
            posterior.append((seen.positive[v] + 3.0 * above) / (seen.weight[v] + 3.0))
        expected = np.log(posterior) - np.log1p(-np.array(posterior))
        np.testing.assert_allclose(tree.value, expected, rtol=1e-6, atol=1e-6)
        np.testing.assert_array_equal(tree.value, tree.output)
        score = after


@given(seeds)
def test_the_structure_that_smoothing_guarantees(seed):
    data, settings = draw(seed), draw_settings(np.random.default_rng(seed))
    ensemble = data.boost(settings)
    alpha = ensemble.leverage / settings.learning_rate
    assert (ensemble.edge > 0).all()
    assert (ensemble.edge < 1).all()
    assert (alpha > 0).all()
    assert (alpha <= 1 + 1e-12).all()
    for tree, a in zip(ensemble.trees, alpha, strict=True):
        confidence = tree.confidence
        assert confidence.max() <= confidence[tree.is_leaf].max() * (1 + 1e-12)
        leaves = confidence[tree.is_leaf]
        if leaves.min() < 0.999 * leaves.max():
            assert a < 1


@given(seeds)
def test_the_loss_falls_with_every_tree(seed):
    data = draw(seed, max_rows=200)
    margins = [
        data.y * score
        for score in data.boost(dataclasses.replace(SMALL, n_estimators=15)).staged_score(data.X)
    ]
    losses = [np.average(np.logaddexp(0.0, -m), weights=data.sample_weight) for m in margins]
    assert (np.diff([np.log(2.0), *losses]) < 0).all()


def test_a_root_alone_has_all_leverage_and_tends_to_the_prior():
    n = 40
    data = Data(np.zeros((n, 1)), np.arange(n) < 30, np.ones(n), np.zeros(1, np.int32))
    settings = Settings(n_estimators=400)
    ensemble = data.boost(settings)
    np.testing.assert_allclose(ensemble.leverage, 0.5, rtol=1e-6)
    assert ensemble.score(data.X)[0] == pytest.approx(np.log(3.0), rel=1e-6)


@pytest.mark.parametrize("n_features", [1, 3])
def test_boosting_ends_when_there_is_nothing_to_learn(n_features):
    X = np.zeros((10, n_features))
    data = Data(X, np.arange(10) < 5, np.ones(10), np.zeros(n_features, np.int32))
    boosted = data.boost()
    assert boosted.trees == ()
    assert data.boost(start=boosted).score(X).tolist() == [0.0] * 10


def paper_settings(**changes):
    """Return the paper's literal setting."""
    return dataclasses.replace(
        SMALL, smoothing=0.0, learning_rate=1.0, pure_leaves="forbid", max_bins=None, **changes
    )


@given(seeds)
def test_without_smoothing_the_edge_is_the_paper_s(seed):
    data = draw(seed)
    if data.positive.all() or not data.positive.any():
        return
    ensemble = data.boost(paper_settings())
    score = np.zeros(len(data.X))
    leaves = ensemble.apply(data.X)
    for j, tree in enumerate(ensemble.trees):
        weights = data.sample_weight * sigmoid(-data.y * score)
        h = tree.value[leaves[:, j]]
        R = ensemble.max_confidence[j]
        edge = min(weights @ (data.y * h) / (R * weights.sum()), 1 - 1 / len(weights))
        assert ensemble.edge[j] == pytest.approx(edge, rel=1e-6, abs=1e-8)
        alpha = 2.0 * np.arctanh(ensemble.edge[j]) / R  # log((1 + r) / (1 - r)) / R
        assert ensemble.leverage[j] == pytest.approx(alpha, rel=1e-9)
        score = score + ensemble.leverage[j] * h


@given(seeds)
def test_the_risk_at_the_leaves_is_the_loss_of_unsmoothed_values(seed):
    data = draw(seed)
    if data.positive.all() or not data.positive.any():
        return
    ensemble = data.boost(paper_settings(n_estimators=1))
    for tree in ensemble.trees:
        h = tree.value[ensemble.apply(data.X)[:, 0]]
        weights = 0.5 * data.sample_weight
        seen = node_weights(tree, data.X, data.positive, weights)
        risk = bayes_risk(seen.positive, seen.negative)[tree.is_leaf].sum()
        assert risk == pytest.approx(weights @ np.logaddexp(0.0, -data.y * h), rel=1e-6)


@pytest.mark.parametrize("max_bins", [255, 16])
def test_a_warm_start_goes_on_where_it_stopped(max_bins):
    data = draw_large(2_000)
    settings = dataclasses.replace(FULL, max_bins=max_bins)
    whole = data.boost(settings)
    half = data.boost(dataclasses.replace(settings, n_estimators=4))
    joined = data.boost(settings, start=half)
    assert joined.trees[:4] == whole.trees[:4]
    np.testing.assert_allclose(joined.leverage, whole.leverage, rtol=1e-6)
    np.testing.assert_allclose(joined.edge, whole.edge, rtol=1e-6)
    score = whole.score(data.X)
    np.testing.assert_allclose(joined.score(data.X), score, rtol=1e-6, atol=1e-8)
    assert len(half.trees) == 4
    assert data.boost(dataclasses.replace(settings, n_estimators=4), start=half) == (half)


def test_on_round_sees_every_tree_and_may_stop():
    data, seen = draw_large(1_000), []

    def stop_after_three(j, new, _factors):
        seen.append((j, *new.trees, *new.leverage))
        return len(seen) == 3

    ensemble = data.boost(SMALL, on_round=stop_after_three)
    assert [j for j, _, _ in seen] == [0, 1, 2]
    assert tuple(tree for _, tree, _ in seen) == ensemble.trees
    assert [leverage for _, _, leverage in seen] == ensemble.leverage.tolist()
    whole = data.boost(SMALL)
    assert ensemble.trees == whole.trees[:3]
    assert len(data.boost(SMALL, on_round=lambda *_: False).trees) == 5


def test_an_error_in_on_round_is_raised():
    def fail(*_):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        draw_large(200).boost(SMALL, on_round=fail)


@pytest.mark.parametrize("settings", [SMALL, FULL])
def test_a_report_tells_of_all_trees_and_of_the_loss_of_training(settings):
    data, new, losses = draw_large(1_000), [], []

    def report(n_trees, loss):
        new.append(n_trees)
        losses.append(loss())

    boosted = data.boost(settings, report=report)
    assert sum(new) == settings.n_estimators
    assert boosted == data.boost(settings)
    scores = list(boosted.staged_score(data.X))
    expected = [
        logistic_loss(data.positive, scores[n - 1], data.sample_weight) for n in np.cumsum(new)
    ]
    np.testing.assert_allclose(losses, expected, rtol=1e-12)


def test_many_trees_are_grown_between_two_reports():
    # One alone, then as many as take a tenth of a second: not one by one.
    new = []
    settings = dataclasses.replace(SMALL, n_estimators=100)
    draw_large(200).boost(settings, report=lambda n_trees, _loss: new.append(n_trees))
    assert sum(new) == 100
    assert new[0] == 1
    assert len(new) < 50


def test_a_reduce_that_does_nothing_changes_nothing():
    data, calls = draw_large(1_000), []
    expected = data.boost(SMALL)
    assert data.boost(SMALL, reduce=calls.append) == expected
    assert len(calls) > 5


def test_hundreds_of_rounds_on_separable_data_stay_finite():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    data = Data(X, X[:, 0] > 0, np.ones(200), np.zeros(3, np.int32))
    for settings in (
        Settings(n_estimators=500),
        Settings(n_estimators=500, smoothing=1e-6, learning_rate=1.0),
        Settings(n_estimators=500, smoothing=0.0, learning_rate=1.0, pure_leaves="forbid"),
    ):
        ensemble = data.boost(settings)
        score = ensemble.score(X)
        assert np.isfinite(ensemble.leverage).all()
        assert np.isfinite(score).all()
        assert ((score > 0) == data.positive).mean() > 0.95


def test_sample_weights_of_very_different_sizes_follow_the_heavy_examples():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 2))
    heavy = np.arange(400) < 200
    positive = np.where(heavy, X[:, 0] > 0, X[:, 0] <= 0)
    weights = np.where(heavy, 1.0, 2.0**-40)
    data = Data(X, positive, weights, np.zeros(2, np.int32))
    ensemble = data.boost(Settings(n_estimators=20))
    assert ((ensemble.score(X) > 0) == (X[:, 0] > 0)).mean() > 0.98
    # Lighter by more than 2^31 is dropped: those examples are counted, but weigh nothing.
    assert ensemble.trees[0].count[0] == 400
    assert ensemble.trees[0].weight[0] == 100.0


@given(seeds, st.sampled_from(["tree", "monotonic"]), st.sampled_from([0.0, 4.0]))
def test_trees_that_nobody_checked_pass_all_checks(seed, weak_learner, smoothing):
    data = draw(seed, max_rows=100)
    settings = dataclasses.replace(
        SMALL, smoothing=smoothing, pure_leaves="forbid", weak_learner=weak_learner
    )
    for tree in data.boost(settings).trees:
        fields = {name: getattr(tree, name) for name in Tree.__match_args__}
        checked = Tree(**fields)  # raises if a rule is broken
        for name, array in fields.items():
            assert array.dtype == getattr(checked, name).dtype
            assert array.tobytes() == getattr(checked, name).tobytes()
            assert not array.flags.writeable


@given(seeds)
def test_it_does_not_matter_when_trees_are_frozen(seed):
    data, settings = draw(seed), draw_settings(np.random.default_rng(seed))
    together = data.boost(settings)
    one_by_one = data.boost(settings, on_round=lambda *_: False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boosting, "BATCH", 20)
        some_by_some = data.boost(settings)
    for other in (one_by_one, some_by_some):
        assert other == together


def test_trees_are_added_to_scores_beyond_what_odds_can_tell():
    # The first trees are sure beyond exp(709) of what the next ones see the other way round.
    X = np.repeat([0.0, 1.0, 2.0, 2.0], 40)[:, None]
    positive = np.repeat([False, True, False, True], 40)
    weight = np.where(X[:, 0] < 2.0, 1e30, 1.0)
    data = Data(X, positive, weight, np.zeros(1, np.int32))
    settings = dataclasses.replace(SMALL, n_estimators=1, learning_rate=100.0, smoothing=1e-9)
    first = data.boost(settings)
    assert np.abs(first.score(X)).max() > 710.0
    flipped = dataclasses.replace(data, positive=~positive)
    more = flipped.boost(dataclasses.replace(settings, n_estimators=3), start=first)
    assert len(more.trees) == 3
    assert np.isfinite(more.score(X)).all()


def test_no_room_is_made_for_more_leaves_than_examples():
    # Of all machines: they must make the same room, since each sums histograms when others do.
    settings = dataclasses.replace(SMALL, max_leaf_nodes=2**31 - 1)
    assert settings.rules(3, 64).max_leaf_nodes == 64
    data = draw_large(64)
    sized = dataclasses.replace(SMALL, max_leaf_nodes=64)
    assert data.boost(settings) == data.boost(sized)


def test_a_seed_matters_only_if_something_is_drawn():
    data = draw_large(500)

    def boosted(seed, **changes):
        return data.boost(dataclasses.replace(SMALL, seed=seed, **changes))

    assert boosted(1) == boosted(2)
    assert boosted(1, max_features=12) == boosted(2)
    assert boosted(1, max_features=3) != boosted(2, max_features=3)
    assert boosted(1, subsample=0.5) != boosted(2, subsample=0.5)


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("smoothing", [0.0, 1e-320])
def test_an_infinite_confidence_is_an_error(smoothing):
    X = np.arange(20.0)[:, np.newaxis]
    data = Data(X, X[:, 0] > 9.0, np.ones(20), np.zeros(1, np.int32))
    with pytest.raises(ValueError, match="value must be finite"):
        data.boost(Settings(smoothing=smoothing))
