"""The standard streams: if one is closed, full or no longer read, a line says so, or nothing."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from horotree.cli.errors import UserError, one_line, system_errors


def fill_closed_streams() -> None:
    """Open the null device for closed streams: the next file would get their numbers."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free: this one
    if sys.stderr is None:
        _silence_stderr()


def write_stderr(text: str, *, color: str | None = None) -> None:
    """Write one line to stderr if possible: the work does not stop for a message."""
    try:
        typer.secho(one_line(text), err=True, fg=color)
    except (OSError, ValueError):  # full, no longer read, closed
        _silence_stderr()


def check_stdout() -> None:
    """Raise if stdout is closed, before the work."""
    if sys.stdout is None:
        raise UserError("stdout is closed: direct it to a file, or to /dev/null.")


def read_stdin() -> bytes:
    """Return all of stdin."""
    if sys.stdin is None:
        raise UserError("stdin is closed: pipe a table into it, or name a file instead of -.")
    return sys.stdin.buffer.read()


def emit(text: str) -> None:
    """Write lines to stdout: the result of the command."""
    with writing_to_stdout():
        print(text)


@contextmanager
def writing_to_stdout() -> Iterator[None]:
    """Flush stdout at the end, while an error can still be shown."""
    check_stdout()
    try:
        with system_errors("write to stdout"):
            yield
            sys.stdout.flush()
    except (UserError, BrokenPipeError):
        silence_stdout()
        raise


def silence_stdout() -> None:
    """Discard what Python flushes when it ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # not a real file
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123  till the end


def _silence_stderr() -> None:
    sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123  till the end
