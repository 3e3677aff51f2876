"""Rows at the nodes of imported boosting: what a tree leads to expect of them, and what is there.

A tree moves the probability p that a row has before it. At its full step, that of learning rate 1,
it leads to expect ``p + hessian · p (1 - p) · step`` of the class at the row, where the step is the
leaf's value without the training's penalties. Over the training rows of a leaf this sums to the
rows of the class that are there: it is how the leaf was set (see ``Steps``). So any other rows can
be held against it by counting them, and their own step is the one that makes both sums equal.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.evaluation.proportions import exact_interval
from horotree.losses import inverse_link
from horotree.trees import Model, Steps, Tree, find_leaves, sum_up
from horotree.trees.links import softmax
from horotree.trees.tree import Flags, Ints

from .iterations import expect_iterated

# A mean of p (1 - p) below this is what rounding leaves of a p of 0 or 1.
FIXED = 1e-12

# The variance of what is expected of rows up to which they are alike, but for rounding.
ALIKE = 1e-8

# Of fewer rows nothing is known.
LEAST = 5

# A value this close to the limit is at it.
ROUNDING = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class MarginSums:
    """The rows that come by at each node.

    Parameters
    ----------
    count, positive : int64 array
        The rows, and those of the class.
    expected : float64 array
        How many of the class the tree leads to expect, at its full step.
    square : float64 array
        The sum of squares of what is there (1 or 0) less what is expected.
    expected_square : float64 array
        The sum of squares of what is expected of each row.
    slope : float64 array
        By how many rows more are expected if all values below rise by 1.
    is_iterated : bool
        Whether what is expected is no line in the value, but near to a sigmoid.
    """

    count: NDArray[np.int64]
    positive: NDArray[np.int64]
    expected: Floats
    square: Floats
    expected_square: Floats
    slope: Floats
    is_iterated: bool = False

    def take(self, node: Ints) -> "MarginSums":
        """Return the sums at some of the nodes."""
        return MarginSums(
            count=self.count[node],
            positive=self.positive[node],
            expected=self.expected[node],
            square=self.square[node],
            expected_square=self.expected_square[node],
            slope=self.slope[node],
            is_iterated=self.is_iterated,
        )

    @property
    def is_fixed(self) -> Flags:
        """Whether the model is so sure of the rows of a node that no step moves them."""
        return _are_fixed(self.slope, self.count)

    @property
    def difference(self) -> Floats:
        """The share of the class less the one that is expected; NaN without rows."""
        return _divide(self.positive - self.expected, self.count)

    def to_step(self, difference: Floats) -> Floats:
        """Return by how much values are too low, given by how much shares are.

        Where leaves took several steps, as a sigmoid of the slope here would; a half row of either
        class keeps it finite.
        """
        if self.is_iterated:
            return self._to_iterated_step(difference)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            step = difference * (self.count / self.slope)
        return np.where(difference == 0.0, 0.0, step)

    def _to_iterated_step(self, difference: Floats) -> Floats:
        share = _divide(self.expected, self.count)
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
    wanted: Mapping[int, list[int]],
    n_threads: int,
) -> Iterator[tuple[int, int, MarginSums]]:
    """Yield ensemble, tree, and the sums at its nodes, tree after tree in each ensemble.

    Parameters
    ----------
    model : Model
        Its values are margins.
    steps : Steps
        How they were set.
    X : float64 array
        The rows.
    place : int array
        The class of each row, by its place.
    wanted : dict
        Of each ensemble that is looked at, the trees to yield, increasing.
    n_threads : int
        Threads.

    Yields
    ------
    int, int, MarginSums
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
    """Return by row what is expected after the tree, and by how much it grows with the value.

    The shift is what the values of all classes together take away, if these step together.
    """
    step, pull, factor, weight = _unshrink(steps, tree)
    hessian = steps.hessian * p * (1.0 - p)
    moved = p * (step[leaf] - shift) if steps.coupled else hessian * step[leaf]
    return p + moved + pull[leaf], hessian * factor[leaf] + weight[leaf]


def _sum_tree(
    steps: Steps, tree: Tree, leaf: Ints, positive: Flags, rows: tuple[Floats, Floats]
) -> MarginSums:
    """Sum over the rows of each node what is expected of them, its growth, and what is there."""
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
    names = ("count", "positive", "expected", "square", "expected_square", "slope")
    below: dict[str, Any] = {
        name: sum_up(getattr(sums, name), tree.left, tree.right) for name in names
    }
    return replace(sums, **below)


def _are_fixed(slope: Floats, count: NDArray[np.int64]) -> Flags:
    """Tell where the model is so sure of the rows that no step moves them."""
    return np.asarray(slope < FIXED * count)


def _unshrink(steps: Steps, tree: Tree) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the steps of leaves without penalties, as a factor of hessians and as a part of rows.

    If the training's hessians are known, the step is ``value · (H + l2) / H + sign · l1 / H``. Else
    the penalties are spread over the training rows N: each row has ``(l2 value + sign l1) / N``.
    The third and fourth are by how much these two grow with the value.
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

    The share that is there has its exact interval, of Clopper and Pearson. If rows of a node are
    expected to differ, their sample adds an error: the interval is widened by Student's, with the
    variance that labels do not explain, both joined by squares as independent errors are (Zou and
    Donner). A sample that lacks what is rare shows too little of that variance, and a share at the
    border has no room on one side; so then both sides are as wide as the wider one. The interval is
    never narrower than the exact one, so it does not collapse where all rows of a node are of one
    class. Of less than five rows, and of rows that no step moves, nothing is known.

    Parameters
    ----------
    sums : MarginSums
        What came by.
    miss : float
        The probability to miss the difference, half of it on each side.

    Returns
    -------
    low, high : float64 array
        NaN where nothing came by, infinite where nothing is known.
    """
    from scipy.special import stdtrit

    n, k = sums.count, sums.positive
    share, middle = _divide(k, n), sums.difference
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


def _divide(part: NDArray[np.float64] | NDArray[np.int64], whole: NDArray[np.int64]) -> Floats:
    """Return quotients, NaN where there is nothing to divide by."""
    return np.asarray(
        np.divide(part, whole, out=np.full(len(whole), np.nan), where=np.asarray(whole) > 0)
    )
