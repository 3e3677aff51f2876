"""The same tree, bit by bit, whatever the threads, the memory and the width of the bins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .problems import (
    Problem,
    Table,
    assert_same_tree,
    bin_table,
    draw_large,
    draw_problem,
    draw_weights,
    grow_tree,
)


@pytest.fixture(scope="module")
def large():
    problem = draw_large()
    return bin_table(problem), problem.weights, int((~problem.positive).sum())


@pytest.fixture(scope="module")
def expected(large):
    grown = grow_tree(*large)
    assert (grown["left"] < 0).sum() == 101
    return grown


@pytest.mark.parametrize("n_threads", [1, 2, 4, 7])
def test_the_number_of_threads_changes_nothing(large, expected, n_threads):
    for _ in range(2):
        assert_same_tree(grow_tree(*large, n_threads=n_threads), expected)


@pytest.mark.parametrize("n_threads", [2, 3, 4])
@pytest.mark.parametrize("lightest", [1e-9, 0.01, 0.03, 0.3, 1.0])
def test_a_wrong_guess_of_the_lightest_inner_node_changes_nothing(
    large, expected, lightest, n_threads
):
    assert_same_tree(grow_tree(*large, lightest=lightest, n_threads=n_threads), expected)


def test_the_lightest_inner_node_is_told(large, expected):
    weight = expected["negative"] + expected["positive"]
    assert expected["lightest"] == weight[expected["left"] >= 0].min() / weight[0]
    assert grow_tree(*large, max_leaf_nodes=1)["lightest"] == 1.0


@pytest.mark.parametrize("max_leaf_nodes", [1, 2, 3, 7, 2**31 - 1])
@pytest.mark.parametrize("max_depth", [3, 12, None])
def test_threads_stop_at_the_same_leaves(large, max_leaf_nodes, max_depth):
    rules = {"max_leaf_nodes": max_leaf_nodes, "max_depth": max_depth, "n_histograms": 40}
    expected = grow_tree(*large, **rules)
    for n_threads in (2, 3, 5):
        assert_same_tree(grow_tree(*large, **rules, n_threads=n_threads), expected)


def test_threads_change_nothing_in_a_deep_tree():
    # Most splits leave a few rows behind: there is hardly ever more than one node worth a search.
    n = 9_000
    X = np.stack([np.arange(n), np.random.default_rng(0).permutation(n) // 40], axis=1)
    positive = np.arange(n) % 2 == 0
    order = np.argsort(positive, kind="stable")
    weights = np.full(n, 1 + 2**20, np.int32) - np.arange(n, dtype=np.int32)
    problem = Problem(X[order] * 1.0, positive[order], weights[order], np.zeros(2, np.int32))
    arguments = bin_table(problem), problem.weights, int((~problem.positive).sum())
    expected = grow_tree(*arguments, max_leaf_nodes=50)
    for n_threads in (2, 4):
        grown = grow_tree(*arguments, max_leaf_nodes=50, n_threads=n_threads)
        assert_same_tree(grown, expected)


# Few columns of many rows: threads have rows of their own. Many columns: they share the columns.
@pytest.mark.parametrize("shape", [(70_000, 4), (40_000, 36)])
@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"min_samples_leaf": 30},
        {"max_features": 2, "seed": 3},
        {"reduce": lambda sums: None},
        {"n_histograms": 3, "max_depth": 6},
    ],
    ids=lambda rules: "-".join(rules) or "plain",
)
def test_threads_change_nothing_in_tall_tables(shape, rules):
    problem = draw_large(*shape, seed=4)
    arguments = bin_table(problem), problem.weights, int((~problem.positive).sum())
    expected = grow_tree(*arguments, **rules)
    for n_threads in (2, 3):
        assert_same_tree(grow_tree(*arguments, **rules, n_threads=n_threads), expected)


@pytest.mark.parametrize("large_column", range(4))
@pytest.mark.parametrize("n_features", [3, 4, 9, 17])
def test_threads_change_nothing_if_one_column_is_most_of_the_work(n_features, large_column):
    column = min(large_column, n_features - 1)
    problem = draw_large(9_000, n_features, seed=large_column)
    X = np.floor(problem.X / 80.0)
    X[:, column] = np.random.default_rng(0).permutation(9_000) // 2
    problem = Problem(X, problem.positive, problem.weights, np.zeros(n_features, np.int32))
    arguments = bin_table(problem), problem.weights, int((~problem.positive).sum())
    expected = grow_tree(*arguments, min_samples_leaf=5)
    for n_threads in (2, 3, 4):
        grown = grow_tree(*arguments, min_samples_leaf=5, n_threads=n_threads)
        assert_same_tree(grown, expected)


@pytest.mark.parametrize("n_features", range(1, 21))
@pytest.mark.parametrize("min_samples_leaf", [1, 5])
def test_features_of_few_bins_are_counted_in_any_groups(n_features, min_samples_leaf):
    rng = np.random.default_rng(n_features)
    n = 2_000
    X = rng.integers(0, rng.integers(2, 80, n_features), (n, n_features)).astype(np.float64)
    positive = X @ rng.normal(size=n_features) + rng.normal(size=n) > 0.0
    order = np.argsort(positive, kind="stable")
    no_categories = np.zeros(n_features, np.int32)
    problem = Problem(X[order], positive[order], draw_weights(rng, n), no_categories)
    arguments = bin_table(problem), problem.weights, int((~positive).sum())
    one, *others = (
        grow_tree(*arguments, bits=bits, min_samples_leaf=min_samples_leaf) for bits in (8, 16, 32)
    )
    for other in others:  # of other groups of features
        assert_same_tree(other, one)


@pytest.mark.parametrize("bits", [16, 32])
def test_the_width_of_bins_changes_nothing(large, expected, bits):
    assert_same_tree(grow_tree(*large, bits=bits, n_threads=2), expected)


@pytest.mark.parametrize("n_threads", [2, 4])
@pytest.mark.parametrize("n_histograms", [3, 4, 8, 10, 16])
def test_the_room_for_histograms_changes_nothing(large, expected, n_histograms, n_threads):
    grown = grow_tree(*large, n_histograms=n_histograms, n_threads=n_threads)
    assert_same_tree(grown, expected)


@pytest.mark.parametrize("n_histograms", [3, 200])
def test_counts_beside_the_weights_change_nothing_but_small_leaves(large, n_histograms):
    grown = grow_tree(*large, min_samples_leaf=30, n_histograms=n_histograms)
    assert grown["count"].min() >= 30
    assert_same_tree(grown, grow_tree(*large, min_samples_leaf=30, n_threads=4))


@given(st.integers(0, 2**32 - 1))
def test_three_histograms_are_enough_for_small_tables(seed):
    problem = draw_problem(np.random.default_rng(seed), max_rows=300)
    few, many = (
        grow_tree(bin_table(problem), problem.weights, int((~problem.positive).sum()), **room)
        for room in ({"n_histograms": 3}, {"n_histograms": 700})
    )
    assert_same_tree(few, many)


def test_the_weights_are_only_read(large):
    _, weights, _ = large
    before = weights.copy()
    grow_tree(*large, n_threads=2)
    np.testing.assert_array_equal(weights, before)


def test_drawn_features_depend_on_the_seed_alone(large):
    one = grow_tree(*large, max_features=5, seed=11)
    assert_same_tree(grow_tree(*large, max_features=5, seed=11, n_threads=4), one)
    other = grow_tree(*large, max_features=5, seed=12)
    assert not np.array_equal(one["feature"], other["feature"])


def test_as_many_features_as_there_are_is_all_of_them(large, expected):
    assert_same_tree(grow_tree(*large, max_features=30, seed=5), expected)


def test_one_feature_at_a_time_takes_each_about_equally_often():
    # Equal columns: which one is taken is the draw and nothing else.
    rng = np.random.default_rng(0)
    n, n_features = 4_000, 5
    problem = draw_large(n, 1, seed=1)
    problem.X = np.tile(rng.integers(0, 100, (n, 1)).astype(float), n_features)
    problem.n_categories = np.zeros(n_features, np.int32)
    table, n_negative = bin_table(problem), int((~problem.positive).sum())
    roots = [
        grow_tree(table, problem.weights, n_negative, max_features=1, max_leaf_nodes=2, seed=seed)
        for seed in range(200)
    ]
    counts = np.bincount([grown["feature"][0] for grown in roots], minlength=n_features)
    assert counts.sum() == 200
    assert counts.min() > 20  # 40 are expected, with a standard deviation of 5.7
    nodes = grow_tree(table, problem.weights, n_negative, max_features=1, seed=3)["feature"]
    assert set(nodes[nodes >= 0]) == set(range(n_features))


def test_bad_arguments_are_refused(large):
    table, weights, n_negative = large
    ids = np.arange(len(weights), dtype=np.uint32)
    ids[70] = len(weights)
    for n_threads in (1, 3):
        with pytest.raises(ValueError, match="ids must be those of the rows"):
            grow_tree(*large, ids=ids, n_threads=n_threads)
    missing = np.where(table.missing >= 0, 0, -1).astype(np.int32)
    with pytest.raises(ValueError, match="missing values must be the last"):
        grow_tree(Table(table.bins, table.n_bins, missing, table.categorical), weights, n_negative)
