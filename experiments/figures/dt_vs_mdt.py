"""A small decision tree beside its monotonic tree."""

from matplotlib.figure import Figure
from sklearn.datasets import load_breast_cancer

from horotree import LogLossTreeClassifier
from horotree.display import TreeDisplay

LABEL = "fig:dt-vs-mdt"


def draw() -> Figure:
    """Return the paper's figure fig:dt-vs-mdt, for a tree of scikit-learn's breast cancer data."""
    data = load_breast_cancer(as_frame=True)
    diagnosis = data.target_names[data.target]
    classifier = LogLossTreeClassifier(max_leaf_nodes=12).fit(data.data, diagnosis)
    return TreeDisplay.from_estimator(classifier, center="half").figure_
