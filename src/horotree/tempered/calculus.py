"""Tempered integration: Riemann sums, integrals, primitives and brackets with a temperature.

Tempered sums of ever finer divisions tend to the lift of the classical integral, so everything
here is a classical quantity and a lift; ``derivatives`` holds the other half of the calculus.
Functions are called with one float at a time.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from horotree._checks import Floats, as_floats, check_range, check_temperature

from ._numeric import (
    Function,
    check_function,
    check_limit,
    check_overflow,
    finite_lift,
    integral,
    value_at,
)
from .algebra import lift, unlift

_EPS = float(np.finfo(np.float64).eps)


class Estimate(NamedTuple):
    """A computed value and an estimate of its absolute error."""

    value: float
    error: float


def riemann_sum_t(f: Function, division: ArrayLike, tags: ArrayLike, *, t: float = 1.0) -> float:
    """Tempered Riemann sum: the t-sum over i of ``(x_i - x_(i-1)) f(ξ_i)``.

    Computed as the lift of a classical sum, or, where a factor of the product form
    ``(Π (1 + (1-t) (x_i - x_(i-1)) f(ξ_i)) - 1) / (1-t)`` is negative, from the factors' signs
    and logarithms.

    Parameters
    ----------
    f : callable
        A real function of one number.
    division : array_like
        The n + 1 numbers a = x_0 < x_1 < ... < x_n = b.
    tags : array_like
        The n numbers ξ_i, each in [x_(i-1), x_i].
    t : float
        The temperature.

    Returns
    -------
    float

    References
    ----------
    Paper, deftRiem and simplSdelta.

    Examples
    --------
    >>> from horotree.tempered import riemann_sum_t
    >>> riemann_sum_t(lambda x: x, [0, 1, 3], [1, 2], t=1.0)
    5.0
    >>> round(riemann_sum_t(lambda x: x, [0, 1, 3], [1, 2], t=0.0), 12)
    9.0
    """
    t = check_temperature(t)
    check_function(f)
    widths, points = _check_division(division, tags)
    values = np.array([value_at(f, x) for x in points.tolist()])
    s = 1.0 - t
    with np.errstate(over="ignore"):
        terms = widths * values
        shifts = s * terms
    check_overflow(float(np.abs(terms).max()), "a term of the Riemann sum")
    if not (shifts > -1.0).all():
        return _signed_sum(shifts, s)
    try:
        total = math.fsum(unlift(terms, t=t))
    except OverflowError:  # only at t = 1: elsewhere unlift is a logarithm
        total = math.inf
    return finite_lift(total, t, "the Riemann sum")


def _check_division(division: ArrayLike, tags: ArrayLike) -> tuple[Floats, Floats]:
    """Return the widths of a division and its tags."""
    x, points = as_floats(division, "division"), as_floats(tags, "tags")
    if x.ndim != 1 or x.size < 2:
        raise ValueError(
            f"division must be a list of at least two numbers, got shape {x.shape}: "
            "pass x_0 < x_1 < ... < x_n."
        )
    check_range(x, "division", np.isfinite(x), "finite", "cut the interval at a finite number")
    widths = np.diff(x)
    if not (widths > 0.0).all():
        i = int(np.argmin(widths > 0.0))
        raise ValueError(
            f"division must be strictly increasing, got {float(x[i])!r} before "
            f"{float(x[i + 1])!r}: sort it and remove repeated numbers."
        )
    if points.shape != widths.shape:
        raise ValueError(
            f"tags must hold one number per interval, {widths.size} in all, got shape "
            f"{points.shape}: pass one tag in each [x_(i-1), x_i]."
        )
    inside = (x[:-1] <= points) & (points <= x[1:])
    check_range(points, "tags", inside, "inside their intervals", "keep x_(i-1) <= tag_i <= x_i")
    return widths, points


def _signed_sum(w: Floats, s: float) -> float:
    """Return (Π (1 + w_i) - 1) / s where some factors are not positive."""
    if (w == -1.0).any():
        return -1.0 / s
    # Written so that factors near 1 and near -1 lose nothing.
    log = math.fsum(np.log1p(np.where(w > -1.0, w, -2.0 - w)))
    if np.count_nonzero(w < -1.0) % 2 == 0:
        return finite_lift(log / s, 1.0 - s, "the Riemann sum")
    with np.errstate(over="ignore"):
        size = float(np.exp(log - math.log(abs(s)))) + 1.0 / abs(s)
    return check_overflow(math.copysign(size, -s), "the Riemann sum")


def integral_t(
    f: Function,
    a: float,
    b: float,
    *,
    points: Sequence[float] = (),
    epsabs: float = 1e-10,
    epsrel: float = 1e-10,
    limit: int = 200,
    t: float = 1.0,
) -> Estimate:
    """Tempered integral of f from a to b: ``lift(∫ f)``, by adaptive quadrature.

    Parameters
    ----------
    f : callable
        A real function of one number.
    a, b : float
        The ends, finite or infinite. For a > b the classical integral changes its sign, so that
        the t-sum of both directions is 0.
    points : sequence of float
        Where f jumps or has a kink or a singularity, strictly between a and b: the integral is
        cut there. Without them such an f is integrated several times, in different parts, and
        results that differ give a warning; but what lies between all evaluated points, as a
        spike narrower than a hundredth of the interval may, cannot be seen.
    epsabs, epsrel, limit : float, float, int
        Wanted accuracy of the classical integral, and the number of subintervals at most, for
        ``scipy.integrate.quad``. It warns (``IntegrationWarning``) where it falls short.
    t : float
        The temperature.

    Returns
    -------
    Estimate
        ``value`` and ``error``. The error is what the lift makes of the quadrature's own
        estimate e: the larger of lift(I + e) - lift(I) and lift(I) - lift(I - e), and rounding.

    References
    ----------
    Paper, thtRIEMANN and thproptriemann.

    Examples
    --------
    >>> import math
    >>> from horotree.tempered import integral_t
    >>> round(integral_t(math.sin, 0, math.pi, t=1.0).value, 12)
    2.0
    >>> estimate = integral_t(lambda x: math.exp(-x), 0, math.inf, t=0.0)
    >>> round(estimate.value, 9) == round(math.e - 1, 9), estimate.error < 1e-8
    (True, True)
    """
    t = check_temperature(t)
    z, error = integral(f, a, b, points, epsabs=epsabs, epsrel=epsrel, limit=limit)
    return Estimate(finite_lift(z, t, "the tempered integral"), lifted_error(z, error, t))


def lifted_error(z: float, error: float, t: float) -> float:
    """Return max |lift(z ± error) - lift(z)|, without the cancellation, plus rounding."""
    # lift(z + e) = lift(z) ⊕ lift(e), so that lift(z + e) - lift(z) = exp((1-t) z) lift(e).
    with np.errstate(over="ignore"):
        growth = float(np.exp((1.0 - t) * z))
    spread = growth * float(lift(error, t=1.0 - abs(1.0 - t)))
    return spread + 8.0 * _EPS * max(abs(float(lift(z, t=t))), 2.0 * abs(z) * growth)


def product_integral(
    f: Function,
    a: float,
    b: float,
    *,
    points: Sequence[float] = (),
    epsabs: float = 1e-10,
    epsrel: float = 1e-10,
    limit: int = 200,
) -> Estimate:
    """Volterra's product integral: the limit of ``Π (1 + f(ξ_i) dx_i)``, which is ``exp(∫ f)``.

    It is 1 plus the tempered integral at t = 0.

    Parameters
    ----------
    f : callable
        A real function of one number.
    a, b : float
        The ends, finite or infinite.
    points, epsabs, epsrel, limit
        As for ``integral_t``.

    Returns
    -------
    Estimate
        ``value`` and ``error``.

    References
    ----------
    Paper, thtRIEMANN, the case t = 0.

    Examples
    --------
    >>> import math
    >>> from horotree.tempered import product_integral
    >>> round(product_integral(lambda x: 1 / x, 1, 6).value, 9)
    6.0
    """
    z, error = integral(f, a, b, points, epsabs=epsabs, epsrel=epsrel, limit=limit)
    finite_lift(z, 0.0, "the product integral less 1")
    # Not 1 + lift: exp keeps the digits of a small product.
    return Estimate(math.exp(z), lifted_error(z, error, 0.0))


@dataclass(frozen=True)
class Primitive:
    """The t-primitive of a function that is 0 at ``start``; made by ``primitive_t``."""

    function: Function
    start: float
    points: tuple[float, ...]
    t: float

    def __call__(self, z: ArrayLike) -> Any:
        """Return the tempered integral from ``start`` to z, elementwise."""
        ends = as_floats(z, "z")
        knots = np.unique(np.append(ends, self.start))
        pieces = np.zeros(knots.size - 1)
        for i, (low, high) in enumerate(itertools.pairwise(knots.tolist())):
            inside = [point for point in self.points if low < point < high]
            pieces[i], _ = integral(self.function, low, high, inside)
        origin = int(np.searchsorted(knots, self.start))
        # Summed away from the start on both sides, so that no piece is added and taken off again.
        before = -np.cumsum(pieces[:origin][::-1])[::-1]
        integrals = np.concatenate([before, [0.0], np.cumsum(pieces[origin:])])
        values = np.asarray(lift(integrals[np.searchsorted(knots, ends)], t=self.t))
        check_overflow(float(np.abs(values).max(initial=0.0)), "the primitive")
        return values[()]


def primitive_t(
    f: Function, a: float, *, points: Sequence[float] = (), t: float = 1.0
) -> Primitive:
    """Tempered primitive F of f with F(a) = 0: ``F(z) = integral_t(f, a, z)``.

    By the fundamental theorem its t-derivative is f wherever f is continuous.

    Parameters
    ----------
    f : callable
        A real function of one number.
    a : float
        Where F is 0; may be infinite.
    points : sequence of float
        Where f jumps, or has a kink or a singularity.
    t : float
        The temperature.

    Returns
    -------
    Primitive
        A function of a number or an array; arrays are integrated piece by piece, each once.

    References
    ----------
    Paper, thtRIEM-DER.

    Examples
    --------
    >>> from horotree.tempered import derivative_t, primitive_t
    >>> F = primitive_t(lambda x: 2 * x, 0, t=0.5)
    >>> F([0.0, 1.0]).round(6).tolist()
    [0.0, 1.297443]
    >>> round(float(derivative_t(F, 1.0, t=0.5)), 6)
    2.0
    """
    check_function(f)
    jumps = tuple(as_floats(points, "points").tolist())
    return Primitive(f, check_limit(a, "a"), jumps, check_temperature(t))


def bracket_t(h: Function, a: float, b: float, *, t: float = 1.0) -> float:
    """Tempered bracket ``lift(h(b)) ⊖ lift(h(a))``, computed as ``lift(h(b) - h(a))``.

    Integration by parts then reads ``integral_t(f g') = sub_t(bracket_t(f g), integral_t(f' g))``.

    Parameters
    ----------
    h : callable
        A real function of one number.
    a, b : float
        The ends.
    t : float
        The temperature.

    Returns
    -------
    float

    References
    ----------
    Paper, lem-int-by-part.

    Examples
    --------
    >>> import math
    >>> from horotree.tempered import bracket_t
    >>> round(bracket_t(math.log, 1, 6, t=0.0), 12)
    5.0
    """
    t = check_temperature(t)
    check_function(h, "h")
    a, b = check_limit(a, "a"), check_limit(b, "b")
    return finite_lift(value_at(h, b, "h") - value_at(h, a, "h"), t, "the bracket")
