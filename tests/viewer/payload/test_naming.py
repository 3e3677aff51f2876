"""Pages show the names that were asked for, and are about the same rows."""

import numpy as np
import pandas as pd
import pytest

from horotree import LogisticBoostClassifier
from horotree.viewer import encode, view
from tests.viewer.models import breast_cancer, iris, mixed
from tests.viewer.payload.decoder import decode


def test_classes_are_shown_by_name_and_y_holds_labels():
    classifier, X, y = breast_cancer()
    options = {"examples": X[:2], "example_classes": y[:2]}
    header, arrays = decode(encode(classifier, X, y, class_names={0: "bad", 1: "good"}, **options))
    plain, same = decode(encode(classifier, X, y, **options))
    assert header["classes"] == ["bad", "good"]
    assert header["ensembles"][0]["negative"] == "bad"
    assert header["examples"]["labels"] == [["bad", "good"][label] for label in y[:2]]
    assert plain["classes"] == ["0", "1"]
    assert all(np.array_equal(arrays[name], same[name], equal_nan=True) for name in same)
    with pytest.raises(ValueError, match="y must hold classes of the model"):
        encode(classifier, X, np.array(["bad", "good"])[y], class_names=["bad", "good"])


def test_the_rest_of_several_classes_is_called_by_name():
    header, _ = decode(encode(iris()[0], class_names=["a", "b", "c"]))
    assert [part["negative"] for part in header["ensembles"]] == ["not a", "not b", "not c"]


def test_features_are_called_as_asked_for_and_tables_may_have_either_names():
    classifier, X, y = mixed()
    names = ["Age", "Home's town", "Shoe", "Income"]
    old = encode(classifier, X, y, examples=X[:3], feature_names=names)
    new = encode(
        classifier,
        X.set_axis(names, axis="columns"),
        y,
        examples=X[:3].set_axis(names, axis="columns"),
        feature_names=names,
    )
    assert old == new
    header, _ = decode(old)
    assert header["features"] == names
    assert header["names"]["features"][1][1] == '"Home\'s town"'  # as pandas code
    assert any("by their position" in note for note in header["notes"])


@pytest.mark.parametrize("given", ["X", "examples"])
def test_a_model_of_an_array_is_shown_with_the_names_of_a_table(given):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    y = (X[:, 0] > 0.0).astype(int)
    classifier = LogisticBoostClassifier(n_estimators=2).fit(X, y)
    table = pd.DataFrame(X, columns=["height", "width"])
    data = {"X": table, "y": y} if given == "X" else {"examples": table[:5]}
    seen = view(classifier, **data)
    header, _ = decode(seen.payload)
    assert header["features"] == ["height", "width"]
    assert any("by position" in note for note in header["notes"])
    assert seen.model.feature_names == ("height", "width")
    assert decode(encode(classifier, X, y))[0]["features"] == ["x0", "x1"]
