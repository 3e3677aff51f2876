"""What a fit says of weights of a strange scale, and of ending without a tree."""

import warnings
from typing import Any

import numpy as np

from horotree.trees import Ensemble

from .fitting import CANDIDATES
from .inputs import Task
from .parameters import AUTO

# A mean weight that is no further than this from 1, either way, is of the usual scale.
USUAL = 10.0

# A smoothing of so many rows of mean weight is usual, whatever the scale.
USUAL_ROWS = (1.0, 1000.0)

# With weights that add up to more than this, in units of the smoothing, or of the least weight
# where there is none, the odds of a node, which are at most its square, could overflow.
MOST = 1e100


def check_scale(task: Task, smoothing: float | str) -> None:
    """Raise if weights are too large to compute with; warn if smoothing counts in other units.

    Parameters
    ----------
    task : Task
        The examples with their weights, and the factors of ``class_weight`` in these, which are
        chosen on purpose and so do not make a warning.
    smoothing : float or "auto"
        The pseudo-weight that weights are compared with.
    """
    weight = task.examples.weight
    mean = float(np.mean(weight / task.factors[task.examples.y]))
    check_units(mean, float(weight.sum()), float(weight.min()), smoothing)


def check_units(mean: float, total: float, least_weight: float, smoothing: float | str) -> None:
    """Raise if weights are too large to compute with; warn if smoothing counts in other units.

    Parameters
    ----------
    mean : float
        The mean of ``sample_weight``.
    total : float
        The sum of all weights, with the factors of ``class_weight`` in them.
    least_weight : float
        The least of them, or what they are at least.
    smoothing : float or "auto"
        The pseudo-weight that weights are compared with.
    """
    chosen = [each for each, _ in CANDIDATES] if smoothing == AUTO else [float(smoothing)]
    least, what = min(chosen), "smoothing"
    if not least:
        least, what = least_weight, "least weight"
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


def warn_without_trees(boosted: tuple[Ensemble, ...], classes: Any) -> None:
    """Warn if an ensemble has no tree.

    Parameters
    ----------
    boosted : tuple of Ensemble
        Of the second of two classes, or of each.
    classes : array
        The classes.
    """
    labels = classes.tolist()
    empty = [k for k, b in enumerate(boosted) if not b.trees]
    if not empty:
        return
    if len(boosted) == 1:
        what = "the fit ended without a tree: both classes have the probability 1/2 in every row"
    else:
        shown = ", ".join(repr(labels[k]) for k in empty[:5])
        more = f" and {len(empty) - 5} more" if len(empty) > 5 else ""
        what = f"the fit ended without a tree for the classes {shown}{more}"
    warnings.warn(
        f"{what}. No test tells them apart with these weights and settings: see whether features "
        "vary, and what the scale of the weights, smoothing and min_samples_leaf leave possible.",
        UserWarning,
        stacklevel=3,
    )
