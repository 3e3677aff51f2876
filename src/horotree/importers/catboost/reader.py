"""CatBoost's classifiers and files as Models.

Files are read without CatBoost, and its objects are read as the files that they would save. What is
drawn is the mean of the leaves below a node in units of the learning rate, which is the leverage.
Symmetric trees test the same at all nodes of a level: leaves that no training example reached are
kept, for others may reach them.
"""

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree.importers.errors import TRAIN_A_CLASSIFIER, UnsupportedModelError
from horotree.importers.shared.documents import decode, read_bytes
from horotree.importers.shared.forest import check_sets
from horotree.importers.shared.notes import tell_margins
from horotree.trees import Ensemble, Model

from . import binary, json_file
from .columns import build_forest, read_columns
from .info import check_threshold, read_classes, read_link, read_rate, read_steps
from .parts import Parts


def matches(model: object) -> bool:
    """Tell whether a model is an object of CatBoost, supported or not."""
    return any(kind.__module__.partition(".")[0] == "catboost" for kind in type(model).__mro__)


def convert(model: Any) -> Model:
    """Return a CatBoostClassifier, or a CatBoost with the loss of a classifier, as a Model.

    Parameters
    ----------
    model : catboost.CatBoostClassifier or catboost.CatBoost
        Fitted. If training stopped early, CatBoost itself keeps the trees up to the best iteration.
        An object does not have the labels of its categories: if trees have splits by them, save it
        as JSON together with a Pool, and pass the file.

    Returns
    -------
    Model
        Scores are CatBoost's raw values. With the loss "MultiClassOneVsAll" probabilities sum to 1,
        those of CatBoost do not. Classes that were not in the training data are left out.
    """
    kinds = {kind.__name__ for kind in type(model).__mro__}
    others = kinds & {"CatBoostRegressor", "CatBoostRanker"}
    if others or not kinds & {"CatBoostClassifier", "CatBoost"}:
        raise UnsupportedModelError(
            f"model must classify, got {type(model).__name__} of CatBoost: {TRAIN_A_CLASSIFIER}."
        )
    if not model.is_fitted():
        raise ValueError(
            f"model must be fitted, got a {type(model).__name__} that is not: call its fit first."
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.cbm")
        model.save_model(str(path), format="cbm")
        parts = binary.parse(read_bytes(path))
    return _convert(parts, np.array(np.asarray(model.classes_).tolist()))


def matches_file(path: Path, head: bytes) -> bool:  # noqa: ARG001 - all importers have the path
    """Tell by its first bytes whether a file is a model of CatBoost."""
    return head.startswith(binary.HEAD) or json_file.starts_well(head)


def convert_file(path: Path) -> Model:
    """Return a .cbm or .json file as a Model.

    Parameters
    ----------
    path : Path
        What ``save_model`` wrote. JSON has all digits, so that it gives the same model; old
        versions of CatBoost rounded the weights of leaves in it, which changes the last digits of
        what is drawn, and no prediction. Splits by categories need their labels, which only JSON
        has, and only if it was saved with a Pool.

    Returns
    -------
    Model
        Scores as for ``convert``.
    """
    data = read_bytes(Path(path))
    if data.startswith(binary.HEAD):
        return _convert(binary.parse(data), None)
    return _convert(json_file.parse(decode(data, "the file")), None)


def _convert(parts: Parts, classes: NDArray[Any] | None) -> Model:
    n_scores = parts.values.shape[1]
    link = read_link(parts.info, n_scores)
    n_classes = max(n_scores, 2)
    if classes is None or len(classes) != n_classes:
        classes = read_classes(parts.info, n_classes)
    names, categories = read_columns(parts)
    forest = build_forest(parts).ordered().cleaned(len(names))
    check_sets(forest, len(names))
    check_threshold(parts.info)
    rate = read_rate(parts.info) if forest.n_trees else 1.0
    unit, leaf = np.full(forest.n_trees, rate or 1.0), forest.output.astype(np.int64)
    edge = np.full(forest.n_trees, np.nan)
    ensembles = tuple(
        Ensemble(
            replace(forest, output=np.where(forest.left < 0, values[leaf], 0.0)).trees(unit),
            unit * parts.scale,
            edge,
            bias,
        )
        for values, bias in zip(parts.values.T, parts.bias.tolist(), strict=True)
    )
    notes = tell_margins(rate)
    return Model(
        ensembles=ensembles,
        link=link,
        classes=classes,
        feature_names=names,
        categories=categories,
        input_dtype="float32",
        notes=notes,
        value_kind="margin",
        steps=read_steps(parts, link) if rate is not None else None,
        has_names=names != tuple(map(str, range(len(names)))),
    )
