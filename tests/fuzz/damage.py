"""Damage to a file, as a program, a disk or an attacker would do it."""

import hashlib
import io
import json
import re
import struct
import zipfile

# Numbers that are likely to meet a limit, as text and as bytes.
NUMBERS = ["-1", "0", "1", "2", "255", "65536", "2147483647", "4294967295", "1e300", "-1e400"]
NUMBERS += ["NaN", "9" * 30, "", "null", "[]", "{}", '"x"', "1.5", "true"]
BYTES = [b"\x00", b"\xff", b"\x7f", b"\x80", b"\xff" * 4, b"\xff" * 8, b"\x00" * 8]

_PREFIX = struct.Struct("<8sIIQQ")  # of our own files, which end with a SHA-256


def damage(name, content, rng):
    """Return a file's content with one to four faults; that of our own is signed again.

    Parameters
    ----------
    name : str
        Its name among the sources.
    content : bytes
        What is in it.
    rng : numpy Generator
        Of the faults.

    Returns
    -------
    bytes
    """
    if name == "own" and rng.random() < 0.9:
        return _damage_own(content, rng)
    if name.startswith("ydf"):
        return _damage_folder(content, rng)
    return _damage_bytes(content, rng)


def _damage_bytes(content, rng):
    for _ in range(rng.integers(1, 5)):
        content = _FAULTS[rng.integers(len(_FAULTS))](content, rng)
    return content


def _flip(content, rng):
    place, data = _place(content, rng), bytearray(content)
    if data:
        data[place] ^= 1 << int(rng.integers(8))
    return bytes(data)


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
    found = list(re.finditer(rb"-?\d[\d.eE+-]*", content))
    if not found:
        return _put(content, rng)
    chosen = found[rng.integers(len(found))]
    new = NUMBERS[rng.integers(len(NUMBERS))].encode()
    return content[: chosen.start()] + new + content[chosen.end() :]


_FAULTS = (_flip, _cut, _put, _repeat, _drop, _renumber, _renumber)


def _place(content, rng):
    return int(rng.integers(len(content))) if content else 0


def _damage_own(content, rng):
    """Damage the header or the arrays, with lengths and a checksum that are right."""
    header, body = _parts_of(content)
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
    header, body = _parts_of(content)
    return _sign(json.dumps(json.loads(header) | changes).encode(), body)


def _parts_of(content):
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


def _damage_folder(content, rng):
    """Damage one file of a folder, or leave one out."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    chosen = sorted(parts)[rng.integers(len(parts))]
    if rng.random() < 0.05:
        del parts[chosen]
    else:
        parts[chosen] = _damage_bytes(parts[chosen], rng)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as written:
        for name, part in parts.items():
            written.writestr(name, part)
    return archive.getvalue()
