"""Numbers as labels: a true minus sign, and no zero before the point."""

import math

import numpy as np

from horotree.losses import inverse_link


def plain_number(value: float, *, digits: int | None = None) -> str:
    """Write a number with up to six significant digits, or with this number of decimals.

    Six digits hide that 1 - .7 is not .3.
    """
    text = f"{abs(value):g}" if digits is None else f"{abs(value):.{digits}f}"
    text = text[1:] if text.startswith("0.") else text
    return f"−{text}" if value < 0.0 else text


def short_number(value: float) -> str:
    """Write a number that is not negative with two significant digits.

    Examples
    --------
    >>> from horotree.display.text.numbers import short_number
    >>> [short_number(x) for x in (0.656, 0.00996, 12.3, 0.0)]
    ['.66', '.010', '12', '0']
    """
    rounded = float(f"{value:.1e}")
    if rounded == 0.0 or rounded >= 1e5 or rounded < 1e-5:
        return plain_number(rounded)
    return plain_number(rounded, digits=max(1 - math.floor(math.log10(rounded)), 0))


def write_value(value: float) -> str:
    """Write a finite value briefly, and always with its sign, which is its class.

    Examples
    --------
    >>> from horotree.display.text.numbers import write_value
    >>> [write_value(value) for value in (-1.2345, 0.5, 0.00789, 1234.5, 0.0)]
    ['−1.23', '+.50', '+.0079', '+1234', '0']
    """
    size = abs(value)
    form = ".2g" if size < 0.1 else ".2f" if size < 1e3 else ".0f" if size < 1e6 else ".3g"
    text = format(size, form)
    text = text[1:] if text.startswith("0.") else text
    return f"+{text}" if value > 0.0 else f"−{text}" if value < 0.0 else "0"


def posterior_text(p: float) -> str:
    """Write a posterior: as a decimal, or near 0 and 1 by its distance from them."""
    near = min(abs(p - 1e-4), abs(p - 0.9999)) < 1e-12  # 1 - .9999 is not quite .0001
    if 1e-4 < p < 1.0 - 1e-4 or near:
        return plain_number(round(p, 4))
    if p < 0.5:
        return f"1e−{-round(float(np.log10(p)))}"
    return f"1−1e−{-round(float(np.log10(1.0 - p)))}"


def share_text(value: float) -> str:
    """Write the posterior of a value with two digits: ``.13``, ``.0022``, ``1−.004``."""
    p, rest = float(inverse_link(value)), float(inverse_link(-value))
    if p < 1e-4:
        return f"{p:.0e}".replace("e-0", "e−").replace("e-", "e−")
    if rest < 0.1:
        small = f"{rest:.0e}".replace("e-0", "e−").replace("e-", "e−")
        return f"1−{plain_number(float(f'{rest:.2g}')) if rest >= 1e-4 else small}"
    return plain_number(float(f"{p:.2g}"))
