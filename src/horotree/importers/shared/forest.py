"""The trees of a file, one after the other in the same arrays, become Trees.

Files are untrusted. What is read from them is checked here and by ``Tree``, and nothing is made
larger than a fixed multiple of what was read.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.importers.errors import UnsupportedModelError
from horotree.trees import Forest, Tree, sum_up
from horotree.trees.forest import offsets

from .values import mean_below, order_nodes, renumber

# What walking the trees may need for sets of categories: 2**32 bits are half a gigabyte.
MAX_SET_BITS = 2**32

# All codes of all sets together: a thousand trees of 255 leaves have some millions.
MAX_SET_CODES = 2**24

# The largest category code but one: every code up to it has a label in the model.
MAX_CODES = 2**20

# The labels of all columns with codes.
MAX_LABELS = 4 * MAX_CODES

# A tree takes some kilobytes, however small it is.
MAX_TREES = 2**17

# What walks trees level by level takes a fixed time for each.
MAX_DEPTH = 2**14

Codes = NDArray[np.int32] | NDArray[np.int64]

LARGEST = float(np.finfo(np.float64).max)


@dataclass(frozen=True, slots=True, eq=False)
class RawForest:
    """The nodes of all trees, as read from a file: ``trees`` makes Trees of them.

    Tree j has the nodes from ``start[j]``, its root, to ``start[j + 1]``. Children are counted
    through all trees, and negative at leaves. ``set_size`` is how many codes go left, 0 at a
    numeric test; ``codes`` has them set after set. Infinite thresholds are made finite. ``output``
    and ``weight`` are read at leaves only; unknown weights are NaN, unknown counts -1.
    """

    start: NDArray[np.int64]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    feature: NDArray[np.int64]
    threshold: Floats
    missing_left: NDArray[np.bool_]
    set_size: NDArray[np.int64]
    codes: Codes
    output: Floats
    weight: Floats
    count: NDArray[np.int64]

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.start) - 1

    def ordered(self) -> "RawForest":
        """Return the forest with parents before their children and without unreachable nodes."""
        check_depth(self)
        order = order_nodes(self.left, self.right, self.start[:-1])
        owner = np.searchsorted(self.start, order, side="right") - 1
        if (np.diff(owner) < 0).any():
            raise ValueError("a tree has a node of another one as its child: the file is damaged.")
        places = set_places(self.set_size, order)
        return RawForest(
            start=np.searchsorted(owner, np.arange(len(self.start))).astype(np.int64),
            left=renumber(self.left, order).astype(np.int64),
            right=renumber(self.right, order).astype(np.int64),
            feature=self.feature[order],
            threshold=self.threshold[order],
            missing_left=self.missing_left[order],
            set_size=self.set_size[order],
            codes=self.codes[places],
            output=self.output[order],
            weight=self.weight[order],
            count=self.count[order],
        )

    def cleaned(self, n_features: int) -> "RawForest":
        """Return the forest with fixed entries where nothing is read; raise if one is wrong."""
        inner, by_set = self.left >= 0, self.set_size > 0
        if (by_set & ~inner).any():
            raise ValueError("a leaf has a set of categories: the file is damaged.")
        wrong = inner & ((self.feature < 0) | (self.feature >= n_features))
        if wrong.any():
            raise ValueError(
                f"a split must test one of the {n_features} features, got "
                f"{int(self.feature[wrong][0])}: the file is damaged."
            )
        threshold = np.clip(np.where(inner & ~by_set, self.threshold, 0.0), -LARGEST, LARGEST)
        return replace(
            self,
            feature=np.where(inner, self.feature, -1),
            threshold=threshold,
            missing_left=self.missing_left & inner,
            output=np.where(inner, 0.0, self.output),
        )

    def mean_output(self) -> Floats:
        """Return the mean output of the leaves below each node."""
        finite = np.isfinite(self.output)
        if not finite.all():
            raise ValueError(
                f"a leaf's value must be finite, got {self.output[~finite][0]!r}: the file is "
                "damaged, or training diverged."
            )
        return mean_below(self.left, self.right, self.output, self.weight)

    def trees(self, unit: Floats) -> tuple[Tree, ...]:
        """Return the trees; outputs and values are in units, one a tree (a learning rate)."""
        size = np.diff(self.start)
        by_node = np.repeat(unit, size)
        with np.errstate(over="ignore"):  # trees.Forest raises if one is not finite
            value, output = self.mean_output() / by_node, self.output / by_node
        shift = np.repeat(self.start[:-1], size)
        inner = self.left >= 0
        table = Forest(
            tree_start=self.start,
            left=np.where(inner, self.left - shift, -1),
            right=np.where(inner, self.right - shift, -1),
            feature=self.feature.astype(np.int32),
            threshold=self.threshold,
            missing_left=self.missing_left,
            category_start=offsets(self.set_size),
            category=self.codes.astype(np.int32, copy=False),
            value=value,
            output=np.where(inner, value, output),  # a host of leaves may be an inner node
            weight=sum_up(self.weight, self.left, self.right),
            count=self.count,
        )
        return table.trees


def check_codes(n: int) -> None:
    """Raise if all sets together have more codes than memory should be taken for."""
    if n > MAX_SET_CODES:
        raise UnsupportedModelError(
            f"sets of categories may have up to {MAX_SET_CODES} codes together, got more: train on "
            "fewer categories or fewer trees."
        )


def check_trees(n: int) -> None:
    """Raise if there are more trees than memory should be taken for."""
    if n > MAX_TREES:
        raise UnsupportedModelError(
            f"a model may have up to {MAX_TREES} trees, got {n}: train fewer."
        )


def check_depth(forest: RawForest) -> None:
    """Raise if a node has too many ancestors; cycles are not looked for."""
    if np.diff(forest.start).max(initial=0) <= 2 * MAX_DEPTH:
        return
    n = len(forest.left)
    ancestor = np.arange(n)  # a root is its own
    for child in (forest.left, forest.right):
        inside = (child >= 0) & (child < n)
        ancestor[child[inside]] = np.flatnonzero(inside)
    is_root = ancestor == np.arange(n)
    for _ in range(MAX_DEPTH.bit_length() - 1):  # each round doubles how far the ancestor is
        ancestor = ancestor[ancestor]
        if is_root[ancestor].all():
            return
    raise UnsupportedModelError(
        f"trees may be up to {MAX_DEPTH} levels deep, got more: train with a max_depth, or the "
        "file is damaged."
    )


def set_places(set_size: NDArray[np.int64], order: NDArray[Any]) -> NDArray[Any]:
    """Return where the codes of the sets in this order are; they are many: in 32 bits if it may."""
    size = set_size[order]
    first = (np.cumsum(set_size) - set_size)[order]
    kind = np.dtype(np.int32 if int(set_size.sum()) < 2**31 else np.int64)
    places: NDArray[Any] = np.arange(int(size.sum()), dtype=kind)
    places += np.repeat((first - (np.cumsum(size) - size)).astype(kind), size)
    return places


def join_ranges(start: NDArray[np.int64], length: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return start, start + 1, ... of every range, one range after the other."""
    within = np.arange(int(length.sum())) - np.repeat(np.cumsum(length) - length, length)
    return np.asarray(np.repeat(start, length) + within)


def check_sets(forest: RawForest, n_features: int) -> NDArray[np.int64]:
    """Return, by feature, the largest code that a set names, -1 if none; raise if there is more.

    The trees are ordered.
    """
    largest = np.full(n_features, -1, np.int64)
    if not len(forest.codes):
        return largest
    by_code = np.repeat(forest.feature.astype(np.int32), forest.set_size)
    np.maximum.at(largest, by_code, forest.codes)
    check_kinds(forest, largest >= 0)
    if forest.codes.min() < 0 or largest.max() >= MAX_CODES:
        wrong = forest.codes[(forest.codes < 0) | (forest.codes >= MAX_CODES)][0]
        raise UnsupportedModelError(
            f"category codes must be from 0 to {MAX_CODES - 1}, got {int(wrong)}: train on fewer "
            "categories, or on hashed ones."
        )
    by_set = forest.feature[forest.set_size > 0]
    if int((largest[by_set] + 2).sum()) > MAX_SET_BITS:
        raise UnsupportedModelError(
            f"sets of categories may take up to {MAX_SET_BITS} bits, got more: train on fewer "
            "categories or fewer trees."
        )
    return largest


def check_kinds(forest: RawForest, has_codes: NDArray[np.bool_]) -> None:
    """Raise if a column of codes is tested as a number: no library trains such a tree."""
    # A set without any code is a test that all pass or none.
    is_number = (forest.left >= 0) & (forest.set_size == 0) & (np.abs(forest.threshold) < LARGEST)
    tested = forest.feature[is_number]
    both = tested[has_codes[tested]]
    if len(both):
        raise ValueError(
            "a feature must be either a number or a category, got both for feature "
            f"{int(both[0])}: the file is damaged."
        )


def code_labels(sizes: Sequence[int | None]) -> list[tuple[int, ...] | None]:
    """Return 0, 1, ... as the labels of columns with so many codes; None for numeric ones."""
    known = [size for size in sizes if size is not None]
    if sum(known) > MAX_LABELS:
        raise UnsupportedModelError(
            f"all features may have up to {MAX_LABELS} categories together, got {sum(known)}: "
            "train on fewer."
        )
    every = tuple(range(max(known, default=0)))
    return [None if size is None else every[:size] for size in sizes]


def as_numbers(values: Any, name: str, n: int | None = None, *, kind: str = "f") -> NDArray[Any]:
    """Return a list of a file as an array: of int64 (kind "i"), bool ("b") or float64 ("f")."""
    try:
        array = np.asarray(values)
    except (ValueError, OverflowError) as error:  # rows of different lengths
        raise ValueError(f"{name} must be a list of numbers: the file is damaged.") from error
    if len(array.shape) == 1 and len(array) == 0:
        array = array.astype(np.bool_)
    allowed = "biuf" if kind == "f" else "biu"
    if array.ndim != 1 or array.dtype.kind not in allowed or (n is not None and len(array) != n):
        wanted = "a list" if n is None else f"{n}"
        raise ValueError(
            f"{name} must be {wanted} of numbers, got dtype {array.dtype} and shape "
            f"{array.shape}: the file is damaged."
        )
    if array.dtype == np.uint64 and kind == "i" and (array > np.iinfo(np.int64).max).any():
        raise ValueError(f"{name} must be small numbers, got {array.max()}: the file is damaged.")
    if kind == "b" and ((array != 0) & (array != 1)).any():
        wrong = array[(array != 0) & (array != 1)][0]
        raise ValueError(f"{name} must be 0 or 1, got {wrong}: the file is damaged.")
    return array.astype({"f": np.float64, "i": np.int64, "b": np.bool_}[kind])
