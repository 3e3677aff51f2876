"""What users can mend, as one line of text."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Longer names are cut in messages.
LONGEST = 60


class UserError(Exception):
    """Something that the user can mend: the text says what, what was got, and how to fix it."""


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
    >>> from horotree.cli.errors import one_line
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
    >>> from horotree.cli.errors import listed
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
