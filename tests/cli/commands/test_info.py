"""`horotree info`: what is in a model."""

import json

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.tree import DecisionTreeClassifier

from horotree import LogisticBoostClassifier, from_model, load, monotonic, save
from horotree.trees import Ensemble, Model, Tree
from horotree.trees.importance import find_importance
from tests.cli.running import run


def test_the_report_for_machines_is_the_model(folder):
    done = run("info", folder / "few.horotree", "--json")
    assert done.stderr == ""
    found = json.loads(done.stdout)
    model = load(folder / "few.horotree")
    (ensemble,) = model.ensembles
    assert found["classes"] == ["benign", "malignant"]
    assert found["n_trees"] == len(found["trees"]) == 3
    assert found["n_nodes"] == sum(tree.n_nodes for tree in ensemble.trees)
    kept = sum(len(monotonic(tree)) for tree in ensemble.trees)
    assert found["kept_share"] == kept / found["n_nodes"]
    assert found["largest_confidence"] == ensemble.max_confidence.max()
    strengths = [tree["leverage_confidence"] for tree in found["trees"]]
    assert strengths == sorted(ensemble.leverage_confidence.tolist(), reverse=True)
    by_name = {feature["name"]: feature for feature in found["features"]}
    assert set(by_name) == set(model.feature_names)
    assert by_name["site"]["categories"] == ["a", "b", "c"]
    assert sum(feature["importance"] for feature in found["features"]) == pytest.approx(1.0)


def test_the_report_for_people_tells_the_same(folder):
    done = run("info", folder / "few.horotree")
    found = json.loads(run("info", folder / "few.horotree", "--json").stdout)
    assert "2: 'benign', 'malignant'" in done.stdout
    assert f"3 with {found['n_nodes']} nodes" in done.stdout
    strongest = found["trees"][0]
    assert f"tree {strongest['tree']} " in done.stdout
    assert f"{strongest['leverage_confidence']:.3f}" in done.stdout
    assert f"'{found['features'][0]['name']}'" in done.stdout


def test_confidence_is_told_as_what_it_is(folder, tmp_path):
    X, y = load_breast_cancer(return_X_y=True)
    for foreign, kind, words in (
        (GradientBoostingClassifier(n_estimators=2), "margin", "of one tree's vote in log-odds"),
        (DecisionTreeClassifier(max_depth=3), "share", "one tree: a smoothed class share of 0.9"),
        (LogisticBoostClassifier(2), "posterior", "a posterior of 0.9"),
    ):
        save(from_model(foreign.fit(X, y)), tmp_path / kind)
        done = run("info", tmp_path / kind)
        assert words in done.stdout
        assert "%" not in done.stdout  # there is no share of rows, and no probability of the model
        found = json.loads(run("info", tmp_path / kind, "--json").stdout)
        assert found["value_kind"] == kind
        assert (found["largest_posterior"] is None) == (kind == "margin")


def test_trees_of_several_classes_are_told_with_their_class(folder):
    done = run("info", folder / "iris.horotree")
    assert "tree 0 of '0'" in done.stdout
    found = json.loads(run("info", folder / "iris.horotree", "--json").stdout)
    assert sorted(tree["class"] for tree in found["trees"]) == [0, 0, 1, 1, 2, 2]


def test_features_are_ranked_as_everywhere(folder):
    model = load(folder / "few.horotree")
    found = json.loads(run("info", folder / "few.horotree", "--json").stdout)["features"]
    wanted = find_importance(model)
    by_name = dict(zip(model.feature_names, wanted.share.tolist(), strict=True))
    assert [feature["importance"] for feature in found] == [by_name[f["name"]] for f in found]
    tested = [feature["name"] for feature in found if feature["trees"]]
    assert tested == [model.feature_names[j] for j in wanted.ranking()]
    assert len(found) == len(model.feature_names)
    ways = {feature["name"]: feature["direction"] for feature in found}
    assert ways["site"] == [None]
    text = run("info", folder / "few.horotree").stdout
    assert "larger values push to 'malignant'" in text


def test_examples_that_are_not_known_give_no_importance(tmp_path):
    tree = Tree([1, -1, -1], [2, -1, -1], [0, -1, -1], [0.5, 0.0, 0.0], [True] * 3, [0] * 4, [],
                [0.0, -1.0, 1.0], [0.0, -1.0, 1.0], [np.nan] * 3, [-1] * 3)  # fmt: skip
    ensemble = Ensemble((tree,), [1.0], [np.nan], 0.0)
    model = Model((ensemble,), "logistic", [0, 1], ("x",), (None,), "float64")
    save(model, tmp_path / "m")
    found = json.loads(run("info", tmp_path / "m", "--json").stdout)
    assert found["features"][0]["importance"] is None
    assert "how many training examples" in found["no_importance"]
    assert "how many training examples" in run("info", tmp_path / "m").stdout


def test_a_model_without_trees_is_told_of(tmp_path):
    empty = Model((Ensemble((), [], [], 0.5),), "logistic", [0, 1], ("x",), (None,), "float64")
    save(empty, tmp_path / "m")
    assert "0 with 0 nodes" in run("info", tmp_path / "m").stdout
    assert json.loads(run("info", tmp_path / "m", "--json").stdout)["n_trees"] == 0


def test_names_cannot_steer_the_terminal(tmp_path):
    name, labels = "a\x1b[31m\n", ["\x1b]0;x\x07", "no"]
    model = Model((Ensemble((), [], [], 0.5),), "logistic", labels, (name,), (None,), "float64")
    save(model, tmp_path / "m")
    for options in ([], ["--json"]):
        done = run("info", tmp_path / "m", *options)
        assert done.exit_code == 0
        assert "\x1b" not in done.stdout
        assert "\x07" not in done.stdout
