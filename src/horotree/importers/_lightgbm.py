"""LightGBM's boosters, classifiers and files as Models.

Files are read without LightGBM, and its objects are read as the files that they would save. What
is drawn is the mean of the leaves below a node in units of the learning rate, the leverage. The
average that LightGBM adds to the leaves of the first tree is taken out.
"""

import math
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.trees import Ensemble, Model

from ._documents import decode, read_bytes, whole
from ._forest import Forest, check_sets
from ._lightgbm_columns import read_categories
from ._lightgbm_text import Fields, ModelText, parse
from ._lightgbm_trees import read_trees
from ._notes import MARGINS
from .errors import UnsupportedModelError

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


def matches(model: object) -> bool:
    """Tell whether a model is an object of LightGBM, supported or not."""
    return any(kind.__module__.partition(".")[0] == "lightgbm" for kind in type(model).__mro__)


def convert(model: Any) -> Model:
    """Return a Booster or an LGBMClassifier as a Model.

    Parameters
    ----------
    model : lightgbm.Booster or lightgbm.LGBMClassifier
        Fitted. If training stopped early, the trees up to the best iteration count, as in its
        ``predict``.

    Returns
    -------
    Model
        Scores are what LightGBM takes the sigmoid or softmax of: its raw scores times its
        parameter ``sigmoid``, which is 1 by default, and for a random forest their mean.
        With the objective "multiclassova" probabilities sum to 1, those of LightGBM do not.
    """
    kinds = {kind.__name__ for kind in type(model).__mro__}
    if "LGBMClassifier" in kinds:
        return _convert(_save(model.booster_), np.asarray(model.classes_))
    if "Booster" in kinds:
        return _convert(_save(model), None)
    raise UnsupportedModelError(f"model must classify, got {type(model).__name__} of LightGBM.")


def matches_file(path: Path, head: bytes) -> bool:  # noqa: ARG001 - all importers have the path
    """Tell by its first bytes whether a file is a model of LightGBM."""
    first, _, second = head.replace(b"\r\n", b"\n").partition(b"\n")
    return first == b"tree" and second.startswith((b"version=", b"num_class="))


def convert_file(path: Path) -> Model:
    """Return a text file as a Model.

    Parameters
    ----------
    path : Path
        What ``save_model`` wrote.

    Returns
    -------
    Model
        Scores as for ``convert``.
    """
    return _convert(parse(decode(read_bytes(Path(path)), "the file")), None)


def _save(booster: Any) -> ModelText:
    """Return a booster as the text it would save: strings take it twice as long."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.txt"
        booster.save_model(path)
        return parse(decode(path.read_bytes(), "the model"))


def _convert(text: ModelText, classes: NDArray[Any] | None) -> Model:
    objective = _read_objective(text.header)
    names = tuple(text.header.get("feature_names", "").split())
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
    forest, unit, leverage, base = _take_out_base(forest, text, n_groups)
    trees = forest.trees(unit / objective.sigmoid)
    ensembles = tuple(
        Ensemble(
            trees[group::n_groups],
            leverage[group::n_groups],
            np.full(len(trees[group::n_groups]), np.nan),
            objective.sigmoid * base[group],
        )
        for group in range(n_groups)
    )
    n_classes = max(n_groups, 2)
    if classes is None or len(classes) != n_classes:
        classes = np.arange(n_classes)
    return Model(ensembles, objective.link, classes, names, categories, "float64", (MARGINS,))


def _read_objective(header: Fields) -> _Objective:
    name, *options = header.get("objective", "").split() or ["none"]
    if name not in LINKS:
        raise UnsupportedModelError(
            f"LightGBM's objective must be one of {', '.join(LINKS)}, got {name[:60]!r}."
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
    sigmoid = _number(given.get("sigmoid", "1") if name != "multiclass" else "1", "sigmoid")
    return _Objective(link, n_groups, sigmoid)


def _number(text: str | None, name: str) -> float:
    """Return a positive number, else raise."""
    try:
        number = float(text or "")
    except ValueError:
        number = math.nan
    if not 0.0 < number < math.inf:
        raise ValueError(f"{name} must be a positive number, got {text!r}: the file is damaged.")
    return number


def _take_out_base(
    forest: Forest, text: ModelText, n_groups: int
) -> tuple[Forest, Floats, Floats, Floats]:
    """Return the forest without the average in its leaves, units, leverages, and the averages."""
    shrinkage = np.array([_number(tree.get("shrinkage"), "shrinkage") for tree in text.trees])
    is_average = "average_output" in text.header
    root = _root_values(forest, text.trees if is_average else text.trees[:n_groups])
    shift, base = np.zeros(forest.n_trees), np.zeros(n_groups)
    n_rounds = forest.n_trees // n_groups
    if is_average:  # a random forest: the average is in every tree
        unit, leverage = np.ones(forest.n_trees), np.full(forest.n_trees, 1.0 / max(n_rounds, 1))
        if n_rounds and text.parameters.get("boost_from_average", "1") != "0":
            base = np.mean(root.reshape(n_rounds, n_groups), axis=0)
            shift = np.tile(base, n_rounds)
    else:
        unit = shrinkage.copy()
        is_leaf = np.diff(forest.start) == 1
        rate = _usual_rate(shrinkage[n_groups:][~is_leaf[n_groups:]], text.parameters)
        for group in range(n_groups if n_rounds else 0):
            if is_leaf[group] or _has_average(shrinkage[group], rate, text.parameters):
                base[group] = shift[group] = root[group]
                unit[group] = rate * shrinkage[group]
        leverage = unit
    leaf_shift = np.repeat(shift, np.diff(forest.start))
    with np.errstate(over="ignore", invalid="ignore"):
        output = np.where(forest.left < 0, forest.output - leaf_shift, 0.0)
    return replace(forest, output=output), unit, leverage, base


def _root_values(forest: Forest, trees: list[Fields]) -> Floats:
    """Return LightGBM's own value of each root: the average, where it was added.

    The mean of the leaves is not quite the same if they are regularized. It is what is taken if a
    file has no such value, or none that can be.
    """
    value = forest.mean_output()[forest.start[:-1]]
    for j, tree in enumerate(trees):
        first = tree.get("internal_value", "").lstrip().partition(" ")[0]
        try:
            given = float(first)
        except ValueError:
            continue
        leaves = forest.output[forest.start[j] : forest.start[j + 1]]
        leaves = leaves[forest.left[forest.start[j] : forest.start[j + 1]] < 0]
        if leaves.min() <= given <= leaves.max():
            value[j] = given
    return value


def _usual_rate(shrinkage: Floats, parameters: Fields) -> float:
    """Return the learning rate; adding the average sets the shrinkage of the first tree to 1."""
    is_dart = parameters.get("boosting") == "dart"
    if len(shrinkage) and not (is_dart and "learning_rate" in parameters):
        return float(np.median(shrinkage))
    return _number(parameters.get("learning_rate", "1"), "learning_rate")


def _has_average(shrinkage: float, rate: float, parameters: Fields) -> bool:
    """Tell whether the average was added to a first tree of this shrinkage."""
    if rate == 1.0:
        return parameters.get("boost_from_average") == "1"
    if parameters.get("boosting") == "dart":  # dropping a tree shrinks it
        return bool(shrinkage > rate * (1.0 + 1e-5))
    return abs(shrinkage - rate) > 1e-5 * rate
