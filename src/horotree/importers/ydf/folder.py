"""The folder of a model of YDF: its messages, and the records of its nodes.

A file of nodes is a "blob sequence": 8 bytes (BS, a version, a compression), then records, each
after its length. All after the 8 bytes may be compressed by gzip.
"""

import os
import struct
import zlib
from array import array
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from horotree.importers.errors import UnsupportedModelError
from horotree.importers.formats.protobuf import Message
from horotree.importers.formats.protobuf_arrays import PADDING, Bytes, Ints
from horotree.importers.shared.documents import MAX_FILE_BYTES, read_bytes

HEADER, DATA_SPEC = "header.pb", "data_spec.pb"

FORMATS = ("BLOB_SEQUENCE", "BLOB_SEQUENCE_GZIP")

# Messages are read field by field, so they may not be as large as files of nodes may.
MAX_MESSAGE_BYTES = 2**25

# The nodes of all trees: those of the largest files of nodes that are read.
MAX_NODES = 2**24

# A node needs an output, or a condition: a message within its message.
_MIN_RECORD = 2

_MAX_SHARDS = 10_000

_LENGTH = struct.Struct("<I")

# What gzip may make of some bytes: nodes become some ten times smaller.
_MAX_GROWTH, _MAX_GROWTH_OF_SMALL = 100, 2**24


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """Messages one after the other, with PADDING at the end, and where each is."""

    data: Bytes
    start: Ints
    end: Ints


def find_prefixes(path: Path) -> list[str]:
    """Return what the names of files start with, of each model that is in a folder."""
    try:
        names = {entry.name for entry in os.scandir(path)}
    except OSError:
        return []
    prefixes = [name.removesuffix(DATA_SPEC) for name in names if name.endswith(DATA_SPEC)]
    return sorted(prefix for prefix in prefixes if prefix + HEADER in names)


def find_prefix(path: Path) -> str:
    """Return what the names of the files of the one model in a folder start with."""
    prefixes = find_prefixes(path)
    if not prefixes:
        raise ValueError(f"a model of YDF must have {DATA_SPEC} and {HEADER}, {path} has not both.")
    if len(prefixes) > 1:
        raise ValueError(
            f"a folder must have one model, {path} has several, whose files start with "
            f"{', '.join(map(repr, prefixes[:5]))}: copy the files of one to a folder."
        )
    return prefixes[0]


def read_message(path: Path) -> Message:
    """Return the message that a file holds."""
    data = _read(path)
    if len(data) > MAX_MESSAGE_BYTES:
        raise ValueError(
            f"{path.name} may have up to {MAX_MESSAGE_BYTES} bytes, got {len(data)}: the file is "
            "damaged."
        )
    return Message(data)


def _read(path: Path) -> bytes:
    try:
        return read_bytes(path)
    except OSError as error:
        raise ValueError(
            f"a model of YDF must have the file {path.name}, which cannot be read: {error}."
        ) from error


def read_records(path: Path, prefix: str, n_shards: int, node_format: str) -> Records:
    """Return the records of all ``n_shards`` files of nodes, in their order."""
    if node_format not in FORMATS:
        raise UnsupportedModelError(
            f"YDF's nodes must be saved as {' or '.join(FORMATS)}, got {node_format[:40]!r}: load "
            "the model in YDF, and save it anew."
        )
    if not 0 <= n_shards <= _MAX_SHARDS:
        raise ValueError(f"nodes must be in 0 to {_MAX_SHARDS} files, got {n_shards}: damaged.")
    shards: list[bytes] = []
    ends = array("q", [0])
    for shard in range(n_shards):
        name = f"{prefix}nodes-{shard:05d}-of-{n_shards:05d}"
        shards.append(_unpack(_read(path / name), name))
        if sum(map(len, shards)) > MAX_FILE_BYTES:
            raise ValueError(f"nodes may take up to {MAX_FILE_BYTES} bytes, got more.")
        _find_ends(shards[-1], name, ends)
    data = np.frombuffer(b"".join([*shards, PADDING]), np.uint8)
    end = np.frombuffer(ends, np.int64)
    return Records(data, end[:-1] + _LENGTH.size, end[1:])


def _unpack(data: bytes, name: str) -> bytes:
    """Return the bytes after the first 8, decompressed."""
    if len(data) < 8 or data[:2] != b"BS":
        raise ValueError(f"{name} must start with BS, got {data[:2]!r}: the file is damaged.")
    version, compression = int.from_bytes(data[2:4], "little"), data[4]
    if version > 1 or (version == 1 and compression > 1):
        raise UnsupportedModelError(
            f"nodes must be of version 0 or 1, not compressed or by gzip, got version {version} "
            f"and compression {compression}: the files are of a later YDF, or damaged."
        )
    if version == 0 or compression == 0:
        return data[8:]
    limit = min(MAX_FILE_BYTES, _MAX_GROWTH_OF_SMALL + _MAX_GROWTH * len(data))
    stream = zlib.decompressobj(wbits=47)  # gzip or zlib, by its first bytes
    try:
        found = stream.decompress(data[8:], limit)
    except zlib.error as error:
        raise ValueError(f"{name} must be gzip, which cannot be read: {error}.") from error
    if not stream.eof:
        what = "ends too early" if len(found) < limit else f"becomes more than {limit} bytes"
        raise ValueError(f"{name} {what} when it is decompressed: the file is damaged.")
    return found


def _find_ends(data: bytes, name: str, ends: "array[int]") -> None:
    """Append where the records end, counted from the first file."""
    place, shift, last = 0, ends[-1], len(data) - _LENGTH.size
    for _ in range(MAX_NODES + 1 - len(ends)):  # the loop of a million rounds
        if place > last:
            break
        length = _LENGTH.unpack_from(data, place)[0]
        place += _LENGTH.size + length
        if length < _MIN_RECORD:
            raise ValueError(f"a record of {name} has {length} bytes: the file is damaged.")
        ends.append(shift + place)
    if place <= last:
        raise UnsupportedModelError(
            f"a model may have up to {MAX_NODES} nodes, got more: train fewer or smaller trees."
        )
    if place != len(data):
        raise ValueError(f"{name} must end with a record: the file is damaged or cut off.")
