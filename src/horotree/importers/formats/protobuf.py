"""A bounded reader of the wire format of protocol buffers, without their schemas.

A message is a list of fields: a number, one of four wire types, and what follows from the type.
Every length is compared with the bytes that are left before it is used. Many small messages are
read together by ``protobuf_arrays``.
"""

import struct

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5

# The longest varint: 64 bits, seven a byte.
VARINT_BYTES = 10

# The largest number of a field.
MAX_NUMBER = 2**29 - 1

# How many fields a message may have: twice as many as a column may have categories.
MAX_FIELDS = 2**21


class Message:
    r"""A message, else ValueError: its fields by number, the value of each as an int or as bytes.

    Examples
    --------
    >>> from horotree.importers.formats.protobuf import Message
    >>> message = Message(b"\x08\x96\x01\x12\x02hi\x25\x00\x00\x80\x3f")
    >>> message.whole(1), message.text(2), message.floats(4), message.whole(5, 7)
    (150, 'hi', [1.0], 7)
    """

    def __init__(self, data: bytes) -> None:
        self._fields: dict[int, list[int | bytes]] = {}
        place, n_fields = 0, 0
        while place < len(data):
            tag, place = _read_varint(data, place)
            number, wire = tag >> 3, tag & 7
            n_fields += 1
            if n_fields > MAX_FIELDS:
                raise ValueError(f"a message may have {MAX_FIELDS} fields, got more.")
            if not 1 <= number <= MAX_NUMBER:
                raise ValueError(f"a field must have a number, got {number}: the file is damaged.")
            value: int | bytes
            if wire == VARINT:
                value, place = _read_varint(data, place)
            else:
                length = {FIXED64: 8, FIXED32: 4}.get(wire)
                if wire == LENGTH:
                    length, place = _read_varint(data, place)
                if length is None or length > len(data) - place:
                    raise ValueError("a field must be within its message: the file is damaged.")
                value, place = data[place : place + length], place + length
            self._fields.setdefault(number, []).append(value)

    def has(self, number: int) -> bool:
        """Tell whether a field is there."""
        return number in self._fields

    def whole(self, number: int, default: int = 0) -> int:
        """Return a whole number (int32, int64, bool or enum); the last, if it is there often."""
        values = self.wholes(number)
        return values[-1] if values else default

    def wholes(self, number: int) -> list[int]:
        """Return a list of whole numbers, packed or not."""
        found = []
        for value in self._fields.get(number, []):
            if isinstance(value, int):
                found.append(_signed(value))
                continue
            place = 0
            while place < len(value):
                part, place = _read_varint(value, place)
                found.append(_signed(part))
        return found

    def floats(self, number: int) -> list[float]:
        """Return a list of floats of 32 bits, packed or not."""
        data = b"".join(self.chunks(number))
        if len(data) % 4:
            raise ValueError(f"field {number} must be floats of 4 bytes: the file is damaged.")
        return list(struct.unpack(f"<{len(data) // 4}f", data))

    def text(self, number: int, default: str = "") -> str:
        """Return a text; the last, if it is there often."""
        chunks = self.chunks(number)
        try:
            return chunks[-1].decode("utf-8") if chunks else default
        except UnicodeDecodeError as error:
            raise ValueError(f"field {number} must be UTF-8: the file is damaged.") from error

    def message(self, number: int) -> "Message":
        """Return a message within this one, empty if it is not there; several are joined."""
        return Message(b"".join(self.chunks(number)))

    def chunks(self, number: int) -> list[bytes]:
        """Return the bytes of a field, which may be there many times."""
        chunks = self._fields.get(number, [])
        if any(isinstance(chunk, int) for chunk in chunks):
            raise ValueError(f"field {number} must be bytes, got a number: the file is damaged.")
        return [chunk for chunk in chunks if isinstance(chunk, bytes)]


def _read_varint(data: bytes, place: int) -> tuple[int, int]:
    """Return the number at a place, and the next place."""
    value = 0
    for shift, byte in enumerate(data[place : place + VARINT_BYTES]):
        value |= (byte & 127) << 7 * shift
        if byte < 128:
            return value & (2**64 - 1), place + shift + 1
    raise ValueError(f"a number at byte {place} does not end: the file is damaged.")


def _signed(value: int) -> int:
    return value - 2**64 if value >= 2**63 else value
