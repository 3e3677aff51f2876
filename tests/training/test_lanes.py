"""Which features share a lane, and that no one can see it from the trees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree._native import _core
from horotree.training import find_bins
from horotree.training.induction import Examples, Rules
from horotree.training.lanes import ROWS_A_CODE, one_each, share_lanes
from tests.native.problems import assert_same_tree, bin_table, draw_problem, grow_tree

seeds = st.integers(0, 2**32 - 1)
MANY = 10**6
bins = st.lists(st.integers(1, 256), min_size=1, max_size=60).map(
    lambda n_bins: np.array(n_bins, np.int32)
)
few_bins = st.lists(st.sampled_from([1, 2, 2, 3, 4, 5, 16, 17]), min_size=1, max_size=60).map(
    lambda n_bins: np.array(n_bins, np.int32)
)


@given(bins | few_bins)
def test_fields_of_a_lane_do_not_overlap_and_codes_are_all_that_they_make(n_bins):
    lanes = share_lanes(n_bins, MANY)
    n_bits = np.array([int(n - 1).bit_length() for n in n_bins])
    for k, n_codes in enumerate(lanes.n_codes):
        own = (lanes.lane == k) & (n_bins > 1)
        taken = np.concatenate(
            [np.arange(s, s + n) for s, n in zip(lanes.shift[own], n_bits[own], strict=True)]
            or [np.empty(0, int)]
        )
        assert sorted(taken) == list(range(len(taken)))
        assert len(taken) <= 8
        largest = int(((n_bins[own] - 1) << lanes.shift[own]).sum())
        assert largest < n_codes <= 2 ** len(taken)


@given(bins | few_bins)
def test_lanes_are_shared_only_if_that_leaves_fewer(n_bins):
    lanes = share_lanes(n_bins, MANY)
    assert len(lanes.n_codes) <= max(1, np.count_nonzero(n_bins > 1))
    assert lanes.n_groups == -(-len(lanes.n_codes) // 8)


@given(bins)
def test_features_of_many_bins_are_alone_in_their_order(n_bins):
    n_bins = np.maximum(n_bins, 129).astype(np.int32)
    for mine, other in zip(share_lanes(n_bins, MANY), one_each(n_bins), strict=True):
        np.testing.assert_array_equal(mine, other)


@pytest.mark.parametrize(
    ("n_features", "n_rows", "n_lanes"),
    [(8, ROWS_A_CODE * 256 // 7 + 1, 1), (8, ROWS_A_CODE * 256 // 7 - 1, 8), (8, 0, 8)],
)
def test_few_rows_are_not_worth_many_codes(n_features, n_rows, n_lanes):
    lanes = share_lanes(np.full(n_features, 2, np.int32), n_rows)
    assert len(lanes.n_codes) == n_lanes


def test_constants_take_no_lane():
    lanes = share_lanes(np.array([1, 200, 1, 1], np.int32), MANY)
    assert lanes.n_codes.tolist() == [200]
    assert share_lanes(np.ones(3, np.int32), MANY).n_codes.tolist() == [1]


def test_features_of_more_than_256_bins_leave_every_one_alone():
    n_bins = np.array([2, 2, 300], np.int32)
    assert share_lanes(n_bins, MANY).bits == 16
    assert share_lanes(n_bins, MANY).lane.tolist() == [0, 1, 2]


@pytest.mark.parametrize("n_threads", [1, 2, 3])
@pytest.mark.parametrize("min_samples_leaf", [1, 3])
@given(seed=seeds)
def test_trees_of_shared_lanes_are_the_same_to_the_bit(n_threads, min_samples_leaf, seed):
    rng = np.random.default_rng(seed)
    problem = draw_problem(rng, max_rows=400, max_features=40)
    table = bin_table(problem)
    if table.n_bins.max() > 256:
        return
    n_features = table.bins.shape[1]
    rules = {
        "min_samples_leaf": min_samples_leaf,
        "n_threads": n_threads,
        "max_features": int(rng.choice([n_features, max(1, n_features // 2)])),
        "forbid_pure": bool(rng.integers(2)),
        "n_histograms": int(rng.choice([8, 200])),
    }
    arguments = table, problem.weights, int(np.sum(~problem.positive))
    lanes = share_lanes(table.n_bins, MANY)
    assert_same_tree(grow_tree(*arguments, lanes=lanes, **rules), grow_tree(*arguments, **rules))


@pytest.mark.parametrize("n_threads", [1, 2, 4])
def test_trees_of_many_flags_are_the_same_to_the_bit(n_threads):
    """Of many rows: threads share blocks of them, and sum what each has counted."""
    rng = np.random.default_rng(n_threads)
    n = 20_000
    X = (rng.random((n, 45)) < rng.random(45)).astype(float)
    X[:, 7] = rng.normal(size=n)
    X[rng.random((n, 45)) < 0.02 * (np.arange(45) % 6 == 0)] = np.nan
    positive = np.nan_to_num(X[:, :10]).sum(axis=1) + rng.normal(size=n) > 4.0
    n_categories = np.where(np.arange(45) % 4 == 1, 2, 0).astype(np.int32)
    binning = find_bins(X, n_categories, 255)
    assert len(share_lanes(binning.n_bins, n).n_codes) < 12
    weights = rng.integers(1, 2**20, n).astype(np.int32)
    trees = []
    for lanes in (None, one_each(binning.n_bins)):
        examples = Examples(X, positive, binning, lanes, n_threads=n_threads)
        trees.append(_grow(examples, weights, n_threads))
    assert_same_tree(*trees)


def test_machines_cannot_sum_codes_of_lanes_that_depend_on_their_rows():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (10_000, 8)).astype(float)
    positive = X[:, 0] + rng.normal(size=len(X)) > 0.5
    examples = Examples(X, positive, find_bins(X, np.zeros(8, np.int32), 255), n_threads=1)
    weights = np.ones(len(X), np.int32)
    with pytest.raises(ValueError, match="a lane of its own"):
        _grow(examples, weights, n_threads=1, reduce=lambda _: None)


def _grow(examples, weights, n_threads, **callbacks):
    n_features = len(examples.binning.n_bins)
    rules = Rules(101, 100, 1, n_features, forbid_pure=False, n_threads=n_threads)
    nodes, left_bins, _ = _core.grow_tree(
        **examples.space(rules),
        **rules._asdict(),
        weights=weights,
        unit=2.0**-20,
        seed=0,
        **callbacks,
    )
    return {"nodes": nodes, "left_bins": left_bins, "leaf": examples.leaf.copy()}
