"""Tables in files: CSV (also compressed), Parquet and Feather, detected by content; - is stdin."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from horotree.cli.errors import LONGEST, UserError, file_name, listed, quoted, system_errors
from horotree.cli.output.messages import Messages
from horotree.cli.output.streams import read_stdin

from .columnar import find_format, read_columns
from .compressed import expand
from .csv_text import Csv, open_csv, to_utf8

# First bytes of files that may hold a table but are not supported.
_OTHERS = {
    b"PK\x03\x04": "a ZIP file or an Excel workbook",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"\x89HDF": "an HDF5 file",
}


@dataclass(frozen=True, slots=True)
class FileTable:
    """A table whose columns are known, but not yet read."""

    name: str  # the file, in quotes, for messages
    columns: tuple[str, ...]  # the names of the columns, all different
    content: Any  # CSV to be read, or the content of a file with types

    def read(self, text: tuple[str, ...] = ()) -> Any:
        """Read the table; the columns in ``text`` hold labels, even if they look like numbers."""
        frame = self.content.read(text) if isinstance(self.content, Csv) else self.content
        if not len(frame):
            raise UserError(f"{self.name} names columns but has no rows: pass a table with some.")
        return frame

    def find(self, names: list[str], what: str) -> list[str]:
        """Return columns by names as users type them: one, or several separated by commas."""
        found: list[str] = []
        for name in names:
            parts = [name] if name in self.columns else [part.strip() for part in name.split(",")]
            for part in parts:
                if part not in self.columns:
                    raise UserError(self.missing([part], what))
            found += parts
        return list(dict.fromkeys(found))

    def missing(self, names: list[str], what: str) -> str:
        """Return the error text for missing columns."""
        import difflib

        noun = "no column" if len(names) == 1 else "no columns"
        text = f"{self.name} has {noun} {listed(names)}, {what}"
        short = [column for column in self.columns if len(column) <= LONGEST]
        near = difflib.get_close_matches(names[0][: 2 * LONGEST], short, 1, 0.75)
        if near:
            return f"{text}: is it {quoted(near[0])}?"
        if len(self.columns) == 1 and isinstance(self.content, Csv):
            return (
                f"{text}: all of its first line is one name, {listed(self.columns)}; pass what "
                "separates columns as --separator."
            )
        return f"{text}: its columns are {listed(self.columns, 8)}."


def open_table(
    source: str, separator: str | None, encoding: str | None, messages: Messages
) -> FileTable:
    """Open a table and read the names of its columns; - is stdin."""
    name = "stdin" if source == "-" else file_name(source)
    data = expand(name, _read_bytes(source, name))
    if not data[:4096].strip() and not data.strip():
        raise UserError(f"{name} is empty: pass a CSV, Parquet or Feather file with a header.")
    looks = next((what for begin, what in _OTHERS.items() if data.startswith(begin)), None)
    if looks is not None:
        raise UserError(f"{name} begins as {looks} does: export the table in it as CSV.")
    form = find_format(data)
    if form is not None:
        content = read_columns(name, data, form)
    else:
        separator = {"\\t": "\t", "tab": "\t"}.get(separator or "", separator)
        if separator is not None and (len(separator) != 1 or separator in '"\r\n'):
            raise UserError(f"--separator must be one character, got {quoted(separator)}.")
        content = open_csv(name, to_utf8(name, data, encoding), separator, messages)
    columns = tuple(content.columns)
    _check_names(name, columns)
    return FileTable(name, columns, content)


def _read_bytes(source: str, name: str) -> bytes:
    with system_errors(f"read {name}"):
        if source == "-":
            return read_stdin()
        try:
            return Path(source).read_bytes()
        except ValueError as error:  # a NUL in the name
            raise UserError(f"cannot read {name}: no file is called so.") from error


def _check_names(name: str, columns: tuple[str, ...]) -> None:
    if not columns:
        raise UserError(f"{name} has no columns: pass a table with some.")
    twice, times = Counter(columns).most_common(1)[0]
    if times > 1:
        raise UserError(f"{name} has {times} columns called {quoted(twice)}: rename them.")
