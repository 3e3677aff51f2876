"""The smoothing of posteriors in horotree's own trees, recovered from the trees.

A node with the weights W⁺ and W has the posterior ``(W⁺ + s q) / (W + s)``, where q is the
posterior of a node above it, 1/2 at the root, and s the smoothing. Other rows must be smoothed
alike before they are compared. The weights of children sum to those of their parent, which gives
equations that are linear in s.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.trees import Ensemble, Tree

# The tolerance of these equations, as a share of the root's weight.
ROUNDING = 1e-10

# The least number of splits that determine the smoothing.
LEAST = 2


@dataclass(frozen=True, slots=True)
class Smoothing:
    """The weight added to each node, with the posterior of a host or of a parent above it."""

    amount: float
    to_host: bool

    def apply(self, tree: Tree, node: NDArray[np.int32], value: Floats) -> Floats:
        """Return logits of nodes, smoothed as trained ones are; NaN for NaN."""
        if not self.amount:
            return value
        part = (self.amount / (tree.weight + self.amount))[node]
        above = _find_above(tree, to_host=self.to_host)[node]
        found = np.where(np.isnan(value), 0.0, value)
        # As shares of both classes, so that neither is rounded to 0.
        positive, negative = (
            (1.0 - part) * np.exp(-np.logaddexp(0.0, -sign * found)) + part * q
            for sign, q in ((1.0, above), (-1.0, 1.0 - above))
        )
        return np.where(np.isnan(value), np.nan, np.log(positive) - np.log(negative))


def find_smoothing(ensemble: Ensemble) -> Smoothing:
    """Return the smoothing of trees whose values are logits of posteriors; 0 if none fits."""
    for to_host in (True, False):
        parts = [_equations(tree, to_host=to_host) for tree in ensemble.trees]
        target, factor = np.concatenate([np.empty((2, 0)), *parts], axis=1)
        if np.count_nonzero(factor) < LEAST:
            continue
        amount = float(factor @ target) / float(factor @ factor)
        if amount > 0.0 and np.abs(target - amount * factor).max() <= ROUNDING:
            return Smoothing(amount, to_host)
    return Smoothing(0.0, to_host=False)


def _equations(tree: Tree, *, to_host: bool) -> Floats:
    """Return for each inner node the sides of its equation: a remainder, and the factor of s."""
    inner = np.flatnonzero(~tree.is_leaf)
    if not (np.isfinite(tree.weight).all() and tree.weight[0] > 0.0):
        return np.empty((2, 0))
    pulled = tree.posterior - _find_above(tree, to_host=to_host)
    both = np.stack([tree.posterior * tree.weight, -pulled]) / tree.weight[0]
    return np.asarray(both[:, tree.left[inner]] + both[:, tree.right[inner]] - both[:, inner])


def _find_above(tree: Tree, *, to_host: bool) -> Floats:
    """Return the posterior that each node is smoothed towards."""
    parent = np.maximum(tree.parent, 0)
    above = tree.host[parent] if to_host else parent
    return np.where(tree.parent < 0, 0.5, tree.posterior[above])
