"""Tidy coordinates: nothing overlaps, parents are centered, and shapes do not depend on place."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.display.tree.layout import find_positions

generators = st.integers(0, 2**32 - 1).map(np.random.default_rng)


@st.composite
def drawn_trees(draw, max_nodes=40):
    """Draw parents, widths and a gap; of every kind of tree, from chains to stars."""
    rng, n = draw(generators), draw(st.integers(1, max_nodes))
    reach = draw(st.sampled_from([1, 2, 3, 8, n]))
    parent = [-1, *(int(rng.integers(max(0, i - reach), i)) for i in range(1, n))]
    width = rng.choice([0.0, 0.5, 1.0, 4.0], n) if draw(st.booleans()) else np.ones(n)
    return parent, width, draw(st.sampled_from([0.0, 0.25, 2.0]))


def depths(parent):
    depth = [0]
    for above in parent[1:]:
        depth.append(depth[above] + 1)
    return depth


def level_order(parent):
    """Return the nodes of each level, from left to right."""
    children = [[row for row, above in enumerate(parent) if above == i] for i in range(len(parent))]
    levels, level = [], [0]
    while level:
        levels.append(level)
        level = [child for row in level for child in children[row]]
    return levels


def is_below(parent, row, root):
    while row > root:
        row = parent[row]
    return row == root


@given(drawn_trees())
def test_neighbors_of_a_level_keep_their_order_and_the_gap(tree):
    parent, width, gap = tree
    x = find_positions(parent, width, gap=gap)
    for level in level_order(parent):
        for a, b in itertools.pairwise(level):
            assert x[b] - x[a] >= 0.5 * (width[a] + width[b]) + gap - 1e-9


@given(drawn_trees())
def test_a_parent_is_in_the_middle_of_its_first_and_last_child(tree):
    parent, width, gap = tree
    x = find_positions(parent, width, gap=gap)
    for row in range(len(parent)):
        children = [child for child, above in enumerate(parent) if above == row]
        if children:
            assert x[row] == pytest.approx(0.5 * (x[children[0]] + x[children[-1]]), abs=1e-9)
    assert (x - 0.5 * np.asarray(width)).min() == pytest.approx(0.0, abs=1e-9)


@given(drawn_trees())
def test_first_and_last_child_could_not_be_closer(tree):
    # A chain of siblings that touch, subtree by subtree, leads from the first to the last.
    parent, width, gap = tree
    x = find_positions(parent, width, gap=gap)
    for row in range(len(parent)):
        children = [child for child, above in enumerate(parent) if above == row]
        touched = set(children[:1])
        for left, right in itertools.combinations(children, 2):
            if left in touched and touch(parent, width, gap, x, left, right):
                touched.add(right)
        assert touched >= set(children[-1:])


def touch(parent, width, gap, x, left, right):
    depth = depths(parent)
    sides = [[i for i in range(len(parent)) if is_below(parent, i, root)] for root in (left, right)]
    return any(
        depth[a] == depth[b] and x[b] - x[a] <= 0.5 * (width[a] + width[b]) + gap + 1e-9
        for a, b in itertools.product(*sides)
    )


@given(drawn_trees())
def test_a_subtree_looks_as_it_does_alone(tree):
    parent, width, gap = tree
    x = find_positions(parent, width, gap=gap)
    for root in range(len(parent)):
        rows = [row for row in range(len(parent)) if is_below(parent, row, root)]
        place = {row: i for i, row in enumerate(rows)}
        alone = find_positions([place.get(parent[r], -1) for r in rows], width[rows], gap=gap)
        np.testing.assert_allclose(x[rows] - x[root], alone - alone[0], atol=1e-9)


@given(drawn_trees())
def test_the_mirrored_tree_is_mirrored(tree):
    parent, width, gap = tree
    levels = level_order(parent)
    order = [row for level in levels for row in level[::-1]]
    place = {row: i for i, row in enumerate(order)}
    mirrored = find_positions([place.get(parent[r], -1) for r in order], width[order], gap=gap)
    x = find_positions(parent, width, gap=gap)
    np.testing.assert_allclose(mirrored - mirrored[0], x[0] - x[order], atol=1e-9)


def test_a_small_subtree_between_two_large_ones_is_in_the_middle_of_its_room():
    # Children 1, 2, 3 of the root; below 1 and 3 there are three nodes each, side by side.
    parent = [-1, 0, 0, 0, 1, 1, 1, 3, 3, 3]
    x = find_positions(parent, np.ones(10))
    assert x[1:4].tolist() == [1.5, 3.0, 4.5]


@pytest.mark.parametrize("n", [10_000])
def test_depth_and_width_are_not_limited(n):
    chain = [-1, *range(n - 1)]
    assert (find_positions(chain, np.ones(n)) == 0.5).all()
    comb = [-1, *(row - row % 2 for row in range(n - 1))]
    assert np.isfinite(find_positions(comb, np.ones(n))).all()
    star = [-1, *[0] * (n - 1)]
    np.testing.assert_allclose(np.diff(find_positions(star, np.ones(n))[1:]), 1.0)


@pytest.mark.parametrize(
    ("parent", "width", "gap", "match"),
    [
        ([], [], 0.0, "one entry a node"),
        ([-1, 0], [1.0], 0.0, "got 2 and 1"),
        ([0], [1.0], 0.0, "got 0 for node 0"),
        ([-1, 1], [1.0, 1.0], 0.0, "got 1 for node 1"),
        ([-1, -1], [1.0, 1.0], 0.0, "got -1 for node 1"),
        ([-1], [-1.0], 0.0, "must not be negative"),
        ([-1], [1.0], -0.5, "must not be negative"),
    ],
)
def test_what_is_no_tree_is_refused(parent, width, gap, match):
    with pytest.raises(ValueError, match=match):
        find_positions(parent, width, gap=gap)
