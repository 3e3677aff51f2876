"""The trees of YDF as a RawForest: children from the order of nodes, and conditions as our tests.

YDF asks whether ``x >= s``, or whether a category is one of some. At a number we go left if the
answer is no, at a set if it is yes.
"""

import numpy as np

from horotree._checks import Floats
from horotree.importers.formats.protobuf_arrays import Ints
from horotree.importers.shared.forest import LARGEST, RawForest, check_depth
from horotree.importers.shared.values import below32

from .columns import BOOLEAN, CATEGORICAL, DISCRETIZED, NUMERICAL, Column
from .nodes import (
    CONTAINS,
    CONTAINS_BITMAP,
    DISCRETIZED_HIGHER,
    HIGHER,
    IS_MISSING,
    IS_TRUE,
    Conditions,
    Flags,
    Nodes,
)
from .sets import read_sets

# The type of column that a condition asks about.
_TYPES = {
    HIGHER: NUMERICAL,
    IS_TRUE: BOOLEAN,
    CONTAINS: CATEGORICAL,
    CONTAINS_BITMAP: CATEGORICAL,
    DISCRETIZED_HIGHER: DISCRETIZED,
}


def read_forest(
    nodes: Nodes, n_trees: int, columns: list[Column], features: list[int]
) -> tuple[RawForest, list[int]]:
    """Return the trees, parents before their children, with outputs that are still to be set.

    Also returns the columns in which category 0 of the dictionary is a code, see ``read_sets``.
    """
    start, second = _find_children(nodes.inner, n_trees)
    negative = np.where(nodes.inner, np.arange(nodes.n) + 1, -1)
    positive = np.where(nodes.inner, second, -1)
    conditions = nodes.conditions
    _check_columns(conditions, nodes.inner, columns)
    sets = read_sets(conditions, nodes.inner, columns)
    by_set = sets.size > 0
    feature_of = np.full(len(columns) + 1, -1, np.int64)
    feature_of[features] = np.arange(len(features))
    forest = RawForest(
        start=start,
        left=np.where(by_set, positive, negative),
        right=np.where(by_set, negative, positive),
        feature=feature_of[np.where(nodes.inner, conditions.column, -1)],
        threshold=_read_thresholds(conditions, nodes.inner, columns),
        missing_left=by_set == conditions.missing_positive,
        set_size=sets.size,
        codes=sets.codes,
        output=np.zeros(nodes.n),
        weight=nodes.weight,
        count=nodes.count,
    )
    check_depth(forest)
    return forest.cleaned(len(features)), sets.kept


def _find_children(inner: Flags, n_trees: int) -> tuple[Ints, Ints]:
    """Return where trees start (and the end), and the second child of each inner node.

    A parent opens a place and a leaf closes one. A branch ends where there is one place less than
    before it for the first time; so does a tree.
    """
    n = len(inner)
    places = np.concatenate([[0], np.cumsum(np.where(inner, 1, -1))])
    lowest = np.minimum.accumulate(places)
    end = np.flatnonzero(np.diff(lowest)) + 1
    if len(end) != n_trees or (end[-1] if n_trees else 0) != n:
        raise ValueError(f"there must be {n_trees} whole trees, got other nodes: damaged.")
    order = np.argsort(places, kind="stable")
    by_place = (places[order] - lowest[-1]) * (n + 1) + order
    parent = np.flatnonzero(inner)
    wanted = (places[parent] - lowest[-1]) * (n + 1) + parent + 2
    second = np.full(n, -1, np.int64)
    # After the parent one more place is open than before it, after its first branch as many.
    second[parent] = order[np.searchsorted(by_place, wanted)]
    return np.concatenate([[0], end]), second


def _check_columns(conditions: Conditions, inner: Flags, columns: list[Column]) -> None:
    """Raise unless every condition is of the type of its column."""
    column, kind = conditions.column[inner], conditions.kind[inner]
    if ((column < 0) | (column >= len(columns))).any():
        raise ValueError(f"a condition must ask about one of {len(columns)} columns: damaged.")
    type_of = np.array([column.kind for column in columns], np.int64)
    wanted = np.array([_TYPES.get(k, -1) for k in range(DISCRETIZED_HIGHER + 1)])
    wrong = (kind != IS_MISSING) & (type_of[column] != wanted[kind])
    if wrong.any():
        name = columns[int(column[wrong][0])].name
        raise ValueError(f"a condition does not go with column {name!r}: the file is damaged.")


def _read_thresholds(conditions: Conditions, inner: Flags, columns: list[Column]) -> Floats:
    """Return the largest float32 for which the answer is no; sets without codes have all."""
    kind = conditions.kind
    asked = np.select([kind == HIGHER, kind == IS_TRUE], [conditions.threshold, 0.5], np.inf)
    for j in np.unique(conditions.column[inner & (kind == DISCRETIZED_HIGHER)]).tolist():
        here = np.flatnonzero(inner & (kind == DISCRETIZED_HIGHER) & (conditions.column == j))
        # Bin 0 is below all bounds, bin i starts at bound i - 1.
        bins = np.concatenate([[-np.inf], columns[j].bounds])
        bin_threshold, missing = conditions.bin_threshold[here], columns[j].missing_bin
        known = ((bin_threshold >= 0) & (bin_threshold < len(bins))).all()
        # YDF replaces missing values by the mean here, whatever the condition has for them.
        as_mean = missing is None or np.array_equal(
            conditions.missing_positive[here], bin_threshold <= missing
        )
        if not known or not as_mean:
            raise ValueError(
                f"the conditions of column {columns[j].name!r} must be of its bins, and send what "
                "is missing where its mean goes: the file is damaged."
            )
        asked[here] = bins[bin_threshold]
    if np.isnan(asked[inner]).any():
        raise ValueError("a threshold must be a number, got NaN: the file is damaged.")
    return np.where(np.isposinf(asked), LARGEST, below32(asked))
