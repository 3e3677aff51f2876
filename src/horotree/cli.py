"""The `horotree` command: data to stdout, progress and errors to stderr."""

from pathlib import Path
from typing import Annotated

import typer

import horotree

main = typer.Typer(
    name="horotree",
    help="See what a tree model knows.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(value: bool) -> None:  # noqa: FBT001  typer calls it so
    if value:
        print(f"horotree {horotree.__version__}")
        raise typer.Exit


# Being there makes typer keep `demo` a command of its own while it is the only one.
@main.callback()
def _options(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    del version  # its callback has acted


@main.command()
def demo(
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Where to write; made if missing.")
    ] = Path("horotree-demo"),
) -> None:
    """Draw the theory figures as PNG and SVG, and print the paths of the files."""
    # Imported here, so that `horotree --help` need not wait for them.
    from rich.console import Console

    from horotree.display import write_figures

    console = Console(stderr=True, markup=False, highlight=False, soft_wrap=True)
    try:
        with console.status("Drawing"):
            paths = list(write_figures(output))
    except OSError as error:
        reason = error.strerror or str(error)
        console.print(
            f"Error: cannot write into {output}: {reason}. Choose another directory with --output.",
            style="red",
        )
        raise typer.Exit(1) from None
    console.print("Drew the theory figures:")
    for path in paths:
        print(path)
