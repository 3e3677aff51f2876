"""Statements on the whole model: its quality on rows, and its most important features."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from horotree.display import style
from horotree.display.disk.painter import text
from horotree.display.text.lines import wrap
from horotree.display.text.numbers import plain_number
from horotree.evaluation.agreement import MAX_COMPARED, agreement_at
from horotree.evaluation.calibration import Calibration, calibrate
from horotree.evaluation.predictions import predict_at
from horotree.evaluation.quality import measure
from horotree.evaluation.rows import Rows
from horotree.trees import Model
from horotree.trees.importance import SHORT_MEANINGS, find_importance

# Inches: a line, and the room below the last.
LINE, BELOW = 0.18, 0.14

# The most features that are named.
N_NAMED = 5


def judge_model(
    model: Model, rows: Rows | None, *, center: str, k: int
) -> tuple[tuple[str, ...], Calibration | None]:
    """Return how good a model is on rows, in sentences, and the calibration of ensemble k.

    The sentence on agreement, with the trees drawn around this center, is about at most 10,000
    rows, evenly spread. Without rows there are no sentences and no calibration.
    """
    if rows is None:
        return (), None
    predictions = predict_at(model, rows)
    found = measure(predictions)
    own = model.targets[k]
    caution = agreement_at(
        model, rows.X, rows.place, center=center, max_rows=MAX_COMPARED
    ).sentence("held-out")
    line = f"The whole model: {'; '.join(found.parts('held-out'))}."
    sentences = tuple(filter(None, (line, *found.cautions(), caution)))
    return sentences, calibrate(predictions.probability[:, own], predictions.place == own)


def describe_features(model: Model, k: int) -> tuple[str, ...]:
    """Return a sentence on the features that move the scores of ensemble k most, if known."""
    found = find_importance(model)
    if not found.is_known or not found.share.any():
        return ()
    named = []
    for j in found.ranking()[:N_NAMED]:
        word = found.word(j, k)
        way = f", {word}" if word else ""
        # No percent sign: it would mean a share of rows.
        part = plain_number(float(found.share[j]), digits=3)
        named.append(f"{model.feature_names[j]} {part}{way}")
    positive = model.class_names[model.targets[k]]
    what = (
        f"Features, by {SHORT_MEANINGS[found.measure]}, and where larger values push the score of "
        f"{positive}"
    )
    return (f"{what}: {'; '.join(named)}.",)


def wrap_foot(sentences: Sequence[str], width: float) -> list[str]:
    """Return the lines of sentences below a picture of this width."""
    size = 1.08 * style.SMALL_SIZE
    return [line for sentence in sentences for line in wrap(sentence, width, size)]


def foot_height(lines: Sequence[str]) -> float:
    """Return the height of lines in inches; 0 for none."""
    return LINE * len(lines) + BELOW if lines else 0.0


def write_foot(figure: Figure, lines: Sequence[str], height: float) -> None:
    """Write lines at the bottom of a figure, from this height down."""
    if not lines:
        return
    width = float(figure.get_size_inches()[0]) - 0.3
    ax = style.add_panel(figure, 0.15, 0.0, width, height)
    ax.set(xlim=(0.0, width), ylim=(0.0, height))
    ax.set_axis_off()
    for i, line in enumerate(lines):
        text(ax, 0.0, height - LINE * (i + 0.5), line, va="center")
