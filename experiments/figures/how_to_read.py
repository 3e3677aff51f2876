"""How to read a picture, pointed out on the first tree of breast_cancer (README)."""

from matplotlib.figure import Figure
from sklearn.datasets import load_breast_cancer

from experiments.drawing.reading import reading_figure
from horotree import LogisticBoostClassifier
from horotree.scene import find_scene

LABEL = "fig:hyperbolicsum"


def draw() -> Figure:
    """Return the disk in the middle, with what to see on both sides."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    label = y.map({0: "malignant", 1: "benign"})
    classifier = LogisticBoostClassifier(n_estimators=50, smoothing=1.0).fit(X, label)
    subtitle = "A tumor is benign or malignant? The first of 50 boosted trees"
    return reading_figure(find_scene(classifier, tree=0, center="half"), subtitle)
