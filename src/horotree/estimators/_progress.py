"""A progress bar on stderr: how many trees there are, and the loss of the last."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

# Called when there is a new tree, with the loss then.
Report = Callable[[float], None]


@contextmanager
def progress_bar(text: str, total: int, *, shown: bool) -> Iterator[Report | None]:
    """Show a bar of ``total`` trees while in the context; yield what moves it, None if not shown.

    Examples
    --------
    >>> with progress_bar("Boosting", 1, shown=False) as report:
    ...     report is None
    True
    """
    if not shown:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("loss {task.fields[loss]:.5f}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(text, total=total, loss=float("nan"))
        yield lambda loss: progress.update(task, advance=1, loss=loss)
