"""The Lorentz model: points (x0, x1, ..., xn) of a hyperboloid, time x0 first.

The hyperboloid of curvature -c holds the points with x∘x = -1/c and x0 > 0, where
``x∘y = -x0 y0 + x1 y1 + ... + xn yn``. A point's space coordinates determine it; its time is
checked and then computed again from them, which is what keeps the distances of near and of far
points accurate: the inner product of two points near each other, or far out, has lost them.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from horotree._checks import Floats, check_number
from horotree.tempered import lift

from ._inputs import as_positive, check_curvature
from ._vectors import as_hyperboloid_space, as_vectors, norm, paired_vectors


class NearMetric(NamedTuple):
    """Temperature and curvature at which the Lorentzian distortion is nearly a metric."""

    t: float
    curvature: float


def inner(x: ArrayLike, y: ArrayLike) -> Floats:
    """Lorentzian inner product ``-x0 y0 + x1 y1 + ... + xn yn``.

    Parameters
    ----------
    x, y : array of shape (..., n + 1)
        Any vectors, time first.

    Returns
    -------
    array or number
        Of shape (...).

    References
    ----------
    Paper, sec:t-hyp (Lorentz model).

    Examples
    --------
    >>> from horotree.geometry import lorentz
    >>> float(lorentz.inner([2.0, 1.0], [3.0, 1.0]))
    -5.0
    """
    x, y = paired_vectors(as_vectors(x, "x"), as_vectors(y, "y"))
    products = x * y
    return np.asarray(products[..., 1:].sum(axis=-1) - products[..., 0])[()]


def distance(x: ArrayLike, y: ArrayLike, *, curvature: float = 1.0) -> Floats:
    """Geodesic distance ``arcosh(-c x∘y) / sqrt(c)``.

    Parameters
    ----------
    x, y : array of shape (..., n + 1)
        Points of the hyperboloid, time first.
    curvature : float
        The c > 0 of the hyperboloid of curvature -c.

    Returns
    -------
    array or number
        Of shape (...).

    References
    ----------
    Paper, sec:t-hyp (Lorentz model).

    Examples
    --------
    >>> import math
    >>> from horotree.geometry import lorentz
    >>> x, y = [1.0, 0.0], [math.cosh(2.0), math.sinh(2.0)]
    >>> round(float(lorentz.distance(x, y)), 12)
    2.0
    """
    along, across = _half_chord(x, y, curvature)
    root = math.sqrt(check_curvature(curvature))
    return np.asarray(2.0 / root * np.arcsinh(np.hypot(along, across)))[()]


def distortion(x: ArrayLike, y: ArrayLike, *, curvature: float = 1.0, t: ArrayLike = 1.0) -> Floats:
    """Lorentzian distortion ``d_L = -2/c - 2 x∘y = (4/c) sinh²(sqrt(c) d/2)``, and its t-self.

    d_L breaks the triangle inequality. Its t-self ``lift(d_L)`` is a metric up to an additive
    delta for the temperature and curvature of ``near_metric``; for t > 1 it is below 1/(t-1).

    Parameters
    ----------
    x, y : array of shape (..., n + 1)
        Points of the hyperboloid, time first.
    curvature : float
        The c > 0 of the hyperboloid of curvature -c.
    t : array or number
        The temperature; d_L itself at t = 1. Broadcasts against (...).

    Returns
    -------
    array or number
        Of shape (...).

    References
    ----------
    Paper, lem-d-l-metric.

    Examples
    --------
    >>> import math
    >>> from horotree.geometry import lorentz
    >>> x, y = [1.0, 0.0], [math.cosh(2.0), math.sinh(2.0)]
    >>> round(float(lorentz.distortion(x, y)), 6), round(float(lorentz.distortion(x, y, t=2.0)), 6)
    (5.524391, 0.996012)
    """
    along, across = _half_chord(x, y, curvature)
    with np.errstate(over="ignore", under="ignore"):
        classical = 4.0 / check_curvature(curvature) * (along * along + across * across)
    lifted: Floats = lift(classical, t=t)
    return lifted


def near_metric(delta: float) -> NearMetric:
    """Temperature ``t = 1 + 1/δ`` and curvature ``c = 2/δ`` with a δ-triangle inequality.

    There ``distortion(x, z) <= distortion(x, y) + distortion(y, z) + δ``. (It holds for every
    curvature: the t-self stays below 1/(t-1) = δ.)

    Parameters
    ----------
    delta : float
        The additive slack δ > 0.

    Returns
    -------
    NearMetric
        Its ``t`` and ``curvature`` are the keyword arguments of ``distortion``.

    References
    ----------
    Paper, lem-d-l-metric.

    Examples
    --------
    >>> from horotree.geometry import lorentz
    >>> lorentz.near_metric(0.5)
    NearMetric(t=3.0, curvature=4.0)
    """
    slack = float(as_positive(check_number(delta, "delta"), "delta", "pass a slack above 0"))
    return NearMetric(t=1.0 + 1.0 / slack, curvature=2.0 / slack)


def _half_chord(x: ArrayLike, y: ArrayLike, curvature: float) -> tuple[Floats, Floats]:
    """Return the radial and the angular part whose squares add up to sinh²(sqrt(c) d/2).

    With |ξ| = sinh a >= |η| = sinh b these are sinh((a-b)/2) and sqrt(sinh a sinh b) sin(Δ/2).
    Both come from ξ - η, so that points near each other keep their digits. ξ and η are sqrt(c)
    times the space coordinates; that factor comes last, because it rounds.
    """
    root = math.sqrt(check_curvature(curvature))
    one = as_hyperboloid_space(x, "x", curvature)
    two = as_hyperboloid_space(y, "y", curvature)
    one, two = paired_vectors(one, two)
    swap = (norm(one) < norm(two))[..., None]
    far, near = np.where(swap, two, one), np.where(swap, one, two)
    a, b = norm(far), norm(near)
    is_apart = a > 0.0
    share = np.divide(b, a, out=np.zeros_like(a), where=is_apart)
    apart = far - near
    middle = (0.5 * far + 0.5 * near) / np.where(is_apart, 0.5 * a + 0.5 * b, 1.0)[..., None]
    rise = (apart * middle).sum(axis=-1)  # |ξ| - |η|
    times = np.hypot(1.0, root * b) + share * np.hypot(1.0, root * a)
    gap = np.arcsinh(root * rise * (1.0 + share) / times)
    unit = near / np.where(b > 0.0, b, 1.0)[..., None]
    across = 0.5 * root * np.sqrt(share) * norm(apart - rise[..., None] * unit)
    return np.sinh(0.5 * gap), across
