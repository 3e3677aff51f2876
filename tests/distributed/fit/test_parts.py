"""Partitions as workers keep them."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from horotree.distributed.fit.messages import Checkpoint
from horotree.distributed.fit.parts import BinnedPart, find_segments, join_words, odds_after
from horotree.distributed.fit.progress import Progress
from horotree.training import Examples, boost, boosting, find_bins
from horotree.training.lanes import one_each
from tests.training.samples import SMALL, draw, draw_large

seeds = st.integers(0, 2**32 - 1)


@given(seeds)
def test_boosting_goes_on_from_trees_as_if_it_had_never_stopped(seed):
    data = draw(seed)
    settings = replace(SMALL, max_features=1, subsample=0.8)
    whole = data.boost(settings)
    kept = []
    X = np.ascontiguousarray(data.X)
    binning = find_bins(X, data.n_categories, None)
    examples = Examples(X, data.positive, binning, n_threads=1)
    amount = data.sample_weight[examples.order]
    stop = replace(settings, n_estimators=3)
    start = boost(examples, amount, settings=stop, on_round=lambda *args: kept.append(args))
    factors = [pair for _, _, pair in kept]
    first = kept[-1][0] + 1 if kept else 0
    odds = odds_after(Checkpoint(start, factors, first, []), X, data.positive, 1)[examples.order]
    rest = {"start": start, "odds": odds, "first_round": first}
    ended = boost(examples, amount, settings=settings, **rest)
    assert ended == whole
    trees = tuple(tree for _, boosted, _ in kept for tree in boosted.trees)
    assert trees == start.trees


def test_odds_are_followed_to_the_bit(monkeypatch):
    data = draw_large(2_000)
    states = []

    class Watched(boosting.State):
        def add(self, *args):
            super().add(*args)
            states.append(self.odds.copy())

    monkeypatch.setattr(boosting, "State", Watched)
    boosted = data.boost(SMALL)
    place = Progress({0: boosted}, None).state()[0][0]
    found = odds_after(place, np.ascontiguousarray(data.X), data.positive, 1)
    order = np.argsort(data.positive, kind="stable")
    np.testing.assert_array_equal(found[order], states[-1])


def test_bins_of_parts_are_joined_as_one_machine_orders_them():
    data = draw_large(1_000)
    binning = find_bins(data.X, data.n_categories, 255)
    lanes = one_each(binning.n_bins)
    whole = Examples(data.X, data.positive, binning, lanes, n_threads=1)
    parts = []
    for rows in np.split(np.arange(1_000), [0, 17, 500, 500]):
        every = np.arange(len(rows), dtype=np.uint32)
        words = binning.pack(np.ascontiguousarray(data.X[rows]), every, lanes, n_threads=1)
        parts.append(BinnedPart(words, data.positive[rows], np.empty(0), {}, None))
    joined = join_words(parts, data.positive)
    np.testing.assert_array_equal(joined, whole._words)
    assert parts == []


@given(seeds)
def test_segments_are_the_places_of_examples_on_one_machine(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, int(rng.integers(1, 60)))
    part = np.sort(rng.integers(0, 5, len(y)))
    worker = rng.integers(0, 2, 5)
    by_class = np.stack([np.bincount(y[part == p], minlength=3) for p in range(5)])
    target = int(rng.integers(3))
    place = np.empty(len(y), int)
    place[np.argsort(y == target, kind="stable")] = np.arange(len(y))
    for k in range(2):
        mine = np.flatnonzero(worker == k).tolist()
        rows = np.flatnonzero(worker[part] == k)
        rows = rows[np.argsort(y[rows] == target, kind="stable")]
        found = [np.arange(a, a + n) for a, n in find_segments(by_class, mine, target)]
        np.testing.assert_array_equal(np.concatenate([np.empty(0, int), *found]), place[rows])
