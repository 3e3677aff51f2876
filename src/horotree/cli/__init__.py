"""The `horotree` command: data to stdout, progress and errors to stderr."""

import sys
from collections.abc import Callable
from typing import Annotated

import typer

import horotree

from .commands.compare import compare
from .commands.demo import demo
from .commands.fit import fit
from .commands.info import info
from .commands.predict import predict
from .commands.view import view
from .group import Group
from .output.streams import emit, fill_closed_streams

__all__ = ["app", "main"]

app = typer.Typer(
    name="horotree",
    cls=Group,
    help="See what a tree model knows: trees in the Poincaré disk, confidence as distance.",
    epilog="Start with [bold]horotree demo[/bold]; each command has --help with examples.",
    rich_markup_mode="rich",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(value: bool) -> None:  # noqa: FBT001  typer calls it so
    if value:
        emit(f"horotree {horotree.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    del version  # its callback has done the work


EXAMPLES: dict[Callable[..., None], tuple[str, ...]] = {
    demo: ("horotree demo", "horotree demo --output /tmp/demo --no-open"),
    fit: (
        "horotree fit bank.csv --target y -o bank.horotree",
        "horotree fit bank.csv --target y -o bank.horotree --trees 500 --early-stopping --drop id",
        "zcat bank.csv.gz | horotree fit - --target y -o bank.horotree --no-test",
    ),
    predict: (
        "horotree predict bank.horotree new.csv -o predictions.csv",
        "horotree predict bank.horotree - --proba < new.csv | head",
    ),
    view: (
        "horotree view bank.horotree",
        "horotree view bank.horotree --data test.csv --target y --html bank.html",
        "horotree view bank.horotree --tree 3 --t 0.6 -o tree3.svg",
        "horotree view bank.horotree --tree all -o sheet.png",
    ),
    info: ("horotree info bank.horotree", "horotree info bank.horotree --json | jq .classes"),
    compare: ("horotree compare old.horotree new.horotree --data test.csv --target y",),
}
for _command, _lines in EXAMPLES.items():
    app.command(epilog="\n\n".join(["[bold]Examples[/bold]", *_lines]))(_command)


def main() -> None:
    """Run the command with the arguments of this process, and exit."""
    fill_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # names may have characters that a console lacks
            stream.reconfigure(errors="backslashreplace")
    app(prog_name="horotree")
