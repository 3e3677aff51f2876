import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.trees import Tree, find_leaves, node_weights
from tests.trees import oracle
from tests.trees.strategies import matrices, n_categories, trees

LEAF = Tree([-1], [-1], [-1], [0.0], [False], [0, 0], [], [0.0], [0.0], [1.0], [1])


@st.composite
def routed(draw):
    sizes = draw(n_categories)
    X = draw(matrices(sizes))
    n = len(X)
    positive = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    weights = draw(st.lists(st.integers(0, 1000), min_size=n, max_size=n))
    return draw(trees(sizes)), X, np.array(positive, bool), np.array(weights, float)


@given(routed())
def test_leaves_are_those_of_a_walk(drawn):
    tree, X, _, _ = drawn
    assert find_leaves(tree, X).tolist() == [oracle.leaf_of(tree, row) for row in X]


@given(routed())
def test_weights_and_counts_of_a_node_are_those_of_the_examples_that_came_by(drawn):
    tree, X, positive, weights = drawn
    found = node_weights(tree, X, positive, weights)
    paths = [oracle.path_to(tree, oracle.leaf_of(tree, row)) for row in X]
    for node in range(tree.n_nodes):
        here = np.array([node in path for path in paths], bool)
        assert found.count[node] == here.sum()
        assert found.positive[node] == weights[here & positive].sum()
        assert found.negative[node] == weights[here & ~positive].sum()
        assert found.weight[node] == weights[here].sum()
        if found.weight[node] > 0.0:
            share = found.positive[node] / found.weight[node]
            assert found.posterior[node] == share
        else:
            assert np.isnan(found.posterior[node])
    assert found.count.dtype == np.int64


def test_rows_weigh_one_unless_told():
    found = node_weights(LEAF, np.zeros((3, 1)), [True, False, True])
    assert (found.positive[0], found.negative[0], found.count[0]) == (2.0, 1.0, 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([True],), "positive must have one entry a row, 2"),
        (([True, False], [1.0]), "weights must have one entry a row, 2"),
        (([True, False], [1.0, -1.0]), "weights must be finite and not negative, got -1.0"),
        (([True, False], [1.0, np.inf]), "weights must be finite and not negative, got inf"),
    ],
)
def test_bad_examples_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        node_weights(LEAF, np.zeros((2, 1)), *arguments)


def test_classes_that_are_not_booleans_are_refused():
    with pytest.raises(TypeError, match="pass y == the positive class"):
        node_weights(LEAF, np.zeros((2, 1)), [0, 1])
