"""The readers of protocol buffers against a writer, each other, and what is no message."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from horotree.importers.formats.protobuf import Message
from horotree.importers.formats.protobuf_arrays import MAX_ROUNDS, PADDING, read_packed, scan
from tests.importers.formats.protobuf_writer import (
    double,
    doubles,
    single,
    text,
    varint,
    whole,
    wholes,
)

numbers = st.integers(1, 2**29 - 1)
int64s = st.integers(-(2**63), 2**63 - 1)
float32s = st.floats(width=32, allow_nan=False)
messages = st.lists(
    st.builds(whole, numbers, int64s)
    | st.builds(double, numbers, st.floats())
    | st.builds(single, numbers, float32s)
    | st.builds(text, numbers, st.binary(max_size=200)),
    max_size=8,
).map(b"".join)


def scan_all(parts):
    data = np.frombuffer(b"".join([*parts, PADDING]), np.uint8)
    end = np.cumsum([len(part) for part in parts], dtype=np.int64)
    return scan(data, end - np.array([len(part) for part in parts], np.int64), end)


def fields_of(fields, j):
    """Return the fields of one scanned message as a message has them."""
    found = {}
    for place in np.flatnonzero(fields.owner == j):
        part = fields.data[fields.start[place] : fields.end[place]].tobytes()
        value = int(fields.value[place]) % 2**64 if fields.wire[place] == 0 else part
        found.setdefault(int(fields.number[place]), []).append(value)
    return found


@given(st.dictionaries(numbers, int64s), st.text(), st.lists(float32s))
def test_what_is_written_is_read(values, word, floats):
    parts = [whole(number, value) for number, value in values.items()]
    message = Message(b"".join(parts))
    assert all(message.whole(number) == value for number, value in values.items())
    inner = text(1, word) + b"".join(single(2, x) for x in floats)
    message = Message(text(7, inner[:5]) + text(7, inner[5:]))  # parts of one message are joined
    assert message.message(7).text(1) == word
    assert message.message(7).floats(2) == floats
    assert message.message(8).whole(1, 3) == 3
    assert not message.has(8)


@given(st.lists(st.lists(int64s, max_size=20), max_size=5))
def test_packed_lists_are_read(lists):
    packed = [b"".join(map(varint, values)) for values in lists]
    data = np.frombuffer(b"".join([*packed, PADDING]), np.uint8)
    size = np.array([len(part) for part in packed], np.int64)
    values, lengths = read_packed(data, np.cumsum(size) - size, np.cumsum(size))
    assert values.tolist() == [value for part in lists for value in part]
    assert lengths.tolist() == [len(part) for part in lists]
    for part in lists:
        assert Message(wholes(3, part)).wholes(3) == part


@given(st.lists(messages, max_size=6))
def test_messages_read_together_are_as_alone(parts):
    fields = scan_all(parts)
    assert fields.n_messages == len(parts)
    for j, part in enumerate(parts):
        assert fields_of(fields, j) == Message(part)._fields


@given(st.lists(st.binary(max_size=30), min_size=1, max_size=4))
@example([b"\x08" + b"\xff" * 10])
@example([b"\x08" + b"\xff" * 9 + b"\x01"])
@example([b"\x0a\xff\xff\xff\xff\x0f", b"\x08\x01"])
@example([b"\x08", b"\x08\x01"])
@example([b"\x0b\x01"])
@example([b"\x00\x01"])
def test_both_readers_refuse_the_same_bytes(parts):
    alone = []
    for part in parts:
        try:
            alone.append(Message(part)._fields)
        except ValueError as error:
            assert str(error)  # noqa: PT017 - either is right
    try:
        fields = scan_all(parts)
    except ValueError:
        assert len(alone) < len(parts)
        return
    assert [fields_of(fields, j) for j in range(len(parts))] == alone


def test_numbers_of_many_messages():
    parts = [
        double(1, 2.5) + single(2, 0.1) + whole(3, -7) + text(4, whole(1, 5)),
        b"",
        whole(3, 2),
    ]
    fields = scan_all(parts)
    assert fields.doubles(1, -1.0).tolist() == [2.5, -1.0, -1.0]
    assert fields.floats(2).tolist() == [float(np.float32(0.1)), 0.0, 0.0]
    assert fields.wholes(3, 9).tolist() == [-7, 9, 2]
    assert fields.messages(4).wholes(1).tolist() == [5, 0, 0]
    with pytest.raises(ValueError, match="wrong type"):
        fields.floats(1)


@pytest.mark.parametrize(
    "read",
    [
        lambda: Message(text(1, "x")).floats(1),
        lambda: Message(text(1, b"\xff")).text(1),
        lambda: Message(whole(1, 1)).text(1),
        lambda: Message(text(1, b"\xff")).wholes(1),
        lambda: Message(doubles(1, [1.0])[:-1]),
        lambda: scan_all([whole(1, 1) * (MAX_ROUNDS + 1)]),
        lambda: scan_all([whole(1, 1) + whole(1, 2)]).wholes(1),
        lambda: scan_all([text(1, whole(1, 1)) + text(1, whole(2, 2))]).messages(1),
        lambda: read_packed(np.array([128, 1, 0, 0], np.uint8), np.array([0, 1]), np.array([1, 2])),
    ],
)
def test_values_of_other_types_are_refused(read):
    with pytest.raises(ValueError, match="damaged"):
        read()


@pytest.mark.parametrize("data", [b"\x0a" + varint(2**62), b"\x0a" + varint(2**64 - 1), b"\x0a"])
def test_huge_lengths_are_refused_without_memory(data):
    tracemalloc.start()
    try:
        for read in (Message, lambda part: scan_all([part])):
            with pytest.raises(ValueError, match="damaged"):
                read(data)
        assert tracemalloc.get_traced_memory()[1] < 10**6
    finally:
        tracemalloc.stop()
