"""What a person at the terminal sees while experiments run: lines and bars, on stderr."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# Seconds between the lines of a run that nobody watches.
PAUSE = 30.0


def say(text: str) -> None:
    """Print a line on stderr."""
    print(text, file=sys.stderr, flush=True)


@contextmanager
def progress(text: str, total: int) -> Iterator[Callable[[], None]]:
    """Show how many of so many things are done; yield what counts one more.

    A bar on a terminal; elsewhere a line from time to time.
    """
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines(text, total)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, TimeElapsedColumn(), console=console) as bar:
        task = bar.add_task(text, total=total)
        yield lambda: bar.advance(task)


def _lines(text: str, total: int) -> Callable[[], None]:
    done, last = 0, time.monotonic()

    def count() -> None:
        nonlocal done, last
        done += 1
        now = time.monotonic()
        if done == total or now - last >= PAUSE:
            say(f"{text}: {done} of {total}")
            last = now

    return count
