"""What divergences share: checks, the sum with its limits at 0, and terms that don't cancel.

Terms are functions of positive arrays p and q, elementwise, each >= 0 and computed from p - q.
KL, Itakura-Saito, Tsallis and the tempered relative entropy are made of one: the area under
log_t from 1 to u = p/q. Floating-point warnings are silenced by ``sum_terms``.
"""

import functools
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from horotree._checks import Floats, as_floats, check_range

from .algebra import lift

Terms: TypeAlias = Callable[[Floats, Floats], Floats]

_SERIES_TERMS = 34  # each at most about a third of the one before: enough for a double


def check_weights(p: ArrayLike, name: str) -> Floats:
    """Return ``p`` as finite non-negative floats, else raise."""
    weights = as_floats(p, name)
    check_range(weights, name, weights >= 0.0, "non-negative", "weights can't be negative")
    check_range(weights, name, np.isfinite(weights), "finite", "weights must be finite")
    return weights


def check_vectors(x: Floats, y: Floats, names: tuple[str, str]) -> None:
    """Raise unless the last axes are equal and the others broadcast."""
    if x.ndim > 0 and x.shape == y.shape:
        return
    fits = x.ndim > 0 and y.ndim > 0 and x.shape[-1] == y.shape[-1]
    try:
        np.broadcast_shapes(x.shape, y.shape)
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"{names[0]} and {names[1]} must be vectors of one length, or arrays of such, "
            f"got shapes {x.shape} and {y.shape}: give both the same last axis."
        )


def sum_terms(p: Floats, q: Floats, terms: Terms, at_zero: Floats, at_infinity: Floats) -> Any:
    """Sum terms over the last axis; ``at_zero`` where p = 0, ``at_infinity`` where q = 0."""
    both = (p > 0.0) & (q > 0.0)
    with np.errstate(all="ignore"):  # the warnings of branches not taken, or of limits
        if both.all():
            return np.sum(terms(p, q), axis=-1)
        inner = terms(np.where(both, p, 1.0), np.where(both, q, 1.0))
        values = np.where(both, inner, np.where(p > 0.0, at_infinity, at_zero))
        return np.sum(np.where((p == 0.0) & (q == 0.0), 0.0, values), axis=-1)


def log_ratio(p: Floats, q: Floats) -> Floats:
    """Return log(p/q), also where the quotient is not representable."""
    log = np.log(p / q)
    return np.where(np.isfinite(log), log, np.log(p) - np.log(q))


def area(p: Floats, q: Floats, *, t: float) -> Floats:
    """Return q b(p/q), where b(u) is the area under log_t from 1 to u.

    b(u) = (u log_t(u) - u + 1) / (2-t) = (log_(t-1)(u) - u + 1) / (1-t), which is u log u - u + 1
    at t = 1 and u - 1 - log u at t = 2; convex, with b(1) = b'(1) = 0.
    """
    difference = p - q
    small = np.abs(difference) * max(3.0, 1.0 + abs(t)) <= q
    if not small.any():
        return _area_far(p, q, difference, t)
    near = _area_near(np.where(small, difference, 0.0), q, t)
    return near if small.all() else np.where(small, near, _area_far(p, q, difference, t))


def _area_far(p: Floats, q: Floats, difference: Floats, t: float) -> Floats:
    # Each form is used away from the temperature where it is 0/0, and on the side where its
    # powers of u overflow no sooner than the result.
    weight, order, scale = (p, t, 2.0 - t) if t <= 1.5 else (q, t - 1.0, 1.0 - t)
    lifted: Floats = lift(log_ratio(p, q), t=order)
    return (weight * lifted - difference) / scale


def _area_near(difference: Floats, q: Floats, t: float) -> Floats:
    """Return q Σ_k c_k (u - 1)^k, k >= 2: the binomial series of u^(-t), integrated twice."""
    ratio = difference / q
    coefficients = _area_coefficients(t)
    total = np.full_like(ratio, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        total = total * ratio + coefficient
    return total * ratio * difference


@functools.lru_cache(maxsize=64)
def _area_coefficients(t: float) -> tuple[float, ...]:
    coefficients = [0.5]
    for k in range(2, _SERIES_TERMS):
        coefficients.append(coefficients[-1] * (2.0 - t - k) / (k + 1.0))
    return tuple(coefficients)


def kl_terms(p: Floats, q: Floats) -> Floats:
    """Return p log(p/q) - p + q."""
    return area(p, q, t=1.0)


def reverse_kl_terms(p: Floats, q: Floats) -> Floats:
    """Return q log(q/p) - q + p."""
    return area(q, p, t=1.0)


def total_variation_terms(p: Floats, q: Floats) -> Floats:
    """Return abs(p - q) / 2."""
    return 0.5 * np.abs(p - q)


def chi2_terms(p: Floats, q: Floats) -> Floats:
    """Return (p - q)² / q."""
    return (p - q) * ((p - q) / q)


def hellinger_terms(p: Floats, q: Floats) -> Floats:
    """Return (√p - √q)² / 2."""
    difference: Floats = (p - q) / (np.sqrt(p) + np.sqrt(q))
    return 0.5 * difference * difference


def jensen_shannon_terms(p: Floats, q: Floats) -> Floats:
    """Return (p log(p/m) + q log(q/m)) / 2 with m = (p + q) / 2."""
    middle = 0.5 * p + 0.5 * q
    r: Floats = 0.5 * (p - q) / middle  # p = m (1 + r), q = m (1 - r)
    near = np.log1p(-r * r) + 2.0 * r * np.arctanh(r)
    far = _times_own_log(p / middle) + _times_own_log(q / middle)
    return 0.5 * middle * np.where(np.abs(r) < 0.5, near, far)


def _times_own_log(x: Floats) -> Floats:
    return np.where(x > 0.0, x * np.log(x), 0.0)


def itakura_saito_terms(x: Floats, y: Floats) -> Floats:
    """Return x/y - log(x/y) - 1."""
    return area(x, y, t=2.0) / y
