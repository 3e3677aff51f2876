"""Compressed content, recognized by its first bytes, whatever the name of the file."""

import bz2
import contextlib
import importlib
import lzma
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from horotree.cli.errors import UserError, refusals

_MAGIC = {
    "gzip": (b"\x1f\x8b\x08",),
    # a block, or the end of a stream of nothing
    "bzip2": tuple(
        b"BZh%d" % n + mark for n in range(1, 10) for mark in (b"1AY&SY", b"\x17rE8P\x90")
    ),
    "xz": (b"\xfd7zXZ\0",),
    "zstd": (b"\x28\xb5\x2f\xfd",),
}

# The largest size of a decompressed table: a file of a few bytes can be made to fill any memory.
GROWTH = 100
GROWTH_OF_SMALL = 2**28

# The compressed bytes of one step: at most some ten megabytes of content in gzip and zstd. Others,
# which might give much more, are limited to this many bytes of content in a step.
CHUNK = 2**10
PIECE = 2**22

# The memory that xz may use besides: "xz -9" needs a quarter of it.
XZ_MEMORY = 2**28


def expand(name: str, data: bytes) -> bytes:
    """Return what is in compressed content; other content as it is.

    Examples
    --------
    >>> import gzip
    >>> from horotree.cli.tables.compressed import expand
    >>> expand("'a.csv'", gzip.compress(b"x,y")), expand("'a.csv'", b"x,y")
    (b'x,y', b'x,y')
    """
    kind = next((kind for kind, begins in _MAGIC.items() if data.startswith(begins)), None)
    if kind is None:
        return data
    start = _decompressor(kind, name)
    limit = GROWTH_OF_SMALL + GROWTH * len(data)
    try:
        with refusals(Exception, before=f"{name} is damaged or cut off, {kind} cannot read it: "):
            found = _decompress(data, start, limit)
    except UserError as error:
        if isinstance(error.__cause__, MemoryError):
            raise error.__cause__ from None
        raise
    if found is None:
        raise UserError(
            f"{name} becomes more than {limit:,} bytes when it is decompressed, {GROWTH} times its "
            "size and more: decompress it yourself if you trust it."
        )
    return found


def _decompress(data: bytes, start: Callable[[], Any], limit: int) -> bytes | None:
    """Return the content of one or several compressed streams; None if it exceeds the limit."""
    parts, size, place = [], 0, 0
    while place < len(data):
        stream = start()
        while not stream.eof:
            if place >= len(data):
                raise EOFError("it ends before its end mark.")
            for part in _pieces(stream, data[place : place + CHUNK]):
                parts.append(part)
                size += len(part)
                if size > limit:
                    return None
            place += CHUNK
        place = min(place, len(data)) - len(stream.unused_data)
        while data[place : place + 1] == b"\0":  # padding
            place += 1
    return b"".join(parts)


def _pieces(stream: Any, chunk: bytes) -> Iterator[bytes]:
    """Yield the decompressed pieces of a chunk."""
    if not hasattr(stream, "needs_input"):
        yield stream.decompress(chunk)
        return
    yield stream.decompress(chunk, PIECE)
    while not (stream.eof or stream.needs_input):
        yield stream.decompress(b"", PIECE)


def _decompressor(kind: str, name: str) -> Callable[[], Any]:
    """Return the constructor of objects that decompress one stream."""
    if kind == "zstd":
        return _zstd_decompressor(name)
    return {
        "gzip": lambda: zlib.decompressobj(wbits=31),
        "bzip2": bz2.BZ2Decompressor,
        "xz": lambda: lzma.LZMADecompressor(memlimit=XZ_MEMORY),
    }[kind]


def _zstd_decompressor(name: str) -> Callable[[], Any]:
    """Return the one of Python (from 3.14), or of the package zstandard."""
    with contextlib.suppress(ImportError):
        found: Callable[[], Any] = importlib.import_module("compression.zstd").ZstdDecompressor
        return found
    try:
        import zstandard
    except ImportError as error:
        raise UserError(
            f"{name} is compressed by zstd, which needs the package zstandard: pip install "
            "zstandard, or decompress the file."
        ) from error
    return lambda: zstandard.ZstdDecompressor().decompressobj()
