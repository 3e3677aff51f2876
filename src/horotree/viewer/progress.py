"""Progress on stderr while a page is made, if that takes longer than a second."""

import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from horotree._screen import in_notebook

# Called with the current work, how much of it is done, and its total; 0 if unknown.
Reporter = Callable[[str, int, int], None]

# Seconds before progress is shown.
PATIENCE = 1.0


def ignore(text: str, done: int, total: int) -> None:
    """Ignore a report."""


class ProgressBar:
    """A bar on stderr if that is a terminal, a line in a notebook, and else nothing.

    It is a context manager, and is called with each report. It appears after a second. ``shown``
    forces or forbids the bar.

    Examples
    --------
    >>> from horotree.viewer.progress import ProgressBar
    >>> with ProgressBar(shown=False) as report:
    ...     report("Laying out 2 trees", 1, 2)
    """

    def __init__(self, *, shown: bool | None = None) -> None:
        # Programs without a console have no stderr.
        has_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._has_bar = has_terminal if shown is None else shown
        self._has_line = shown is None and in_notebook() and not self._has_bar
        self._lock = threading.Lock()
        self._last = ("Reading the model", 0, 0)
        self._bar: Any = None
        self._task: Any = None
        self._timer: threading.Timer | None = None

    def __enter__(self) -> Self:
        if self._has_bar or self._has_line:
            self._timer = threading.Timer(PATIENCE, self._begin)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with self._lock:
            timer, self._timer = self._timer, None
            if self._bar is not None:
                self._bar.stop()
        if timer is not None:
            timer.cancel()
            timer.join()

    def __call__(self, text: str, done: int, total: int) -> None:
        """Take a report: the current work, how much of it is done, and its total, 0 if unknown."""
        with self._lock:
            is_next, self._last = text != self._last[0], (text, done, total)
            if self._bar is None:
                return
            if is_next:
                self._bar.remove_task(self._task)
                self._task = self._bar.add_task(text, total=total or None)
            self._bar.update(self._task, completed=done)

    def _begin(self) -> None:
        with self._lock:
            if self._timer is None:  # all is done
                return
            text, done, total = self._last
            if self._has_line:
                sys.stderr.write(f"{text} ...\n")
                sys.stderr.flush()
                return
            self._bar = _make_bar()
            self._task = self._bar.add_task(text, completed=done, total=total or None)
            self._bar.start()


def _make_bar() -> Any:
    """Return a bar that disappears at the end."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True)
