"""`horotree demo`: a model of scikit-learn's breast cancer data, drawn."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from horotree.cli import options
from horotree.cli.errors import UserError, file_name, system_errors
from horotree.cli.output.files import write_file
from horotree.cli.output.messages import Messages
from horotree.cli.output.streams import check_stdout, emit

TITLE = "What a boosted model knows about breast cancer"
VIEWER = "viewer.html"
LEAD = (
    "200 trees, boosted on measurements of cell nuclei (scikit-learn's copy of the Wisconsin "
    "diagnostic data), separate benign tumors from malignant ones."
)
EXPLORE = "Explore all 200 trees in the interactive page"
CLASSICAL = (
    "Nodes that are almost sure are at the border, where they cannot be distinguished. A lower "
    "temperature t draws the same distances with room there; the picture above uses the t that "
    "fits this model."
)
MODEL = "breast-cancer.horotree"
PAGE = "index.html"
PICTURES = {
    "disk": (".png", ".svg"),
    "disk-t1": (".png", ".svg"),
    "held-out": (".png",),
    "ensemble": (".png",),
}
FILES = (VIEWER, PAGE, *(name + suffix for name in PICTURES for suffix in PICTURES[name]), MODEL)


def demo(
    *,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="The output folder; made if missing."
        ),
    ] = Path("horotree-demo"),
    theory: Annotated[
        bool, typer.Option("--theory", help="Also draw the figures of the theory.")
    ] = False,
    no_open: options.NoOpen = False,
    seed: options.Seed = 0,
    quiet: options.Quiet = False,
) -> None:
    """Train on scikit-learn's breast cancer data, draw the model, and open the page.

    Writes the page, the pictures and the model into a folder, and prints how well the model does.
    """
    from horotree._screen import open_page

    check_stdout()
    messages = Messages(quiet=quiet)
    _check_folder(output)
    with messages.working("Training"):
        classifier, test = _train(seed)
    report = _report(classifier, test)
    emit(report + "\n")
    with messages.working("Drawing"):
        paths = _write(classifier, test, report, output)
    if theory:
        from horotree.display import write_figures

        with messages.working("Drawing the theory"), system_errors(f"write {file_name(output)}"):
            paths += write_figures(output / "theory")
    for path in paths:
        emit(str(path))
    if not no_open and not open_page(paths[0]):
        messages.say(f"No browser was opened: open {paths[0]} yourself.")


def _check_folder(folder: Path) -> None:
    """Make a folder; raise if it has files that are not from an earlier demo."""
    from horotree.cli.output.page import GENERATOR

    with system_errors(f"write into {file_name(folder)}"):
        folder.mkdir(parents=True, exist_ok=True)
        page = folder / PAGE
        if page.exists():
            with page.open("rb") as file:
                if GENERATOR.encode() in file.read(4096):
                    return
        found = [folder / name for name in FILES if (folder / name).exists()]
    if found:
        raise UserError(
            f"{file_name(found[0])} is not from an earlier demo: choose another folder with "
            "--output."
        )


def _train(seed: int) -> tuple[Any, tuple[Any, Any]]:
    """Return a fitted classifier, and rows that it was not trained on."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.model_selection import train_test_split

    from horotree.estimators import LogisticBoostClassifier

    data = load_breast_cancer(as_frame=True)
    y = data.target_names[data.target.to_numpy()]
    X_train, X_test, y_train, y_test = train_test_split(
        data.data, y, test_size=0.3, stratify=y, random_state=seed
    )
    # Little smoothing makes nodes sure; a low learning rate keeps the predictions good.
    classifier = LogisticBoostClassifier(
        smoothing=4.0, learning_rate=0.1, n_jobs=-1, random_state=seed
    )
    return classifier.fit(X_train, y_train), (X_test, y_test)


def _report(classifier: Any, test: tuple[Any, Any]) -> str:
    from horotree import agreement

    from .info import describe, strongest_trees

    strongest = strongest_trees(describe(classifier.model_))
    return f"{agreement(classifier, *test)}\n\n{strongest}"


def _write(classifier: Any, test: tuple[Any, Any], report: str, folder: Path) -> list[Path]:
    """Draw and write everything; return the paths, the interactive page first."""
    from horotree.cli.output.page import FileLink, Picture, Report, write_page
    from horotree.cli.output.pictures import to_bytes
    from horotree.io import save
    from horotree.viewer import view

    paths, parts = [], []
    for name, display, title, caption in _draw(classifier.model_, test):
        written = [folder / f"{name}{suffix}" for suffix in PICTURES[name]]
        for path in written:
            write_file(path, to_bytes(display, path.suffix), force=True)
        paths += written
        parts.append(Picture(title, caption, title, written[0].read_bytes()))
    with system_errors(f"write {file_name(folder / MODEL)}"):
        save(classifier, folder / MODEL)
    sections: list[Picture | Report] = [*parts, Report("How far to trust the pictures", report)]
    page = write_page(TITLE, LEAD, sections, link=FileLink(VIEWER, EXPLORE))
    write_file(folder / PAGE, page.encode(), force=True)
    explored = view(classifier, *test, examples=test[0][:8], title=TITLE, progress=False)
    write_file(folder / VIEWER, explored.html.encode(), force=True)
    return [folder / VIEWER, folder / PAGE, *paths, folder / MODEL]


def _draw(model: Any, test: tuple[Any, Any]) -> Iterator[tuple[str, Any, str, str]]:
    """Yield the name, display, title and caption of each picture."""
    from horotree.cli.output import pictures

    yield "disk", pictures.draw_tree(model), "The first tree", pictures.HOW_TO_READ
    title = "The same in the Poincaré disk as it is, t = 1"
    yield "disk-t1", pictures.draw_tree(model, t=1.0), title, CLASSICAL
    title = "The same, compared with held-out data"
    yield "held-out", pictures.draw_tree(model, *test), title, pictures.HELD_OUT
    yield "ensemble", pictures.draw_sheet(model), "All trees", pictures.SHEET
