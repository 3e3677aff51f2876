"""Growing one tree: the heaviest impure leaf is split next, by the split that lowers risk most."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from horotree import _native
from horotree._checks import Floats
from horotree.trees import Tree
from horotree.trees._joining import trust_trees

from .binning import Binning
from .machines import Exchange
from .pace import Pace

# Memory that histograms of one tree may take; beyond it they are built again instead of kept.
HISTOGRAM_BYTES = 512 * 2**20

# With fewer values in all, one thread may be as fast as several.
MANY_VALUES = 2**18


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

    ``nodes`` are records of ``_native.NODE``, their weights in units of ``unit``. ``left_bins`` has
    a byte a bin of each node that splits by categories. ``leaf`` tells each example its leaf, in
    the order of ``Examples``, until these grow another tree: new memory for every tree is slow.
    """

    nodes: NDArray[np.void]
    left_bins: bytes
    unit: float
    leaf: NDArray[np.int32]


Scratch = tuple[NDArray[np.int32], NDArray[np.uint64], NDArray[np.uint32]]


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
        self.hold(binning.pack(X, negatives_first(positive), n_threads=n_threads), positive)

    @classmethod
    def from_words(
        cls, words: NDArray[np.uint64], positive: NDArray[np.bool_], binning: Binning
    ) -> "Examples":
        """Return examples whose bins are packed already, the negative class first."""
        examples = cls.__new__(cls)
        examples.binning = binning
        examples.hold(words, positive)
        return examples

    def hold(self, words: NDArray[np.uint64], positive: NDArray[np.bool_]) -> None:
        """Take over packed bins, the negative class first; classes are in the order of X."""
        self.order = negatives_first(positive)
        self.n_negative = int(np.count_nonzero(~positive))
        self._words = words
        # Growing a tree moves rows, so that those of a node are together; ids tell which is where.
        n = len(self.order)
        self._ids = np.arange(n, dtype=np.uint32)
        self._leaf = np.empty(n, np.int32)
        self._scratch = self._make_scratch(1)
        self._bits, self._n_bins = self.binning.bits, int(self.binning.n_bins.sum())
        self._histograms = np.empty((0, 0), np.int64)
        # The lightest inner node's share of the weight in the last tree: from it threads that look
        # for splits at the same time guess which nodes will be in the next one.
        self._lightest = 0.0
        self._pace = Pace() if n * len(self.binning.n_bins) < MANY_VALUES else None

    def __len__(self) -> int:
        return len(self.order)

    def regroup(self, positive: NDArray[np.bool_]) -> None:
        """Give the rows other classes, in the order of X, without a copy of all bins."""
        place = np.empty(len(self), np.uint32)  # of each row of X
        place[self.order[self._ids]] = np.arange(len(self), dtype=np.uint32)
        place = place[negatives_first(positive)]
        for group in self._words:
            group[:] = group[place]
        self.hold(self._words, positive)

    def grow(
        self,
        weights: NDArray[np.int32],
        unit: float,
        rules: Rules,
        *,
        seed: int,
        reduce: Exchange | None = None,
        decide: Exchange | None = None,
    ) -> Grown:
        """Grow a tree on integer weights, each worth ``unit``.

        Over machines, ``reduce`` sums histograms, and ``decide`` makes all take the same split.
        """
        binning, n_threads = self.binning, rules.n_threads
        if self._pace is not None and not self._pace.together():
            n_threads = 1
        if len(self._scratch[1]) < 2 * n_threads:
            self._scratch = self._make_scratch(n_threads)
        start = time.perf_counter()
        nodes, left_bins, self._lightest = _native.grow_tree(
            self._words,
            self._bits,
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
            lightest=self._lightest,
            n_threads=n_threads,
            reduce=reduce,
            decide=decide,
            leaf=self._leaf,
        )
        if self._pace is not None:
            self._pace.tell(time.perf_counter() - start)
        return Grown(np.frombuffer(nodes, _native.NODE), left_bins, unit, self._leaf)

    def _make_scratch(self, n_threads: int) -> Scratch:
        """Return room for weights by place, for flags and for lists of rows."""
        n = len(self)
        return (
            np.empty(n, np.int32),
            np.empty((2 * n_threads, n // 64 + 1), np.uint64),
            np.empty((2, n), np.uint32),
        )

    def _histogram_space(self, rules: Rules) -> NDArray[np.int64]:
        """Return room for a histogram a leaf and three more, as far as the memory allowed goes.

        Kept from tree to tree, because new pages are slow; pages never written take no memory.
        """
        size = self._n_bins * (3 if rules.min_samples_leaf > 1 else 2)
        n_slots = max(3, min(rules.max_leaf_nodes + 3, HISTOGRAM_BYTES // (8 * size)))
        if self._histograms.shape != (n_slots, size):
            self._histograms = np.empty((n_slots, size), np.int64)
        return self._histograms


def negatives_first(positive: NDArray[np.bool_]) -> NDArray[np.uint32]:
    """Return the order of rows in which trees grow."""
    return np.concatenate([np.flatnonzero(~positive), np.flatnonzero(positive)]).astype(np.uint32)


def to_trees(
    grown: Sequence[Grown],
    value: Sequence[Floats],
    output: Sequence[Floats],
    weight: Sequence[Floats],
    binning: Binning,
) -> list[Tree]:
    """Freeze grown trees, with cut points for bins and category codes for sets of bins.

    Each sequence has an entry a tree: what was grown, and the fields of these names. All trees at
    once, since NumPy takes as long for one small tree as for hundreds of them.
    """
    # As bytes: to concatenate records, NumPy compares their types field by field.
    nodes = np.frombuffer(b"".join(tree.nodes.data for tree in grown), _native.NODE)
    left, right, feature = (nodes[name].copy() for name in ("left", "right", "feature"))
    missing_left = nodes["missing_left"].copy()
    inner = feature >= 0
    by_category = inner & (binning.categorical[feature] > 0)
    numeric = np.flatnonzero(inner & ~by_category)
    threshold = np.zeros(len(feature))
    threshold[numeric] = binning.threshold(feature[numeric], nodes["bin"][numeric])
    with_set = np.flatnonzero(by_category)
    goes_left = np.frombuffer(bytearray(b"".join(tree.left_bins for tree in grown)), np.uint8)
    codes, sizes, swap = _category_sets(goes_left, feature[with_set], binning)
    set_size = np.zeros(len(feature), np.int64)
    set_size[with_set] = sizes
    swapped = with_set[swap]
    left[swapped], right[swapped] = right[swapped], left[swapped]
    missing_left[swapped] = ~missing_left[swapped]
    return trust_trees(
        {
            "n_nodes": np.array([len(each) for each in value]),
            "set_size": set_size,
            "left": left,
            "right": right,
            "feature": feature,
            "threshold": threshold,
            "missing_left": missing_left,
            "category": codes,
            "value": np.concatenate(value),
            "output": np.concatenate(output),
            "weight": np.concatenate(weight),
            "count": nodes["count"].copy(),
        }
    )


def _category_sets(
    goes_left: NDArray[np.uint8], feature: NDArray[np.int32], binning: Binning
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.bool_]]:
    """Return the sets' codes, one set after the other, their sizes, and whose children to swap."""
    n_bins = binning.n_bins[feature].astype(np.int64)
    end = np.cumsum(n_bins)
    has_missing = binning.missing[feature] >= 0
    no_code = end[has_missing] - 1
    goes_left[no_code] = 0
    n_left = np.add.reduceat(goes_left, end - n_bins, dtype=np.int64)
    n_right = n_bins - has_missing - n_left
    # The set must not be empty, as it is if only the missing go left. The smaller side is kept: a
    # node that has seen few of many categories sends all the others one way.
    swap = (n_left == 0) | ((n_right > 0) & (n_right < n_left))
    inside = goes_left ^ np.repeat(swap, n_bins)
    inside[no_code] = 0
    sizes = np.where(swap, n_right, n_left)
    codes = np.flatnonzero(inside) - np.repeat(end - n_bins, sizes)
    return codes.astype(np.int32), sizes, swap
