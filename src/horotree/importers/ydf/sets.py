"""The sets of categories of YDF's conditions, which are lists or bitmaps.

Category 0 of a column with a dictionary is every label that is not in it. In our models such labels
are missing. Most models of YDF send both the same way: then category 0 is left out.
"""

import warnings
from dataclasses import dataclass

import numpy as np

from horotree.importers.errors import UnsupportedModelError
from horotree.importers.formats.protobuf_arrays import Bytes, Ints, read_packed
from horotree.importers.shared.forest import join_ranges

from .columns import OUT_OF_DICTIONARY, Column
from .nodes import CONTAINS, CONTAINS_BITMAP, IS_MISSING, Conditions, Flags

# What sets may take as bitmaps: their codes take up to 64 times as much.
MAX_BITMAP_BYTES = 2**25


@dataclass(frozen=True, slots=True, eq=False)
class Sets:
    """The codes for which the answer is yes, set after set, and how many each node has.

    Codes are YDF's categories in the columns that are ``kept``, and in those without a dictionary;
    in others they are one less.
    """

    size: Ints
    codes: Ints
    kept: list[int]


def read_sets(conditions: Conditions, inner: Flags, columns: list[Column]) -> Sets:
    """Return the sets of all nodes, and warn of columns where category 0 is not as missing."""
    column = conditions.column
    owner, code = _read_codes(conditions, inner, columns)
    has_other = np.array([c.labels is not None for c in columns], np.bool_)
    as_other = np.zeros(len(inner), np.bool_)
    as_other[owner[code == 0]] = True
    asked = inner & np.isin(conditions.kind, (IS_MISSING, CONTAINS, CONTAINS_BITMAP))
    differs = np.unique(column[asked & (as_other != conditions.missing_positive)])
    kept = differs[has_other[differs]].tolist()
    if kept:
        names = ", ".join(repr(columns[j].name) for j in kept[:5])
        warnings.warn(
            "this model does not treat labels that are not in its dictionary as it does missing "
            f"values, which they are here, in {len(kept)} column(s) ({names}): put "
            f"{OUT_OF_DICTIONARY!r} in place of such labels.",
            UserWarning,
            stacklevel=2,
        )
    has_other[kept] = False
    shift = has_other[column[owner]]
    used = ~(shift & (code == 0))
    size = np.bincount(owner[used], minlength=len(inner))
    return Sets(size, (code - shift)[used], kept)


def _read_codes(conditions: Conditions, inner: Flags, columns: list[Column]) -> tuple[Ints, Ints]:
    """Return the node and the category of each member of a set, both increasing."""
    owners, codes = [], []
    for wanted, read in ((CONTAINS, read_packed), (CONTAINS_BITMAP, _read_bitmaps)):
        node = np.flatnonzero(inner & (conditions.kind == wanted))
        code, size = read(conditions.data, conditions.set_start[node], conditions.set_end[node])
        owners.append(np.repeat(node, size))
        codes.append(code)
    owner, code = np.concatenate(owners), np.concatenate(codes)
    n_categories = np.array([column.n_categories for column in columns], np.int64)
    known = code < n_categories[conditions.column[owner]]
    if (code < 0).any() or not known[: len(codes[0])].all():  # bitmaps have bits to spare
        raise ValueError("a set must be of categories of its column: the file is damaged.")
    owner, code = owner[known], code[known]
    order = np.argsort(owner, kind="stable")
    owner, code = owner[order], code[order]
    if ((np.diff(owner) == 0) & (np.diff(code) <= 0)).any():
        raise ValueError("the categories of a set must increase: the file is damaged.")
    return owner, code


def _read_bitmaps(data: Bytes, start: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Return the places of bits that are set, and how many there are in each bitmap."""
    length = end - start
    if int(length.sum()) > MAX_BITMAP_BYTES:
        raise UnsupportedModelError(
            f"sets of categories may take up to {MAX_BITMAP_BYTES} bytes, got more: train with a "
            "smaller max_vocab_count, or fewer trees."
        )
    first = np.cumsum(length) - length
    bits = np.unpackbits(data[join_ranges(start, length)], bitorder="little")
    place = np.flatnonzero(bits)
    owner = np.repeat(np.arange(len(start)), length)[place // 8]
    return place - 8 * first[owner], np.bincount(owner, minlength=len(start))
