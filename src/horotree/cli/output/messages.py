"""Messages on stderr while a command works; data go to stdout."""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from horotree.cli.errors import one_line

from .streams import write_stderr


class Messages:
    """Notes, hints and progress on stderr; only warnings if quiet."""

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self._noted: set[str] = set()

    @property
    def live(self) -> bool:
        """Whether stderr is a terminal, which can show progress."""
        return not self.quiet and sys.stderr.isatty()

    def say(self, text: str) -> None:
        """Write a line."""
        if not self.quiet:
            write_stderr(text)

    def note(self, text: str) -> None:
        """Write a line about a guess or a doubt; the same only once."""
        if not self.quiet and text not in self._noted:
            self._noted.add(text)
            write_stderr(f"Note: {text}", color="yellow")

    def warn(self, text: str) -> None:
        """Write a line about a probable mistake, also if quiet."""
        write_stderr(f"Warning: {text}", color="yellow")

    @contextmanager
    def noting_warnings(self) -> Iterator[None]:
        """Show warnings of the library as lines."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            yield
        for warning in caught:
            self.warn(one_line(str(warning.message)))

    @contextmanager
    def working(self, text: str) -> Iterator[None]:
        """Show that something takes a while."""
        if not self.live:
            yield
            return
        from rich.console import Console

        with Console(stderr=True).status(text):
            yield
