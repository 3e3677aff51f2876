"""CSV however it is separated, with commas or points in numbers, in any encoding.

Rows with too few or too many fields and other encodings are errors, not silently accepted.
"""

import csv
import io
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from horotree.cli.errors import UserError
from horotree.cli.output.messages import Messages

SEPARATORS = (",", ";", "\t", "|")
SEPARATOR_NAMES = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}

# Missing values besides the empty field, NA, NaN, null and the like: UCI's data use it.
MISSING = ("?",)

_DECIMAL_COMMA = r"\s*[+-]?\d+,\d+\s*"
_WHOLE = r"\s*[+-]?\d+\s*"

# The longest field: all of a wide header is one if it is read with the wrong separator.
_LONGEST = 2**31 - 1

# The longest line, and the most columns: compressed, longer ones are small files, and each field of
# a line takes many times its bytes.
_MAX_LINE, _MAX_COLUMNS = 2**24, 2**20


@dataclass(frozen=True, slots=True)
class Csv:
    """CSV whose columns are known, but not yet read."""

    name: str  # the file, in quotes, for messages
    columns: tuple[str, ...]  # the names of the columns
    data: bytes  # the content in UTF-8
    separator: str = ","  # between columns
    decimal: str = "."  # in numbers
    unnamed: tuple[int, ...] = ()  # the columns that are left out, for they have no name

    def read(self, text: tuple[str, ...] = ()) -> Any:
        """Return a data frame, in which some columns hold text even if they look like numbers."""
        return _parse(self, text)


def to_utf8(name: str, data: bytes, encoding: str | None) -> bytes:
    """Return the same text in UTF-8 without a byte order mark; UTF-8 itself is checked later."""
    if encoding is None and data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    if encoding is not None:
        try:
            data = data.decode(encoding).encode()
        except (LookupError, ValueError) as error:
            raise UserError(f"{name} cannot be read as --encoding {encoding}: {error}.") from error
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\0" in data:
        raise UserError(f"{name} is none of CSV, Parquet and Feather: export it as one of these.")
    return data.strip(b"\r\n")


def open_csv(name: str, data: bytes, separator: str | None, messages: Messages) -> Csv:
    """Detect separator, decimal sign and names of columns, with notes about what is unusual."""
    _check_lines(name, data)
    headers = {candidate: _header(name, data, candidate) for candidate in (separator or SEPARATORS)}
    best = max(headers, key=lambda candidate: len(headers[candidate]))  # the first of equals
    if separator is None and best in SEPARATOR_NAMES:
        messages.note(f"{name} is read as separated by {SEPARATOR_NAMES[best]}.")
    header = [column.strip() for column in headers[best]]
    unnamed = tuple(j for j, column in enumerate(header) if not column)
    if len(unnamed) == len(header):
        raise UserError(f"{name} does not name its columns in its first line: add a header.")
    if unnamed:
        places = ", ".join(str(j + 1) for j in unnamed[:5])
        messages.note(f"{name} has no name for column {places}, which is left out.")
    columns = [column for column in header if column]
    decimal = "," if best != "," and _has_decimal_commas(data, best) else "."
    if decimal == ",":
        messages.note(f"{name} is read with decimal commas.")
    return Csv(name, tuple(columns), data, best, decimal, unnamed)


def _check_lines(name: str, data: bytes) -> None:
    place = 0
    while len(data) - place > _MAX_LINE:
        ends = (data.rfind(end, place, place + _MAX_LINE + 1) for end in (b"\n", b"\r"))
        if (last := max(ends)) < 0:
            raise UserError(
                f"{name} has a line of more than {_MAX_LINE:,} bytes: end each row with a line end."
            )
        place = last + 1


def _records(data: bytes, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, each with the number of the line where it ends."""
    csv.field_size_limit(_LONGEST)
    lines = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="")
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True)
    yield from ((reader.line_num, row) for row in reader if row)


def _header(name: str, data: bytes, separator: str) -> list[str]:
    try:
        header = next(_records(data, separator))[1]
    except UnicodeDecodeError as error:
        raise _not_utf8(name, data) from error
    except csv.Error as error:
        raise UserError(f"{name} has a first line that is not CSV ({error}).") from error
    if len(header) > _MAX_COLUMNS:
        raise UserError(f"{name} has more than {_MAX_COLUMNS:,} columns: keep some.")
    return header


def _has_decimal_commas(data: bytes, separator: str) -> bool:
    """Tell whether some column of the first rows has nothing but numbers like 1,5."""
    import itertools
    import re

    try:
        rows = [row for _, row in itertools.islice(_records(data, separator), 1, 101)]
    except (UnicodeDecodeError, csv.Error):
        return False  # an error when all is read
    for column in zip(*rows, strict=False):
        entries = [entry for entry in column if entry.strip()]
        if any(re.fullmatch(_DECIMAL_COMMA, entry) for entry in entries) and all(
            re.fullmatch(f"{_DECIMAL_COMMA}|{_WHOLE}", entry) for entry in entries
        ):
            return True
    return False


def _parse(table: Csv, text: tuple[str, ...]) -> Any:
    import pandas as pd

    n_columns = len(table.columns) + len(table.unnamed)
    kept = [j for j in range(n_columns) if j not in table.unnamed]
    as_text = {j: str for j, column in zip(kept, table.columns, strict=True) if column in text}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            frame = pd.read_csv(
                io.BytesIO(table.data),
                sep=table.separator,
                decimal=table.decimal,
                header=0,
                names=range(n_columns),
                index_col=False,
                dtype=as_text,
                na_values=list(MISSING),
                skipinitialspace=True,
                skip_blank_lines=n_columns > 1,  # a blank line is a row of one missing entry
                low_memory=False,
            )
    except UnicodeDecodeError as error:
        raise _not_utf8(table.name, table.data) from error
    except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
        _check_lengths(table, n_columns)
        text_of = " ".join(str(error).split()).removeprefix("Error tokenizing data. C error: ")
        raise UserError(f"{table.name} is not CSV that can be read: {text_of}.") from error
    if frame[n_columns - 1].isna().any():  # a row that ends early looks like this
        _check_lengths(table, n_columns)
    return frame[kept].set_axis(list(table.columns), axis=1)


def _check_lengths(table: Csv, n_columns: int) -> None:
    """Raise if a row has another number of fields than the header."""
    try:
        for line, row in _records(table.data, table.separator):
            extra = len(row) - n_columns
            if extra and not (extra == 1 and not row[-1]):
                raise UserError(
                    f"{table.name} has {len(row)} fields in line {line}, but {n_columns} columns: "
                    "mend that line (a field with a separator in it must be in double quotes)."
                )
    except csv.Error as error:
        raise UserError(f"{table.name} is not CSV that can be read: {error}.") from error


def _not_utf8(name: str, data: bytes) -> UserError:
    """Return the error for bytes that are not UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = data[error.start]
        where = f" (byte {byte:#04x} in line {line})"
    return UserError(
        f"{name} is not encoded in UTF-8{where}: pass its --encoding, perhaps latin-1 or cp1252."
    )
