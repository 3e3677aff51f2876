"""All trees of a model on one page, at one temperature (README)."""

from matplotlib.figure import Figure
from sklearn.datasets import load_digits

from horotree import EnsembleDisplay, LogisticBoostClassifier

LABEL = "tab:summary-dt-exerpt"


def draw() -> Figure:
    """Return the ensemble sheet of 200 trees that tell even digits from odd ones."""
    X, digit = load_digits(return_X_y=True, as_frame=True)
    even = (digit % 2 == 0).map({True: "even", False: "odd"})
    classifier = LogisticBoostClassifier(smoothing=20.0).fit(X, even)
    return EnsembleDisplay.from_estimator(classifier, max_trees=36).figure_
