"""Tsallis divergence and the tempered relative entropy, with its co-simplex.

Both are areas under log_t, summed: with ``b(u) = ∫ log_t`` from 1 to u,

    tsallis(p, q) = (2-t) Σ q b(p/q)  on the simplex
    tempered_relative_entropy(p, q) = Σ q^(2-t) b(p/q)  on the co-simplex

which have terms of one sign, computed from p - q where p and q are close. So nothing cancels
as t -> 1, where both tend to the Kullback-Leibler divergence, nor as p -> q.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from horotree._checks import Floats, check_range, check_temperature

from .algebra import lift
from .terms import area, check_vectors, check_weights, log_ratio, sum_terms

# How far from 1 a total may be: that of float32 probabilities is 1e-7 off.
TOLERANCE = 1e-6


def _check_total(total: Floats, what: str, fix: str) -> None:
    check_range(total, what, np.abs(total - 1.0) <= TOLERANCE, "1 (to 1e-6)", fix)


def check_simplex(p: Floats, name: str) -> None:
    """Raise unless the entries sum to 1 over the last axis."""
    _check_total(p.sum(axis=-1), f"the sum of {name}", f"divide {name} by its sum")


def tsallis(p: ArrayLike, q: ArrayLike, *, normalized: bool = True, t: float = 1.0) -> Any:
    """Tsallis divergence ``(Σ p (p/q)^(1-t) - 1) / (1-t)``, over the last axis.

    On the simplex it is ``Σ p log_t(p/q)``, the Kullback-Leibler divergence at t = 1, and the
    f-divergence of a generator that is convex if and only if t <= 2; it is negative for t > 2.
    It is t-additive: of product distributions it is the ``add_t`` of those of the factors.

    Parameters
    ----------
    p, q : array_like
        Non-negative vectors, or arrays of such. Where q = 0 < p a term is infinite for t <= 1;
        where p = 0 < q it is -inf for t > 2; all terms there are limits.
    normalized : bool
        Whether p and q are probability vectors, which is checked. With False they may be any
        positive measures, and the formula above is taken as it stands: as t -> 1 it has a limit
        only if the mass of p is 1, and any other at t = 1 is an error.
    t : float
        The temperature.

    Returns
    -------
    float or ndarray

    References
    ----------
    Paper, sec:t-al-t-add.

    Examples
    --------
    >>> from horotree.tempered import tsallis
    >>> round(float(tsallis([0.5, 0.5], [0.25, 0.75], t=0.0)), 12)
    0.333333333333
    >>> round(float(tsallis([0.5, 0.5], [0.25, 0.75], t=1.0)), 12)
    0.143841036226
    """
    t = check_temperature(t)
    x, y = check_weights(p, "p"), check_weights(q, "q")
    check_vectors(x, y, ("p", "q"))
    if not normalized:
        return _tsallis_of_measures(x, y, t)
    check_simplex(x, "p")
    check_simplex(y, "q")
    at_zero = 1.0 if t < 2.0 else 0.0 if t == 2.0 else -math.inf
    slope = (2.0 - t) / (t - 1.0) if t > 1.0 else math.inf
    with np.errstate(invalid="ignore"):  # 0 · inf
        limits = y * at_zero, x * slope
    return sum_terms(x, y, lambda a, b: (2.0 - t) * area(a, b, t=t), *limits)


def _tsallis_of_measures(p: Floats, q: Floats, t: float) -> Any:
    """Return Σ p log_t(p/q) + (Σ p - 1) / (1-t), which is the definition."""
    excess = p.sum(axis=-1) - 1.0
    if t == 1.0:
        _check_total(excess + 1.0, "the mass of p at t = 1", "divide p by its sum, or change t")
    at_zero = 0.0 if t < 2.0 else -1.0 if t == 2.0 else -math.inf
    with np.errstate(invalid="ignore"):  # 0 · inf
        limits = q * at_zero, p * (1.0 / (t - 1.0) if t > 1.0 else math.inf)
    total = sum_terms(p, q, lambda a, b: a * lift(log_ratio(a, b), t=t), *limits)
    return total if t == 1.0 else total + excess / (1.0 - t)


def tempered_relative_entropy(p: ArrayLike, q: ArrayLike, *, t: float = 1.0) -> Any:
    """Tempered relative entropy ``(1 - Σ p q^(1-t)) / (1-t)``, over the last axis.

    For p and q on the co-simplex, the vectors p >= 0 with ``Σ p^(2-t) = 1``; see
    ``to_cosimplex``. It is the Bregman divergence of ``z log_t z - log_(t-1) z`` and the
    Kullback-Leibler divergence at t = 1. It is (2-t)-additive: of products of such vectors it is
    the ``add_t`` of those of the factors at temperature 2 - t.

    Parameters
    ----------
    p, q : array_like
        Vectors of the co-simplex, or arrays of such; this is checked. Where q = 0 < p it is
        infinite for t >= 1.
    t : float
        The temperature, below 2.

    Returns
    -------
    float or ndarray

    References
    ----------
    Paper, sec:t-al-t-add, where the co-simplex is not defined and t-additivity is claimed.

    Examples
    --------
    >>> from horotree.tempered import tempered_relative_entropy, to_cosimplex
    >>> p, q = (to_cosimplex(v, t=0.0) for v in ([0.5, 0.5], [0.25, 0.75]))
    >>> round(float(tempered_relative_entropy(p, q, t=0.0)), 12)
    0.034074173711
    """
    t = _check_below_two(t)
    x, y = check_weights(p, "p"), check_weights(q, "q")
    check_vectors(x, y, ("p", "q"))
    for array, name in ((x, "p"), (y, "q")):
        total = np.power(array, 2.0 - t).sum(axis=-1)
        fix = "map a probability vector there with to_cosimplex"
        _check_total(total, f"the sum of {name}^(2-t) on the co-simplex", fix)
    at_zero = np.power(y, 2.0 - t) / (2.0 - t)
    at_infinity = (
        np.power(x, 2.0 - t) / ((1.0 - t) * (2.0 - t)) if t < 1.0 else np.full_like(x, math.inf)
    )
    return sum_terms(
        x, y, lambda a, b: np.power(b, 1.0 - t) * area(a, b, t=t), at_zero, at_infinity
    )


def to_cosimplex(p: ArrayLike, *, t: float = 1.0) -> Any:
    """Map probability vectors to the co-simplex ``{p >= 0: Σ p^(2-t) = 1}``: ``p^(1/(2-t))``.

    Parameters
    ----------
    p : array_like
        Probability vectors, along the last axis.
    t : float
        The temperature, below 2.

    Returns
    -------
    ndarray
        Of the shape of p.

    References
    ----------
    Paper, sec:t-al-t-add.

    Examples
    --------
    >>> from horotree.tempered import to_cosimplex
    >>> to_cosimplex([0.36, 0.64], t=0.0).round(12).tolist()
    [0.6, 0.8]
    """
    t = _check_below_two(t)
    weights = check_weights(p, "p")
    if weights.ndim == 0:
        raise ValueError(f"p must be a vector, got the number {weights.item()!r}.")
    check_simplex(weights, "p")
    return np.power(weights, 1.0 / (2.0 - t))


def _check_below_two(t: float) -> float:
    t = check_temperature(t)
    if t >= 2.0:
        raise ValueError(f"t must be below 2, got {t!r}: from there on there is no co-simplex.")
    return t
