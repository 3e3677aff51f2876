"""Expected probabilities after leaves that were set by several Newton steps, as in CatBoost.

Each step is ``Σ (y - p) / (Σ p (1 - p) + l2)`` at the p of the step before. Without l2 they
converge to where the leaf has as many rows of the class as expected, ``Σ sigmoid(score + value)``.
With it, about ``(l2 / (h + l2)) ** iterations`` of the gap remains, where h is the mean hessian of
the steps.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.losses import inverse_link
from horotree.trees import Steps, Tree
from horotree.trees.tree import Flags, Ints

# The largest error, as a share of a leaf's rows, by which the estimate is corrected: with a larger
# one the steps did not converge.
SETTLED = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class _Leaves:
    """The rows at the leaves of a tree: scores before it, counts and penalties."""

    leaf: Ints
    score: Floats
    count: NDArray[np.int64]
    positive: NDArray[np.int64]
    penalty: Floats

    def sum(self, values: Floats) -> Floats:
        return np.asarray(np.bincount(self.leaf, values, len(self.count)), np.float64)

    def at(self, value: Floats) -> Floats:
        """Return the probabilities of rows after leaves have added these values."""
        return np.asarray(inverse_link(self.score + value[self.leaf]), np.float64)


def expect_iterated(
    steps: Steps, tree: Tree, leaf: Ints, positive: Flags, score: Floats
) -> tuple[Floats, Floats]:
    """Return the expected probability of each row after the tree, and its slope in the value.

    Rows have a leaf, a label and the score before the tree; leaves were set by several steps.
    """
    n = tree.n_nodes
    count = np.bincount(leaf, minlength=n)
    inverse: Floats = np.divide(1.0, tree.weight, out=np.zeros(n), where=tree.weight > 0.0)
    here = np.bincount(leaf[positive], minlength=n)
    rows = _Leaves(leaf, score, count, here, steps.l2 * count * inverse)
    own = np.zeros(n)
    for _ in range(steps.iterations):
        p = rows.at(own)
        hessian = rows.sum(p * (1.0 - p)) + rows.penalty
        own += np.divide(here - rows.sum(p), hessian, out=np.zeros(n), where=hessian > 0.0)
    missed = here - _estimate(steps, rows, own)[0]
    estimate, rest = _estimate(steps, rows, tree.value)
    estimate += np.where(np.abs(missed) <= SETTLED * count, missed, 0.0)
    after = rows.at(tree.value)
    more = np.divide(estimate - rows.sum(after), count, out=np.zeros(n), where=count > 0)
    return after + more[leaf], after * (1.0 - after) / (1.0 - rest[leaf])


def _estimate(steps: Steps, rows: _Leaves, value: Floats) -> tuple[Floats, Floats]:
    """Return the rows of the class that would set leaves to values, and the remaining share."""
    before = rows.at(np.zeros(len(value)))
    start, after = rows.sum(before), rows.sum(rows.at(value))
    hessian = rows.sum(before * (1.0 - before))
    moved = np.abs(value) > 1e-9
    hessian = np.divide(after - start, value, out=hessian, where=moved)
    size = hessian + rows.penalty
    rest = np.divide(rows.penalty, size, out=np.zeros(len(value)), where=size > 0.0)
    rest = np.minimum(rest**steps.iterations, 1.0 - 1e-9)
    return np.asarray(after + (after - start) * rest / (1.0 - rest), np.float64), rest
