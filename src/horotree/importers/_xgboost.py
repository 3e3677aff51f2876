"""XGBoost's boosters, classifiers and files as Models.

Files are read without XGBoost, and its objects are read as the files that they would save. What is
drawn is the mean of the leaves below a node in units of the learning rate, which is the leverage.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.trees import Ensemble, Model

from . import _ubjson, _xgboost_json
from ._documents import decode, get, items, parse_json, read_bytes, whole
from ._forest import Forest, as_numbers, check_sets
from ._learning_rate import estimate_rate
from ._notes import tell_margins
from ._xgboost_columns import read_categories, read_names
from ._xgboost_trees import Weights, read_trees, round32
from .errors import UnsupportedModelError

LINKS = {
    "binary:logistic": "logistic",
    "binary:logitraw": "logistic",
    "multi:softprob": "softmax",
    "multi:softmax": "softmax",
}

# The learning rate in the configuration of a booster that was loaded from a file, whatever it was.
DEFAULT_RATE = 0.3

MAX_FEATURES = 2**20


@dataclass(frozen=True, slots=True, eq=False)
class _Rounds:
    """The trees that predict: the document's, their class, their factor, and how many a round."""

    trees: list[Any]
    group: NDArray[np.int64]
    factor: Floats
    n_parallel: int


def matches(model: object) -> bool:
    """Tell whether a model is an object of XGBoost, supported or not."""
    return any(kind.__module__.partition(".")[0] == "xgboost" for kind in type(model).__mro__)


def convert(model: Any) -> Model:
    """Return a Booster or an XGBClassifier as a Model.

    Parameters
    ----------
    model : xgboost.Booster or xgboost.XGBClassifier
        Fitted. If training stopped early, the trees up to the best iteration count, as in
        XGBClassifier.predict.

    Returns
    -------
    Model
    """
    kinds = {kind.__name__ for kind in type(model).__mro__}
    classes = None
    booster = model
    if kinds & {"XGBClassifier", "XGBClassifierBase"}:
        missing = getattr(model, "missing", math.nan)
        if missing is not None and not math.isnan(missing):
            raise UnsupportedModelError(
                f"missing values must be NaN, got missing={missing!r}: pass model.get_booster(), "
                "and tables that have NaN in its place."
            )
        booster, classes = model.get_booster(), np.asarray(model.classes_)
    elif "Booster" not in kinds:
        raise UnsupportedModelError(f"model must classify, got {type(model).__name__} of XGBoost.")
    document = _ubjson.loads(bytes(booster.save_raw("ubj")))
    config = parse_json(booster.save_config(), "the configuration of the booster")
    return _convert(document, classes, _configured_rate(config))


def matches_file(path: Path, head: bytes) -> bool:  # noqa: ARG001 - all importers have the path
    """Tell by its first bytes whether a file is a model of XGBoost."""
    start = head.lstrip()
    return head.startswith(b"binf") or (
        start.startswith(b"{") and (b'"learner"' in start[:64] or b"\x07learner" in start[:64])
    )


def convert_file(path: Path) -> Model:
    """Return a .json or .ubj file as a Model.

    Parameters
    ----------
    path : Path
        What ``save_model`` wrote. As a file does not have it, the learning rate is estimated.

    Returns
    -------
    Model
    """
    data = read_bytes(Path(path))
    if data.startswith(b"binf"):
        raise UnsupportedModelError(
            "XGBoost's old binary format is not read: load the model in XGBoost before 3.1, and "
            "save it with the ending .json or .ubj."
        )
    if data[1:2] in (b"i", b"U", b"I", b"l", b"L", b"#", b"$"):
        try:
            document = _ubjson.loads(data)
        except ValueError as error:
            raise ValueError(f"the file must be UBJSON, which cannot be read: {error}") from error
    else:
        document = _xgboost_json.loads(decode(data, "the file"))
    return _convert(document, None, None)


def _convert(document: Any, classes: NDArray[Any] | None, rate: float | None) -> Model:
    learner = get(document, "learner")
    link, base = _read_objective(learner)
    n_groups = len(base)
    n_features = whole(
        get(learner, "learner_model_param", "num_feature"), "num_feature", 0, MAX_FEATURES
    )
    rounds = _read_rounds(learner, n_groups)
    forest, weights = read_trees(rounds.trees)
    rate, notes = _find_rate(forest, weights, rounds.n_parallel, rate)
    unit = rate / rounds.n_parallel
    forest = forest.ordered().cleaned(n_features)
    names = read_names(learner, n_features)
    categories = read_categories(learner, check_sets(forest, n_features))
    trees = forest.trees(np.full(forest.n_trees, unit))
    groups = [np.flatnonzero(rounds.group == group) for group in range(n_groups)]
    ensembles = tuple(
        Ensemble(
            tuple(trees[j] for j in group),
            unit * rounds.factor[group],
            np.full(len(group), np.nan),
            base_value,
        )
        for group, base_value in zip(groups, base, strict=True)
    )
    n_classes = max(n_groups, 2)
    if classes is None or len(classes) != n_classes:
        classes = np.arange(n_classes)
    return Model(ensembles, link, classes, names, categories, "float32", notes)


def _read_objective(learner: Any) -> tuple[str, list[float]]:
    """Return the link, and the score of each ensemble before the first tree."""
    objective = get(learner, "objective", "name")
    if not isinstance(objective, str) or objective not in LINKS:
        raise UnsupportedModelError(
            f"XGBoost's objective must be one of {', '.join(LINKS)}, got {str(objective)[:60]!r}."
        )
    parameters = get(learner, "learner_model_param")
    n_classes = whole(get(parameters, "num_class"), "num_class", 0, 2**14)
    if whole(parameters.get("num_target", 1), "num_target") > 1:
        raise UnsupportedModelError("a model must have one target, got several labels at once.")
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
    try:
        parts = [float(part) for part in text.strip("[] ").split(",")]
    except ValueError as error:
        raise ValueError(f"base_score must be numbers, got {text[:60]!r}.") from error
    if len(parts) == 1:
        parts *= n_groups
    if len(parts) != n_groups or not all(map(math.isfinite, parts)):
        raise ValueError(f"base_score must be {n_groups} finite numbers, got {text[:60]!r}.")
    return [float(np.float32(part)) for part in parts]


def _read_rounds(learner: Any, n_groups: int) -> _Rounds:
    """Return the trees up to the best iteration."""
    booster = get(learner, "gradient_booster")
    name = get(booster, "name")
    if name not in ("gbtree", "dart"):
        raise UnsupportedModelError(
            f"XGBoost's booster must be gbtree or dart, got {str(name)[:60]!r}: a linear model has "
            "no trees."
        )
    model = get(booster, "gbtree", "model") if name == "dart" else get(booster, "model")
    trees = items(get(model, "trees"), "trees")
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
    return _Rounds(trees[:end], group[:end], factor[:end], n_parallel)


def _count_trees(learner: Any, model: Any, n_trees: int, n_per_round: int) -> int:
    """Return the number of trees up to the best iteration: all if training did not stop early."""
    attributes = learner.get("attributes", {})
    if not isinstance(attributes, dict) or "best_iteration" not in attributes:
        return n_trees
    best = whole(attributes["best_iteration"], "best_iteration")
    ends = as_numbers(model.get("iteration_indptr", []), "iteration_indptr", kind="i")
    if not len(ends):
        return min((best + 1) * n_per_round, n_trees)
    end = int(ends[min(best + 1, len(ends) - 1)])
    if not 0 <= end <= n_trees:
        raise ValueError(f"iteration_indptr must be up to {n_trees}, got {end}.")
    return end


def _configured_rate(config: Any) -> float | None:
    """Return the learning rate of a booster's configuration, of which versions differ."""
    if not isinstance(config, dict):
        return None
    if isinstance(config.get("tree_train_param"), dict):
        config = config["tree_train_param"]
    for name in ("eta", "learning_rate"):
        if isinstance(config.get(name), str):
            return float(str(np.float32(config[name])))  # 0.100000001 is the float32 of 0.1
    found = [_configured_rate(part) for part in config.values()]
    return next((rate for rate in found if rate is not None), None)


def _find_rate(
    forest: Forest, weights: Weights, n_parallel: int, configured: float | None
) -> tuple[float, tuple[str, ...]]:
    """Return the learning rate, by what the leaves were shrunk, and the notes; warn of a guess."""
    if not forest.n_trees:
        return 1.0, tell_margins(1.0)
    if configured is not None and configured > 0.0 and configured != DEFAULT_RATE:
        return configured, tell_margins(configured)
    rate = estimate_rate(forest, weights, n_parallel)
    if configured == DEFAULT_RATE and (rate is None or abs(rate / configured - 1.0) < 0.02):
        return configured, tell_margins(configured)
    return 1.0 if rate is None else rate, tell_margins(rate, estimated=True)
