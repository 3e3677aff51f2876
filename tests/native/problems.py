"""Small random tables, their bins in plain NumPy, and the call of ``grow_tree`` on them."""

from dataclasses import dataclass

import numpy as np

from horotree._native import NODE, _core
from horotree.training.lanes import one_each as lanes_of
from tests.reference.induction import midpoints


@dataclass
class Problem:
    """Examples with the negative class first, as the kernel wants them; weights are integers."""

    X: np.ndarray
    positive: np.ndarray
    weights: np.ndarray
    n_categories: np.ndarray

    def take(self, rows):
        """Return the problem of some of the rows."""
        return Problem(self.X[rows], self.positive[rows], self.weights[rows], self.n_categories)


@dataclass
class Table:
    """Bins of every value, and what the kernel is told about them."""

    bins: np.ndarray
    n_bins: np.ndarray
    missing: np.ndarray
    categorical: np.ndarray


def draw_column(rng, n):
    """Draw a column and its number of categories: numbers with ties, a constant, or codes."""
    kind = rng.integers(6)
    n_codes = 0
    if kind == 0:
        column = np.full(n, rng.normal())
    elif kind == 1:
        column = rng.normal(size=n)
    elif kind <= 3:
        column = rng.integers(0, rng.integers(2, 8), n) * 0.25 - 1.0
    else:
        n_codes = int(rng.integers(1, 6))
        column = rng.integers(0, n_codes, n).astype(np.float64)
    if rng.random() < 0.4:
        column[rng.random(n) < rng.choice([0.1, 0.5, 1.0], p=[0.5, 0.45, 0.05])] = np.nan
    return column, n_codes


def draw_weights(rng, n):
    """Draw integer weights: all equal, small, or as large as the fixed point makes them, or 0."""
    kind = rng.integers(5)
    if kind == 4:  # too light for the fixed point, but they count as examples
        weights = rng.integers(0, 3, n, dtype=np.int32)
        weights[rng.integers(n)] = 1
        return weights
    if kind == 0:
        return np.ones(n, np.int32)
    if kind == 1:
        return rng.integers(1, 10, n, dtype=np.int32)
    if kind == 2:
        return rng.integers(1, 2**30, n, dtype=np.int32)
    return np.exp(rng.uniform(0.0, 20.0, n)).astype(np.int32)


def draw_problem(rng, *, max_rows=60, max_features=12):
    """Draw a table of few rows, labels that depend on its first columns, and weights."""
    n, d = int(rng.integers(2, max_rows + 1)), int(rng.integers(1, max_features + 1))
    columns = [draw_column(rng, n) for _ in range(d)]
    X = np.column_stack([column for column, _ in columns])
    signal = np.nan_to_num(X[:, : 1 + d // 3]).sum(axis=1)
    positive = signal + rng.normal(size=n) * rng.choice([0.0, 0.5, 3.0]) > np.median(signal)
    order = np.argsort(positive, kind="stable")
    n_categories = np.array([n_codes for _, n_codes in columns], np.int32)
    return Problem(X[order], positive[order], draw_weights(rng, n), n_categories)


def bin_table(problem):
    """Bin by all distinct values: np.searchsorted, the missing last, a category's code as it is."""
    bins = np.empty(problem.X.shape, np.int64)
    n_values = problem.n_categories.copy()
    for f, column in enumerate(problem.X.T):
        cuts = midpoints(column)
        if not problem.n_categories[f]:
            n_values[f] = len(cuts) + 1
        found = column if problem.n_categories[f] else np.searchsorted(cuts, column)
        bins[:, f] = np.where(np.isnan(column), n_values[f], np.nan_to_num(found))
    has_missing = np.isnan(problem.X).any(axis=0)
    return Table(
        bins=bins,
        n_bins=(n_values + has_missing).astype(np.int32),
        missing=np.where(has_missing, n_values, -1).astype(np.int32),
        categorical=(problem.n_categories > 0).astype(np.uint8),
    )


def draw_large(n=20_000, n_features=30, seed=0):
    """Draw a table of up to 200 values a column, some missing, every fifth column of categories."""
    rng = np.random.default_rng(seed)
    n_values = rng.integers(2, 200, n_features)
    X = rng.integers(0, n_values, (n, n_features)).astype(np.float64)
    X[:, ::3][rng.random(X[:, ::3].shape) < 0.1] = np.nan
    signal = (np.nan_to_num(X) / n_values) @ rng.normal(size=n_features)
    positive = signal + rng.normal(size=n) > np.median(signal)
    n_categories = np.where(np.arange(n_features) % 5 == 4, n_values, 0).astype(np.int32)
    order = np.argsort(positive, kind="stable")
    weights = np.exp(rng.uniform(10.0, 20.0, n)).astype(np.int32)
    return Problem(X[order], positive[order], weights, n_categories)


def pack(bins, lanes):
    """Pack the bins of each row into words: lane k is in group k // width, k % width from below."""
    width = 64 // lanes.bits
    words = np.zeros((-(-len(lanes.n_codes) // width), len(bins)), np.uint64)
    for column, lane, shift in zip(bins.T, lanes.lane, lanes.shift, strict=True):
        place = lanes.bits * (lane % width) + shift
        words[lane // width] |= column.astype(np.uint64) << np.uint64(place)
    return words


def one_each(n_bins, bits):
    """Return a lane a feature, of so many bits."""
    return lanes_of(np.asarray(n_bins, np.int32))._replace(bits=bits)


def grow_tree(
    table,
    weights,
    n_negative,
    *,
    bits=None,
    lanes=None,
    unit=1.0,
    n_histograms=200,
    max_depth=None,
    max_features=None,
    n_threads=1,
    ids=None,
    **rules,
):
    """Call the kernel with defaults and fresh buffers.

    ``leaf`` is added to what it returns, and ``lightest``, the lightest inner node's share.
    """
    lanes = lanes_of(table.n_bins) if lanes is None else lanes
    if bits is not None:
        lanes = one_each(table.n_bins, bits)
    words = pack(table.bins, lanes)
    n = len(weights)
    examples = np.full((n, 2), 2**32 - 1, np.uint32)  # weight and id
    examples[:, 1] = np.arange(n) if ids is None else ids
    leaf = np.full(n, -7, np.int32)
    lists = np.full(2 * n + 8, n, np.uint32)  # and some room behind, where nothing is to be written
    per_bin = 3 if rules.get("min_samples_leaf", 1) > 1 else 2
    defaults = {
        "max_leaf_nodes": 101,
        "min_samples_leaf": 1,
        "forbid_pure": False,
        "seed": 0,
    }
    records, left_bins, lightest = _core.grow_tree(
        words,
        lanes.bits,
        lanes.lane,
        lanes.shift,
        lanes.n_codes,
        examples,
        n_negative,
        table.n_bins,
        table.missing,
        table.categorical,
        np.full((2 * n_threads, n // 64 + 1), 2**64 - 1, np.uint64),
        lists[: 2 * n].reshape(2, n),
        np.full((n_histograms, per_bin * lanes.size), -1),
        leaf,
        np.ascontiguousarray(weights, np.int32),
        unit=unit,
        max_depth=2**31 - 1 if max_depth is None else max_depth,
        max_features=table.bins.shape[1] if max_features is None else max_features,
        n_threads=n_threads,
        **(defaults | rules),
    )
    assert (lists[2 * n :] == n).all()
    nodes = records.view(NODE)
    grown = {name: nodes[name] for name in NODE.names}
    return {**grown, "left_bins": left_bins, "leaf": leaf, "lightest": lightest}


def grow_problem(problem, **rules):
    """Grow the tree of a problem."""
    return grow_tree(bin_table(problem), problem.weights, int(np.sum(~problem.positive)), **rules)


def split_categories(grown, table):
    """Return the flags of the bins that go left at each categorical node, by node."""
    found, place = {}, 0
    for v, f in enumerate(grown["feature"]):
        if f >= 0 and table.categorical[f]:
            found[v] = grown["left_bins"][place : place + table.n_bins[f]].astype(bool)
            place += table.n_bins[f]
    assert place == len(grown["left_bins"])
    return found


def goes_left(grown, table, v):
    """Evaluate the test of an inner node on every row, from the bins."""
    f = grown["feature"][v]
    bins = table.bins[:, f]
    if table.categorical[f]:
        return split_categories(grown, table)[v][bins]
    return np.where(
        bins == table.missing[f], grown["missing_left"][v] != 0, bins <= grown["bin"][v]
    )


def assert_same_tree(a, b):
    """Compare all arrays of two trees, bit by bit."""
    assert a.keys() == b.keys()
    for name in a:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)
