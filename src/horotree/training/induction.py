"""Growing trees: the heaviest impure leaf is split next, by the test that lowers the loss most."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from horotree import _native
from horotree._checks import Floats
from horotree.trees import Forest, Tree
from horotree.trees.forest import offsets

from .binning import Binning
from .lanes import Lanes, one_each, share_lanes
from .machines import Machines
from .pace import Pace

# Memory for the histograms of one tree; those that do not fit are built again when needed.
HISTOGRAM_BYTES = 512 * 2**20

# With fewer values in the table, one thread may be as fast as several.
MANY_VALUES = 2**18


class Rules(NamedTuple):
    """How a tree is grown."""

    max_leaf_nodes: int
    max_depth: int  # the largest number of tests on a path
    min_samples_leaf: int  # of both children of a test
    max_features: int  # drawn for each node
    forbid_pure: bool  # whether both children of a test must hold both classes
    n_threads: int  # trees do not depend on it


class Judging(NamedTuple):
    """What the nodes of a tree predict, and when boosting ends."""

    smoothing: float  # a pseudo-weight
    to_host: bool  # smooth towards the posterior of the parent's host, or of the parent
    monotonic: bool  # whether a node predicts the value of its host, or its own
    tolerance: float  # relative, of comparisons of confidences
    least_rest: float  # an edge is at most 1 minus this
    learning_rate: float  # a factor of leverages
    least_edge: float  # a tree with a smaller edge ends boosting


@dataclass(frozen=True, slots=True)
class Grown:
    """The trees of some rounds, before bins become thresholds."""

    nodes: NDArray[np.void]  # records of ``_native.NODE``, one tree after the other
    left_bins: NDArray[np.uint8]  # a byte per bin of each node that splits by categories
    # Five rows: values, predictions and weights of the nodes, and their factors of the odds of
    # negative and of positive examples.
    judged: Floats
    n_nodes: list[int]  # of each tree
    edge: list[float]
    leverage: list[float]
    # Whether the last round found no edge and so has no tree here, or the leverage of the last tree
    # is not finite.
    is_over: bool


Scratch = tuple[NDArray[np.uint64], NDArray[np.uint32]]


class Examples:
    """Binned training examples, the negative class first, and the buffers to grow trees in.

    In X, NaN is missing, and categories are codes. By default features of few bins share a lane if
    there are enough rows. Machines that sum their histograms need the same lanes: ``one_each``.
    """

    def __init__(
        self,
        X: Floats,
        positive: NDArray[np.bool_],
        binning: Binning,
        lanes: Lanes | None = None,
        *,
        n_threads: int,
    ) -> None:
        self.binning = binning
        self.lanes = share_lanes(binning.n_bins, len(X)) if lanes is None else lanes
        order = negatives_first(positive)
        self._hold(binning.pack(X, order, self.lanes, n_threads=n_threads), order, positive)

    @classmethod
    def from_words(
        cls, words: NDArray[np.uint64], positive: NDArray[np.bool_], binning: Binning
    ) -> "Examples":
        """Return examples that are packed already, one lane per feature, negative class first."""
        examples = cls.__new__(cls)
        examples.binning = binning
        examples.lanes = one_each(binning.n_bins)
        examples._hold(words, negatives_first(positive), positive)  # noqa: SLF001 - an object of this class
        return examples

    def _hold(
        self, words: NDArray[np.uint64], order: NDArray[np.uint32], positive: NDArray[np.bool_]
    ) -> None:
        """Take over packed bins of the rows in ``order``; ``positive`` is in the order of X."""
        n = len(order)
        self._words = words
        # Growing a tree moves the rows of each node together. Per place: the weight of the row
        # that is there now, and its index in ``order``.
        self._examples = np.zeros((n, 2), np.uint32)
        self._begin(order, positive)
        self.leaf = np.empty(n, np.int32)  # of each example in the last tree
        self._weights = np.empty(n, np.int32)
        self._scratch = self._make_scratch(1)
        self._histograms = np.empty((0, 0), np.int64)

    def _begin(self, order: NDArray[np.uint32], positive: NDArray[np.bool_]) -> None:
        """Forget the trees so far."""
        n = len(order)
        self.order = order
        self.n_negative = n - int(np.count_nonzero(positive))
        self._examples[:, 1] = np.arange(n)
        # The weight of the lightest inner node of the last tree, as a share. Threads that look for
        # splits in parallel guess from it which nodes the next tree will split.
        self._lightest = 0.0
        self._pace = Pace() if n * len(self.binning.n_bins) < MANY_VALUES else None

    def __len__(self) -> int:
        return len(self.order)

    def regroup(self, positive: NDArray[np.bool_]) -> None:
        """Give the rows other classes, in the order of X; the bins are moved, not packed again."""
        place = np.empty(len(self), np.uint32)  # of each row of X
        place[self.order[self._examples[:, 1]]] = np.arange(len(self), dtype=np.uint32)
        order = negatives_first(positive)
        source = place[order]
        for group in self._words:
            group[:] = group[source]
        self._begin(order, positive)

    def boost(
        self,
        odds: Floats,
        amount: Floats,
        rules: Rules,
        judging: Judging,
        *,
        n_rounds: int,
        most_nodes: int,
        seed: int,
        machines: Machines,
    ) -> Grown:
        """Boost some rounds, at most ``n_rounds``, and update the odds.

        ``odds`` are exp(-y F) of each example, and are changed in place; ``amount`` is its sample
        weight. No other tree is begun when all trees together have more than ``most_nodes`` nodes
        and bins of categories. ``seed`` is for the draws of features, the same in all these rounds.
        """
        n_threads = rules.n_threads
        pace = self._pace if n_threads > 1 else None
        if pace is not None:
            n_threads = n_threads if pace.together() else 1
            n_rounds = min(n_rounds, pace.n_alike())
        arguments = self.space(rules) | rules._asdict() | judging._asdict()
        arguments["n_threads"] = n_threads
        start = time.perf_counter()
        grown = _native.boost_trees(
            **arguments,
            odds=odds,
            amount=amount,
            weights=self._weights,
            n_rounds=n_rounds,
            most_nodes=most_nodes,
            seed=seed,
            lightest=self._lightest,
            reduce=machines.reduce,
            decide=machines.decide,
            common_unit=machines.common_unit,
        )
        records, left_bins, judged, n_nodes, edge, leverage, self._lightest, is_over = grown
        if pace is not None:
            pace.add(time.perf_counter() - start, max(1, len(n_nodes)))
        return Grown(
            records.view(_native.NODE),
            left_bins,
            judged,
            n_nodes,
            edge,
            leverage,
            is_over,
        )

    def space(self, rules: Rules) -> dict[str, Any]:
        """Return the examples and the buffers as arguments of the kernels that grow trees."""
        if len(self._scratch[0]) < 2 * rules.n_threads:
            self._scratch = self._make_scratch(rules.n_threads)
        goes_left, moves = self._scratch
        return {
            "words": self._words,
            "bits": self.lanes.bits,
            "lane": self.lanes.lane,
            "shift": self.lanes.shift,
            "n_codes": self.lanes.n_codes,
            "examples": self._examples,
            "n_negative": self.n_negative,
            "n_bins": self.binning.n_bins,
            "missing": self.binning.missing,
            "categorical": self.binning.categorical,
            "goes_left": goes_left,
            "moves": moves,
            "histograms": self._histogram_space(rules),
            "leaf": self.leaf,
        }

    def _make_scratch(self, n_threads: int) -> Scratch:
        """Return buffers for flags and for lists of rows."""
        n = len(self)
        return (
            np.empty((2 * n_threads, n // 64 + 1), np.uint64),
            np.empty((2, n), np.uint32),
        )

    def _histogram_space(self, rules: Rules) -> NDArray[np.int64]:
        """Return a buffer for one histogram per leaf and three more, up to HISTOGRAM_BYTES.

        It is reused for every tree: new pages are slow, and pages never written take no memory.
        """
        size = self.lanes.size * (3 if rules.min_samples_leaf > 1 else 2)
        n_slots = max(3, min(rules.max_leaf_nodes + 3, HISTOGRAM_BYTES // (8 * size)))
        if self._histograms.shape != (n_slots, size):
            self._histograms = np.empty((n_slots, size), np.int64)
        return self._histograms


def negatives_first(positive: NDArray[np.bool_]) -> NDArray[np.uint32]:
    """Return the order of rows in which trees grow."""
    return np.concatenate([np.flatnonzero(~positive), np.flatnonzero(positive)]).astype(np.uint32)


def to_trees(grown: Sequence[Grown], binning: Binning) -> tuple[Tree, ...]:
    """Convert grown trees: bins to thresholds, sets of bins to category codes.

    All trees at once: NumPy takes as long for one small tree as for hundreds.
    """
    nodes = grown[0].nodes
    if len(grown) > 1:  # as bytes: to concatenate records, NumPy compares their types by field
        nodes = np.concatenate([trees.nodes.view(np.uint8) for trees in grown]).view(_native.NODE)
    value, output, weight = np.concatenate([trees.judged[:3] for trees in grown], axis=1)
    left, right, feature = (nodes[name].copy() for name in ("left", "right", "feature"))
    missing_left = nodes["missing_left"].copy()
    inner = feature >= 0
    by_category = inner & (binning.categorical[feature] > 0)
    numeric = np.flatnonzero(inner & ~by_category)
    threshold = np.zeros(len(feature))
    threshold[numeric] = binning.threshold(feature[numeric], nodes["bin"][numeric])
    with_set = np.flatnonzero(by_category)
    goes_left = np.concatenate([trees.left_bins for trees in grown])
    codes, sizes, swap = _category_sets(goes_left, feature[with_set], binning)
    set_size = np.zeros(len(feature), np.int64)
    set_size[with_set] = sizes
    swapped = with_set[swap]
    left[swapped], right[swapped] = right[swapped], left[swapped]
    missing_left[swapped] = ~missing_left[swapped]
    tree_start = offsets([n for trees in grown for n in trees.n_nodes])
    first = np.repeat(tree_start[:-1], np.diff(tree_start))
    forest = Forest(
        tree_start=tree_start,
        left=left,
        right=right,
        feature=feature,
        threshold=threshold,
        missing_left=missing_left,
        category_start=offsets(set_size),
        category=codes,
        value=value,
        output=output,
        weight=weight,
        count=nodes["count"],
        gain=_find_gains(nodes, output, weight, left + first, right + first),
    )
    return forest.trees


def _find_gains(
    nodes: NDArray[np.void],
    output: Floats,
    weight: Floats,
    left: NDArray[np.int64],
    right: NDArray[np.int64],
) -> Floats:
    """Return by how much tests lower the weighted log-loss of what nodes predict; 0 at leaves."""
    negative, positive = nodes["negative"], nodes["positive"]
    # Which part of the weight is of the class that the node does not predict.
    wrong = np.where(output > 0.0, negative, positive) / np.maximum(negative + positive, 1)
    size = np.abs(output)
    loss = weight * (np.logaddexp(0.0, -size) + wrong * size)
    inner = nodes["feature"] >= 0
    gain = np.zeros(len(nodes))
    gain[inner] = loss[inner] - (loss[left[inner]] + loss[right[inner]])
    return gain


def _category_sets(
    goes_left: NDArray[np.uint8], feature: NDArray[np.int32], binning: Binning
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.bool_]]:
    """Return the codes of all sets, the sizes of the sets, and which nodes swap their children."""
    n_bins = binning.n_bins[feature].astype(np.int64)
    end = np.cumsum(n_bins)
    has_missing = binning.missing[feature] >= 0
    no_code = end[has_missing] - 1
    goes_left[no_code] = 0
    n_left = np.add.reduceat(goes_left, end - n_bins, dtype=np.int64)
    n_right = n_bins - has_missing - n_left
    # The set of categories must not be empty, but it is if only missing values go left. The smaller
    # side is stored: a node that has seen few of many categories sends all others to one side.
    swap = (n_left == 0) | ((n_right > 0) & (n_right < n_left))
    inside = goes_left ^ np.repeat(swap, n_bins)
    inside[no_code] = 0
    sizes = np.where(swap, n_right, n_left)
    codes = np.flatnonzero(inside) - np.repeat(end - n_bins, sizes)
    return codes.astype(np.int32), sizes, swap
