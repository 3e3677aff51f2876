"""What users can mend is told in one line; what they cannot is a bug, and shows its traceback."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

WRONG = 2  # bad arguments, bad files
INTERRUPTED = 130  # what shells say of Ctrl-C
BROKEN_PIPE = 1

# Longer names are cut in messages.
LONGEST = 60


class UserError(Exception):
    """Something that the user can mend: the text says what, what was got, and how to fix it."""


class Group(TyperGroup):
    """Commands that end with one line and an exit code where the user, not horotree, is wrong."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            result = super().invoke(ctx)
        except UserError as error:
            tell(f"Error: {error}", color="red")
            raise typer.Exit(WRONG) from None
        except MemoryError:
            tell("Error: there is not enough memory for this: use fewer rows.", color="red")
            raise typer.Exit(WRONG) from None
        except BrokenPipeError:  # who read the output has seen enough
            raise typer.Exit(BROKEN_PIPE) from None
        except (KeyboardInterrupt, Exception) as error:
            if not _is_interruption(error):
                raise
            tell("Interrupted.")
            raise typer.Exit(INTERRUPTED) from None
        return result


def _is_interruption(error: BaseException | None) -> bool:
    """Tell Ctrl-C, which a module's import in C turns into an ImportError, from other errors."""
    if error is None or isinstance(error, KeyboardInterrupt):
        return error is not None
    return _is_interruption(error.__cause__ or error.__context__)


def tell(text: str, *, color: str | None = None) -> None:
    """Write one line to stderr."""
    typer.secho(one_line(text), err=True, fg=color)


def one_line(text: str) -> str:
    r"""Return a text in which nothing breaks the line or steers the terminal.

    Parameters
    ----------
    text : str
        Any text: names of columns and files are not trusted.

    Returns
    -------
    str
        With what does not print written as in Python.

    Examples
    --------
    >>> from horotree.cli._errors import one_line
    >>> print(one_line("größe\x1b[2J\nage"))
    größe\x1b[2J\nage
    """
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode("ascii")
        for c in text
    )


def quoted(name: object) -> str:
    """Return a name in quotes, on one line, cut if it is long."""
    text = one_line(str(name))
    return f"'{text if len(text) <= LONGEST else text[: LONGEST - 3] + '...'}'"


def file_name(path: object) -> str:
    """Return a path in quotes, on one line, however long it is."""
    return f"'{one_line(str(path))}'"


def listed(names: Any, most: int = 5) -> str:
    """Return names in quotes, the first few of them if there are many.

    Examples
    --------
    >>> from horotree.cli._errors import listed
    >>> listed("abc", 2)
    "'a', 'b' and 1 more"
    """
    names = list(names)
    shown = ", ".join(map(quoted, names[:most]))
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


@contextmanager
def refusals(*kinds: type[Exception], before: str = "") -> Iterator[None]:
    """Turn errors with which the library refuses what the user gave into a line for the user."""
    try:
        yield
    except kinds as error:
        text = " ".join(str(error).split()).removesuffix(".")
        raise UserError(f"{before}{text}.") from error


@contextmanager
def system_errors(what: str) -> Iterator[None]:
    """Turn what the system refuses, such as "read data.csv", into a line for the user."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError(f"cannot {what}: {reason[:1].lower()}{reason[1:]}.") from error


def emit(text: str) -> None:
    """Write lines to stdout: what the command is for."""
    with writing_to_stdout():
        print(text)


@contextmanager
def writing_to_stdout() -> Iterator[None]:
    """Write out what is buffered at the end, while failing can still be told."""
    try:
        with system_errors("write to stdout"):
            yield
            sys.stdout.flush()
    except (UserError, BrokenPipeError):
        _close_stdout()
        raise


def _close_stdout() -> None:
    """Let Python flush into nothing when it ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # it has no number: not a real file
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123  till the end
