"""XGBoost's boosters, classifiers and files as Models.

Files are read without XGBoost, and objects as the files that they would save. A node's value is the
mean of its leaves in units of the learning rate, which is the leverage.
"""

import math
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.importers.errors import TRAIN_A_CLASSIFIER, UnsupportedModelError
from horotree.importers.formats import ubjson
from horotree.importers.shared.classes import check_fitted, find_classes, make_ensembles
from horotree.importers.shared.documents import decode, get, items, parse_json, read_bytes, whole
from horotree.importers.shared.forest import as_numbers, check_kinds, check_sets, check_trees
from horotree.importers.shared.number_lists import read_floats
from horotree.trees import Model

from . import json_file
from .columns import read_categories, read_names
from .shrinkage import Configured, find_rate, read_configuration
from .steps import find_steps
from .trees import read_trees, round32

LINKS = {
    "binary:logistic": "logistic",
    "binary:logitraw": "logistic",
    "multi:softprob": "softmax",
    "multi:softmax": "softmax",
}

MAX_FEATURES = 2**20


@dataclass(frozen=True, slots=True, eq=False)
class _Rounds:
    """The trees that predict: the document's, their class, their factor, how many are parallel."""

    trees: list[Any]
    group: NDArray[np.int64]
    factor: Floats
    n_parallel: int


@dataclass(frozen=True, slots=True, eq=False)
class _Source:
    """What an object has besides its document, and how it uses its trees."""

    classes: NDArray[Any] | None = None
    configured: Configured | None = None
    has_best: bool = True  # predict stops at the best iteration
    decides: bool = True  # predict returns classes


def convert(model: Any) -> Model:
    """Return a Booster or an XGBClassifier as a Model.

    As in their ``predict``, trees after the best iteration count in a Booster only.
    """
    kinds = {kind.__name__ for kind in type(model).__mro__}
    source = _Source(has_best=False, decides=False)
    booster = model
    if kinds & {"XGBClassifier", "XGBClassifierBase"}:
        missing = getattr(model, "missing", math.nan)
        if missing is not None and not math.isnan(missing):
            raise UnsupportedModelError(
                f"missing values must be NaN, got missing={missing!r}: pass model.get_booster(), "
                "and tables that have NaN in its place."
            )
        check_fitted(model)
        booster, source = model.get_booster(), _Source(np.asarray(model.classes_))
    elif "Booster" not in kinds:
        raise UnsupportedModelError(
            f"model must classify, got {type(model).__name__} of XGBoost: {TRAIN_A_CLASSIFIER}."
        )
    document = ubjson.loads(bytes(booster.save_raw("ubj")))
    config = parse_json(booster.save_config(), "the configuration of the booster")
    return _convert(document, replace(source, configured=read_configuration(config)))


def matches_file(head: bytes) -> bool:
    """Tell whether a file that starts with these bytes is a model of XGBoost."""
    start = head.lstrip()
    return head.startswith(b"binf") or (
        start.startswith(b"{") and (b'"learner"' in start[:64] or b"\x07learner" in start[:64])
    )


def convert_file(path: Path) -> Model:
    """Return the .json or .ubj file that ``save_model`` wrote as a Model.

    A file does not have the learning rate, which is estimated.
    """
    data = read_bytes(Path(path))
    if data.startswith(b"binf"):
        raise UnsupportedModelError(
            "XGBoost's old binary format is not read: load the model in XGBoost before 3.1, and "
            "save it with the ending .json or .ubj."
        )
    if data[1:2] in (b"i", b"U", b"I", b"l", b"L", b"#", b"$"):
        try:
            document = ubjson.loads(data)
        except ValueError as error:
            raise ValueError(f"the file must be UBJSON, which cannot be read: {error}") from error
    else:
        document = json_file.loads(decode(data, "the file"))
    return _convert(document, _Source())


def _convert(document: Any, source: _Source) -> Model:
    learner = get(document, "learner")
    link, base = _read_objective(learner)
    n_groups = len(base)
    n_features = whole(
        get(learner, "learner_model_param", "num_feature"), "num_feature", 0, MAX_FEATURES
    )
    classes = find_classes(source.classes, n_groups)
    if source.decides:
        _check_decision(learner)
    rounds = _read_rounds(learner, n_groups, has_best=source.has_best)
    forest, weights = read_trees(rounds.trees)
    rate, notes = find_rate(forest, weights, rounds.n_parallel, source.configured)
    steps = find_steps(learner, forest, weights, rate, rounds.n_parallel)
    unit = np.full(forest.n_trees, rate) / rounds.n_parallel
    forest = forest.ordered().cleaned(n_features)
    names = read_names(learner, n_features)
    categories = read_categories(learner, check_sets(forest, n_features))
    check_kinds(forest, np.array([labels is not None for labels in categories], np.bool_))
    trees = forest.trees(unit)
    return Model(
        ensembles=make_ensembles(trees, unit * rounds.factor, rounds.group, base),
        link=link,
        classes=classes,
        feature_names=names or tuple(f"f{j}" for j in range(n_features)),
        categories=categories,
        input_dtype="float32",
        notes=notes,
        value_kind="margin",
        steps=steps,
        has_names=names is not None,
    )


def _check_decision(learner: Any) -> None:
    """Warn if XGBClassifier decides for the second class at another score than 0."""
    if get(learner, "objective", "name") == "binary:logitraw":
        warnings.warn(
            "XGBClassifier decides between the classes of binary:logitraw at score 0.5, the "
            "imported model at 0: compare its score with 0.5 yourself.",
            UserWarning,
            stacklevel=2,
        )


def _read_objective(learner: Any) -> tuple[str, list[float]]:
    """Return the link, and the score of each ensemble before the first tree."""
    objective = get(learner, "objective", "name")
    if not isinstance(objective, str) or objective not in LINKS:
        raise UnsupportedModelError(
            f"XGBoost's objective must be one of {', '.join(LINKS)}, got "
            f"{str(objective)[:60]!r}: {TRAIN_A_CLASSIFIER}."
        )
    parameters = get(learner, "learner_model_param")
    n_classes = whole(get(parameters, "num_class"), "num_class", 0, 2**14)
    if whole(parameters.get("num_target", 1), "num_target") > 1:
        raise UnsupportedModelError(
            "a model must have one target, got several labels at once: train one a label."
        )
    many = LINKS[objective] == "softmax"
    if many and n_classes < 2:
        raise ValueError(f"num_class must be 2 or more, got {n_classes}: the file is damaged.")
    n_groups = n_classes if many else 1
    base = _read_base_score(get(parameters, "base_score"), n_groups)
    if objective == "binary:logistic":
        if not 0.0 < base[0] < 1.0:
            raise ValueError(f"base_score must be within 0 and 1, got {base[0]}.")
        base = [math.log(base[0]) - math.log1p(-base[0])]
    return LINKS[objective], base


def _read_base_score(value: Any, n_groups: int) -> list[float]:
    """Return base_score by class; files have a number, a list, or either as text."""
    text = value if isinstance(value, str) else repr(value)
    numbers = read_floats(text.strip("[] "), ",")
    scores = [] if numbers is None else numbers.tolist()
    if len(scores) == 1:
        scores *= n_groups
    if len(scores) != n_groups or not all(map(math.isfinite, scores)):
        raise ValueError(f"base_score must be {n_groups} finite numbers, got {text[:60]!r}.")
    return [float(np.float32(score)) for score in scores]


def _read_rounds(learner: Any, n_groups: int, *, has_best: bool) -> _Rounds:
    """Return the trees that predict: up to the best iteration, or all."""
    booster = get(learner, "gradient_booster")
    name = get(booster, "name")
    if name not in ("gbtree", "dart"):
        raise UnsupportedModelError(
            f"XGBoost's booster must be gbtree or dart, got {str(name)[:60]!r}: a linear model has "
            "no trees."
        )
    model = get(booster, "gbtree", "model") if name == "dart" else get(booster, "model")
    trees = items(get(model, "trees"), "trees")
    check_trees(len(trees))
    documents = (tree if isinstance(tree, dict) else {} for tree in trees)
    if any(whole(tree.get("id", j), "id") != j for j, tree in enumerate(documents)):
        raise ValueError("trees must be in the order of their ids: the file is damaged.")
    group = as_numbers(get(model, "tree_info"), "tree_info", len(trees), kind="i")
    if ((group < 0) | (group >= n_groups)).any():
        raise ValueError(f"tree_info must be classes below {n_groups}: the file is damaged.")
    factor = np.ones(len(trees))
    if name == "dart":
        factor = round32(as_numbers(get(booster, "weight_drop"), "weight_drop", len(trees)))
    given = model.get("gbtree_model_param")
    given = given.get("num_parallel_tree", 1) if isinstance(given, dict) else 1  # old files
    n_parallel = max(whole(given, "num_parallel_tree"), 1)
    end = _count_trees(learner, model, len(trees), n_parallel * n_groups)
    end = end if has_best else len(trees)
    return _Rounds(trees[:end], group[:end], factor[:end], n_parallel)


def _count_trees(learner: Any, model: Any, n_trees: int, n_per_round: int) -> int:
    """Return the number of trees up to the best iteration: all if training did not stop early."""
    ends = as_numbers(model.get("iteration_indptr", []), "iteration_indptr", kind="i")
    if len(ends) and (ends[0] != 0 or ends[-1] != n_trees or (np.diff(ends) < 0).any()):
        raise ValueError(
            f"iteration_indptr must increase from 0 to the {n_trees} trees: the file is damaged."
        )
    attributes = learner.get("attributes", {})
    if not isinstance(attributes, dict) or "best_iteration" not in attributes:
        return n_trees
    best = whole(attributes["best_iteration"], "best_iteration")
    if not len(ends):
        return min((best + 1) * n_per_round, n_trees)
    return int(ends[min(best + 1, len(ends) - 1)])
