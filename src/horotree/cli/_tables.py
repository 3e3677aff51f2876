"""Tables in files: CSV however it is separated, Parquet where pyarrow is installed; - is stdin.

What a careless reader would take in silently is refused here: rows with fields too few or too many,
two columns of one name, another encoding.
"""

import csv
import io
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._errors import UserError, file_name, listed, quoted, refusals, system_errors
from ._messages import Messages

SEPARATORS = (",", ";", "\t", "|")
SEPARATOR_NAMES = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}

# What counts as missing besides the empty field, NA, NaN, null and the like: so UCI's data have it.
MISSING = ("?",)

_DECIMAL_COMMA = r"\s*[+-]?\d+,\d+\s*"
_WHOLE = r"\s*[+-]?\d+\s*"


@dataclass(frozen=True, slots=True)
class Table:
    """A table whose columns are known, and not yet read.

    Parameters
    ----------
    name : str
        The file, in quotes, for messages.
    columns : tuple of str
        The names of the columns, all different.
    content : bytes or pandas.DataFrame
        CSV in UTF-8, or what was in a Parquet file.
    separator, decimal : str
        Of CSV.
    unnamed : int
        How many columns of the file are left out because they have no name.
    """

    name: str
    columns: tuple[str, ...]
    content: Any
    separator: str = ","
    decimal: str = "."
    unnamed: tuple[int, ...] = ()

    def read(self, text: tuple[str, ...] = ()) -> Any:
        """Read the table.

        Parameters
        ----------
        text : tuple of str
            The columns whose entries are labels, also if they look like numbers.

        Returns
        -------
        pandas.DataFrame
            One row or more.
        """
        frame = self.content if not isinstance(self.content, bytes) else _parse(self, text)
        if not len(frame):
            raise UserError(f"{self.name} names columns but has no rows: pass a table with some.")
        return frame

    def find(self, names: list[str], what: str) -> list[str]:
        """Return columns by names as users type them: one, or several with commas between."""
        found: list[str] = []
        for name in names:
            parts = [name] if name in self.columns else [part.strip() for part in name.split(",")]
            for part in parts:
                if part not in self.columns:
                    raise UserError(self.missing([part], what))
            found += parts
        return list(dict.fromkeys(found))

    def missing(self, names: list[str], what: str) -> str:
        """Return what to say if there are no columns of these names."""
        import difflib

        noun = "no column" if len(names) == 1 else "no columns"
        text = f"{self.name} has {noun} {listed(names)}, {what}"
        near = difflib.get_close_matches(names[0], self.columns, 1, 0.75)
        if near:
            return f"{text}: is it {quoted(near[0])}?"
        if len(self.columns) == 1 and isinstance(self.content, bytes):
            return (
                f"{text}: all of its first line is one name, {listed(self.columns)}; pass what "
                "separates columns as --separator."
            )
        return f"{text}: its columns are {listed(self.columns, 8)}."


def open_table(
    source: str, separator: str | None, encoding: str | None, messages: Messages
) -> Table:
    """Open a table, and find out the names of its columns.

    Parameters
    ----------
    source : str
        A path, or - for stdin.
    separator, encoding : str, optional
        Of CSV, if it is not to be found out.
    messages : Messages
        Where to tell what was found out.

    Returns
    -------
    Table
    """
    name = "stdin" if source == "-" else file_name(source)
    data = _read_bytes(source, name)
    if not data[:4096].strip() and not data.strip():
        raise UserError(f"{name} is empty: pass a CSV or Parquet file with a header.")
    if data.startswith(b"PAR1"):
        return _open_parquet(name, data)
    separator = {"\\t": "\t", "tab": "\t"}.get(separator or "", separator)
    if separator is not None and (len(separator) != 1 or separator in '"\r\n'):
        raise UserError(f"--separator must be one character, got {quoted(separator)}.")
    return _open_csv(name, _to_utf8(name, data, encoding), separator, messages)


def _read_bytes(source: str, name: str) -> bytes:
    with system_errors(f"read {name}"):
        if source == "-":
            return sys.stdin.buffer.read()
        try:
            return Path(source).read_bytes()
        except ValueError as error:  # a NUL in the name
            raise UserError(f"cannot read {name}: no file is called so.") from error


# --- Parquet --------------------------------------------------------------------------------------


def _open_parquet(name: str, data: bytes) -> Table:
    import pandas as pd

    try:
        with refusals(Exception, before=f"{name} is not a Parquet file that can be read: "):
            frame = pd.read_parquet(io.BytesIO(data))
    except UserError as error:
        if isinstance(error.__cause__, ImportError):
            raise UserError(
                f"{name} is a Parquet file, which needs pyarrow: pip install pyarrow, or pass CSV."
            ) from error
        raise
    frame.columns = [str(column) for column in frame.columns]
    _check_names(name, list(frame.columns))
    return Table(name, tuple(frame.columns), frame.reset_index(drop=True))


# --- CSV ------------------------------------------------------------------------------------------


def _to_utf8(name: str, data: bytes, encoding: str | None) -> bytes:
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
        raise UserError(f"{name} is neither CSV nor Parquet: export it as one of these.")
    return data.strip(b"\r\n")


def _open_csv(name: str, data: bytes, separator: str | None, messages: Messages) -> Table:
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
    _check_names(name, columns)
    decimal = "," if best != "," and _has_decimal_commas(data, best) else "."
    if decimal == ",":
        messages.note(f"{name} is read with decimal commas.")
    return Table(name, tuple(columns), data, best, decimal, unnamed)


def _records(data: bytes, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, each with the number of the line where it ends."""
    lines = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="")
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True)
    yield from ((reader.line_num, row) for row in reader if row)


def _header(name: str, data: bytes, separator: str) -> list[str]:
    try:
        return next(_records(data, separator))[1]
    except UnicodeDecodeError as error:
        raise _not_utf8(name, data) from error
    except csv.Error as error:
        raise UserError(f"{name} has a first line that is not CSV ({error}).") from error


def _check_names(name: str, columns: list[str]) -> None:
    twice, times = Counter(columns).most_common(1)[0]
    if times > 1:
        raise UserError(f"{name} has {times} columns called {quoted(twice)}: rename them.")


def _has_decimal_commas(data: bytes, separator: str) -> bool:
    """Tell whether some column of the first rows has nothing but numbers like 1,5."""
    import itertools
    import re

    try:
        rows = [row for _, row in itertools.islice(_records(data, separator), 1, 101)]
    except (UnicodeDecodeError, csv.Error):
        return False  # told when all is read
    for column in zip(*rows, strict=False):
        entries = [entry for entry in column if entry.strip()]
        if any(re.fullmatch(_DECIMAL_COMMA, entry) for entry in entries) and all(
            re.fullmatch(f"{_DECIMAL_COMMA}|{_WHOLE}", entry) for entry in entries
        ):
            return True
    return False


def _parse(table: Table, text: tuple[str, ...]) -> Any:
    import pandas as pd

    n_columns = len(table.columns) + len(table.unnamed)
    kept = [j for j in range(n_columns) if j not in table.unnamed]
    as_text = {j: str for j, column in zip(kept, table.columns, strict=True) if column in text}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            frame = pd.read_csv(
                io.BytesIO(table.content),
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
        raise _not_utf8(table.name, table.content) from error
    except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
        _check_lengths(table, n_columns)
        text_of = " ".join(str(error).split()).removeprefix("Error tokenizing data. C error: ")
        raise UserError(f"{table.name} is not CSV that can be read: {text_of}.") from error
    if frame[n_columns - 1].isna().any():  # a row that ends early looks like this
        _check_lengths(table, n_columns)
    return frame[kept].set_axis(list(table.columns), axis=1)


def _check_lengths(table: Table, n_columns: int) -> None:
    """Raise if a row has another number of fields than the header."""
    try:
        for line, row in _records(table.content, table.separator):
            extra = len(row) - n_columns
            if extra and not (extra == 1 and not row[-1]):
                raise UserError(
                    f"{table.name} has {len(row)} fields in line {line}, but {n_columns} columns: "
                    "mend that line (a field with a separator in it must be in double quotes)."
                )
    except csv.Error as error:
        raise UserError(f"{table.name} is not CSV that can be read: {error}.") from error


def _not_utf8(name: str, data: bytes) -> UserError:
    """Return what to say of bytes that are not UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = data[error.start]
        where = f" (byte {byte:#04x} in line {line})"
    return UserError(
        f"{name} is not encoded in UTF-8{where}: pass its --encoding, perhaps latin-1 or cp1252."
    )
