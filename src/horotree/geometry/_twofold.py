"""Error-free transformations: a rounded result together with the rounding error made."""

from horotree._checks import Floats

# Veltkamp's constant cuts a 53-bit significand into two halves whose products are exact.
_SPLITTER = 2.0**27 + 1.0


def two_sum(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return x + y rounded, and what the rounding left out."""
    total = x + y
    carried = total - x
    return total, (x - (total - carried)) + (y - carried)


def two_product(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return x y rounded, and what the rounding left out (for |x|, |y| < 1e150)."""
    product = x * y
    x_high, x_low = _split(x)
    y_high, y_low = _split(y)
    rest = ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low
    return product, rest


def _split(x: Floats) -> tuple[Floats, Floats]:
    scaled = _SPLITTER * x
    high = scaled - (scaled - x)
    return high, x - high
