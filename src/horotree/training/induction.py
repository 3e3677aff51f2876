"""Growing one tree: the heaviest impure leaf is split next, by the split that lowers risk most."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree import _native
from horotree._checks import Floats
from horotree.trees import Tree

from .binning import Binning

Reduce = Callable[[NDArray[np.int64]], None]

# Memory that histograms of one tree may take; beyond it they are built again instead of kept.
HISTOGRAM_BYTES = 512 * 2**20


@dataclass(frozen=True, slots=True)
class Rules:
    """When to split, and how far.

    Parameters
    ----------
    max_leaf_nodes : int
        The number of leaves at which growing stops.
    max_depth : int
        The most tests on a path.
    min_samples_leaf : int
        The fewest examples a child may have.
    max_features : int
        How many features are looked at in each node, drawn anew.
    forbid_pure : bool
        Whether both children must hold examples of both classes.
    n_threads : int
        Threads; the tree does not depend on their number.
    """

    max_leaf_nodes: int
    max_depth: int
    min_samples_leaf: int
    max_features: int
    forbid_pure: bool
    n_threads: int


@dataclass(frozen=True, slots=True)
class Grown:
    """A tree's structure, with the weight of each class in each node but no predictions yet.

    Weights are in units of ``unit``; ``leaf`` tells each example its leaf, in the order of
    ``Examples``.
    """

    nodes: dict[str, Any]
    unit: float
    leaf: NDArray[np.int32]

    @property
    def negative(self) -> Floats:
        """Weight of the negative class by node."""
        return np.asarray(self.nodes["negative"] * self.unit)

    @property
    def positive(self) -> Floats:
        """Weight of the positive class by node."""
        return np.asarray(self.nodes["positive"] * self.unit)


class Examples:
    """Binned training examples, the negative class first, and the space in which trees grow.

    Parameters
    ----------
    X : float64 array, C-contiguous
        One row an example; NaN is missing, categories are codes.
    positive : bool array
        The class of each example.
    binning : Binning
        Where the columns are cut.
    n_threads : int
        Threads for the binning.
    """

    def __init__(
        self, X: Floats, positive: NDArray[np.bool_], binning: Binning, *, n_threads: int
    ) -> None:
        self.binning = binning
        self.order = np.concatenate([np.flatnonzero(~positive), np.flatnonzero(positive)]).astype(
            np.uint32
        )
        self.n_negative = int(np.count_nonzero(~positive))
        self._words = binning.pack(X, self.order, n_threads=n_threads)
        # Growing a tree moves rows, so that those of a node are together; ids tell which is where.
        n = len(self.order)
        self._ids = np.arange(n, dtype=np.uint32)
        self._scratch = (
            np.empty(n, np.int32),
            np.empty(n, np.uint8),
            np.empty((2, n // 2 + 1), np.uint32),
        )
        self._histograms = np.empty((0, 0), np.int64)

    def __len__(self) -> int:
        return len(self.order)

    def grow(
        self,
        weights: NDArray[np.int32],
        unit: float,
        rules: Rules,
        *,
        seed: int,
        reduce: Reduce | None = None,
    ) -> Grown:
        """Grow a tree on integer weights, each worth ``unit``; ``reduce`` sums over machines."""
        binning = self.binning
        leaf = np.empty(len(self), np.int32)
        nodes = _native.grow_tree(
            self._words,
            binning.bits,
            self._ids,
            weights,
            self.n_negative,
            binning.n_bins,
            binning.missing,
            binning.categorical,
            *self._scratch,
            self._histogram_space(rules),
            unit=unit,
            max_leaf_nodes=rules.max_leaf_nodes,
            max_depth=rules.max_depth,
            min_samples_leaf=rules.min_samples_leaf,
            max_features=rules.max_features,
            forbid_pure=rules.forbid_pure,
            seed=seed,
            n_threads=rules.n_threads,
            reduce=reduce,
            leaf=leaf,
        )
        return Grown(nodes, unit, leaf)

    def _histogram_space(self, rules: Rules) -> NDArray[np.int64]:
        """Return room for a histogram a leaf and three more, as far as the memory allowed goes.

        Kept from tree to tree, because new pages are slow; pages never written take no memory.
        """
        size = int(self.binning.n_bins.sum()) * (3 if rules.min_samples_leaf > 1 else 2)
        n_slots = max(3, min(rules.max_leaf_nodes + 3, HISTOGRAM_BYTES // (8 * size)))
        if self._histograms.shape != (n_slots, size):
            self._histograms = np.empty((n_slots, size), np.int64)
        return self._histograms


def to_tree(grown: Grown, value: Floats, output: Floats, binning: Binning) -> Tree:
    """Return the frozen tree, with cut points for bins and category codes for sets of bins."""
    nodes = grown.nodes
    left, right, feature = nodes["left"].copy(), nodes["right"].copy(), nodes["feature"]
    missing_left = nodes["missing_left"].astype(bool)
    by_category = (feature >= 0) & (binning.categorical[feature] > 0)
    numeric = (feature >= 0) & ~by_category
    threshold = np.zeros(len(feature))
    threshold[numeric] = binning.threshold(feature[numeric], nodes["bin"][numeric])
    sets = {}
    for node, goes_left in _category_flags(nodes["left_bins"], feature, by_category, binning):
        n_left = np.count_nonzero(goes_left)
        n_right = len(goes_left) - n_left
        # The set must not be empty, as it is if only the missing go left. The smaller side is kept:
        # a node that has seen few of many categories sends all the others one way.
        swap = n_left == 0 or 0 < n_right < n_left
        sets[node] = np.flatnonzero(goes_left != swap).astype(np.int32)
        if swap:
            left[node], right[node] = right[node], left[node]
            missing_left[node] = not missing_left[node]
    sizes = np.zeros(len(feature), np.int64)
    sizes[list(sets)] = [len(codes) for codes in sets.values()]
    return Tree(
        left=left,
        right=right,
        feature=feature,
        threshold=threshold,
        missing_left=missing_left,
        category_start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32),
        category=np.concatenate([*sets.values(), np.empty(0, np.int32)]),
        value=value,
        output=output,
        weight=grown.negative + grown.positive,
        count=nodes["count"],
    )


def _category_flags(
    flags: NDArray[np.uint8],
    feature: NDArray[np.int32],
    by_category: NDArray[np.bool_],
    binning: Binning,
) -> Iterator[tuple[int, NDArray[np.uint8]]]:
    """Yield the categorical nodes, and for each code of theirs if it goes left; no missing bin."""
    place = 0
    for node in np.flatnonzero(by_category).tolist():
        n_bins = int(binning.n_bins[feature[node]])
        has_missing = binning.missing[feature[node]] >= 0
        yield node, flags[place : place + n_bins - int(has_missing)]
        place += n_bins
