"""LightGBM's boosters, classifiers and files as Models.

Files are read without LightGBM, and objects as the files that they would save. A node's value is
the mean of its leaves in units of the learning rate, which is the leverage. The average that
LightGBM adds to the leaves of the first tree is subtracted.
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree.importers.errors import TRAIN_A_CLASSIFIER, UnsupportedModelError
from horotree.importers.shared.classes import check_fitted, find_classes, make_ensembles
from horotree.importers.shared.documents import decode, read_bytes, whole
from horotree.importers.shared.forest import check_kinds, check_sets
from horotree.trees import Model

from .columns import read_categories
from .rate import as_positive, take_out_average
from .steps import find_steps
from .text import Fields, ModelText, parse
from .trees import read_trees

LINKS = {
    "binary": "logistic",
    "cross_entropy": "logistic",
    "multiclass": "softmax",
    "multiclassova": "ovr",
}


@dataclass(frozen=True, slots=True)
class _Objective:
    """The link, the number of ensembles, and the factor of the scores within the sigmoid."""

    link: str
    n_groups: int
    sigmoid: float


def convert(model: Any) -> Model:
    """Return a Booster or an LGBMClassifier as a Model.

    Scores are the arguments of LightGBM's sigmoid or softmax: its raw scores times its parameter
    ``sigmoid`` (default: 1), and for a random forest their mean. As in its ``predict``, trees after
    the best iteration are left out. With the objective "multiclassova" probabilities sum to 1,
    those of LightGBM do not.
    """
    kinds = {kind.__name__ for kind in type(model).__mro__}
    if "LGBMClassifier" in kinds:
        check_fitted(model)
        return _convert(_save(model.booster_), np.asarray(model.classes_))
    if "Booster" in kinds:
        return _convert(_save(model), None)
    raise UnsupportedModelError(
        f"model must classify, got {type(model).__name__} of LightGBM: {TRAIN_A_CLASSIFIER}."
    )


def matches_file(head: bytes) -> bool:
    """Tell whether a file that starts with these bytes is a model of LightGBM."""
    first, _, second = head.replace(b"\r\n", b"\n").partition(b"\n")
    return first == b"tree" and second.startswith((b"version=", b"num_class="))


def convert_file(path: Path) -> Model:
    """Return what ``save_model`` wrote as a Model, with scores as in ``convert``."""
    return _convert(parse(decode(read_bytes(Path(path)), "the file")), None)


def _save(booster: Any) -> ModelText:
    """Return a booster as the text it would save: strings take it twice as long."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.txt"
        booster.save_model(path)
        return parse(decode(path.read_bytes(), "the model"))


def _convert(text: ModelText, known: NDArray[Any] | None) -> Model:
    objective = _read_objective(text.header)
    classes = find_classes(known, objective.n_groups)
    # Between blanks, which LightGBM replaces in names, a name may have white space of other kinds.
    names = tuple(filter(None, text.header.get("feature_names", "").split(" ")))
    n_features = whole(text.header.get("max_feature_idx"), "max_feature_idx", -1) + 1
    if len(names) != n_features:
        raise ValueError(f"feature_names must be {n_features}, got {len(names)} names.")
    n_groups = objective.n_groups
    if len(text.trees) % n_groups:
        raise ValueError(
            f"there must be {n_groups} trees a round, got {len(text.trees)}: the file is damaged."
        )
    forest = read_trees(text.trees).ordered().cleaned(n_features)
    categories = read_categories(text, check_sets(forest, n_features))
    check_kinds(forest, np.array([labels is not None for labels in categories], np.bool_))
    scales = take_out_average(forest, text, n_groups)
    trees = scales.forest.trees(scales.unit / objective.sigmoid)
    group, base = np.arange(len(trees)) % n_groups, objective.sigmoid * scales.base
    n_coupled = n_groups if objective.link == "softmax" else 1
    return Model(
        ensembles=make_ensembles(trees, scales.leverage, group, base),
        link=objective.link,
        classes=classes,
        feature_names=names,
        categories=categories,
        input_dtype="float64",
        notes=scales.notes,
        value_kind="margin",
        steps=find_steps(text, forest, objective.sigmoid, n_coupled),
        has_names=names != tuple(f"Column_{j}" for j in range(n_features)),
    )


def _read_objective(header: Fields) -> _Objective:
    name, *options = header.get("objective", "").split() or ["none"]
    if name not in LINKS:
        raise UnsupportedModelError(
            f"LightGBM's objective must be one of {', '.join(LINKS)}, got {name[:60]!r}: "
            f"{TRAIN_A_CLASSIFIER}."
        )
    link = LINKS[name]
    n_groups = whole(header.get("num_tree_per_iteration"), "num_tree_per_iteration", 1, 2**14)
    n_classes = whole(header.get("num_class"), "num_class", 1, 2**14)
    if n_groups != n_classes or (n_groups == 1) != (link == "logistic"):
        raise ValueError(
            f"objective {name!r} does not go with {n_classes} classes and {n_groups} trees a "
            "round: the file is damaged."
        )
    given = dict(option.split(":", 1) for option in options if ":" in option)
    sigmoid = as_positive(given.get("sigmoid", "1") if name != "multiclass" else "1", "sigmoid")
    return _Objective(link, n_groups, sigmoid)
