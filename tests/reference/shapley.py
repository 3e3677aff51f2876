"""Path-dependent Shapley values to the letter: a sum over all coalitions of features.

In a coalition are the features that are known. A test of a known feature sends the row where the
row goes; at any other test both children count, by their covers. Exponential in the number of
features: for few.
"""

from itertools import combinations
from math import factorial, isnan


def goes_left(tree, node, x):
    """Return where a value goes at an inner node."""
    if isnan(x):
        return bool(tree.missing_left[node])
    codes = tree.category[tree.category_start[node] : tree.category_start[node + 1]]
    return x in codes if len(codes) else x <= tree.threshold[node]


def value_of(tree, cover, row, known, node=0):
    """Return what a tree says of a row of which the ``known`` features are known."""
    if tree.left[node] < 0:
        return float(tree.output[node])
    left, right = int(tree.left[node]), int(tree.right[node])
    feature = int(tree.feature[node])
    if feature in known:
        child = left if goes_left(tree, node, row[feature]) else right
        return value_of(tree, cover, row, known, child)
    total = cover(left) + cover(right)
    share = cover(left) / total if total else 0.5
    of_left = value_of(tree, cover, row, known, left)
    return share * of_left + (1.0 - share) * value_of(tree, cover, row, known, right)


def shapley(ensemble, row, covers):
    """Return the score before any feature is known, and what each feature adds.

    ``covers(tree)`` is a tree's cover, an array with an entry a node of which leaves are read.
    """
    n = len(row)

    def score(known):
        total = ensemble.base_value
        for factor, tree in zip(ensemble.leverage, ensemble.trees, strict=True):
            own = covers(tree)
            total += factor * value_of(tree, lambda v: _below(tree, own, v), row, known)  # noqa: B023
        return total

    scores = {
        known: score(known) for size in range(n + 1) for known in combinations(range(n), size)
    }
    values = [0.0] * n
    for known, before in scores.items():
        share = factorial(len(known)) * factorial(n - len(known) - 1) if len(known) < n else 0
        for feature in set(range(n)).difference(known):
            behind = scores[tuple(sorted((*known, feature)))]
            values[feature] += share / factorial(n) * (behind - before)
    return scores[()], values


def _below(tree, own, node):
    """Return the cover of the leaves below a node."""
    if tree.left[node] < 0:
        return float(own[node])
    return _below(tree, own, tree.left[node]) + _below(tree, own, tree.right[node])
