"""A progress bar on stderr: the number of trees, and the last loss."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from horotree.training import GLANCE, Loss, Report


@contextmanager
def progress_bar(text: str, total: int, *, shown: bool) -> Iterator[Report | None]:
    """Show a bar of ``total`` trees; yield the function that moves it, None if not shown."""
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
        seen, unseen = time.perf_counter(), None

        def report(n_trees: int, loss: Loss) -> None:
            nonlocal seen, unseen
            progress.advance(task, n_trees)
            unseen = loss
            if time.perf_counter() - seen >= GLANCE:  # a loss may take as long as a tree
                progress.update(task, loss=loss())
                seen, unseen = time.perf_counter(), None

        yield report
        if unseen is not None:
            progress.update(task, loss=unseen())
