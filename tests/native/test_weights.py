"""Weights and odds against NumPy and, to the last digits, mpmath."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree._native import _core

seeds = st.integers(0, 2**32 - 1)


def fixed_point(odds, amount, least_unit=0.0):
    out = np.full(len(odds), -1, np.int32)
    arrays = (np.asarray(x, float) for x in (odds, amount))
    unit = _core.fixed_point_weights(*arrays, least_unit, 2, out)
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


@pytest.mark.parametrize("n_threads", [0, 1, 2, 3, 7])
@pytest.mark.parametrize("n_negative", [0, 1, 8_000, 19_937, 20_001])
def test_many_rows_are_weighed_and_their_odds_updated_by_any_number_of_threads(
    n_threads, n_negative
):
    rng = np.random.default_rng(n_negative)
    n, n_nodes = 20_001, 5
    odds, amount = np.exp(rng.normal(size=n) * 3), rng.uniform(size=n)
    out = np.full(n, -1, np.int32)
    unit = _core.fixed_point_weights(odds, amount, 0.0, n_threads, out)
    weights = amount / (1.0 + 1.0 / odds)
    assert 2**29 <= weights.max() / unit <= 2**30
    np.testing.assert_array_equal(out, np.floor(weights / unit + 0.5))
    leaf = rng.integers(0, n_nodes, n).astype(np.int32)
    factors = np.exp(rng.normal(size=(2, n_nodes)))
    expected = odds * factors[(np.arange(n) >= n_negative).astype(int), leaf]
    _core.update_odds(leaf, n_negative, factors[0], factors[1], n_threads, odds)
    np.testing.assert_array_equal(odds, expected)


def test_odds_of_a_wrong_length_are_refused():
    one = np.ones(1)
    with pytest.raises(ValueError, match="same length"):
        _core.update_odds(np.zeros(3, np.int32), 1, one, one, 1, np.ones(2))
    with pytest.raises(ValueError, match="same length"):
        _core.update_odds(np.zeros(2, np.int32), 3, one, one, 1, np.ones(2))


@given(seeds)
def test_a_larger_unit_is_that_of_a_heavier_example_elsewhere(seed):
    rng = np.random.default_rng(seed)
    odds, amount = np.exp(rng.normal(size=20) * 3), rng.uniform(0.0, 2.0, 20)
    _, unit = fixed_point(odds, amount)
    for factor in (0.25, 1.0, 8.0, 2.0**40):
        heavier = 0.75 * 2**30 * factor * unit
        expected, common = fixed_point(np.append(odds, np.inf), np.append(amount, heavier))
        out, found = fixed_point(odds, amount, factor * unit)
        assert found == common == max(factor, 1.0) * unit
        np.testing.assert_array_equal(out, expected[:-1])


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
