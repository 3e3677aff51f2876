"""How reports on stdout are written."""

from collections.abc import Sequence

from horotree.cli.errors import one_line


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
