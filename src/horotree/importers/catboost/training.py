"""How a model of CatBoost was trained: the loss, the learning rate, the classes."""

import math
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree.importers.errors import TRAIN_A_CLASSIFIER, UnsupportedModelError
from horotree.importers.shared.forest import LARGEST
from horotree.trees import Steps
from horotree.trees.steps import MAX_ITERATIONS
from horotree.trees.tables import check_class_texts

from .contents import Contents, as_document

LINKS = {
    "Logloss": "logistic",
    "CrossEntropy": "logistic",
    "Focal": "logistic",
    "MultiClass": "softmax",
    "MultiClassOneVsAll": "ovr",
}

_KINDS: dict[str, Any] = {"Integer": np.int64, "Float": np.float64, "Boolean": np.bool_}


def read_link(info: dict[str, Any], n_scores: int) -> str:
    """Return the link that goes with the loss; raise if it is none of a classifier."""
    loss = as_document(info, "params").get("loss_function") or as_document(info, "loss_function")
    name = loss.get("type") if isinstance(loss, dict) else loss
    if not isinstance(name, str) or name not in LINKS:
        raise UnsupportedModelError(
            f"CatBoost's loss must be one of {', '.join(LINKS)}, got {str(name)[:60]!r}: "
            f"{TRAIN_A_CLASSIFIER}."
        )
    link = LINKS[name]
    if (n_scores == 1) != (link == "logistic"):
        raise ValueError(f"loss {name!r} does not go with {n_scores} scores: the file is damaged.")
    return link


def read_rate(info: dict[str, Any]) -> float | None:
    """Return the learning rate; None if the file does not have it."""
    options = as_document(info, "params").get("boosting_options")
    value = options.get("learning_rate") if isinstance(options, dict) else None
    if isinstance(value, int | float) and 1e-30 < value < 1e30:
        return float(str(np.float32(value)))  # 0.10000000149011612 is the float32 of 0.1
    return None


def read_steps(contents: Contents, link: str) -> Steps | None:
    """Return how the leaves were set; None if these are no Newton steps of equal rows."""
    params = as_document(contents.info, "params")
    learner, boosting, data = (
        as_document(params, name)
        for name in ("tree_learner_options", "boosting_options", "data_processing_options")
    )
    l2 = learner.get("l2_leaf_reg")
    plain = (
        learner.get("leaf_estimation_method") == "Newton"
        and not learner.get("monotone_constraints")
        and not learner.get("langevin")
        and not boosting.get("posterior_sampling")
        and not boosting.get("model_shrink_rate")
        and not data.get("class_weights")
        and data.get("auto_class_weights", "None") == "None"
    )
    iterations, coupled = learner.get("leaf_estimation_iterations"), link == "softmax"
    if type(iterations) is not int or not 1 <= iterations <= (1 if coupled else MAX_ITERATIONS):
        return None
    loss = params.get("loss_function", {})
    focal = isinstance(loss, dict) and loss.get("type") == "Focal"
    if not plain or focal or np.isnan(contents.weights).any():
        return None
    if not isinstance(l2, int | float) or not 0.0 <= l2 <= LARGEST:
        return None
    return Steps(l2=float(l2), coupled=coupled, iterations=iterations)


def read_classes(info: dict[str, Any], n_classes: int) -> NDArray[Any]:
    """Return the classes that have a score; 0, 1, ... if the file does not have them."""
    about = as_document(info, "class_params") or as_document(info, "multiclass_params")
    names, labels = about.get("class_names"), about.get("class_to_label")
    if not isinstance(labels, list) or not labels:
        labels = list(range(n_classes))
    if len(labels) != n_classes:
        raise ValueError(
            f"class_to_label must be {n_classes} numbers, got {len(labels)}: the file is damaged."
        )
    if isinstance(names, list) and names:
        # Classes that were not in the training data have a name, but no score.
        chosen = [_as_index(label, len(names)) for label in labels]
        labels = [names[j] for j in chosen]
    if any(isinstance(label, list | dict) or label is None for label in labels):
        raise ValueError("class_names must be texts or numbers: the file is damaged.")
    check_class_texts(labels)
    try:
        return np.array(labels, _KINDS.get(str(about.get("class_label_type"))))
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"class_names must be labels of one kind: {error}.") from error


def _as_index(label: Any, n: int) -> int:
    good = isinstance(label, int | float) and 0 <= label < n and label == int(label)
    if not good:
        raise ValueError(
            f"class_to_label must be numbers below {n}, got {str(label)[:40]!r}: the file is "
            "damaged."
        )
    return int(label)


def check_threshold(info: dict[str, Any]) -> None:
    """Warn if CatBoost decides for the second class at another probability than 1/2."""
    text = info.get("binclass_probability_threshold", "0.5")
    try:
        threshold = float(text)
    except (TypeError, ValueError):
        threshold = math.nan
    if threshold != 0.5:
        warnings.warn(
            f"CatBoost decides between this model's classes at probability {str(text)[:40]}, the "
            "imported model at 0.5: compare its predict_proba with the threshold yourself.",
            UserWarning,
            stacklevel=2,
        )
