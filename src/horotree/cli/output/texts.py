"""The words and tables of reports on stdout."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from horotree.cli.errors import one_line, quoted

if TYPE_CHECKING:
    from horotree.evaluation.quality import Quality


def percent(share: float | None) -> str:
    """Return a share as text that says 0 or 100 only if it is, and a dash if there is none.

    Examples
    --------
    >>> from horotree.cli.output.texts import percent
    >>> percent(0.0263), percent(0.14), percent(0.99999), percent(1.0), percent(None)
    ('2.63 %', '14.0 %', '> 99.99 %', '100 %', '-')
    """
    from horotree.evaluation import texts

    return "-" if share is None else f"{texts.percent(share)} %"


def number(value: float) -> str:
    """Return a number with three digits or more, and commas between thousands."""
    if isinstance(value, int) or abs(value) >= 1000.0:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def aligned(rows: Sequence[Sequence[str]], *, indent: int = 0) -> str:
    """Return rows as lines, columns below each other: the first to the left, others to the right.

    Examples
    --------
    >>> from horotree.cli.output.texts import aligned
    >>> print(aligned([("", "rows"), ("training", "455"), ("test", "9")]))
               rows
    training    455
    test          9
    """
    clean = [[one_line(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*clean, strict=True)]
    lines = (
        "   ".join(
            cell.ljust(width) if j == 0 else cell.rjust(width)
            for j, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in clean
    )
    return "\n".join(" " * indent + line.rstrip() for line in lines)


def auc_text(auc: float | None) -> str:
    """Return an AUC as text, a dash if there is none."""
    return "-" if auc is None else f"{auc:.3f}"


def chance_text(quality: "Quality") -> str:
    """Return the AUC of a constant prediction, a dash if there is none."""
    return auc_text(None if quality.auc is None else 0.5)


def explain_no_model(quality: "Quality") -> str:
    """Return what the figures without a model are."""
    label = quality.class_names[quality.majority]
    share = percent(float(quality.base_rates[quality.majority]))
    return (
        f"No model: probabilities are the shares of the classes here, and all rows are called "
        f"{quoted(label)}, which {share} are."
    )
