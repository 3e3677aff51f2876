"""Slow, literal induction of one tree: every cut and every set of categories is tried on the rows.

No bins, no histograms, no bounds: thresholds are the midpoints of a column's distinct values, a
split is two lists of rows, its gain is the difference of three risks.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

LEAST_GAIN = 1e-12  # of a node's weight: what a split must gain to count as one
TIE = 1e-12  # of a node's weight: gains closer than this are equal but for rounding


@dataclass
class Split:
    """A test of one column, and what it does to one node."""

    feature: int
    threshold: float | None  # x <= threshold goes left; None for a categorical column
    codes: frozenset[int] | None  # those that go left; None for a numeric column
    missing_left: bool
    left_rows: np.ndarray  # of the node, as flags of all rows
    gain: float


@dataclass
class Node:
    """A node: its rows as flags, its parent and, unless it is a leaf, its split and children."""

    rows: np.ndarray
    parent: int = -1
    depth: int = 0
    split: Split | None = None
    left: int = -1
    right: int = -1


def bayes_risk(a, b):
    """Return the weighted log-loss Bayes risk a log((a+b)/a) + b log((a+b)/b), 0 log 0 = 0."""
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        risk = a * np.log((a + b) / a) + b * np.log((a + b) / b)
    return np.where((a > 0) & (b > 0), risk, 0.0)


def midpoints(column):
    """Return the thresholds of a column: halfway between its distinct values, NaN apart."""
    values = np.unique(column[~np.isnan(column)])
    return (values[:-1] + values[1:]) / 2


def subsets(items):
    """Return all sets of some but not all of the items, the small ones first."""
    items = sorted(items)
    sizes = range(1, len(items))
    return [set(s) for k in sizes for s in itertools.combinations(items, k)]


def prefixes(items):
    """Return the sets of the first one, the first two, ... but not all of the items."""
    return [set(items[:k]) for k in range(1, len(items))]


@dataclass
class Induction:
    """The examples and the rules of one tree. ``n_categories`` is 0 for a numeric column."""

    X: np.ndarray
    positive: np.ndarray
    weights: np.ndarray
    n_categories: np.ndarray
    max_leaf_nodes: int = 101
    max_depth: int | None = None
    min_samples_leaf: int = 1
    forbid_pure: bool = False

    def weight(self, rows, *, of=None):
        """Sum the weights of some rows (or of each of several sets), all or of one class."""
        weights = self.weights if of is None else np.where(self.positive == of, self.weights, 0)
        return rows @ weights

    def gain(self, rows, goes_left):
        """Return risk(node) - risk(left) - risk(right) for each row of ``goes_left``."""
        left, right = rows & goes_left, rows & ~goes_left
        risk = [
            bayes_risk(self.weight(part, of=True), self.weight(part, of=False))
            for part in (rows, left, right)
        ]
        return risk[0] - (risk[1] + risk[2])

    def is_allowed(self, rows, goes_left):
        """Tell whether both children are heavy, large and, if it is asked, impure enough."""
        ok = np.ones(len(goes_left), dtype=bool)
        for part in (rows & goes_left, rows & ~goes_left):
            ok &= self.weight(part) > 0
            ok &= part.sum(axis=1) >= self.min_samples_leaf
            if self.forbid_pure:
                ok &= (self.weight(part, of=True) > 0) & (self.weight(part, of=False) > 0)
        return ok

    @property
    def is_constrained(self):
        return self.forbid_pure or self.min_samples_leaf > 1

    def _place(self, rows, code):
        """Return what categories are sorted by: posterior, then code with the missing last."""
        return self.weight(rows, of=True) / self.weight(rows), code < 0, code

    def heavier_is_left(self, rows, goes_left):
        return bool(2 * self.weight(rows & goes_left) >= self.weight(rows))

    def numeric_tests(self, feature, rows):
        """Return (threshold, codes, missing_left, goes_left) for all cuts, NaN right, then left."""
        column = self.X[:, feature]
        absent = np.isnan(column)
        cuts = midpoints(column)
        if not self.weight(rows & absent):
            tests = [(cut, column <= cut) for cut in cuts]
            sides = [self.heavier_is_left(rows, left) for _, left in tests]
            return [
                (cut, None, side, left | (absent & side))
                for side, (cut, left) in zip(sides, tests, strict=True)
            ]  # NaN without weight goes with the heavier child, the left one of equals
        away = [(cut, None, False, column <= cut) for cut in (*cuts, np.inf)]
        return away + [(cut, None, True, (column <= cut) | absent) for cut in cuts]

    def categorical_tests(self, feature, rows):
        """Return (threshold, codes, missing_left, goes_left) for all sets of the node's codes."""
        codes = np.where(np.isnan(self.X[:, feature]), -1, self.X[:, feature]).astype(int)
        every = {-1, *range(self.n_categories[feature])}
        present = {code for code in every if self.weight(rows & (codes == code))}
        # The best set of all follows the posteriors; the best allowed one need not, and is not
        # looked for: where not every set is allowed, those that follow the posteriors are tried.
        by_posterior = sorted(present, key=lambda code: self._place(rows & (codes == code), code))
        tests = []
        for chosen in prefixes(by_posterior) if self.is_constrained else subsets(present):
            side = self.heavier_is_left(rows, np.isin(codes, list(chosen)))
            missing_left = -1 in chosen if -1 in present else side
            # What the node has not seen goes the way of the missing.
            left = chosen | (every - present if missing_left else set())
            goes_left = np.isin(codes, list(left))
            tests.append((None, frozenset(left - {-1}), missing_left, goes_left))
        return tests

    def splits(self, rows):
        """Return all allowed splits of a node, by feature and then by cut."""
        found = []
        for feature, n_codes in enumerate(self.n_categories):
            make = self.categorical_tests if n_codes else self.numeric_tests
            tests = make(feature, rows)
            if not tests:
                continue
            goes_left = np.array([test[-1] for test in tests])
            gains, allowed = self.gain(rows, goes_left), self.is_allowed(rows, goes_left)
            here = [
                Split(feature, *test[:-1], rows & test[-1], gain)
                for test, gain, ok in zip(tests, gains, allowed, strict=True)
                if ok
            ]
            found += here if n_codes else sorted(here, key=lambda split: split.threshold)
        return found

    def best(self, rows):
        """Return the splits of largest gain, equal but for rounding; the first is the rule's."""
        splits, weight = self.splits(rows), float(self.weight(rows))
        top = max((split.gain for split in splits), default=0.0)
        if top <= LEAST_GAIN * weight:
            return []
        return [split for split in splits if split.gain >= top - TIE * weight]

    def is_open(self, node):
        both = self.weight(node.rows, of=True) > 0 and self.weight(node.rows, of=False) > 0
        return both and (self.max_depth is None or node.depth < self.max_depth)


def first(_node: int, ties: list[Split]) -> Split | None:
    """Choose by the rule: the smaller feature, then the smaller cut, then missing right."""
    return ties[0] if ties else None


def grow(induction: Induction, choose: Callable[[int, list[Split]], Split | None] = first):
    """Grow a tree: the heaviest impure leaf is split next, the older of two equals.

    ``choose(node, ties)`` picks among the best splits, or None to set the leaf aside.
    """
    nodes = [Node(np.ones(len(induction.X), dtype=bool))]
    leaves = [0]  # that may still be split
    n_leaves = 1
    while n_leaves < induction.max_leaf_nodes:
        leaves = [v for v in leaves if induction.is_open(nodes[v])]
        if not leaves:
            break
        v = min(leaves, key=lambda u: (-induction.weight(nodes[u].rows), u))
        leaves.remove(v)
        split = choose(v, induction.best(nodes[v].rows))
        if split is None:
            continue
        node, n = nodes[v], len(nodes)
        node.split, node.left, node.right = split, n, n + 1
        sides = (split.left_rows, node.rows & ~split.left_rows)
        nodes += [Node(rows, v, node.depth + 1) for rows in sides]
        leaves += [n, n + 1]
        n_leaves += 1
    return nodes


def leaf_of_rows(nodes):
    """Return the leaf of each row."""
    leaf = np.full(len(nodes[0].rows), -1)
    for v, node in enumerate(nodes):
        if node.left < 0:
            leaf[node.rows] = v
    return leaf
