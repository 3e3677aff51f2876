"""CatBoost's classifiers and files as Models.

Files are read without CatBoost, and objects as the files that they would save. A node's value is
the mean of its leaves in units of the learning rate, which is the leverage. Symmetric trees have
the same test at all nodes of a level. Leaves without training examples are kept: other rows may
reach them.
"""

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree.importers.errors import TRAIN_A_CLASSIFIER, UnsupportedModelError
from horotree.importers.shared.classes import not_fitted
from horotree.importers.shared.documents import decode, read_bytes
from horotree.importers.shared.forest import check_sets
from horotree.importers.shared.notes import margin_notes
from horotree.trees import Ensemble, Model

from . import binary, json_file
from .columns import build_forest, read_columns
from .contents import Contents
from .training import check_threshold, read_classes, read_link, read_rate, read_steps


def convert(model: Any) -> Model:
    """Return a CatBoostClassifier, or a CatBoost with the loss of a classifier, as a Model.

    Scores are CatBoost's raw values. With the loss "MultiClassOneVsAll" probabilities sum to 1,
    those of CatBoost do not. Classes that were not in the training data are left out. An object
    does not have the labels of its categories: if trees split by them, only JSON that was saved
    with a Pool can be read.
    """
    kinds = {kind.__name__ for kind in type(model).__mro__}
    others = kinds & {"CatBoostRegressor", "CatBoostRanker"}
    if others or not kinds & {"CatBoostClassifier", "CatBoost"}:
        raise UnsupportedModelError(
            f"model must classify, got {type(model).__name__} of CatBoost: {TRAIN_A_CLASSIFIER}."
        )
    if not model.is_fitted():
        raise not_fitted(model)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.cbm")
        model.save_model(str(path), format="cbm")
        contents = binary.parse(read_bytes(path))
    return _convert(contents, np.array(np.asarray(model.classes_).tolist()))


def matches_file(head: bytes) -> bool:
    """Tell whether a file that starts with these bytes is a model of CatBoost."""
    return head.startswith(binary.HEAD) or json_file.starts_well(head)


def convert_file(path: Path) -> Model:
    """Return a .cbm or .json file as a Model.

    Both give the same model, for JSON has all digits. Old versions of CatBoost rounded the weights
    of leaves in it, which changes the last digits of confidences, but no prediction.
    """
    data = read_bytes(Path(path))
    if data.startswith(binary.HEAD):
        return _convert(binary.parse(data), None)
    return _convert(json_file.parse(decode(data, "the file")), None)


def _convert(contents: Contents, classes: NDArray[Any] | None) -> Model:
    n_scores = contents.values.shape[1]
    link = read_link(contents.info, n_scores)
    n_classes = max(n_scores, 2)
    if classes is None or len(classes) != n_classes:
        classes = read_classes(contents.info, n_classes)
    names, categories = read_columns(contents)
    forest = build_forest(contents).ordered().cleaned(len(names))
    check_sets(forest, len(names))
    check_threshold(contents.info)
    rate = read_rate(contents.info) if forest.n_trees else 1.0
    unit, leaf = np.full(forest.n_trees, rate or 1.0), forest.output.astype(np.int64)
    edge = np.full(forest.n_trees, np.nan)
    ensembles = tuple(
        Ensemble(
            replace(forest, output=np.where(forest.left < 0, values[leaf], 0.0)).trees(unit),
            unit * contents.scale,
            edge,
            bias,
        )
        for values, bias in zip(contents.values.T, contents.bias.tolist(), strict=True)
    )
    return Model(
        ensembles=ensembles,
        link=link,
        classes=classes,
        feature_names=names,
        categories=categories,
        input_dtype="float32",
        notes=margin_notes(rate),
        value_kind="margin",
        steps=read_steps(contents, link) if rate is not None else None,
        has_names=names != tuple(map(str, range(len(names)))),
    )
