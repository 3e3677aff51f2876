"""One view of the tables people have: names, and columns as NumPy arrays or pandas Series.

Data frames are recognized by the names of their classes, so that neither pandas nor polars is
loaded for an array of numbers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table's names (None if it has none), shape and columns; its matrix if it is all numbers."""

    names: tuple[str, ...] | None
    shape: tuple[int, int]
    column: Callable[[int], Any]
    matrix: Callable[[], NDArray[Any]] | None = None


def open_table(table: Any) -> Table:
    """View a data frame or anything that NumPy takes for a matrix; refuse what cannot be one."""
    if _is_a(table, "scipy", ""):
        raise TypeError(
            "a sparse matrix is not supported: pass a dense one, table.toarray(), or fewer columns."
        )
    if _is_a(table, "polars", "LazyFrame"):
        raise TypeError("a lazy frame has no rows yet: pass table.collect().")
    if _is_a(table, "pandas", "DataFrame"):
        return _open_pandas(table)
    if _is_a(table, "polars", "DataFrame"):
        return Table(tuple(table.columns), table.shape, lambda j: _polars_column(table, j))
    return _open_array(table)


def _is_a(table: Any, package: str, name: str) -> bool:
    return any(
        kind.__module__.partition(".")[0] == package and kind.__name__.startswith(name)
        for kind in type(table).__mro__
    )


def _open_pandas(frame: Any) -> Table:
    plain = all(isinstance(dtype, np.dtype) and dtype.kind in "biuf" for dtype in frame.dtypes)
    names = _string_names(list(frame.columns))
    matrix = partial(frame.to_numpy, dtype=np.float64) if plain else None
    columns = cache(lambda: [column for _, column in frame.items()])  # faster than frame.iloc[:, j]
    return Table(names, frame.shape, lambda j: columns()[j], matrix)


def _string_names(names: list[Any]) -> tuple[str, ...] | None:
    are_strings = [isinstance(name, str) for name in names]
    if not any(are_strings):
        return None  # numbered columns have no names, as in scikit-learn
    if not all(are_strings):
        other = names[are_strings.index(False)]
        raise TypeError(
            f"column names must all be strings, got {other!r} among them: rename the columns, "
            "e.g. table.columns = table.columns.astype(str)."
        )
    return tuple(map(str, names))


def _polars_column(frame: Any, j: int) -> Any:
    series = frame.to_series(j)
    kind = series.dtype.base_type().__name__
    if kind not in ("Categorical", "Enum"):
        return series.to_numpy()
    import pandas as pd

    labels = series.dtype.categories.to_list() if kind == "Enum" else None
    return pd.Series(pd.Categorical(series.to_list(), categories=labels))


def _open_array(table: Any) -> Table:
    if isinstance(table, np.ma.MaskedArray) and table.dtype.kind in "biuf":
        table = np.ma.filled(table.astype(np.float64), np.nan)
    try:
        array = np.asarray(table)
    except ValueError as error:
        raise ValueError("the table must have rows of one length: make it rectangular.") from error
    if array.dtype.kind in "US" and not isinstance(table, np.ndarray):
        array = np.array(table, dtype=object)  # numbers next to text were made text
    if array.ndim != 2:
        raise ValueError(
            f"the table must have two dimensions, got shape {array.shape}. Reshape your data: "
            "array.reshape(-1, 1) for one feature, array.reshape(1, -1) for one example."
        )
    if array.dtype.kind == "V":
        raise TypeError("a structured array is not supported: pass a data frame of its fields.")
    matrix = (lambda: array) if array.dtype.kind in "biuf" else None
    return Table(None, array.shape, lambda j: array[:, j], matrix)


def rename_table(table: Any, names: tuple[str, ...]) -> Any:
    """Return a data frame with other names of its columns."""
    if _is_a(table, "polars", "DataFrame"):
        return table.rename(dict(zip(table.columns, names, strict=True)))
    return table.set_axis(list(names), axis="columns")


def is_category(column: Any) -> bool:
    """Tell whether a column has a category dtype."""
    return _is_a(getattr(column, "dtype", None), "pandas", "CategoricalDtype")


def to_numbers(column: Any, name: str) -> Floats:
    """Return a column as float64, NaN where it is missing; refuse text, dates and the like."""
    dtype = column.dtype
    if not isinstance(dtype, np.dtype) and not is_category(column) and dtype.kind in "biuf":
        return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
    array = np.asarray(column)
    if array.dtype.kind in "biuf":
        return array.astype(np.float64)
    if array.dtype.kind == "c":
        raise ValueError(
            f"Complex data not supported: column {name!r} holds complex numbers; pass their real "
            "and imaginary parts as two columns."
        )
    if array.dtype.kind in "mM":
        raise TypeError(
            f"column {name!r} holds dates or times: pass numbers, e.g. days since a fixed date."
        )
    return _objects_to_numbers(array.astype(object), name)


def _objects_to_numbers(objects: NDArray[np.object_], name: str) -> Floats:
    import pandas as pd

    text = next((value for value in objects if isinstance(value, str | bytes)), None)
    if text is not None:
        raise ValueError(
            f"column {name!r} holds text ({_short(text)}) and is not categorical: give it a "
            "category dtype (pandas: table[name].astype('category')), name it in "
            "categorical_features, or drop it."
        )
    try:
        return np.where(pd.isna(objects), np.nan, objects).astype(np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"column {name!r} holds something that is not a number ({error}): convert or drop it."
        ) from error


def factorize(column: Any, name: str) -> tuple[NDArray[Any], list[Any]]:
    """Return the place of each entry among a column's labels, -1 if it is missing, and those.

    Labels of a category dtype are all of its categories, in its order; else those in the column, as
    they come.
    """
    if is_category(column):
        return np.asarray(column.cat.codes), _plain(column.cat.categories)
    import pandas as pd

    if isinstance(column, np.ndarray):
        # one width of floats, and objects for text, because pandas has hash tables for those
        widths = {"f": np.float64, "U": np.object_, "S": np.object_}
        column = column.astype(widths.get(column.dtype.kind, column.dtype), copy=False)
    try:
        codes, labels = pd.factorize(column)
    except TypeError as error:
        raise TypeError(
            f"column {name!r} holds something that cannot be a category ({error}): use strings, "
            "whole numbers, floats or booleans."
        ) from error
    return codes, _plain(labels)


def _plain(labels: Any) -> list[Any]:
    """Return labels as Python's own strings and numbers, where they are NumPy's."""
    return [x.item() if isinstance(x, np.generic) else x for x in labels.tolist()]


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
