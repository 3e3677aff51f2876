"""The page's statements on the whole model: quality, agreement and importances."""

from typing import Any

from horotree.evaluation.agreement import MAX_COMPARED, agreement_at
from horotree.evaluation.calibration import Calibration, calibrate
from horotree.evaluation.predictions import predict_at
from horotree.evaluation.quality import measure
from horotree.evaluation.rows import Rows
from horotree.trees import Model
from horotree.trees.importance import find_importance

from .tables import CENTERS

# The most features that are listed.
MAX_FEATURES = 200

# The word for the rows in texts.
ROWS = "held-out"

# The direction of larger values, by the words of ``Importance.word``.
_WAYS = {"up": 1, "down": -1, "both ways": 0, "": None}


def describe_quality(model: Model, rows: Rows) -> dict[str, Any]:
    """Return how good the whole model is on rows.

    The keys are ``parts`` of the line in the heading, ``cautions``, which are sentences, and
    ``calibration``, the groups of rows of each ensemble's class.
    """
    predictions = predict_at(model, rows)
    found = measure(predictions)
    return {
        "parts": found.parts(ROWS),
        "cautions": found.cautions(),
        "calibration": [
            _describe_groups(calibrate(predictions.probability[:, k], predictions.place == k))
            for k in model.targets
        ],
    }


def describe_agreement(model: Model, rows: Rows) -> dict[str, str | None]:
    """Return by center the sentence on why pictures may mislead; None if they do not.

    At most 10,000 rows are compared, evenly spread.
    """
    options: dict[str, Any] = {"max_rows": MAX_COMPARED}
    return {
        c: agreement_at(model, rows.X, rows.place, center=c, **options).sentence(ROWS) or None
        for c in CENTERS
    }


def describe_importance(model: Model) -> dict[str, Any]:
    """Return the most important features.

    The keys are the ``meaning`` of shares, in words, or the ``reason`` why there are none;
    ``ranking`` with the index of each feature, its share or None, the number of trees that test
    it, and for each ensemble the direction of larger values: 1, -1, 0 for both, None for none; and
    ``tested``, the number of features that are tested at all.
    """
    found = find_importance(model)
    ranking = found.ranking()
    return {
        "reason": found.reason,
        "meaning": found.meaning,
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


def _describe_groups(found: Calibration) -> dict[str, Any]:
    return {
        "count": found.count.tolist(),
        "positive": found.positive.tolist(),
        "probability": [float(f"{x:.9g}") for x in found.probability],
    }
