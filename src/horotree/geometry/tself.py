"""The Poincaré disk at temperature t: how far points are drawn out, and what t does so.

The t-self keeps the points and lifts the distances, d becomes ``lift(d, t=t)``. Read backwards:
to show a point at t-distance d it is drawn at the norm whose lifted distance is d, and the lower
t, the farther from the border.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from horotree._checks import Floats, as_floats, check_range
from horotree.tempered import lift, unlift

from ._inputs import as_distances, as_positive, broadcast
from .poincare import distance_of_norm

_LOG_10 = math.log(10.0)


def norm_t(distance: ArrayLike, *, t: ArrayLike = 1.0) -> Floats:
    """Norm at which a distance is drawn: ``(exp_t(d) - 1) / (exp_t(d) + 1)``.

    That is tanh(unlift(d)/2), and d / (d + 2) at t = 0.

    Parameters
    ----------
    distance : array or number
        Distances to the origin; for t > 1 they must be below 1/(t-1), where the t-self ends.
    t : array or number
        The temperature; broadcasts against the distance.

    Returns
    -------
    array or number
        Norms in [0, 1]; 1 where that is what they round to.

    See Also
    --------
    distance_t : The inverse.

    References
    ----------
    Paper, eqIDDDT and defembedpt.

    Examples
    --------
    >>> from horotree.geometry import tself
    >>> round(float(tself.norm_t(9.9035, t=0.7)), 4), float(tself.norm_t(8.0, t=0.0))
    (0.98, 0.8)
    """
    d = as_distances(distance, "distance")
    drawn = np.asarray(unlift(d, t=t))
    fix = "lower t: at t > 1 all distances of the t-self are smaller"
    check_range(d, "distance", np.isfinite(drawn), "below 1/(t-1)", fix)
    return np.asarray(np.tanh(0.5 * drawn))[()]


def distance_t(norm: ArrayLike, *, t: ArrayLike = 1.0) -> Floats:
    """Distance to the origin in the t-self: ``log_t((1+r) / (1-r)) = lift(2 artanh r)``.

    Parameters
    ----------
    norm : array or number
        Norms, at least 0 and below 1.
    t : array or number
        The temperature; broadcasts against the norm.

    Returns
    -------
    array or number
        Distances.

    See Also
    --------
    norm_t : The inverse.

    References
    ----------
    Paper, hypdistPD.

    Examples
    --------
    >>> from horotree.geometry import tself
    >>> round(float(tself.distance_t(0.8, t=0.0)), 12)
    8.0
    """
    lifted: Floats = lift(distance_of_norm(norm), t=t)
    return lifted


def t_for_norm(distance: ArrayLike, norm: ArrayLike) -> Floats:
    """Temperature that draws a distance at a norm: ``norm_t(distance, t=t) = norm``.

    With D = 2 artanh r, ``1-t = -1/d - W(-(D/d) exp(-D/d)) / D``, on branch -1 of Lambert's W
    where D < d (t < 1) and on branch 0 where D > d (t > 1); t = 1 where they are equal. t falls
    below 0 if even ``d / (d + 2)`` is too far out. The relative error of 1-t is a few
    eps · max(1, D/|d-D|), the last factor being how ill-conditioned t = 1 is. For D > 30 d the
    solution is as near to 1 + 1/d, where the t-self ends, as doubles get: the distance can be
    drawn at the t returned, but only roughly at the norm.

    Parameters
    ----------
    distance : array or number
        Distances to draw, positive.
    norm : array or number
        Wanted norms, above 0 and below 1.

    Returns
    -------
    array or number
        Temperatures.

    References
    ----------
    Paper, eqIDDDT.

    Examples
    --------
    >>> from horotree.geometry import tself
    >>> [round(float(tself.t_for_norm(d, 0.95)), 3) for d in (8.0, 20.7, 36.0)]
    [0.618, 0.226, 0.02]
    """
    d = as_positive(distance, "distance", "the origin is drawn at norm 0 for every t")
    r = as_floats(norm, "norm")
    fix = "the origin is at norm 0 and the border at 1: choose a norm between"
    check_range(r, "norm", (r > 0.0) & (r < 1.0), "above 0 and below 1", fix)
    d, drawn = broadcast(d, np.asarray(distance_of_norm(r)), names="distance and norm")
    return _temperature(d, drawn)


def encoding_capacity(k: ArrayLike, *, t: ArrayLike = 1.0) -> Floats:
    """Distance in the t-self of the norm ``1 - 10**-k``: ``log_t(2 · 10**k - 1)``.

    The farthest distance from the origin that k digits can encode; 37.5 for t = 1 and the 16
    digits of a double. Infinite where it overflows.

    Parameters
    ----------
    k : array or number
        Digits, not negative.
    t : array or number
        The temperature; broadcasts against k.

    Returns
    -------
    array or number
        Distances.

    References
    ----------
    Paper, def-close-enc and cont-d-poinc.

    Examples
    --------
    >>> from horotree.geometry import tself
    >>> [round(float(tself.encoding_capacity(16, t=t)), 3) for t in (1.0, 0.9, 0.5)]
    [37.535, 416.681, 282842710.475]
    """
    digits = as_floats(k, "k")
    allowed = (digits >= 0.0) & np.isfinite(digits)
    check_range(digits, "k", allowed, "finite and not negative", "pass a number of digits")
    classical = digits * _LOG_10
    few = np.log1p(2.0 * np.expm1(np.minimum(classical, _LOG_10)))
    many = classical + np.log(2.0 - np.exp(-classical))
    capacity: Floats = lift(np.where(digits < 1.0, few, many), t=t)
    return capacity


def t_for_capacity(k: ArrayLike, g: ArrayLike) -> Floats:
    """Highest t at which k digits are sure to encode the distance g: ``log(1+fg)/f = k log 10``.

    t = 1 - f. Any lower t does as well, but has the larger hyperbolic constant lift(τ). For
    f < 0 (where g < k log 10) the solution has 1 + fg > 0, which the lemma needs.

    Parameters
    ----------
    k : array or number
        Digits, positive.
    g : array or number
        The distance to reach, positive.

    Returns
    -------
    array or number
        Temperatures.

    References
    ----------
    Paper, lem-t-self-poincare.

    Examples
    --------
    >>> from horotree.geometry import tself
    >>> t = tself.t_for_capacity(16, 1000.0)
    >>> round(float(t), 6), bool(tself.encoding_capacity(16, t=t) >= 1000.0)
    (0.86707, True)
    """
    digits = as_positive(k, "k", "pass a number of digits")
    reach = as_positive(g, "g", "a distance of 0 is encoded at every t")
    digits, reach = broadcast(digits, reach, names="k and g")
    return _temperature(reach, digits * _LOG_10)


def triangle_bound_t(d_xy: ArrayLike, d_yz: ArrayLike, *, t: ArrayLike = 1.0) -> Floats:
    """Bound on a third side: ``d_xz <= d_xy + d_yz + max(0, 1-t) d_xy d_yz`` in the t-self.

    What is left of the triangle inequality for t < 1; for t >= 1 it holds unchanged.

    Parameters
    ----------
    d_xy, d_yz : array or number
        Two sides, measured in the t-self.
    t : array or number
        The temperature; all three broadcast.

    Returns
    -------
    array or number
        Upper bounds of the third side, measured in the t-self.

    References
    ----------
    Paper, lem-t-self-poincare.

    Examples
    --------
    >>> from horotree.geometry import tself
    >>> float(tself.triangle_bound_t(2.0, 3.0)), float(tself.triangle_bound_t(2.0, 3.0, t=0.0))
    (5.0, 11.0)
    """
    temperature = as_floats(t, "t")
    fix = "t = 1 is the classical case"
    check_range(temperature, "t", np.isfinite(temperature), "finite", fix)
    sides = as_distances(d_xy, "d_xy"), as_distances(d_yz, "d_yz")
    xy, yz, temperature = broadcast(*sides, temperature, names="d_xy, d_yz and t")
    with np.errstate(over="ignore"):
        return np.asarray(xy + yz + np.maximum(0.0, 1.0 - temperature) * xy * yz)[()]


def _temperature(length: Floats, drawn: Floats) -> Floats:
    """Return t with unlift(length) = drawn, as a double at which ``length`` is in the t-self."""
    t = 1.0 - _rate(length, drawn)
    # As drawn grows, t tends to 1 + 1/length, which is just too much: don't round to it.
    with np.errstate(over="ignore"):
        for _ in range(2):
            t = np.where((1.0 - t) * length <= -1.0, np.nextafter(t, -np.inf), t)
    return np.asarray(t)[()]


def _rate(length: Floats, drawn: Floats) -> Floats:
    """Return the f with log(1 + f length) / f = drawn, 0 where they are equal.

    By y = f drawn / 2 the equation is y + log(sinh y / y) = log(length / drawn), whose left side
    is increasing, convex and free of cancellation. Lambert's W solves it but for half the digits
    near y = 0, its branch point, where the right side itself is a good start instead. For f < 0,
    f length = exp(2y) - 1 keeps more digits than y does.
    """
    from scipy.special import lambertw

    difference = length - drawn
    is_close = np.abs(difference) < 0.5 * drawn
    near = np.log1p(np.where(is_close, difference, 0.0) / drawn)
    target = np.where(is_close, near, np.log(length) - np.log(drawn))
    with np.errstate(all="ignore"):
        ratio = drawn / length
        w = lambertw(-ratio * np.exp(-ratio), np.where(ratio < 1.0, -1, 0)).real
        use_w = (np.abs(target) > 0.1) & (target < 600.0)
        y = np.where(use_w, -0.5 * (ratio + w), target)
    y = np.maximum(y, -40.0)  # the result is -1 / length from -20 on
    for _ in range(4):
        y = y - (_log_mean_exp(y) - target) / _log_mean_exp_slope(y)
    return np.where(y < 0.0, np.expm1(2.0 * np.minimum(y, 0.0)) / length, 2.0 * y / drawn)


def _log_mean_exp(y: Floats) -> Floats:
    """Return y + log(sinh(y) / y) = log of the mean of exp over [0, 2y]."""
    size = np.abs(y)
    is_small = size < 1.0
    z = np.square(np.where(is_small, y, 0.0))
    excess = np.zeros_like(z)  # sinh(y) / y - 1 by Horner's rule
    for n in (15, 13, 11, 9, 7, 5, 3):
        excess = z / (n * (n - 1.0)) * (1.0 + excess)
    large = np.where(is_small, 1.0, size)
    far = np.maximum(2.0 * y, 0.0) + np.log(-np.expm1(-2.0 * large) / (2.0 * large))
    return np.where(is_small, y + np.log1p(excess), far)


def _log_mean_exp_slope(y: Floats) -> Floats:
    is_small = np.abs(y) < 1e-3
    safe = np.where(is_small, 1.0, y)
    return np.where(is_small, 1.0 + y / 3.0, 1.0 / np.tanh(safe) + (1.0 - 1.0 / safe))
