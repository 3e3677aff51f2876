"""Tempered differentiation: the t-derivative and the two mean-value theorems."""

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from horotree._checks import as_floats, check_number, check_range, check_temperature

from ._numeric import (
    Function,
    check_function,
    crossing,
    finite_lift,
    integral,
    slope,
    value_at,
)

_EPS = float(np.finfo(np.float64).eps)


class MeanValue(NamedTuple):
    """A point whose existence a mean-value theorem asserts, and the value taken there."""

    point: float
    value: float


def derivative_t(
    f: Function, x: ArrayLike, *, fprime: Function | None = None, t: float = 1.0
) -> Any:
    """Tempered derivative ``f'(x) / (1 + (1-t) f(x))``.

    Without ``fprime`` the classical derivative is found by extrapolated central differences, to
    about 1e-12 for a smooth function. Where they don't settle, as for abs at 0 or at the border
    of f's domain, that is an error, not a guess.

    Parameters
    ----------
    f : callable
        A real function of one number.
    x : array_like
        Where; a number or an array.
    fprime : callable, optional
        The classical derivative of f.
    t : float
        The temperature.

    Returns
    -------
    float or ndarray
        Of the shape of x.

    References
    ----------
    Paper, eq:t-derivative and eq:t-derivative-simple.

    Examples
    --------
    >>> import math
    >>> from horotree.tempered import derivative_t, lift
    >>> round(float(derivative_t(math.exp, 0.0, t=0.0)), 9)
    0.5
    >>> derivative_t(lambda z: lift(z, t=0.3), [-1.0, 0.0, 2.0], t=0.3).round(9).tolist()
    [1.0, 1.0, 1.0]
    """
    t = check_temperature(t)
    check_function(f)
    if fprime is not None:
        check_function(fprime, "fprime")
    points = as_floats(x, "x")
    check_range(points, "x", np.isfinite(points), "finite", "pass points of f's domain")
    values = [_derivative(f, v, fprime, t) for v in points.ravel().tolist()]
    return np.array(values).reshape(points.shape)[()]


def _derivative(f: Function, x: float, fprime: Function | None, t: float) -> float:
    denominator = 1.0 + (1.0 - t) * value_at(f, x)
    if denominator == 0.0:
        raise ValueError(
            f"f must not be -1/(1-t), got f({x!r}) = {-1.0 / (1.0 - t)!r}: nothing can be "
            "subtracted from it, so there is no t-derivative; choose another x or t."
        )
    return _slope(f, x, fprime) / denominator


def _slope(f: Function, x: float, fprime: Function | None) -> float:
    return slope(f, x) if fprime is None else value_at(fprime, x, "fprime")


def mean_value_t(
    f: Function,
    a: float,
    b: float,
    *,
    of: Literal["integral", "derivative"] = "integral",
    fprime: Function | None = None,
    t: float = 1.0,
) -> MeanValue:
    """Find the point c of a tempered mean-value theorem on (a, b).

    ``of="integral"``: ``(b-a) lift(f(c), t=t') = integral_t(f, a, b)`` at
    ``t' = 1 - (1-t)(b-a)``, for continuous f. ``of="derivative"``: ``derivative_t(f, c) =
    ((f(b) ⊖ f(c)) - (f(a) ⊖ f(c))) / (b-a)``, for f continuous on [a, b] and differentiable
    inside. Neither c depends on t: f(c), or f'(c), is the classical mean.

    Parameters
    ----------
    f : callable
        A real function of one number.
    a, b : float
        Finite, a < b.
    of : {"integral", "derivative"}
        Which theorem.
    fprime : callable, optional
        The classical derivative of f, for ``of="derivative"``.
    t : float
        The temperature.

    Returns
    -------
    MeanValue
        ``point`` c, and ``value``: lift(f(c), t=t') or derivative_t(f, c).

    References
    ----------
    Paper, lem-prop-tlift (point 3) and lem-tTAF.

    Examples
    --------
    >>> from horotree.tempered import integral_t, mean_value_t
    >>> c, value = mean_value_t(lambda x: x * x, 0, 3, t=0.5)
    >>> round(c, 9), round(3 * value - integral_t(lambda x: x * x, 0, 3, t=0.5).value, 6)
    (1.732050808, 0.0)
    """
    t = check_temperature(t)
    check_function(f)
    a, b = check_number(a, "a"), check_number(b, "b")
    if a >= b:
        raise ValueError(f"a must be smaller than b, got a = {a!r} and b = {b!r}: swap them.")
    if of == "integral":
        z, error = integral(f, a, b)
        mean = z / (b - a)
        c = _mean_point(
            lambda x: value_at(f, x) - mean,
            (a, b),
            tolerance=error / (b - a) + 8.0 * _EPS * abs(mean),
            failure=f"f takes its mean {mean!r} nowhere",
            need="f continuous: split the interval where f jumps",
        )
        tempered = 1.0 - (1.0 - t) * (b - a)
        return MeanValue(c, finite_lift(value_at(f, c), tempered, "the mean value"))
    if of != "derivative":
        raise ValueError(f'of must be "integral" or "derivative", got {of!r}.')
    mean = (value_at(f, b) - value_at(f, a)) / (b - a)
    c = _mean_point(
        lambda x: _slope(f, x, fprime) - mean,
        (a, b),
        tolerance=1e-9 * abs(mean),
        failure=f"the derivative of f takes its mean {mean!r} nowhere",
        need="f differentiable inside the interval: split it where f is not",
    )
    return MeanValue(c, _derivative(f, c, fprime, t))


def _mean_point(
    excess: Function, ends: tuple[float, float], *, tolerance: float, failure: str, need: str
) -> float:
    c = crossing(excess, *ends, tolerance=tolerance)
    if c is None:
        raise ValueError(f"{failure} on a fine grid of {ends!r}; the theorem needs {need}.")
    return c
