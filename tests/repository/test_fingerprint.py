"""Fingerprints are equal for equal results alone, and a comparison names what differs."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.fingerprint import __main__ as command
from benchmarks.fingerprint.hashes import Prints, fingerprint
from benchmarks.fingerprint.trained import add_model
from horotree import LogisticBoostClassifier

PARTS = ["trained/tree/iris", "trained/boost/mixed", "imported/sklearn forest/iris"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("prints") / "first.json"
    assert command.main([str(path), "--only", *PARTS]) == 0
    return path


def test_another_process_computes_the_same(made, tmp_path):
    path = tmp_path / "second.json"
    arguments = [str(path), "--compare", str(made), "--only", *PARTS]
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.fingerprint", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONHASHSEED": "1"},
    )
    n_prints = len(json.loads(made.read_text(encoding="utf-8"))["prints"])
    assert n_prints > 100
    assert run.stdout == f"{n_prints} fingerprints compared, 0 differences\n"
    assert run.returncode == 0


def test_what_differs_is_named_and_the_command_fails(made, tmp_path, capsys):
    content = json.loads(made.read_text(encoding="utf-8"))
    prints = content["prints"]
    prints["trained/tree/iris/feature_importances_"] = "0"
    del prints["trained/tree/iris/notes/text"]
    content["failed"]["imported/sklearn forest/iris/object"] = "ValueError: no"
    content["about"]["numpy"] = "1.0"
    other = tmp_path / "other.json"
    other.write_text(json.dumps(content), encoding="utf-8")
    assert command.main(["--compare", str(made), str(other)]) == 1
    *lines, last = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines[1:]] == [
        "imported/sklearn forest/iris/object",
        "trained/tree/iris/feature_importances_",
        "trained/tree/iris/notes/text",
    ]
    assert lines[0].endswith("and 1.0: not comparable")
    assert last == f"{len(prints) + 1} fingerprints compared, 4 differences"


def test_what_may_change_can_be_ignored(made, tmp_path, capsys):
    content = json.loads(made.read_text(encoding="utf-8"))
    content["prints"]["trained/tree/iris/feature_importances_"] = "0"
    other = tmp_path / "other.json"
    other.write_text(json.dumps(content), encoding="utf-8")
    files = ["--compare", str(made), str(other)]
    assert command.main([*files, "--ignore", "*/feature_importances_"]) == 0
    assert command.main([*files, "--only", "trained/boost"]) == 0
    assert command.main([*files, "--only", "trained/tree"]) == 1
    assert command.main([*files, "--only", "nothing"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "0 fingerprints compared, 0 differences"


def test_files_that_are_not_there_are_named(tmp_path, capsys):
    with pytest.raises(SystemExit):
        command.main([str(tmp_path / "new.json"), "--compare", str(tmp_path / "old.json")])
    assert "there is no file" in capsys.readouterr().err


def test_a_last_bit_of_one_value_changes_that_fingerprint_alone():
    X = np.random.default_rng(0).normal(size=(200, 3))
    model = LogisticBoostClassifier(n_estimators=3, max_leaf_nodes=5).fit(X, X[:, 0] > 0).model_
    (ensemble,) = model.ensembles
    value = ensemble.trees[1].value.copy()
    value[2] = np.nextafter(value[2], 0.0)
    trees = (ensemble.trees[0], replace(ensemble.trees[1], value=value), ensemble.trees[2])
    before, after = Prints(), Prints()
    add_model(before, "model", model)
    add_model(after, "model", replace(model, ensembles=(replace(ensemble, trees=trees),)))
    changed = {name for name in before.found if before.found[name] != after.found[name]}
    assert "model/trees/value" in changed
    assert changed <= {"model/trees/value", "model/max_confidence"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.array([1.0, 2.0]), np.array([1.0, np.nextafter(2.0, 3.0)])),
        (np.array([1.0, 2.0]), np.array([1, 2])),
        (np.zeros((2, 3)), np.zeros((3, 2))),
        ([[1], 2], [1, [2]]),
        (("a", "bc"), ("ab", "c")),
        ({"a": "long enough to be hashed"}, {"b": "long enough to be hashed"}),
        (1, "1"),
        (None, "None"),
        (True, 1),
        (b"bytes", "bytes"),
    ],
)
def test_different_values_have_different_fingerprints(one, other):
    assert fingerprint(one) != fingerprint(other)


def test_widths_of_integers_and_kinds_of_nan_do_not_matter():
    assert fingerprint(np.arange(9, dtype=np.int32)) == fingerprint(np.arange(9, dtype=np.int64))
    nan = np.array([0x7FF8000000000001], np.uint64).view(np.float64)
    assert fingerprint(nan) == fingerprint(np.array([np.nan]))
    assert fingerprint(np.int64(3)) == fingerprint(3)


def test_what_has_no_fingerprint_is_refused():
    with pytest.raises(TypeError, match="there is no fingerprint of a object"):
        fingerprint(object())
    prints = Prints()
    prints.add("name", 1)
    with pytest.raises(ValueError, match="two fingerprints name"):
        prints.add("name", 1)
