"""The t-self of a distortion, as a metric of others, and what carries over to it."""

import functools
import math
import pickle

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from mpmath import mp
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.spatial.distance import cdist, pdist, squareform
from scipy.stats import wasserstein_distance
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import KNeighborsClassifier

from horotree import tempered
from horotree.tempered import (
    add_t,
    data_processing_gap,
    generalized_kl,
    itakura_saito,
    joint_convexity_gap,
    joint_convexity_temperatures,
    kl,
    lift,
    minimizer_t,
    squared_euclidean,
    t_self,
    tsallis,
)
from tests.reference import tempered as exact

TEMPERATURES = [-1.0, 0.0, 0.5, 1.0, 1.5, 3.0]
each_temperature = pytest.mark.parametrize("t", TEMPERATURES)
F_DIVERGENCES = sorted(exact.GENERATORS)


def gaussian_mmd(x, y):
    """Return the maximum mean discrepancy of two samples for a Gaussian kernel."""

    def kernel(a, b):
        return np.mean(np.exp(-0.5 * np.subtract.outer(a, b) ** 2))

    squared = kernel(x, x) - 2.0 * kernel(x, y) + kernel(y, y)
    return math.sqrt(max(squared, 0.0))


def poincare_distance(x, y):
    """Return the geodesic distance of two points of the Poincaré ball."""
    gap = np.sum((x - y) ** 2)
    room = (1.0 - np.sum(x * x)) * (1.0 - np.sum(y * y))
    return 2.0 * math.asinh(math.sqrt(gap / room))


METRICS = [wasserstein_distance, gaussian_mmd, poincare_distance]
each_metric = pytest.mark.parametrize("d", METRICS)
POINTS = np.random.default_rng(0).uniform(-0.5, 0.5, (6, 3))


# ---------------------------------------------------------------------- t-self


@each_temperature
@each_metric
def test_t_self_is_a_metric_of_scipy_and_scikit_learn(d, t):
    expected = [[lift(d(x, y), t=t) for y in POINTS] for x in POINTS]
    metric = t_self(d, t=t)
    tolerance = {"rtol": 1e-12, "atol": 1e-12}
    assert_allclose(cdist(POINTS, POINTS, metric=metric), expected, **tolerance)
    assert_allclose(squareform(pdist(POINTS, metric=metric)), expected, **tolerance)
    assert_allclose(pairwise_distances(POINTS, metric=metric), expected, **tolerance)
    both = pairwise_distances(POINTS, POINTS.copy(), metric=metric, n_jobs=2)
    assert_allclose(both, expected, **tolerance)


def test_t_self_serves_an_estimator():
    labels = [0, 1, 0, 1, 0, 1]
    model = KNeighborsClassifier(1, metric=t_self(poincare_distance, t=0.5), algorithm="brute")
    assert model.fit(POINTS, labels).predict(POINTS).tolist() == labels


@each_metric
def test_t_self_can_be_pickled(d):
    metric = t_self(d, t=0.3)
    copy = pickle.loads(pickle.dumps(metric))  # noqa: S301  our own bytes
    assert copy == metric
    assert copy(POINTS[0], POINTS[1]) == metric(POINTS[0], POINTS[1])


def test_t_self_passes_further_arguments_on():
    weights = [1.0, 2.0, 3.0]
    x, y, _ = POINTS[:3]
    d = wasserstein_distance(x, y, weights, weights[::-1])
    metric = t_self(wasserstein_distance, t=0.5)
    assert metric(x, y, weights, v_weights=weights[::-1]) == lift(d, t=0.5)
    metric = t_self(functools.partial(tsallis, t=0.5), t=2.0)
    assert_allclose(metric([0.5, 0.5], [1, 0]), 1.0)


@given(d=st.floats(0.0, 30.0), e=st.floats(0.0, 30.0), t=st.floats(-5.0, 5.0))
def test_t_self_keeps_order_and_zero(d, e, t):
    value = t_self(lambda x, y: abs(x - y), t=t)
    assert value(d, d) == 0.0
    smaller, larger = sorted([d, e])
    assert value(smaller, 0.0) <= value(larger, 0.0) * (1.0 + 1e-15)


def test_t_self_of_infinity():
    infinite = lambda x, y: math.inf
    assert t_self(infinite, t=0.5)(0, 1) == t_self(infinite)(0, 1) == math.inf
    assert t_self(infinite, t=3.0)(0, 1) == 0.5


def test_t_self_of_arrays_of_distances():
    p, q = np.random.default_rng(0).dirichlet(np.ones(3), (2, 4))
    assert_allclose(t_self(kl, t=0.5)(p, q), lift(kl(p, q), t=0.5))


def test_bad_t_selves_are_refused():
    with pytest.raises(TypeError, match="d must be a function of two points, got 'euclidean'"):
        t_self("euclidean", t=0.5)
    for t in (math.nan, math.inf, "0", [0.5], None):
        with pytest.raises((TypeError, ValueError), match="t must be"):
            t_self(kl, t=t)


# ------------------------------------------------------------- data processing

numbers = st.integers(0, 2**32 - 1)


def channel_and_pair(seed):
    rng = np.random.default_rng(seed)
    m, n = rng.integers(2, 5, 2)
    p, q = rng.dirichlet(np.full(m, 0.5), 2)
    return rng.dirichlet(np.full(n, 0.5), m), p, q


@pytest.mark.parametrize("name", F_DIVERGENCES)
@given(seed=numbers, t=st.floats(-2.0, 4.0))
def test_f_divergences_and_their_t_selves_obey_data_processing(name, seed, t):
    channel, p, q = channel_and_pair(seed)
    d = getattr(tempered, name)
    for distortion in (d, t_self(d, t=t)):
        with np.errstate(over="ignore"):
            size = distortion(p, q)
        assert data_processing_gap(distortion, p, q, channel) >= -1e-12 * (1.0 + abs(size))


def test_the_gap_is_the_difference():
    channel, p, q = channel_and_pair(3)
    expected = kl(p, q) - kl(p @ channel, q @ channel)
    assert_allclose(data_processing_gap(kl, p, q, channel), expected, rtol=1e-14)
    # A permutation loses nothing, a constant channel everything.
    assert data_processing_gap(kl, [0.2, 0.8], [0.5, 0.5], [[0, 1], [1, 0]]) == 0.0
    blind = data_processing_gap(kl, [0.2, 0.8], [0.5, 0.5], [[0.3, 0.7]] * 2)
    assert_allclose(blind, kl([0.2, 0.8], [0.5, 0.5]))
    assert data_processing_gap(kl, [0.5, 0.5], [1.0, 0.0], np.eye(2)) == math.inf


def test_squared_euclidean_does_not_obey_data_processing_nor_does_its_t_self():
    # Merging two outcomes adds differences of one sign before they are squared.
    p, q, merge = [0.4, 0.4, 0.2], [0.1, 0.1, 0.8], [[1, 0], [1, 0], [0, 1]]
    for t in TEMPERATURES:
        assert data_processing_gap(t_self(squared_euclidean, t=t), p, q, merge) < 0.0


@pytest.mark.parametrize(
    ("channel", "message"),
    [
        ([[0.5, 0.4], [0.5, 0.5]], r"each row of channel must be a sum of 1, got .*0.9"),
        ([[1.5, -0.5], [0.5, 0.5]], r"channel must be non-negative, got .*-0.5"),
        ([[1.0, 0.0]], r"one row per entry of p and q, got shapes \(1, 2\)"),
        ([0.5, 0.5], "channel must be a matrix"),
    ],
)
def test_bad_channels_are_refused(channel, message):
    with pytest.raises(ValueError, match=message):
        data_processing_gap(kl, [0.5, 0.5], [0.2, 0.8], channel)


# ------------------------------------------------------------- joint convexity


@given(weight=st.floats(0.0, 1.0), t=st.floats(-5.0, 5.0))
def test_temperatures_of_joint_convexity(weight, t):
    first, second = joint_convexity_temperatures(weight, t=t)
    assert_allclose(first, min(t, 1.0 - weight + weight * t), rtol=1e-12, atol=1e-15)
    assert_allclose(second, min(t, weight + (1.0 - weight) * t), rtol=1e-12, atol=1e-15)
    if t <= 1.0:
        assert first == second == t


@pytest.mark.parametrize("name", F_DIVERGENCES)
@given(seed=numbers, weight=st.floats(0.0, 1.0), t=st.floats(-2.0, 4.0))
def test_f_divergences_are_jointly_convex_at_all_temperatures(name, seed, weight, t):
    x1, x2, y1, y2 = np.random.default_rng(seed).dirichlet(np.ones(3), 4)
    d = getattr(tempered, name)
    assume(max(d(x1, y1), d(x2, y2)) < 50.0)
    gap = joint_convexity_gap(d, x1, x2, y1, y2, weight, t=t)
    size = lift(d(x1, y1), t=t) + lift(d(x2, y2), t=t)
    assert gap >= -1e-12 * (1.0 + size)
    # Convexity in one argument is a special case.
    assert joint_convexity_gap(d, x1, x2, y1, y1, weight, t=t) >= -1e-12 * (1.0 + size)


def test_the_convexity_gap_is_right_less_left():
    points = np.random.default_rng(1).dirichlet(np.ones(3), 4)
    x1, x2, y1, y2 = points
    first, second = joint_convexity_temperatures(0.3, t=2.5)
    right = 0.3 * lift(kl(x1, y1), t=first) + 0.7 * lift(kl(x2, y2), t=second)
    left = lift(kl(0.3 * x1 + 0.7 * x2, 0.3 * y1 + 0.7 * y2), t=2.5)
    assert_allclose(joint_convexity_gap(kl, *points, 0.3, t=2.5), right - left, rtol=1e-13)


def test_convexity_without_joint_convexity_shows():
    # log(1 + |x - y|) is not convex, and at t = 1 the gap says so.
    d = lambda x, y: math.log1p(abs(float(x) - float(y)))
    assert joint_convexity_gap(d, 0.0, 2.0, 0.0, 0.0, 0.5, t=1.0) < 0.0
    # At t = 0 its t-self |x - y| is convex: the property of the t-self does not go back.
    assert joint_convexity_gap(d, 0.0, 2.0, 0.0, 0.0, 0.5, t=0.0) >= -1e-15


def test_infinite_right_sides_assert_nothing():
    args = [0.5, 0.5], [0.5, 0.5], [1.0, 0.0], [0.0, 1.0]
    assert joint_convexity_gap(kl, *args, 0.5, t=0.5) == math.inf


@pytest.mark.parametrize("weight", [-0.1, 1.1, math.nan, "a"])
def test_bad_shares_are_refused(weight):
    with pytest.raises((TypeError, ValueError), match="weight must be"):
        joint_convexity_temperatures(weight, t=0.5)


def test_points_of_different_spaces_are_refused():
    with pytest.raises(ValueError, match="must have the same shape"):
        joint_convexity_gap(kl, [0.5, 0.5], [1.0], [0.5, 0.5], [0.5, 0.5], 0.5)


# ------------------------------------------------------- population minimizers

populations = st.tuples(numbers, st.integers(1, 3)).map(
    lambda seed: np.random.default_rng(seed[0]).uniform(0.2, 3.0, (4, seed[1]))
)


@pytest.mark.parametrize("d", [squared_euclidean, generalized_kl, itakura_saito])
@each_temperature
def test_the_mean_minimizes_bregman_divergences_at_every_temperature(d, t):
    rng = np.random.default_rng(0)
    points = rng.uniform(0.2, 3.0, (5, 3))
    found = minimizer_t(d, points, start=points[0], t=t)
    assert_allclose(found.point, points.mean(axis=0), rtol=0, atol=1e-7)
    with mp.workdps(exact.DIGITS):
        assert_allclose(found.value, float(exact.tempered_total(d, points, found.point, t)))


@each_temperature
def test_the_literal_tempered_sum_has_the_same_minimizer(t):
    points = np.random.default_rng(2).normal(size=(5, 2))

    def literal(mu):
        terms = (t_self(math.dist, t=t)(x, mu) for x in points)
        return functools.reduce(lambda x, y: add_t(x, y, t=t), terms)

    found = minimizer_t(math.dist, points, t=t)
    options = {"xatol": 1e-9, "fatol": 1e-15}
    other = minimize(literal, points.mean(axis=0), method="Nelder-Mead", options=options)
    assert_allclose(found.point, other.x, atol=2e-6)
    assert_allclose(found.value, literal(found.point), rtol=1e-12)


@given(points=populations, t=st.floats(-1.0, 2.0), seed=numbers)
def test_nothing_near_the_minimizer_is_better(points, t, seed):
    found = minimizer_t(squared_euclidean, points, start=points[0], t=t)
    rng = np.random.default_rng(seed)
    for size in (1e-3, 1e-1):
        other = found.point + size * rng.normal(size=found.point.shape)
        with mp.workdps(exact.DIGITS):
            assert exact.tempered_total(squared_euclidean, points, other, t) >= found.value


def test_medians_and_borders():
    numbers = np.array([[0.0], [1.0], [2.0], [7.0], [100.0]])
    assert_allclose(minimizer_t(lambda x, m: abs(x - m).sum(), numbers, t=0.9).point, [2.0])
    # The minimizer sits on the border of the domain, where d raises beyond.
    border = minimizer_t(lambda x, m: kl(x, m) + 5.0 * m.sum(), [[0.0], [0.0]], start=[1.0])
    assert_allclose(border.point, [0.0], atol=1e-8)


def test_one_point_and_equal_points_are_their_own_minimizer():
    assert_allclose(minimizer_t(squared_euclidean, [[1.0, 2.0]]).point, [1.0, 2.0], atol=1e-8)
    same = minimizer_t(generalized_kl, [[1.0, 2.0]] * 3, start=[2.0, 1.0], t=0.5)
    assert_allclose(same.point, [1.0, 2.0], atol=1e-7)
    assert abs(same.value) < 1e-12


@pytest.mark.parametrize(
    ("points", "start", "message"),
    [
        ([1.0, 2.0], None, r"one point per row, got shape \(2,\)"),
        (np.ones((0, 2)), None, "one point per row"),
        ([[1.0, 2.0]], [1.0], r"start must be one point, of shape \(2,\), got shape \(1,\)"),
        ([[1.0, 2.0]], [0.0, 1.0], "must be finite, got inf"),
        ([[1.0, 2.0]], [-1.0, 1.0], "q must be non-negative"),
        ([[1.0, math.nan]], None, "points must not hold NaN"),
    ],
)
def test_bad_populations_are_refused(points, start, message):
    with pytest.raises(ValueError, match=message):
        minimizer_t(kl, points, start=start)


def test_a_sum_without_minimum_is_an_error():
    with pytest.raises(RuntimeError, match="did not settle"):
        minimizer_t(lambda x, m: -float(m[0]), [[0.0], [1.0]])
