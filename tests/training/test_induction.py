"""From binned examples to a frozen tree: the kernels' trees in raw values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.training import Machines, Settings
from horotree.training.binning import LAST_CUT, find_bins
from horotree.training.induction import Examples, Rules, to_trees
from horotree.trees import find_leaves, node_weights
from tests.native.problems import Problem, draw_problem
from tests.reference.induction import Induction

seeds = st.integers(0, 2**32 - 1)


def draw_shuffled(seed, **sizes):
    rng = np.random.default_rng(seed)
    problem = draw_problem(rng, **sizes)
    return problem.take(rng.permutation(len(problem.X)))


def boost_once(examples, amount, rules, seed=0):
    """Grow the tree of examples that count so much, whatever it is worth."""
    judging = Settings().judging(1)._replace(least_edge=-1.0)
    options = {"n_rounds": 1, "most_nodes": 1, "seed": seed, "machines": Machines()}
    return examples.boost(np.ones(len(examples)), amount, rules, judging, **options)


def grow(problem, *, max_bins=None, seed=0, **changes):
    """Grow the tree of a problem; return the examples, what was grown and the frozen tree."""
    X = np.ascontiguousarray(problem.X)
    binning = find_bins(X, problem.n_categories, max_bins)
    examples = Examples(X, problem.positive, binning, n_threads=1)
    rules = {
        "max_leaf_nodes": 101,
        "max_depth": 2**31 - 1,
        "min_samples_leaf": 1,
        "max_features": X.shape[1],
        "forbid_pure": False,
        "n_threads": 1,
    }
    # At odds of 1 an example weighs half of what it counts.
    amount = 2.0 * problem.weights[examples.order]
    grown = boost_once(examples, amount, Rules(**(rules | changes)), seed)
    (tree,) = to_trees([grown], binning)
    return examples, grown, tree


@given(seeds, st.sampled_from([None, 4]))
def test_the_frozen_tree_sends_every_example_to_its_leaf(seed, max_bins):
    problem = draw_shuffled(seed)
    examples, _, tree = grow(problem, max_bins=max_bins)
    np.testing.assert_array_equal(find_leaves(tree, problem.X)[examples.order], examples.leaf)


@given(seeds)
def test_weights_and_counts_are_those_of_the_examples_that_come_by(seed):
    problem = draw_shuffled(seed)
    _, grown, tree = grow(problem)
    seen = node_weights(tree, problem.X, problem.positive, problem.weights.astype(np.float64))
    unit = tree.weight[0] / (grown.nodes["negative"][0] + grown.nodes["positive"][0])
    np.testing.assert_array_equal(tree.count, seen.count)
    np.testing.assert_array_equal(grown.nodes["negative"] * unit, seen.negative)
    np.testing.assert_array_equal(grown.nodes["positive"] * unit, seen.positive)
    np.testing.assert_array_equal(tree.weight, seen.weight)


def rows_by_node(tree, X):
    """Return which rows reach each node, as flags."""
    leaf = find_leaves(tree, X)
    rows = [leaf == v for v in range(tree.n_nodes)]
    for v in reversed(np.flatnonzero(~tree.is_leaf)):
        rows[v] = rows[tree.left[v]] | rows[tree.right[v]]
    return rows


@given(seeds)
def test_every_test_is_a_best_one_of_the_literal_induction(seed):
    problem = draw_shuffled(seed, max_rows=30)
    _, _, tree = grow(problem)
    induction = Induction(
        problem.X, problem.positive, problem.weights.astype(np.int64), problem.n_categories
    )
    rows = rows_by_node(tree, problem.X)
    for v in range(tree.n_nodes):
        best = induction.best(rows[v])
        if tree.is_leaf[v]:
            assert not best
            continue
        f, left = tree.feature[v], rows[tree.left[v]]
        same = [s for s in best if s.feature == f and (s.left_rows == left).all()]
        if problem.n_categories[f]:  # a set and its complement are the same split
            same += [s for s in best if s.feature == f and (s.left_rows == rows[v] & ~left).all()]
            assert same
        else:
            cuts = [min(s.threshold, LAST_CUT) for s in same]
            assert (tree.threshold[v], tree.missing_left[v]) in zip(
                cuts, [s.missing_left for s in same], strict=True
            )


def table_of_categories(codes, positive, n_codes):
    return Problem(
        X=np.array(codes, float)[:, None],
        positive=np.array(positive),
        weights=np.ones(len(codes), np.int32),
        n_categories=np.array([n_codes], np.int32),
    )


def test_a_set_holds_the_codes_of_the_smaller_side():
    problem = table_of_categories(
        [0, 1, 2, 3, 0, 1, 2, 3], [False, True, False, True] * 2, n_codes=5
    )
    _, _, tree = grow(problem)
    assert tree.n_leaves == 2
    codes = set(tree.category[: tree.category_start[1]].tolist())
    assert codes in ({0, 2}, {1, 3})  # three of five, with the code that nobody has, are more
    assert not tree.missing_left[0]  # where that code goes, the missing go
    assert (tree.value[tree.left[0]] < 0) == (codes == {0, 2})


@pytest.mark.parametrize("flip", [False, True])
def test_the_missing_alone_may_go_their_own_way(flip):
    # All known codes are of one class, the missing of the other: one side has no code at all.
    positive = np.array([True, True, True, False, False]) ^ flip
    problem = table_of_categories([0, 1, 2, np.nan, np.nan], positive, n_codes=3)
    examples, _, tree = grow(problem)
    assert tree.n_leaves == 2
    leaf = find_leaves(tree, problem.X)
    assert leaf[0] == leaf[1] == leaf[2] != leaf[3] == leaf[4]
    np.testing.assert_array_equal(leaf[examples.order], examples.leaf)


def test_known_numbers_may_all_go_left_of_the_missing():
    problem = Problem(
        X=np.array([[-1e308], [0.0], [1e308], [np.nan]]),
        positive=np.array([False, False, False, True]),
        weights=np.ones(4, np.int32),
        n_categories=np.zeros(1, np.int32),
    )
    _, _, tree = grow(problem)
    assert tree.threshold[0] == LAST_CUT
    assert find_leaves(tree, [[np.finfo(float).max]]).tolist() == [1]
    assert find_leaves(tree, problem.X).tolist() == [1, 1, 1, 2]


def test_missing_values_that_training_never_saw_go_with_the_heavier_child():
    for heavy in (0, 1):
        problem = Problem(
            X=np.array([[0.0], [1.0]]),
            positive=np.array([False, True]),
            weights=np.array([1 + heavy, 2 - heavy], np.int32),
            n_categories=np.zeros(1, np.int32),
        )
        _, _, tree = grow(problem)
        assert tree.missing_left[0] == (heavy == 1)


def test_growing_twice_in_the_same_space_gives_the_same_tree():
    problem = draw_shuffled(5, max_rows=300)
    X = np.ascontiguousarray(problem.X)
    examples = Examples(X, problem.positive, find_bins(X, problem.n_categories, 255), n_threads=2)
    rules = Rules(20, 10, 1, X.shape[1], forbid_pure=False, n_threads=2)
    amount = problem.weights.astype(np.float64)
    first = boost_once(examples, amount, rules)
    leaf = examples.leaf.copy()
    boost_once(examples, np.random.default_rng(0).uniform(1.0, 2.0**30, len(X)), rules)
    assert not np.array_equal(leaf, examples.leaf)
    second = boost_once(examples, amount, rules)
    np.testing.assert_array_equal(leaf, examples.leaf)
    np.testing.assert_array_equal(first.nodes, second.nodes)
