"""FlatBuffers: the fields that were written, and nothing that leads out of the bytes."""

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.importers.formats import flatbuffers

FORMATS = {"bool": "<?", "int8": "<b", "int32": "<i", "float64": "<d"}


@dataclass
class Numbers:
    """A list of numbers of one dtype."""

    values: Any
    dtype: str


def encode(table):
    """Return the bytes of a root table.

    A table is a list of fields. A field is None if it is left out, a pair of kind and number, a
    text, Numbers, a list of texts, a table (its first field is a pair or None) or a list of tables.
    """
    parts = [b"\0\0\0\0"]
    place = _table(parts, table)
    parts[0] = struct.pack("<I", place)
    return b"".join(parts)


def _size(parts):
    return sum(map(len, parts))


def _table(parts, fields):
    """Append a table, and behind it what it refers to; return its place."""
    sizes = [
        0 if f is None else struct.calcsize(FORMATS[f[0]]) if _is_number(f) else 4 for f in fields
    ]
    ends = np.cumsum([4, *sizes]).tolist()
    offsets = [end if size else 0 for end, size in zip(ends, sizes, strict=False)]
    head = struct.pack(f"<HH{len(fields)}H", 4 + 2 * len(fields), ends[-1], *offsets)
    parts.append(head)
    place = _size(parts)
    body = len(parts)
    parts.append(struct.pack("<i", len(head)) + bytes(ends[-1] - 4))
    filled = bytearray(parts[body])
    for field, offset in zip(fields, offsets, strict=True):
        if field is None:
            continue
        if _is_number(field):
            data = struct.pack(FORMATS[field[0]], field[1])
        else:
            data = struct.pack("<I", _value(parts, field) - place - offset)
        filled[offset : offset + len(data)] = data
    parts[body] = bytes(filled)
    return place


def _is_number(field):
    return isinstance(field, tuple)


def _value(parts, field):
    if isinstance(field, list) and field and (field[0] is None or _is_number(field[0])):
        return _table(parts, field)
    place = _size(parts)
    if isinstance(field, str):
        data = field.encode()
        parts.append(struct.pack("<I", len(data)) + data + b"\0")
    elif isinstance(field, Numbers):
        data = np.asarray(field.values, field.dtype).tobytes()
        parts.append(struct.pack("<I", len(field.values)) + data)
    else:
        slot = len(parts)
        parts.append(struct.pack("<I", len(field)) + bytes(4 * len(field)))
        offsets = []
        for j, item in enumerate(field):
            there = _table(parts, item) if isinstance(item, list) else _value(parts, item)
            offsets.append(there - place - 4 - 4 * j)
        parts[slot] = struct.pack(f"<I{len(field)}I", len(field), *offsets)
    return place


TABLE = [
    ("int32", -7),
    None,
    "Genève",
    Numbers([1.5, -2.0], "float64"),
    ["a", "", "b"],
    [[("bool", True)], [None, ("int8", 2)], []],
    [("float64", 0.1)],
]


def test_every_kind_of_field_is_read():
    table = flatbuffers.root(encode(TABLE))
    assert table.number(0, "int32", 0) == -7
    assert table.text(2) == "Genève"
    assert table.numbers(3, "float64").tolist() == [1.5, -2.0]
    assert table.numbers(3, "float64").dtype == np.float64
    assert table.texts(4) == ["a", "", "b"]
    first, second, third = table.tables(5)
    assert first.number(0, "bool", False) is True
    assert second.number(1, "int8", 0) == 2
    assert third.number(1, "int8", 5) == 5
    assert table.table(6).number(0, "float64", 0.0) == 0.1
    assert [table.length(field) for field in (3, 4, 5)] == [2, 3, 3]


@pytest.mark.parametrize("field", [1, 7, 1000])
def test_a_field_that_is_left_out_has_its_default(field):
    table = flatbuffers.root(encode(TABLE))
    assert table.number(field, "int32", -1) == -1
    assert table.text(field) == ""
    assert table.table(field) is None
    assert len(table.numbers(field, "int32")) == table.length(field) == 0
    assert table.texts(field) == table.tables(field) == []


def read_all(table, depth=0):
    """Read every field as if it were of every kind; refusals are ValueErrors."""
    readers = [
        lambda field: table.number(field, "float64", 0.0),
        lambda field: table.numbers(field, "float64"),
        table.text,
        table.texts,
        table.length,
    ]
    for field in range(8):
        for reader in readers:
            try:
                reader(field)
            except ValueError as error:
                assert "damaged" in str(error)  # noqa: PT017 - either is right
        if depth < 2:
            try:
                inner = [table.table(field), *table.tables(field)[:5]]
            except ValueError:
                continue
            for other in inner:
                if other is not None:
                    read_all(other, depth + 1)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data):
    try:
        table = flatbuffers.root(data)
    except ValueError as error:
        assert "damaged" in str(error)  # noqa: PT017 - either is right
        return
    read_all(table)


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=4))
def test_changed_bytes_are_read_or_refused(changes):
    data = bytearray(encode(TABLE))
    for place, byte in changes:
        data[place % len(data)] = byte
    test_any_bytes_are_read_or_refused.hypothesis.inner_test(bytes(data))


@pytest.mark.parametrize("n", [3, 1000, 2**31, 2**32 - 1])
def test_a_length_beyond_the_bytes_is_refused(n):
    data = encode([Numbers([1.0, 2.0], "float64")])
    place = data.index(struct.pack("<Idd", 2, 1.0, 2.0))
    table = flatbuffers.root(data[:place] + struct.pack("<I", n) + data[place + 4 :])
    with pytest.raises(ValueError, match="must fit in the file"):
        table.numbers(0, "float64")


def test_the_same_bytes_in_many_lists_are_refused():
    n, text = 10_000, "x" * 100_000
    head = struct.pack("<IHHHxxiI", 12, 6, 8, 4, 8, 4)
    offsets = [struct.pack("<I", 4 * (n - j)) for j in range(n)]
    data = b"".join([head, struct.pack("<I", n), *offsets, struct.pack("<I", len(text))])
    table = flatbuffers.root(data + text.encode())
    assert table.length(0) == n
    with pytest.raises(ValueError, match="the same ones in many"):
        table.texts(0)


def test_too_many_items_are_refused(monkeypatch):
    monkeypatch.setattr(flatbuffers, "MAX_ITEMS", 2)
    with pytest.raises(ValueError, match="up to 2 texts"):
        flatbuffers.root(encode(TABLE)).texts(4)


def test_a_text_that_is_none_is_refused():
    data = encode(["Genève"]).replace("è".encode(), b"\xff\xff")
    with pytest.raises(ValueError, match="UTF-8"):
        flatbuffers.root(data).text(0)
