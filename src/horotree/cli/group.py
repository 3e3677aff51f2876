"""How commands end: what users can mend is one line, what they cannot is a bug with a traceback."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from .errors import UserError
from .output.streams import silence_stdout, tell

WRONG = 2  # bad arguments, bad files
INTERRUPTED = 130  # what shells say of Ctrl-C
BROKEN_PIPE = 1

NO_MEMORY = "there is not enough memory for this: use fewer rows."


class Group(TyperGroup):
    """Commands that end with one line and an exit code where the user, not horotree, is wrong."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Read the arguments; this shows the help, too."""
        with _ending_in_a_line():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        with _ending_in_a_line():
            return super().invoke(ctx)


@contextmanager
def _ending_in_a_line() -> Iterator[None]:
    """Turn what the user can mend into a line on stderr and an exit code."""
    try:
        yield
    except UserError as error:
        raise _end(str(error)) from None
    except MemoryError:
        raise _end(NO_MEMORY) from None
    except BrokenPipeError:  # who read the output has seen enough
        raise typer.Exit(BROKEN_PIPE) from None
    except (KeyboardInterrupt, Exception) as error:
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:  # of the help on a full disk
            silence_stdout()
            raise _end("cannot write to stdout: no space left on device.") from None
        if isinstance(error, ImportError) and "failed to map segment" in str(error):
            raise _end(NO_MEMORY) from None  # of a library
        if not _is_interruption(error):
            raise
        tell("Interrupted.")
        raise typer.Exit(INTERRUPTED) from None


def _end(text: str) -> typer.Exit:
    tell(f"Error: {text}", color="red")
    return typer.Exit(WRONG)


def _is_interruption(error: BaseException | None) -> bool:
    """Tell Ctrl-C, which a module's import in C turns into an ImportError, from other errors."""
    if error is None or isinstance(error, KeyboardInterrupt):
        return error is not None
    return _is_interruption(error.__cause__ or error.__context__)
