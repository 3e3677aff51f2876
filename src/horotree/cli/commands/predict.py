"""`horotree predict`: predictions for the rows of a table, as CSV."""

import csv
import io
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from horotree.cli import options
from horotree.cli.errors import refusals
from horotree.cli.output.files import check_output, write_file
from horotree.cli.output.messages import Messages
from horotree.cli.output.streams import check_stdout, writing_to_stdout
from horotree.cli.tables.files import open_table


def predict(
    model: options.ModelFile,
    data: options.Data,
    *,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="The output file; - is stdout."),
    ] = "-",
    proba: Annotated[
        bool, typer.Option("--proba", help="Also write the probability of every class.")
    ] = False,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Predict the class of each row of a table, as CSV.

    Columns are found by name: their order does not matter, and other columns are ignored.
    """
    from horotree.cli.models import read_model
    from horotree.cli.tables.data import read_features

    messages = Messages(quiet=quiet)
    if output == "-":
        check_stdout()
    else:
        check_output(Path(output), force=force, sources=[data, model])
    trained = read_model(model, messages)
    X = read_features(open_table(data, separator, encoding, messages), trained, messages)
    with refusals(ValueError, TypeError):
        score = trained.score(X, n_jobs=-1)
    header, columns = ["prediction"], [trained.decide(score).tolist()]
    if proba:
        header += [f"probability_{label}" for label in trained.classes.tolist()]
        columns += trained.probabilities(score).T.tolist()
    _write(output, _to_csv(header, columns), force=force)


def _to_csv(header: list[str], columns: list[list[Any]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(zip(*columns, strict=True))
    return text.getvalue().encode("utf-8", "backslashreplace")


def _write(output: str, content: bytes, *, force: bool) -> None:
    if output == "-":
        with writing_to_stdout():
            sys.stdout.buffer.write(content)
        return
    write_file(Path(output), content, force=force)
