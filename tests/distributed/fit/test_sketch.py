"""Sketches: exact while values are few, and never further off than they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.distributed.fit.sketch import CAPACITY, QuantileSketch, merge
from horotree.training import find_bins
from horotree.training.binning import cut_counted

seeds = st.integers(0, 2**32 - 1)


def draw_values(rng):
    """Draw numbers with heavy ties, a few, none, or many."""
    n = int(rng.choice([0, 1, 30, 2_000]))
    values = rng.normal(size=n) * 10.0 ** rng.integers(-3, 4)
    kind = rng.integers(4)
    if kind == 0:
        values = np.round(values, 1)
    elif kind == 1:
        values[rng.random(n) < 0.4] = 0.25
    elif kind == 2:
        values[rng.random(n) < 0.2] = np.nan
    return values


def upto(sketch, x):
    """Return how many values <= x a sketch tells of."""
    return np.concatenate([[0], np.cumsum(sketch.counts)])[
        np.searchsorted(sketch.values, x, side="right")
    ]


@given(seeds)
def test_no_rank_is_further_off_than_the_error_and_the_error_is_bounded(seed):
    rng = np.random.default_rng(seed)
    capacity, levels = int(rng.choice([2, 16, 100])), int(rng.integers(1, 4))
    parts = [draw_values(rng) for _ in range(2**levels)]
    sketches = [QuantileSketch.of(part).compressed(capacity) for part in parts]
    while len(sketches) > 1:
        pairs = zip(sketches[::2], sketches[1::2], strict=True)
        sketches = [merge(pair).compressed(capacity) for pair in pairs]
    (whole,) = sketches
    values = np.sort(np.concatenate(parts))
    values = values[~np.isnan(values)]
    assert whole.counts.sum() == len(values)
    assert len(whole.values) <= max(capacity, 1)
    assert (np.diff(whole.values) > 0.0).all()
    x = np.concatenate([values, values + 1e-9, [-np.inf, np.inf]])
    off = np.abs(upto(whole, x) - np.searchsorted(values, x, side="right"))
    assert off.max() <= whole.error <= (levels + 1) * len(values) / capacity


@given(seeds, st.sampled_from([None, 2, 5, 64, 255]))
def test_cuts_of_an_exact_sketch_are_those_of_one_machine(seed, max_bins):
    rng = np.random.default_rng(seed)
    parts = [draw_values(rng) for _ in range(3)]
    whole = merge([QuantileSketch.of(part) for part in parts])
    assert whole.error == 0
    X = np.concatenate(parts)[:, np.newaxis]
    if len(X) == 0:
        return
    expected = find_bins(X, np.zeros(1, np.int32), max_bins)
    np.testing.assert_array_equal(cut_counted(whole.values, whole.counts, max_bins), expected.cuts)


def test_few_distinct_values_stay_exact_however_many_rows_there_are():
    rng = np.random.default_rng(0)
    parts = [rng.integers(0, 200, 50_000) * 0.5 for _ in range(4)]
    whole = merge([QuantileSketch.of(part).compressed() for part in parts]).compressed()
    values, counts = np.unique(np.concatenate(parts), return_counts=True)
    np.testing.assert_array_equal(whole.values, values)
    np.testing.assert_array_equal(whole.counts, counts)
    assert whole.error == 0


def test_cuts_from_sketches_have_equal_shares_between_them():
    rng = np.random.default_rng(1)
    parts = [rng.lognormal(size=100_000) for _ in range(4)]
    whole = merge([QuantileSketch.of(part).compressed() for part in parts]).compressed()
    cuts = cut_counted(whole.values, whole.counts, 255)
    everything = np.sort(np.concatenate(parts))
    shares = np.searchsorted(everything, cuts, side="right") / len(everything)
    assert len(cuts) == 254
    assert 0 < whole.error / len(everything) < 2 / 4096
    bound = whole.error / len(everything) + 1 / CAPACITY
    assert shares == pytest.approx(np.arange(1, 255) / 255, abs=bound)
