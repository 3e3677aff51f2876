"""Sorted columns against np.sort."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from horotree._native import _core

shapes = hnp.array_shapes(min_dims=2, max_dims=2, max_side=50)
columns = hnp.arrays(np.float64, shapes, elements=st.floats())


def sort(columns, n_threads=1, few=-1):
    """Call the kernel on a copy; return what is left of each column, and what was told."""
    found = np.array(columns, np.float64)
    told = np.full((len(found), 2), -1)
    _core.sort_columns(found.view(np.uint64), few, n_threads, told)
    n_left = [n_distinct if n_distinct <= few else n_known for n_known, n_distinct in told]
    return [row[:n] for row, n in zip(found, n_left, strict=True)], told


def assert_sorted(columns, n_threads=1):
    """Check the order, and that no bit of a number is lost: -0.0 and 0.0 are told apart."""
    for column, found, (n_known, n_distinct) in zip(
        columns, *sort(columns, n_threads), strict=True
    ):
        known = column[~np.isnan(column)]
        assert (n_known, n_distinct) == (len(known), len(np.unique(known)))
        np.testing.assert_array_equal(found, np.sort(known))
        np.testing.assert_array_equal(
            np.sort(found.view(np.uint64)), np.sort(known.view(np.uint64))
        )


@given(columns, st.integers(1, 3))
def test_columns_are_in_order(columns, n_threads):
    assert_sorted(columns, n_threads)


@pytest.mark.parametrize("n", [2**12 - 1, 2**12, 2**16 + 3])
@pytest.mark.parametrize("seed", range(3))
def test_long_columns_are_in_order(n, seed):
    rng = np.random.default_rng(seed)
    columns = [
        rng.normal(size=n),
        rng.integers(-3, 9, n).astype(float),
        np.arange(n, 0.0, -1.0),
        1.7e9 + rng.random(n),
        np.where(rng.random(n) < 0.5, np.nan, rng.random(n)),
        np.where(rng.random(n) < 0.5, -np.nan, rng.integers(0, 2, n) - 0.0),
        rng.integers(0, 2**64, n, np.uint64).view(np.float64),  # of any size, NaN among them
        np.full(n, -1.5),
        np.full(n, np.inf),
        np.full(n, np.nan),
    ]
    assert_sorted(np.array(columns), n_threads=2)


@given(hnp.arrays(np.float64, shapes, elements=st.integers(-3, 3)), st.integers(0, 8))
def test_one_of_those_that_are_equal_is_left_if_they_are_few(columns, few):
    left, told = sort(columns, few=few)
    for column, found, (n_known, n_distinct) in zip(columns, left, told, strict=True):
        distinct = np.unique(column)
        assert (n_known, n_distinct) == (len(column), len(distinct))
        expected = distinct if len(distinct) <= few else np.sort(column)
        np.testing.assert_array_equal(found, expected)


@given(columns)
def test_distinct_numbers_of_any_size_are_left(columns):
    left, _ = sort(columns, few=columns.shape[1])
    for column, found in zip(columns, left, strict=True):
        np.testing.assert_array_equal(found, np.unique(column[~np.isnan(column)]))


def test_a_negative_zero_comes_first_but_is_not_another_number():
    (found,), told = sort([[0.0, -0.0, 0.0, -0.0]])
    np.testing.assert_array_equal(np.signbit(found), [True, True, False, False])
    assert told.tolist() == [[4, 1]]
    (left,), _ = sort([[0.0, -0.0, 0.0, -0.0]], few=1)
    np.testing.assert_array_equal(np.signbit(left), [True])


def test_wrong_sizes_are_refused():
    bits = np.zeros((2, 3), np.uint64)
    with pytest.raises(ValueError, match="two entries per column"):
        _core.sort_columns(bits, 0, 1, np.empty((3, 2), np.int64))
    with pytest.raises(ValueError, match="n_threads"):
        _core.sort_columns(bits, 0, 0, np.empty((2, 2), np.int64))


@pytest.mark.parametrize("n_values", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("where", ["first", "last", "anywhere"])
def test_flags_and_the_like_are_found_wherever_their_values_come(n_values, where):
    rng = np.random.default_rng(n_values)
    values = rng.permutation([-0.0, 0.0, 1.0, -2.5, np.inf, 1e300])[:n_values]
    column = np.full(5_000, values[0])
    place = {"first": 1, "last": len(column) - n_values, "anywhere": 0}[where]
    column[place : place + n_values] = values
    if where == "anywhere":
        column = rng.choice(values, len(column))
    column[::7][1:-1] = np.nan
    known = column[~np.isnan(column)]
    (found,), ((n_known, n_distinct),) = sort([column], few=255)
    np.testing.assert_array_equal(found, np.unique(known))
    assert (n_known, n_distinct) == (len(known), len(np.unique(known)))
