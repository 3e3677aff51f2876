"""Edges and leverages against their formulas in 2,000 digits: 1 + 1e-200 is not 1 then."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.trees import find_leverage
from tests.reference.boosting import edge_of
from tests.trees.strategies import generators, random_tree


def exact(value, output, weights):
    """Return r = Σ W (2p - 1) h / (R Σ W) and log((1 + r) / (1 - r)) / R."""
    with mp.workdps(2000):
        total = mp.fsum(map(mp.mpf, weights))
        R = max(abs(mp.mpf(h)) for h in output)
        terms = [
            mp.mpf(w) * mp.tanh(mp.mpf(v) / 2) * mp.mpf(h)
            for v, h, w in zip(value, output, weights, strict=True)
        ]
        r = mp.fsum(terms) / (R * total)
        return r, mp.log((1 + r) / (1 - r)) / R


def assert_close(found, expected, rtol):
    for a, b in zip(found, expected, strict=True):
        assert abs(a - b) <= rtol * abs(b)


@given(generators, st.sampled_from([1e-200, 1e-6, 1.0, 10.0, 100.0]))
def test_both_keep_their_digits_from_small_values_to_large(rng, scale):
    n = int(rng.integers(1, 20))
    value = scale * rng.normal(size=n)
    weights = np.exp(rng.normal(size=n) * 5.0)
    assert_close(find_leverage(value, value, weights), exact(value, value, weights), 1e-13)


@given(generators)
def test_an_edge_next_to_one_keeps_its_complement(rng):
    """With 1 - r formed from r, a leverage of 300 nats would be lost beyond 37."""
    value = rng.choice([-1.0, 1.0], 8) * 300.0
    weights = rng.random(8) + 0.1
    edge, leverage = find_leverage(value, value, weights)
    assert edge == 1.0
    assert leverage == pytest.approx(1.0, rel=1e-14)


@given(generators)
def test_of_hosts_too(rng):
    """What a leaf predicts may be another node's value, also of the other sign."""
    tree = random_tree(rng, [0], int(rng.integers(2, 20)))
    host = tree.host
    leaf = tree.is_leaf
    value, output = tree.value[leaf], tree.value[host][leaf]
    weights = rng.random(leaf.sum()) + 0.01
    edge, leverage = find_leverage(value, output, weights)
    r, alpha = exact(value, output, weights)
    # signs differ, so digits may cancel
    assert edge == pytest.approx(float(r), rel=1e-12, abs=1e-14)
    assert leverage == pytest.approx(float(alpha), rel=1e-12, abs=1e-14)
    assert -1.0 <= edge <= 1.0
    assert np.sign(edge) == np.sign(leverage)


@given(generators)
def test_they_are_those_of_the_literal_boosting(rng):
    n = int(rng.integers(1, 10))
    value, weights = rng.normal(size=n), rng.random(n) + 0.1
    posterior = 1.0 / (1.0 + np.exp(-value))
    r, R = edge_of(range(n), posterior, value, weights)
    edge, leverage = find_leverage(value, value, weights)
    assert edge == pytest.approx(r, rel=1e-9)
    assert leverage == pytest.approx(np.log((1.0 + r) / (1.0 - r)) / R, rel=1e-9)


@given(generators)
def test_predicting_its_values_a_tree_has_an_edge_and_no_leverage_above_one(rng):
    value = rng.normal(size=5) * np.exp(rng.normal() * 2.0)
    edge, leverage = find_leverage(value, value, rng.random(5) + 0.1)
    assert 0.0 < edge < 1.0
    assert 0.0 < leverage <= 1.0 + 1e-14


@given(generators, st.floats(1e-100, 1e100))
def test_the_unit_of_weights_does_not_matter(rng, unit):
    value, output, weights = rng.normal(size=6), rng.normal(size=6), rng.random(6) + 0.1
    scaled = find_leverage(value, output, unit * weights)
    assert scaled == pytest.approx(find_leverage(value, output, weights), rel=1e-12, abs=1e-15)


@given(st.floats(1e-300, 700.0), st.sampled_from([-1.0, 1.0]))
def test_a_single_leaf_has_all_leverage(size, sign):
    value = np.array([sign * size])
    edge, leverage = find_leverage(value, value, np.ones(1))
    assert edge == pytest.approx(np.tanh(size / 2.0), rel=1e-15)
    assert leverage == pytest.approx(1.0, rel=1e-14)


def test_by_hand():
    """Two leaves of posteriors .2 and .9, of which the first is predicted by a root of .6."""
    value = np.log([0.2 / 0.8, 0.9 / 0.1])
    output = np.log([0.6 / 0.4, 0.9 / 0.1])
    weights = np.array([3.0, 4.0])
    R = np.log(9.0)
    r = (3.0 * -0.6 * np.log(1.5) + 4.0 * 0.8 * R) / (7.0 * R)
    edge, leverage = find_leverage(value, output, weights)
    assert edge == pytest.approx(r, rel=1e-14)
    assert leverage == pytest.approx(np.log((1.0 + r) / (1.0 - r)) / R, rel=1e-14)


def test_what_predicts_against_the_posteriors_has_a_negative_edge():
    value, weights = np.array([-0.5, 0.25]), np.array([2.0, 1.0])
    edge, leverage = find_leverage(value, -value, weights)
    assert (-edge, -leverage) == pytest.approx(find_leverage(value, value, weights), rel=1e-14)


def test_leaves_that_predict_nothing_have_no_edge():
    assert find_leverage(np.array([1.0, -2.0]), np.zeros(2), np.ones(2)) == (0.0, 0.0)


def test_leaves_that_know_nothing_have_no_edge_whatever_they_predict():
    assert find_leverage(np.zeros(2), np.array([1.0, -2.0]), np.ones(2)) == (0.0, 0.0)


def test_the_least_rest_keeps_the_leverage_of_sure_leaves_finite():
    value, weights = np.array([-300.0, 300.0]), np.ones(2)
    edge, leverage = find_leverage(value, value, weights, least_rest=0.01)
    assert edge == 0.99
    assert leverage == pytest.approx(np.log(1.99 / 0.01) / 300.0, rel=1e-14)
    value = np.array([-1.0, 1.0])
    assert find_leverage(value, value, weights, 0.01) == find_leverage(value, value, weights)


@pytest.mark.parametrize(
    ("value", "output", "weights"),
    [
        ([800.0], [800.0], [1.0]),
        ([720.0, 1.0], [720.0, 1.0], [1.0, 1.0]),
        ([744.9], [744.9], [1.0]),
        ([-50.0], [60.0], [1.0]),
        ([-50.0, 1.0], [60.0, 1.0], [1.0, 1e-18]),
        ([-3.0, 1.0], [4.0, 1.0], [1.0, 0.1]),
        ([900.0, -800.0], [1000.0, -1000.0], [1.0, 2.0]),
    ],
)
def test_nothing_overflows_at_either_end(value, output, weights):
    expected = [float(x) for x in exact(value, output, weights)]
    found = find_leverage(np.array(value), np.array(output), np.array(weights))
    assert found == pytest.approx(expected, rel=1e-12)


def test_weights_of_another_length_are_refused():
    with pytest.raises(TypeError, match=r"one entry a leaf, got shape \(1,\) for .* \(2,\)"):
        find_leverage(np.array([1.0, -2.0]), np.array([1.0, -2.0]), np.ones(1))


def test_weights_that_are_all_zero_have_no_mean():
    with pytest.raises(ZeroDivisionError):
        find_leverage(np.array([1.0, -2.0]), np.array([1.0, -2.0]), np.zeros(2))
