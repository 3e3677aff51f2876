import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.trees import Ensemble
from tests.factories import leaf, stump
from tests.trees import oracle
from tests.trees.strategies import ensembles, matrices, n_categories


def by_code(codes, *, missing_left):
    """Return a tree whose root sends these codes of column 0 left (to -1.0), the others to 1.0."""
    return stump(codes=codes, missing_left=missing_left, weight=np.nan, count=-1)


ensembles_and_rows = n_categories.flatmap(
    lambda sizes: st.tuples(ensembles(sizes), matrices(sizes))
)


# --- scores --------------------------------------------------------------------------------------


@given(ensembles_and_rows)
def test_scores_and_leaves_are_those_of_a_walk_to_the_bit(drawn):
    ensemble, X = drawn
    expected = np.array([oracle.score_of(ensemble, row) for row in X])
    np.testing.assert_array_equal(ensemble.score(X), expected)
    leaves = [[oracle.leaf_of(tree, row) for tree in ensemble.trees] for row in X]
    applied = ensemble.apply(X)
    assert applied.dtype == np.int32
    assert applied.shape == (len(X), len(ensemble.trees))
    assert applied.tolist() == leaves


@given(ensembles_and_rows)
def test_staged_scores_are_those_of_shorter_ensembles_to_the_bit(drawn):
    ensemble, X = drawn
    stages = list(ensemble.staged_score(X))
    assert len(stages) == len(ensemble.trees)
    for j, stage in enumerate(stages, start=1):
        shorter = Ensemble(
            ensemble.trees[:j], ensemble.leverage[:j], ensemble.edge[:j], ensemble.base_value
        )
        np.testing.assert_array_equal(stage, shorter.score(X))


def test_scores_do_not_depend_on_the_number_of_threads_or_the_layout_of_the_rows():
    rng = np.random.default_rng(1)
    trees = [by_code([j, j + 2], missing_left=bool(j % 2)) for j in range(20)]
    ensemble = Ensemble(trees, rng.normal(size=20), [np.nan] * 20, 0.1)
    X = rng.integers(0, 30, size=(2000, 3)).astype(float)
    expected = ensemble.score(X)
    np.testing.assert_array_equal(ensemble.score(X, n_threads=2), expected)
    np.testing.assert_array_equal(ensemble.score(np.asfortranarray(X)), expected)
    np.testing.assert_array_equal(ensemble.score(X.astype(int)), expected)
    np.testing.assert_array_equal(ensemble.score(X.tolist()), expected)
    np.testing.assert_array_equal(ensemble.apply(X, n_threads=2), ensemble.apply(X))


@pytest.mark.parametrize("missing_left", [True, False])
def test_a_code_beyond_every_set_goes_right_and_nan_the_missing_way(missing_left):
    tree = by_code([0, 70], missing_left=missing_left)
    X = np.array([[0.0], [70.0], [1.0], [71.0], [72.0], [1e6], [np.nan]])
    before = X.copy()
    score = Ensemble((tree,), [1.0], [np.nan], 0.0).score(X)
    assert score.tolist() == [-1.0, -1.0, 1.0, 1.0, 1.0, 1.0, -1.0 if missing_left else 1.0]
    np.testing.assert_array_equal(X, before)  # codes were cut in a copy


def test_sets_of_one_feature_in_several_trees_do_not_disturb_each_other():
    trees = (by_code([200], missing_left=True), by_code([3], missing_left=True))
    X = np.arange(0.0, 300.0)[:, None]
    score = Ensemble(trees, [1.0, 10.0], [np.nan] * 2, 0.0).score(X)
    expected = np.where(X[:, 0] == 200, -1.0, 1.0) + np.where(X[:, 0] == 3, -10.0, 10.0)
    np.testing.assert_array_equal(score, expected)


def test_an_ensemble_without_trees_scores_its_base_value():
    ensemble = Ensemble((), [], [], 0.25)
    assert ensemble.score(np.zeros((3, 2))).tolist() == [0.25] * 3
    assert ensemble.apply(np.zeros((3, 2))).shape == (3, 0)
    assert list(ensemble.staged_score(np.zeros((3, 2)))) == []
    assert ensemble.max_confidence.shape == ensemble.leverage_confidence.shape == (0,)


# --- what it holds -------------------------------------------------------------------------------


@given(ensembles())
def test_confidences_are_the_largest_of_leaves_and_times_leverage(ensemble):
    for j, tree in enumerate(ensemble.trees):
        largest = max(abs(tree.value[v]) for v in range(tree.n_nodes) if tree.left[v] == -1)
        assert ensemble.max_confidence[j] == largest
        assert ensemble.leverage_confidence[j] == ensemble.leverage[j] * largest


@given(ensembles(), ensembles())
def test_equality_pickles_and_copies(a, b):
    back = pickle.loads(pickle.dumps(a))  # noqa: S301 - bytes of our own
    assert back == a
    assert hash(back) == hash(a)
    assert copy.deepcopy(a) is a
    same = (
        a.trees == b.trees
        and a.base_value == b.base_value
        and np.array_equal(a.leverage, b.leverage)
        and np.array_equal(a.edge, b.edge, equal_nan=True)
    )
    assert (a == b) == same


def test_an_ensemble_is_frozen_and_prints_in_one_line():
    ensemble = Ensemble([leaf(1.0), leaf(2.0)], [1.0, 0.5], [np.nan, 0.1], 1)
    assert repr(ensemble) == "Ensemble(2 trees, 2 nodes)"
    assert isinstance(ensemble.trees, tuple)
    assert isinstance(ensemble.base_value, float)
    assert not ensemble.leverage.flags.writeable
    with pytest.raises(AttributeError):
        ensemble.trees = ()


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((leaf(1.0),), [], [0.5], 0.0), "leverage must have one entry a tree, got 0"),
        (((leaf(1.0),), [1.0], [0.5, 0.5], 0.0), "edge must have one entry a tree, got 2"),
        (((leaf(1.0),), [np.inf], [0.5], 0.0), "must be finite"),
        (((leaf(1.0),), [1.0], [np.inf], 0.0), "must be finite"),
        (((leaf(1e300),), [1e300], [0.5], 0.0), "leverage times output"),
        (((leaf(1.0),), [1.0], [0.5], np.nan), "base_value must be finite"),
    ],
)
def test_what_is_no_ensemble_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Ensemble(*arguments)


def test_other_trees_are_refused():
    with pytest.raises(TypeError, match="trees must be horotree trees, got a str"):
        Ensemble(("tree",), [1.0], [0.5], 0.0)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.zeros(3), r"X must be a matrix of numbers, got shape \(3,\)"),
        (np.zeros((3, 1), complex), "dtype complex128"),
        (np.array([["a"]]), "a table with other columns goes to a Model"),
        (np.zeros((3, 0)), "X must have 1 columns or more, got 0"),
    ],
)
@pytest.mark.parametrize("method", ["score", "apply"])
def test_what_is_no_matrix_of_enough_columns_is_refused(X, message, method):
    ensemble = Ensemble((by_code([1], missing_left=True),), [1.0], [0.5], 0.0)
    with pytest.raises(ValueError, match=message):
        getattr(ensemble, method)(X)


def test_no_threads_are_refused():
    with pytest.raises(ValueError, match="n_threads must be at least 1, got 0"):
        Ensemble((), [], [], 0.0).score(np.zeros((1, 1)), n_threads=0)
