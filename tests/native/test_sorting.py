"""Sorted numbers against np.sort."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from horotree._native import _core

numbers = hnp.arrays(np.float64, st.integers(0, 50), elements=st.floats(allow_nan=False))


def sort(values):
    """Call the kernel on a copy."""
    found = np.array(values, np.float64)
    _core.sort_numbers(found.view(np.uint64))
    return found


def assert_sorted(values):
    """Check the order, and that no bit of a number is lost: -0.0 and 0.0 are told apart."""
    found = sort(values)
    np.testing.assert_array_equal(found, np.sort(values))
    np.testing.assert_array_equal(
        np.sort(found.view(np.uint64)), np.sort(np.asarray(values).view(np.uint64))
    )


@given(numbers)
def test_numbers_are_in_order(values):
    assert_sorted(values)


@pytest.mark.parametrize("n", [2**11 - 1, 2**11, 2**16 + 3])
@pytest.mark.parametrize("seed", range(3))
def test_long_columns_are_in_order(n, seed):
    rng = np.random.default_rng(seed)
    for values in (
        rng.normal(size=n),
        rng.integers(-3, 9, n).astype(float),
        np.arange(n, 0.0, -1.0),
        1.7e9 + rng.random(n),
        rng.integers(0, 2**64, n, np.uint64).view(np.float64),  # of any size
    ):
        assert_sorted(values[~np.isnan(values)])


def test_a_negative_zero_comes_first():
    np.testing.assert_array_equal(
        np.signbit(sort([0.0, -0.0, 0.0, -0.0])), [True, True, False, False]
    )


@pytest.mark.parametrize("value", [0.0, -1.5, np.inf])
def test_equal_numbers_stay(value):
    np.testing.assert_array_equal(sort(np.full(5_000, value)), value)
