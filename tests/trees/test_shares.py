import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betaincinv, logsumexp
from scipy.stats import binomtest

from horotree.evaluation.verdicts import to_posterior
from horotree.losses import inverse_link, link
from horotree.trees import Ensemble, find_leaves
from horotree.trees.shares import find_intervals, sum_stages, sum_weights
from tests.factories import balanced
from tests.trees.oracle import path_to
from tests.trees.strategies import generators, matrices, random_tree

misses = st.floats(1e-9, 0.6)


def sums_of(positive, score):
    """Return what reached the only node of a tree."""
    positive = np.asarray(positive, bool)
    leaf = np.zeros(len(positive), np.int32)
    return sum_weights(balanced(0), leaf, positive, np.broadcast_to(score, len(positive)))


def counts_of(n_positive, n_rows, score=0.0):
    return sums_of(np.arange(n_rows) < n_positive, score)


@st.composite
def counts(draw, most=2000):
    n_rows = draw(st.integers(1, most))
    return draw(st.integers(0, n_rows)), n_rows


@st.composite
def rows(draw, spread=3.0):
    """Draw classes and scores of some rows."""
    rng, n = draw(generators), draw(st.integers(1, 40))
    center = draw(st.sampled_from([0.0, 2.0, -5.0, 300.0]))
    return rng.random(n) < draw(st.floats(0.0, 1.0)), rng.normal(center, spread, n)


# --- sums ----------------------------------------------------------------------------------------


@given(data=st.data(), spread=st.sampled_from([0.0, 1.0, 30.0, 1e4, 1e300]))
def test_sums_are_those_of_the_rows_that_pass_each_node_however_small_their_weights(data, spread):
    sizes = [0, 3, 70]
    rng = data.draw(generators)
    tree = random_tree(rng, sizes, data.draw(st.integers(1, 8)))
    X = data.draw(matrices(sizes))
    positive, score = rng.random(len(X)) < 0.4, rng.normal(0.0, 1.0, len(X)) * spread
    leaf = find_leaves(tree, X)
    sums = sum_weights(tree, leaf, positive, score)
    for node in range(tree.n_nodes):
        inside = np.array([node in path_to(tree, end) for end in leaf], bool)
        for own, sign in ((0, -1.0), (1, 1.0)):
            log_weight = -np.logaddexp(0.0, sign * score)  # as if all rows were of the class
            here = log_weight[inside & (positive == bool(own))]
            assert sums.count[own, node] == len(here)
            if len(here):
                assert sums.unit[own, node] == here.max()
                relative = np.exp(here - here.max())
                assert sums.total[own, node] == pytest.approx(relative.sum(), rel=1e-13)
                assert sums.square[own, node] == pytest.approx((relative**2).sum(), rel=1e-13)
            if inside.any():
                assert sums.largest[own, node] == log_weight[inside].max()


@given(rows())
def test_value_is_the_logit_of_the_weighted_share(drawn):
    positive, score = drawn
    log_weight = -np.logaddexp(0.0, np.where(positive, score, -score))
    value = sums_of(positive, score).value[0]
    if positive.all() or not positive.any():
        assert value == (math.inf if positive.all() else -math.inf)
    else:
        expected = logsumexp(log_weight[positive]) - logsumexp(log_weight[~positive])
        assert value == pytest.approx(expected, rel=1e-12, abs=1e-12)


@given(rows())
def test_effective_count_is_that_of_kish(drawn):
    positive, score = drawn
    log_weight = -np.logaddexp(0.0, np.where(positive, score, -score))
    expected = math.exp(2.0 * logsumexp(log_weight) - logsumexp(2.0 * log_weight))
    found = sums_of(positive, score).effective_count[0]
    assert found == pytest.approx(expected, rel=1e-10)
    assert 1.0 - 1e-12 <= found <= len(positive) * (1.0 + 1e-12)


@given(counts(), st.sampled_from([0.0, 1.0]))
def test_equal_weights_are_counted_without_rounding(drawn, score):
    n_positive, n_rows = drawn
    sums = counts_of(n_positive, n_rows, score)
    assert sums.total[:, 0].tolist() == [n_rows - n_positive, n_positive]
    if score == 0.0:
        assert sums.effective_count[0] == n_rows


def test_stages_stop_at_scores_that_overflow():
    huge = replace(balanced(0), output=[1.7e308])
    ensemble = Ensemble((huge, huge, huge), np.ones(3), np.ones(3), 0.0)
    stages = sum_stages(
        ensemble, np.zeros((2, 1)), np.ones(2, bool), [0, 1, 2], weighted=True, n_threads=1
    )
    with pytest.raises(ValueError, match="overflow at tree 1"):
        list(stages)


# --- intervals -----------------------------------------------------------------------------------


@given(counts(), misses)
def test_with_equal_weights_the_interval_is_the_exact_binomial_one(drawn, miss):
    n_positive, n_rows = drawn
    low, high = find_intervals(counts_of(n_positive, n_rows), miss)
    exact = binomtest(n_positive, n_rows).proportion_ci(1.0 - miss, method="exact")
    assert inverse_link(low[0]) == pytest.approx(exact.low, rel=1e-7, abs=1e-12)
    assert 1.0 - inverse_link(high[0]) == pytest.approx(1.0 - exact.high, rel=1e-7, abs=1e-12)


@given(counts(), misses, st.sampled_from([-1e5, -40.0, -3.0, 0.5, 4.0, 700.0]))
def test_with_one_weight_a_class_the_exact_interval_is_moved_by_their_ratio(drawn, miss, score):
    low, high = find_intervals(counts_of(*drawn), miss)
    moved_low, moved_high = find_intervals(counts_of(*drawn, score), miss)
    # sigmoid(-F) / sigmoid(F) = exp(-F)
    assert moved_low[0] == pytest.approx(low[0] - score, rel=1e-12)
    assert moved_high[0] == pytest.approx(high[0] - score, rel=1e-12)


@given(rows(), misses)
def test_classes_change_their_roles(drawn, miss):
    positive, score = drawn
    low, high = find_intervals(sums_of(positive, score), miss)
    other_low, other_high = find_intervals(sums_of(~positive, -score), miss)
    assert [other_low[0], other_high[0]] == pytest.approx([-high[0], -low[0]], rel=1e-9, abs=1e-9)


@given(rows(), misses)
def test_the_interval_holds_the_share_and_grows_with_the_level(drawn, miss):
    sums = sums_of(*drawn)
    low, high = find_intervals(sums, miss)
    wider_low, wider_high = find_intervals(sums, miss / 2.0)
    assert wider_low <= low <= sums.value <= high <= wider_high


@pytest.mark.parametrize("score", [0.0, 3.0, -800.0, 1e300])
def test_a_class_that_is_absent_leaves_one_end_open_and_the_other_finite(score):
    low, high = find_intervals(counts_of(7, 7, score), 0.05)
    assert np.isfinite(low[0])
    assert high[0] == np.inf
    low, high = find_intervals(counts_of(0, 7, score), 0.05)
    assert low[0] == -np.inf
    assert np.isfinite(high[0])


def test_where_nothing_came_by_nothing_is_known():
    tree = balanced(1)
    sums = sum_weights(tree, np.ones(3, np.int32), np.array([True, False, True]), np.zeros(3))
    low, high = find_intervals(sums, 0.05)
    assert np.isnan([low, high, sums.value]).tolist() == 3 * [[False, False, True]]
    assert sums.effective_count.tolist() == [3.0, 3.0, 0.0]


# --- coverage ------------------------------------------------------------------------------------


def draw_population(name, rng):
    """Return scores and posteriors of the rows that may reach a node."""
    spread = {"around zero": (0.0, 2.0), "sure": (2.0, 2.0), "too sure": (1.0, 3.0)}
    if name == "one score":
        score = np.full(500, 4.0)
    elif name == "rarely wrong":
        score = np.where(np.arange(500) < 475, 5.0, 1.0)
    else:
        score = rng.normal(*spread.get(name, (0.0, 2.0)), 500)
    slope = 1.0 / 3.0 if name == "too sure" else 1.0
    return score, inverse_link(slope * score + (1.5 if name == "drifted" else 0.0))


def simulate(name, n_rows, depth=13):
    """Return the true value of a node and what reached it in thousands of samples, a leaf each."""
    rng = np.random.default_rng(len(name) + n_rows)
    score, posterior = draw_population(name, rng)
    tree = balanced(depth)
    leaves = np.flatnonzero(tree.is_leaf).astype(np.int32)
    drawn = rng.integers(0, len(score), n_rows * len(leaves))
    positive = rng.random(len(drawn)) < posterior[drawn]
    sums = sum_weights(tree, np.repeat(leaves, n_rows), positive, score[drawn])
    weigh = inverse_link(-score)
    truth = np.log(np.mean(posterior * weigh) / np.mean((1.0 - posterior) * (1.0 - weigh)))
    return truth, sums.take(leaves)


POPULATIONS = ["one score", "rarely wrong", "around zero", "sure", "too sure", "drifted"]


@pytest.mark.parametrize("n_rows", [8, 60])
@pytest.mark.parametrize("name", POPULATIONS)
def test_intervals_under_boosting_weights_miss_no_more_often_than_they_say(name, n_rows):
    truth, sums = simulate(name, n_rows)
    for miss in (0.05, 0.005):
        low, high = find_intervals(sums, miss)
        n_missed = np.count_nonzero((truth < low) | (truth > high))
        noise = 3.0 * math.sqrt(miss * len(low))
        assert n_missed <= miss * len(low) + noise


@pytest.mark.parametrize("name", POPULATIONS)
def test_intervals_of_many_rows_are_no_wider_than_they_must_be(name):
    _, sums = simulate(name, 1000, depth=9)
    low, high = find_intervals(sums, 0.05)
    estimates = to_posterior(sums.value)
    width = (to_posterior(high) - to_posterior(low)).mean()
    assert width < 1.25 * 2.0 * 1.96 * estimates.std()


def test_an_effective_number_of_successes_would_miss_most_of_the_time():
    """Why ``find_intervals`` is not the binomial interval of the effective count."""
    truth, sums = simulate("one score", 8)
    n, share = sums.effective_count, to_posterior(sums.value)
    some = share > 0.0
    low = betaincinv((share * n)[some], ((1.0 - share) * n)[some] + 1.0, 0.025)
    assert np.mean(link(np.minimum(low, 1.0)) > truth) > 0.5
