"""A writer of protocol buffers, and of the folders of YDF, for tests of what reads them."""

import gzip
import struct


def varint(value):
    value %= 2**64
    data = b""
    while value >= 128:
        data += bytes([value & 127 | 128])
        value >>= 7
    return data + bytes([value])


def whole(number, value):
    return varint(number << 3) + varint(int(value))


def double(number, value):
    return varint(number << 3 | 1) + struct.pack("<d", value)


def text(number, value):
    data = value if isinstance(value, bytes) else value.encode()
    return varint(number << 3 | 2) + varint(len(data)) + data


def single(number, value):
    return varint(number << 3 | 5) + struct.pack("<f", value)


def doubles(number, values):
    return text(number, struct.pack(f"<{len(values)}d", *values))


def singles(number, values):
    return text(number, struct.pack(f"<{len(values)}f", *values))


def wholes(number, values):
    return text(number, b"".join(map(varint, values)))


def column(kind, name, *more):
    return text(1, whole(1, kind) + text(2, name) + b"".join(more))


def categories(labels, dtype=13):
    items = [
        text(7, text(1, label) + text(2, whole(1, j))) for j, label in enumerate(["<OOD>", *labels])
    ]
    return text(6, whole(2, len(labels) + 1) + b"".join(items)) + whole(12, dtype)


def codes(n, *, offset=False):
    return text(6, whole(2, n) + whole(5, 1) + (whole(8, 1) if offset else b""))


HIGHER, IS_TRUE, IS_MISSING = 2, 3, 1


def asks(at, condition, *, missing=False):
    return text(3, whole(1, missing) + whole(2, at) + text(3, condition))


def higher(s):
    return text(2, single(1, s))


def is_true():
    return text(3, b"")


def is_missing():
    return text(1, b"")


def contains(elements):
    return text(4, wholes(1, elements))


def contains_bitmap(elements, n_bytes=2):
    bits = sum(1 << element for element in set(elements))
    return text(5, text(1, bits.to_bytes(n_bytes, "little")))


def bin_higher(t):
    return text(6, whole(1, t))


def leaf(value, weight=4.0):
    return text(2, single(1, value) + text(2, double(3, weight))) + whole(4, weight)


def shares(counts, top):
    values = text(2, doubles(1, [0.0, *counts]) + double(2, sum(counts)))
    return text(1, whole(1, top) + values) + whole(4, max(min(sum(counts), 1e9), 0.0))


def blobs(records, *, compressed=False):
    body = b"".join(struct.pack("<I", len(record)) + record for record in records)
    head = b"BS" + struct.pack("<HB3x", 1, compressed)
    return head + (gzip.compress(body) if compressed else body)


LABEL = column(4, "y", categories(["no", "yes"]))


def boosting(records, columns, *, n_trees=1, shards=None, prefix="", compressed=False, **changes):
    """Return the files of gradient boosted trees for two classes; column 0 is the label."""
    parts = [records] if shards is None else shards
    settings = {"loss": 1, "base": [0.5], "format": "BLOB_SEQUENCE", "task": 1, **changes}
    general = [text(1, settings.get("name", "GRADIENT_BOOSTED_TREES")), whole(2, settings["task"])]
    general += [whole(3, 0), *(whole(5, j + 1) for j in range(len(columns)))]
    header = [whole(1, len(parts)), whole(2, n_trees), whole(3, settings["loss"])]
    header += [*(single(4, x) for x in settings["base"]), text(7, settings["format"])]
    header += [whole(5, len(settings["base"]))]
    files = {
        "data_spec.pb": settings.get("label", LABEL) + b"".join(columns),
        "header.pb": b"".join(general),
        "gradient_boosted_trees_header.pb": b"".join(header),
        "done": b"",
    }
    for j, part in enumerate(parts):
        name = f"nodes-{j:05d}-of-{len(parts):05d}"
        files[name] = blobs(part, compressed=compressed)
    return {prefix + name: data for name, data in files.items()}


def forest(records, columns, *, n_trees=1, votes=True, label=LABEL):
    """Return the files of a random forest; column 0 is the label."""
    files = boosting(records, columns, n_trees=n_trees, name="RANDOM_FOREST", label=label)
    del files["gradient_boosted_trees_header.pb"]
    header = [whole(1, 1), whole(2, n_trees), whole(3, votes), text(7, "BLOB_SEQUENCE")]
    return files | {"random_forest_header.pb": b"".join(header)}


def save(path, files):
    path.mkdir(exist_ok=True)
    for name, data in files.items():
        (path / name).write_bytes(data)
    return path
