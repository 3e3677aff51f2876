"""`horotree compare`: two models on the same data, and where their trees differ first."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from horotree.cli import options
from horotree.cli.errors import UserError, file_name, one_line, quoted, refusals
from horotree.cli.output.messages import Messages
from horotree.cli.output.streams import check_stdout, emit
from horotree.cli.output.texts import (
    aligned,
    auc_text,
    chance_text,
    explain_no_model,
    number,
    percent,
)
from horotree.cli.tables.files import FileTable, open_table

if TYPE_CHECKING:
    from horotree.evaluation.agreement import Agreement
    from horotree.evaluation.comparison import Comparison
    from horotree.evaluation.predictions import Predictions
    from horotree.evaluation.quality import Quality
    from horotree.trees import Model


@dataclass(frozen=True, slots=True)
class _Side:
    """A model, its predictions, their quality, and their agreement with the pictures."""

    model: "Model"
    predictions: "Predictions"
    quality: "Quality"
    agreement: "Agreement"


def compare(
    a: Annotated[Path, typer.Argument(metavar="A", help="A model file.", show_default=False)],
    b: Annotated[Path, typer.Argument(metavar="B", help="Another model file.", show_default=False)],
    *,
    data: Annotated[
        str,
        typer.Option(metavar="FILE", help="Rows that neither model was trained on; - is stdin."),
    ],
    target: options.Target,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    quiet: options.Quiet = False,
) -> None:
    """Compare two models on the same rows: which is better, by how much, and which trees differ."""
    from horotree.cli.models import read_model

    check_stdout()
    messages = Messages(quiet=quiet)
    models = read_model(a, messages), read_model(b, messages)
    classes = [set(model.classes.tolist()) for model in models]
    if classes[0] != classes[1]:
        only = sorted(map(str, classes[0] ^ classes[1]))
        raise UserError(
            f"the models have different classes, only one of them has {quoted(only[0])}: compare "
            "models of the same target."
        )
    table = open_table(data, separator, encoding, messages)
    with messages.working("Comparing"):
        sides = [_evaluate(model, table, target, messages) for model in models]
    emit(f"A is {file_name(a)}, B is {file_name(b)}; {number(sides[0].quality.n_rows)} rows\n")
    emit(f"{_side_by_side(sides)}\n\n{_differences(*sides)}\n\n{_trees(*models)}")


def _evaluate(model: "Model", table: FileTable, target: str, messages: Messages) -> _Side:
    from horotree import agreement
    from horotree.cli.tables.data import read_labeled
    from horotree.evaluation.predictions import predict_rows
    from horotree.evaluation.quality import measure

    X, y = read_labeled(table, model, target, messages)
    with refusals(ValueError, TypeError):
        found = predict_rows(model, X, y, n_jobs=-1)
        drawn = agreement(model, X, y, n_jobs=-1)
    return _Side(model, found, measure(found), drawn)


def _side_by_side(sides: list[_Side]) -> str:
    """Return the figures of both models beside those without any model."""
    from .info import count

    agreements = [one.agreement for one in sides]
    qualities = [one.quality for one in sides]
    counts = [count(one.model) for one in sides]
    base = qualities[0]
    rows = [
        ("", "A", "B", "no model"),
        ("trees", *(number(n_trees) for n_trees, _ in counts), "-"),
        ("nodes", *(number(n_nodes) for _, n_nodes in counts), "-"),
        ("AUC", *(auc_text(q.auc) for q in qualities), chance_text(base)),
        ("log-loss", *(f"{q.log_loss:.4f}" for q in qualities), f"{base.base_log_loss:.4f}"),
        ("Brier score", *(f"{q.brier:.4f}" for q in qualities), f"{base.base_brier:.4f}"),
        ("error", *(percent(q.error) for q in qualities), percent(base.base_error)),
        ("log-loss, as drawn", *(f"{x.monotonic_log_loss:.4f}" for x in agreements), "-"),
        ("error, as drawn", *(percent(x.monotonic_error) for x in agreements), "-"),
        ("same class as drawn", *(percent(x.same_class) for x in agreements), "-"),
    ]
    return f"{aligned(rows)}\n{explain_no_model(base)}"


def _differences(a: _Side, b: _Side) -> str:
    """Say for each measure which model is better, and how often both agree."""
    from horotree.evaluation.comparison import compare_predictions

    with refusals(ValueError):
        found: Comparison = compare_predictions(a.predictions, b.predictions)
    both = (
        f"Both predict the same class for {percent(found.same_class)} of rows; probabilities "
        f"differ by {found.probability_difference:.3g} in the mean."
    )
    return "\n".join([*map(str, found.measures), both])


def _trees(a: "Model", b: "Model") -> str:
    """Say how many trees are the same, and where the strongest others differ first."""
    from horotree.cli.output.first_difference import compare_trees

    found = compare_trees(a, b)
    if found.n_pairs == found.n_same == found.n_trees:
        return f"All {number(found.n_same)} trees are the same."
    n_same, n_pairs = number(found.n_same), number(found.n_pairs)
    first = f"{n_same} of {n_pairs} trees are the same in both, compared round by round."
    return "\n".join([first, *map(one_line, found.texts)])
