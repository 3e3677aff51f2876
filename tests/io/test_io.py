import hashlib
import json
import os
import struct
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from horotree.io import FileFormatError, file_format, load, save
from horotree.trees import Ensemble, Model
from tests.trees.strategies import models, random_tree, tables

# The file is written anew by every example, so that they may share a folder.
shared_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def small_model(**changes):
    rng = np.random.default_rng(5)
    forest = tuple(random_tree(rng, [0, 3], 6) for _ in range(3))
    ensemble = Ensemble(forest, [0.5, 0.25, 0.1], [0.3, np.nan, 0.1], 0.125)
    fields = {
        "ensembles": (ensemble,),
        "link": "logistic",
        "classes": np.array(["no", "yes"]),
        "feature_names": ("size", "color"),
        "categories": (None, ("blue", "green", "red")),
        "input_dtype": "float64",
    }
    return Model(**{**fields, **changes})


def parts_of(path):
    """Return a file's header and body."""
    content = path.read_bytes()
    (size,) = struct.unpack("<Q", content[16:24])
    return json.loads(content[32 : 32 + size]), content[32 + size : -32]


def repack(path, header=None, body=None):
    """Change a file's header (bytes) or body, with lengths and a checksum that are right."""
    old_header, old_body = parts_of(path)
    header = json.dumps(old_header).encode() if header is None else header
    body = old_body if body is None else body
    prefix = file_format.PREFIX.pack(b"HOROTREE", file_format.VERSION, 0, len(header), len(body))
    start = prefix + header + body
    path.write_bytes(start + hashlib.sha256(start).digest())


# --- there and back ------------------------------------------------------------------------------


@shared_folder
@given(models().flatmap(lambda model: st.tuples(st.just(model), tables(model))))
def test_a_loaded_model_is_equal_and_scores_the_same_to_the_bit(tmp_path, drawn):
    model, table = drawn
    save(model, tmp_path / "model")
    back = load(tmp_path / "model")
    assert back == model  # labels with their types, classes with their dtype
    assert back.classes.dtype == model.classes.dtype
    assert back.score(table).tobytes() == model.score(table).tobytes()
    assert not back.ensembles[0].leverage.flags.writeable


@shared_folder
@given(models())
def test_equal_models_make_equal_files(tmp_path, model):
    save(model, tmp_path / "a")
    save(load(tmp_path / "a"), tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize(
    "classes",
    [
        np.array([False, True]),
        np.array([-1, 1], np.int8),
        np.array([0, 2**64 - 1], np.uint64),
        np.array([0.1, 2.5], np.float32),
        np.array([0.1, 2.5]),
        np.array(["no", "yes"]),
        np.array(["no", "\ud800"], object),
        np.array(["1", 1], object),
        np.array([2**100, 0.5], object),
        np.array([True, "True"], object),
    ],
)
def test_classes_keep_their_types(tmp_path, classes):
    save(small_model(classes=classes), tmp_path / "model")
    back = load(tmp_path / "model").classes
    assert back.dtype == classes.dtype
    assert list(map(type, back.tolist())) == list(map(type, classes.tolist()))
    assert back.tolist() == classes.tolist()


def test_scores_are_the_same_in_another_process(tmp_path):
    model = small_model()
    X = np.random.default_rng(0).normal(size=(100, 2))
    X[:, 1] = np.arange(100) % 3
    np.save(tmp_path / "X.npy", X)
    save(model, tmp_path / "model")
    code = (
        "import sys, numpy as np; from horotree.io import load; folder = sys.argv[1];"
        "model = load(folder + '/model'); X = np.load(folder + '/X.npy');"
        "print(model.ensembles[0].score(X).tobytes().hex())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == model.ensembles[0].score(X).tobytes().hex()


def test_the_format_stays_what_it_is(tmp_path):
    save(Model((Ensemble((), [], [], 0.5),), "logistic", [0, 1], ("x",), (None,), "float64"),
         tmp_path / "model")  # fmt: skip
    content = (tmp_path / "model").read_bytes()
    header = (
        b'{"link":"logistic","input_dtype":"float64","feature_names":["x"],'
        b'"classes":{"dtype":"int64","values":[0,1]},"categories":[null],'
        b'"counts":{"ensembles":1,"trees":0,"nodes":0,"codes":0,"gains":0}}'
    )
    body = struct.pack("<dq", 0.5, 0)
    start = b"HOROTREE" + struct.pack("<IIQQ", 2, 0, len(header), len(body)) + header + body
    assert content == start + hashlib.sha256(start).digest()


def write_format_1(model, path):
    """Write a file as horotree did before trees had gains."""
    trees = [tree for ensemble in model.ensembles for tree in ensemble.trees]
    parts = [struct.pack("<d", ensemble.base_value) for ensemble in model.ensembles]
    parts += [struct.pack("<q", len(ensemble.trees)) for ensemble in model.ensembles]
    parts += [ensemble.leverage.astype("<f8").tobytes() for ensemble in model.ensembles]
    parts += [ensemble.edge.astype("<f8").tobytes() for ensemble in model.ensembles]
    parts += [struct.pack("<q", tree.n_nodes) for tree in trees]
    floats = [(name, "<f8") for name in ("threshold", "value", "output", "weight")]
    for name, dtype in (
        *floats,
        ("count", "<i8"),
        *((x, "<i4") for x in ("left", "right", "feature")),
    ):
        parts += [getattr(tree, name).astype(dtype).tobytes() for tree in trees]
    parts += [np.diff(tree.category_start).astype("<i4").tobytes() for tree in trees]
    parts += [tree.category.astype("<i4").tobytes() for tree in trees]
    parts += [tree.missing_left.astype("|u1").tobytes() for tree in trees]
    header = json.dumps(
        {
            "link": model.link,
            "input_dtype": model.input_dtype,
            "feature_names": model.feature_names,
            "classes": {"dtype": "str", "values": model.classes.tolist()},
            "categories": model.categories,
            "counts": {
                "ensembles": len(model.ensembles),
                "trees": len(trees),
                "nodes": sum(tree.n_nodes for tree in trees),
                "codes": sum(len(tree.category) for tree in trees),
            },
        }
    ).encode()
    body = b"".join(parts)
    start = b"HOROTREE" + struct.pack("<IIQQ", 1, 0, len(header), len(body)) + header + body
    path.write_bytes(start + hashlib.sha256(start).digest())


def test_files_of_format_1_are_read(tmp_path):
    (ensemble,) = small_model().ensembles
    for model in (
        small_model(),
        small_model(ensembles=(ensemble,) * 3, classes=np.array(["a", "b", "c"]), link="ovr"),
    ):
        write_format_1(model, tmp_path / "old")
        assert load(tmp_path / "old") == model
        assert np.isnan(load(tmp_path / "old").ensembles[0].trees[0].gain).all()
        save(load(tmp_path / "old"), tmp_path / "new")
        assert load(tmp_path / "new") == model


def with_gains(model):
    """Return a model whose trees know their gains, of either sign."""
    rng = np.random.default_rng(6)
    (ensemble,) = model.ensembles
    trees = [
        replace(tree, gain=np.where(tree.is_leaf, 0.0, rng.normal(size=tree.n_nodes)))
        for tree in ensemble.trees
    ]
    return replace(model, ensembles=(replace(ensemble, trees=tuple(trees)),))


def test_gains_are_kept_if_they_are_known(tmp_path):
    model, path = small_model(), tmp_path / "model"
    known = with_gains(model)
    save(model, path)
    assert parts_of(path)[0]["counts"]["gains"] == 0
    save(known, path)
    assert parts_of(path)[0]["counts"]["gains"] == parts_of(path)[0]["counts"]["nodes"]
    assert load(path) == known
    assert load(path) != model


@pytest.mark.parametrize(("n", "last"), [(1, 0.0), (32, 0.0), (33, 1.0), (33, np.inf)])
def test_wrong_gains_are_refused(tmp_path, n, last):
    path = tmp_path / "model"
    save(small_model(), path)
    header, body = parts_of(path)
    assert header["counts"] | {"gains": 33} == header["counts"] | {
        "gains": header["counts"]["nodes"]
    }
    header["counts"]["gains"] = n
    gains = np.zeros(n)
    gains[-1] = last
    repack(path, json.dumps(header).encode(), body + gains.astype("<f8").tobytes())
    with pytest.raises(FileFormatError, match="gain must"):
        load(path)


def test_an_estimator_is_saved_by_its_model(tmp_path):
    class Fitted:
        model_ = small_model()

    save(Fitted(), tmp_path / "model")
    assert load(tmp_path / "model") == small_model()


def test_names_and_folders_may_be_strings_and_any_suffix(tmp_path):
    save(small_model(), str(tmp_path / "any name.π"))
    assert load(str(tmp_path / "any name.π")) == small_model()


def test_a_large_model_takes_little_more_than_its_arrays(tmp_path):
    rng = np.random.default_rng(0)
    forest = tuple(random_tree(rng, [0, 0, 0, 0], 101) for _ in range(200))
    ensemble = Ensemble(forest, rng.random(200), rng.random(200), 0.0)
    names = ("a", "b", "c", "d")
    model = Model((ensemble,), "logistic", [0, 1], names, (None,) * 4, "float64")
    save(model, tmp_path / "model")
    assert load(tmp_path / "model") == model
    assert (tmp_path / "model").stat().st_size < 3e6


# --- whole or not at all -------------------------------------------------------------------------


class FullDiskError(OSError):
    pass


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, step):
    path = tmp_path / "model"
    save(small_model(), path)
    before = path.read_bytes()

    def fail(*arguments):
        raise FullDiskError

    if step == "fsync":
        monkeypatch.setattr(os, "fsync", fail)
    else:
        monkeypatch.setattr(type(path), "replace", fail)
    with pytest.raises(FullDiskError):
        save(small_model(feature_names=("other", "color")), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_process_that_dies_in_the_middle_leaves_the_old_file(tmp_path):
    path = tmp_path / "model"
    save(small_model(), path)
    code = (
        "import os, sys; from horotree.io import load, save; model = load(sys.argv[1]);"
        "os.fsync = lambda file: os._exit(9); save(model, sys.argv[1])"
    )
    done = subprocess.run([sys.executable, "-c", code, path], check=False)
    assert done.returncode == 9
    assert load(path) == small_model()


def test_a_file_is_replaced_also_behind_a_link_and_gets_usual_permissions(tmp_path):
    path, link = tmp_path / "model", tmp_path / "link"
    save(small_model(), path)
    (tmp_path / "other").touch()
    assert path.stat().st_mode == (tmp_path / "other").stat().st_mode
    link.symlink_to(path)
    changed = small_model(feature_names=("other", "color"))
    save(changed, link)
    assert link.is_symlink()
    assert load(path) == changed


# --- what is refused -----------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "model"
    save(small_model(), path)
    return path


def test_every_cut_is_noticed(saved):
    content = saved.read_bytes()
    for size in [*range(40), *range(40, len(content), 97), len(content) - 1]:
        saved.write_bytes(content[:size])
        expected = "not a horotree model file" if size == 0 else "incomplete"
        with pytest.raises(FileFormatError, match=expected):
            load(saved)


def test_every_changed_byte_is_noticed(saved):
    content = saved.read_bytes()
    for place in [*range(40), *range(40, len(content), 31), len(content) - 1]:
        changed = bytearray(content)
        changed[place] ^= 1
        saved.write_bytes(changed)
        with pytest.raises(FileFormatError):
            load(saved)


def test_bytes_at_the_end_are_noticed(saved):
    saved.write_bytes(saved.read_bytes() + b"\0")
    with pytest.raises(FileFormatError, match="damaged"):
        load(saved)


def test_a_newer_version_is_refused_before_anything_else(saved):
    saved.write_bytes(
        b"HOROTREE" + struct.pack("<I", file_format.VERSION + 1) + b"whatever is new in there"
    )
    with pytest.raises(FileFormatError, match=r"has format 3, .* reads up to 2: upgrade horotree"):
        load(saved)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 a zip", b"\x80\x04 a pickle", b"{}" * 50])
def test_other_files_are_refused_with_their_name(tmp_path, content):
    (tmp_path / "other").write_bytes(content)
    with pytest.raises(FileFormatError, match=r"other: this is not a horotree model file\.$"):
        load(tmp_path / "other")
    assert issubclass(FileFormatError, ValueError)


def test_lengths_are_checked_before_anything_is_allocated(saved):
    huge = file_format.PREFIX.pack(b"HOROTREE", 1, 0, 2**62, 2**63)
    saved.write_bytes(huge + b"\0" * 100)
    with pytest.raises(FileFormatError, match="incomplete: 132 of 13835058055282163776 bytes"):
        load(saved)


@pytest.mark.parametrize(
    "changes",
    [
        {"counts": {"ensembles": 1, "trees": 3, "nodes": 2**60, "codes": 0}},
        {"counts": {"ensembles": 1, "trees": 3, "nodes": -1, "codes": 0}},
        {"counts": {"ensembles": True, "trees": 3, "nodes": 33, "codes": 0}},
        {"counts": []},
        {"link": "pickle"},
        {"link": None},
        {"feature_names": ["size"]},
        {"feature_names": ["size", 3]},
        {"feature_names": 3},
        {"categories": [None, None]},
        {"categories": [None, [["nested"], "b", "c"]]},
        {"categories": [None, [None, "b", "c"]]},
        {"classes": {"dtype": "U99999999999", "values": ["a", "b"]}},
        {"classes": {"dtype": "datetime64", "values": ["a", "b"]}},
        {"classes": {"dtype": "int8", "values": [0, 300]}},
        {"classes": {"dtype": "object", "values": [{}, []]}},
        {"classes": ["a", "b"]},
        {"input_dtype": "int8"},
    ],
)
def test_a_header_made_to_mislead_is_refused(saved, changes):
    header, _ = parts_of(saved)
    repack(saved, header=json.dumps({**header, **changes}).encode())
    with pytest.raises(FileFormatError, match="does not hold a valid model"):
        load(saved)


@pytest.mark.parametrize(
    "header",
    [b"", b"[]", b"null", b"{", b"\xff", b"[" * 100_000, b'{"counts": NaN}', b"9" * 10_000],
)
def test_a_header_that_is_none_is_refused(saved, header):
    repack(saved, header=header)
    with pytest.raises(FileFormatError, match="does not hold a valid model") as caught:
        load(saved)
    assert "\n" not in str(caught.value)


def test_a_body_with_more_than_its_arrays_is_refused(saved):
    _, body = parts_of(saved)
    repack(saved, body=body + bytes(8))
    with pytest.raises(FileFormatError, match=r"the arrays take \d+ bytes, got \d+"):
        load(saved)


def test_sizes_that_sum_up_only_with_a_negative_one_are_refused(tmp_path):
    (ensemble,) = small_model().ensembles
    path = tmp_path / "model"
    save(small_model(ensembles=(ensemble,) * 3, classes=["a", "b", "c"], link="ovr"), path)
    _, body = parts_of(path)
    start = 3 * 8  # after the three base values
    assert np.frombuffer(body, "<i8", 3, start).tolist() == [3, 3, 3]
    for sizes in ([4, -1, 6], [3, 3, 4]):
        wrong = np.array(sizes, "<i8").tobytes()
        repack(path, body=body[:start] + wrong + body[start + len(wrong) :])
        with pytest.raises(FileFormatError, match="n_trees must sum to 9"):
            load(path)


@pytest.mark.parametrize("name", ["n_trees", "n_nodes", "left", "right", "set_size", "category"])
@pytest.mark.parametrize("number", [-1, 0, 7, 2**31 - 1])
def test_arrays_made_to_mislead_are_refused_or_make_a_valid_model(saved, name, number):
    header, body = parts_of(saved)
    body, offset = bytearray(body), 0
    for field, (dtype, count) in file_format.ARRAYS.items():
        size = np.dtype(dtype).itemsize
        if field == name:
            body[offset : offset + size] = np.array([number], dtype).tobytes()
        offset += size * header["counts"][count]
    repack(saved, body=bytes(body))
    try:
        model = load(saved)
    except FileFormatError:
        return
    model.score(np.array([[0.0, "red"], [None, None]], object))


@pytest.mark.parametrize("label", [None, b"bytes", (1, 2), np.datetime64("2024"), np.inf, 1j])
def test_labels_that_a_file_cannot_keep_are_refused(tmp_path, label):
    with pytest.raises(TypeError, match="only strings, whole numbers, finite floats and booleans"):
        save(small_model(categories=(None, ("blue", "green", label))), tmp_path / "model")
    classes = np.empty(2, object)
    classes[:] = ["no", label]
    with pytest.raises(TypeError, match="convert them"):
        save(small_model(classes=classes), tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_model_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"of a supported library, got a builtins\.dict"):
        save({}, tmp_path / "model")
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nowhere")
