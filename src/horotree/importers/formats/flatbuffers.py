"""A bounded reader of FlatBuffers: tables whose fields are known by their number.

Every offset and length is compared with the bytes before it is followed. Offsets may lead to the
same bytes many times, so the sum of all reads is bounded, too: memory and time are in proportion to
the input, whatever its content.
"""

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

# How many texts or tables a list may have.
MAX_ITEMS = 2**20

# How often a byte may be read on average; writers share bytes among equal texts only.
MAX_READS = 4

_FORMATS = {"bool": "<?", "int8": "<b", "int32": "<i", "float64": "<d"}


def root(data: bytes) -> "BufferTable":
    r"""Return the root table of a buffer, which starts with the root's offset.

    Here and when fields are read, an offset or a length that leads out of the bytes is a
    ValueError.

    Examples
    --------
    >>> import struct
    >>> from horotree.importers.formats.flatbuffers import root
    >>> table = struct.pack("<IHHHxxii", 12, 6, 8, 4, 8, 42)
    >>> root(table).number(0, "int32", -1), root(table).number(1, "int32", -1)
    (42, -1)
    """
    buffer = _Buffer(data)
    return BufferTable(buffer, buffer.follow(0))


class _Buffer:
    """The bytes, and how many of them may still be read."""

    __slots__ = ("data", "left")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.left = MAX_READS * len(data) + 1024

    def unpack(self, form: str, place: int) -> Any:
        """Return the number at a place."""
        if not 0 <= place <= len(self.data) - struct.calcsize(form):
            raise ValueError(
                f"an offset must lead to one of {len(self.data)} bytes, got {place}: the file is "
                "damaged or cut off."
            )
        return struct.unpack_from(form, self.data, place)[0]

    def follow(self, place: int) -> int:
        """Return the place that the offset at a place leads to."""
        return place + int(self.unpack("<I", place))

    def span(self, place: int, size: int) -> tuple[int, int]:
        """Return the first byte and the number of items of a list with items of this size."""
        n = int(self.unpack("<I", place))
        if n * size > len(self.data) - place - 4:
            raise ValueError(
                f"a list at byte {place} must fit in the file, got {n} items: the file is damaged "
                "or cut off."
            )
        self.left -= n * size
        if self.left < 0:
            raise ValueError(
                "lists must have their own bytes, got the same ones in many: the file is damaged."
            )
        return place + 4, n

    def text(self, place: int) -> str:
        """Return the text at a place."""
        first, n = self.span(place, 1)
        try:
            return self.data[first : first + n].decode("utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(
                f"a text at byte {place} must be UTF-8: the file is damaged ({error})."
            ) from error


class BufferTable:
    """A table: fields by their number in the schema, with a default where they are left out."""

    __slots__ = ("_buffer", "_end", "_fields", "_place")

    def __init__(self, buffer: _Buffer, place: int) -> None:
        self._buffer = buffer
        self._place = place
        self._fields = place - int(buffer.unpack("<i", place))
        self._end = self._fields + int(buffer.unpack("<H", self._fields))

    def _find(self, field: int) -> int | None:
        """Return the place of a field, None if it is left out."""
        entry = self._fields + 4 + 2 * field
        offset = int(self._buffer.unpack("<H", entry)) if entry + 2 <= self._end else 0
        return self._place + offset if offset else None

    def number(self, field: int, kind: str, default: float) -> Any:
        """Return a number or a flag; kind is bool, int8, int32 or float64."""
        place = self._find(field)
        return default if place is None else self._buffer.unpack(_FORMATS[kind], place)

    def length(self, field: int) -> int:
        """Return the length of a list as its header has it; 0 if it is left out."""
        place = self._find(field)
        return 0 if place is None else self._buffer.unpack("<I", self._buffer.follow(place))

    def text(self, field: int) -> str:
        """Return a text; empty if it is left out."""
        place = self._find(field)
        return "" if place is None else self._buffer.text(self._buffer.follow(place))

    def table(self, field: int) -> "BufferTable | None":
        """Return a table; None if it is left out."""
        place = self._find(field)
        return None if place is None else BufferTable(self._buffer, self._buffer.follow(place))

    def numbers(self, field: int, dtype: str) -> NDArray[Any]:
        """Return a list of numbers as an array; empty if it is left out."""
        place = self._find(field)
        kind = np.dtype(dtype).newbyteorder("<")
        if place is None:
            return np.empty(0, dtype)
        first, n = self._buffer.span(self._buffer.follow(place), kind.itemsize)
        return np.frombuffer(self._buffer.data, kind, n, first).astype(dtype)

    def texts(self, field: int) -> list[str]:
        """Return a list of texts; empty if it is left out."""
        return [self._buffer.text(place) for place in self._items(field)]

    def tables(self, field: int) -> "list[BufferTable]":
        """Return a list of tables; empty if it is left out."""
        return [BufferTable(self._buffer, place) for place in self._items(field)]

    def _items(self, field: int) -> list[int]:
        """Return the places that a list of offsets leads to."""
        place = self._find(field)
        if place is None:
            return []
        first, n = self._buffer.span(self._buffer.follow(place), 4)
        if n > MAX_ITEMS:
            raise ValueError(
                f"a list may have up to {MAX_ITEMS} texts or tables, got {n}: the file is damaged."
            )
        return [self._buffer.follow(first + 4 * j) for j in range(n)]
