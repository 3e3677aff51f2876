"""`horotree info`: what is in a model."""

import json

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.datasets import load_breast_cancer, load_wine

from horotree import LogisticBoostClassifier, load, monotonic, save
from horotree.cli._info import find_importance
from horotree.trees import Ensemble, Model

from .running import run


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


def test_trees_of_several_classes_are_told_with_their_class(folder):
    done = run("info", folder / "iris.horotree")
    assert "tree 0 of '0'" in done.stdout
    found = json.loads(run("info", folder / "iris.horotree", "--json").stdout)
    assert sorted(tree["class"] for tree in found["trees"]) == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("data", [load_breast_cancer, load_wine])
def test_important_features_are_those_of_the_classifier(data):
    X, y = data(return_X_y=True)
    classifier = LogisticBoostClassifier(20).fit(X, y)
    found, wanted = np.array(find_importance(classifier.model_)), classifier.feature_importances_
    assert (found >= 0.0).all()
    assert found.sum() == pytest.approx(1.0)
    np.testing.assert_array_equal(found > 0.0, wanted > 0.0)
    # Another quantity, from what the model file has, so the order is similar and not the same.
    assert spearmanr(found, wanted)[0] > 0.75


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
