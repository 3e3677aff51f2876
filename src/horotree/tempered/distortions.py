"""Distortions and their t-self, and what carries over from one to the other.

A distortion is any function d(x, y) >= 0, infinity included, of two things; its t-self is
``lift(d(x, y))``. Being increasing, the lift keeps orders, hence geodesics, minimizers and the
data-processing inequality; convexity changes its temperatures.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from horotree._checks import Floats, as_floats, check_number, check_range, check_temperature

from ._minimize import minimize
from .algebra import lift
from .entropies import TOLERANCE
from .terms import check_weights

Distortion: TypeAlias = Callable[..., Any]
"""A function d(x, y) >= 0 of two points."""


@dataclass(frozen=True)
class TSelf:
    """The t-self of a distortion; made by ``t_self``."""

    distortion: Distortion
    t: float

    def __call__(self, x: Any, y: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the lift of ``distortion(x, y)``; further arguments go to the distortion."""
        return lift(self.distortion(x, y, *args, **kwargs), t=self.t)


def t_self(d: Distortion, *, t: float = 1.0) -> TSelf:
    """Turn a distortion d into its t-self ``d_t(x, y) = lift(d(x, y))``.

    Parameters
    ----------
    d : callable
        A function d(x, y) >= 0, with values that may be infinite: for t > 1 the lift of
        infinity is 1/(t-1), else infinity.
    t : float
        The temperature.

    Returns
    -------
    TSelf
        A function of what d is a function of, that can be pickled if d can, and serves as
        ``metric=`` of ``scipy.spatial.distance.cdist`` and
        ``sklearn.metrics.pairwise_distances``. Those take any ``metric`` to be symmetric when
        they get one set of points only; pass both sets for a d that is not.

    References
    ----------
    Paper, sec:t-hyp, the definition of the t-self.

    Examples
    --------
    >>> import math
    >>> from scipy.spatial.distance import cdist
    >>> from horotree.tempered import t_self
    >>> cdist([[0.0, 0.0]], [[3.0, 4.0]], metric=t_self(math.dist, t=2.0)).round(6).tolist()
    [[0.993262]]
    """
    _check_distortion(d)
    return TSelf(d, check_temperature(t))


def _check_distortion(d: object) -> None:
    if not callable(d):
        raise TypeError(f"d must be a function of two points, got {d!r}: pass a callable.")


def data_processing_gap(d: Distortion, p: ArrayLike, q: ArrayLike, channel: ArrayLike) -> Any:
    """Return ``d(p, q) - d(p K, q K)`` for a channel K: >= 0 if d obeys (D), data processing.

    A distortion obeys it for all p, q and K if and only if its t-self does.

    Parameters
    ----------
    d : callable
        A divergence d(p, q) of probability vectors.
    p, q : array_like
        Probability vectors of length m.
    channel : array_like
        K, of shape (m, n), with rows that are probability vectors: what becomes of each outcome.

    Returns
    -------
    float
        The gap; inf where d(p, q) is, for then nothing is asserted.

    References
    ----------
    Paper, lem-inf-prop (D).

    Examples
    --------
    >>> from horotree.tempered import data_processing_gap, kl, t_self
    >>> noisy = [[0.9, 0.1], [0.2, 0.8]]
    >>> bool(data_processing_gap(t_self(kl, t=0.5), [0.5, 0.5], [0.1, 0.9], noisy) > 0)
    True
    """
    _check_distortion(d)
    x, y = check_weights(p, "p"), check_weights(q, "q")
    matrix = check_weights(channel, "channel")
    if matrix.ndim != 2 or not x.shape[-1:] == y.shape[-1:] == matrix.shape[:1]:
        raise ValueError(
            "channel must be a matrix with one row per entry of p and q, got shapes "
            f"{matrix.shape}, {x.shape} and {y.shape}: pass (m, n) for vectors of length m."
        )
    rows = matrix.sum(axis=1)
    is_one = np.abs(rows - 1.0) <= TOLERANCE
    check_range(rows, "each row of channel", is_one, "a sum of 1", "divide each row by its sum")
    return _gap(d(x, y), d(x @ matrix, y @ matrix))


def _gap(upper: Any, lower: Any) -> Any:
    """Return upper - lower, inf where upper is."""
    with np.errstate(invalid="ignore"):  # inf - inf
        return np.where(np.isposinf(upper), np.inf, np.subtract(upper, lower))[()]


def joint_convexity_temperatures(weight: float, *, t: float = 1.0) -> tuple[float, float]:
    """Return t' = min(t, 1-λ+λt) and t'' = min(t, λ+(1-λ)t), λ the weight: both t for t <= 1.

    Parameters
    ----------
    weight : float
        λ, in [0, 1].
    t : float
        The temperature.

    Returns
    -------
    tuple of float

    References
    ----------
    Paper, lem-inf-prop (J).

    Examples
    --------
    >>> from horotree.tempered import joint_convexity_temperatures
    >>> joint_convexity_temperatures(0.25, t=3.0), joint_convexity_temperatures(0.25, t=0.5)
    ((1.5, 2.5), (0.5, 0.5))
    """
    t, w = check_temperature(t), check_number(weight, "weight")
    if not 0.0 <= w <= 1.0:
        raise ValueError(f"weight must be in [0, 1], got {w!r}: it is a share.")
    return (t, t) if t <= 1.0 else (1.0 - w + w * t, w + (1.0 - w) * t)


def joint_convexity_gap(
    d: Distortion,
    x1: ArrayLike,
    x2: ArrayLike,
    y1: ArrayLike,
    y2: ArrayLike,
    weight: float,
    *,
    t: float = 1.0,
) -> Any:
    """Return the right less the left side of (t, t', t'')-joint convexity, (J).

    That is ``λ d_t'(x1, y1) + (1-λ) d_t''(x2, y2) - d_t(λ x1 + (1-λ) x2, λ y1 + (1-λ) y2)``, with
    λ the weight and the temperatures of ``joint_convexity_temperatures``: >= 0 if d is jointly
    convex and non-negative (the converse fails). Convexity (C) in one argument is the case
    y1 = y2 (in the left one) or x1 = x2 (in the right one).

    Parameters
    ----------
    d : callable
        The classical distortion, not its t-self.
    x1, x2, y1, y2 : array_like
        Points.
    weight : float
        λ, in [0, 1].
    t : float
        The temperature.

    Returns
    -------
    float
        The gap; inf where the right side is.

    References
    ----------
    Paper, lem-inf-prop (J) and eq-jointc2.

    Examples
    --------
    >>> from horotree.tempered import joint_convexity_gap, kl
    >>> points = [0.5, 0.5], [0.1, 0.9], [0.3, 0.7], [0.8, 0.2]
    >>> bool(joint_convexity_gap(kl, *points, 0.4, t=1.5) > 0)
    True
    """
    _check_distortion(d)
    first, second = joint_convexity_temperatures(weight, t=t)
    a, b = as_floats(x1, "x1"), as_floats(x2, "x2")
    u, v = as_floats(y1, "y1"), as_floats(y2, "y2")
    if not a.shape == b.shape or not u.shape == v.shape:
        raise ValueError(
            f"x1 and x2, and y1 and y2, must have the same shape, got {a.shape}, {b.shape}, "
            f"{u.shape} and {v.shape}: pass points of one space."
        )
    w = float(weight)
    # A share of nothing adds nothing, even of an infinite distortion.
    right = w * lift(d(a, u), t=first) if w > 0.0 else 0.0
    right = right + ((1.0 - w) * lift(d(b, v), t=second) if w < 1.0 else 0.0)
    return _gap(right, lift(d(w * a + (1.0 - w) * b, w * u + (1.0 - w) * v), t=t))


class Minimum(NamedTuple):
    """A population minimizer and the tempered sum there."""

    point: Floats
    value: float


def minimizer_t(
    d: Distortion, points: ArrayLike, *, start: ArrayLike | None = None, t: float = 1.0
) -> Minimum:
    """Find the population minimizer: the μ with the smallest tempered sum of ``d_t(x_i, μ)``.

    That sum is the lift of ``Σ d(x_i, μ)``, so its minimizer is the classical one at every
    temperature, (P), and Σ d is what is minimized, by Nelder and Mead's method with restarts.
    For a Bregman divergence the minimizer is the mean of the points.

    Parameters
    ----------
    d : callable
        A distortion d(x, μ) of two vectors. Where it raises ValueError, or is not finite, is taken
        to be outside its domain.
    points : array_like
        The vectors x_i, of shape (n, m); the search is made for small m, up to about 10.
    start : array_like, optional
        Where to start; the mean of the points by default.
    t : float
        The temperature.

    Returns
    -------
    Minimum
        ``point`` μ, to about 1e-8 of the spread of the points, and ``value``, the tempered sum.

    References
    ----------
    Paper, lem-inf-prop (P) and eq-popmint.

    Examples
    --------
    >>> from horotree.tempered import generalized_kl, minimizer_t
    >>> minimizer_t(generalized_kl, [[1.0, 2.0], [3.0, 6.0]], t=0.5).point.round(6).tolist()
    [2.0, 4.0]
    """
    t = check_temperature(t)
    _check_distortion(d)
    x = as_floats(points, "points")
    if x.ndim != 2 or x.size == 0:
        raise ValueError(
            f"points must be a matrix with one point per row, got shape {x.shape}: "
            "reshape numbers to (n, 1)."
        )
    origin = x.mean(axis=0) if start is None else as_floats(start, "start")
    if origin.shape != x.shape[1:]:
        raise ValueError(
            f"start must be one point, of shape {x.shape[1:]}, got shape {origin.shape}."
        )

    def total(point: Floats) -> float:
        return math.fsum(float(d(row, point)) for row in x)

    value = total(origin)  # unguarded: a mistake in d is not the border of its domain
    if not math.isfinite(value):
        raise ValueError(
            f"the sum of d(x_i, start) must be finite, got {value!r} at {origin!r}: "
            "pass a start inside the domain of d."
        )
    spread = np.ptp(x, axis=0)
    point, value = minimize(total, origin, value, np.where(spread > 0.0, spread, 1.0))
    return Minimum(point, float(lift(value, t=t)))
