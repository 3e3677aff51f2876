"""A table becomes a matrix: numbers as they are, categories as codes, NaN for what is missing."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats, as_matrix

from .frames import Table, factorize, is_category, open_table, to_numbers

Labels = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """What is known of a table's columns: their names, and the labels of those with categories.

    Tables are pandas or polars data frames, NumPy arrays (also of objects), or lists of rows.

    Parameters
    ----------
    feature_names : tuple of str
        All different, so that a rule that names a column means one.
    categories : tuple
        Per column None if it is numeric, else a tuple: the label of each code 0, 1, ...
    has_names : bool, optional
        Whether the columns had these names in training. If not, tables are read by position,
        whatever the names of their columns. If not given, all names count but x0, x1, ... and those
        that other libraries give to columns without names.

    Examples
    --------
    >>> import pandas as pd
    >>> from horotree.trees import Columns
    >>> table = pd.DataFrame({"age": [41, 7], "city": ["Rome", "Bern"]})
    >>> columns = Columns.learn(table, categorical_features=["city"])
    >>> columns.categories
    (None, ('Bern', 'Rome'))
    >>> columns.to_matrix(table).tolist()
    [[41.0, 1.0], [7.0, 0.0]]
    """

    feature_names: tuple[str, ...]
    categories: tuple[Labels | None, ...]
    has_names: bool | None = None

    def __post_init__(self) -> None:
        names = self.feature_names
        if self.has_names is None:
            object.__setattr__(self, "has_names", not has_default_names(tuple(names)))
        wrong = [name for name in names if not isinstance(name, str)]
        if wrong:
            raise TypeError(f"feature names must be strings, got {wrong[0]!r}.")
        if len(set(names)) < len(names):
            twice = Counter(names).most_common(1)[0][0]
            raise ValueError(f"feature names must differ, got {twice!r} twice: rename a column.")
        if len(self.categories) != len(names):
            raise ValueError(
                f"categories must have one entry a feature, got {len(self.categories)} for "
                f"{len(names)} features: pass None for a numeric one."
            )
        for name, labels in zip(names, self.categories, strict=True):
            if labels is not None and len(set(labels)) < len(labels):
                raise ValueError(f"the labels of feature {name!r} must differ, got {labels!r}.")

    @classmethod
    def learn(cls, table: Any, categorical_features: Any = "from_dtype") -> "Columns":
        """Learn names and categories from a training table.

        Parameters
        ----------
        table : data frame or array_like
            At least one row and one column.
        categorical_features : "from_dtype", None or array_like
            Which columns hold categories: those with a category dtype (pandas Categorical, polars
            Categorical or Enum), none, or the columns given by a mask, indices or names.

        Returns
        -------
        Columns
            Labels in the order of a category dtype, else sorted, else (if they cannot be compared)
            as they come. Categories of the dtype that do not occur are left out: they would be
            unseen at prediction.
        """
        source = open_table(table)
        for size, what in zip(source.shape, ("sample", "feature"), strict=True):
            if size == 0:
                raise ValueError(
                    f"the table has 0 {what}(s) (shape={source.shape}) while a minimum of 1 is "
                    "required: pass a table that is not empty."
                )
        names = source.names or default_names(source.shape[1])
        chosen = _choose(categorical_features, source, names)
        labels = tuple(
            _learn_labels(source.column(j), names[j]) if chosen[j] else None
            for j in range(len(names))
        )
        return cls(names, labels, source.names is not None)

    @property
    def n_categories(self) -> NDArray[np.int32]:
        """The number of categories of each column; 0 for numbers."""
        return np.array([len(labels or ()) for labels in self.categories], np.int32)

    def to_matrix(self, table: Any) -> Floats:
        """Return a table with these columns as a C-contiguous float64 matrix.

        Parameters
        ----------
        table : data frame or array_like
            The columns of the training table; if both have names, in the same order.

        Returns
        -------
        float64 array of shape (n_rows, n_columns)
            Codes for categories; NaN for what is missing (None, NaN, NA) and for labels that were
            not in the training table. A C-contiguous float64 array without categories is returned
            as it is, not copied.
        """
        source = open_table(table)
        self._check_names(source.names)
        n_features = len(self.feature_names)
        if source.shape[1] != n_features:
            raise ValueError(
                f"the table has {source.shape[1]} features, but the model is expecting "
                f"{n_features} features as input: pass the columns of the training table."
            )
        X = self._convert(source)
        infinite = np.isinf(X)
        if infinite.any():  # by column only then, since that takes ten times as long
            name = self.feature_names[int(np.argmax(infinite.any(axis=0)))]
            raise ValueError(
                f"column {name!r} holds inf or -inf: replace infinite values, with NaN if they "
                "mean that there is none."
            )
        return X

    def are_names(self, names: tuple[str, ...]) -> bool:
        """Return whether these are the names of a table, all of them and in their order."""
        known = self.feature_names
        # LightGBM keeps names without spaces.
        return names == known or tuple(name.replace(" ", "_") for name in names) == known

    def _convert(self, source: Table) -> Floats:
        if source.matrix is not None and all(labels is None for labels in self.categories):
            return as_matrix(source.matrix())
        X = np.empty(source.shape)
        for j, (name, labels) in enumerate(zip(self.feature_names, self.categories, strict=True)):
            column = source.column(j)
            X[:, j] = to_numbers(column, name) if labels is None else _encode(column, labels, name)
        return X

    def _check_names(self, names: tuple[str, ...] | None) -> None:
        known = self.feature_names
        if names is None or self.are_names(names):
            return
        unseen = [name for name in names if name not in known]
        if len(unseen) == len(names) and not self.has_names:
            return  # trained on an array, where columns had no names
        missing = [name for name in known if name not in names]
        what = "; ".join(
            f"{text}: {', '.join(map(repr, part[:5]))}{', ...' if len(part) > 5 else ''}"
            for text, part in (("unseen in training", unseen), ("missing", missing))
            if part
        )
        if not what:
            place = next(j for j in range(len(known)) if names[j] != known[j])
            what = f"the order differs: {names[place]!r} in place of {known[place]!r}"
        raise ValueError(
            f"the table's columns are not those of the training table ({what}): select them in its "
            "order, table[list(feature_names)]."
        )


# How libraries call columns that have no names: ours and scikit-learn, XGBoost, LightGBM, CatBoost.
_UNNAMED = ("x", "f", "Column_", "")


def has_default_names(names: tuple[str, ...]) -> bool:
    """Tell whether columns have no names but those that a library gave them.

    Examples
    --------
    >>> from horotree.trees.tables.columns import has_default_names
    >>> has_default_names(("f0", "f1")), has_default_names(("f0", "age"))
    (True, False)
    """
    n = len(names)
    return any(names == tuple(f"{word}{j}" for j in range(n)) for word in _UNNAMED)


def default_names(n_features: int) -> tuple[str, ...]:
    """Return x0, x1, ...: the names of columns that have none."""
    return tuple(f"x{j}" for j in range(n_features))


def _choose(spec: Any, source: Table, names: tuple[str, ...]) -> list[bool]:
    """Return which columns are categorical."""
    n = len(names)
    if spec is None:
        return [False] * n
    if isinstance(spec, str) and spec == "from_dtype":
        if source.matrix is not None:
            return [False] * n
        return [is_category(source.column(j)) for j in range(n)]
    chosen = np.asarray(spec)
    if chosen.ndim == 1 and chosen.dtype.kind == "b" and len(chosen) == n:
        return [bool(flag) for flag in chosen]
    if chosen.ndim == 1 and chosen.dtype.kind in "iu" and not ((chosen < 0) | (chosen >= n)).any():
        return [j in chosen for j in range(n)]
    if chosen.ndim == 1 and all(isinstance(name, str) and name in names for name in chosen):
        return [name in chosen for name in names]
    raise ValueError(
        f"categorical_features must be 'from_dtype', None, {n} booleans, indices below {n}, or "
        f"names of columns, got {spec!r}."
    )


def _learn_labels(column: Any, name: str) -> Labels:
    codes, labels = factorize(column, name)
    if is_category(column):
        occurs = np.bincount(codes[codes >= 0], minlength=len(labels)) > 0
        return tuple(label for label, used in zip(labels, occurs, strict=True) if used)
    try:
        return tuple(sorted(labels))
    except TypeError:
        return tuple(labels)


def _encode(column: Any, labels: Labels, name: str) -> Floats:
    """Return a column's codes; NaN where it is missing or its label has no code."""
    places, found = factorize(column, name)
    kinds = {isinstance(label, str) for label in found}
    if labels and found and kinds.isdisjoint(isinstance(label, str) for label in labels):
        raise ValueError(
            f"column {name!r} must hold labels such as {labels[0]!r}, got {found[0]!r}: read it as "
            "in training, for text and numbers are different labels."
        )
    code_of = {label: float(code) for code, label in enumerate(labels)}
    # the last entry is for place -1: missing
    code = np.array([*(code_of.get(label, np.nan) for label in found), np.nan])
    return np.asarray(code[places])
