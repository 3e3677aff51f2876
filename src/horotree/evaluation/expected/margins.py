"""Rows at the nodes of imported boosting: the number of the class that a tree predicts, and counts.

A tree moves the probability p that a row has before it. At its full step, that of learning rate 1,
it predicts ``p + hessian · p (1 - p) · step`` for the row, where the step is the leaf's value
without the training's penalties. Summed over the training rows of a leaf, this is the number of
rows of the class: so the leaf was set (see ``Steps``). For other rows the sum is compared with
their count, and their own step is the one that makes both equal.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.evaluation.proportions import divide, exact_interval
from horotree.evaluation.rows import Chosen
from horotree.losses import inverse_link
from horotree.trees import Model, Steps, Tree, find_leaves, sum_up
from horotree.trees.links import softmax
from horotree.trees.tree import Flags, Ints

from .iterations import expect_iterated

# A smaller mean of p (1 - p) is the rounding error of a p of 0 or 1.
FIXED = 1e-12

# Expected probabilities of smaller variance are equal but for rounding.
ALIKE = 1e-8

# The least number of rows for an interval.
LEAST = 5

# The arrays of `MarginSums`, which are sums over rows.
SUMMED = ("count", "positive", "expected", "square", "expected_square", "slope")

# The relative tolerance of values at the limit.
ROUNDING = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class MarginSums:
    """Sums over the rows at each node."""

    count: NDArray[np.int64]  # rows
    positive: NDArray[np.int64]  # rows of the class
    expected: Floats  # probabilities of the class after the full step of the tree
    square: Floats  # squared differences of label (1 or 0) and expected probability
    expected_square: Floats  # squared expected probabilities
    slope: Floats  # the derivative of ``expected`` by a shift of all values below
    is_iterated: bool = False  # whether ``expected`` is a sigmoid of the value, not linear

    def take(self, node: Ints) -> "MarginSums":
        """Return the sums at some of the nodes."""
        return replace(self, **{name: getattr(self, name)[node] for name in SUMMED})

    @property
    def is_fixed(self) -> Flags:
        """Whether the model is too certain of the rows at a node for any step to move them."""
        return _are_fixed(self.slope, self.count)

    @property
    def difference(self) -> Floats:
        """The share of the class minus the expected one; NaN without rows."""
        return divide(self.positive - self.expected, self.count)

    def to_step(self, difference: Floats) -> Floats:
        """Return the step in the value that changes the expected share by a difference.

        If leaves took several steps, the share is a sigmoid with this slope; half a row of either
        class keeps the step finite.
        """
        if self.is_iterated:
            return self._to_iterated_step(difference)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            step = difference * (self.count / self.slope)
        return np.where(difference == 0.0, 0.0, step)

    def _to_iterated_step(self, difference: Floats) -> Floats:
        share = divide(self.expected, self.count)
        with np.errstate(divide="ignore", invalid="ignore"):
            now, then = (
                (np.clip(x, 0.0, 1.0) * self.count + 0.5) / (self.count + 1.0)
                for x in (share, share + difference)
            )
            stretch = now * (1.0 - now) * self.count / self.slope
            step = stretch * (np.log(then / (1.0 - then)) - np.log(now / (1.0 - now)))
        return np.where(difference == 0.0, 0.0, step)


def sum_margins(
    model: Model,
    steps: Steps,
    X: Floats,
    place: NDArray[np.intp],
    wanted: Chosen,
    n_threads: int,
) -> Iterator[tuple[int, int, MarginSums]]:
    """Yield the indices of an ensemble and a tree, and the sums at the nodes of the tree.

    The values of the model are margins, set by these steps; ``wanted`` are the trees to yield.
    """
    together = model.link == "softmax"
    groups = [list(range(len(model.ensembles)))] if together else [[k] for k in wanted]
    for group in groups:
        ensembles = [model.ensembles[k] for k in group]
        score = np.array([np.full(len(X), ensemble.base_value) for ensemble in ensembles])
        last = max((wanted[k][-1] for k in group if wanted.get(k)), default=-1)
        for j in range(last + 1):
            p = softmax(score.T).T if together else np.asarray(inverse_link(score))
            grown = [(i, e.trees[j]) for i, e in enumerate(ensembles) if j < len(e.trees)]
            leaves = {i: find_leaves(tree, X, n_threads) for i, tree in grown}
            shift = 0.0
            if steps.coupled:
                shift = sum(p[i] * tree.value[leaves[i]] for i, tree in grown)
            for i, tree in grown:
                if j in wanted.get(group[i], ()):
                    positive = place == model.targets[group[i]]
                    if steps.iterations > 1:
                        rows = expect_iterated(steps, tree, leaves[i], positive, score[i])
                    else:
                        rows = _expect(steps, tree, leaves[i], p[i], shift)
                    sums = _sum_tree(steps, tree, leaves[i], positive, rows)
                    yield group[i], j, sums
            for i, tree in grown:
                with np.errstate(over="ignore"):
                    score[i] += (ensembles[i].leverage[j] * tree.output)[leaves[i]]
            if not np.isfinite(score).all():
                raise ValueError(f"scores must be finite, got an overflow at tree {j}.")


def _expect(
    steps: Steps, tree: Tree, leaf: Ints, p: Floats, shift: Floats | float
) -> tuple[Floats, Floats]:
    """Return the expected probability of each row after the tree, and its slope in the value.

    The shift is the mean of the values of all classes, which is subtracted if they are coupled.
    """
    step, pull, factor, weight = _unshrink(steps, tree)
    hessian = steps.hessian * p * (1.0 - p)
    moved = p * (step[leaf] - shift) if steps.coupled else hessian * step[leaf]
    return p + moved + pull[leaf], hessian * factor[leaf] + weight[leaf]


def _sum_tree(
    steps: Steps, tree: Tree, leaf: Ints, positive: Flags, rows: tuple[Floats, Floats]
) -> MarginSums:
    """Sum labels, expected probabilities and slopes over the rows at each node."""
    n, (expected, slope) = tree.n_nodes, rows
    count, here = np.bincount(leaf, minlength=n), np.bincount(leaf[positive], minlength=n)
    total, slopes = (np.asarray(np.bincount(leaf, x, n), np.float64) for x in (expected, slope))
    further = np.where(tree.value > 0.0, np.maximum(total, here), np.minimum(total, here))
    clipped = np.abs(tree.value) >= steps.limit * (1.0 - ROUNDING)
    counted = np.where(clipped, further, total)
    sums = MarginSums(
        count=count,
        positive=here,
        expected=np.where(_are_fixed(slopes, count), here, counted),
        square=np.bincount(leaf, (positive - expected) ** 2, n).astype(np.float64),
        expected_square=np.bincount(leaf, expected**2, n).astype(np.float64),
        slope=slopes,
        is_iterated=steps.iterations > 1,
    )
    at_nodes: dict[str, Any] = {
        name: sum_up(getattr(sums, name), tree.left, tree.right) for name in SUMMED
    }
    return replace(sums, **at_nodes)


def _are_fixed(slope: Floats, count: NDArray[np.int64]) -> Flags:
    """Tell where the model is too certain of the rows for any step to move them."""
    return np.asarray(slope < FIXED * count)


def _unshrink(steps: Steps, tree: Tree) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the steps of leaves without penalties: multiples of hessians, and addends per row.

    If the training's hessians H are known, the step is ``value · (H + l2) / H + sign · l1 / H``.
    Else the penalties are spread over the N training rows: each adds ``(l2 value + sign l1) / N``.
    The last two results are the derivatives of the first two by the value.
    """
    value, nothing = tree.value, np.zeros(tree.n_nodes)
    l2 = steps.l2_of(tree)
    if not (l2.any() or steps.l1):
        return value, nothing, nothing + 1.0, nothing
    known = tree.weight > 0.0
    inverse = np.divide(1.0, tree.weight, out=np.zeros(tree.n_nodes), where=known)
    rest = np.sign(value) * steps.l1 * inverse
    if steps.weights == "hessians":
        factor = 1.0 + l2 * inverse
        return value * factor + rest, nothing, factor, nothing
    return value, l2 * inverse * value + rest, nothing + 1.0, l2 * inverse


def find_differences(sums: MarginSums, miss: float) -> tuple[Floats, Floats]:
    """Return the ends of an interval for the difference of shares at each node.

    The observed share has its exact interval (Clopper and Pearson). If the expected probabilities
    of the rows differ, their sample adds an independent error: Student's interval with the variance
    that labels do not explain, added in squares (Zou and Donner). A sample without rare rows shows
    too little of that variance, and a share near 0 or 1 has no room on one side; so both sides are
    then as wide as the wider one. The interval is never narrower than the exact one, so it does not
    collapse where all rows are of one class.

    The probability of a miss is that of both sides. Ends are NaN without rows, and infinite for
    fewer than five rows or rows that no step moves.
    """
    from scipy.special import stdtrit

    n, k = sums.count, sums.positive
    share, middle = divide(k, n), sums.difference
    low, high = exact_interval(k, n, 1.0 - miss)
    below, above = share - low, high - share
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = (sums.square - n * middle**2) / (n - 1.0)
        labels = share * (1.0 - share) * (n / (n - 1.0))
        rest = np.maximum(variance - labels, 0.0)
        spread = stdtrit(n - 1.0, 1.0 - 0.5 * miss) * np.sqrt(rest / n)
        differ = sums.expected_square / n - (sums.expected / n) ** 2 > ALIKE
    spread = np.where((n < LEAST) | sums.is_fixed, np.inf, spread)
    wide = np.maximum(below, above)
    low = middle - np.hypot(np.where(differ, wide, below), spread)
    return low, middle + np.hypot(np.where(differ, wide, above), spread)
