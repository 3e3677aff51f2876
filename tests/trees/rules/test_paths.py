import itertools
import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.trees import Columns, find_leaves
from horotree.trees.rules.paths import Condition, Rule, path_rule
from tests.factories import make_tree
from tests.trees.oracle import path_to
from tests.trees.strategies import generators, matrices, numbers, random_tree, trees

NAN = float("nan")
SIZES = [0, 0, 1, 2, 5, 70]


@st.composite
def walks(draw):
    """Draw a tree, rows, and two nodes of which one is an ancestor of the other."""
    sizes = draw(st.lists(st.sampled_from(SIZES), min_size=1, max_size=3))
    tree = draw(trees(sizes, max_leaves=12))
    path = path_to(tree, draw(st.integers(0, tree.n_nodes - 1)))
    start = draw(st.sampled_from(path))
    return tree, draw(matrices(sizes)), start, path[-1]


@st.composite
def conditions(draw, n_features=3):
    """Draw a condition on the column of a number (0) or of one of four categories (others)."""
    feature = draw(st.integers(0, n_features - 1))
    bound = st.sampled_from([-math.inf, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0, math.inf])
    codes = st.frozensets(st.integers(0, 3))
    return Condition(
        feature=feature,
        low=draw(bound),
        high=draw(bound),
        allowed=draw(st.none() | codes) if feature else None,
        excluded=draw(codes) if feature else frozenset(),
        missing=draw(st.booleans()),
    )


def rows():
    """Return all rows of three columns with few values: numbers, codes, NaN."""
    values = [-math.inf, -1.0, 0.0, 0.5, 1.0, 2.5, 3.0, math.inf, NAN]
    codes = [0.0, 1.0, 2.0, 3.0, 4.0, NAN]
    return np.array(list(itertools.product(values, codes, codes)))


def chain(n_leaves, sizes):
    """Return a tree of one long path, and the leaf at its end."""
    inner = np.arange(n_leaves - 1)
    n = 2 * n_leaves - 1
    left, right, feature = np.full((3, n), -1)
    nodes = 2 * inner
    left[nodes], right[nodes] = nodes + 1, nodes + 2
    feature[nodes] = inner % len(sizes)
    sets = [[] for _ in range(n)]
    for node in nodes[np.array(sizes)[feature[nodes]] > 0]:
        sets[node] = [node % 7, 7 + node % 50]
    threshold = np.where(feature >= 0, -np.arange(n, 0, -1.0), 0.0)
    threshold[[bool(codes) for codes in sets]] = 0.0
    tree = make_tree(left, right, feature=feature, threshold=threshold, sets=sets)
    return tree, n - 1


# --- paths ---------------------------------------------------------------------------------------


def test_the_rule_of_a_leaf_holds_for_the_rows_that_end_there_in_thousands_of_trees():
    rng = np.random.default_rng(5)
    n_held = 0
    for _ in range(3000):
        sizes = rng.choice(SIZES, rng.integers(1, 4))
        tree = random_tree(rng, sizes, int(rng.integers(1, 9)))
        columns = [rng.integers(0, size, 12) if size else numbers(rng, 12) for size in sizes]
        X = np.array(columns, float).T
        X[rng.random(X.shape) < 0.15] = np.nan
        end = find_leaves(tree, X)
        for leaf in np.flatnonzero(tree.is_leaf):
            holds = path_rule(tree, leaf).holds(X)
            assert np.array_equal(holds, end == leaf)
            n_held += holds.sum()
    assert n_held == 3000 * 12  # every row is in one leaf


@given(walks())
def test_the_rule_of_a_node_holds_for_the_rows_that_come_by(walk):
    tree, X, _, node = walk
    comes_by = [node in path_to(tree, leaf) for leaf in find_leaves(tree, X)]
    assert path_rule(tree, node).holds(X).tolist() == comes_by


@given(walks())
def test_the_rules_of_a_paths_parts_make_up_the_rule_of_the_path(walk):
    tree, _, start, node = walk
    assert path_rule(tree, start) & path_rule(tree, node, start) == path_rule(tree, node)


@given(walks())
def test_at_every_node_one_of_the_two_rules_holds(walk):
    tree, X, node, _ = walk
    if tree.left[node] >= 0:
        sides = [path_rule(tree, int(child[node]), node) for child in (tree.left, tree.right)]
        assert (sides[0].holds(X) ^ sides[1].holds(X)).all()


def test_the_conditions_are_in_the_order_of_the_path():
    rng = np.random.default_rng(0)
    tree = random_tree(rng, [0, 3, 0, 5], 40)
    for leaf in np.flatnonzero(tree.is_leaf):
        tested = [int(tree.feature[node]) for node in path_to(tree, leaf)[:-1]]
        rule = path_rule(tree, leaf)
        assert [condition.feature for condition in rule.conditions] == list(dict.fromkeys(tested))


def test_the_path_from_a_node_to_itself_always_holds():
    tree = random_tree(np.random.default_rng(0), [0], 4)
    for node in range(tree.n_nodes):
        assert path_rule(tree, node, node) == Rule()
    assert Rule().holds(np.zeros((3, 0))).tolist() == [True, True, True]


@pytest.mark.clock
@pytest.mark.parametrize("sizes", [[0], [0, 0, 0], [0, 57]])
def test_a_path_of_5000_tests_is_merged_at_once(sizes):
    tree, leaf = chain(5001, sizes)
    assert tree.depth[leaf] == 5000  # and what all nodes share is not measured
    begin = time.perf_counter()
    rule = path_rule(tree, leaf)
    assert time.perf_counter() - begin < 1.0  # some 0.02 s
    assert [condition.feature for condition in rule.conditions] == list(range(len(sizes)))
    lows = [tree.threshold[tree.feature == j].max() for j, size in enumerate(sizes) if not size]
    assert [condition.low for condition in rule.conditions if not condition.excluded] == lows
    if len(sizes) == 2:
        assert rule.conditions[1].excluded == frozenset(tree.category.tolist())
    assert path_rule(tree, 5000) & path_rule(tree, leaf, 5000) == rule


def test_a_start_that_is_no_ancestor_is_refused():
    tree = random_tree(np.random.default_rng(0), [0], 4)
    left, right = int(tree.left[0]), int(tree.right[0])
    for start, node in ((left, right), (right, left), (max(left, right), 0)):
        with pytest.raises(ValueError, match=f"start must be an ancestor of node {node}"):
            path_rule(tree, node, start)


def test_what_is_no_node_is_refused():
    tree = random_tree(np.random.default_rng(0), [0], 4)
    with pytest.raises(ValueError, match="node must be a node, 0 to 6, got 7"):
        path_rule(tree, 7)
    with pytest.raises(ValueError, match="start must be a node, 0 to 6, got -1"):
        path_rule(tree, 6, -1)
    with pytest.raises(TypeError):
        path_rule(tree, 1.0)


# --- conditions and rules ------------------------------------------------------------------------


@given(conditions())
def test_a_condition_asks_for_what_its_fields_say(condition):
    x = rows()[:, condition.feature]
    expected = [
        condition.missing
        if math.isnan(value)
        else (condition.low == -math.inf or value > condition.low)
        and value <= condition.high
        and (condition.allowed is None or value in condition.allowed)
        and value not in condition.excluded
        for value in x.tolist()
    ]
    assert condition.holds(x).tolist() == expected


@given(st.lists(conditions(), max_size=6))
def test_a_rule_holds_where_all_its_conditions_do_and_has_one_a_feature(parts):
    X = rows()
    rule = Rule(tuple(parts))
    assert len({part.feature for part in rule.conditions}) == len(rule.conditions)
    expected = np.all([np.ones(len(X), bool), *(c.holds(X[:, c.feature]) for c in parts)], axis=0)
    assert np.array_equal(rule.holds(X), expected)


@given(*[st.lists(conditions(), max_size=3).map(tuple).map(Rule)] * 3)
def test_and_is_associative_and_idempotent_and_has_a_neutral_rule(a, b, c):
    X = rows()
    assert (a & b) & c == a & (b & c)
    assert a & a == a
    assert a & Rule() == a == Rule() & a
    assert np.array_equal((a & b).holds(X), a.holds(X) & b.holds(X))
    assert np.array_equal((b & a).holds(X), (a & b).holds(X))


def test_equal_rules_are_equal_however_they_are_written():
    a = Condition(feature=0, low=-0.0, allowed=frozenset({1, 2}), excluded=frozenset({2, 3}))
    b = Condition(feature=0, low=0.0, allowed={1})
    assert a == b
    assert hash(Rule((a,))) == hash(Rule([b]))
    assert Rule((a,)) != Rule((Condition(feature=0, allowed={1}),))
    assert math.copysign(1.0, a.low) == 1.0


def test_values_without_a_bound_may_be_infinite():
    x = [-math.inf, math.inf, NAN]
    assert Condition(feature=0, high=0.0).holds(x).tolist() == [True, False, False]
    assert Condition(feature=0, low=0.0).holds(x).tolist() == [False, True, False]


def test_tests_that_no_known_value_passes_leave_the_missing_ones():
    x = [0.0, 1.0, 2.0, NAN]
    both = Rule(
        (Condition(feature=0, low=1.0, missing=True), Condition(feature=0, high=1.0, missing=True))
    )
    assert both.holds(np.array([x]).T).tolist() == [False, False, False, True]
    codes = Rule(
        (Condition(feature=0, allowed={0}, missing=True), Condition(feature=0, excluded={0}))
    )
    assert not codes.holds(np.array([x]).T).any()


def test_a_rule_cannot_be_changed():
    rule = Rule((Condition(feature=0, low=1.0),))
    for noun, name in ((rule, "conditions"), (rule.conditions[0], "low")):
        with pytest.raises(AttributeError):
            setattr(noun, name, ())


def test_what_is_no_condition_is_refused():
    with pytest.raises(ValueError, match="feature must be a column, 0 or more, got -1"):
        Condition(feature=-1)
    with pytest.raises(ValueError, match="low and high must be numbers, got nan and 1"):
        Condition(feature=0, low=NAN, high=1.0)


def test_a_rule_is_merged_with_rules_only():
    with pytest.raises(TypeError):
        Rule() & True


@pytest.mark.parametrize("X", [np.zeros((2, 1)), np.zeros(2), np.zeros((1, 2, 3))])
def test_a_matrix_without_the_columns_of_the_rule_is_refused(X):
    with pytest.raises(ValueError, match="X must be a matrix with 2 columns or more, got shape"):
        Rule((Condition(feature=1, low=0.0),)).holds(X)


@given(generators)
def test_the_matrix_is_not_changed(rng):
    tree = random_tree(rng, [0, 3], 5)
    X = np.array([[NAN, 1.0], [0.5, NAN]])
    before = X.copy()
    path_rule(tree, tree.n_nodes - 1).holds(X)
    assert np.array_equal(X, before, equal_nan=True)


def test_the_columns_of_another_model_are_refused():
    numeric = Columns(("a",), (None,))
    labeled = Columns(("a",), (("x", "y"),))
    for rule, columns, message in (
        (Rule((Condition(feature=1, low=0.0),)), numeric, "feature 1, but there are only 1 names"),
        (Rule((Condition(feature=0, excluded={2}),)), labeled, "'a' up to code 2, which has 2"),
        (Rule((Condition(feature=0, allowed={0}),)), numeric, "'a' up to code 0, which has 0"),
        (Rule((Condition(feature=0, allowed=()),)), numeric, "tests categories of feature 'a'"),
    ):
        for write in (rule.text, rule.to_pandas, rule.to_sql):
            with pytest.raises(ValueError, match=message):
                write(columns)
