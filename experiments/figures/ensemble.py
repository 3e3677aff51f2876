"""Every other of the first 48 trees of a model, at one temperature (README)."""

from matplotlib.figure import Figure
from sklearn.datasets import load_digits

from horotree import EnsembleDisplay, LogisticBoostClassifier

LABEL = "README"


def draw() -> Figure:
    """Return a sheet of trees that tell even digits from odd ones, of 200."""
    X, digit = load_digits(return_X_y=True, as_frame=True)
    even = (digit % 2 == 0).map({True: "even", False: "odd"})
    classifier = LogisticBoostClassifier(smoothing=20.0).fit(X, even)
    return EnsembleDisplay.from_estimator(classifier, tree=range(0, 48, 2), center="half").figure_
