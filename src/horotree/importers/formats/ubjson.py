"""A bounded reader of UBJSON (universal binary JSON, draft 12), as XGBoost writes it.

Every length is compared with the bytes that are left before memory is taken: memory and time are in
proportion to the input, whatever its content.
"""

from typing import Any

import numpy as np

# Bytes of a number or character by its type, and how NumPy reads it: all big-endian.
_NUMBERS: dict[bytes, np.dtype[Any]] = {
    b"i": np.dtype(">i1"),
    b"U": np.dtype(">u1"),
    b"I": np.dtype(">i2"),
    b"l": np.dtype(">i4"),
    b"L": np.dtype(">i8"),
    b"d": np.dtype(">f4"),
    b"D": np.dtype(">f8"),
}
_CONSTANTS = {b"Z": None, b"T": True, b"F": False}

MAX_DEPTH = 100

# Values other than numbers of typed arrays: a tree of XGBoost has about 23.
MAX_VALUES = 3 * 2**20


def loads(data: bytes) -> Any:
    r"""Read bytes that are one UBJSON document; raise ValueError if they are not.

    Typed arrays of numbers become NumPy arrays, in the byte order of the machine.

    Examples
    --------
    >>> from horotree.importers.formats.ubjson import loads
    >>> loads(b"{U\x01a[U\x07SU\x02hiT]}")
    {'a': [7, 'hi', True]}
    >>> loads(b"[$U#U\x03\x01\x02\x03").tolist()
    [1, 2, 3]
    """
    reader = _Reader(data)
    value = reader.value(reader.marker(), 0)
    if reader.place != len(data):
        raise ValueError(f"nothing may follow the document, got more at byte {reader.place}.")
    return value


class _Reader:
    """A place in the bytes; reading moves it."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0
        self.n_values = 0

    def take(self, n: int) -> bytes:
        """Return the next n bytes."""
        if n > len(self.data) - self.place:
            raise ValueError(f"{n} bytes are wanted at byte {self.place}, but the data end.")
        self.place += n
        return self.data[self.place - n : self.place]

    def marker(self) -> bytes:
        """Return the next byte that is no filler."""
        marker = self.data[self.place : self.place + 1]
        if marker and marker != b"N":
            self.place += 1
            return marker
        marker = self.take(1)
        while marker == b"N":
            marker = self.take(1)
        return marker

    def value(self, marker: bytes, depth: int) -> Any:
        """Return the value that starts with this marker."""
        self.n_values += 1
        if self.n_values > MAX_VALUES:
            raise ValueError(f"a document may have up to {MAX_VALUES} values, got more.")
        if marker in _NUMBERS:
            return self.number(marker)
        if marker == b"S":
            return self.text()
        if marker in (b"[", b"{"):
            if depth >= MAX_DEPTH:
                raise ValueError(f"values may be nested {MAX_DEPTH} deep, got more.")
            return self.array(depth) if marker == b"[" else self.mapping(depth)
        if marker in _CONSTANTS:
            return _CONSTANTS[marker]
        if marker == b"C":
            return self.take(1).decode("latin-1")
        if marker == b"H":
            return float(self.text())
        raise ValueError(f"a value must start with its type, got {marker!r} at {self.place - 1}.")

    def number(self, marker: bytes) -> Any:
        """Return the number of this type."""
        dtype = _NUMBERS[marker]
        data = self.take(dtype.itemsize)
        if dtype.kind == "f":
            return np.frombuffer(data, dtype)[0].item()
        return int.from_bytes(data, "big", signed=dtype.kind == "i")

    def length(self) -> int:
        """Return a count, at most the number of bytes left: each item has one or more."""
        marker = self.take(1)
        if marker not in _NUMBERS or _NUMBERS[marker].kind == "f":
            raise ValueError(f"a length must be a whole number, got type {marker!r}.")
        n = self.number(marker)
        if not 0 <= n <= len(self.data) - self.place:
            raise ValueError(f"a length must fit in the data, got {n} at byte {self.place}.")
        return int(n)

    def text(self) -> str:
        """Return a text."""
        return self.take(self.length()).decode("utf-8")

    def header(self) -> tuple[bytes | None, int | None]:
        """Return the type and the count of a container; None where it has none."""
        kind, sign = None, self.peek()
        if sign == b"$":
            self.place += 1
            kind, sign = self.take(1), self.peek()
            if sign != b"#":
                raise ValueError("a container with a type must have a count, got none.")
        if sign != b"#":
            return kind, None
        self.place += 1
        return kind, self.length()

    def peek(self) -> bytes:
        """Return the next byte without moving."""
        return self.data[self.place : self.place + 1]

    def array(self, depth: int) -> Any:
        """Return a list, or an array of numbers of one type."""
        kind, n = self.header()
        if kind is not None:
            if kind not in _NUMBERS or n is None:
                raise ValueError(f"an array's type must be that of a number, got {kind!r}.")
            dtype = _NUMBERS[kind]
            numbers = np.frombuffer(self.take(n * dtype.itemsize), dtype)
            return numbers.astype(dtype.newbyteorder("="))
        if n is not None:
            return [self.value(self.marker(), depth + 1) for _ in range(n)]
        values = []
        while (marker := self.marker()) != b"]":
            values.append(self.value(marker, depth + 1))
        return values

    def mapping(self, depth: int) -> dict[str, Any]:
        """Return a dictionary."""
        kind, n = self.header()
        if kind is not None:
            raise ValueError(f"an object with a type is not supported, got {kind!r}.")
        values: dict[str, Any] = {}
        while len(values) != n if n is not None else self.peek() != b"}":
            key = self.text()
            if key in values:
                raise ValueError(f"the keys of an object must differ, got {key!r} twice.")
            values[key] = self.value(self.marker(), depth + 1)
        if n is None:
            self.place += 1
        return values
