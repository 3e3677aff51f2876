"""One tree at t = 1 and at the automatic t, which makes room at the border (README)."""

from matplotlib.figure import Figure
from sklearn.datasets import load_digits

from horotree import DiskDisplay, LogisticBoostClassifier
from horotree.display import style
from horotree.display.text.numbers import plain_number

LABEL = "README"

SIZE = 5.0


def draw() -> Figure:
    """Return two disks side by side."""
    X, digit = load_digits(return_X_y=True)
    classifier = LogisticBoostClassifier(n_estimators=1, smoothing=1.0)
    classifier.fit(X, digit % 2 == 0)
    width, height = 2 * SIZE + 0.9, SIZE + 1.55
    figure = style.new_figure(
        width,
        height,
        title="A temperature makes room at the border, and keeps every confidence",
        subtitle="Is the digit even? The first tree: at t = 1 its surest nodes are on the border, "
        "and cannot be compared",
    )
    for column, t in enumerate((1.0, "auto")):
        left = style.MARGIN + column * (SIZE + 0.3)
        ax = style.add_panel(figure, left, 0.55, SIZE, SIZE)
        display = DiskDisplay.from_estimator(classifier, center="half", t=t, ax=ax, extent=1.02)
        text = f"t = {plain_number(display.lens_.t, digits=None if t == 1.0 else 2)}"
        figure.text((left + SIZE / 2) / width, 0.28 / height, text, ha="center", size=11.0)
    return figure
