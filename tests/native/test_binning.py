"""Packed bins against np.searchsorted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree._native import _core
from horotree.training.lanes import share_lanes

from .problems import one_each, pack

seeds = st.integers(0, 2**32 - 1)
any_float = st.floats(allow_nan=False, allow_infinity=True)


def pack_bins(X, order, cuts, missing, categorical, *, bits=8, lanes=None, n_threads=1):
    """Call the kernel with a list of cuts a feature."""
    lanes = one_each(np.ones(X.shape[1]), bits) if lanes is None else lanes
    words = np.full((lanes.n_groups, len(order)), 2**64 - 1, np.uint64)
    _core.pack_bins(
        np.ascontiguousarray(X, np.float64),
        np.asarray(order, np.uint32),
        np.concatenate([*cuts, np.empty(0)]),
        np.cumsum([0, *map(len, cuts)]),
        np.asarray(missing, np.int32),
        np.asarray(categorical, np.uint8),
        lanes.bits,
        lanes.lane,
        lanes.shift,
        n_threads,
        words,
    )
    return words


def expected_words(X, order, cuts, missing, categorical, *, bits=8, lanes=None):
    bins = np.empty((len(order), X.shape[1]), np.int64)
    for f in range(X.shape[1]):
        column = X[order, f]
        found = column if categorical[f] else np.searchsorted(cuts[f], column)
        bins[:, f] = np.where(np.isnan(column), missing[f], np.nan_to_num(found))
    return pack(bins, one_each(np.ones(X.shape[1]), bits) if lanes is None else lanes)


def draw(rng, n, n_features, bits):
    """Draw columns and cuts: no cuts, few or very many, values on the cuts, NaN, codes."""
    most = min(2**bits - 2, 3_000)
    X, cuts = rng.normal(size=(n, n_features)), []
    categorical = rng.random(n_features) < 0.3
    missing = np.empty(n_features, int)
    for f in range(n_features):
        n_cuts = int(rng.choice([0, 1, rng.integers(2, most), most]))
        cuts.append(np.empty(0) if categorical[f] else np.sort(rng.normal(size=n_cuts)))
        missing[f] = n_cuts + 1
        if categorical[f]:
            X[:, f] = rng.integers(0, n_cuts + 1, n)
        elif n_cuts:
            on_cut = rng.random(n) < 0.3
            X[on_cut, f] = rng.choice(cuts[f], int(on_cut.sum()))
        X[rng.random(n) < 0.1, f] = np.nan
    return X, cuts, missing, categorical


@pytest.mark.parametrize("bits", [8, 16, 32])
@given(seed=seeds)
def test_bins_are_those_of_searchsorted(bits, seed):
    rng = np.random.default_rng(seed)
    n, n_features = int(rng.integers(0, 50)), int(rng.integers(1, 20))
    X, cuts, missing, categorical = draw(rng, n, n_features, bits)
    # Rows in any order, some twice, some never.
    order = rng.integers(0, n, int(rng.integers(0, 2 * n))) if n else np.empty(0, int)
    arguments = X, order, cuts, missing, categorical
    np.testing.assert_array_equal(
        pack_bins(*arguments, bits=bits), expected_words(*arguments, bits=bits)
    )


@given(values=st.lists(any_float, min_size=1, max_size=30), cuts=st.lists(any_float, max_size=30))
def test_values_of_any_size_are_below_the_cuts_they_equal(values, cuts):
    X, cuts = np.array(values)[:, None], np.unique(cuts)
    order = np.arange(len(values))
    words = pack_bins(X, order, [cuts], [-1], [0], bits=8)
    np.testing.assert_array_equal(words[0], np.searchsorted(cuts, X[:, 0]))
    for b, cut in enumerate(cuts):
        np.testing.assert_array_equal(words[0] <= b, X[:, 0] <= cut)


@pytest.mark.parametrize("n_threads", [1, 2, 4])
def test_threads_share_blocks_of_rows_and_groups_of_features(n_threads):
    rng = np.random.default_rng(0)
    X, cuts, missing, categorical = draw(rng, 9_001, 19, 8)
    arguments = X, rng.permutation(len(X)), cuts, missing, categorical
    np.testing.assert_array_equal(
        pack_bins(*arguments, bits=8, n_threads=n_threads), expected_words(*arguments, bits=8)
    )


def test_more_bins_than_16_bits_hold_are_packed_in_32():
    n = 2**16 + 100
    x = np.random.default_rng(1).permutation(n).astype(float)
    words = pack_bins(x[:, None], np.arange(n), [np.arange(n - 1) + 0.5], [-1], [0], bits=32)
    np.testing.assert_array_equal(words[0], x)


@pytest.mark.parametrize("n_words", [1, 3])
def test_words_of_a_wrong_shape_are_refused(n_words):
    X = np.zeros((4, 9))
    with pytest.raises(ValueError, match="words must have a row per group"):
        _core.pack_bins(
            X,
            np.arange(4, dtype=np.uint32),
            np.empty(0),
            np.zeros(10, np.int64),
            np.full(9, -1, np.int32),
            np.zeros(9, np.uint8),
            8,
            np.arange(9, dtype=np.int32),
            np.zeros(9, np.int32),
            1,
            np.empty((n_words, 4), np.uint64),
        )


@given(seed=seeds, n_threads=st.integers(1, 3))
def test_features_that_share_a_lane_are_at_their_bits(seed, n_threads):
    rng = np.random.default_rng(seed)
    n, n_features = 300, int(rng.integers(2, 40))
    n_values = rng.choice([1, 2, 2, 2, 3, 5, 20, 200], n_features)
    X = rng.integers(0, n_values, (n, n_features)).astype(float)
    cuts = [np.arange(values - 1) + 0.5 for values in n_values]
    has_missing = rng.random(n_features) < 0.3
    X[:, has_missing & (rng.random(n_features) < 0.5)] = np.nan
    X[rng.random(X.shape) < 0.1 * has_missing] = np.nan
    missing = np.where(has_missing, n_values, -1)
    lanes = share_lanes((n_values + has_missing).astype(np.int32), 10**6)
    arguments = X, rng.permutation(n), cuts, missing, np.zeros(n_features)
    np.testing.assert_array_equal(
        pack_bins(*arguments, lanes=lanes, n_threads=n_threads),
        expected_words(*arguments, lanes=lanes),
    )


@given(seeds, st.integers(1, 3))
def test_columns_are_those_of_a_transposed_table(seed, n_threads):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(int(rng.integers(1, 400)), int(rng.integers(1, 20))))
    rows = rng.integers(0, len(x), int(rng.integers(0, 300))).astype(np.uint32)
    first, last = np.sort(rng.integers(0, x.shape[1] + 1, 2))
    out = np.full((last - first, len(rows)), np.nan)
    _core.gather_columns(x, rows, first, n_threads, out)
    np.testing.assert_array_equal(out, x[rows, first:last].T)


@given(seeds, st.integers(1, 3))
def test_columns_with_missing_values_are_found(seed, n_threads):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(int(rng.integers(1, 9_000)), int(rng.integers(1, 12))))
    x[rng.integers(0, len(x), 3), rng.integers(0, x.shape[1], 3)] = np.nan
    missing = np.full(x.shape[1], 7, np.uint8)
    _core.find_missing(x, n_threads, missing)
    np.testing.assert_array_equal(missing, np.isnan(x).any(axis=0))


def test_rows_that_are_not_there_are_refused():
    with pytest.raises(ValueError, match="rows must be those of x"):
        _core.gather_columns(np.ones((2, 1)), np.array([2], np.uint32), 0, 1, np.empty((1, 1)))
