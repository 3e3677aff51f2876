"""Points of the Poincaré ball in coordinates: arrays of shape (..., n), norms below 1.

Given the coordinates, everything here is accurate to a few units in the last place: 1 - |x|² is
summed without rounding, and the formulas are arranged so that nothing cancels. What is lost is
lost before, when a point is rounded to coordinates: at distance d of the origin neighboring
doubles are about exp(d) 1e-16 apart, and beyond 37.4 there are none. That is why ``polar`` exists.
A result that would round to the border is refused, never moved inside.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from horotree._checks import Floats, as_floats, check_range

from ._arcs import GeodesicArc, geodesic_arc
from ._inputs import as_angles, as_distances, broadcast, check_curvature
from ._vectors import (
    as_ball_points,
    as_hyperboloid_space,
    as_vectors,
    check_inside,
    dot,
    norm,
    one_minus_square,
    paired_vectors,
)

__all__ = [
    "GeodesicArc",
    "distance",
    "distance_of_norm",
    "exp_map",
    "from_lorentz",
    "from_polar",
    "geodesic_arc",
    "log_map",
    "mobius_add",
    "norm_of_distance",
    "to_lorentz",
    "to_polar",
]


def norm_of_distance(distance: ArrayLike) -> Floats:
    """Norm of the points at a distance from the origin: ``tanh(d/2)``.

    From about 38 on, it rounds to 1.

    Parameters
    ----------
    distance : array or number
        Hyperbolic distances to the origin.

    Returns
    -------
    array or number
        Norms.

    References
    ----------
    Paper, hypdistPD.

    Examples
    --------
    >>> from horotree.geometry import poincare
    >>> round(float(poincare.norm_of_distance(2.0)), 6)
    0.761594
    """
    return np.asarray(np.tanh(0.5 * as_distances(distance, "distance")))[()]


def distance_of_norm(norm: ArrayLike) -> Floats:
    """Distance to the origin of the points with a norm: ``log((1+r) / (1-r)) = 2 artanh r``.

    Parameters
    ----------
    norm : array or number
        Euclidean norms, at least 0 and below 1.

    Returns
    -------
    array or number
        Hyperbolic distances.

    References
    ----------
    Paper, hypdistPD.

    Examples
    --------
    >>> from horotree.geometry import poincare
    >>> round(float(poincare.distance_of_norm(0.5)), 6)
    1.098612
    """
    r = as_floats(norm, "norm")
    fix = "the border is infinitely far: keep distances instead of norms near it"
    check_range(r, "norm", (r >= 0.0) & (r < 1.0), "in [0, 1)", fix)
    return np.asarray(2.0 * np.arctanh(r))[()]


def distance(x: ArrayLike, y: ArrayLike) -> Floats:
    """Hyperbolic distance ``2 arsinh(|x-y| / sqrt((1-|x|²) (1-|y|²)))``.

    Parameters
    ----------
    x, y : array of shape (..., n)
        Points of the ball.

    Returns
    -------
    array or number
        Of shape (...).

    Examples
    --------
    >>> from horotree.geometry import poincare
    >>> round(float(poincare.distance([0.5, 0.0], [0.0, 0.5])), 6)
    1.6807
    """
    x, p, y, q = _two_points(x, y)
    return np.asarray(_distance(x, p, y, q))[()]


def mobius_add(x: ArrayLike, y: ArrayLike) -> Floats:
    """Möbius sum of x and y: where y goes by the translation that takes the origin to x.

    ``(|w|² x + (1-|x|²) w) / (|w|² + (1-|x|²) (1-|y|²))`` with w = x + y, which equals the usual
    ``((1+2xy+|y|²) x + (1-|x|²) y) / (1+2xy+|x|²|y|²)`` and does not cancel near the border.

    Parameters
    ----------
    x, y : array of shape (..., n)
        Points of the ball.

    Returns
    -------
    array of shape (..., n)
        Points of the ball.

    Examples
    --------
    >>> from horotree.geometry import poincare
    >>> poincare.mobius_add([0.5, 0.0], [0.5, 0.0]).tolist()
    [0.8, 0.0]
    """
    x, p, y, q = _two_points(x, y)
    return check_inside(_mobius_add(x, p, y, q), "x + y")


def exp_map(x: ArrayLike, v: ArrayLike) -> Floats:
    """Walk from x along the geodesic with tangent v, for the length of v.

    ``mobius_add(x, tanh(λ|v|/2) v/|v|)`` with λ = 2 / (1-|x|²), the conformal factor: v is in
    the coordinates of the ball, its hyperbolic length is λ|v|.

    Parameters
    ----------
    x : array of shape (..., n)
        Points of the ball.
    v : array of shape (..., n)
        Tangent vectors.

    Returns
    -------
    array of shape (..., n)
        Points of the ball.

    See Also
    --------
    log_map : The inverse.

    Examples
    --------
    >>> from horotree.geometry import poincare
    >>> poincare.exp_map([0.0, 0.0], [0.0, 1.0]).round(6).tolist()
    [0.0, 0.761594]
    """
    x, v = paired_vectors(as_ball_points(x, "x"), as_vectors(v, "v"))
    p = one_minus_square(x)
    size = norm(v)
    unit = v / np.where(size == 0.0, 1.0, size)[..., None]
    with np.errstate(all="ignore"):  # a long way: tanh 1, 1/cosh² 0, and so to the border
        half = size / p
        end = _mobius_add(x, p, np.tanh(half)[..., None] * unit, np.cosh(half) ** -2.0)
    return check_inside(end, "the end point")


def log_map(x: ArrayLike, y: ArrayLike) -> Floats:
    """Tangent at x of the geodesic to y, as long as the distance of x and y.

    ``(d(x,y) / λ) u/|u|`` with u = mobius_add(-x, y) and λ = 2 / (1-|x|²), the conformal factor.

    Parameters
    ----------
    x, y : array of shape (..., n)
        Points of the ball.

    Returns
    -------
    array of shape (..., n)
        Tangent vectors at x, in the coordinates of the ball; 0 where x = y.

    See Also
    --------
    exp_map : The inverse.

    Examples
    --------
    >>> from horotree.geometry import poincare
    >>> v = poincare.log_map([0.1, 0.2], [0.3, -0.4])
    >>> poincare.exp_map([0.1, 0.2], v).round(12).tolist()
    [0.3, -0.4]
    """
    x, p, y, q = _two_points(x, y)
    w = y - x
    u = p[..., None] * w - dot(w, w)[..., None] * x
    size = norm(u)
    length = 0.5 * p * _distance(x, p, y, q)
    tangent: Floats = u * (length / np.where(size == 0.0, 1.0, size))[..., None]
    return tangent


def to_polar(x: ArrayLike) -> tuple[Floats, Floats]:
    """Distance to the origin ``2 arsinh(|x| / sqrt(1-|x|²))`` and angle of points of the disk.

    Parameters
    ----------
    x : array of shape (..., 2)
        Points of the disk.

    Returns
    -------
    distance, angle : array or number
        Of shape (...), the angle in [-π, π].

    Examples
    --------
    >>> from horotree.geometry import poincare
    >>> [round(float(z), 6) for z in poincare.to_polar([0.0, 0.5])]
    [1.098612, 1.570796]
    """
    x = as_ball_points(x, "x")
    if x.shape[-1] != 2:
        raise ValueError(
            f"x must hold points of the disk, got {x.shape[-1]} coordinates: "
            "polar coordinates are those of the plane, pass arrays of shape (..., 2)."
        )
    radius = 2.0 * np.arcsinh(norm(x) / np.sqrt(one_minus_square(x)))
    return np.asarray(radius)[()], np.asarray(np.arctan2(x[..., 1], x[..., 0]))[()]


def from_polar(distance: ArrayLike, angle: ArrayLike) -> Floats:
    """Coordinates ``tanh(d/2) (cos θ, sin θ)`` in the disk.

    Parameters
    ----------
    distance, angle : array or number
        Points in polar coordinates. Distances above about 37 are refused, where the coordinates
        round to the border.

    Returns
    -------
    array of shape (..., 2)
        Points of the disk.

    Examples
    --------
    >>> from horotree.geometry import poincare
    >>> poincare.from_polar(2.0, 0.0).round(6).tolist()
    [0.761594, 0.0]
    """
    d, theta = as_distances(distance, "distance"), as_angles(angle, "angle")
    d, theta = broadcast(d, theta, names="distance and angle")
    points = np.tanh(0.5 * d)[..., None] * np.stack([np.cos(theta), np.sin(theta)], axis=-1)
    return check_inside(points, "tanh(distance/2) (cos, sin)")


def to_lorentz(x: ArrayLike, *, curvature: float = 1.0) -> Floats:
    """Points of the hyperboloid: ``(1+|x|², 2x) / ((1-|x|²) sqrt(c))``.

    Parameters
    ----------
    x : array of shape (..., n)
        Points of the ball.
    curvature : float
        The c > 0 of the hyperboloid of curvature -c. Distances shrink by sqrt(c).

    Returns
    -------
    array of shape (..., n + 1)
        Points of the hyperboloid, time first.

    Examples
    --------
    >>> from horotree.geometry import poincare
    >>> poincare.to_lorentz([0.5, 0.0]).round(6).tolist()
    [1.666667, 1.333333, 0.0]
    """
    x = as_ball_points(x, "x")
    root = math.sqrt(check_curvature(curvature))
    p = one_minus_square(x)
    time = (1.0 + dot(x, x)) / p
    return np.concatenate([time[..., None], 2.0 * x / p[..., None]], axis=-1) / root


def from_lorentz(x: ArrayLike, *, curvature: float = 1.0) -> Floats:
    """Points of the ball: ``sqrt(c) (x1, ..., xn) / (1 + sqrt(c) x0)``.

    Parameters
    ----------
    x : array of shape (..., n + 1)
        Points of the hyperboloid, time first.
    curvature : float
        The c > 0 of the hyperboloid of curvature -c.

    Returns
    -------
    array of shape (..., n)
        Points of the ball.

    Examples
    --------
    >>> from horotree.geometry import poincare
    >>> poincare.from_lorentz(poincare.to_lorentz([0.5, 0.25])).round(12).tolist()
    [0.5, 0.25]
    """
    space = math.sqrt(check_curvature(curvature)) * as_hyperboloid_space(x, "x", curvature)
    time = np.hypot(1.0, norm(space))
    return check_inside(space / (1.0 + time)[..., None], "a point this far out")


def _two_points(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats, Floats, Floats]:
    """Return x, 1-|x|², y, 1-|y|² with one common shape."""
    one, two = paired_vectors(as_ball_points(x, "x"), as_ball_points(y, "y"))
    return one, one_minus_square(one), two, one_minus_square(two)


def _distance(x: Floats, p: Floats, y: Floats, q: Floats) -> Floats:
    return np.asarray(2.0 * np.arcsinh(norm(x - y) / (np.sqrt(p) * np.sqrt(q))))


def _mobius_add(x: Floats, p: Floats, y: Floats, q: Floats) -> Floats:
    w = x + y
    square = dot(w, w)
    return (square[..., None] * x + p[..., None] * w) / (square + p * q)[..., None]
