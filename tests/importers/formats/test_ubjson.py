"""The reader of UBJSON against a writer, and on what is no UBJSON."""

import json
import struct
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.importers.formats import ubjson
from horotree.importers.formats.ubjson import MAX_DEPTH, loads

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=20,
)


def write(value, *, counted):
    if value is None or isinstance(value, bool):
        return {None: b"Z", True: b"T", False: b"F"}[value]
    if isinstance(value, int):
        return b"L" + struct.pack(">q", value)
    if isinstance(value, float):
        return b"D" + struct.pack(">d", value)
    if isinstance(value, str):
        return b"S" + text(value)
    start, end = (b"[", b"]") if isinstance(value, list) else (b"{", b"}")
    parts = (
        [write(x, counted=counted) for x in value]
        if isinstance(value, list)
        else [text(key) + write(x, counted=counted) for key, x in value.items()]
    )
    if counted:
        return start + b"#" + write(len(value), counted=counted) + b"".join(parts)
    return start + b"".join(parts) + end


def text(value):
    data = value.encode()
    return b"L" + struct.pack(">q", len(data)) + data


@given(values, st.booleans())
def test_what_is_written_is_read(value, counted):
    assert loads(write(value, counted=counted)) == value


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [("i", "i1"), ("U", "u1"), ("I", "i2"), ("l", "i4"), ("L", "i8"), ("d", "f4"), ("D", "f8")],
)
def test_typed_arrays_and_numbers(kind, dtype):
    numbers = np.array([0, 1, 100, 127], f">{dtype}")
    read = loads(b"[$" + kind.encode() + b"#U\x04" + numbers.tobytes())
    assert read.dtype == np.dtype(dtype)
    assert read.tolist() == [0, 1, 100, 127]
    assert loads(kind.encode() + numbers[2:3].tobytes()) == 100


@given(values, st.booleans(), st.data())
def test_a_part_is_refused(value, counted, data):
    whole = write(value, counted=counted)
    end = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(ValueError, match=r"\w"):
        loads(whole[:end])


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data):
    try:
        loads(data)
    except ValueError as error:
        assert str(error)  # noqa: PT017 - either is right


@pytest.mark.parametrize(
    "data",
    [
        b"[$d#L" + b"\x7f" * 8,
        b"[$d#L\x00\x00\x00\x01\x00\x00\x00\x00",
        b"[#L\x00\x00\x00\x01\x00\x00\x00\x00",
        b"[$Z#L\x00\x00\x00\x01\x00\x00\x00\x00",
        b"SL\x7f\xff\xff\xff\xff\xff\xff\xff",
        b"Si\xff",
        b"[#i\xff",
        b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1),
        b"[" * 100_000,
        b"{i\x01aZi\x01aZ}",
        b"ZZ",
        b"",
    ],
)
def test_huge_counts_and_depths_are_refused_without_memory(data):
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"\w"):
            loads(data)
        assert tracemalloc.get_traced_memory()[1] < 10**6
    finally:
        tracemalloc.stop()


def test_xgboost_writes_what_is_read(require):
    xgboost = require("xgboost")
    rng = np.random.default_rng(0)
    data = xgboost.DMatrix(rng.normal(size=(50, 2)), rng.integers(0, 2, 50), nthread=1)
    booster = xgboost.train({"objective": "binary:logistic", "nthread": 1}, data, 2)

    def plain(value):
        if isinstance(value, dict):
            return {key: plain(x) for key, x in value.items()}
        if isinstance(value, np.ndarray):
            return value.tolist()
        return [plain(x) for x in value] if isinstance(value, list) else value

    def rounded(value):
        if isinstance(value, dict):
            return {key: rounded(x) for key, x in value.items()}
        if isinstance(value, list):
            return [rounded(x) for x in value]
        return float(np.float32(value)) if isinstance(value, float) else value

    assert plain(loads(bytes(booster.save_raw("ubj")))) == rounded(
        json.loads(booster.save_raw("json"))
    )


def test_documents_of_too_many_values_are_refused(monkeypatch):
    data = b"[" + b"[]" * 2**21 + b"]"
    tracemalloc.start()
    try:
        monkeypatch.setattr(ubjson, "MAX_VALUES", 10**5)
        with pytest.raises(ValueError, match="up to 100000 values"):
            loads(data)
        assert tracemalloc.get_traced_memory()[1] < 1e7
    finally:
        tracemalloc.stop()
    assert len(loads(b"[" + b"[]" * (10**5 - 1) + b"]")) == 10**5 - 1
    many = loads(b"[[$U#L" + struct.pack(">q", 10**6) + bytes(10**6) + b"]")  # numbers are not
    assert len(many[0]) == 10**6
