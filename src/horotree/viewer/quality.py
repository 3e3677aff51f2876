"""What the page says of the whole model: how good it is, whether pictures show it, its features."""

from typing import Any

from horotree.evaluation.agreement import MAX_COMPARED, agreement
from horotree.evaluation.calibration import Calibration, calibrate
from horotree.evaluation.predictions import Predictions, predict_rows
from horotree.evaluation.quality import measure
from horotree.trees import Model
from horotree.trees.importance import find_importance

from .tables import CENTERS

# So many features are listed, the most important.
MAX_FEATURES = 200

# What the rows are called that a page is given.
ROWS = "held-out"

# Where larger values push: as in ``Importance.word``.
_WAYS = {"up": 1, "down": -1, "both ways": 0, "": None}


def tell_quality(model: Model, X: Any, y: Any) -> dict[str, Any]:
    """Return how good a model is on rows, as the header of a payload has it.

    Parameters
    ----------
    model : Model
        The whole model, also if the page has some of its trees.
    X, y : table and classes
        The rows.

    Returns
    -------
    dict
        ``parts`` of the line in the heading and ``cautions``, sentences that follow; the groups of
        ``calibration``, an entry an ensemble.
    """
    predictions = predict_rows(model, X, y)
    found = measure(predictions)
    return {
        "parts": found.parts(ROWS),
        "cautions": found.cautions(),
        "calibration": [_tell_groups(_calibrate(predictions, target)) for target in model.targets],
    }


def tell_agreement(model: Model, X: Any, y: Any) -> dict[str, str | None]:
    """Return by center why pictures may mislead about a model, in a sentence; None if they do not.

    Parameters
    ----------
    model : Model
        The whole model.
    X, y : table and classes
        Rows, of which at most 10,000 are compared, evenly spread.

    Returns
    -------
    dict
    """
    return {
        c: agreement(model, X, y, center=c, max_rows=MAX_COMPARED).sentence(ROWS) or None
        for c in CENTERS
    }


def tell_importance(model: Model) -> dict[str, Any]:
    """Return the ranking of features: by importance, the first of them.

    Parameters
    ----------
    model : Model
        The whole model.

    Returns
    -------
    dict
        ``reason`` why there are no shares, if there are none; ``ranking`` with the number of each
        feature, its share or None, the number of trees that test it, and by ensemble where larger
        values push: 1, -1, 0 for both ways, None for no direction; and ``tested``, how many
        features are tested at all.
    """
    found = find_importance(model)
    ranking = found.ranking()
    return {
        "reason": found.reason,
        "tested": len(ranking),
        "ranking": [
            [
                j,
                float(f"{found.share[j]:.4g}") if found.is_known else None,
                int(found.n_trees[j]),
                [_WAYS[found.word(j, k)] for k in range(len(model.ensembles))],
            ]
            for j in ranking[:MAX_FEATURES]
        ],
    }


def _calibrate(predictions: Predictions, k: int) -> Calibration:
    return calibrate(predictions.probability[:, k], predictions.place == k)


def _tell_groups(found: Calibration) -> dict[str, Any]:
    return {
        "count": found.count.tolist(),
        "positive": found.positive.tolist(),
        "probability": [float(f"{x:.9g}") for x in found.probability],
    }
