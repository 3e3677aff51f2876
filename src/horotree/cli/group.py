"""How commands end: errors that users can fix are one line, others are bugs with a traceback."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from .errors import UserError
from .output.streams import silence_stdout, write_stderr

WRONG = 2  # bad arguments, bad files
INTERRUPTED = 130  # the code of shells for Ctrl-C
BROKEN_PIPE = 1

NO_MEMORY = "there is not enough memory for this: use fewer rows."


class Group(TyperGroup):
    """Commands that end with one line and an exit code where the user can fix the error."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Parse the arguments, or show the help."""
        with _ending_in_a_line():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        with _ending_in_a_line():
            return super().invoke(ctx)


@contextmanager
def _ending_in_a_line() -> Iterator[None]:
    """Turn errors that the user can fix into a line on stderr and an exit code."""
    try:
        yield
    except UserError as error:
        raise _end(str(error)) from None
    except MemoryError:
        raise _end(NO_MEMORY) from None
    except BrokenPipeError:  # the reader has closed the pipe
        raise typer.Exit(BROKEN_PIPE) from None
    except (KeyboardInterrupt, Exception) as error:
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:  # while printing the help
            silence_stdout()
            raise _end("cannot write to stdout: no space left on device.") from None
        if isinstance(error, ImportError) and "failed to map segment" in str(error):
            raise _end(NO_MEMORY) from None  # while loading a library
        if not _is_interruption(error):
            raise
        write_stderr("Interrupted.")
        raise typer.Exit(INTERRUPTED) from None


def _end(text: str) -> typer.Exit:
    write_stderr(f"Error: {text}", color="red")
    return typer.Exit(WRONG)


def _is_interruption(error: BaseException | None) -> bool:
    """Return whether it was Ctrl-C, which importing a C module turns into an ImportError."""
    if error is None or isinstance(error, KeyboardInterrupt):
        return error is not None
    return _is_interruption(error.__cause__ or error.__context__)
