"""Arrays in few bytes, and a header before them, deflated."""

import json
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats

# The bits of numbers that are shown with three digits; all bits would be most of the file.
SHOWN_BITS = 11

# The bits of numbers with three or four digits, so that nearly all are rounded correctly.
LONG_BITS = 18

# The relative rounding error of a node's figure as the sum of its children's.
ROUNDING = 1e-6

_INTEGERS = ("i1", "u1", "i2", "u2", "i4", "u4")

Arrays = dict[str, NDArray[Any]]


def narrow(integers: NDArray[Any]) -> NDArray[Any]:
    """Return integers in the narrowest type that holds them; as floats if none does."""
    low, high = (int(f(integers, initial=0)) for f in (np.min, np.max))
    for name in _INTEGERS:
        kind = np.iinfo(name)
        if kind.min <= low and high <= kind.max:
            return integers.astype(name)
    return integers.astype(np.float64)


def exact(floats: Floats) -> NDArray[Any]:
    """Return floats in single precision if that is exact."""
    with np.errstate(over="ignore"):
        rounded = floats.astype(np.float32)
    return rounded if np.array_equal(rounded, floats) else floats


def single(floats: Floats) -> NDArray[Any]:
    """Return floats in single precision, unless some would become infinite or zero."""
    with np.errstate(over="ignore", under="ignore"):
        rounded = floats.astype(np.float32)
    known = ~np.isnan(floats)
    fits = np.isfinite(rounded[known]).all() and np.array_equal(rounded == 0.0, floats == 0.0)
    return rounded if fits else floats


def half(floats: Floats) -> NDArray[Any]:
    """Return floats in half precision if that keeps three digits of them; else in single.

    Numbers below a hundred-thousandth of the largest may lose digits.
    """
    with np.errstate(over="ignore", under="ignore"):
        rounded = floats.astype(np.float16)
    known = np.isfinite(floats)
    wanted = floats[known]
    size = np.abs(wanted)
    least = 2.0**-SHOWN_BITS * size + 1e-5 * size.max(initial=0.0)
    with np.errstate(invalid="ignore"):
        fits = (np.abs(rounded[known] - wanted) <= least).all()
    return rounded if fits else floats.astype(np.float32)


def shown(floats: Floats) -> NDArray[np.float32]:
    """Return floats in single precision, rounded to the bits that are shown."""
    bits = floats.astype(np.float32).view(np.uint32)
    dropped = 24 - LONG_BITS
    middle, rest = np.uint32(1 << (dropped - 1)), np.uint32((1 << dropped) - 1)
    return ((bits + middle) & ~rest).view(np.float32)  # infinity and NaN stay what they are


def add_up(figures: NDArray[Any], left: NDArray[Any], right: NDArray[Any]) -> NDArray[Any]:
    """Return the figures of leaves if each inner node has the sum of its children; else all.

    Children are -1 at leaves.
    """
    inner = left >= 0
    sums = figures[left[inner]] + figures[right[inner]]
    near = np.abs(sums - figures[inner]) <= ROUNDING * np.abs(figures[inner])
    return figures[~inner] if near.all() else figures


def pack(header: dict[str, Any], arrays: Arrays) -> bytes:
    """Return a header and arrays as bytes, in the form that ``payload`` describes."""
    listed, parts, offset = [], [], 0
    for name, array in arrays.items():
        ordered = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        dtype = f"{array.dtype.kind}{8 * array.dtype.itemsize}"
        entry = {"name": name, "dtype": dtype, "offset": offset, "length": len(array)}
        data, is_planar = _as_planes(ordered)
        listed.append(entry | ({"planar": True} if is_planar else {}))
        parts.append(data + _padding(len(data)))
        offset += len(parts[-1])
    text = json.dumps(
        header | {"arrays": listed}, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    ).encode()
    start = struct.pack("<I", len(text)) + text
    # 9 takes six times as long, for files that are less than a hundredth smaller.
    deflate = zlib.compressobj(6, zlib.DEFLATED, -15)
    blob = b"".join([start, _padding(len(start)), *parts])
    return deflate.compress(blob) + deflate.flush()


def _as_planes(array: NDArray[Any]) -> tuple[bytes, bool]:
    """Return the bytes of numbers, grouped by their position in the number if that is shorter."""
    plain = array.tobytes()
    if array.dtype.itemsize == 1:
        return plain, False
    planes = array.view(np.uint8).reshape(len(array), array.dtype.itemsize).T.tobytes()
    is_planar = len(zlib.compress(planes, 1)) < len(zlib.compress(plain, 1))
    return (planes, True) if is_planar else (plain, False)


def _padding(length: int) -> bytes:
    return bytes(-length % 8)
