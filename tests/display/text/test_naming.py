"""Pictures show the names that were asked for."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

from horotree import LogisticBoostClassifier
from horotree.display import DiskDisplay, EnsembleDisplay, TreeDisplay
from tests.viewer.models import breast_cancer, iris


def texts_of(display):
    return "\n".join(text.get_text() for text in display.figure_.findobj(Text))


NAMES = {"class_names": ["malignant", "benign"], "feature_names": [f"v{j}" for j in range(30)]}


@pytest.mark.parametrize("kind", [DiskDisplay, EnsembleDisplay, TreeDisplay])
def test_classes_are_called_as_asked_for(kind):
    found = texts_of(kind.from_estimator(breast_cancer()[0], **NAMES))
    assert "malignant" in found
    assert "benign" in found


@pytest.mark.parametrize("kind", [DiskDisplay, TreeDisplay])
def test_features_are_called_as_asked_for(kind):
    found = texts_of(kind.from_estimator(breast_cancer()[0], **NAMES))
    assert any(f"v{j} " in found for j in range(30))
    assert "mean" not in found


def test_the_class_of_an_ensemble_is_called_by_name_and_chosen_by_label():
    display = EnsembleDisplay.from_estimator(
        iris()[0], class_="setosa", class_names={"setosa": "Bristle"}
    )
    assert display.scenes[0].class_name == "Bristle"
    with pytest.raises(ValueError, match="class_ must be one of"):
        EnsembleDisplay.from_estimator(
            iris()[0], class_="Bristle", class_names=["Bristle", "b", "c"]
        )


def test_a_picture_takes_the_names_of_its_table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = (X[:, 0] + 0.3 * rng.normal(size=300) > 0.0).astype(int)
    classifier = LogisticBoostClassifier(n_estimators=2).fit(X, y)
    table = pd.DataFrame(X, columns=["height", "width"])
    display = DiskDisplay.from_estimator(classifier, table, y, t=0.5)
    assert "height" in texts_of(display)
    assert display.scene.columns.feature_names == ("height", "width")
    renamed = DiskDisplay.from_estimator(
        LogisticBoostClassifier(n_estimators=2).fit(table, y), table, y, feature_names=["h", "w"]
    )
    assert renamed.scene.columns.feature_names == ("h", "w")
