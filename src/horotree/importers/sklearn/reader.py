"""scikit-learn: its supported classes, pipelines and searches."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree.importers.errors import UnsupportedModelError
from horotree.importers.shared.classes import not_fitted
from horotree.importers.shared.notes import MARGINS, SHARES
from horotree.trees import Model, Steps
from horotree.trees.tables import default_names

from .boosting import (
    gradient_boosting_steps,
    histogram_boosting_steps,
    read_gradient_boosting,
    read_histogram_boosting,
)
from .trees import Content, find_vote_weight, read_adaboost, read_bagging, read_forest, read_tree

# The function that reads each class.
_READERS: dict[str, Callable[[Any, int], Content]] = {
    "DecisionTreeClassifier": read_tree,
    "ExtraTreeClassifier": read_tree,
    "RandomForestClassifier": read_forest,
    "ExtraTreesClassifier": read_forest,
    "BaggingClassifier": read_bagging,
    "AdaBoostClassifier": read_adaboost,
    "GradientBoostingClassifier": read_gradient_boosting,
    "HistGradientBoostingClassifier": read_histogram_boosting,
}

# How the leaves of boosting were set.
_STEPS: dict[str, Callable[[Any, int], Steps | None]] = {
    "GradientBoostingClassifier": gradient_boosting_steps,
    "HistGradientBoostingClassifier": histogram_boosting_steps,
}

# What the values of nodes are; all others are class shares.
_VALUE_KINDS = {**dict.fromkeys(_STEPS, "margin"), "AdaBoostClassifier": "posterior"}

# Only here columns stay float64: all other classes round them to float32 first.
_FLOAT64 = ("HistGradientBoostingClassifier",)

_MAX_STEPS = 100  # pipelines in searches in pipelines: more are a loop


def convert(model: object) -> Model:
    """Return a fitted classifier of scikit-learn as a Model with the same predictions.

    A Pipeline becomes its last step: the Model reads what the steps before it return. A search
    becomes its best estimator.
    """
    classifier, given = unwrap(model)
    kind = type(classifier).__name__
    if kind not in _READERS or not type(classifier).__module__.startswith("sklearn."):
        raise UnsupportedModelError(f"model must be a classifier made of trees, got a {kind}.")
    classes = _read_classes(classifier)
    n_features = int(classifier.n_features_in_)
    ensembles, link, categories = _READERS[kind](classifier, len(classes))
    names = _find_names(classifier, given, n_features)
    return Model(
        ensembles=tuple(ensembles),
        link=link,
        classes=classes,
        feature_names=names or default_names(n_features),
        categories=tuple(categories.get(j) for j in range(n_features)),
        input_dtype="float64" if kind in _FLOAT64 else "float32",
        notes=(MARGINS if kind in _STEPS else SHARES,),
        value_kind=_VALUE_KINDS.get(kind, "share"),
        has_names=names is not None,
        vote_weight=find_vote_weight(classifier) if kind == "AdaBoostClassifier" else None,
        steps=_STEPS[kind](classifier, len(classes)) if kind in _STEPS else None,
    )


def unwrap(model: Any) -> tuple[Any, tuple[str, ...] | None]:
    """Return the classifier in pipelines and searches, and the names of its columns if known."""
    names: tuple[str, ...] | None = None
    for _ in range(_MAX_STEPS):
        kind, package = type(model).__name__, type(model).__module__
        if package.startswith("sklearn.model_selection"):
            if not hasattr(model, "best_estimator_"):
                raise UnsupportedModelError(
                    f"a search must have found its best model, got a {kind} without "
                    "best_estimator_: fit it with refit=True."
                )
            model = model.best_estimator_
        elif package == "sklearn.pipeline" and kind == "Pipeline":
            names = _names_after(model, names)
            model = model.steps[-1][1]
        else:
            return model, names
    raise UnsupportedModelError("a model must be inside of fewer pipelines, got a loop of them.")


def _names_after(pipeline: Any, names: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Return the names of the columns that the last step is given; None if not known."""
    if len(pipeline.steps) == 1:
        return names
    try:
        return tuple(map(str, pipeline[:-1].get_feature_names_out(names)))
    except (AttributeError, NotImplementedError, TypeError, ValueError):
        return None  # a step that does not name what it returns is no error


def _find_names(
    classifier: Any, names: tuple[str, ...] | None, n_features: int
) -> tuple[str, ...] | None:
    """Return the names of the columns in training; None if they had none."""
    own = getattr(classifier, "feature_names_in_", None)
    if own is not None:
        return tuple(map(str, own))
    if names is not None and len(names) == n_features and len(set(names)) == n_features:
        return names
    return None


def _read_classes(classifier: Any) -> NDArray[Any]:
    """Return the classes of a fitted classifier with one output."""
    kind = type(classifier).__name__
    classes = getattr(classifier, "classes_", None)
    if classes is None:
        raise not_fitted(classifier)
    if isinstance(classes, list) or getattr(classifier, "n_outputs_", 1) != 1:
        raise UnsupportedModelError(
            f"model must predict one label, got a {kind} with several outputs: fit one model a "
            "label."
        )
    array = np.asarray(classes)
    if len(array) < 2:
        raise UnsupportedModelError(
            f"model must know two classes or more, got a {kind} with {array.tolist()}: there is "
            "nothing to decide."
        )
    return array if array.dtype.kind in "biufUO" else array.astype(object)
