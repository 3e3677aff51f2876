"""Checks of what an estimator is fitted on: a table, labels and weights."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats, as_floats, check_range
from horotree.training import Labeled, Task
from horotree.trees import Columns

# The classes of this many rows are tried first: most often they are all.
FIRST = 1_000

# With more classes than this, scikit-learn checks all labels: they may be a continuous target.
FEW_CLASSES = 20

Indices = NDArray[np.intp]
Labels = NDArray[Any]


def read_task(
    columns: Columns, table: Any, y: Any, sample_weight: Any, class_weight: Any
) -> tuple[Task, Labeled]:
    """Check a training table with its labels and weights."""
    X, labels, weight = _read(columns, table, y, sample_weight)
    classes, index = find_classes(labels)
    factors = np.ones(len(classes))
    with np.errstate(over="ignore"):
        mean = float(weight.mean())
        if class_weight is not None:  # takes as long as to find the classes
            by_class = np.bincount(index, weights=weight, minlength=len(classes))
            factors = class_factors(class_weight, classes, np.asarray(by_class, np.float64))
            weight = weight * factors[index]
        total = float(weight.sum())
    if not np.isfinite(total):
        raise ValueError("the weights add up to infinity: divide sample_weight by its mean.")
    task = Task(columns, classes, factors, len(X), mean, total, float(weight.min()))
    return task, Labeled(X, index, weight)


def read_validation(task: Task, eval_set: Any) -> Labeled | None:
    """Return the examples of ``(X, y)`` or ``(X, y, sample_weight)``; None for None."""
    if eval_set is None:
        return None
    X, labels, weight = _read(task.columns, *split_eval_set(eval_set))
    index = index_labels(labels, task.classes)
    return Labeled(X, index, weight * task.factors[index])


def split_eval_set(eval_set: Any) -> tuple[Any, Any, Any]:
    """Return X, y and the weights (None if there are none) of an ``eval_set``."""
    if not isinstance(eval_set, tuple | list) or len(eval_set) not in (2, 3):
        length = f" of length {len(eval_set)}" if hasattr(eval_set, "__len__") else ""
        raise ValueError(
            f"eval_set must be (X, y) or (X, y, sample_weight), got {type(eval_set).__name__}"
            f"{length}: pass one such tuple."
        )
    X, y, *weight = eval_set
    return X, y, weight[0] if weight else None


def index_labels(labels: Labels, classes: Labels) -> Indices:
    """Return the index of each label of an ``eval_set`` among the sorted classes."""
    try:
        index, are_all = _find(labels, classes)
    except TypeError:  # they cannot be compared
        are_all = False
    if not are_all:
        known = set(classes.tolist())
        unknown = next((label for label in labels.tolist() if label not in known), labels[0])
        raise ValueError(
            f"eval_set holds the class {unknown!r}, which is not in y: leave these rows out; the "
            f"classes are {classes.tolist()}."
        )
    return index


def _read(
    columns: Columns, table: Any, y: Any, sample_weight: Any
) -> tuple[Floats, Labels, Floats]:
    """Return the matrix, labels and weights of the rows that have a positive weight."""
    X = columns.to_matrix(table)
    labels = as_labels(y, len(X))
    weight = as_weights(sample_weight, len(X))
    counts = weight > 0.0
    if not counts.any():
        raise ValueError("sample_weight must not be zero everywhere: give some row a weight.")
    if counts.all():
        return X, labels, weight
    return np.ascontiguousarray(X[counts]), labels[counts], weight[counts]


def as_labels(y: Any, n_rows: int) -> Labels:
    """Return the label of each row; raise if one is missing."""
    import pandas as pd
    from sklearn.utils import column_or_1d

    labels = np.asarray(column_or_1d(y, warn=True))
    if len(labels) != n_rows or n_rows == 0:
        raise ValueError(
            f"X and y must have one length, and some rows, got {n_rows} rows and {len(labels)} "
            "labels: pass the label of every row."
        )
    bad = np.asarray(pd.isna(labels))
    if labels.dtype.kind == "f":
        bad |= np.isinf(labels)
    if bad.any():
        place = int(np.argmax(bad))
        raise ValueError(
            f"y contains NaN, infinity or None, got {labels[place]!r} in row {place}: remove the "
            "rows without a label."
        )
    return labels


def as_weights(sample_weight: Any, n_rows: int) -> Floats:
    """Return the weight of each row: 1 for None, none of them negative."""
    if sample_weight is None:
        return np.ones(n_rows)
    weight = as_floats(sample_weight, "sample_weight")
    if weight.ndim == 0:
        weight = np.full(n_rows, weight)
    if weight.shape != (n_rows,):
        raise ValueError(
            f"sample_weight must have one entry a row, got shape {weight.shape} for {n_rows} rows: "
            "pass a list of that length."
        )
    ok = (weight >= 0.0) & np.isfinite(weight)
    fix = "drop such rows, or give them weight 0"
    check_range(weight, "sample_weight", ok, "finite and not negative", fix)
    return weight


def find_classes(labels: Labels) -> tuple[Labels, Indices]:
    """Return the classes, sorted, and the index of each label among them."""
    from sklearn.utils.multiclass import check_classification_targets

    try:
        classes = np.unique(labels[:FIRST])
        index, are_all = _find(labels, classes)
        if not are_all:
            # Not with return_inverse: NumPy would sort labels, and is slow if most are the same.
            classes = np.unique(labels)
            index, _ = _find(labels, classes)
    except TypeError as error:
        raise TypeError(f"y must hold labels of one type, got several ({error}).") from error
    # With few classes it is faster to check the classes than all labels; few integers or strings
    # need no check.
    if len(classes) > FEW_CLASSES:
        check_classification_targets(labels)
    elif classes.dtype.kind not in "biuU":
        check_classification_targets(classes)
    if classes.dtype.kind not in "biufUO":
        raise TypeError(
            f"y must hold numbers, booleans or strings, got dtype {classes.dtype}: convert it, "
            "e.g. with astype(str)."
        )
    if len(classes) < 2:
        raise ValueError(
            "y must hold two classes or more in rows that have a weight, got only one class, "
            f"{classes.tolist()[0]!r}: there is nothing to learn."
        )
    return classes, index


def _find(labels: Labels, classes: Labels) -> tuple[Indices, bool]:
    """Return the index of each label among sorted classes, and whether all are there."""
    if len(classes) == 2 and classes.dtype.kind != "O":  # much faster; a tuple has a shape
        is_second = labels == classes[1]
        return is_second.astype(np.intp), bool((is_second | (labels == classes[0])).all())
    index = np.searchsorted(classes, labels)
    return index, not (classes.take(index, mode="clip") != labels).any()


def class_factors(class_weight: Any, classes: Labels, by_class: Floats) -> Floats:
    """Return the factor of the weights of each class, given their total weights without it."""
    if class_weight is None:
        return np.ones(len(classes))
    if not isinstance(class_weight, Mapping):
        return np.asarray(by_class.sum() / (len(classes) * by_class))
    names = classes.tolist()
    unknown = [label for label in class_weight if label not in names]
    unnamed = [label for label in names if label not in class_weight]
    if unknown and unnamed:  # one of the two is a misspelling of the other
        raise ValueError(
            f"class_weight names the class {unknown[0]!r}, which is not in y, and not the class "
            f"{unnamed[0]!r}: the classes are {names}."
        )
    factors = as_floats([class_weight.get(label, 1.0) for label in names], "class_weight")
    ok = (factors > 0.0) & np.isfinite(factors)
    check_range(factors, "class_weight", ok, "finite and above 0", "leave rows out by weight 0")
    return factors
