"""Scores and leaves of packed trees against a walk in Python."""

import math
import subprocess
import sys
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
    codes: np.ndarray
    tree_start: np.ndarray

    def pack(self):
        return _core.pack_trees(*astuple(self))

    @property
    def n_trees(self):
        return len(self.tree_start) - 1


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


def draw_sets(rng, by_set, n_codes):
    """Return starts and codes of random sets, each of at least one code, at some of the nodes."""
    sets = [
        rng.permutation(n)[: rng.integers(1, min(n, 200) + 1)] if is_set else np.empty(0)
        for is_set, n in zip(by_set, n_codes, strict=True)
    ]
    start = np.cumsum([0, *map(len, sets)])
    return start, np.concatenate([np.empty(0), *map(np.sort, sets)]).astype(np.int32)


def draw_forest(rng, n_features, n_trees, max_inner=20, max_codes=150):
    """Draw trees whose tests are cuts at halves or sets of codes, of some columns among many."""
    shapes = [draw_shape(rng, int(rng.integers(0, max_inner))) for _ in range(n_trees)]
    left = np.concatenate([np.empty(0), *(shape[0] for shape in shapes)]).astype(np.int32)
    right = np.concatenate([np.empty(0), *(shape[1] for shape in shapes)]).astype(np.int32)
    n = len(left)
    inner = left >= 0
    n_codes = rng.integers(1, max_codes, n_features)
    n_codes[rng.random(n_features) < rng.choice([0.0, 0.3])] = 20_000
    by_set = inner & (rng.random(n) < rng.choice([0.0, 0.4]))
    feature = np.where(inner, rng.integers(0, n_features, n), -1).astype(np.int32)
    start, codes = draw_sets(rng, by_set, n_codes[feature])
    return Forest(
        left=left,
        right=right,
        feature=feature,
        threshold=np.round(rng.normal(size=n) * 2) / 2,
        missing_left=rng.integers(0, 2, n).astype(np.uint8),
        set_start=start,
        codes=codes,
        tree_start=np.cumsum([0, *(len(shape[0]) for shape in shapes)]),
    )


def draw_rows(rng, n, n_features):
    """Draw values on the cuts, codes known and unknown, NaN, infinities and other strangers."""
    strange = [np.nan, np.inf, -np.inf, -1.0, -0.0, 1e300, -1e300, 2.0**63, 149.0, 150.0]
    X = np.round(rng.normal(size=(n, n_features)) * 2) / 2
    X = np.where(rng.random(X.shape) < 0.4, rng.integers(0, 160, X.shape), X)
    X = np.where(rng.random(X.shape) < 0.1, rng.integers(0, 20_010, X.shape), X)
    return np.where(rng.random(X.shape) < 0.2, rng.choice(strange, X.shape), X)


def goes_left(forest, v, x):
    if math.isnan(x):
        return bool(forest.missing_left[v])
    codes = forest.codes[forest.set_start[v] : forest.set_start[v + 1]]
    if not len(codes):
        return x <= forest.threshold[v]
    if x < 0:
        return bool(forest.missing_left[v])
    return math.isfinite(x) and int(x) in codes.tolist()


def walk(forest, tree, row):
    """Return the leaf of a row, counted from the tree's root."""
    start, v = int(forest.tree_start[tree]), 0
    while forest.left[start + v] >= 0:
        side = goes_left(forest, start + v, row[forest.feature[start + v]])
        v = int((forest.left if side else forest.right)[start + v])
    return v


def find_leaves(forest, X, n_threads=1, first=0, last=None):
    last = forest.n_trees if last is None else last
    leaf = np.full((len(X), last - first), -1, np.int32)
    _core.find_leaves(forest.pack(), first, last, X, n_threads, leaf)
    return leaf


def score_rows(forest, output, base, X, n_threads=1):
    score = np.full(len(X), np.nan)
    _core.score_rows(forest.pack(), output, base, 0, forest.n_trees, X, n_threads, score)
    return score


def check_walk(forest, X, rng):
    """Compare with the walk in Python: the same additions in the same order, no rounding apart."""
    output, base = rng.normal(size=len(forest.left)), float(rng.normal())
    expected = np.array(
        [[walk(forest, j, row) for j in range(forest.n_trees)] for row in X], np.int32
    ).reshape(len(X), forest.n_trees)
    np.testing.assert_array_equal(find_leaves(forest, X), expected)
    score = np.full(len(X), base)
    for j in range(forest.n_trees):
        score = score + output[forest.tree_start[j] + expected[:, j]]
    np.testing.assert_array_equal(score_rows(forest, output, base, X), score)


@given(seeds)
def test_leaves_and_scores_are_those_of_a_walk(seed):
    rng = np.random.default_rng(seed)
    n_features, n_trees = int(rng.integers(1, 6)), int(rng.integers(0, 20))
    forest = draw_forest(rng, n_features, n_trees)
    check_walk(forest, draw_rows(rng, int(rng.integers(0, 70)), n_features), rng)


# Up to bytes: places in a tree, codes, cuts of a column. Beyond, rows take another way.
@pytest.mark.parametrize("n_inner", [127, 128])
@pytest.mark.parametrize("n_codes", [255, 256])
@pytest.mark.parametrize("n_rows", [1, 7, 8, 9, 23, 24, 65])
def test_sizes_about_a_byte(n_inner, n_codes, n_rows):
    rng = np.random.default_rng(n_inner + n_codes + n_rows)
    forest = draw_forest(rng, 2, 6, max_inner=n_inner)
    left, right = draw_shape(rng, n_inner)
    n = len(left)
    by_set = (np.array(left) >= 0) & (rng.random(n) < 0.1)  # few: a scan pays
    feature = rng.integers(0, 2, n).astype(np.int32)
    start, codes = draw_sets(rng, by_set, np.array([n_codes - 1, 2])[feature])
    added = Forest(
        left=np.append(forest.left, left).astype(np.int32),
        right=np.append(forest.right, right).astype(np.int32),
        feature=np.append(forest.feature, feature),
        threshold=np.append(forest.threshold, rng.normal(size=n)),
        missing_left=np.append(forest.missing_left, rng.integers(0, 2, n)).astype(np.uint8),
        set_start=np.append(forest.set_start, forest.set_start[-1] + start[1:]),
        codes=np.append(forest.codes, codes),
        tree_start=np.append(forest.tree_start, forest.tree_start[-1] + n),
    )
    X = draw_rows(rng, n_rows, 2)
    X[::3, 0] = rng.integers(n_codes - 4, n_codes + 2, len(X[::3]))
    check_walk(added, X, rng)


@pytest.mark.parametrize("n_inner", [126, 127, 128, 129])
def test_every_leaf_of_a_comb_is_reached(n_inner):
    tooth = np.arange(2 * n_inner + 1)  # 0, 2, 4 ... are the back, each followed by its tooth
    inner = (tooth % 2 == 0) & (tooth < 2 * n_inner)
    forest = Forest(
        left=np.where(inner, tooth + 1, -1).astype(np.int32),
        right=np.where(inner, tooth + 2, -1).astype(np.int32),
        feature=np.where(inner, 0, -1).astype(np.int32),
        threshold=0.5 * tooth,
        missing_left=np.zeros(len(tooth), np.uint8),
        set_start=np.zeros(len(tooth) + 1, np.int64),
        codes=np.zeros(0, np.int32),
        tree_start=np.array([0, len(tooth)]),
    )
    leaf = find_leaves(forest, np.arange(n_inner + 1.0)[:, None])
    assert leaf[:, 0].tolist() == [*range(1, 2 * n_inner, 2), 2 * n_inner]


@pytest.mark.parametrize("n_cuts", [1, 254, 255, 256, 510, 511, 900])
def test_any_number_of_cuts(n_cuts):
    rng = np.random.default_rng(n_cuts)
    shapes = [draw_shape(rng, min(60, n_cuts - k)) for k in range(0, n_cuts, 60)]
    left = np.concatenate([shape[0] for shape in shapes]).astype(np.int32)
    inner = left >= 0
    threshold = np.zeros(len(left))
    threshold[inner] = rng.permutation(n_cuts) - 0.5 * n_cuts
    forest = Forest(
        left=left,
        right=np.concatenate([shape[1] for shape in shapes]).astype(np.int32),
        feature=np.where(inner, 0, -1).astype(np.int32),
        threshold=threshold,
        missing_left=np.full(len(left), n_cuts % 2, np.uint8),
        set_start=np.zeros(len(left) + 1, np.int64),
        codes=np.zeros(0, np.int32),
        tree_start=np.cumsum([0, *(len(shape[0]) for shape in shapes)]),
    )
    cuts = np.sort(threshold[inner])
    X = np.concatenate([cuts, cuts + 0.25, [cuts[0] - 1, -np.inf, np.inf, np.nan]])
    check_walk(forest, X[:, None], rng)


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


def test_a_row_ends_in_the_same_leaves_alone_and_in_a_batch_and_some_trees_are_the_part_of_all():
    rng = np.random.default_rng(8)
    forest = draw_forest(rng, 3, 25, max_inner=200)
    X = draw_rows(rng, 600, 3)
    leaf = find_leaves(forest, X)
    np.testing.assert_array_equal(np.concatenate([find_leaves(forest, x[None]) for x in X]), leaf)
    np.testing.assert_array_equal(find_leaves(forest, X, first=3, last=20), leaf[:, 3:20])
    np.testing.assert_array_equal(find_leaves(forest, X, first=7, last=8), leaf[:, 7:8])


def stump(**changes):
    arrays = {
        "left": np.array([1, -1, -1], np.int32),
        "right": np.array([2, -1, -1], np.int32),
        "feature": np.array([0, -1, -1], np.int32),
        "threshold": np.zeros(3),
        "missing_left": np.zeros(3, np.uint8),
        "set_start": np.zeros(4, np.int64),
        "codes": np.zeros(0, np.int32),
        "tree_start": np.array([0, 3]),
    }
    return Forest(**(arrays | changes))


def test_a_value_on_the_threshold_goes_left():
    x = np.array([[0.0], [-0.0], [np.nextafter(0, 1)], [-np.inf], [np.inf], [np.nan]])
    assert find_leaves(stump(), x)[:, 0].tolist() == [1, 1, 2, 1, 2, 2]


@pytest.mark.parametrize("far", [2, 40_000_000])  # bits, and a list where bits would be many
def test_impossible_codes_go_the_missing_way_and_unseen_ones_right(far):
    forest = stump(
        set_start=np.array([0, 2, 2, 2]),
        codes=np.array([0, far], np.int32),
        missing_left=np.ones(3, np.uint8),
    )
    x = np.array([0, -0.0, far, 1, 3, far + 1, 1e300, np.inf, -1, -0.5, -np.inf, np.nan])[:, None]
    assert find_leaves(forest, x)[:, 0].tolist() == [1, 1, 1, 2, 2, 2, 2, 2, 1, 1, 1, 1]


def test_sets_of_few_codes_take_no_memory_for_the_others():
    code = """
import resource, sys
sys.path.insert(0, "")
import numpy as np
from tests.native.test_predict import Forest, find_leaves
n = 20_001  # 10,000 tests for one code of 16 million
inner = np.arange(n) < n // 2
forest = Forest(
    left=np.where(inner, 2 * np.arange(n) + 1, -1).astype(np.int32),
    right=np.where(inner, 2 * np.arange(n) + 2, -1).astype(np.int32),
    feature=np.where(inner, 0, -1).astype(np.int32), threshold=np.zeros(n),
    missing_left=np.zeros(n, np.uint8), set_start=np.minimum(np.arange(n + 1), n // 2),
    codes=(2**24 - np.arange(n // 2)).astype(np.int32), tree_start=np.array([0, n]),
)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
find_leaves(forest, np.zeros((1, 1)))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert int(result.stdout) < 50_000  # kilobytes; bits would take 20 million


def test_no_trees_score_the_base():
    forest = draw_forest(np.random.default_rng(0), 1, 0)
    assert score_rows(forest, np.empty(0), -1.25, np.zeros((3, 1))).tolist() == [-1.25] * 3


@pytest.mark.parametrize(
    "changes",
    [
        {"right": np.array([2, -1], np.int32)},
        {"threshold": np.zeros(4)},
        {"tree_start": np.array([0, 2])},
        {"tree_start": np.array([1, 3])},
        {"tree_start": np.array([0, 3, 3])},
        {"tree_start": np.empty(0, np.int64)},
        {"left": np.array([3, -1, -1], np.int32)},
        {"right": np.array([-1, -1, -1], np.int32)},
        {"left": np.array([0, -1, -1], np.int32)},
        {"left": np.array([-1, -1, -1], np.int32)},
        {"feature": np.array([-1, -1, -1], np.int32)},
        {"set_start": np.array([0, 1, 1])},
        {"set_start": np.array([0, 1, 1, 1])},
        {"set_start": np.array([0, 2, 1, 1]), "codes": np.zeros(1, np.int32)},
        {"set_start": np.array([0, 1, 1, 1]), "codes": np.array([-1], np.int32)},
        {"set_start": np.array([0, 2, 2, 2]), "codes": np.array([3, 3], np.int32)},
        {"set_start": np.array([0, 1, 1, 1]), "codes": np.array([2**31 - 1], np.int32)},
    ],
)
def test_arrays_that_make_no_forest_are_refused(changes):
    with pytest.raises(ValueError, match="forest: "):
        stump(**changes).pack()


def test_arrays_of_a_wrong_shape_and_trees_that_are_not_there_are_refused():
    X, packed = np.zeros((2, 1)), stump().pack()
    leaf, score = np.empty((2, 1), np.int32), np.empty(2)
    assert packed.n_features == 1
    with pytest.raises(ValueError, match="output must have an entry per node"):
        score_rows(stump(), np.zeros(2), 0.0, X)
    with pytest.raises(ValueError, match="leaf must have a row per row"):
        _core.find_leaves(packed, 0, 1, X, 1, np.empty((3, 1), np.int32))
    with pytest.raises(ValueError, match="no such trees"):
        _core.find_leaves(packed, 0, 2, X, 1, leaf)
    with pytest.raises(ValueError, match="no such trees"):
        _core.score_rows(packed, np.zeros(3), 0.0, 0, 2, X, 1, score)
    with pytest.raises(ValueError, match="x must have all features"):
        _core.find_leaves(packed, 0, 1, X[:, :0].copy(), 1, leaf)
    with pytest.raises(ValueError, match="x must have all features"):
        _core.score_rows(packed, np.zeros(3), 0.0, 0, 1, X[:, :0].copy(), 1, score)


def test_a_model_that_outlives_python_is_no_reason_for_a_warning():
    code = """
import ctypes, numpy as np
from horotree import LogisticBoostClassifier
X = np.arange(40.0)[:, None]
model = LogisticBoostClassifier(n_estimators=2).fit(X, X[:, 0] > 20.0)
model.predict(X)
ctypes.pythonapi.Py_IncRef(ctypes.py_object(model))
"""
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stderr == ""
