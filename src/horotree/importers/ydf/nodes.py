"""The nodes of YDF: the fields of their messages as arrays, in the order of the files."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.importers.errors import UnsupportedModelError
from horotree.importers.formats.protobuf_arrays import Bytes, Fields, Ints, scan

from .folder import Records

Flags = NDArray[np.bool_]

# The fields of a Condition: its kinds of tests.
IS_MISSING, HIGHER, IS_TRUE, CONTAINS, CONTAINS_BITMAP, DISCRETIZED_HIGHER = range(1, 7)
REFUSED = {
    7: "oblique: train with split_axis='AXIS_ALIGNED'",
    8: "about a sequence of vectors: train without such columns",
}


@dataclass(frozen=True, slots=True, eq=False)
class Conditions:
    """The test of each inner node; nothing is read at leaves."""

    kind: Ints
    column: Ints
    missing_positive: Flags
    threshold: Floats
    bin_threshold: Ints
    data: Bytes
    set_start: Ints
    set_end: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """The nodes of all trees, in preorder: a parent, its negative and its positive branch.

    ``classifier`` and ``regressor`` are the fields of the outputs, ``has_classifier`` and
    ``has_regressor`` where they are. ``weight`` and ``count`` are NaN and -1 where not known.
    """

    inner: Flags
    conditions: Conditions
    has_classifier: Flags
    classifier: Fields
    has_regressor: Flags
    regressor: Fields
    weight: Floats
    count: Ints

    @property
    def n(self) -> int:
        """Number of nodes."""
        return len(self.inner)


def read_nodes(records: Records) -> Nodes:
    """Return the nodes; each record is a message Node."""
    nodes = scan(records.data, records.start, records.end)
    has_classifier, *_ = nodes.spans(1)
    has_regressor, *_ = nodes.spans(2)
    inner, *_ = nodes.spans(3)
    condition = nodes.messages(3)
    weight = condition.doubles(5, np.nan)
    count = np.where(inner, condition.wholes(4, -1), -1)
    count = np.where(count < 0, np.maximum(nodes.wholes(4, -1), -1), count)
    return Nodes(
        inner,
        _read_conditions(condition, inner),
        has_classifier,
        nodes.messages(1),
        has_regressor,
        nodes.messages(2),
        weight,
        count,
    )


def _read_conditions(fields: Fields, inner: Flags) -> Conditions:
    types = fields.messages(3)
    kind = np.zeros(len(inner), np.int64)
    kind[types.owner] = types.number
    asked = np.bincount(types.owner, minlength=len(inner))
    if (asked[inner] != 1).any():
        raise ValueError("a node must have one condition: the file is damaged.")
    for wrong in np.unique(kind[inner & (kind > DISCRETIZED_HIGHER)]).tolist():
        reason = REFUSED.get(wrong, "of a type that is not known: it is of a later YDF")
        raise UnsupportedModelError(f"a condition must ask about one column, got one {reason}.")
    start, end = np.zeros((2, len(inner)), np.int64)
    for number in (CONTAINS, CONTAINS_BITMAP):
        known, first, last = types.messages(number).spans(1)
        start[known], end[known] = first[known], last[known]
    return Conditions(
        kind=kind,
        column=fields.wholes(2),
        missing_positive=(fields.wholes(1) != 0) | (kind == IS_MISSING),
        threshold=types.messages(HIGHER).floats(1),
        bin_threshold=types.messages(DISCRETIZED_HIGHER).wholes(1),
        data=fields.data,
        set_start=start,
        set_end=end,
    )
