"""Trees one after the other, as the kernels walk them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from horotree import _native
from horotree._checks import Floats, as_matrix
from horotree._native import PackedTrees, pack_trees

from .tree import Tree


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """Trees one after the other: where each one's nodes start, and what the kernels walk."""

    tree_start: NDArray[np.int64]
    packed: PackedTrees

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> "Forest":
        """Pack trees: their sets of categories become bits, or lists where bits would be many."""
        sizes = _join([np.diff(tree.category_start) for tree in trees], np.int64)
        tree_start = np.cumsum([0, *(tree.n_nodes for tree in trees)], dtype=np.int64)
        packed = pack_trees(
            left=_join([tree.left for tree in trees], np.int32),
            right=_join([tree.right for tree in trees], np.int32),
            feature=_join([tree.feature for tree in trees], np.int32),
            threshold=_join([tree.threshold for tree in trees], np.float64),
            missing_left=_join([tree.missing_left for tree in trees], np.bool_).view(np.uint8),
            set_start=np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]),
            codes=_join([tree.category for tree in trees], np.int32),
            tree_start=tree_start,
        )
        return cls(tree_start, packed)

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.tree_start) - 1

    def check(self, X: ArrayLike) -> Floats:
        """Return X as the C-contiguous float64 matrix that the kernels read, else raise."""
        given = np.asarray(X)
        if given.ndim != 2 or given.dtype.kind not in "biuf":
            raise ValueError(
                f"X must be a matrix of numbers, got shape {given.shape} and dtype {given.dtype}: "
                "a table with other columns goes to a Model."
            )
        if given.shape[1] < self.packed.n_features:
            raise ValueError(
                f"X must have {self.packed.n_features} columns or more, got {given.shape[1]}: pass "
                "the features that the trees were grown on."
            )
        return as_matrix(given)

    def score(self, output: Floats, base: float, X: Floats, n_threads: int) -> Floats:
        """Return base + the sum over trees, in their order, of output[leaf]; X as checked."""
        score = np.empty(len(X))
        threads = check_threads(n_threads)
        _native.score_rows(self.packed, output, base, 0, self.n_trees, X, threads, score)
        return score

    def leaves(
        self, X: Floats, n_threads: int, first: int = 0, last: int | None = None
    ) -> NDArray[np.int32]:
        """Return the leaf of each row (axis 0) in each of these trees (axis 1); X as checked."""
        end = self.n_trees if last is None else last
        leaf = np.empty((len(X), end - first), np.int32)
        _native.find_leaves(self.packed, first, end, X, check_threads(n_threads), leaf)
        return leaf


def check_threads(n_threads: int) -> int:
    """Return the number of threads if there is at least one, else raise."""
    if n_threads < 1:
        raise ValueError(f"n_threads must be at least 1, got {n_threads!r}.")
    return int(n_threads)


def _join(arrays: list[NDArray[Any]], dtype: type[np.generic]) -> NDArray[Any]:
    return np.concatenate([np.empty(0, dtype), *arrays])
