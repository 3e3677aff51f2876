"""Conditions written out as code: for pandas and for SQL.

Names and labels come from tables of others: they become code by ``repr`` and ``quoted`` alone.
"""

import dataclasses
import keyword
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from horotree.trees.tables.columns import Columns

from .conditions import Condition
from .texts import Part, join, number, plain


def as_pandas(
    conditions: Sequence[Condition], columns: Columns, frame: str, input_dtype: str
) -> str:
    """Return ``Rule.to_pandas``."""
    if not frame.isidentifier() or keyword.iskeyword(frame):
        raise ValueError(f"frame must be the name of a Python variable, got {frame!r}.")

    def write(part: Part) -> str:
        column = f"{frame}[{plain(part.name)!r}]"
        if part.is_numeric:
            return _pandas_interval(f"{column}.astype('float64')", part)
        # A row that is missing or has an unseen label is in no list of known ones.
        labels = [plain(label) for label in (part.outside if part.missing else part.inside)]
        listed = ", ".join(python_literal(label, part.name) for label in labels)
        if not all(isinstance(label, str) for label in labels):
            column += ".astype(object)"  # else long whole numbers are compared as floats
        return f"{'~' if part.missing else ''}{column}.isin([{listed}])"

    always = f"{frame}.index.isin({frame}.index)"
    exact = _adjust(conditions, input_dtype)
    return join(exact, columns, write, glue=" & ", always=always, never=f"~{always}")


def as_sql(conditions: Sequence[Condition], columns: Columns, input_dtype: str) -> str:
    """Return ``Rule.to_sql``."""

    def write(part: Part) -> str:
        column = quoted(part.name, '"', part.name)
        if part.is_numeric:
            return _sql_interval(column, part)
        labels = part.outside if part.missing else part.inside
        listed = ", ".join(sql_literal(label, part.name) for label in labels)
        if part.missing:
            return f"({column} NOT IN ({listed}) OR {column} IS NULL)"
        return f"{column} IN ({listed})"

    exact = _adjust(conditions, input_dtype)
    return join(exact, columns, write, glue=" AND ", always="1 = 1", never="1 = 0")


# --- for pandas ----------------------------------------------------------------------------------


def _pandas_interval(column: str, part: Part) -> str:
    if part.takes_none:
        return f"{column}.isna()"
    if part.takes_all:
        return f"{column}.notna()"
    low, high = number(part.low), number(part.high)
    if part.low == -math.inf:
        text = f"({column} <= {high})"
    elif part.high == math.inf:
        text = f"({column} > {low})"
    else:
        text = f"{column}.between({low}, {high}, inclusive='right')"
    return f"({text} | {column}.isna())" if part.missing else text


def python_literal(label: Any, name: str) -> str:
    """Return a label as Python writes it."""
    if isinstance(label, float) and math.isinf(label):
        return f"float('{label!r}')"
    _check_label(label, name)
    return repr(label)


def _check_label(label: Any, name: str) -> None:
    """Raise unless a plain label is text, a finite number or a boolean."""
    if not isinstance(label, str | int | float):
        raise TypeError(
            f"the label {label!r} of feature {name!r} is a {type(label).__name__}, which has no "
            "form in the text of a rule: use strings, numbers or booleans as labels."
        )
    if isinstance(label, float) and not math.isfinite(label):
        raise ValueError(
            f"the label {label!r} of feature {name!r} has no form in the text of a rule: use "
            "finite numbers or strings as labels."
        )


# --- for SQL -------------------------------------------------------------------------------------


def _sql_interval(column: str, part: Part) -> str:
    if part.takes_none:
        return f"{column} IS NULL"
    if part.takes_all:
        return f"{column} IS NOT NULL"
    bounds = []
    if part.low > -math.inf:
        bounds.append(f"{column} > {number(part.low)}")
    if part.high < math.inf:
        bounds.append(f"{column} <= {number(part.high)}")
    text = " AND ".join(bounds)
    if not part.missing:
        return text
    return f"({text if len(bounds) == 1 else f'({text})'} OR {column} IS NULL)"


def sql_literal(label: Any, name: str) -> str:
    """Return a label as SQL writes it."""
    label = plain(label)
    _check_label(label, name)
    if isinstance(label, str):
        return quoted(label, "'", name)
    return str(label).upper() if isinstance(label, bool) else repr(label)


def quoted(text: str, quote: str, name: str) -> str:
    """Return text between quotes, with those inside doubled: all that SQL asks for."""
    text = plain(text)
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError(
            f"{text!r}, of feature {name!r}, holds a NUL character or a lone surrogate, which SQL "
            "cannot hold: rename it."
        )
    if quote == '"' and not text:
        raise ValueError("SQL has no empty names: give the feature '' another name.")
    return quote + text.replace(quote, quote + quote) + quote


# --- models that round to float32 ----------------------------------------------------------------


def _adjust(conditions: Sequence[Condition], input_dtype: str) -> Sequence[Condition]:
    """Return conditions for what has not been rounded to the dtype that the model reads."""
    if input_dtype not in ("float64", "float32"):
        raise ValueError(f"input_dtype must be float64 or float32, got {input_dtype!r}.")
    if input_dtype == "float64":
        return conditions
    return [
        dataclasses.replace(c, low=unrounded(c.low), high=unrounded(c.high)) for c in conditions
    ]


def unrounded(bound: float) -> float:
    """Return the largest float64 that rounds to a float32 at most this bound."""
    if not math.isfinite(bound):
        return bound
    with np.errstate(over="ignore"):
        below = np.float32(bound)
        if float(below) > bound:  # NumPy would round a float that it compares with a float32
            below = np.nextafter(below, np.float32(-np.inf))
        above = np.nextafter(below, np.float32(np.inf))
        # An infinite end is where the next number would be if there were larger exponents.
        ends = [min(max(float(end), -(2.0**128)), 2.0**128) for end in (below, above)]
        middle = (ends[0] + ends[1]) / 2.0  # exact: 25 bits
        rounds_down = float(np.float32(middle)) <= bound
    return middle if rounds_down else math.nextafter(middle, -math.inf)
