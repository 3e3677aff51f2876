"""`horotree view`: a model as a page to explore, or as pictures."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from horotree.cli import options
from horotree.cli.errors import UserError, file_name, listed, quoted, refusals
from horotree.cli.output.files import check_output, write_file
from horotree.cli.output.messages import Messages
from horotree.cli.output.streams import check_stdout, emit
from horotree.cli.tables.files import open_table

if TYPE_CHECKING:
    from horotree.trees import Model

ALL = "all"
AUTO = "auto"


def view(
    model: options.ModelFile,
    *,
    data: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Rows not trained on, to hold the nodes against."),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option("--target", "-t", metavar="COLUMN", help="The column with their classes."),
    ] = None,
    tree: Annotated[
        str, typer.Option(metavar="NUMBER|all", help="Which tree, from 0; -1 is the last.")
    ] = "0",
    t: Annotated[
        str, typer.Option("--t", metavar="NUMBER|auto", help="The temperature; 1 is classical.")
    ] = AUTO,
    center: Annotated[
        str,
        typer.Option(
            metavar="auto|base|half",
            help="What is at the center: the root of each tree, even odds, or as fits the model.",
        ),
    ] = AUTO,
    class_: Annotated[
        str | None,
        typer.Option(
            "--class",
            metavar="CLASS",
            help="Of more than two, whose trees; else the first.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="A picture: .png, .svg or .pdf."),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A page to explore all trees, in one file.")
    ] = None,
    trees: Annotated[
        str,
        typer.Option(
            metavar="NUMBER|all|auto",
            help="How many trees the page has; auto is as many as fit in 5 MB.",
        ),
    ] = AUTO,
    class_names: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="What to call the classes: [bold]0=stays,1=leaves[/bold], or one name a class.",
            show_default=False,
        ),
    ] = None,
    feature_names: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="What to call the features: [bold]f0=age[/bold], or one name a feature.",
            show_default=False,
        ),
    ] = None,
    no_open: options.NoOpen = False,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Draw a model: as a page to explore in the browser, or as a picture of one tree or all.

    Without --output and --html, the page is written to a temporary folder. --tree, --t and --class
    are for pictures; the page has all.
    """
    from horotree.cli.models import read_model

    check_stdout()
    messages = Messages(quiet=quiet)
    sources = [model] if data is None else [model, data]
    _check_outputs(output, html, force=force, sources=sources)
    if (data is None) != (target is None):
        raise UserError("--data and --target belong together: pass both, or neither.")
    shown = _read_trees(trees)
    trained = read_model(model, messages)
    settings = _settings(trained, tree, t, class_) | {"center": _check_center(center)}
    held_out = None
    if data is not None and target is not None:
        from horotree.cli.tables.data import read_labeled

        table = open_table(data, separator, encoding, messages)
        trained = _take_names(trained, table.columns, target)
        held_out = read_labeled(table, trained, target, messages)
    trained, held_out = _rename(trained, held_out, class_names, feature_names)
    if output is not None:
        with messages.working("Drawing"):
            picture = _draw(trained, held_out, settings, output.suffix)
        write_file(output, picture, force=force)
        emit(str(output))
    if output is None or html is not None:
        page = html or Path(tempfile.mkdtemp(prefix="horotree-")) / f"{model.stem}.html"
        options = {"center": center, "trees": shown, "progress": messages.live}
        content = _make_page(trained, held_out, model, options)
        write_file(page, content, force=force)
        emit(str(page))
        _open(page, messages, no_open=no_open)


def _check_outputs(
    output: Path | None, html: Path | None, *, force: bool, sources: list[Any]
) -> None:
    from horotree.cli.output.pictures import SUFFIXES

    if output is not None and output.suffix.lower() not in SUFFIXES:
        raise UserError(
            f"pictures are written as {', '.join(SUFFIXES)}, got {file_name(output)}: name one of "
            "these with --output, or a page with --html."
        )
    for path in (output, html):
        if path is not None:
            check_output(path, force=force, sources=sources)


def _settings(model: "Model", tree: str, t: str, class_: str | None) -> dict[str, Any]:
    """Return what was asked for, checked; tree is None for all."""
    settings: dict[str, Any] = {"class_": _find_class(model, class_)}
    try:
        settings["t"] = t if t == AUTO else float(t)
    except ValueError:
        raise UserError(f"--t must be a number or auto, got {quoted(t)}.") from None
    n_trees = len(model.ensembles[model.find_ensemble(settings["class_"])].trees)
    if n_trees == 0:
        raise UserError("this model has no trees to draw: its data had nothing to learn from.")
    try:
        settings["tree"] = None if tree == ALL else int(tree)
    except ValueError:
        raise UserError(f"--tree must be a whole number or all, got {quoted(tree)}.") from None
    if settings["tree"] is not None and not -n_trees <= settings["tree"] < n_trees:
        raise UserError(f"--tree must be from 0 to {n_trees - 1}, got {tree}.")
    return settings


def _check_center(center: str) -> str:
    from horotree.trees.center import CENTERS

    if center not in CENTERS:
        raise UserError(f"--center must be one of {', '.join(CENTERS)}, got {quoted(center)}.")
    return center


def _find_class(model: "Model", asked: str | None) -> Any:
    """Return the class that is called so; the first if none was asked for."""
    classes = model.classes.tolist()
    if asked is None:
        return classes[0]
    for label in classes:
        if str(label) == asked:
            return label
    raise UserError(f"--class must be one of {listed(classes, 20)}, got {quoted(asked)}.")


def _rename(
    model: "Model", held_out: Any, class_names: str | None, feature_names: str | None
) -> tuple["Model", Any]:
    """Return the model, and X and y if there are any, with the names that were asked for."""
    from horotree.cli.tables.names import read_names
    from horotree.trees import rename_with_tables

    labels = {str(label): label for label in model.classes.tolist()}
    columns = {name: name for name in model.feature_names}
    names = {
        "class_names": read_names(class_names, "--class-names", labels),
        "feature_names": read_names(feature_names, "--feature-names", columns),
    }
    X, y = held_out or (None, None)
    with refusals(TypeError, ValueError):
        renamed, X = rename_with_tables(model, X, **names)
    return renamed, None if X is None else (X, y)


def _take_names(model: "Model", columns: Sequence[str], target: str) -> "Model":
    """Return a model without names with those of a table; its other columns are the features."""
    import pandas as pd

    from horotree.trees import rename

    return rename(model, table=pd.DataFrame(columns=[c for c in columns if c != target]))


def _draw(model: "Model", held_out: Any, settings: dict[str, Any], suffix: str) -> bytes:
    from horotree.cli.output.pictures import draw_sheet, draw_tree, to_bytes

    if settings["tree"] is None:
        chosen = {name: settings[name] for name in ("class_", "center", "t")}
        display = draw_sheet(model, **chosen)
    else:
        display = draw_tree(model, *(held_out or ()), **settings)
    return to_bytes(display, suffix)


def _read_trees(trees: str) -> str | int:
    """Return what --trees asks for."""
    if trees in (AUTO, ALL):
        return trees
    if not trees.isascii() or not trees.isdigit() or int(trees) < 1:
        raise UserError(f"--trees must be a number from 1, all or auto, got {quoted(trees)}.")
    return int(trees)


def _make_page(model: "Model", held_out: Any, file: Path, options: dict[str, Any]) -> bytes:
    from horotree.viewer import view as make_view

    with refusals(ValueError):
        return make_view(model, *(held_out or ()), **options, title=file.stem).html.encode()


def _open(page: Path, messages: Messages, *, no_open: bool) -> None:
    from horotree._screen import open_page

    if not no_open and not open_page(page):
        messages.say("No browser was opened: open the page yourself.")
