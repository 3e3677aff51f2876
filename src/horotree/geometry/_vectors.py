"""Vectors along the last axis: checks, and accurate sums over coordinates."""

import math

import numpy as np
from numpy.typing import ArrayLike

from horotree._checks import Floats, as_floats, check_range

from ._inputs import broadcast, check_curvature
from ._twofold import two_product, two_sum

# How far, relatively, a point's time may be off the hyperboloid: rounding, not another point.
_TOLERANCE = 1e-9


def norm(x: Floats) -> Floats:
    """Return |x|, also where the squares of the coordinates would overflow or underflow."""
    return np.asarray(np.hypot.reduce(x, axis=-1))


def dot(x: Floats, y: Floats) -> Floats:
    """Return the Euclidean inner product."""
    return np.asarray((x * y).sum(axis=-1))


def one_minus_square(x: Floats) -> Floats:
    """Return 1 - |x|² of the coordinates as given, rounded about once, for |x_i| < 1."""
    total, rest = np.ones(x.shape[:-1]), np.zeros(x.shape[:-1])
    for i in range(x.shape[-1]):
        square, error = two_product(x[..., i], x[..., i])
        total, carry = two_sum(total, -square)
        rest = rest + (carry - error)
    return np.asarray(total + rest)


def cross_product(x: Floats, y: Floats) -> float:
    """Return x1 y2 - x2 y1 of two points of the disk, rounded about once."""
    left, left_error = two_product(x[0], y[1])
    right, right_error = two_product(x[1], y[0])
    total, rest = two_sum(left, -right)
    return float(total + (rest + (left_error - right_error)))


def as_vectors(values: ArrayLike, name: str) -> Floats:
    """Return ``values`` as an array of finite vectors along its last axis, else raise."""
    array = as_floats(values, name)
    if array.ndim == 0 or array.shape[-1] == 0:
        raise ValueError(
            f"{name} must hold vectors along its last axis, got shape {array.shape}: "
            "pass an array of shape (..., number of coordinates)."
        )
    check_range(array, name, np.isfinite(array), "finite", "pass finite coordinates")
    return array


def paired_vectors(x: Floats, y: Floats, names: str = "x and y") -> tuple[Floats, Floats]:
    """Return x and y with one common shape if they have equally many coordinates, else raise."""
    if x.shape[-1] != y.shape[-1]:
        raise ValueError(
            f"{names} must have equally many coordinates, got {x.shape[-1]} and {y.shape[-1]}: "
            "pass points of one space."
        )
    x, y = broadcast(x, y, names=names)
    return x, y


def as_ball_points(values: ArrayLike, name: str) -> Floats:
    """Return ``values`` as points strictly inside the unit ball, else raise."""
    x = as_vectors(values, name)
    inside = np.asarray((np.abs(x) < 1.0).all(axis=-1))
    # Exact: a point whose norm only rounds to 1 is inside.
    inside &= one_minus_square(np.where(inside[..., None], x, 0.0)) > 0.0
    fix = "scale the points into the ball, or keep them as (distance, angle)"
    check_range(norm(x), f"the norm of {name}", inside, "below 1", fix)
    return x


def check_inside(points: Floats, what: str) -> Floats:
    """Return the points if rounding left them inside the ball, else raise."""
    if not (one_minus_square(points) > 0.0).all():
        raise ValueError(
            f"{what} rounds to the border of the ball: there are no coordinates beyond a "
            "distance of about 37 to the origin, keep (distance, angle) and use "
            "horotree.geometry.polar."
        )
    return points


def as_hyperboloid_space(values: ArrayLike, name: str, curvature: float) -> Floats:
    """Check points of the hyperboloid of curvature -c; return their space coordinates."""
    x = as_vectors(values, name)
    if x.shape[-1] < 2:
        raise ValueError(
            f"{name} must have a time and at least one space coordinate, got only "
            f"{x.shape[-1]}: pass (x0, x1, ..., xn)."
        )
    time, space = x[..., 0], x[..., 1:]
    expected = np.hypot(1.0 / math.sqrt(check_curvature(curvature)), norm(space))
    is_on = np.abs(time - expected) <= _TOLERANCE * expected
    fix = "pass x0 = sqrt(1/c + x1² + ... + xn²), and the curvature c that goes with the points"
    check_range(time, f"x0 of {name}", is_on, "on the hyperboloid", fix)
    return space
