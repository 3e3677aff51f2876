"""`horotree fit`: train a model on a table."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from horotree.cli import options
from horotree.cli.errors import UserError, file_name, listed, quoted, refusals
from horotree.cli.output.files import check_output, writes
from horotree.cli.output.messages import Messages
from horotree.cli.output.streams import check_stdout, emit
from horotree.cli.tables.files import open_table


def fit(
    data: options.Data,
    target: options.Target,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write the model.")
    ],
    *,
    trees: Annotated[int, typer.Option(metavar="NUMBER", min=1, help="The number of trees.")] = 200,
    leaves: Annotated[
        int, typer.Option(metavar="NUMBER", min=2, help="The most leaves of a tree.")
    ] = 101,
    smoothing: Annotated[
        str,
        typer.Option(
            metavar="NUMBER|auto",
            help="How strongly posteriors of nodes are shrunk to those of their hosts.",
        ),
    ] = "100",
    learning_rate: Annotated[
        float, typer.Option(metavar="NUMBER", help="The factor of every leverage.")
    ] = 0.5,
    early_stopping: Annotated[
        bool,
        typer.Option(
            "--early-stopping", help="Stop when the loss on held-out training rows no longer falls."
        ),
    ] = False,
    as_drawn: Annotated[
        bool,
        typer.Option(
            "--as-drawn",
            help="Boost confidence-monotonic trees: the model predicts exactly as it is drawn.",
        ),
    ] = False,
    categorical: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMNS", help="Columns of numbers that are categories; text always is."
        ),
    ] = None,
    drop: Annotated[
        list[str] | None, typer.Option(metavar="COLUMNS", help="Columns to leave out.")
    ] = None,
    drop_missing_target: Annotated[
        bool, typer.Option("--drop-missing-target", help="Leave out rows without a class.")
    ] = False,
    test_size: Annotated[
        float, typer.Option(metavar="SHARE", help="The share of rows to hold out for the test.")
    ] = 0.2,
    no_test: Annotated[
        bool, typer.Option("--no-test", help="Train on all rows, without a test.")
    ] = False,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    seed: options.Seed = 0,
    jobs: Annotated[int, typer.Option(metavar="NUMBER", help="Threads; -1 is all cores.")] = -1,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Train a model on a table, and write it to a file.

    Columns of text become categories. Empty fields, NA and ? are missing values.
    Prints the quality on training rows and on test rows, next to that of no model,
    and warns if the model is no better.
    """
    from horotree.cli.output.fit_report import report
    from horotree.cli.tables.data import read_examples

    check_stdout()
    messages = Messages(quiet=quiet)
    parameters = {
        "n_estimators": trees,
        "max_leaf_nodes": leaves,
        "smoothing": _smoothing(smoothing),
        "learning_rate": learning_rate,
        "early_stopping": early_stopping,
        "weak_learner": "monotonic" if as_drawn else "tree",
        "random_state": seed,
        "n_jobs": jobs,
        "verbose": int(messages.live),
    }
    check_output(output, force=force, sources=[data])
    examples = read_examples(
        open_table(data, separator, encoding, messages),
        target,
        categorical=categorical or [],
        drop=drop or [],
        drop_missing_target=drop_missing_target,
        messages=messages,
    )
    parts = {"training": (examples.X, examples.y)}
    if not no_test:
        parts = _split(examples.X, examples.y, test_size, seed)
    classifier, seconds = _train(parts["training"], examples.categorical, parameters, messages)
    shown = report(classifier, parts, messages)  # may fail: before the file is written
    _save(classifier, output, force=force)
    emit(f"{_summary(classifier, output, seconds)}\n\n{shown}")
    messages.say(f"See it with: horotree view {output}")


def _smoothing(text: str) -> float | str:
    if text == "auto":
        return text
    try:
        smoothing = float(text)
    except ValueError:
        smoothing = 0.0
    if not smoothing > 0.0:
        raise UserError(f"--smoothing must be a number above 0, or auto, got {quoted(text)}.")
    return smoothing


def _split(X: Any, y: Any, test_size: float, seed: int) -> dict[str, tuple[Any, Any]]:
    """Return rows to train on and to test on, with the same shares of the classes."""
    from sklearn.model_selection import train_test_split

    if not 0.0 < test_size < 1.0:
        raise UserError(
            f"--test-size must be above 0 and below 1, got {test_size:g}: pass --no-test to train "
            "on all rows."
        )
    _check_classes_are_split(y)
    try:
        X_train, X_test, y_train, y_test = train_test_split(
            X, y, test_size=test_size, stratify=y, random_state=seed
        )
    except ValueError as error:
        raise UserError(
            f"{len(y)} rows are too few to hold out {test_size:g} of every class for a test: "
            "add rows, pass another --test-size, or --no-test to train on all."
        ) from error
    return {"training": (X_train, y_train), "test": (X_test, y_test)}


def _check_classes_are_split(y: Any) -> None:
    """Raise if a class has one row only, which cannot be in both parts."""
    import numpy as np

    classes, n_rows = np.unique(y, return_counts=True)
    single = classes[n_rows == 1].tolist()
    if single:
        what = f"class {quoted(single[0])} has" if len(single) == 1 else "these classes have"
        named = "" if len(single) == 1 else f" ({listed(single)})"
        raise UserError(
            f"{what} only one row{named}, too few to train and to test on: add rows of it, leave "
            "it out, or pass --no-test to train on all."
        )


def _train(
    examples: tuple[Any, Any],
    categorical: list[str],
    parameters: dict[str, Any],
    messages: Messages,
) -> tuple[Any, float]:
    """Return a fitted classifier, and the seconds that it took."""
    from horotree.estimators import LogisticBoostClassifier

    start = time.perf_counter()
    with refusals(ValueError, TypeError), messages.noting_warnings():
        classifier = LogisticBoostClassifier(
            **parameters, categorical_features=categorical or None
        ).fit(*examples)
    return classifier, time.perf_counter() - start


def _save(classifier: Any, output: Path, *, force: bool) -> None:
    from horotree.io import save

    with writes(output), refusals(TypeError):
        save(classifier, output, replace=force)


def _summary(classifier: Any, output: Path, seconds: float) -> str:
    """Return a line about the model and the time that it took."""
    model = classifier.model_
    n_trees = sum(len(ensemble.trees) for ensemble in model.ensembles)
    took = f"{seconds:.1f} s" if seconds >= 1.0 else f"{1e3 * seconds:.0f} ms"
    return (
        f"{file_name(output)}: {n_trees} trees for {len(model.classes)} classes by "
        f"{len(model.feature_names)} features, trained in {took}"
    )
