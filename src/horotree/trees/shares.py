"""Weighted shares at the nodes of trees, and their intervals.

Weights are summed in units of their own, one a node and class, so that the ratios that matter come
out right however small all weights of a node are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats

from .ensemble import Ensemble
from .forest import levels
from .routing import find_leaves
from .tree import Flags, Ints, Tree

# The logarithm of a weight of nothing: less than all others, and finite, so that it subtracts.
NOTHING = -np.finfo(np.float64).max


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Sums over the rows of each class (axis 0: negative, positive) at each node (axis 1).

    ``unit`` is the logarithm of the largest weight: ``total`` sums the weights in units of it, and
    ``square`` the squares of these. ``largest`` is the logarithm of the largest weight that a row
    of the node has or, if it is of the other class, would have in this one. ``count`` is the number
    of rows.
    """

    unit: Floats
    total: Floats
    square: Floats
    largest: Floats
    count: NDArray[np.int64]

    def take(self, node: Ints) -> "Sums":
        """Return the sums at some of the nodes."""
        return Sums(
            unit=self.unit[:, node],
            total=self.total[:, node],
            square=self.square[:, node],
            largest=self.largest[:, node],
            count=self.count[:, node],
        )

    @property
    def effective_count(self) -> Floats:
        """``(Σw)² / Σw²`` by node: how many rows of one weight would be worth as much; 0 if none.

        As many as there are rows if all weigh the same.
        """
        share = np.exp(self.unit - self.unit.max(axis=0))
        total, square = (self.total * share).sum(axis=0), (self.square * share**2).sum(axis=0)
        some = square > 0.0
        return np.asarray(np.divide(total**2, square, out=np.zeros_like(total), where=some))

    @property
    def value(self) -> Floats:
        """The logit of the positive class's share of the weight; NaN where there are no rows."""
        with np.errstate(divide="ignore", invalid="ignore"):
            negative, positive = np.log(self.total)
            return np.asarray((positive - negative) + (self.unit[1] - self.unit[0]))


def sum_stages(
    ensemble: Ensemble,
    X: Floats,
    positive: Flags,
    trees: Sequence[int],
    *,
    weighted: bool,
    n_threads: int,
) -> Iterator[tuple[int, Sums]]:
    """Yield the numbers of trees (``trees``, increasing), and sums of row weights at their nodes.

    Weights are those of the round of each tree if ``weighted``, as in boosting, else all equal.
    One tree at a time, so that memory does not grow with their number.
    """
    score = np.full(len(X), ensemble.base_value if weighted else 0.0)
    wanted = set(trees)
    for j in range(trees[-1] + 1) if weighted and trees else trees:
        tree = ensemble.trees[j]
        leaf = find_leaves(tree, X, n_threads)
        if j in wanted:
            yield j, sum_weights(tree, leaf, positive, score)
        if weighted:
            with np.errstate(over="ignore"):
                score += (ensemble.leverage[j] * tree.output)[leaf]
            if not np.isfinite(score).all():
                raise ValueError(f"scores must be finite, got an overflow at tree {j}.")


def sum_weights(tree: Tree, leaf: Ints, positive: Flags, score: Floats) -> Sums:
    """Sum the boosting weights ``sigmoid(-y F)`` of rows at all nodes of a tree.

    ``leaf`` is where each row ends, y is 1 where ``positive`` and else -1, and ``score`` is F
    before the tree, which must be finite: zeros give equal weights.
    """
    return sum_log_weights(tree, leaf, positive, -np.logaddexp(0.0, np.stack([-score, score])))


def sum_log_weights(tree: Tree, leaf: Ints, positive: Flags, log_weight: Floats) -> Sums:
    """Sum weights of rows at all nodes of a tree; ``leaf`` is where each row ends.

    ``log_weight``, of shape (2, n_rows), has the logarithms of the weight of each row if it is of
    the negative (first) or of the positive class.
    """
    n = tree.n_nodes
    cell = leaf + n * positive.astype(np.intp)
    own = np.where(positive, log_weight[1], log_weight[0])
    unit = np.full(2 * n, NOTHING)
    np.maximum.at(unit, cell, own)
    weight: Floats = np.exp(own - unit[cell])
    largest = np.full((2, n), NOTHING)
    for most, weights in zip(largest, log_weight, strict=True):
        np.maximum.at(most, leaf, weights)
    sums = Sums(
        unit=unit.reshape(2, n),
        total=np.asarray(np.bincount(cell, weight, 2 * n), np.float64).reshape(2, n),
        square=np.asarray(np.bincount(cell, weight**2, 2 * n), np.float64).reshape(2, n),
        largest=largest,
        count=np.bincount(cell, minlength=2 * n).reshape(2, n),
    )
    _add_upwards(tree, sums)
    return sums


def _add_upwards(tree: Tree, sums: Sums) -> None:
    """Set the sums of inner nodes, the deepest level first."""
    for nodes in levels(tree.left, tree.right):
        children = tree.left[nodes], tree.right[nodes]
        unit = np.maximum(*(sums.unit[:, child] for child in children))
        sums.unit[:, nodes] = unit
        for child in children:
            share = np.exp(sums.unit[:, child] - unit)
            sums.total[:, nodes] += share * sums.total[:, child]
            sums.square[:, nodes] += share**2 * sums.square[:, child]
            sums.count[:, nodes] += sums.count[:, child]
        sums.largest[:, nodes] = np.maximum(*(sums.largest[:, child] for child in children))


def find_intervals(sums: Sums, miss: float) -> tuple[Floats, Floats]:
    """Return the ends of an interval for the value of each node: the logit of a weighted share.

    Where all weights are equal it is the exact binomial interval of Clopper and Pearson. Where all
    of a class are, it is that of the counts, moved by the ratio of both weights: as exact. Else the
    sum of each class is taken for a gamma variable with its mean and variance, one of them with
    another row of the largest weight; so Fay and Feuer bound one weighted sum of counts. What a row
    of the node would weigh with the other label counts as a largest weight: a node without any of
    the heavier class is not known to be pure. In simulations it misses less often than it may, save
    for few rows from a node in which some of much larger weight are to be expected.

    ``miss`` is the probability to miss the value, half of it on each side. The ends are infinite
    where a class is absent; NaN where there are no rows.
    """
    return _find_low(sums, 1, miss / 2.0), -_find_low(sums, 0, miss / 2.0)


def _find_low(sums: Sums, own: int, miss: float) -> Floats:
    """Return the low end for the log-odds of a class against the other."""
    from scipy.special import betaincinv

    low = np.where(sums.count.any(axis=0), -np.inf, np.nan)
    some = sums.count[own] > 0
    total, square = sums.total[own, some], sums.square[own, some]
    unit, other_unit = sums.unit[own, some], sums.largest[1 - own, some]
    share = np.exp(sums.unit[1 - own, some] - other_unit)
    other_total = sums.total[1 - own, some] * share + 1.0
    other_square = sums.square[1 - own, some] * share**2 + 1.0
    # Of two gamma variables in units of their scales, the first's share of both is a beta variable.
    x = betaincinv(total**2 / square, other_total**2 / other_square, miss)
    log_scale, other_log_scale = np.log(square / total), np.log(other_square / other_total)
    low[some] = np.log(x) - np.log1p(-x) + (log_scale - other_log_scale) + (unit - other_unit)
    return low
