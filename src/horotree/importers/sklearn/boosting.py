"""scikit-learn's gradient boosting, of exact splits and of histograms."""

import math
from typing import Any

import numpy as np

from horotree._checks import Floats
from horotree.importers.errors import UnsupportedModelError
from horotree.importers.shared.forest import LARGEST
from horotree.importers.shared.values import mean_below
from horotree.trees import Ensemble, Steps, Tree

from .trees import Content, read_structure


def read_gradient_boosting(model: Any, n_classes: int) -> Content:
    """Return the trees of a GradientBoostingClassifier: their leaves are not shrunk.

    Under the exponential loss leaves are halves of logits: they are doubled, so that the score is
    twice the decision function.
    """
    loss = model.loss
    if loss not in ("log_loss", "exponential"):
        raise UnsupportedModelError(
            f"loss must be 'log_loss' or 'exponential', got {loss!r}: fit the model anew."
        )
    factor = 2.0 if loss == "exponential" else 1.0
    base = factor * _find_prior(model)
    rounds = np.asarray(model.estimators_, object)
    leverage = np.full(len(rounds), float(model.learning_rate))
    unknown = np.full(len(rounds), np.nan)
    ensembles = [
        Ensemble(
            tuple(_read_regression_tree(estimator.tree_, factor) for estimator in rounds[:, k]),
            leverage,
            unknown,
            float(base[k]),
        )
        for k in range(rounds.shape[1])
    ]
    return ensembles, "logistic" if n_classes == 2 else "softmax", {}


def gradient_boosting_steps(model: Any, n_classes: int) -> Steps | None:
    """Return how the leaves of a GradientBoostingClassifier were set.

    Under the exponential loss rows are weighted differently.
    """
    if model.loss != "log_loss":
        return None
    return Steps(hessian=1.0 if n_classes == 2 else n_classes / (n_classes - 1))


def histogram_boosting_steps(model: Any, n_classes: int) -> Steps | None:  # noqa: ARG001
    """Return how the leaves of a HistGradientBoostingClassifier were set, if rows had no weights.

    Monotonic constraints clip leaves.
    """
    constrained = model.monotonic_cst is not None and any(_signs(model.monotonic_cst))
    if model.class_weight is not None or constrained:
        return None
    return Steps(l2=float(model.l2_regularization))


def _signs(constraints: Any) -> Any:
    return constraints.values() if isinstance(constraints, dict) else constraints


def _find_prior(model: Any) -> Floats:
    """Return the scores before the first tree, if they are the same for all rows."""
    start = model.init_
    is_zero = isinstance(start, str) and start == "zero"
    is_dummy = type(start).__name__ == "DummyClassifier" and start.strategy != "stratified"
    if not (is_zero or is_dummy):
        raise UnsupportedModelError(
            "gradient boosting must start with one score for all rows, got "
            f"init={type(start).__name__}, which depends on the row: fit it with init=None or "
            "init='zero'."
        )
    # What the start is clipped to differs between versions: ask the model itself, for any row.
    row = np.zeros((1, int(model.n_features_in_)), np.float32)
    return np.asarray(_hidden(model, "_raw_predict_init")(row), np.float64).ravel()


def _hidden(model: Any, name: str) -> Any:
    """Return what scikit-learn keeps under a private name, and has no public one for."""
    if not hasattr(model, name):
        raise UnsupportedModelError(
            f"a {type(model).__name__} must be of scikit-learn 1.6 or later, got one without "
            f"{name}: fit it with another version."
        )
    return getattr(model, name)


def _read_regression_tree(tree: Any, factor: float) -> Tree:
    # What is stored at inner nodes is the mean residual, which is no step that a leaf would take.
    fields = read_structure(tree)
    leaves = factor * tree.value[:, 0, 0]
    value = mean_below(fields["left"], fields["right"], leaves, fields["weight"])
    # These trees send NaN to the right.
    fields["missing_left"] = np.zeros(len(value), np.bool_)
    return Tree(value=value, output=value, **fields)


def read_histogram_boosting(model: Any, n_classes: int) -> Content:
    """Return the trees of a HistGradientBoostingClassifier: their leaves are shrunk."""
    rate = float(model.learning_rate)
    if not (0.0 < rate < math.inf):
        raise ValueError(
            f"learning_rate must be positive and finite, as it was in training, got {rate!r}."
        )
    base = np.asarray(_hidden(model, "_baseline_prediction"), np.float64).ravel()
    rounds = _hidden(model, "_predictors")
    columns, categories = _read_columns(model)
    n_categories = np.zeros(len(columns), np.int64)
    for j, labels in categories.items():
        n_categories[j] = len(labels)
    ensembles = [
        Ensemble(
            tuple(_read_predictor(trees[k], columns, n_categories, rate) for trees in rounds),
            np.full(len(rounds), rate),
            np.full(len(rounds), np.nan),
            float(base[k]),
        )
        for k in range(len(base))
    ]
    return ensembles, "logistic" if n_classes == 2 else "softmax", categories


def _read_columns(model: Any) -> tuple[np.ndarray[Any, Any], dict[int, tuple[Any, ...]]]:
    """Return the column that each feature of the trees is, and the labels of those with sets.

    The model moves columns with categories to the front and numbers their labels.
    """
    mask = model.is_categorical_
    if mask is None:
        return np.arange(int(model.n_features_in_)), {}
    with_sets = np.flatnonzero(mask)
    encoder = _hidden(model, "_preprocessor").named_transformers_["encoder"]
    categories = {}
    for j, found in zip(with_sets.tolist(), encoder.categories_, strict=True):
        labels = np.asarray(found).tolist()
        if labels and isinstance(labels[-1], float) and math.isnan(labels[-1]):
            labels = labels[:-1]  # it has a code, but trees send it where missing values go
        if None in labels:
            raise UnsupportedModelError(
                f"categories must not be None, got it in column {j} besides missing values: "
                "replace None with NaN and fit the model anew."
            )
        categories[j] = tuple(labels)
    return np.concatenate([with_sets, np.flatnonzero(~np.asarray(mask))]), categories


def _read_predictor(
    predictor: Any, columns: np.ndarray[Any, Any], n_categories: np.ndarray[Any, Any], rate: float
) -> Tree:
    nodes = predictor.nodes
    leaf = nodes["is_leaf"] != 0
    left = np.where(leaf, -1, nodes["left"].astype(np.int64))
    right = np.where(leaf, -1, nodes["right"].astype(np.int64))
    feature = np.where(leaf, -1, columns[np.where(leaf, 0, nodes["feature_idx"])])
    missing_left = ~leaf & (nodes["missing_go_to_left"] != 0)
    by_set = ~leaf & (nodes["is_categorical"] != 0)
    sets = []
    for node in np.flatnonzero(by_set).tolist():
        size = int(n_categories[feature[node]])
        codes = _read_set(predictor.raw_left_cat_bitsets[nodes["bitset_idx"][node]], size)
        if not len(codes):  # some code must go left: turn the test around
            codes = np.arange(size, dtype=np.int32)
            left[node], right[node] = right[node], left[node]
            missing_left[node] = not missing_left[node]
        sets.append(codes)
    sizes = np.zeros(len(leaf), np.int64)
    sizes[by_set] = [len(codes) for codes in sets]
    count = nodes["count"].astype(np.int64)
    value = mean_below(left, right, nodes["value"] / rate, count.astype(np.float64))
    return Tree(
        left=left,
        right=right,
        feature=feature,
        threshold=np.where(leaf | by_set, 0.0, np.minimum(nodes["num_threshold"], LARGEST)),
        missing_left=missing_left,
        category_start=np.concatenate([[0], np.cumsum(sizes)]),
        category=np.concatenate([np.empty(0, np.int32), *sets]),
        value=value,
        output=value,
        weight=count.astype(np.float64),
        count=count,
    )


def _read_set(words: Any, size: int) -> np.ndarray[Any, np.dtype[np.int32]]:
    """Return the codes below ``size`` whose bits are 1."""
    code = np.arange(min(size, 32 * len(words)))
    bits = np.asarray(words)[code // 32] >> (code % 32).astype(np.uint32)
    return np.flatnonzero(bits & np.uint32(1)).astype(np.int32)
