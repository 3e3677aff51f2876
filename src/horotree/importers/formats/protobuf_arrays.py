"""Many small messages of protocol buffers, read together.

``scan`` takes one round a field of the longest message, so that a million of them take a second.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.importers.shared.forest import join_ranges

from .protobuf import FIXED32, FIXED64, LENGTH, MAX_NUMBER, VARINT, VARINT_BYTES

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]

# How many fields a message may have: every one takes a round.
MAX_ROUNDS = 64

# What must follow the messages: eight bytes can then be read at every place, and no varint goes on
# for ever.
PADDING = bytes(8)


@dataclass(frozen=True, slots=True, eq=False)
class Fields:
    """The fields of many messages: the message, number and type of each, and where its value is.

    ``value`` is that of a varint; ``start`` and ``end`` are where other values are in ``data``.
    """

    data: Bytes
    n_messages: int
    owner: Ints
    number: Ints
    wire: Ints
    value: Ints
    start: Ints
    end: Ints

    def find(self, number: int, wire: int) -> Ints:
        """Return where each message's field of this number is, -1 if it has none.

        One that is there twice is refused: of numbers the last would count, of messages both.
        """
        places = np.flatnonzero(self.number == number)
        if (self.wire[places] != wire).any():
            raise ValueError(f"field {number} has a value of a wrong type: the file is damaged.")
        found = np.full(self.n_messages, -1, np.int64)
        found[self.owner[places]] = places
        if np.count_nonzero(found >= 0) < len(places):
            raise ValueError(f"field {number} must be there once: the file is damaged.")
        return found

    def wholes(self, number: int, default: int = 0) -> Ints:
        """Return a whole number of each message."""
        places = self.find(number, VARINT)
        found = np.full(self.n_messages, default, np.int64)
        found[places >= 0] = self.value[places[places >= 0]]
        return found

    def floats(self, number: int, default: float = 0.0) -> Floats:
        """Return a float of 32 bits of each message."""
        return self._numbers(number, FIXED32, "<f4", default)

    def doubles(self, number: int, default: float = 0.0) -> Floats:
        """Return a float of 64 bits of each message."""
        return self._numbers(number, FIXED64, "<f8", default)

    def _numbers(self, number: int, wire: int, dtype: str, default: float) -> Floats:
        places = self.find(number, wire)
        known = places >= 0
        found = np.full(self.n_messages, default)
        found[known] = gather(self.data, self.start[places[known]], dtype)
        return found

    def spans(self, number: int) -> tuple[NDArray[np.bool_], Ints, Ints]:
        """Return which messages have a field of bytes, and where those start and end, else 0."""
        places = self.find(number, LENGTH)
        known = places >= 0
        start, end = np.zeros((2, self.n_messages), np.int64)
        start[known], end[known] = self.start[places[known]], self.end[places[known]]
        return known, start, end

    def messages(self, number: int) -> "Fields":
        """Return the fields of a message within each message; none where it is not there."""
        _, start, end = self.spans(number)
        return scan(self.data, start, end)


def gather(data: Bytes, place: Ints, dtype: str) -> Floats:
    """Return the numbers that are at these places, whatever their alignment, as float64."""
    size = np.dtype(dtype).itemsize
    view = np.ndarray((len(data) - size + 1,), dtype, data, strides=(1,))  # one at every byte
    with np.errstate(invalid="ignore"):  # NaN that signals
        return view[place].astype(np.float64)


def scan(data: Bytes, start: Ints, end: Ints) -> Fields:
    """Return the fields of many messages; raise ValueError if some bytes are no message.

    ``data`` has ``PADDING`` after the messages. ``start`` and ``end`` must be within it, which is
    checked where lengths are read. Messages may not have more fields than nodes of trees do.
    """
    owner = np.flatnonzero(start < end)
    place = start[owner]
    rounds: list[tuple[Ints, ...]] = []
    while len(owner):
        if len(rounds) == MAX_ROUNDS:
            raise ValueError(f"a node may have {MAX_ROUNDS} fields, got more: the file is damaged.")
        tag, place = _read_varints(data, place, end[owner])
        number, wire = tag >> 3, tag & 7
        if ((number < 1) | (number > MAX_NUMBER)).any():
            raise ValueError("a field must have a number: the file is damaged.")
        value, place, after = _read_values(data, wire, place, end[owner])
        rounds.append((owner, number, wire, value, place, after))
        more = after < end[owner]
        owner, place = owner[more], after[more]
    columns = [np.concatenate(column) for column in zip(*rounds, strict=True)]
    if not columns:
        columns = [np.empty(0, np.int64)] * 6
    return Fields(data, len(start), *columns)


def _read_values(data: Bytes, wire: Ints, place: Ints, end: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the varint of each field, where its bytes start, and where the next field does."""
    numeric = (wire == VARINT) | (wire == LENGTH)
    value = np.zeros(len(wire), np.int64)
    begin = place.copy()
    value[numeric], begin[numeric] = _read_varints(data, place[numeric], end[numeric])
    length = np.where(wire == LENGTH, value, 0)
    length[wire == FIXED64] = 8
    length[wire == FIXED32] = 4
    known = numeric | (wire == FIXED64) | (wire == FIXED32)
    if not (known & (length >= 0) & (length <= end - begin)).all():
        raise ValueError("a field must be within its message: the file is damaged.")
    return value, begin, begin + length


def _read_varints(data: Bytes, place: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Return the number at each place, and the next place."""
    byte = data[place]
    value = (byte & 127).astype(np.int64)
    after = place + 1
    going = np.flatnonzero(byte >= 128)
    for shift in range(1, VARINT_BYTES):
        if not len(going):
            break
        byte = data[after[going]]
        value[going] |= (byte & 127).astype(np.int64) << 7 * shift
        after[going] += 1
        going = going[byte >= 128]
    if len(going) or (after > end).any():
        raise ValueError("a number does not end within its message: the file is damaged.")
    return value, after


def read_packed(data: Bytes, start: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Return lists of whole numbers, one after the other, and the length of each list."""
    place = join_ranges(start, end - start)
    stop = data[place] < 128
    owner = np.repeat(np.arange(len(start)), end - start)
    size = np.bincount(owner[stop], minlength=len(start))
    last = end > start
    if not stop[(np.cumsum(end - start) - 1)[last]].all():
        raise ValueError("a number does not end within its message: the file is damaged.")
    begin = np.concatenate([[True], stop[:-1]])[: len(stop)]
    value, _ = _read_varints(data, place[begin], place[stop] + 1)
    return value, size
