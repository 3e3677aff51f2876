"""The formulas behind ``polar``: scaled so that nothing overflows, for checked arrays."""

import numpy as np

from horotree._checks import Floats

from ._twofold import two_sum


def half_turn(to: Floats, start: Floats) -> tuple[Floats, Floats]:
    """Return sine and cosine of half the exact difference of two angles."""
    high, low = two_sum(0.5 * to, -0.5 * start)
    sin, cos = np.sin(high), np.cos(high)
    return sin + low * cos, cos - low * sin


def grow(x: Floats, power: Floats) -> Floats:
    """Return x exp(power), which overflows or underflows only if the result does."""
    half = np.exp(0.5 * power)
    return np.where(x == 0.0, x, x * half * half)


def toward(a: Floats, b: Floats, sin: Floats, cos: Floats) -> tuple[Floats, Floats]:
    """Return a positive multiple of (sinh b sin Δ, sinh(b-a) - 2 sinh b cosh a sin²(Δ/2)).

    From sine and cosine of Δ/2. Where b >= a both are scaled by exp(a) / sinh b, so that the
    difference is that of ratio <= 1 and (sin exp(a))²; divided by |sin| exp(a) where that exceeds
    1. Where b < a nothing cancels, and the scale is 1 / sinh b.
    """
    with np.errstate(all="ignore"):
        ratio = np.expm1(-2.0 * np.abs(b - a)) / np.expm1(-2.0 * b)
        grown = grow(sin, a)
        shrink = np.exp(-b)
        twice_cosh = 1.0 + np.exp(-2.0 * a)
        unit, scale = np.clip(grown, -1.0, 1.0), np.maximum(1.0, np.abs(grown))
        outer = 2.0 * cos * unit, ratio / scale - unit * grown * twice_cosh
        inner = 2.0 * cos * sin, -(grow(ratio * shrink, a) * shrink + sin * grown * twice_cosh)
    y, x = (np.where(b >= a, o, i) for o, i in zip(outer, inner, strict=True))
    return np.where(b == 0.0, 0.0, y), np.where(b == 0.0, 0.0 - np.sign(a), x)


def tanh_and_rest(a: Floats) -> tuple[Floats, Floats]:
    """Return tanh a and 1 - tanh a."""
    decay = np.exp(-2.0 * a)
    return np.tanh(a), 2.0 * decay / (1.0 + decay)
