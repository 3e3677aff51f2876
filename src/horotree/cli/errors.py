"""Errors that the user can fix, as one line of text."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Longer names are cut in messages.
LONGEST = 60


class UserError(Exception):
    """An error that the user can fix: the text says what is wrong, what was got, how to fix it."""


def one_line(text: str) -> str:
    r"""Return a text without line breaks and terminal control characters, which are escaped.

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
    """Turn errors of the library about what the user passed into a `UserError`."""
    try:
        yield
    except kinds as error:
        text = " ".join(str(error).split()).removesuffix(".")
        raise UserError(f"{before}{text}.") from error


@contextmanager
def system_errors(what: str) -> Iterator[None]:
    """Turn errors of the system into a `UserError`; ``what`` is such as "read data.csv"."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError(f"cannot {what}: {reason[:1].lower()}{reason[1:]}.") from error
