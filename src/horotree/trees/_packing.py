"""Trees one after the other, as the kernels walk them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from horotree import _native
from horotree._checks import Floats

from .tree import Tree


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """The arrays that the kernels walk: all trees' nodes, children counted from a tree's first.

    Sets of categories are bits. Those of one feature cover the same codes, from 0 to one more than
    the largest that goes left anywhere: that one, the ``last_code``, stands for all above it, too.
    """

    left: NDArray[np.int32]
    right: NDArray[np.int32]
    feature: NDArray[np.int32]
    threshold: Floats
    missing_left: NDArray[np.uint8]
    set_start: NDArray[np.int64]
    set_size: NDArray[np.int32]
    sets: NDArray[np.uint64]
    tree_start: NDArray[np.int64]
    set_features: NDArray[np.int64]
    last_code: Floats

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> "Forest":
        """Pack trees."""
        feature = _join([tree.feature for tree in trees], np.int32)
        sizes = _join([np.diff(tree.category_start) for tree in trees], np.int32)
        codes = _join([tree.category for tree in trees], np.int32)
        nodes = np.flatnonzero(sizes)
        cover = np.zeros(int(feature.max(initial=-1)) + 1, np.int32)
        np.maximum.at(cover, feature[nodes], codes[np.cumsum(sizes)[nodes] - 1] + 2)
        set_size = np.zeros(len(feature), np.int32)
        set_size[nodes] = cover[feature[nodes]]
        ends = np.cumsum(set_size[nodes], dtype=np.int64)
        set_start = np.full(len(feature), -1, np.int64)
        set_start[nodes] = ends - set_size[nodes]
        return cls(
            left=_join([tree.left for tree in trees], np.int32),
            right=_join([tree.right for tree in trees], np.int32),
            feature=feature,
            threshold=_join([tree.threshold for tree in trees], np.float64),
            missing_left=_join([tree.missing_left for tree in trees], np.bool_).view(np.uint8),
            set_start=set_start,
            set_size=set_size,
            sets=_set_bits(np.repeat(set_start[nodes], sizes[nodes]) + codes, int(set_size.sum())),
            tree_start=np.cumsum([0, *(tree.n_nodes for tree in trees)], dtype=np.int64),
            set_features=np.flatnonzero(cover),
            last_code=(cover[cover > 0] - 1).astype(np.float64),
        )

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.tree_start) - 1

    @property
    def n_features(self) -> int:
        """The number of columns that the tests need."""
        return int(self.feature.max(initial=-1)) + 1

    def check(self, X: ArrayLike) -> Floats:
        """Return X as the C-contiguous float64 matrix that the kernels read, else raise."""
        given = np.asarray(X)
        if given.ndim != 2 or given.dtype.kind not in "biuf":
            raise ValueError(
                f"X must be a matrix of numbers, got shape {given.shape} and dtype {given.dtype}: "
                "a table with other columns goes to a Model."
            )
        if given.shape[1] < self.n_features:
            raise ValueError(
                f"X must have {self.n_features} columns or more, got {given.shape[1]}: pass the "
                "features that the trees were grown on."
            )
        matrix = np.ascontiguousarray(given, dtype=np.float64)
        for feature, last in zip(self.set_features, self.last_code, strict=True):
            if np.fmax.reduce(matrix[:, feature], initial=0.0) > last:
                matrix = matrix.copy() if np.shares_memory(matrix, given) else matrix
                np.minimum(matrix[:, feature], last, out=matrix[:, feature])
        return matrix

    def score(self, output: Floats, base: float, X: Floats, n_threads: int) -> Floats:
        """Return base + the sum over trees, in their order, of output[leaf]; X as checked."""
        score = np.empty(len(X))
        arguments = (output, base, X, check_threads(n_threads), score)
        _native.score_rows(*(*self._nodes(slice(None)), self.tree_start, *arguments))
        return score

    def score_tree(self, j: int, output: Floats, X: Floats, n_threads: int) -> Floats:
        """Return output[leaf] in one tree; X as checked."""
        nodes = slice(self.tree_start[j], self.tree_start[j + 1])
        score = np.empty(len(X))
        arguments = (output[nodes], 0.0, X, check_threads(n_threads), score)
        alone = self.tree_start[j : j + 2] - self.tree_start[j]
        _native.score_rows(*(*self._nodes(nodes), alone, *arguments))
        return score

    def leaves(self, X: Floats, n_threads: int) -> NDArray[np.int32]:
        """Return the leaf of each row (axis 0) in each tree (axis 1); X as checked."""
        leaf = np.empty((len(X), self.n_trees), np.int32)
        arguments = (X, check_threads(n_threads), leaf)
        _native.find_leaves(*(*self._nodes(slice(None)), self.tree_start, *arguments))
        return leaf

    def _nodes(self, nodes: slice) -> tuple[Any, ...]:
        by_node = (
            self.left,
            self.right,
            self.feature,
            self.threshold,
            self.missing_left,
            self.set_start,
            self.set_size,
        )
        return *(array[nodes] for array in by_node), self.sets


def check_threads(n_threads: int) -> int:
    """Return the number of threads if there is at least one, else raise."""
    if n_threads < 1:
        raise ValueError(f"n_threads must be at least 1, got {n_threads!r}.")
    return int(n_threads)


def _join(arrays: list[NDArray[Any]], dtype: type[np.generic]) -> NDArray[Any]:
    return np.concatenate([np.empty(0, dtype), *arrays])


def _set_bits(places: NDArray[np.int64], length: int) -> NDArray[np.uint64]:
    """Return words in which the bits at these increasing places are 1."""
    words = np.zeros(-(-length // 64), np.uint64)
    if len(places):
        word, bit = places // 64, np.uint64(1) << (places % 64).astype(np.uint64)
        first = np.flatnonzero(np.diff(word, prepend=-1))
        words[word[first]] = np.bitwise_or.reduceat(bit, first)
    return words
