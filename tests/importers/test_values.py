"""The order of nodes, the means below them, and the logits of shares."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.importers.shared.values import mean_below, order_nodes, renumber, shares_to_values
from tests.trees.strategies import generators, random_tree


@st.composite
def shuffled(draw, max_leaves=12):
    """Draw a tree whose nodes but the root come in any order, with some that no one leads to."""
    rng = draw(generators)
    tree = random_tree(rng, [0], draw(st.integers(1, max_leaves)))
    n, spare = tree.n_nodes, draw(st.integers(0, 3))
    place = np.concatenate([[0], 1 + rng.permutation(n + spare - 1)])[:n]
    left, right = np.full(n + spare, -1), np.full(n + spare, -1)
    inner = tree.left >= 0
    left[place[inner]], right[place[inner]] = place[tree.left[inner]], place[tree.right[inner]]
    return tree, place, left, right


@given(shuffled())
def test_parents_come_first_and_all_that_is_reached_comes_once(drawn):
    _, place, left, right = drawn
    order = order_nodes(left, right)
    assert sorted(order) == sorted(place)
    position = {node: i for i, node in enumerate(order.tolist())}
    for node in order.tolist():
        for child in (left[node], right[node]):
            assert child < 0 or position[child] > position[node]


@given(shuffled(), shuffled())
def test_renumbered_trees_are_the_same_trees_one_after_the_other(first, second):
    shift = len(first[2])
    left, right = (
        np.concatenate([a, np.where(b < 0, -1, b + shift)])
        for a, b in ((first[2], second[2]), (first[3], second[3]))
    )
    order = order_nodes(left, right, [0, shift])
    new_left, new_right = renumber(left, order), renumber(right, order)
    n_first = first[0].n_nodes
    assert (order[:n_first] < shift).all()
    assert (order[n_first:] >= shift).all()
    for new, old in ((new_left, left), (new_right, right)):
        inner = new >= 0
        assert np.array_equal(inner, old[order] >= 0)
        assert np.array_equal(order[new[inner]], old[order][inner])


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([1, 0, -1], [2, 2, -1]),  # back to the root
        ([0, -1, -1], [1, -1, -1]),  # to itself
        ([1, -1, -1], [1, -1, -1]),  # one child twice
        ([1, 3, 3, -1, -1], [2, 4, 4, -1, -1]),  # two parents
        ([1, -1, -1], [3, -1, -1]),  # no such node
        ([1, -1, -1], [-1, -1, -1]),  # one child only
        ([1.0, -1.0, -1.0], [2.0, -1.0, -1.0]),
        ([[1]], [[2]]),
        ([2**62, -1, -1], [2, -1, -1]),
    ],
)
def test_links_that_make_no_tree_are_refused(left, right):
    with pytest.raises(ValueError, match="damaged"):
        order_nodes(left, right)


def test_a_long_chain_takes_time_in_proportion_to_its_length():
    n = 20_001
    left, right = np.full(n, -1), np.full(n, -1)
    inner = np.arange(0, n - 1, 2)
    left[inner], right[inner] = inner + 1, inner + 2
    assert np.array_equal(np.sort(order_nodes(left, right)), np.arange(n))
    value = np.linspace(-1.0, 1.0, n)
    assert mean_below(left, right, value, np.ones(n))[0] == pytest.approx(0.0, abs=1e-3)


def leaves_below(tree, node):
    if tree.left[node] < 0:
        return [node]
    return leaves_below(tree, tree.left[node]) + leaves_below(tree, tree.right[node])


@given(st.data())
def test_means_are_those_of_the_leaves_below(data):
    rng = data.draw(generators)
    tree = random_tree(rng, [0], data.draw(st.integers(1, 12)))
    value = rng.choice([1e308, -1e308, 1.0, 3.0, 0.0, 1e-310], tree.n_nodes)
    weight = rng.choice([0.0, 0.0, 1.0, 2.5, 1e300], tree.n_nodes)
    if data.draw(st.booleans()):
        weight[rng.integers(tree.n_nodes)] = np.nan
    mean = mean_below(tree.left, tree.right, value, weight)
    unknown = np.isnan(weight[tree.is_leaf]).any()
    for node in range(tree.n_nodes):
        below = leaves_below(tree, node)
        w = np.ones(len(below)) if unknown or not weight[below].any() else weight[below]
        expected = math.fsum(value[below] * (w / w.sum()))
        assert mean[node] == pytest.approx(
            expected, rel=1e-12, abs=1e-13 * np.abs(value[below]).max()
        )
        assert value[below].min() <= mean[node] <= value[below].max()


def test_means_of_equal_leaves_are_equal_to_them():
    rng = np.random.default_rng(0)
    tree = random_tree(rng, [0], 50)
    mean = mean_below(tree.left, tree.right, np.full(99, 0.1), rng.exponential(size=99))
    assert (mean == 0.1).all()


@pytest.mark.parametrize("weight", [-1.0, np.inf])
def test_impossible_weights_are_refused(weight):
    with pytest.raises(ValueError, match="weight"):
        mean_below([1, -1, -1], [2, -1, -1], np.ones(3), np.array([1.0, weight, 1.0]))
    with pytest.raises(ValueError, match="weight"):
        shares_to_values([0.5], [weight])


@given(st.integers(1, 10**6), st.data())
def test_counts_give_logits_and_pure_nodes_have_half_an_example_of_either_class(total, data):
    positive = data.draw(st.integers(0, total) | st.sampled_from([0, 1, total - 1, total]))
    share, rest = positive / total, (total - positive) / total
    (value,) = shares_to_values([share], [total], [rest])
    half = 0.5 if positive in (0, total) else 0.0
    expected = math.log((positive + half) / (total - positive + half))
    assert value == pytest.approx(expected, rel=1e-12, abs=1e-12)


@given(st.floats(0.0, 1.0), st.floats(0.0, 1e308))
def test_no_node_is_more_confident_than_a_pure_one_of_its_weight(share, weight):
    value, other, pure = shares_to_values([share, 1.0 - share, 1.0], [weight] * 3)
    assert abs(value) <= pure
    assert np.isfinite(pure)
    if 1.0 - (1.0 - share) == share:
        assert other == -value
