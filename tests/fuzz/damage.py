"""Damage to a file, as a program, a disk or an attacker would do it."""

import hashlib
import json
import re
import struct

# Numbers that are likely to meet a limit, as text and as bytes.
NUMBERS = ["-1", "0", "1", "2", "3", "255", "65536", "99999", "2147483647", "4294967295", "1e300"]
NUMBERS += ["-1e400", "NaN", "9" * 30, "9" * 5000, "- 1", "1-2", "", "null", "[]", "{}", '"x"']
NUMBERS += ["1.5", "true"]
BYTES = [b"\x00", b"\xff", b"\x7f", b"\x80", b"\xff" * 4, b"\xff" * 8, b"\x00" * 8]

_PREFIX = struct.Struct("<8sIIQQ")  # of our own files, which end with a SHA-256


def damage(files, rng):
    """Return the files of a source, one of them damaged (one to four faults) or missing.

    Files of our own are mostly signed again.
    """
    name = sorted(files)[rng.integers(len(files))]
    if len(files) > 1 and rng.random() < 0.05:
        return {other: files[other] for other in files if other != name}
    is_signed = name == "own" and rng.random() < 0.9
    return files | {name: (_damage_own if is_signed else _damage_bytes)(files[name], rng)}


def flip(content, changes):
    """Return bytes with some bits flipped, each at (share of the length, bit of the byte)."""
    data = bytearray(content)
    for share, bit in changes:
        data[int(share * len(data))] ^= 1 << bit
    return bytes(data)


def renumber(content, which, new):
    """Return a text in which one of the numbers is replaced."""
    found = list(re.finditer(rb"-?\d[\d.eE+-]*", content))
    if not found:
        return content
    chosen = found[which % len(found)]
    return content[: chosen.start()] + new.encode() + content[chosen.end() :]


def _damage_bytes(content, rng):
    for _ in range(rng.integers(1, 5)):
        content = _FAULTS[rng.integers(len(_FAULTS))](content, rng)
    return content


def _flip(content, rng):
    return flip(content, [(rng.random(), int(rng.integers(8)))] if content else [])


def _cut(content, rng):
    return content[: _place(content, rng)]


def _put(content, rng):
    place, new = _place(content, rng), BYTES[rng.integers(len(BYTES))]
    return content[:place] + new + content[place + len(new) :]


def _repeat(content, rng):
    a, b = sorted((_place(content, rng), _place(content, rng)))
    return content[:b] + content[a:b][:4096] + content[b:]


def _drop(content, rng):
    place = _place(content, rng)
    return content[:place] + content[place + int(rng.integers(1, 64)) :]


def _renumber(content, rng):
    new = NUMBERS[rng.integers(len(NUMBERS))]
    return renumber(content, int(rng.integers(10**6)), new)


_FAULTS = (_flip, _cut, _put, _repeat, _drop, _renumber, _renumber)


def _place(content, rng):
    return int(rng.integers(len(content))) if content else 0


def _damage_own(content, rng):
    """Damage the header or the arrays, with lengths and a checksum that are right."""
    header, body = _split_own(content)
    if rng.random() < 0.5:
        header = _damage_bytes(header, rng)
    elif rng.random() < 0.5:  # whole numbers of 4 bytes, which keep all lengths
        data = bytearray(body)
        for _ in range(rng.integers(1, 5)):
            place = int(rng.integers(len(data) // 4)) * 4
            new = (-1, 0, 1, 2, 7, 2**24 - 1, 2**31 - 1)[rng.integers(7)]
            data[place : place + 4] = struct.pack("<i", new)
        body = bytes(data)
    else:
        header = _add_categories(header)
    return _sign(header, body)


def signed(content, changes):
    """Return a file of our own whose header has other fields, signed again."""
    header, body = _split_own(content)
    return _sign(json.dumps(json.loads(header) | changes).encode(), body)


def _split_own(content):
    (size,) = struct.unpack("<Q", content[16:24])
    start = _PREFIX.size
    return content[start : start + size], content[start + size : -32]


def _sign(header, body):
    whole = _PREFIX.pack(b"HOROTREE", 1, 0, len(header), len(body)) + header + body
    return whole + hashlib.sha256(whole).digest()


def _add_categories(header):
    """Return a header whose categories are many."""
    fields = json.loads(header)
    fields["categories"] = [None if x is None else list(range(9999)) for x in fields["categories"]]
    return json.dumps(fields).encode()
