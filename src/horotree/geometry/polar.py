"""Points of the hyperbolic plane as (distance to the origin, angle): accurate at any radius.

Coordinates in the disk end at distance 37 and lose digits long before; a distance and an angle
do not. Every function is a formula in which nothing cancels and nothing overflows before the
result: for the numbers as given, the relative error is below 1e-14 for radii to 1000 and angle
differences down to 1e-12 (the exceptions are stated where they are). Angles are in radians,
counterclockwise, and need not be reduced; differences of angles are taken exactly. All arguments
broadcast.

With a and b the distances and Δ the difference of the angles of two points:

    sinh²(d/2) = sinh²((a-b)/2) + sinh a sinh b sin²(Δ/2)
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from horotree import _native
from horotree._checks import Floats, check_range

from ._inputs import as_angles, as_distances, broadcast
from ._turns import grow, half_turn, tanh_and_rest, toward
from ._twofold import two_sum

# π/2 to twice the precision of a double.
_HALF_PI = (math.pi / 2.0, 6.123233995736766e-17)


def distance(
    distance_1: ArrayLike, angle_1: ArrayLike, distance_2: ArrayLike, angle_2: ArrayLike
) -> Floats:
    """Hyperbolic distance ``2 arsinh sqrt(sinh²((a-b)/2) + sinh a sinh b sin²(Δ/2))``.

    Exact on one ray, so that the distance to the origin is the distance stored.

    Parameters
    ----------
    distance_1, angle_1 : array or number
        The first points.
    distance_2, angle_2 : array or number
        The second points.

    Returns
    -------
    array or number
        Of the common shape.

    References
    ----------
    Paper, hypdistPD (the distance to the origin).

    Examples
    --------
    >>> from horotree.geometry import polar
    >>> float(polar.distance(5.0, 0.3, 0.0, 0.0))
    5.0
    >>> round(float(polar.distance(5.0, 0.0, 5.0, 3.141592653589793 / 2)), 6)
    9.306944
    """
    points = _two_points(distance_1, angle_1, distance_2, angle_2)
    return _distance(*points)


def direction(
    distance_1: ArrayLike, angle_1: ArrayLike, distance_2: ArrayLike, angle_2: ArrayLike
) -> Floats:
    """Angle at the first point, from outward, of the geodesic to the second point.

    ``atan2(sinh b sin Δ, sinh(b-a) - 2 sinh b cosh a sin²(Δ/2))``: 0 is outward, π towards the
    origin, positive counterclockwise. At the origin outward means along ``angle_1``. If the two
    points are equal there is no direction, and the result is 0. Near ±π, where the result itself
    holds no more, the error is absolute.

    Parameters
    ----------
    distance_1, angle_1 : array or number
        The points looked from.
    distance_2, angle_2 : array or number
        The points looked at.

    Returns
    -------
    array or number
        Angles in [-π, π].

    Examples
    --------
    >>> from horotree.geometry import polar
    >>> float(polar.direction(2.0, 0.0, 3.0, 0.0)), float(polar.direction(2.0, 0.0, 1.0, 0.0))
    (0.0, 3.141592653589793)
    >>> round(float(polar.direction(2.0, 0.0, 2.0, 0.1)), 6)
    1.756885
    """
    a, alpha, b, beta = _two_points(distance_1, angle_1, distance_2, angle_2)
    y, x = toward(a, b, *half_turn(beta, alpha))
    return np.asarray(np.arctan2(y, x))[()]


def ideal_direction(distance: ArrayLike, offset: ArrayLike) -> Floats:
    """Angle at a point, from outward, of the ray to an ideal point: ``2 atan(exp(a) tan(α/2))``.

    Parameters
    ----------
    distance : array or number
        Distance a of the point to the origin.
    offset : array or number
        Angle α of the ideal point minus that of the point, modulo 2π.

    Returns
    -------
    array or number
        Angles in [-π, π].

    See Also
    --------
    ideal_offset : The inverse.

    Examples
    --------
    >>> from horotree.geometry import polar
    >>> float(polar.ideal_direction(0.0, 0.5))
    0.5
    >>> round(float(polar.ideal_direction(3.0, 0.1)), 6)
    1.575898
    """
    a, alpha = _distance_and_angle(distance, offset, "distance", "offset")
    with np.errstate(all="ignore"):
        return np.asarray(2.0 * np.arctan(grow(np.tan(0.5 * alpha), a)))[()]


def ideal_offset(distance: ArrayLike, direction: ArrayLike) -> Floats:
    """Angle of the ideal end of a ray, minus that of its start: ``2 atan(exp(-a) tan(φ/2))``.

    Parameters
    ----------
    distance : array or number
        Distance a of the start to the origin.
    direction : array or number
        Angle φ of the ray from outward, modulo 2π.

    Returns
    -------
    array or number
        Angles in [-π, π].

    See Also
    --------
    ideal_direction : The inverse.

    Examples
    --------
    >>> from horotree.geometry import polar
    >>> float(polar.ideal_offset(0.0, 0.5))
    0.5
    >>> round(float(polar.ideal_offset(3.0, 1.575898)), 6)
    0.1
    """
    a, phi = _distance_and_angle(distance, direction, "distance", "direction")
    with np.errstate(all="ignore"):
        return np.asarray(2.0 * np.arctan(grow(np.tan(0.5 * phi), -a)))[()]


def ray_offset(distance: ArrayLike, direction: ArrayLike, radius: ArrayLike) -> Floats:
    """Angle at which a ray reaches a radius, minus that of its start.

    For a ray that leaves (b, 0) at angle φ from outward and a radius a >= b, with
    K² = sinh(a-b) sinh(a+b) / sinh² a and C = hypot(cos φ, K sin φ):

        tan(δ/2) = sin φ sinh(a-b) / (sinh a (C + cos φ))        cos φ >= 0
                 = (C - cos φ) sinh a / (sin φ sinh(a+b))        otherwise

    Such a radius is reached once, except a = b by a ray that first goes inward: then δ is where
    it comes out again. At the origin δ = φ.

    Parameters
    ----------
    distance : array or number
        Distance b of the start to the origin.
    direction : array or number
        Angle φ of the ray from outward.
    radius : array or number
        Distance a to the origin at which to look, not below ``distance``.

    Returns
    -------
    array or number
        Angles in [-π, π], of the sign of sin φ.

    Examples
    --------
    >>> from horotree.geometry import polar
    >>> offset = polar.ray_offset(1.0, 0.7, 2.5)
    >>> round(float(offset), 6), round(float(polar.direction(1.0, 0.0, 2.5, offset)), 12)
    (0.256664, 0.7)
    """
    b, phi = as_distances(distance, "distance"), as_angles(direction, "direction")
    a = as_distances(radius, "radius")
    b, phi, a = broadcast(b, phi, a, names="distance, direction and radius")
    fix = "a ray may miss smaller circles or meet them twice"
    check_range(a, "radius", a >= b, "at least the distance of the ray's start", fix)
    sin, cos = np.sin(phi), np.cos(phi)
    at, gap, both = (-np.expm1(-2.0 * x) for x in (a, a - b, a + b))
    shrink = np.exp(-0.5 * b)  # twice, so that the last step alone may underflow
    with np.errstate(all="ignore"):
        g = np.hypot(cos, np.sqrt(gap / at * (both / at)) * sin)
        outward = (sin * (gap / at) * shrink) / (g + cos)
        inward = (at / both * shrink) * (g - cos) / sin
        delta = 2.0 * np.arctan(np.where(cos >= 0.0, outward, inward) * shrink)
    # From the origin every radius is reached at φ; radius 0 too, where the above is 0/0.
    return np.asarray(np.where(b == 0.0, np.arctan2(sin, cos), delta))[()]


def orientation(
    distance_1: ArrayLike,
    angle_1: ArrayLike,
    distance_2: ArrayLike,
    angle_2: ArrayLike,
    distance_3: ArrayLike,
    angle_3: ArrayLike,
) -> Floats:
    """Side on which the third point lies: > 0 where the three turn counterclockwise.

    Twice the signed area of the triangle in the Klein disk, where geodesics are chords. With
    T = tanh a, c = 1 - T = 2 / (exp(2a) + 1), α = θ2 - θ1, β = θ3 - θ2:

        T1 T2 T3 4 sin(α/2) sin(β/2) sin((α+β)/2)
        + c3 T1 T2 sin α + c1 T2 T3 sin β - c2 T1 T3 sin(α+β)

    The error is below 1e-14 times the sum of the absolute terms; below that the points are on
    one geodesic up to rounding. The c of radii above 370 underflow.

    Parameters
    ----------
    distance_1, angle_1, distance_2, angle_2, distance_3, angle_3 : array or number
        The three points.

    Returns
    -------
    array or number
        Of the common shape.

    Examples
    --------
    >>> from horotree.geometry import polar
    >>> float(polar.orientation(1.0, 0.0, 1.0, 2.0, 1.0, 4.0)) > 0
    True
    >>> float(polar.orientation(1.0, 0.0, 2.0, 0.0, 3.0, 0.0))
    0.0
    """
    names = ("distance_1", "angle_1", "distance_2", "angle_2", "distance_3", "angle_3")
    given = (distance_1, angle_1, distance_2, angle_2, distance_3, angle_3)
    a1, theta1, a2, theta2, a3, theta3 = _points(names, given)
    (t1, c1), (t2, c2), (t3, c3) = (tanh_and_rest(a) for a in (a1, a2, a3))
    sin_12, cos_12 = half_turn(theta2, theta1)
    sin_23, cos_23 = half_turn(theta3, theta2)
    sin_13, cos_13 = half_turn(theta3, theta1)
    border = 4.0 * (t1 * t2 * t3) * (sin_12 * sin_23 * sin_13)
    third = c3 * t1 * t2 * (2.0 * sin_12 * cos_12)
    first = c1 * t2 * t3 * (2.0 * sin_23 * cos_23)
    second = c2 * t1 * t3 * (2.0 * sin_13 * cos_13)
    return np.asarray(border + ((third + first) - second))[()]


def translate(
    distance: ArrayLike, angle: ArrayLike, by_distance: ArrayLike, by_angle: ArrayLike
) -> tuple[Floats, Floats]:
    """Move points by the Möbius translation that takes the origin to (by_distance, by_angle).

    The isometry that moves along the diameter through that point. Its inverse is the
    translation by (by_distance, by_angle + π).

    Parameters
    ----------
    distance, angle : array or number
        The points.
    by_distance, by_angle : array or number
        Where the origin goes.

    Returns
    -------
    distance, angle : array or number
        The images; angles in ``by_angle`` ± π, and ``by_angle`` where the image is the origin.

    See Also
    --------
    horotree.geometry.poincare.mobius_add : The same in disk coordinates.

    Examples
    --------
    >>> from horotree.geometry import polar
    >>> [float(x) for x in polar.translate(0.0, 0.0, 2.0, 0.5)]
    [2.0, 0.5]
    >>> [round(float(x), 6) for x in polar.translate(1.0, 2.0, 1.5, 0.0)]
    [1.604684, 0.464027]
    """
    names = ("distance", "angle", "by_distance", "by_angle")
    b, beta, r, rho = _points(names, (distance, angle, by_distance, by_angle))
    # The image of z has the place that z has as seen from -c = (r, rho + π), the point that goes
    # to the origin. π is taken off the half difference to twice the precision of a double.
    high, low = two_sum(0.5 * beta, -0.5 * rho)
    high, rest = two_sum(high, np.full_like(high, -_HALF_PI[0]))
    high, low = two_sum(high, rest + (low - _HALF_PI[1]))
    moved = np.asarray(_distance(b, 2.0 * high, r, -2.0 * low))
    sin, cos = np.sin(high), np.cos(high)
    y, x = toward(r, b, sin + low * cos, cos - low * sin)
    turned = np.where(moved == 0.0, 0.0, np.arctan2(-y, -x))
    return moved[()], np.asarray(rho + turned)[()]


def _points(names: tuple[str, ...], given: tuple[ArrayLike, ...]) -> tuple[Floats, ...]:
    """Check alternating distances and angles, and bring them to one shape."""
    checks = (as_distances, as_angles) * (len(names) // 2)
    arrays = [check(x, name) for check, x, name in zip(checks, given, names, strict=True)]
    return broadcast(*arrays, names=", ".join(names))


def _two_points(
    distance_1: ArrayLike, angle_1: ArrayLike, distance_2: ArrayLike, angle_2: ArrayLike
) -> tuple[Floats, ...]:
    names = ("distance_1", "angle_1", "distance_2", "angle_2")
    return _points(names, (distance_1, angle_1, distance_2, angle_2))


def _distance_and_angle(
    distance: ArrayLike, angle: ArrayLike, *names: str
) -> tuple[Floats, Floats]:
    a, alpha = _points(names, (distance, angle))
    return a, alpha


def _distance(a: Floats, alpha: Floats, b: Floats, beta: Floats) -> Floats:
    """Call the kernel on checked arrays of one shape."""
    out = np.empty(a.shape)
    a, alpha, b, beta = (np.ascontiguousarray(x).reshape(-1) for x in (a, alpha, b, beta))
    _native.polar_distances(a, alpha, b, beta, out=out.reshape(-1))
    return np.asarray(out)[()]
