"""Folders of YDF are untrusted: what is damaged is refused, in little time and memory."""

import struct
import time
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.importers import UnsupportedModelError
from horotree.importers.ydf import folder as ydf_folder
from horotree.importers.ydf import reader
from tests.fuzz.harness import attack, memory_below, read_or_refuse
from tests.importers.formats.protobuf_writer import (
    asks,
    blobs,
    boosting,
    categories,
    codes,
    column,
    contains_bitmap,
    forest,
    higher,
    leaf,
    save,
    shares,
    text,
    varint,
    whole,
)

NUMBER = column(1, "x")
STUMP = [asks(1, higher(0.0)), leaf(-1.0), leaf(2.0)]
NODES = "nodes-00000-of-00001"


def convert(path, files):
    return read_or_refuse(reader.convert_file, save(path, files))


counts = st.lists(st.floats(allow_nan=False, max_value=1e9), min_size=1, max_size=4)
elements = st.lists(st.integers(0, 15), max_size=5).map(contains_bitmap)
conditions = elements | st.floats(width=32).map(higher) | st.binary(max_size=6)
records = st.lists(
    st.builds(leaf, st.floats(width=32), st.floats(0, 1e300) | st.just(2.0))
    | st.builds(asks, st.integers(-1, 4), conditions, missing=st.booleans())
    | st.builds(shares, counts, st.integers(-1, 4))
    | st.binary(min_size=2, max_size=12),
    max_size=12,
)


@attack
@given(
    records,
    st.integers(-1, 3),
    st.booleans(),
    st.booleans(),
)
def test_any_nodes_are_read_or_refused(tmp_path, parts, n_trees, boosted, votes):
    columns = [NUMBER, column(4, "s", categories(["a", "b", "c"])), column(4, "k", codes(9))]
    if boosted:
        convert(tmp_path / "boosted", boosting(parts, columns, n_trees=n_trees))
    else:
        convert(tmp_path / "forest", forest(parts, columns, n_trees=n_trees, votes=votes))


def bomb():
    """Return a small file of nodes that becomes a large one."""
    stream = zlib.compressobj(9, wbits=31)
    body = b"".join(stream.compress(bytes(2**20)) for _ in range(64)) + stream.flush()
    return b"BS\x01\x00\x01\x00\x00\x00" + body


HUGE = 2**31 - 1
CASES = {
    "record": {NODES: b"BS\x01\x00\x00\x00\x00\x00" + struct.pack("<I", 2**32 - 1) + bytes(50)},
    "field": {NODES: blobs([varint(26) + varint(2**60) + bytes(9)])},
    "bomb": {NODES: bomb()},
    "trees": {"gradient_boosted_trees_header.pb": whole(1, 1) + whole(2, 2**40)},
    "shards": {"gradient_boosted_trees_header.pb": whole(1, HUGE) + text(7, "BLOB_SEQUENCE")},
    "categories": {"data_spec.pb": column(4, "y", codes(HUGE)) + NUMBER},
    "classes": {"data_spec.pb": column(4, "y", codes(2**20)) + NUMBER},
    "labels": {"data_spec.pb": column(4, "y", text(6, whole(2, 2**20))) + NUMBER},
    "codes": {
        "data_spec.pb": column(4, "y", categories(["a", "b"]))
        + b"".join(column(4, f"k{j}", codes(2**20)) for j in range(9)),
        "header.pb": text(1, "GRADIENT_BOOSTED_TREES")
        + whole(2, 1)
        + b"".join(whole(5, j + 1) for j in range(9)),
    },
    "features": {"header.pb": text(1, "RANDOM_FOREST") + whole(2, 1) + whole(5, HUGE)},
}


@pytest.mark.parametrize("case", sorted(CASES))
def test_huge_counts_are_refused_without_memory(tmp_path, case):
    files = boosting(STUMP, [NUMBER]) | CASES[case]
    with memory_below(1e8 if case == "bomb" else 3e7):
        assert convert(tmp_path, files) is None


def test_many_classes_of_few_bytes_are_refused(tmp_path):
    label = column(4, "y", codes(2**14))
    votes = [text(1, whole(1, 1))] * 3000
    files = forest(votes, [NUMBER], n_trees=3000, label=label)
    with pytest.raises(UnsupportedModelError, match="trees times classes"):
        reader.convert_file(save(tmp_path, files))
    part = [asks(1, higher(0.0)), votes[0]]
    files = forest([*part * 2000, votes[0]], [NUMBER], label=label)
    with pytest.raises(UnsupportedModelError, match="nodes times classes"):
        reader.convert_file(save(tmp_path, files))


def test_long_classes_are_refused_without_memory(tmp_path):
    label = column(4, "y", categories(["a" * 10**6, *map(str, range(300))]))
    with pytest.raises(ValueError, match="characters"):
        reader.convert_file(save(tmp_path, boosting(STUMP, [NUMBER], label=label)))


@pytest.mark.clock
def test_a_chain_of_many_nodes_takes_little_time(tmp_path):
    n = 16_000
    chain = [part for j in range(n) for part in (asks(1, higher(float(j))), leaf(1.0))]
    start = time.perf_counter()
    model = convert(tmp_path, boosting([*chain, leaf(2.0)], [NUMBER]))
    assert time.perf_counter() - start < 20.0
    assert model.ensembles[0].trees[0].n_nodes == 2 * n + 1


def test_too_many_nodes_and_large_files_are_refused(tmp_path, monkeypatch):
    save(tmp_path, boosting(STUMP, [NUMBER]))
    with monkeypatch.context() as patch:
        patch.setattr(ydf_folder, "MAX_NODES", 2)
        with pytest.raises(UnsupportedModelError, match="up to 2 nodes"):
            reader.convert_file(tmp_path)
        patch.setattr(ydf_folder, "MAX_FILE_BYTES", 10)
        with pytest.raises(ValueError, match="10 bytes"):
            reader.convert_file(tmp_path)
    monkeypatch.setattr(ydf_folder, "MAX_MESSAGE_BYTES", 10)
    with pytest.raises(ValueError, match="up to 10 bytes"):
        reader.convert_file(tmp_path)


def test_files_that_are_folders_are_refused(tmp_path):
    files = boosting(STUMP, [NUMBER])
    del files[NODES]
    save(tmp_path, files)
    (tmp_path / NODES).mkdir()
    assert convert(tmp_path, {}) is None
