"""Columns of numbers: detection, conversion and checks."""

from typing import Any

import numpy as np
import pandas as pd

from horotree.cli.errors import UserError, quoted


def is_text(column: Any) -> bool:
    """Return whether a column can only be categories: it holds neither numbers nor times."""
    types = pd.api.types
    return not (
        types.is_numeric_dtype(column)
        or types.is_datetime64_any_dtype(column)
        or types.is_timedelta64_dtype(column)
    )


def numbers_if_all_are(column: Any) -> Any:
    """Return a column of huge numbers, or of flags and missing values, as floats."""
    if column.dtype != object and not pd.api.types.is_string_dtype(column):
        return column
    numbers = to_numbers(column)
    return column if (numbers.isna() & column.notna()).any() else numbers


def to_numbers(column: Any) -> Any:
    """Return a column as floats: NaN for other entries, infinity for too large ones."""
    try:
        return pd.to_numeric(column, errors="coerce").astype(np.float64)
    except OverflowError:  # whole numbers of more than 308 digits
        return column.map(_to_float)
    except TypeError:  # lists and the like
        return pd.Series(np.nan, index=column.index)


def _to_float(entry: Any) -> float:
    try:
        return float(entry)
    except OverflowError:
        return np.inf if entry > 0 else -np.inf
    except (TypeError, ValueError):
        return np.nan


def check_finite(column: Any, name: str, table_name: str) -> None:
    """Raise if a column of numbers holds one that is infinite, or too large for a float."""
    if pd.api.types.is_numeric_dtype(column):
        entries = column.to_numpy(np.float64, na_value=np.nan)
        infinite = np.isinf(entries)
        if infinite.any():
            place = int(np.argmax(infinite))
            raise UserError(
                f"{table_name} must hold numbers up to 1.8e308 in the column {quoted(name)}, got "
                f"{entries[place]:g} in row {column.index[place] + 1}: mend it, or leave it empty."
            )


def only_numbers(column: Any, name: str, table_name: str) -> Any:
    """Return a column of numbers; raise if it holds anything else."""
    if pd.api.types.is_numeric_dtype(column):
        check_finite(column, name, table_name)
        return column
    wrong = to_numbers(column).isna() & column.notna()
    if wrong.any():
        place = int(np.argmax(wrong.to_numpy()))
        raise UserError(
            f"{table_name} must hold numbers in the column {quoted(name)}, as in training, got "
            f"{quoted(column.iloc[place])} in row {place + 1}: mend it, or leave it empty."
        )
    numbers = to_numbers(column)
    check_finite(numbers, name, table_name)
    return numbers
