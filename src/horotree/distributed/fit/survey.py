"""A pass over all partitions before any is binned: columns, categories, classes, values."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.estimators.inputs import as_labels, as_weights, class_factors, find_classes
from horotree.training import Binning, Task
from horotree.training.binning import cut_counted, join_cuts
from horotree.trees import Columns
from horotree.trees.tables import default_names, factorize, is_category, open_table

from .sketch import CAPACITY, QuantileSketch, merge


@dataclass(frozen=True, slots=True, eq=False)
class CategoryLabels:
    """The categories of a column."""

    seen: tuple[Any, ...]  # those that occur
    known: tuple[Any, ...] | None  # those of its category dtype, if it has one


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """What one partition, or several together, hold."""

    partition: int  # the number of the first, for errors
    names: tuple[str, ...] | None  # of the columns
    labels: tuple[CategoryLabels | None, ...]  # per column; None for numbers
    sketches: tuple[QuantileSketch | None, ...]  # per column; None for categories
    missing: NDArray[np.uint8]  # per column 1 if a value is missing
    classes: NDArray[Any]  # sorted
    by_class: Floats  # the weight of each class
    n_examples: int  # rows with a positive weight


@dataclass(frozen=True, slots=True, eq=False)
class BinnedTask(Task):
    """The problem as all workers share it, with the cut points."""

    has_names: bool  # whether the collection names its columns
    binning: Binning
    cut_error: float  # the largest share of values that a quantile may be off by

    @property
    def empty_table(self) -> Any:
        """A table with the columns of the collection, for scikit-learn's check of names."""
        import pandas as pd

        names = list(self.columns.feature_names)
        return pd.DataFrame(columns=names) if self.has_names else np.empty((1, len(names)))


def count_rows(table: Any) -> int:
    """Return the number of rows of a partition."""
    return open_table(table).shape[0]


def survey(
    partition: int, table: Any, y: Any, weight: Any, *, categorical_features: Any, exact: bool
) -> Survey | None:
    """Read a partition; return None if it has no rows."""
    with naming(f"partition {partition}"):
        source = open_table(table)
        if source.shape[0] == 0:
            return None
        columns = Columns.learn(table, categorical_features)
        labels, weight = as_labels(y, source.shape[0]), as_weights(weight, source.shape[0])
        counts = weight > 0.0
        classes, index = np.unique(labels[counts], return_inverse=True)
        if len(classes) > 1:
            find_classes(np.tile(classes[:1000], 3))  # continuous labels fail here, on the workers
        X = columns.to_matrix(table)[counts]
        return Survey(
            partition,
            source.names,
            tuple(
                None if seen is None else _labels(source.column(j), columns.feature_names[j], seen)
                for j, seen in enumerate(columns.categories)
            ),
            tuple(
                _join_sketches([QuantileSketch.of(X[:, j])], exact=exact) if seen is None else None
                for j, seen in enumerate(columns.categories)
            ),
            np.isnan(X).any(axis=0).astype(np.uint8),
            classes,
            np.asarray(np.bincount(index, weights=weight[counts]), np.float64),
            int(np.count_nonzero(counts)),
        )


@contextmanager
def naming(title: str) -> Iterator[None]:
    """Add the name of the partition to errors about its content."""
    try:
        yield
    except TypeError as error:
        raise TypeError(f"{title}: {error}") from error
    except ValueError as error:
        raise ValueError(f"{title}: {error}") from error


def join_surveys(surveys: Sequence[Survey | None], *, exact: bool) -> Survey | None:
    """Return the survey of several partitions, given in their order."""
    some = [s for s in surveys if s is not None]
    if len(some) <= 1:
        return some[0] if some else None
    first = some[0]
    for other in some[1:]:
        _check_same_columns(first, other)
    columns = range(len(first.labels))
    classes, by_class = _join_classes(some)
    return Survey(
        first.partition,
        first.names,
        tuple(_join_labels([s.labels[j] for s in some]) for j in columns),
        tuple(_join_sketches([s.sketches[j] for s in some], exact=exact) for j in columns),
        np.bitwise_or.reduce([s.missing for s in some]),
        classes,
        by_class,
        sum(s.n_examples for s in some),
    )


def make_task(
    whole: Survey, max_bins: int | None, class_weight: Any, columns: Columns | None = None
) -> BinnedTask:
    """Return the columns, classes and cut points of all partitions together.

    With the ``columns`` of an earlier fit, categories that are not among theirs are missing values.
    """
    classes, _ = find_classes(np.tile(whole.classes, 3))  # scikit-learn warns about rare classes
    names = whole.names or default_names(len(whole.labels))
    seen = tuple(None if x is None else x.seen for x in whole.labels)
    missing = whole.missing.copy()
    if columns is None:
        columns = Columns(names, seen, whole.names is not None)
    else:
        _check_kinds(seen, columns)
        for j, (new, old) in enumerate(zip(seen, columns.categories, strict=True)):
            missing[j] |= bool(set(new or ()) - set(old or ()))
    cuts = [
        np.empty(0) if s is None else cut_counted(s.values, s.counts, max_bins)
        for s in whole.sketches
    ]
    numeric = [s for s in whole.sketches if s is not None]
    mean = float(whole.by_class.sum()) / whole.n_examples
    factors = class_factors(class_weight, classes, whole.by_class)
    return BinnedTask(
        columns=columns,
        classes=classes,
        factors=factors,
        n_examples=whole.n_examples,
        mean_weight=mean,
        total_weight=float(whole.by_class @ factors),
        least_weight=mean,
        has_names=whole.names is not None,
        binning=join_cuts(cuts, columns.n_categories, missing),
        # Up to the error of the sketch, and the values that one entry of the sketch represents.
        cut_error=max(
            (s.error / int(s.counts.sum()) + 1 / CAPACITY for s in numeric if s.error), default=0.0
        ),
    )


def _check_kinds(seen: Sequence[Any], columns: Columns) -> None:
    """Raise unless the same columns hold numbers, and categories, as in an earlier fit."""
    if len(seen) != len(columns.categories):
        raise ValueError(
            f"the table has {len(seen)} features, but the model is expecting "
            f"{len(columns.categories)} features as input: pass the columns of the training table."
        )
    for name, new, old in zip(columns.feature_names, seen, columns.categories, strict=True):
        if (new is None) != (old is None):
            a, b = ("numbers", "categories") if new is None else ("categories", "numbers")
            raise ValueError(
                f"column {name!r} holds {a} now, but held {b} in the fit to continue: give it "
                "the same dtype, or name it in categorical_features."
            )


def _labels(column: Any, name: str, seen: tuple[Any, ...]) -> CategoryLabels:
    return CategoryLabels(seen, tuple(factorize(column, name)[1]) if is_category(column) else None)


def _join_sketches(
    sketches: Sequence[QuantileSketch | None], *, exact: bool
) -> QuantileSketch | None:
    some = [s for s in sketches if s is not None]
    if not some:
        return None
    whole = some[0] if len(some) == 1 else merge(some)
    return whole if exact else whole.compressed()


def _join_labels(labels: Sequence[CategoryLabels | None]) -> CategoryLabels | None:
    """Return the categories of a column in all partitions.

    In the order of the category dtype if all partitions have the same one; else sorted; else, if
    they cannot be compared, in the order of the partitions.
    """
    some = [x for x in labels if x is not None]
    if not some:
        return None
    seen = tuple(dict.fromkeys(label for x in some for label in x.seen))
    known = some[0].known
    if known is not None and all(x.known == known for x in some):
        inside = set(seen)
        return CategoryLabels(tuple(label for label in known if label in inside), known)
    try:
        return CategoryLabels(tuple(sorted(seen)), None)
    except TypeError:
        return CategoryLabels(seen, None)


def _join_classes(surveys: Sequence[Survey]) -> tuple[NDArray[Any], Floats]:
    if len({s.classes.dtype.kind in "UO" for s in surveys}) > 1:
        raise TypeError(
            "y must hold labels of one type, got text in some partitions and numbers in others."
        )
    try:
        classes, place = np.unique(
            np.concatenate([s.classes for s in surveys]), return_inverse=True
        )
    except TypeError as error:
        raise TypeError(f"y must hold labels of one type, got several ({error}).") from error
    by_class = np.bincount(place, weights=np.concatenate([s.by_class for s in surveys]))
    return classes, np.asarray(by_class, np.float64)


def _check_same_columns(first: Survey, other: Survey) -> None:
    if first.names != other.names or len(first.labels) != len(other.labels):
        raise ValueError(
            f"all partitions must have the same columns, but partition {other.partition} has "
            f"{_describe(other)}, and partition {first.partition} has {_describe(first)}: select "
            "the same columns in every partition, in one order."
        )
    for j, (mine, its) in enumerate(zip(first.labels, other.labels, strict=True)):
        if (mine is None) != (its is None):
            name = (first.names or default_names(len(first.labels)))[j]
            a, b = ("numbers", "categories") if mine is None else ("categories", "numbers")
            raise ValueError(
                f"column {name!r} holds {a} in partition {first.partition}, but {b} in partition "
                f"{other.partition}: give it one dtype, or name it in categorical_features."
            )


def _describe(found: Survey) -> str:
    if found.names is None:
        return f"{len(found.labels)} columns without names"
    shown = ", ".join(map(repr, found.names[:5]))
    return f"{len(found.names)} columns ({shown}{', ...' if len(found.names) > 5 else ''})"
