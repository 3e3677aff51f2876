"""Where columns are cut, and that bins and thresholds say the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from horotree.training.binning import COLUMNS, LAST_CUT, SAMPLE, find_bins
from horotree.training.lanes import one_each

NUMERIC = np.zeros(1, np.int32)

columns = hnp.arrays(
    np.float64,
    st.integers(1, 60),
    elements=st.floats(allow_infinity=False, allow_nan=True) | st.sampled_from([0.0, 1.0, 2.0]),
)


def unpack(words, bits, n_features):
    width = 64 // bits
    mask = np.uint64(2**bits - 1)
    shifts = [np.uint64(bits * (f % width)) for f in range(n_features)]
    return np.column_stack([words[f // width] >> shifts[f] & mask for f in range(n_features)])


def bins_of(binning, X):
    """Return the bins of all values through the packed words."""
    lanes = one_each(binning.n_bins)
    words = binning.pack(X, np.arange(len(X), dtype=np.uint32), lanes, n_threads=1)
    return unpack(words, lanes.bits, X.shape[1]).astype(np.int64)


@given(columns, st.sampled_from([2, 5, 255, None]))
def test_a_value_is_in_a_bin_or_below_iff_it_is_at_most_its_threshold(column, max_bins):
    X = column[:, None]
    binning = find_bins(X, NUMERIC, max_bins)
    bins = bins_of(binning, X)[:, 0]
    known = ~np.isnan(column)
    assert (bins[~known] == binning.missing[0]).all()
    assert (bins < binning.n_bins[0]).all()
    n_values = binning.n_bins[0] - (binning.missing[0] >= 0)
    for b in range(n_values):
        threshold = binning.threshold(np.zeros(1, np.int32), np.full(1, b, np.int32))[0]
        np.testing.assert_array_equal(bins[known] <= b, column[known] <= threshold)
    assert threshold == LAST_CUT


@given(columns)
def test_few_distinct_values_have_a_bin_each(column):
    binning = find_bins(column[:, None], NUMERIC, 60)
    distinct = np.unique(column[~np.isnan(column)])
    assert len(binning.cuts) == max(len(distinct) - 1, 0)
    # A cut is at or above the value below it and below the next: also for neighboring doubles.
    assert (distinct[:-1] <= binning.cuts).all()
    assert (binning.cuts < distinct[1:]).all()


def test_cuts_are_the_midpoints_of_distinct_values():
    column = np.array([4.0, 1.0, 2.0, 1.0, np.nan])
    for max_bins in (3, 255, None):
        assert find_bins(column[:, None], NUMERIC, max_bins).cuts.tolist() == [1.5, 3.0]


def test_cuts_between_values_of_any_size_are_finite_and_in_order():
    column = np.array([-1.7e308, -1e308, -5e-324, 0.0, 5e-324, 1e-323, 1e308, 1.7e308])
    cuts = find_bins(column[:, None], NUMERIC, None).cuts
    assert np.isfinite(cuts).all()
    assert (column[:-1] <= cuts).all()
    assert (cuts < column[1:]).all()


@given(columns, st.integers(2, 40))
def test_there_are_never_more_bins_than_asked_for(column, max_bins):
    binning = find_bins(column[:, None], NUMERIC, max_bins)
    assert len(binning.cuts) + 1 <= max_bins
    assert (np.diff(binning.cuts) > 0).all()


@pytest.mark.parametrize("max_bins", [2, 3, 10, 255])
def test_bins_of_many_values_hold_equal_shares(max_bins):
    column = np.random.default_rng(0).lognormal(size=20_000)
    X = column[:, None]
    counts = np.bincount(bins_of(find_bins(X, NUMERIC, max_bins), X)[:, 0])
    assert len(counts) == max_bins
    assert abs(counts - len(column) / max_bins).max() <= 1.0


def test_a_frequent_value_is_cut_off_from_those_above_it():
    rng = np.random.default_rng(1)
    column = np.where(rng.random(10_000) < 0.6, 0.0, rng.normal(size=10_000))
    X = column[:, None]
    bins = bins_of(find_bins(X, NUMERIC, 20), X)[:, 0]
    zero = bins[column == 0.0][0]
    assert (bins[column > 0] > zero).all()
    assert (bins[column < 0] <= zero).all()


def test_a_long_column_is_cut_by_its_quantiles():
    column = np.random.default_rng(2).permutation(4 * SAMPLE + 17).astype(float)
    X = column[:, None]
    counts = np.bincount(bins_of(find_bins(X, NUMERIC, 100), X)[:, 0])
    assert len(counts) == 100
    np.testing.assert_allclose(counts, len(column) / 100, rtol=0.2)


@pytest.mark.parametrize("present", [0, 1])
def test_a_long_column_with_every_other_value_missing_is_cut_by_the_others(present):
    column = np.full(2 * SAMPLE + 10, np.nan)
    column[present::2] = np.random.default_rng(3).normal(size=SAMPLE + 5)
    binning = find_bins(column[:, None], NUMERIC, 50)
    counts = np.bincount(bins_of(binning, column[:, None])[:, 0])
    assert len(counts) == 51
    assert counts[-1] == SAMPLE + 5
    np.testing.assert_allclose(counts[:-1], (SAMPLE + 5) / 50, rtol=0.2)


def test_rare_values_that_a_sample_misses_are_no_reason_to_fail():
    column = np.zeros(2 * SAMPLE)
    column[1::2][:1_000] = np.arange(1_000)
    binning = find_bins(column[:, None], NUMERIC, 255)
    assert binning.n_bins[0] <= 255


@pytest.mark.parametrize("max_bins", [255, None])
def test_columns_without_a_cut_have_one_bin_and_one_for_the_missing(max_bins):
    X = np.column_stack([np.full(5, 3.0), np.full(5, np.nan), [1.0, np.nan, 1.0, 1.0, 1.0]])
    binning = find_bins(X, np.zeros(3, np.int32), max_bins)
    assert binning.n_bins.tolist() == [1, 2, 2]
    assert binning.missing.tolist() == [-1, 1, 1]
    assert bins_of(binning, X)[1].tolist() == [0, 1, 1]


def test_categories_are_their_own_bins():
    X = np.array([[2.0, 7.5], [0.0, 1.0], [np.nan, 1.0]])
    binning = find_bins(X, np.array([4, 0], np.int32), 255)
    assert binning.n_bins.tolist() == [5, 2]
    assert binning.missing.tolist() == [4, -1]
    assert bins_of(binning, X).tolist() == [[2, 1], [0, 0], [4, 0]]


@pytest.mark.parametrize(
    ("n_values", "missing", "bits"), [(255, 1, 8), (256, 0, 8), (256, 1, 16), (257, 0, 16)]
)
def test_the_narrowest_bins_that_hold_all_are_taken(n_values, missing, bits):
    column = np.concatenate([np.arange(n_values), np.full(missing, np.nan)])
    binning = find_bins(column[:, None], NUMERIC, None)
    assert one_each(binning.n_bins).bits == bits
    expected = np.concatenate([np.arange(n_values), np.full(missing, n_values)])
    assert bins_of(binning, column[:, None])[:, 0].tolist() == expected.tolist()


def test_more_values_than_16_bits_hold_take_32():
    column = np.arange(2**16 + 1.0)
    binning = find_bins(column[:, None], NUMERIC, None)
    assert one_each(binning.n_bins).bits == 32
    np.testing.assert_array_equal(bins_of(binning, column[:, None])[:, 0], column)


def test_columns_of_a_wide_table_have_the_cuts_that_each_has_alone():
    rng = np.random.default_rng(0)
    n_features = 2 * COLUMNS + 3
    X = rng.integers(0, rng.integers(1, 600, n_features), (1_000, n_features)).astype(float)
    X[rng.random(X.shape) < 0.1 * (np.arange(n_features) % 3 == 0)] = np.nan
    wide = find_bins(X, np.zeros(n_features, np.int32), 255, n_threads=2)
    for f in range(n_features):
        alone = find_bins(np.ascontiguousarray(X[:, [f]]), NUMERIC, 255)
        own = wide.cuts[wide.cut_start[f] : wide.cut_start[f + 1]]
        np.testing.assert_array_equal(own, alone.cuts)
        assert (wide.n_bins[f], wide.missing[f]) == (alone.n_bins[0], alone.missing[0])
