"""Warnings of a fit: weights of an unusual scale, and ensembles without a tree."""

import warnings
from typing import Any

from horotree.training import Task
from horotree.training.smoothing import CANDIDATES
from horotree.trees import Ensemble

from .parameters import AUTO

# A mean weight within this factor of 1 is usual.
USUAL = 10.0

# A smoothing worth this many rows of mean weight is usual, whatever the scale.
USUAL_ROWS = (1.0, 1000.0)

# The largest total weight, in units of the smoothing (without smoothing, of the least weight). The
# odds of a node are at most its square, and must not overflow.
MOST = 1e100


def check_scale(task: Task, smoothing: float | str) -> None:
    """Raise if weights are too large to compute with; warn if smoothing counts in other units.

    The factors of ``class_weight`` are chosen on purpose, so they do not make a warning.
    """
    mean, total = task.mean_weight, task.total_weight
    chosen = [each for each, _ in CANDIDATES] if smoothing == AUTO else [float(smoothing)]
    least, what = min(chosen), "smoothing"
    if not least:
        least, what = task.least_weight, "least weight"
    if total > MOST * least:
        raise ValueError(
            f"the weights must add up to at most {MOST:g} times the {what} of {least:.3g}, got "
            f"{total:.3g}: divide sample_weight by its mean."
        )
    rows = [each / mean for each in chosen]
    is_usual = 1.0 / USUAL <= mean <= USUAL
    if is_usual or not max(chosen) or USUAL_ROWS[0] <= min(rows) <= max(rows) <= USUAL_ROWS[1]:
        return
    shown = " to ".join(f"{each:.3g}" for each in dict.fromkeys((min(rows), max(rows))))
    warnings.warn(
        f"smoothing={smoothing!r} counts in the units of sample_weight, which is {mean:.3g} in the "
        f"mean: it is as much as {shown} rows. Divide sample_weight by its mean, or pass another "
        "smoothing.",
        UserWarning,
        stacklevel=4,
    )


def warn_without_trees(ensembles: tuple[Ensemble, ...], classes: Any) -> None:
    """Warn if an ensemble has no tree: that of the second of two classes, or one of several."""
    labels = classes.tolist()
    empty = [k for k, b in enumerate(ensembles) if not b.trees]
    if not empty:
        return
    if len(ensembles) == 1:
        what = "the fit ended without a tree: both classes have the probability 1/2 in every row"
    else:
        shown = ", ".join(repr(labels[k]) for k in empty[:5])
        more = f" and {len(empty) - 5} more" if len(empty) > 5 else ""
        what = f"the fit ended without a tree for the classes {shown}{more}"
    warnings.warn(
        f"{what}. No split has an edge with these weights and settings: check that features vary, "
        "and the scale of the weights, smoothing and min_samples_leaf.",
        UserWarning,
        stacklevel=3,
    )
