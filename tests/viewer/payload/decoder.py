"""Payloads read as the viewer reads them, from their description alone."""

import json
import struct
import zlib

import numpy as np


def decode(payload):
    """Return the header and the arrays by name."""
    blob = zlib.decompress(payload, wbits=-15)
    (length,) = struct.unpack_from("<I", blob)
    header = json.loads(blob[4 : 4 + length].decode("utf-8", "strict"))
    start = -(-(4 + length) // 8) * 8
    assert set(blob[4 + length : start]) <= {0}
    arrays = {}
    for entry in header["arrays"]:
        assert entry["offset"] % 8 == 0
        kind = np.dtype(f"<{entry['dtype'][0]}{int(entry['dtype'][1:]) // 8}")
        size = kind.itemsize * entry["length"]
        data = np.frombuffer(blob, np.uint8, size, start + entry["offset"])
        if entry.get("planar"):
            data = np.ascontiguousarray(data.reshape(kind.itemsize, -1).T)
        arrays[entry["name"]] = data.ravel().view(kind)
    return header, arrays


def blob_of(payload):
    """Return all that is in a payload, as bytes."""
    return zlib.decompress(payload, wbits=-15)
