"""What must not change what is learned: order, names, repetition, threads, seeds."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given

from horotree.training import Settings

from .samples import FULL, SMALL, draw, draw_large, seeds


@given(seeds)
def test_the_order_of_rows_changes_nothing(seed):
    data = draw(seed, max_rows=150)
    rows = np.random.default_rng(seed).permutation(len(data.X))
    one, other = data.boost(), data.take(rows).boost()
    assert one == other


@given(seeds)
def test_the_order_of_columns_changes_no_score(seed):
    data = draw(seed, max_rows=150)
    columns = np.random.default_rng(seed).permutation(data.X.shape[1])
    other = dataclasses.replace(data, X=data.X[:, columns], n_categories=data.n_categories[columns])
    score, same = data.boost().score(data.X), other.boost().score(other.X)
    np.testing.assert_allclose(same, score, rtol=1e-9, atol=1e-12)


@given(seeds)
def test_an_example_twice_is_an_example_of_twice_the_weight(seed):
    data = draw(seed, max_rows=100)
    twice = data.take(np.tile(np.arange(len(data.X)), 2))
    heavy = dataclasses.replace(data, sample_weight=2.0 * data.sample_weight)
    one, other = twice.boost(), heavy.boost()
    for a, b in zip(one.trees, other.trees, strict=True):
        np.testing.assert_array_equal(a.count, 2 * b.count)
        np.testing.assert_array_equal(a.weight, b.weight)
    # A factor of two is exact, so nothing else differs at all.
    np.testing.assert_array_equal(one.score(data.X), other.score(data.X))


@given(seeds)
def test_examples_some_times_are_examples_of_that_weight(seed):
    data = draw(seed, max_rows=60)
    times = np.random.default_rng(seed).integers(1, 5, len(data.X))
    repeated = data.take(np.repeat(np.arange(len(data.X)), times))
    heavy = dataclasses.replace(data, sample_weight=times * data.sample_weight)
    one, other = repeated.boost(), heavy.boost()
    np.testing.assert_allclose(one.score(data.X), other.score(data.X), rtol=1e-6, atol=1e-8)


@given(seeds)
def test_an_example_without_weight_might_as_well_not_be_there(seed):
    rng = np.random.default_rng(seed)
    data = draw(seed, max_rows=100)
    kept = rng.random(len(data.X)) < 0.8
    kept[:2] = True
    zeros = dataclasses.replace(data, sample_weight=np.where(kept, data.sample_weight, 0.0))
    fewer = data.take(kept)
    score = fewer.boost().score(fewer.X)
    np.testing.assert_array_equal(zeros.boost().score(fewer.X), score)


@given(seeds)
def test_new_names_of_categories_change_no_score(seed):
    rng = np.random.default_rng(seed)
    data = draw(seed, max_rows=100)
    renamed = data.X.copy()
    for f in np.flatnonzero(data.n_categories):
        names = rng.permutation(data.n_categories[f]).astype(float)
        known = ~np.isnan(renamed[:, f])
        renamed[known, f] = names[renamed[known, f].astype(int)]
    other = dataclasses.replace(data, X=renamed)
    score, same = data.boost().score(data.X), other.boost().score(other.X)
    np.testing.assert_allclose(same, score, rtol=1e-9, atol=1e-12)


@given(seeds)
def test_swapping_the_classes_swaps_the_sign_of_scores(seed):
    data = draw(seed, max_rows=100)
    other = dataclasses.replace(data, positive=~data.positive)
    score, same = data.boost().score(data.X), other.boost().score(data.X)
    np.testing.assert_allclose(same, -score, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("n_threads", [2, 4])
def test_threads_change_no_bit(n_threads):
    data = draw_large()
    expected = data.boost(FULL)
    other = data.boost(dataclasses.replace(FULL, n_threads=n_threads))
    assert other == expected


def test_the_seed_decides_what_is_drawn():
    data = draw_large()
    assert data.boost(FULL) == data.boost(FULL)
    for changes in ({"max_features": None}, {"subsample": 1.0}):
        one = dataclasses.replace(FULL, **changes)
        assert data.boost(one) == data.boost(one)
        other = dataclasses.replace(one, seed=6)
        assert data.boost(one) != data.boost(other)


def test_without_draws_the_seed_changes_nothing():
    data = draw_large(500)
    one, other = (data.boost(dataclasses.replace(SMALL, seed=seed)) for seed in (0, 1))
    assert one == other


def test_a_subsample_weighs_that_share():
    data = draw_large()
    whole, part = (
        data.boost(Settings(n_estimators=1, subsample=share)).trees[0].weight[0]
        for share in (1.0, 0.3)
    )
    assert part / whole == pytest.approx(0.3, abs=0.03)
