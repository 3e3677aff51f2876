"""One tree by the paper's placement and by the exact layout, with their quality (README)."""

from matplotlib.figure import Figure
from sklearn.datasets import load_digits

from horotree import LogisticBoostClassifier, embed, monotonic
from horotree.display import DiskDisplay, style
from horotree.embedding import LayoutQuality

LABEL = "sarkar-mod"

SIZE = 5.0
METHODS = {
    "sarkar": "The paper's placement keeps the lengths of arcs",
    "exact": "The exact layout keeps confidences, and arcs never cross",
}


def draw() -> Figure:
    """Return the two disks side by side, at t = 1."""
    X, digit = load_digits(return_X_y=True)
    # The paper's literal setting, which keeps more nodes than the default.
    classifier = LogisticBoostClassifier(
        n_estimators=1, smoothing=0, learning_rate=1, pure_leaves="forbid", max_bins=None
    )
    tree = monotonic(classifier.fit(X, digit == 8).model_.ensembles[0].trees[0])
    width, height = 2 * SIZE + 0.9, SIZE + 1.75
    figure = style.new_figure(
        width,
        height,
        title="One tree, two embeddings in the Poincaré disk",
        subtitle=f"Which of scikit-learn's digits is an 8? {len(tree)} nodes; each should be as "
        "far from the center as it is confident",
    )
    for column, (method, title) in enumerate(METHODS.items()):
        left = style.MARGIN + column * (SIZE + 0.3)
        ax = style.add_panel(figure, left, 0.75, SIZE, SIZE)
        embedding = embed(tree, method, **({} if method == "sarkar" else {"t": 1.0}))
        DiskDisplay.from_embedding(embedding, classes=("not 8", "8"), ax=ax, extent=1.02)
        figure.text((left + SIZE / 2) / width, 0.52 / height, title, ha="center", size=10.5)
        quality = _figures(embedding.quality(t=1.0))
        place = {"x": (left + SIZE / 2) / width, "y": 0.27 / height}
        figure.text(**place, s=quality, ha="center", size=9.0, color=style.GRAY)
    return figure


def _figures(quality: LayoutQuality) -> str:
    crossings = "1 crossing" if quality.crossings == 1 else f"{quality.crossings} crossings"
    return (
        f"error ρ = {100.0 * quality.error:.3g} %  ·  {crossings}  ·  "
        f"{quality.n_close} of {quality.n_nodes} nodes within 6 px of another"
    )
