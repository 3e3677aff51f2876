"""The formulas of tempered algebra, written once against the array API.

Each takes the namespace ``xp``, the operands and s = 1 - t, a Python float or an array. Two
functions that are inverse to each other carry all the others:

    lift(z)   = log_t(exp(z)) = (exp(s z) - 1) / s
    unlift(z) = log(exp_t(z)) = log(1 + s z) / s

They are written so that nothing cancels as s -> 0, nothing overflows before the result does,
and their derivatives in z and in t are right at t = 1 too, where automatic differentiation
sees the series of the small branch.
"""

import math
from typing import Any

from ._arrays import Array, is_numpy

# Below this, three terms of the series are exact to the last bit of a double, and s z may be
# so small (even 0) that dividing by it would not be.
_SMALL = 4e-6


def _is_classical(s: Array) -> bool:
    return isinstance(s, float) and s == 0.0


def _times(xp: Any, s: Array, z: Array) -> Array:
    """Return s z, with 0 · inf = 0 where t = 1: there nothing is added, whatever z."""
    if isinstance(s, float):
        return s * z
    return xp.where((s == 0.0) & xp.isinf(z), 0.0, s * z)


def _nonzero(xp: Any, s: Array) -> Array:
    """Return s, with 1 for the zeros of an array: where t = 1 the quotient is not used."""
    return s if isinstance(s, float) else xp.where(s == 0.0, 1.0, s)


def _shield(xp: Any, mask: Array, z: Array, fill: float) -> Array:
    """Return z with ``fill`` at the mask, to keep a branch not taken from spoiling derivatives.

    0 · inf = NaN in automatic differentiation. NumPy takes no derivatives and is spared the cost.
    """
    return z if is_numpy(xp) or isinstance(z, float) else xp.where(mask, fill, z)


def _is_small(xp: Any, product: Array, z: Array, s: Array) -> Array:
    """Return where the series is wanted for s z or half of it.

    Derivatives in t need it around 0, and so does an array of temperatures that may hold 1. A
    NumPy value needs it only where the product of two numbers that are not 0 has lost bits.
    """
    if not (is_numpy(xp) and isinstance(s, float)):
        return xp.abs(product) < _SMALL
    info = xp.finfo(product.dtype)
    return (xp.abs(product) < info.smallest_normal / info.eps) & (z != 0.0)


def _is_idle(xp: Any, mask: Array) -> bool:
    """Return whether a branch is surely taken nowhere, so that NumPy can leave it out."""
    return is_numpy(xp) and not mask.any()


def lift(xp: Any, z: Array, s: Array) -> Array:
    if _is_classical(s):
        return +z
    # expm1(2v) = h (h + 2) with h = expm1(v): h / s cannot overflow before the result does.
    v = _times(xp, 0.5 * s, z)
    h = xp.expm1(v)
    small = _is_small(xp, v, z, s)
    if _is_idle(xp, small):
        return h / s * (h + 2.0)
    near = _shield(xp, ~small, v, 0.0)
    series = z * (1.0 + near * (0.5 + near / 6.0)) * (1.0 + 0.5 * h)
    return xp.where(small, series, _far_lift(xp, v, h, _shield(xp, small, s, 1.0)))


def _far_lift(xp: Any, v: Array, h: Array, s: Array) -> Array:
    """Return (exp(2v) - 1) / s with a derivative that does not vanish too early.

    Automatic differentiation takes exp(v) for the slope of expm1(v) in the form h + 1, which is 0
    once h has rounded to -1; so where exp(2v) is small it is used itself.
    """
    product = h / s * (h + 2.0)
    if is_numpy(xp):
        return product
    low = v < -0.5
    return xp.where(low, (xp.exp(2.0 * _shield(xp, ~low, v, -1.0)) - 1.0) / s, product)


def unlift(xp: Any, z: Array, s: Array) -> Array:
    if _is_classical(s):
        return +z
    w = _times(xp, s, z)
    outside = w <= -1.0
    some_outside = not _is_idle(xp, outside)
    log = _log1p_of_product(xp, xp.where(outside, 0.0, w) if some_outside else w, z, s)
    small = _is_small(xp, w, z, s)
    if _is_idle(xp, small):
        inside = log / s
    else:
        near = _shield(xp, ~small, w, 0.0)
        series = z * (1.0 - near * (0.5 - near / 3.0))
        inside = xp.where(small, series, log / _shield(xp, small, s, 1.0))
    return xp.where(outside, _beyond(xp, s), inside) if some_outside else inside


def _log1p_of_product(xp: Any, w: Array, z: Array, s: Array) -> Array:
    """Return log(1 + s z), given w = s z, also where the product overflows."""
    log = xp.log1p(w)
    if isinstance(s, float) and abs(s) <= 1.0:
        return log
    spilled = xp.isinf(w)
    if _is_idle(xp, spilled):
        return log
    return xp.where(spilled, xp.log1p(s * (z * 2.0**-64)) + 64.0 * math.log(2.0), log)


def _beyond(xp: Any, s: Array) -> Array:
    """Return the logarithm of exp_t outside its domain: -inf for t < 1, inf for t > 1."""
    if isinstance(s, float):
        return math.copysign(math.inf, -s)
    return xp.where(s > 0.0, xp.full_like(s, -math.inf), math.inf)


def log_t(xp: Any, z: Array, s: Array) -> Array:
    if is_numpy(xp):
        return lift(xp, xp.log(z), s)
    # At 0, where the slope of log is infinite, log_t counts as constant for derivatives.
    zero = z == 0.0
    inside = lift(xp, xp.log(xp.where(zero, 1.0, z)), s)
    return xp.where(zero, _log_of_zero(xp, s), inside)


def _log_of_zero(xp: Any, s: Array) -> Array:
    if isinstance(s, float):
        return -1.0 / s if s > 0.0 else -math.inf
    return xp.where(s > 0.0, -1.0 / _nonzero(xp, s), -math.inf)


def exp_t(xp: Any, z: Array, s: Array) -> Array:
    return xp.exp(unlift(xp, z, s))


def _is_regular(xp: Any, z: Array) -> Array:
    return xp.isfinite(z) & (xp.abs(z) >= xp.finfo(z.dtype).smallest_normal)


def _log_ratio(xp: Any, x: Array, y: Array) -> Array:
    """Return log(x / y), also where the quotient is not representable, or 0/0."""
    ratio = x / y
    log = xp.where(_is_regular(xp, ratio), xp.log(ratio), xp.log(x) - xp.log(y))
    return xp.where(x == y, 0.0, log)


def _power_sum_close(
    xp: Any, factors: tuple[Array, Array, Array], logs: tuple[Array, Array, Array], s: Array
) -> tuple[Array, Array]:
    """Return x y / n (1 - p q)^(1/s) with p = 1 - (n/x)^s, q = 1 - (n/y)^s, and |s| its error."""
    base, x, y_over_n = factors
    u, v = _times(xp, s, logs[0]), _times(xp, s, logs[1])
    pq_over_s = _times(xp, s, lift(xp, logs[0], s) * lift(xp, logs[1], s))
    pq_over_s = xp.where((logs[0] == 0.0) | (logs[1] == 0.0), 0.0, pq_over_s)  # not 0 · inf
    pq = _times(xp, s, pq_over_s)
    root = xp.exp(0.5 * unlift(xp, -pq_over_s, s))
    value = xp.where(_is_regular(xp, base), base * root * root, (x * root) * (y_over_n * root))
    left = 1.0 - pq
    growth = 1.0 + xp.maximum(u, 0.0 * u) + xp.maximum(v, 0.0 * v)
    error = xp.abs(pq) / left * growth + xp.abs(xp.log(_shield(xp, left <= 0.0, left, 1.0)))
    return value, xp.where(left > 0.0, error, math.inf)


def _power_sum_far(
    xp: Any, x: Array, y: Array, logs: tuple[Array, Array, Array], s: Array
) -> tuple[Array, Array]:
    """Return m ((o/m)^s + 1 - (n/m)^s)^(1/s), m the larger power's operand, and |s| its error."""
    n_over_x, n_over_y, y_over_x = logs
    rise = _times(xp, s, y_over_x)
    top = xp.where(rise > 0.0, y, x)
    fall = _times(xp, s, xp.where(rise > 0.0, n_over_y, n_over_x))
    other, rest = xp.exp(-xp.abs(rise)), xp.exp(fall)
    inner = other - xp.expm1(fall)
    excess = other - rest  # inner - 1
    log_inner = xp.where(
        xp.abs(excess) < 0.5,
        xp.log1p(_shield(xp, xp.abs(excess) >= 0.5, excess, 0.0)),
        xp.log(_shield(xp, inner <= 0.0, inner, 1.0)),
    )
    power = log_inner / _nonzero(xp, s)
    outside = xp.exp(xp.zeros_like(top) + _beyond(xp, s))
    error = other * (1.0 + xp.abs(rise)) + rest * (1.0 + xp.abs(fall))
    return xp.where(inner > 0.0, top * xp.exp(power), outside), error / inner + xp.abs(log_inner)


def _power_sum(
    xp: Any,
    x: Array,
    y: Array,
    factors: tuple[Array, Array, Array],
    logs: tuple[Array, Array, Array],
    s: Array,
) -> Array:
    """Return (x^s + y^s - n^s)^(1/s) for n = 1 (product) or y = 1 (quotient).

    ``factors`` are x y / n, x and y / n; ``logs`` those of n/x, n/y and y/x. There are two
    ways to write it; each element takes the one with the smaller first-order rounding error,
    which is always the first as s -> 0.
    """
    if _is_classical(s):
        return factors[0]
    close, close_error = _power_sum_close(xp, factors, logs, s)
    far, far_error = _power_sum_far(xp, x, y, logs, s)
    return xp.where(close_error <= far_error, close, far)


def mul_t(xp: Any, x: Array, y: Array, s: Array) -> Array:
    logs = (-xp.log(x), -xp.log(y), _log_ratio(xp, y, x))
    product = _power_sum(xp, x, y, (x * y, x, y), logs, s)
    return xp.where((x >= 0.0) & (y >= 0.0), product, math.nan)


def div_t(xp: Any, x: Array, y: Array, s: Array) -> Array:
    logs = (_log_ratio(xp, y, x), xp.log(y), -xp.log(x))
    quotient = _power_sum(xp, x, xp.ones_like(y), (x / y, x, 1.0 / y), logs, s)
    undefined = (x == y) & (_times(xp, s, logs[1]) == math.inf)  # inf - inf
    return xp.where((x >= 0.0) & (y >= 0.0) & ~undefined, quotient, math.nan)


def add_t(xp: Any, x: Array, y: Array, s: Array) -> Array:
    if _is_classical(s):
        return x + y
    # In this order neither the product nor the sum overflows before the result does.
    if isinstance(s, float):
        product = (s * x) * y if abs(s) <= 1.0 else s * (x * y)
    else:
        product = xp.where(xp.abs(s) <= 1.0, (s * x) * y, s * (x * y))
    total = (x + product) + y
    infinite = xp.isinf(x) | xp.isinf(y)
    if _is_idle(xp, infinite):
        return total
    # One operand's size times the other's 1 + s y: not inf - inf, nor 0 · inf.
    other = xp.where(xp.isinf(x), y, x)
    return xp.where(infinite, xp.where(xp.isinf(x), x, y) * (1.0 + _times(xp, s, other)), total)


def sub_t(xp: Any, x: Array, y: Array, s: Array) -> Array:
    if _is_classical(s):
        return x - y
    # Scaled by a power of 2 above and below, which changes nothing but that nothing overflows.
    scale = xp.where(xp.maximum(xp.abs(x), xp.abs(y)) > 1.0, 2.0**-64, xp.ones_like(x * y))
    quotient = (x * scale - y * scale) / (scale + _times(xp, s, y * scale))
    at_infinity = xp.isinf(y) & xp.isfinite(x)
    if _is_idle(xp, at_infinity):
        return quotient
    limit = -1.0 / s if isinstance(s, float) else xp.where(s == 0.0, x - y, -1.0 / _nonzero(xp, s))
    return xp.where(at_infinity, limit, quotient)


def cosh_t(xp: Any, z: Array, s: Array) -> Array:
    return xp.cosh(unlift(xp, z, s))


def sinh_t(xp: Any, z: Array, s: Array) -> Array:
    return xp.sinh(unlift(xp, z, s))


def cosh_printed(xp: Any, z: Array, s: Array) -> Array:
    # Squares of roots, so that the half is taken before anything overflows.
    up = xp.exp(0.5 * unlift(xp, z, s))
    down = xp.exp(0.5 * unlift(xp, -z, s))
    return 0.5 * up * up + 0.5 * down * down


def sinh_printed(xp: Any, z: Array, s: Array) -> Array:
    up, down = unlift(xp, z, s), unlift(xp, -z, s)
    # The difference cancels only while both exponents are small; there it is a product.
    small = (xp.abs(up) < 1.0) & (xp.abs(down) < 1.0)
    a, b = xp.where(small, up, 0.0), xp.where(small, down, 0.0)
    product = xp.exp(0.5 * (a + b)) * xp.sinh(0.5 * (a - b))
    root_up, root_down = xp.exp(0.5 * up), xp.exp(0.5 * down)
    return xp.where(small, product, 0.5 * root_up * root_up - 0.5 * root_down * root_down)
