"""CatBoost's files are untrusted: what is damaged is refused with a sentence, at little cost."""

import json
import struct
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.importers import UnsupportedModelError
from horotree.importers.catboost import contents, reader
from horotree.importers.formats import flatbuffers
from tests.fuzz.harness import attack, memory_below, read_or_refuse
from tests.fuzz.sources import read_sources
from tests.importers.formats.test_flatbuffers import Numbers, encode


@pytest.fixture
def sources(require):
    require("catboost")
    found = read_sources("catboost")
    return {name.removeprefix("catboost-"): files[name] for name, files in found.items()}


def convert(tmp_path, data):
    path = tmp_path / "model"
    path.write_bytes(data)
    return read_or_refuse(reader.convert_file, path)


# A .cbm file is mostly text about its training: changes of these bytes hit the rest.
@pytest.mark.parametrize("name", ["symmetric.cbm", "nested.cbm"])
@attack
@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 2**32 - 1)), min_size=1))
def test_changed_words_outside_of_texts_are_read_or_refused(sources, tmp_path, name, changes):
    data = bytearray(sources[name])
    places = [j for j in range(8, len(data) - 4, 4) if not bytes(data[j : j + 4]).isascii()]
    places += [j for j in range(8, len(data) - 4, 4) if data[j + 3] == 0]
    for which, word in changes:
        place = places[which % len(places)]
        data[place : place + 4] = struct.pack("<I", word if word % 3 else word % 64)
    convert(tmp_path, bytes(data))


def cbm(**changes):
    """Return a .cbm file of two trees with three nodes each, with some fields changed."""
    fields = {
        "dimension": ("int32", 1),
        "splits": Numbers([0, 0, 0, 1, 0, 0], "int32"),
        "sizes": Numbers([3, 3], "int32"),
        "starts": None,
        "cats": None,
        "floats": [[("bool", False), ("int32", 0), ("int32", 0), Numbers([0.5, 1.5], "float32")]],
        "one_hot": None,
        "ctr": None,
        "values": Numbers([1.0, 2.0, 3.0, 4.0], "float64"),
        "weights": Numbers([1.0, 1.0, 2.0, 2.0], "float64"),
        "steps": Numbers([1, 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0], "uint16"),
        "leaves": Numbers([2**32 - 1, 0, 1, 2**32 - 1, 2, 3], "uint32"),
        **changes,
    }
    steps = fields["steps"]
    if steps is not None:  # a list of pairs
        fields["steps"] = Numbers(np.array(steps.values, "uint16").view("uint32"), "uint32")
    params = {"loss_function": {"type": "Logloss"}, "boosting_options": {"learning_rate": 0.5}}
    core = encode([None, list(fields.values()), [["params", json.dumps(params)]]])
    return b"CBM1" + len(core).to_bytes(4, "little") + core


# NaNs of two kinds: arithmetic with the second raises a flag of the processor.
QUIET32 = np.array([0x3F000000, 0x7FC00000], "uint32").view("float32")
SIGNAL32 = np.array([0x3F000000, 0x7FA00000], "uint32").view("float32")
SIGNAL64 = np.array([0x7FF4000000000000] * 4, "uint64").view("float64")

DAMAGES = {
    "a child outside": {"steps": Numbers([1, 3, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0], "uint16")},
    "a child far away": {"steps": Numbers([1, 65535, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0], "uint16")},
    "two parents": {"steps": Numbers([1, 2, 1, 0, 0, 0, 1, 2, 0, 0, 0, 0], "uint16")},
    "the same child twice": {"steps": Numbers([1, 1, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0], "uint16")},
    "few steps": {"steps": Numbers([1, 2, 0, 0], "uint16")},
    "a leaf outside": {"leaves": Numbers([9, 0, 1, 9, 2, 4], "uint32")},
    "few leaves": {"leaves": Numbers([9, 0, 1], "uint32")},
    "a split outside": {"splits": Numbers([0, 0, 0, 2, 0, 0], "int32")},
    "a negative split": {"splits": Numbers([-1, 0, 0, 1, 0, 0], "int32")},
    "few splits": {"splits": Numbers([0, 0, 0], "int32")},
    "a tree of no nodes": {"sizes": Numbers([6, 0], "int32")},
    "a huge tree": {"sizes": Numbers([2**31 - 1, 3], "int32")},
    "a negative tree": {"sizes": Numbers([-3, 9], "int32")},
    "deep trees": {"steps": None, "sizes": Numbers([24, 24], "int32")},
    "too deep trees": {"steps": None, "sizes": Numbers([62, 62], "int32")},
    "classes": {"dimension": ("int32", 2)},
    "many classes": {"dimension": ("int32", 2**31 - 1)},
    "no classes": {"dimension": ("int32", 0)},
    "few weights": {"weights": Numbers([1.0], "float64")},
    "negative weights": {"weights": Numbers([1.0, 1.0, -2.0, 2.0], "float64")},
    "infinite values": {"values": Numbers([1.0, np.inf, 3.0, 4.0], "float64")},
    "values that are none": {"values": Numbers([1.0, np.nan, 3.0, 4.0], "float64")},
    "borders that fall": {
        "floats": [[("bool", False), ("int32", 0), ("int32", 0), Numbers([1.5, 0.5], "float32")]]
    },
    "infinite borders": {
        "floats": [[("bool", False), ("int32", 0), ("int32", 0), Numbers([0.5, np.inf], "float32")]]
    },
    "borders that are none": {
        "floats": [[("bool", False), ("int32", 0), ("int32", 0), Numbers(QUIET32, "float32")]]
    },
    "borders that signal": {
        "floats": [[("bool", False), ("int32", 0), ("int32", 0), Numbers(SIGNAL32, "float32")]]
    },
    "a huge column": {
        "floats": [
            [("bool", False), ("int32", 0), ("int32", 2**20), Numbers([0.5, 1.5], "float32")]
        ]
    },
    "a column twice": {
        "floats": [
            [("bool", False), ("int32", j), ("int32", 0), Numbers([0.5], "float32")]
            for j in range(2)
        ]
    },
    "trees at other places": {"starts": Numbers([0, 2], "int32")},
    "a category of no column": {"one_hot": [[("int32", 0), Numbers([-5], "int32")]]},
}


def test_the_small_file_is_read(tmp_path):
    model = convert(tmp_path, cbm())
    assert model.score([[0.5], [1.0], [2.0]]).tolist() == [4.0, 5.0, 6.0]


def test_places_of_trees_are_read(tmp_path):
    assert convert(tmp_path, cbm(starts=Numbers([0, 3], "int32"))) is not None


NEWTON = {"leaf_estimation_method": "Newton", "leaf_estimation_iterations": 1}


@pytest.mark.parametrize(
    "change",
    [
        {"tree_learner_options": [1]},
        {"boosting_options": "x"},
        {"data_processing_options": 3},
        {"tree_learner_options": NEWTON | {"l2_leaf_reg": 10**400}},
        {"tree_learner_options": NEWTON | {"l2_leaf_reg": -1}},
    ],
)
def test_options_that_catboost_does_not_write_say_nothing_of_leaves(sources, tmp_path, change):
    document = json.loads(sources["nested.json"])
    document["model_info"]["params"].update(change)
    assert convert(tmp_path, json.dumps(document).encode()).steps is None


def test_more_classes_than_scores_are_refused(sources, tmp_path):
    document = json.loads(sources["nested.json"])
    document["model_info"]["class_params"] = {"class_to_label": [0, 0, 1]}
    assert convert(tmp_path, json.dumps(document).encode()) is None


def test_one_bias_in_a_document_is_0_to_catboost_and_refused(sources, tmp_path):
    document = json.loads(sources["symmetric.json"])
    document["scale_and_bias"] = [1, 0]
    assert convert(tmp_path, json.dumps(document).encode()) is not None
    document["scale_and_bias"] = [1, 0.5]
    assert convert(tmp_path, json.dumps(document).encode()) is None


@pytest.mark.parametrize("weights", [np.full(4, np.nan), SIGNAL64, []])
def test_weights_that_are_unknown_are_read(tmp_path, weights):
    tree = convert(tmp_path, cbm(weights=Numbers(weights, "float64"))).ensembles[0].trees[0]
    assert np.isnan(tree.weight).all()
    assert tree.value.tolist() == [3.0, 2.0, 4.0]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_are_refused_without_memory(tmp_path, damage):
    data = cbm(**DAMAGES[damage])
    with memory_below(2e7):
        assert convert(tmp_path, data) is None


def chain(n):
    """Return the fields of one tree of n nodes, each a leaf and the parent of the next."""
    steps = np.zeros((n, 2), "uint16")
    steps[:-1, 0] = 1
    return {
        "splits": Numbers(np.zeros(n), "int32"),
        "sizes": Numbers([n], "int32"),
        "steps": Numbers(steps.reshape(-1), "uint16"),
        "leaves": Numbers(np.arange(n), "uint32"),
        "values": Numbers(np.arange(n), "float64"),
        "weights": None,
    }


@pytest.mark.clock
def test_chains_are_read_up_to_a_depth(tmp_path):
    model = convert(tmp_path, cbm(**chain(1001)))
    assert model.ensembles[0].trees[0].depth.max() == 1000
    assert model.score([[0.0], [1.0]]).tolist() == [1000.0, 0.0]
    start = time.perf_counter()
    assert convert(tmp_path, cbm(**chain(200_000))) is None
    assert time.perf_counter() - start < 5.0


def test_too_many_nodes_trees_and_classes_are_refused(sources, tmp_path, monkeypatch):
    path = tmp_path / "model"
    for name, most in (("MAX_NODES", 20), ("MAX_TREES", 1), ("MAX_SCORES", 2)):
        with monkeypatch.context() as patch:
            patch.setattr(contents, name, most)
            for source in ("symmetric.cbm", "symmetric.json", "nested.cbm", "nested.json"):
                path.write_bytes(sources[source])
                with pytest.raises(UnsupportedModelError, match="a model may have up to"):
                    reader.convert_file(path)


def test_nested_trees_are_not_walked_by_recursion(sources, tmp_path):
    document = json.loads(sources["nested.json"])
    leaf = {"value": [0.0, 0.0, 0.0], "weight": 1}
    tree = leaf
    for _ in range(300):
        tree = {"left": tree, "right": leaf, "split": {"split_index": 0}}
    document["trees"] = [tree]
    model = convert(tmp_path, json.dumps(document).encode())
    assert model.ensembles[0].trees[0].depth.max() == 300


@pytest.mark.clock
def test_many_features_at_the_same_bytes_are_refused(tmp_path):
    n = 100_000
    borders = [("bool", False), ("int32", 0), ("int32", 0), Numbers(np.arange(n), "float32")]
    data = bytearray(cbm(floats=[borders, *([[None]] * 5000)]))
    table = flatbuffers.root(bytes(data[8:])).table(1)
    assert table.length(5) == 5001
    # All offsets are led to the first table.
    place = data.index(struct.pack("<I", 5001))
    target = place + 4 + struct.unpack_from("<I", data, place + 4)[0]
    for j in range(5001):
        struct.pack_into("<I", data, place + 4 + 4 * j, target - place - 4 - 4 * j)
    start = time.perf_counter()
    with pytest.raises(ValueError, match="the same ones in many"):
        _flatbuffer_borders(bytes(data[8:]))
    assert convert(tmp_path, bytes(data)) is None
    assert time.perf_counter() - start < 5.0


def _flatbuffer_borders(core):
    return [feature.numbers(3, "float32") for feature in flatbuffers.root(core).table(1).tables(5)]
