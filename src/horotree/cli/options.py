"""Arguments and options of several commands."""

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="A table with named columns: CSV (also .gz, .zst), Parquet, Feather; - is stdin.",
        show_default=False,
    ),
]
ModelFile = Annotated[
    Path,
    typer.Argument(
        metavar="MODEL",
        help="A model file of 'horotree fit', horotree.save or another library.",
        show_default=False,
    ),
]
Target = Annotated[
    str,
    typer.Option("--target", "-t", metavar="COLUMN", help="The column that holds the classes."),
]
Separator = Annotated[
    str | None,
    typer.Option(
        metavar="CHARACTER",
        help="The column separator, if not , ; | or a tab.",
        show_default=False,
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="The encoding of a CSV file, if not UTF-8.", show_default=False
    ),
]
Force = Annotated[bool, typer.Option("--force", "-f", help="Replace an existing output.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print no progress and no notes.")]


def _check_seed(value: int) -> int:
    if not 0 <= value < 2**32:
        raise typer.BadParameter(f"{value} is not a whole number from 0 to {2**32 - 1}.")
    return value


Seed = Annotated[int, typer.Option(metavar="NUMBER", callback=_check_seed, help="The random seed.")]
NoOpen = Annotated[bool, typer.Option("--no-open", help="Do not open the browser.")]
