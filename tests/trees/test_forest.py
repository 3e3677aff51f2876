"""Many trees as one table: checked like single trees, cut apart into views, summed up."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.trees import Forest, Tree, levels, sum_up
from tests.trees.strategies import generators, random_tree, trees

several = st.lists(trees(), min_size=1, max_size=4)


def fields(forest):
    """Return writable copies of the arrays of a forest."""
    return {name: np.array(getattr(forest, name)) for name in forest.__match_args__}


@given(several)
def test_trees_are_the_same_whether_checked_or_joined(parts):
    joined = Forest.of(parts)
    checked = Forest(**fields(joined))
    assert joined == checked
    assert hash(joined) == hash(checked)
    assert joined.n_trees == len(parts)
    assert joined.n_nodes.tolist() == [tree.n_nodes for tree in parts]
    for forest in (joined, checked):
        assert forest.trees == tuple(parts)
        for tree, expected in zip(forest.trees, parts, strict=True):
            assert hash(tree) == hash(expected)
            for name in expected.__match_args__:
                array, wanted = getattr(tree, name), getattr(expected, name)
                assert array.dtype == wanted.dtype
                assert array.tobytes() == wanted.tobytes()
                assert array.flags.c_contiguous
                assert not array.flags.writeable


@given(trees())
def test_trees_are_views(tree):
    forest = Forest.of([tree, tree])
    for j, view in enumerate(forest.trees):
        for name in ("left", "feature", "threshold", "value", "weight", "count"):
            assert np.shares_memory(getattr(view, name), getattr(forest, name)), (j, name)


def test_there_may_be_no_trees():
    forest = Forest.of([])
    assert forest.trees == ()
    assert repr(forest) == "Forest(0 trees, 0 nodes)"
    assert Forest(**fields(forest)) == forest


@given(several)
def test_numbers_have_one_zero_and_one_nan(parts):
    arrays = fields(Forest.of(parts))
    for name in ("threshold", "value", "output", "weight"):
        arrays[name][arrays[name] == 0.0] = -0.0
    arrays["weight"][::2] = -np.nan
    forest = Forest(**arrays)
    for name in ("threshold", "value", "output", "weight"):
        array = getattr(forest, name)
        assert not np.signbit(array[array == 0.0]).any()
    assert len({x.tobytes() for x in forest.weight[np.isnan(forest.weight)]}) == 1


@pytest.mark.parametrize("name", ["value", "output", "weight"])
@given(part=trees(), bad=st.sampled_from([np.inf, -np.inf]))
def test_the_tree_of_a_wrong_number_is_named(name, part, bad):
    arrays = fields(Forest.of([part, part]))
    arrays[name][part.n_nodes] = bad
    with pytest.raises(ValueError, match=f"{name} must be finite.*at node 0 of tree 1"):
        Forest(**arrays)


STUMP = Tree(
    left=[1, -1, -1],
    right=[2, -1, -1],
    feature=[0, -1, -1],
    threshold=[0.0] * 3,
    missing_left=[True, False, False],
    category_start=[0, 2, 2, 2],
    category=[1, 3],
    value=[0.0, -1.0, 2.0],
    output=[0.0, -1.0, 2.0],
    weight=[3.0, 2.0, 1.0],
    count=[6, 4, 2],
)


@pytest.mark.parametrize(
    ("name", "place", "value", "message"),
    [
        ("left", 3, 3, "left must be -1, or a child in the same tree.*got 3 at node 0 of tree 1"),
        ("left", 3, 0, "left must be -1, or a child in the same tree.*got 0 at node 0 of tree 1"),
        ("left", 3, 2, "every node but the root.*got 0 at node 1 of tree 1"),
        ("right", 4, 2, "right must be -1 where left is.*got 2 at node 1 of tree 1"),
        ("feature", 5, 1, "feature must be.*got 1 at node 2 of tree 1"),
        ("threshold", 3, 1.0, "threshold must be 0 at a leaf and at a set.*at node 0 of tree 1"),
        ("count", 3, -2, "count must be.*at node 0 of tree 1"),
        ("category", 3, 1, r"must increase.*got \[1 1\] at node 0 of tree 1"),
        ("category_start", 5, 5, "never fall"),
        ("category_start", 6, 3, "never fall, and end at the number of codes"),
        ("tree_start", 0, 1, "tree_start must start at 0"),
        ("tree_start", 2, 5, "end at the number of nodes"),
        ("tree_start", 1, 6, "needs at least one node"),
        ("tree_start", 1, 7, "needs at least one node"),
    ],
)
def test_wrong_tables_are_refused(name, place, value, message):
    arrays = fields(Forest.of([STUMP, STUMP]))
    arrays[name][place] = value
    with pytest.raises(ValueError, match=message):
        Forest(**arrays)


def test_sizes_that_overflow_are_refused():
    arrays = fields(Forest.of([STUMP] * 4))
    with np.errstate(over="ignore"):
        arrays["tree_start"] = np.cumsum([0, 2**63 - 1, 2**63 - 1, 2, 12])
    with pytest.raises(ValueError, match="needs at least one node"):
        Forest(**arrays)


def sum_slowly(tree, figures):
    """Return the sums of the leaves below each node, by recursion."""

    def below(node):
        if tree.is_leaf[node]:
            return figures[node]
        return below(tree.left[node]) + below(tree.right[node])

    return [below(node) for node in range(tree.n_nodes)]


@given(several, generators)
def test_sums_are_those_of_the_leaves_below(parts, rng):
    forest = Forest.of(parts)
    figures = rng.integers(-9, 9, (2, len(forest.left)))
    found = sum_up(figures, *forest.children)
    assert found.dtype == figures.dtype
    for row, sums in zip(figures, found, strict=True):
        wanted = [
            sum_slowly(tree, row[a:b])
            for tree, a, b in zip(parts, forest.tree_start, forest.tree_start[1:], strict=False)
        ]
        assert sums.tolist() == [x for each in wanted for x in each]


@given(generators)
def test_levels_hold_each_inner_node_once_the_deepest_first(rng):
    tree = random_tree(rng, [0], int(rng.integers(1, 20)))
    found = [*levels(tree.left, tree.right)]
    depths = [set(tree.depth[nodes].tolist()) for nodes in found]
    assert depths == [{d} for d in reversed(range(len(found)))]
    nodes = np.concatenate([np.empty(0, int), *found])
    assert sorted(nodes.tolist()) == np.flatnonzero(~tree.is_leaf).tolist()


def test_levels_refuse_children_before_their_parent():
    with pytest.raises(ValueError, match="children must come after their parent"):
        [*levels(np.array([-1, 0]), np.array([-1, 0]))]


@given(several)
def test_a_changed_forest_differs(parts):
    forest = Forest.of(parts)
    assert replace(forest, value=forest.value + 1.0) != forest
    assert forest != parts
