"""Numerics under the calculus: quadrature, slopes and crossings of a function of one number.

Functions are called with one float at a time, so that those written with ``math`` work as well
as those written with NumPy.
"""

import itertools
import math
import numbers
import warnings
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from horotree._checks import Floats, as_floats, check_number, check_range

from .algebra import lift

Function: TypeAlias = Callable[[float], Any]
"""A real function of one real number."""

_EPS = float(np.finfo(np.float64).eps)
# Steps of the differences: h_k = 0.47 max(1, |x|) / 4^k. The odd first step keeps functions whose
# period is a round number from looking constant.
_FIRST_STEP = 0.47
_RATIO = 0.25
_COLUMNS = 4
# Where to cut an interval for other opinions: in no round proportion, also to each other.
_CUTS = (0.6180339887, 0.2718281828, 0.4342944819)
# How far the results may differ for a function that is continuous but has a kink.
_KINK = 1e-6


def check_function(f: object, name: str = "f") -> None:
    """Raise unless ``f`` can be called."""
    if not callable(f):
        raise TypeError(f"{name} must be a function of one number, got {f!r}: pass a callable.")


def real_at(f: Function, x: float, name: str = "f") -> float:
    """Return f(x) if it is one real number, finite or not, else raise."""
    value = f(x)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must return one real number, got {name}({x!r}) = {value!r}.")
    return float(value)


def value_at(f: Function, x: float, name: str = "f") -> float:
    """Return f(x) if it is one finite real number, else raise."""
    value = real_at(f, x, name)
    return check_number(value, f"{name}({x!r})", hint=f"{name} must return one finite real number")


def check_limit(limit: object, name: str) -> float:
    """Return an end of an interval, which may be infinite, as a float."""
    if isinstance(limit, numbers.Real) and math.isinf(limit):
        return float(limit)
    return check_number(limit, name, hint="pass a number, or infinity")


def check_overflow(value: float, what: str) -> float:
    """Return ``value`` if it is finite, else raise."""
    if not math.isfinite(value):
        raise OverflowError(f"{what} is too large for a float: take t nearer to 1, or scale f.")
    return value


def finite_lift(z: float, t: float, what: str) -> float:
    """Return lift(z), or raise if it overflows."""
    return check_overflow(float(lift(z, t=t)), f"{what}, the lift of {z!r} at t = {t!r},")


def integral(
    f: Function,
    a: float,
    b: float,
    points: Sequence[float] = (),
    *,
    epsabs: float = 1e-10,
    epsrel: float = 1e-10,
    limit: int = 200,
) -> tuple[float, float]:
    """Return the classical integral of f from a to b, cut at ``points``, and its error."""
    from scipy.integrate import IntegrationWarning

    check_function(f)
    a, b = check_limit(a, "a"), check_limit(b, "b")
    low, high = min(a, b), max(a, b)
    cuts = np.unique(as_floats(points, "points"))
    check_range(cuts, "points", (low < cuts) & (cuts < high), "between a and b", "leave it out")
    options = {"epsabs": epsabs, "epsrel": epsrel, "limit": limit, "full_output": True}
    values, errors = [0.0], [0.0]
    for x, y in itertools.pairwise([low, *cuts.tolist(), high]):
        value, error, doubt = _quadrature(f, x, y, options)
        if not (math.isfinite(value) and math.isfinite(error)):
            raise ValueError(
                f"the integral of f from {x!r} to {y!r} must be finite, got {value!r}: "
                "f is not integrable there; change the interval, or remove the singularity."
            )
        if doubt:
            message = f"the integral of f from {x!r} to {y!r} is uncertain. {doubt}"
            # Not by quad itself, so that it points at the line that called the calculus.
            warnings.warn(message, IntegrationWarning, stacklevel=3)
        values.append(value)
        errors.append(error)
    return math.fsum(values) * (1.0 if a <= b else -1.0), math.fsum(errors)


def _quadrature(f: Function, a: float, b: float, options: Any) -> tuple[float, float, str]:
    """Return an integral, its error, and what speaks against it.

    Once ``quad`` has to subdivide, it can lose a jump or a spike of f between two of its nodes and
    be sure of a wrong result. So then f is integrated in two parts too, which sees other nodes. If
    the results differ, more are asked for, and no majority is believed: the result that took most
    evaluations is returned with the spread of all as its error and, if that is large, a doubt.
    """
    from scipy.integrate import quad

    if a == b or (math.isfinite(b - a) and b - a <= 1e-12 * max(abs(a), abs(b))):
        return _short_quadrature(f, a, b)

    def g(x: float) -> float:
        return real_at(f, x)

    value, error, info, *doubt = quad(g, a, b, **options)
    if info["last"] == 1 or doubt or not math.isfinite(value):
        return value, error, "".join(doubt[:1])
    estimates = [(info["neval"], value, error)]
    for share in _CUTS:
        cut = _inner_point(a, b, share)
        parts = [quad(g, x, y, **options) for x, y in ((a, cut), (cut, b))]
        second, second_error = (math.fsum(part[k] for part in parts) for k in (0, 1))
        estimates.append((sum(part[2]["neval"] for part in parts), second, second_error))
        difference = abs(value - second)
        tolerance = max(options["epsabs"], options["epsrel"] * abs(value)) + error + second_error
        if len(estimates) == 2 and difference <= tolerance:
            return value, max(error, difference), ""
    values = [estimate[1] for estimate in estimates]
    spread = max(values) - min(values)
    # A kink costs digits, which the error shows; only more than that is worth a warning.
    doubt_text = "Does f jump, or have a narrow spike? Then say where, with points."
    return max(estimates)[1], spread, doubt_text if spread > _KINK * max(map(abs, values)) else ""


def _short_quadrature(f: Function, a: float, b: float) -> tuple[float, float, str]:
    """Integrate over an interval of few floats, in which quad sees bad behavior."""
    if a == b:
        return 0.0, 0.0, ""
    left, right = value_at(f, 0.75 * a + 0.25 * b), value_at(f, 0.25 * a + 0.75 * b)
    return (b - a) * 0.5 * (left + right), (b - a) * abs(left - right), ""


def _inner_point(a: float, b: float, share: float) -> float:
    if math.isfinite(a) and math.isfinite(b):
        return a + share * (b - a)
    end = next((x for x in (a, b) if math.isfinite(x)), 0.0)
    return end + share if end == a else end - share


def slope(f: Function, x: float) -> float:
    """Return f'(x) by central differences extrapolated to step 0, or raise if they don't settle.

    Of Neville's table the entry that moved least is taken. A kink such as that of abs(x) at 0,
    invisible to central differences, shows in the one-sided ones: their difference does not
    go to 0 with the step.
    """
    fx = value_at(f, x)
    steps, up, down = _differences(f, x, fx)
    with np.errstate(all="ignore"):
        central = 0.5 * (up + down)
        rounding = 2.0 * _EPS * (abs(fx) / steps + np.abs(up) + np.abs(down))
        value, error, k = _extrapolate(central, rounding)
        jumps = up - down
        # For a smooth f the jump is h f'' + O(h^3); the combination cancels the first term.
        jump = np.abs(jumps[1:] - _RATIO * jumps[:-1])
    if not math.isfinite(error):
        raise ValueError(
            f"the numerical derivative at x = {x!r} needs f on both sides of x, but f is not "
            "defined or not finite there: move x inside the domain, or pass fprime."
        )
    scale = max(abs(value), abs(up[k]), abs(down[k]))
    if error > 1e-6 * scale + 10.0 * rounding[k] or np.nanmin(jump) > 1e-5 * scale + rounding[k]:
        raise ValueError(
            f"the numerical derivative did not converge at x = {x!r}: f has a kink or a jump "
            "there, or is too rough for differences; pass fprime if f has a derivative."
        )
    return value


def _differences(f: Function, x: float, fx: float) -> tuple[Floats, Floats, Floats]:
    """Return steps h, (f(x+h) - f(x)) / h and (f(x) - f(x-h)) / h; NaN outside f's domain."""
    first = _FIRST_STEP * max(1.0, abs(x))
    last = 1e-14 * max(abs(x) or 1.0, 1e-40)
    levels = np.arange(1 + math.ceil(math.log(last / first, _RATIO)))
    steps: Floats = first * np.power(_RATIO, levels)
    right, left = x + steps, x - steps
    with np.errstate(all="ignore"):
        up = (np.array([_probe(f, v) for v in right.tolist()]) - fx) / (right - x)
        down = (fx - np.array([_probe(f, v) for v in left.tolist()])) / (x - left)
    return steps, up, down


def _probe(f: Function, x: float) -> float:
    """Return f(x), NaN where f refuses x: a step may leave the domain of f."""
    try:
        return float(f(x))
    except (ValueError, ArithmeticError):
        return math.nan


def _extrapolate(central: Floats, rounding: Floats) -> tuple[float, float, int]:
    """Return the entry of Neville's table that moved least, its movement, and its row."""
    best = (math.nan, math.inf, 0)
    column = central
    for order in range(1, _COLUMNS + 1):
        finer, coarser = column[1:], column[:-1]
        column = finer + (finer - coarser) / (_RATIO ** (-2 * order) - 1.0)
        moved = np.maximum(np.abs(column - finer), np.abs(column - coarser)) + rounding[order:]
        moved = np.where(np.isfinite(moved), moved, np.inf)
        k = int(np.argmin(moved))
        if moved[k] < best[1]:
            best = (float(column[k]), float(moved[k]), k + order)
    return best


def crossing(g: Function, a: float, b: float, *, tolerance: float) -> float | None:
    """Return a point strictly inside (a, b) where g is 0, None if g seems to have none.

    ``tolerance`` is the size below which g is everywhere 0; then the midpoint is returned.
    """
    from scipy.optimize import brentq

    tolerance = max(tolerance, 1e-300)
    for cells in (64, 512, 4096):
        x: list[float] = (a + (b - a) * ((np.arange(cells) + 0.5) / cells)).tolist()
        y = [float(g(v)) for v in x]
        if max(map(abs, y)) <= tolerance:
            return 0.5 * (a + b)
        for (left, low), (right, high) in itertools.pairwise(zip(x, y, strict=True)):
            if low == 0.0:
                return left
            if (low < 0.0) != (high < 0.0):
                c = float(brentq(g, left, right, xtol=4.0 * _EPS * (b - a), rtol=4.0 * _EPS))
                # At a jump the sign changes without a zero.
                if abs(g(c)) <= tolerance + 1e-7 * max(abs(low), abs(high)):
                    return c
    return None
