"""Scores and leaves of packed trees against a walk in Python."""

import math
from dataclasses import astuple, dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree._native import _core

seeds = st.integers(0, 2**32 - 1)


@dataclass
class Forest:
    """The kernels' arrays, in their order."""

    left: np.ndarray
    right: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    missing_left: np.ndarray
    set_start: np.ndarray
    set_size: np.ndarray
    sets: np.ndarray
    tree_start: np.ndarray

    @property
    def arrays(self):
        return astuple(self)


def draw_shape(rng, n_inner):
    """Return the children of the nodes of a random tree, counted from its root."""
    left, right, leaves = [-1], [-1], [0]
    for _ in range(n_inner):
        v = leaves.pop(int(rng.integers(len(leaves))))
        left[v], right[v] = len(left), len(left) + 1
        leaves += [left[v], right[v]]
        left += [-1, -1]
        right += [-1, -1]
    return left, right


def draw_forest(rng, n_features, n_trees):
    """Draw trees whose tests are cuts at halves or sets of up to 150 codes, at any bit."""
    shapes = [draw_shape(rng, int(rng.integers(0, 20))) for _ in range(n_trees)]
    left = np.concatenate([np.empty(0), *(shape[0] for shape in shapes)]).astype(np.int32)
    right = np.concatenate([np.empty(0), *(shape[1] for shape in shapes)]).astype(np.int32)
    n = len(left)
    inner = left >= 0
    by_set = inner & (rng.random(n) < 0.4)
    set_size = np.where(by_set, rng.integers(0, 150, n), 0).astype(np.int32)
    first = np.cumsum(set_size) - set_size + rng.integers(0, 64)
    n_bits = int(set_size.sum()) + 64
    return Forest(
        left=left,
        right=right,
        feature=np.where(inner, rng.integers(0, n_features, n), -1).astype(np.int32),
        threshold=np.round(rng.normal(size=n) * 2) / 2,
        missing_left=rng.integers(0, 2, n).astype(np.uint8),
        set_start=np.where(by_set, first, -1).astype(np.int64),
        set_size=set_size,
        sets=rng.integers(0, 2**64, -(-n_bits // 64), dtype=np.uint64),
        tree_start=np.cumsum([0, *(len(shape[0]) for shape in shapes)]),
    )


def draw_rows(rng, n, n_features):
    """Draw values on the cuts, codes known and unknown, NaN, infinities and other strangers."""
    strange = [np.nan, np.inf, -np.inf, -1.0, -0.0, 1e300, -1e300, 2.0**63, 149.0, 150.0]
    X = np.round(rng.normal(size=(n, n_features)) * 2) / 2
    X = np.where(rng.random(X.shape) < 0.4, rng.integers(0, 160, X.shape), X)
    return np.where(rng.random(X.shape) < 0.2, rng.choice(strange, X.shape), X)


def goes_left(forest, v, x):
    if math.isnan(x):
        return bool(forest.missing_left[v])
    if forest.set_start[v] < 0:
        return x <= forest.threshold[v]
    if not 0 <= x < forest.set_size[v]:
        return bool(forest.missing_left[v])
    bit = int(forest.set_start[v]) + int(x)
    return bool(int(forest.sets[bit // 64]) >> (bit % 64) & 1)


def walk(forest, tree, row):
    """Return the leaf of a row, counted from the tree's root."""
    start, v = int(forest.tree_start[tree]), 0
    while forest.left[start + v] >= 0:
        side = goes_left(forest, start + v, row[forest.feature[start + v]])
        v = int((forest.left if side else forest.right)[start + v])
    return v


def find_leaves(forest, X, n_threads=1):
    leaf = np.full((len(X), len(forest.tree_start) - 1), -1, np.int32)
    _core.find_leaves(*forest.arrays, X, n_threads, leaf)
    return leaf


def score_rows(forest, output, base, X, n_threads=1):
    score = np.full(len(X), np.nan)
    _core.score_rows(*forest.arrays, output, base, X, n_threads, score)
    return score


@given(seeds)
def test_leaves_and_scores_are_those_of_a_walk(seed):
    rng = np.random.default_rng(seed)
    n_features, n_trees = int(rng.integers(1, 6)), int(rng.integers(0, 6))
    forest = draw_forest(rng, n_features, n_trees)
    X = draw_rows(rng, int(rng.integers(0, 40)), n_features)
    output, base = rng.normal(size=len(forest.left)), float(rng.normal())
    leaf = find_leaves(forest, X)
    score = score_rows(forest, output, base, X)
    for i, row in enumerate(X):
        expected = base
        for j in range(n_trees):
            assert leaf[i, j] == walk(forest, j, row)
            expected += output[forest.tree_start[j] + leaf[i, j]]
        assert score[i] == expected  # the same additions in the same order: no rounding apart


@pytest.mark.parametrize("n_threads", [2, 3, 8])
def test_threads_change_nothing(n_threads):
    rng = np.random.default_rng(7)
    forest = draw_forest(rng, 5, 30)
    X = draw_rows(rng, 5_003, 5)
    output = rng.normal(size=len(forest.left))
    np.testing.assert_array_equal(find_leaves(forest, X, n_threads), find_leaves(forest, X))
    np.testing.assert_array_equal(
        score_rows(forest, output, 0.5, X, n_threads), score_rows(forest, output, 0.5, X)
    )


def stump(**changes):
    arrays = {
        "left": np.array([1, -1, -1], np.int32),
        "right": np.array([2, -1, -1], np.int32),
        "feature": np.array([0, -1, -1], np.int32),
        "threshold": np.zeros(3),
        "missing_left": np.zeros(3, np.uint8),
        "set_start": np.full(3, -1),
        "set_size": np.zeros(3, np.int32),
        "sets": np.zeros(0, np.uint64),
        "tree_start": np.array([0, 3]),
    }
    return Forest(**(arrays | changes))


def test_a_value_on_the_threshold_goes_left():
    x = np.array([[0.0], [-0.0], [np.nextafter(0, 1)], [-np.inf], [np.inf], [np.nan]])
    assert find_leaves(stump(), x)[:, 0].tolist() == [1, 1, 2, 1, 2, 2]


def test_unseen_and_impossible_codes_go_the_missing_way():
    forest = stump(
        set_start=np.array([62, -1, -1]),
        set_size=np.array([4, 0, 0], np.int32),
        sets=np.array([1 << 62, 1 << 1], np.uint64),  # codes 0 and 3 go left, 1 and 2 right
        missing_left=np.ones(3, np.uint8),
    )
    x = np.array([0, 1, 2, 3, 4, -1, -0.5, 1e300, np.inf, -np.inf, np.nan])[:, None]
    assert find_leaves(forest, x)[:, 0].tolist() == [1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1]


def test_no_trees_score_the_base():
    forest = draw_forest(np.random.default_rng(0), 1, 0)
    assert score_rows(forest, np.empty(0), -1.25, np.zeros((3, 1))).tolist() == [-1.25] * 3


@pytest.mark.parametrize(
    "changes",
    [
        {"right": np.array([2, -1], np.int32)},
        {"threshold": np.zeros(4)},
        {"tree_start": np.array([0, 2])},
        {"tree_start": np.empty(0, np.int64)},
    ],
)
def test_node_arrays_that_do_not_fit_together_are_refused(changes):
    with pytest.raises(ValueError, match="forest: "):
        score_rows(stump(**changes), np.zeros(3), 0.0, np.zeros((2, 1)))


def test_outputs_of_a_wrong_shape_are_refused():
    X = np.zeros((2, 1))
    with pytest.raises(ValueError, match="output must have a value a node"):
        score_rows(stump(), np.zeros(2), 0.0, X)
    with pytest.raises(ValueError, match="leaf must have a row a row"):
        _core.find_leaves(*stump().arrays, X, 1, np.empty((3, 1), np.int32))
