"""`horotree compare`: two models on the same data, and where their trees part."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import _options as options
from ._errors import UserError, file_name, one_line, quoted, refusals
from ._messages import Messages
from ._streams import check_stdout, emit
from ._tables import Table, open_table
from ._texts import aligned, number, percent

if TYPE_CHECKING:
    from horotree.evaluation.agreement import Agreement
    from horotree.trees import Model

SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True)
class _Judged:
    """A model, what it predicts for each row, and how well."""

    model: "Model"
    agreement: "Agreement"
    predicted: Any
    probability: Any
    own: Any


def compare(
    a: Annotated[Path, typer.Argument(metavar="A", help="A model file.", show_default=False)],
    b: Annotated[Path, typer.Argument(metavar="B", help="Another.", show_default=False)],
    *,
    data: Annotated[
        str,
        typer.Option(metavar="FILE", help="Rows that neither was trained on: CSV, - is stdin."),
    ],
    target: options.Target,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    quiet: options.Quiet = False,
) -> None:
    """Compare two models: errors on the same rows, whether they agree, which trees differ."""
    from ._models import read_model

    check_stdout()
    messages = Messages(quiet=quiet)
    models = read_model(a, messages), read_model(b, messages)
    classes = [set(model.classes.tolist()) for model in models]
    if classes[0] != classes[1]:
        only = sorted(map(str, classes[0] ^ classes[1]))
        raise UserError(
            f"the models have different classes, only one of them knows {quoted(only[0])}: compare "
            "models of the same target."
        )
    table = open_table(data, separator, encoding, messages)
    with messages.working("Comparing"):
        judged = [_judge(model, table, target, messages) for model in models]
    emit(f"A is {file_name(a)}, B is {file_name(b)}; {number(judged[0].agreement.n_rows)} rows\n")
    emit(f"{_side_by_side(judged)}\n\n{_differences(*judged)}\n\n{_trees(*models)}")


def _judge(model: "Model", table: Table, target: str, messages: Messages) -> _Judged:
    import numpy as np

    from horotree import agreement
    from horotree.estimators._parameters import n_threads_of

    from ._data import read_labeled

    X, y = read_labeled(table, model, target, messages)
    with refusals(ValueError, TypeError):
        found = agreement(model, X, y, n_threads=n_threads_of(-1))
        score = model.score(X, n_threads_of(-1))
    order = np.argsort([str(label) for label in model.classes.tolist()])  # the same for both
    probability = model.probabilities(score)[:, order]
    return _Judged(model, found, np.asarray(model.decide(score)), probability, np.asarray(y))


def _side_by_side(judged: list[_Judged]) -> str:
    from ._info import count

    agreements = [one.agreement for one in judged]
    counts = [count(one.model) for one in judged]
    rows = [
        ("", "A", "B"),
        ("trees", *(number(n_trees) for n_trees, _ in counts)),
        ("nodes", *(number(n_nodes) for _, n_nodes in counts)),
        ("error", *(percent(x.error) for x in agreements)),
        ("log-loss", *(f"{x.log_loss:.4f}" for x in agreements)),
        ("error, as drawn", *(percent(x.monotonic_error) for x in agreements)),
        ("log-loss, as drawn", *(f"{x.monotonic_log_loss:.4f}" for x in agreements)),
        ("same class as drawn", *(percent(x.same_class) for x in agreements)),
    ]
    return aligned(rows)


def _differences(a: _Judged, b: _Judged) -> str:
    """Say how often both agree, and whether one is better."""
    import numpy as np
    from scipy.stats import binomtest

    same = float(np.mean(a.predicted == b.predicted))
    apart = float(np.abs(a.probability - b.probability).mean())
    a_right, b_right = a.predicted == a.own, b.predicted == b.own
    only_a, only_b = int(np.sum(a_right & ~b_right)), int(np.sum(b_right & ~a_right))
    p = float(binomtest(only_a, only_a + only_b).pvalue) if only_a + only_b else 1.0
    verdict = "no significant difference"
    if p < SIGNIFICANT:
        verdict = f"{'A' if only_a > only_b else 'B'} is significantly better"
    shown = "p < .001" if p < 0.001 else f"p = {p:.3f}".replace("0.", ".")
    return (
        f"Both predict the same class for {percent(same)} of rows; probabilities differ by "
        f"{apart:.3g} in the mean.\n"
        f"Only A is right on {number(only_a)} rows, only B on {number(only_b)}: {verdict} "
        f"(McNemar's exact test, {shown})."
    )


def _trees(a: "Model", b: "Model") -> str:
    """Say how many trees are the same, and how the strongest others part."""
    from ._parting import find_partings

    partings = find_partings(a, b)
    if partings.n_pairs == partings.n_same == partings.n_trees:
        return f"All {number(partings.n_same)} trees are the same."
    n_same, n_pairs = number(partings.n_same), number(partings.n_pairs)
    first = f"{n_same} of {n_pairs} trees are the same in both, compared round by round."
    return "\n".join([first, *map(one_line, partings.texts)])
