"""Tempered algebra: log_t, exp_t, the operations they define, and the lift between them.

Everything follows from two functions that are inverse to each other, with s = 1 - t:

    lift(z)   = log_t(exp(z)) = (exp(s z) - 1) / s
    unlift(z) = log(exp_t(z)) = log(1 + s z) / s

so log_t = lift∘log and exp_t = exp∘unlift. Both are written so that nothing cancels as
t -> 1, nothing overflows before the result does, and their derivatives in z and in t are right
at t = 1 too, where automatic differentiation sees the series of the small branch.

Errors: the relative error stays below ``8 eps max(1, c)``, with c the sum of the relative
condition numbers in the operands and in 1 - t. Outside the domain:

    exp_t(z) = 0 (t < 1) or inf (t > 1) where 1 + (1-t) z <= 0
    log_t(0) = -1/(1-t) for t < 1, -inf for t >= 1;  log_t(z) = NaN for z < 0

All functions broadcast over their operands and ``t``, take NumPy, PyTorch, JAX or other arrays
of the array API, and return the same kind on the same device. No warnings are raised.
"""

import math
from typing import Any, Literal

from ._arrays import Array, evaluate

Negation = Literal["tempered", "classical"]

# Below this, three terms of the series are exact to the last bit of a double, and s z may be
# so small (even 0) that dividing by it would not be.
_SMALL = 4e-6


def _is_classical(s: Array) -> bool:
    return isinstance(s, float) and s == 0.0


def _times(xp: Any, s: Array, z: Array) -> Array:
    """Return s z, with 0 · inf = 0 where an array of temperatures holds t = 1."""
    product = s * z
    return product if isinstance(s, float) else xp.where(xp.isnan(product), 0.0, product)


def _lift(xp: Any, z: Array, s: Array) -> Array:
    if _is_classical(s):
        return z
    # expm1(2v) = h (h + 2) with h = expm1(v): h / s cannot overflow before the result does.
    v = _times(xp, 0.5 * s, z)
    h = xp.expm1(v)
    small = xp.abs(v) < _SMALL
    near = xp.where(small, v, 0.0)
    series = 0.5 * z * (1.0 + near * (0.5 + near / 6.0))
    return xp.where(small, series, h / xp.where(small, 1.0, s)) * (h + 2.0)


def _unlift(xp: Any, z: Array, s: Array) -> Array:
    if _is_classical(s):
        return z
    w = _times(xp, s, z)
    outside = w <= -1.0
    log = xp.log1p(xp.where(outside, 0.0, w))
    if not (isinstance(s, float) and abs(s) <= 1.0):  # else s z cannot overflow before z does
        spilled = xp.log1p(s * (z * 2.0**-64)) + 64.0 * math.log(2.0)
        log = xp.where(xp.isinf(w), spilled, log)
    small = xp.abs(w) < _SMALL
    near = xp.where(small, w, 0.0)
    series = z * (1.0 - near * (0.5 - near / 3.0))
    inside = xp.where(small, series, log / xp.where(small, 1.0, s))
    return xp.where(outside, _beyond(xp, s), inside)


def _beyond(xp: Any, s: Array) -> Array:
    """Return the logarithm of exp_t outside its domain: -inf for t < 1, inf for t > 1."""
    if isinstance(s, float):
        return math.copysign(math.inf, -s)
    return xp.where(s > 0.0, xp.full_like(s, -math.inf), math.inf)


def _log_t(xp: Any, z: Array, s: Array) -> Array:
    return _lift(xp, xp.log(z), s)


def _exp_t(xp: Any, z: Array, s: Array) -> Array:
    return xp.exp(_unlift(xp, z, s))


def _is_regular(xp: Any, z: Array) -> Array:
    return xp.isfinite(z) & (xp.abs(z) >= xp.finfo(z.dtype).smallest_normal)


def _log_ratio(xp: Any, x: Array, y: Array) -> Array:
    """Return log(x / y), also where the quotient is not representable, or 0/0."""
    ratio = x / y
    log = xp.where(_is_regular(xp, ratio), xp.log(ratio), xp.log(x) - xp.log(y))
    return xp.where(x == y, 0.0, log)


def _power_sum_close(
    xp: Any, factors: tuple[Array, Array, Array], n_over_x: Array, n_over_y: Array, s: Array
) -> Array:
    """Return x y / n (1 - p q)^(1/s) with p = 1 - (n/x)^s, q = 1 - (n/y)^s: good as s -> 0."""
    base, x, y_over_n = factors
    pq = _lift(xp, n_over_x, s) * _lift(xp, n_over_y, s)
    root = xp.exp(0.5 * _unlift(xp, -_times(xp, s, pq), s))
    return xp.where(_is_regular(xp, base), base * root * root, (x * root) * (y_over_n * root))


def _power_sum_far(
    xp: Any, x: Array, y: Array, logs: tuple[Array, Array, Array], s: Array
) -> Array:
    """Return m ((o/m)^s + 1 - (n/m)^s)^(1/s), m the operand with the larger power, o the other."""
    n_over_x, n_over_y, y_over_x = logs
    rise = _times(xp, s, y_over_x)
    top = xp.where(rise > 0.0, y, x)
    n_over_top = xp.where(rise > 0.0, n_over_y, n_over_x)
    inner = xp.exp(-xp.abs(rise)) - xp.expm1(_times(xp, s, n_over_top))
    inside = inner > 0.0
    safe_s = s if isinstance(s, float) else xp.where(s == 0.0, 1.0, s)
    log = xp.log(xp.where(inside, inner, 1.0)) / safe_s
    return xp.where(inside, top * xp.exp(log), xp.exp(xp.zeros_like(log) + _beyond(xp, s)))


def _power_sum(
    xp: Any,
    x: Array,
    y: Array,
    factors: tuple[Array, Array, Array],
    logs: tuple[Array, Array, Array],
    s: Array,
) -> Array:
    """Return (x^s + y^s - n^s)^(1/s) for n = 1 (product) or y = 1 (quotient).

    ``factors`` are x y / n, x and y / n; ``logs`` those of n/x, n/y and y/x. Of the two ways
    to write it, the first is taken while both powers are within a factor e of n^s.
    """
    if _is_classical(s):
        return factors[0]
    n_over_x, n_over_y, _ = logs
    is_close = (xp.abs(_times(xp, s, n_over_x)) <= 1.0) & (xp.abs(_times(xp, s, n_over_y)) <= 1.0)
    close = _power_sum_close(xp, factors, n_over_x, n_over_y, s)
    return xp.where(is_close, close, _power_sum_far(xp, x, y, logs, s))


def _mul_t(xp: Any, x: Array, y: Array, s: Array) -> Array:
    logs = (-xp.log(x), -xp.log(y), _log_ratio(xp, y, x))
    product = _power_sum(xp, x, y, (x * y, x, y), logs, s)
    return xp.where((x < 0.0) | (y < 0.0), math.nan, product)


def _div_t(xp: Any, x: Array, y: Array, s: Array) -> Array:
    logs = (_log_ratio(xp, y, x), xp.log(y), -xp.log(x))
    quotient = _power_sum(xp, x, xp.ones_like(y), (x / y, x, 1.0 / y), logs, s)
    return xp.where((x < 0.0) | (y < 0.0), math.nan, quotient)


def lift(z: Array, *, t: Array = 1.0) -> Array:
    """Lift z to temperature t: ``log_t(exp(z)) = (exp((1-t) z) - 1) / (1-t)``.

    What a classical integral, length or divergence z becomes at temperature t. Strictly
    increasing, of the sign of z; convex for t < 1, concave for t > 1, the identity at t = 1.

    Parameters
    ----------
    z : array or number
        Any real values.
    t : array or number
        The temperature; broadcasts against z.

    Returns
    -------
    array or number
        Of the kind of z.

    References
    ----------
    Paper, eq-liftt and lem-prop-tlift.

    Examples
    --------
    >>> from horotree.tempered import lift
    >>> float(lift(2.0, t=1.0)), float(lift(2.0, t=0.5)), round(float(lift(2.0, t=0.0)), 6)
    (2.0, 3.43656365691809, 6.389056)
    """
    return evaluate(_lift, z, t=t)


def unlift(z: Array, *, t: Array = 1.0) -> Array:
    """Undo ``lift``: ``log(exp_t(z)) = log(1 + (1-t) z) / (1-t)``.

    -inf (t < 1) or inf (t > 1) where 1 + (1-t) z <= 0. This is also how a distance is drawn in
    the t-self: the drawn norm is ``tanh(unlift(distance) / 2)``.

    Parameters
    ----------
    z : array or number
        Any real values.
    t : array or number
        The temperature; broadcasts against z.

    Returns
    -------
    array or number
        Of the kind of z.

    Examples
    --------
    >>> from horotree.tempered import lift, unlift
    >>> round(float(unlift(lift(2.0, t=0.3), t=0.3)), 12)
    2.0
    """
    return evaluate(_unlift, z, t=t)


def log_t(z: Array, *, t: Array = 1.0) -> Array:
    """Tempered logarithm ``(z^(1-t) - 1) / (1-t)``, log(z) at t = 1.

    ``log_t(0) = -1/(1-t)`` for t < 1 and -inf for t >= 1; NaN for z < 0.

    Parameters
    ----------
    z : array or number
        Non-negative values.
    t : array or number
        The temperature; broadcasts against z.

    Returns
    -------
    array or number
        Of the kind of z.

    References
    ----------
    Paper, eq-link-t-1.

    Examples
    --------
    >>> from horotree.tempered import log_t
    >>> float(log_t(4.0, t=0.5)), float(log_t(4.0, t=0.0)), float(log_t(0.0, t=0.5))
    (2.0, 3.0, -2.0)
    """
    return evaluate(_log_t, z, t=t)


def exp_t(z: Array, *, t: Array = 1.0) -> Array:
    """Tempered exponential ``(1 + (1-t) z)^(1/(1-t))``, exp(z) at t = 1: the inverse of log_t.

    0 (t < 1) or inf (t > 1) where 1 + (1-t) z <= 0.

    Parameters
    ----------
    z : array or number
        Any real values.
    t : array or number
        The temperature; broadcasts against z.

    Returns
    -------
    array or number
        Of the kind of z.

    References
    ----------
    Paper, sec:t-al-t-add.

    Examples
    --------
    >>> from horotree.tempered import exp_t
    >>> round(float(exp_t(2.0, t=0.5)), 12), float(exp_t(-3.0, t=0.5)), float(exp_t(3.0, t=1.5))
    (4.0, 0.0, inf)
    """
    return evaluate(_exp_t, z, t=t)


def add_t(x: Array, y: Array, *, t: Array = 1.0) -> Array:
    """Tempered sum ``x + y + (1-t) x y``.

    Equal to ``log_t(exp_t(x) exp_t(y))`` where both 1 + (1-t) x and 1 + (1-t) y are positive;
    the polynomial is the definition everywhere.

    Parameters
    ----------
    x, y : array or number
        Any real values; they broadcast.
    t : array or number
        The temperature; broadcasts too.

    Returns
    -------
    array or number
        Of the kind of x and y.

    References
    ----------
    Paper, deftRiem.

    Examples
    --------
    >>> from horotree.tempered import add_t
    >>> float(add_t(2.0, 3.0, t=1.0)), float(add_t(2.0, 3.0, t=0.0))
    (5.0, 11.0)
    """
    return evaluate(lambda xp, x, y, s: x + y + s * x * y, x, y, t=t)


def sub_t(x: Array, y: Array, *, t: Array = 1.0) -> Array:
    """Tempered difference ``(x - y) / (1 + (1-t) y)``, which undoes ``add_t``.

    Infinite, or NaN for x = y, where 1 + (1-t) y = 0: nothing there can be undone.

    Parameters
    ----------
    x, y : array or number
        Any real values; they broadcast.
    t : array or number
        The temperature; broadcasts too.

    Returns
    -------
    array or number
        Of the kind of x and y.

    References
    ----------
    Paper, eq:t-derivative.

    Examples
    --------
    >>> from horotree.tempered import add_t, sub_t
    >>> float(sub_t(add_t(2.0, 3.0, t=0.25), 3.0, t=0.25))
    2.0
    """
    return evaluate(lambda xp, x, y, s: (x - y) / (1.0 + s * y), x, y, t=t)


def mul_t(x: Array, y: Array, *, t: Array = 1.0) -> Array:
    """Tempered product ``exp_t(log_t(x) + log_t(y))``, i.e. ``(x^(1-t) + y^(1-t) - 1)^(1/(1-t))``.

    0 (t < 1) or inf (t > 1) where the sum of powers is not positive; NaN for a negative operand.

    Parameters
    ----------
    x, y : array or number
        Non-negative values; they broadcast.
    t : array or number
        The temperature; broadcasts too.

    Returns
    -------
    array or number
        Of the kind of x and y.

    References
    ----------
    Paper, sec:t-al-t-add.

    Examples
    --------
    >>> from horotree.tempered import mul_t
    >>> float(mul_t(2.0, 3.0, t=1.0)), round(float(mul_t(2.0, 3.0, t=0.0)), 12)
    (6.0, 4.0)
    """
    return evaluate(_mul_t, x, y, t=t)


def div_t(x: Array, y: Array, *, t: Array = 1.0) -> Array:
    """Tempered quotient ``exp_t(log_t(x) - log_t(y))``, i.e. ``(x^(1-t) - y^(1-t) + 1)^(1/(1-t))``.

    0 (t < 1) or inf (t > 1) where the sum of powers is not positive; NaN for a negative operand.

    Parameters
    ----------
    x, y : array or number
        Non-negative values; they broadcast.
    t : array or number
        The temperature; broadcasts too.

    Returns
    -------
    array or number
        Of the kind of x and y.

    References
    ----------
    Paper, sec:t-al-t-add.

    Examples
    --------
    >>> from horotree.tempered import div_t
    >>> float(div_t(6.0, 3.0, t=1.0)), round(float(div_t(6.0, 3.0, t=0.0)), 12)
    (2.0, 4.0)
    """
    return evaluate(_div_t, x, y, t=t)


def cosh_t(z: Array, *, t: Array = 1.0, negation: Negation = "tempered") -> Array:
    """Tempered hyperbolic cosine ``(exp_t(z) + exp_t(-z)) / 2``, with a choice of what -z is.

    With ``negation="tempered"`` -z is ``sub_t(0, z)``, so that exp_t(-z) = 1 / exp_t(z), and
    cosh_t(lift(z)) = cosh(z): the tempered hyperbolic theorem of Pythagoras holds, and
    cosh_t² - sinh_t² = 1. With ``negation="classical"``, the definition as printed in the
    paper, neither does unless t = 1.

    Parameters
    ----------
    z : array or number
        Any real values.
    t : array or number
        The temperature; broadcasts against z.
    negation : {"tempered", "classical"}
        The meaning of -z.

    Returns
    -------
    array or number
        Of the kind of z.

    References
    ----------
    Paper, def-cosht and lem-t-hpt.

    Examples
    --------
    >>> import math
    >>> from horotree.tempered import cosh_t, lift
    >>> float(cosh_t(lift(0.7, t=0.5), t=0.5)) - math.cosh(0.7) < 1e-15
    True
    """
    if _is_tempered(negation):
        return evaluate(lambda xp, z, s: xp.cosh(_unlift(xp, z, s)), z, t=t)
    return evaluate(_cosh_printed, z, t=t)


def sinh_t(z: Array, *, t: Array = 1.0, negation: Negation = "tempered") -> Array:
    """Tempered hyperbolic sine ``(exp_t(z) - exp_t(-z)) / 2``, with a choice of what -z is.

    See ``cosh_t`` for ``negation``.

    Parameters
    ----------
    z : array or number
        Any real values.
    t : array or number
        The temperature; broadcasts against z.
    negation : {"tempered", "classical"}
        The meaning of -z.

    Returns
    -------
    array or number
        Of the kind of z.

    Examples
    --------
    >>> from horotree.tempered import cosh_t, sinh_t
    >>> round(float(cosh_t(0.7, t=0.5) ** 2 - sinh_t(0.7, t=0.5) ** 2), 12)
    1.0
    """
    if _is_tempered(negation):
        return evaluate(lambda xp, z, s: xp.sinh(_unlift(xp, z, s)), z, t=t)
    return evaluate(_sinh_printed, z, t=t)


def _is_tempered(negation: Negation) -> bool:
    if negation not in ("tempered", "classical"):
        raise ValueError(f'negation must be "tempered" or "classical", got {negation!r}.')
    return negation == "tempered"


def _cosh_printed(xp: Any, z: Array, s: Array) -> Array:
    # Squares of roots, so that the half is taken before anything overflows.
    up = xp.exp(0.5 * _unlift(xp, z, s))
    down = xp.exp(0.5 * _unlift(xp, -z, s))
    return 0.5 * up * up + 0.5 * down * down


def _sinh_printed(xp: Any, z: Array, s: Array) -> Array:
    up, down = _unlift(xp, z, s), _unlift(xp, -z, s)
    # The difference cancels only while both exponents are small; there it is a product.
    small = (xp.abs(up) < 1.0) & (xp.abs(down) < 1.0)
    a, b = xp.where(small, up, 0.0), xp.where(small, down, 0.0)
    product = xp.exp(0.5 * (a + b)) * xp.sinh(0.5 * (a - b))
    root_up, root_down = xp.exp(0.5 * up), xp.exp(0.5 * down)
    return xp.where(small, product, 0.5 * root_up * root_up - 0.5 * root_down * root_down)
