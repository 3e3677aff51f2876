"""`horotree view`: a model as an interactive page, or as pictures."""

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
        typer.Option(metavar="FILE", help="Rows not used in training: compare nodes with them."),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option("--target", "-t", metavar="COLUMN", help="The column with their classes."),
    ] = None,
    tree: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBERS|all",
            help="Trees by number, from 0; -1 is the last, 0,5,9 are three. Default: 0 in a "
            "picture, all in a page.",
            show_default=False,
        ),
    ] = None,
    t: Annotated[
        str, typer.Option("--t", metavar="NUMBER|auto", help="The temperature; 1 is classical.")
    ] = AUTO,
    center: Annotated[
        str,
        typer.Option(
            metavar="auto|base|half",
            help="The center of the disk: the root of each tree (base), even odds (half), or "
            "base only where a class is rare (auto).",
        ),
    ] = AUTO,
    class_: Annotated[
        str | None,
        typer.Option(
            "--class",
            metavar="CLASS",
            help="With more than two classes: whose trees to draw (default: the first).",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="A picture: .png, .svg or .pdf."),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="An interactive page, in one file.")
    ] = None,
    max_trees: Annotated[
        str,
        typer.Option(
            metavar="NUMBER|all|auto",
            help="The most trees of a class in the page; auto: as many as fit in 5 MB.",
        ),
    ] = AUTO,
    class_names: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Names of the classes: [bold]0=stays,1=leaves[/bold], or one for each class.",
            show_default=False,
        ),
    ] = None,
    feature_names: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Names of the features: [bold]f0=age[/bold], or one for each feature.",
            show_default=False,
        ),
    ] = None,
    no_open: options.NoOpen = False,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Draw a model: as an interactive page, or as a picture of one tree or of several.

    Without --output and --html, the page is written to a temporary folder. --t and --class are for
    pictures; the page can show every t and every class.
    """
    from horotree._screen import open_page
    from horotree.cli.models import read_model

    check_stdout()
    messages = Messages(quiet=quiet)
    sources = [model] if data is None else [model, data]
    _check_outputs(output, html, force=force, sources=sources)
    if (data is None) != (target is None):
        raise UserError("--data and --target belong together: pass both, or neither.")
    most = _read_max_trees(max_trees)
    trained = read_model(model, messages)
    settings = _read_settings(trained, tree, t, class_) | {"center": _check_center(center)}
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
        shown = {"tree": "all" if tree is None else settings["tree"], "max_trees": most}
        options = {**shown, "center": center, "progress": messages.live, "title": model.stem}
        write_file(page, _make_page(trained, held_out, options), force=force)
        emit(str(page))
        if not no_open and not open_page(page):
            messages.say("No browser was opened: open the page yourself.")


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


def _read_settings(model: "Model", tree: str | None, t: str, class_: str | None) -> dict[str, Any]:
    """Return the settings of a picture, checked."""
    settings: dict[str, Any] = {"class_": _find_class(model, class_)}
    try:
        settings["t"] = t if t == AUTO else float(t)
    except ValueError:
        raise UserError(f"--t must be a number or auto, got {quoted(t)}.") from None
    n_trees = len(model.ensembles[model.find_ensemble(settings["class_"])].trees)
    if n_trees == 0:
        raise UserError("this model has no trees to draw: its data had nothing to learn from.")
    return settings | {"tree": _read_tree(tree or "0", n_trees)}


def _read_tree(text: str, n_trees: int) -> int | list[int] | str:
    """Return the number or the numbers of trees, or "all"."""
    if text == ALL:
        return ALL
    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError:
        raise UserError(
            f"--tree must be a whole number, several as 0,5,9, or all, got {quoted(text)}."
        ) from None
    for j in numbers:
        if not -n_trees <= j < n_trees:
            raise UserError(f"--tree must be from 0 to {n_trees - 1}, got {j}.")
    return numbers[0] if len(numbers) == 1 else numbers


def _check_center(center: str) -> str:
    from horotree.trees.center import CENTERS

    if center not in CENTERS:
        raise UserError(f"--center must be one of {', '.join(CENTERS)}, got {quoted(center)}.")
    return center


def _find_class(model: "Model", asked: str | None) -> Any:
    """Return the class with this text; the first if there is none."""
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
    """Return the model, and X and y if given, with the names of the options."""
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
    """Name the features of a model without names after the columns of a table."""
    import pandas as pd

    from horotree.trees import rename

    return rename(model, table=pd.DataFrame(columns=[c for c in columns if c != target]))


def _draw(model: "Model", held_out: Any, settings: dict[str, Any], suffix: str) -> bytes:
    from horotree.cli.output.pictures import draw_sheet, draw_tree, to_bytes

    if isinstance(settings["tree"], int):
        return to_bytes(draw_tree(model, *(held_out or ()), **settings), suffix)
    return to_bytes(draw_sheet(model, **settings), suffix)


def _read_max_trees(text: str) -> str | int | None:
    """Return the value of --max-trees as ``view`` takes it."""
    if text in (AUTO, ALL):
        return None if text == ALL else AUTO
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise UserError(f"--max-trees must be a number from 1, all or auto, got {quoted(text)}.")
    return int(text)


def _make_page(model: "Model", held_out: Any, options: dict[str, Any]) -> bytes:
    from horotree.viewer import view as make_view

    with refusals(ValueError):
        return make_view(model, *(held_out or ()), **options).html.encode()
