"""Texts of shares and counts."""


def percent(share: float) -> str:
    """Write a share or a probability in percent; 0 and 100 only if it is exactly that.

    Examples
    --------
    >>> from horotree.evaluation.texts import percent
    >>> [percent(share) for share in (0.149, 0.0221, 0.00004, 0.99999, 1.0, 0.5)]
    ['14.9', '2.21', '< 0.01', '> 99.99', '100', '50.0']
    """
    if share in (0.0, 1.0):
        return f"{100.0 * share:.0f}"
    if share < 1e-4:
        return "< 0.01"
    if share > 1.0 - 1e-4:
        return "> 99.99"
    digits = 2 if share < 0.1 or share > 0.9995 else 1
    return f"{100.0 * share:.{digits}f}"


def rows(count: int, kind: str = "") -> str:
    """Write a number of rows; ``kind`` is a word before "rows"."""
    return f"{count:,} {kind}{' ' if kind else ''}row{'' if count == 1 else 's'}"
