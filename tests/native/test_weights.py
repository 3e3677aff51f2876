"""Weights, odds and smoothed values against NumPy and, to the last digits, mpmath."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree._native import _core
from horotree.trees import find_hosts
from horotree.trees.monotonic_tree import TOLERANCE

seeds = st.integers(0, 2**32 - 1)


def fixed_point(odds, amount):
    out = np.full(len(odds), -1, np.int32)
    unit = _core.fixed_point_weights(np.asarray(odds, float), np.asarray(amount, float), 2, out)
    return out, unit


def exact_weights(odds, amount):
    with mp.workdps(50):
        return [mp.mpf(a) * mp.mpf(o) / (1 + mp.mpf(o)) for o, a in zip(odds, amount, strict=True)]


@given(seeds)
def test_odds_are_multiplied_by_the_factor_of_their_leaf_and_class(seed):
    rng = np.random.default_rng(seed)
    n, n_nodes = int(rng.integers(0, 40)), int(rng.integers(1, 10))
    n_negative = int(rng.integers(0, n + 1))
    leaf = rng.integers(0, n_nodes, n).astype(np.int32)
    factors = np.exp(rng.normal(size=(2, n_nodes)))
    odds = np.exp(rng.normal(size=n) * 10)
    is_positive = (np.arange(n) >= n_negative).astype(int)
    expected = odds * factors[is_positive, leaf]
    _core.update_odds(leaf, n_negative, factors[0], factors[1], 2, odds)
    np.testing.assert_array_equal(odds, expected)


def test_odds_of_a_wrong_length_are_refused():
    one = np.ones(1)
    with pytest.raises(ValueError, match="same length"):
        _core.update_odds(np.zeros(3, np.int32), 1, one, one, 1, np.ones(2))
    with pytest.raises(ValueError, match="same length"):
        _core.update_odds(np.zeros(2, np.int32), 3, one, one, 1, np.ones(2))


@given(seeds)
def test_fixed_point_weights_are_the_sigmoid_rounded(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 30))
    odds = np.exp(rng.normal(size=n) * rng.choice([0.0, 1.0, 30.0]))
    amount = np.exp(rng.normal(size=n) * rng.choice([0.0, 1.0, 100.0]))
    out, unit = fixed_point(odds, amount)
    exact = exact_weights(odds, amount)
    with mp.workdps(50):
        assert mp.frexp(unit)[0] == 0.5  # a power of two
        # Half a unit of rounding, and the last bits of a double.
        errors = [abs(w - unit * int(got)) for w, got in zip(exact, out, strict=True)]
        bounds = [unit * (mp.mpf(1) / 2 + mp.mpf(2) ** -21) for _ in exact]
        assert all(e <= b for e, b in zip(errors, bounds, strict=True))
    assert 2**29 <= out.max() <= 2**30
    assert out.min() >= 0


def test_weights_lighter_by_2_to_the_31_are_dropped_and_heavier_kept():
    amount = [1.0, 2.0**-29, 2.0**-30, 2.0**-31, 0.0]
    out, unit = fixed_point(np.ones(5), amount)
    assert unit == 2.0**-30
    assert out.tolist() == [2**29, 1, 1, 0, 0]  # half a unit is rounded up


def test_odds_without_end_give_the_whole_amount_and_none_give_nothing():
    out, unit = fixed_point([np.inf, 0.0, 5e-324, 1.0], [1.0, 1.0, 1.0, 1.0])
    assert (out * unit).tolist() == [1.0, 0.0, 0.0, 0.5]


def test_no_weight_at_all_has_no_unit():
    for odds, amount in (([0.0, 0.0], [1.0, 1.0]), ([1.0, 2.0], [0.0, 0.0]), ([], [])):
        out, unit = fixed_point(odds, amount)
        assert unit == 0.0
        assert out.tolist() == [0] * len(odds)


@pytest.mark.parametrize("size", [1e-290, 1e-200, 1e-30, 1.0, 1e30, 1e300])
def test_only_ratios_of_amounts_matter_at_any_size(size):
    amount = np.array([1.0, 0.75, 0.25, 0.0])
    out, unit = fixed_point(np.ones(4), size * amount)
    np.testing.assert_allclose(out * unit, 0.5 * size * amount, rtol=1e-8)
    assert out[0] >= 2**29


@pytest.mark.parametrize("size", [2e-300, 1e-305, 1e-310, 5e-324])
def test_weights_next_to_underflow_are_rounded_and_never_wrong(size):
    amount = size * np.array([1.0, 0.75, 0.25, 0.0])
    out, unit = fixed_point(np.ones(4), amount)
    assert out.min() >= 0
    np.testing.assert_allclose(out * unit, 0.5 * amount, rtol=0, atol=max(unit, 5e-324))


def random_tree(rng, n_inner):
    """Return the parent of each node of a random binary tree, parents first."""
    parent, leaves = [-1], [0]
    for _ in range(n_inner):
        v = leaves.pop(int(rng.integers(len(leaves))))
        leaves += [len(parent), len(parent) + 1]
        parent += [v, v]
    return np.array(parent, np.int32)


def smoothed(parent, negative, positive, smoothing, *, to_host=True):
    posterior, value = np.empty(len(parent)), np.empty(len(parent))
    _core.smoothed_values(
        parent, negative, positive, smoothing, to_host, TOLERANCE, posterior, value
    )
    return posterior, value


def exact_posteriors(parent, negative, positive, smoothing, target):
    """Return posteriors, each shrunk towards that of the target of its parent."""
    with mp.workdps(150):
        exact = []
        for v, p in enumerate(parent):
            above = exact[target[p]] if p >= 0 else mp.mpf(1) / 2
            exact.append(
                (mp.mpf(positive[v]) + mp.mpf(smoothing) * above)
                / (mp.mpf(positive[v]) + mp.mpf(negative[v]) + mp.mpf(smoothing))
            )
        return exact


def weights_by_node(rng, parent, scale):
    """Draw weights of the leaves, some pure, and sum them upwards."""
    weights = np.exp(rng.normal(size=(2, len(parent))) * scale)
    is_leaf = np.ones(len(parent), bool)
    is_leaf[parent[1:]] = False
    weights *= is_leaf * (rng.random(weights.shape) < 0.7)
    for v in range(len(parent) - 1, 0, -1):
        weights[:, parent[v]] += weights[:, v]
    return weights


@given(seeds, st.booleans())
def test_values_are_logits_of_posteriors_shrunk_towards_the_parent_or_its_host(seed, to_host):
    rng = np.random.default_rng(seed)
    parent = random_tree(rng, int(rng.integers(0, 20)))
    negative, positive = weights_by_node(rng, parent, rng.choice([0.5, 5.0, 20.0]))
    smoothing = float(np.exp(rng.normal() * 5))
    posterior, value = smoothed(parent, negative, positive, smoothing, to_host=to_host)
    depth = [0]
    for p in parent[1:]:
        depth.append(depth[p] + 1)
    nodes = np.arange(len(parent))
    target = find_hosts(parent, np.abs(value)) if to_host else nodes
    exact = exact_posteriors(parent, negative, positive, smoothing, target)
    with mp.workdps(150):
        for v, p in enumerate(exact):
            ulps = 2.0**-52 * 4 * (1 + depth[v])
            assert abs(posterior[v] - p) <= ulps * p
            assert abs(value[v] - mp.log(p / (1 - p))) <= ulps * (1 + abs(value[v]))


def test_the_value_of_a_very_pure_leaf_keeps_its_digits():
    # 1 - p is 5e-26: a value made of the posterior alone would be infinite.
    parent = np.array([-1], np.int32)
    posterior, value = smoothed(parent, np.zeros(1), np.array([1e20]), 1e-5)
    assert posterior[0] == 1.0
    with mp.workdps(50):
        expected = mp.log((mp.mpf(1e20) + mp.mpf(1e-5) / 2) / (mp.mpf(1e-5) / 2))
    assert value[0] == pytest.approx(float(expected), rel=1e-15)


def test_swapping_the_classes_swaps_the_sign_of_every_value():
    rng = np.random.default_rng(0)
    parent = random_tree(rng, 30)
    negative, positive = weights_by_node(rng, parent, 3.0)
    _, value = smoothed(parent, negative, positive, 2.5)
    _, swapped = smoothed(parent, positive, negative, 2.5)
    np.testing.assert_allclose(swapped, -value, rtol=1e-13, atol=1e-15)


def test_without_smoothing_values_are_the_logits_of_the_weights():
    rng = np.random.default_rng(1)
    parent = random_tree(rng, 10)
    negative, positive = rng.uniform(1.0, 9.0, (2, len(parent)))
    posterior, value = smoothed(parent, negative, positive, 0.0)
    np.testing.assert_allclose(posterior, positive / (positive + negative), rtol=1e-15)
    np.testing.assert_allclose(value, np.log(positive / negative), rtol=1e-14, atol=1e-15)


@given(seeds, st.booleans())
def test_the_most_confident_node_is_a_leaf(seed, to_host):
    rng = np.random.default_rng(seed)
    parent = random_tree(rng, int(rng.integers(1, 20)))
    negative, positive = weights_by_node(rng, parent, 2.0)
    smoothing = float(np.exp(rng.normal() * 3))
    _, value = smoothed(parent, negative, positive, smoothing, to_host=to_host)
    is_leaf = np.ones(len(parent), bool)
    is_leaf[parent[1:]] = False
    confidence = np.abs(value)
    assert confidence[is_leaf].max() >= confidence[~is_leaf].max() * (1 - 1e-12)


@given(seeds)
def test_hosts_have_the_same_value_whatever_is_not_kept(seed):
    """A value of a kept node depends on the weights of kept nodes alone."""
    rng = np.random.default_rng(seed)
    parent = random_tree(rng, int(rng.integers(1, 20)))
    negative, positive = weights_by_node(rng, parent, 2.0)
    _, value = smoothed(parent, negative, positive, 5.0)
    host = find_hosts(parent, np.abs(value))
    kept = np.flatnonzero(host == np.arange(len(parent)))
    row = np.cumsum(host == np.arange(len(parent))) - 1
    among = np.where(parent[kept] < 0, -1, row[host[np.maximum(parent[kept], 0)]])
    _, alone = smoothed(among.astype(np.int32), negative[kept], positive[kept], 5.0, to_host=False)
    np.testing.assert_array_equal(alone, value[kept])


def test_a_child_before_its_parent_is_refused():
    with pytest.raises(ValueError, match="precede"):
        smoothed(np.array([1, -1], np.int32), np.ones(2), np.ones(2), 1.0)


def test_node_arrays_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="same length"):
        smoothed(np.array([-1, 0], np.int32), np.ones(1), np.ones(2), 1.0)


@pytest.mark.parametrize(
    "value", [np.zeros(2, np.float32), np.zeros(4)[::2], np.zeros(2, np.int64)]
)
def test_an_output_that_would_be_copied_is_refused(value):
    # Written to a copy, the results would be lost without a word.
    with pytest.raises(TypeError):
        _core.smoothed_values(
            np.array([-1, 0], np.int32), np.ones(2), np.ones(2), 1.0, True, 0.0, np.zeros(2), value
        )
