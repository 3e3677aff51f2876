"""What data kept apart say of two trees: one learned too much (README)."""

import numpy as np
from matplotlib.figure import Figure
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from horotree import DiskDisplay, LogisticBoostClassifier
from horotree.display import style
from horotree.evaluation.verdicts import HeldOut

LABEL = "README"

SIZE = 5.0
SETTINGS = {"hardly smoothed (M = 1)": {"smoothing": 1.0}, "the default (M = 100)": {}}


def draw() -> Figure:
    """Return two disks with held-out ticks: digits, a fifth of them mislabeled."""
    X, digit = load_digits(return_X_y=True, as_frame=True)
    is_wrong = np.random.default_rng(0).random(len(digit)) < 0.2
    label = np.where((digit % 2 == 0) ^ is_wrong, "even", "odd")
    X_train, X_test, y_train, y_test = train_test_split(X, label, test_size=0.5, random_state=1)
    width, height = 2 * SIZE + 0.9, SIZE + 1.75
    figure = style.new_figure(
        width,
        height,
        title="Held-out data tell how far to trust a node",
        subtitle="Even or odd? A fifth of the labels are wrong. Bold: 95 % intervals that exclude "
        "where training put the node; the tick is where other data put it",
    )
    for column, (name, setting) in enumerate(SETTINGS.items()):
        left = style.MARGIN + column * (SIZE + 0.3)
        ax = style.add_panel(figure, left, 0.75, SIZE, SIZE)
        classifier = LogisticBoostClassifier(n_estimators=10, **setting).fit(X_train, y_train)
        display = DiskDisplay.from_estimator(
            classifier, X_test, y_test, center="half", ax=ax, extent=1.02
        )
        middle = (left + SIZE / 2) / width
        figure.text(middle, 0.52 / height, name, ha="center", size=10.5)
        found = _tell(display.scene.held_out)
        figure.text(middle, 0.27 / height, found, ha="center", size=9.0, color=style.GRAY)
    return figure


def _tell(truth: HeldOut | None) -> str:
    if truth is None:
        raise ValueError("the scene has no held-out data: pass X and y.")
    wrong = int(np.isin(truth.verdict, ["weaker", "flipped"]).sum())
    return f"{wrong} of {len(truth)} nodes are less sure than they seem"
