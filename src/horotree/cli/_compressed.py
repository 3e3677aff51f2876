"""Compressed content, recognized by how it begins, whatever the file is called."""

import bz2
import contextlib
import gzip
import importlib
import lzma
from collections.abc import Callable

from ._errors import UserError, refusals

_MAGIC = {
    "gzip": (b"\x1f\x8b\x08",),
    "bzip2": tuple(b"BZh%d1AY&SY" % level for level in range(1, 10)),
    "xz": (b"\xfd7zXZ\0",),
    "zstd": (b"\x28\xb5\x2f\xfd",),
}


def expand(name: str, data: bytes) -> bytes:
    """Return what is in compressed content; other content as it is.

    Parameters
    ----------
    name : str
        The file, in quotes, for messages.
    data : bytes
        Its content.

    Returns
    -------
    bytes

    Examples
    --------
    >>> import gzip
    >>> from horotree.cli._compressed import expand
    >>> expand("'a.csv'", gzip.compress(b"x,y")), expand("'a.csv'", b"x,y")
    (b'x,y', b'x,y')
    """
    kind = next((kind for kind, begins in _MAGIC.items() if data.startswith(begins)), None)
    if kind is None:
        return data
    decompress = _decompressor(kind, name)
    try:
        with refusals(Exception, before=f"{name} is damaged or cut off, {kind} cannot read it: "):
            return decompress(data)
    except UserError as error:
        if isinstance(error.__cause__, MemoryError):
            raise error.__cause__ from None
        raise


def _decompressor(kind: str, name: str) -> Callable[[bytes], bytes]:
    if kind == "zstd":
        return _zstd_decompressor(name)
    return {"gzip": gzip.decompress, "bzip2": bz2.decompress, "xz": lzma.decompress}[kind]


def _zstd_decompressor(name: str) -> Callable[[bytes], bytes]:
    """Return that of Python, which has one since 3.14, or of the package zstandard."""
    with contextlib.suppress(ImportError):
        found: Callable[[bytes], bytes] = importlib.import_module("compression.zstd").decompress
        return found
    try:
        import zstandard  # noqa: F401
    except ImportError as error:
        raise UserError(
            f"{name} is compressed by zstd, which needs the package zstandard: pip install "
            "zstandard, or decompress the file."
        ) from error
    return _decompress_frames


def _decompress_frames(data: bytes) -> bytes:
    """Return what is in one zstd frame or several, all of them whole."""
    import zstandard

    parts = []
    while data:
        frame = zstandard.ZstdDecompressor().decompressobj()
        parts.append(frame.decompress(data))
        if not frame.eof:
            raise EOFError("the content ends before its end mark.")
        data = frame.unused_data
    return b"".join(parts)
