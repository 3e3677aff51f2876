"""What imported confidences mean is said on every picture, and kept in files."""

import json
import zlib

import pytest
from matplotlib.text import Text
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier

from horotree import DiskDisplay, EnsembleDisplay, LogisticBoostClassifier, from_model, load, save
from horotree.display.tree.display import TreeDisplay
from horotree.viewer.payload import encode

X, Y = load_breast_cancer(return_X_y=True)
MODELS = {
    "the mean margin of the leaves below a node": GradientBoostingClassifier(n_estimators=2),
    "the log-odds of the classes among a node's training examples": RandomForestClassifier(2),
}


def words_on(figure):
    return " ".join(" ".join(text.get_text().split()) for text in figure.findobj(Text))


@pytest.mark.parametrize("display", [DiskDisplay, EnsembleDisplay, TreeDisplay])
@pytest.mark.parametrize("meaning", MODELS)
def test_pictures_say_what_confidence_means(display, meaning):
    foreign = MODELS[meaning].set_params(random_state=0).fit(X, Y)
    assert f"Confidence: {meaning}" in words_on(display.from_estimator(foreign).figure_)
    given = from_model(foreign, X, Y)
    assert "among the given rows at a node" in words_on(display.from_estimator(given).figure_)


@pytest.mark.parametrize("display", [DiskDisplay, EnsembleDisplay, TreeDisplay])
def test_an_estimated_learning_rate_is_said(display, require, tmp_path):
    xgboost = require("xgboost")
    classifier = xgboost.XGBClassifier(n_estimators=2, learning_rate=0.2, n_jobs=1).fit(X, Y)
    classifier.save_model(tmp_path / "model.ubj")
    with pytest.warns(UserWarning, match="0.2 was estimated"):
        figure = display.from_estimator(tmp_path / "model.ubj").figure_
    assert "does not have its learning rate: 0.2 was estimated from the trees." in words_on(figure)


def test_forests_have_no_circle_of_what_a_tree_adds():
    forest = RandomForestClassifier(2, random_state=0).fit(X, Y)
    words = words_on(EnsembleDisplay.from_estimator(forest).figure_)
    assert "its part in the mean of class shares" in words
    assert "adds" not in words


def test_the_viewer_is_given_the_notes():
    foreign = GradientBoostingClassifier(n_estimators=2, random_state=0).fit(X, Y)
    model = from_model(foreign)
    content = zlib.decompress(encode(foreign), wbits=-15)
    size = int.from_bytes(content[:4], "little")
    assert json.loads(content[4 : 4 + size])["notes"] == list(model.notes)


def test_files_keep_the_notes(tmp_path):
    model = from_model(GradientBoostingClassifier(n_estimators=2, random_state=0).fit(X, Y))
    save(model, tmp_path / "m.horotree")
    assert load(tmp_path / "m.horotree").notes == model.notes != ()


def test_own_models_need_no_notes():
    assert from_model(LogisticBoostClassifier(n_estimators=2).fit(X, Y)).notes == ()
