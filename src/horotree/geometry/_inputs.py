"""Checks of arguments, with one message each: distances, angles, a curvature."""

import numpy as np
from numpy.typing import ArrayLike

from horotree._checks import Floats, as_floats, check_number, check_range


def as_distances(values: ArrayLike, name: str) -> Floats:
    """Return ``values`` as an array of finite distances >= 0, else raise."""
    array = as_floats(values, name)
    allowed = (array >= 0.0) & np.isfinite(array)
    fix = "pass hyperbolic distances, such as confidences"
    check_range(array, name, allowed, "finite and not negative", fix)
    return array


def as_angles(values: ArrayLike, name: str) -> Floats:
    """Return ``values`` as an array of finite angles, else raise."""
    array = as_floats(values, name)
    check_range(array, name, np.isfinite(array), "finite", "pass angles in radians")
    return array


def as_positive(values: ArrayLike, name: str, fix: str) -> Floats:
    """Return ``values`` as an array of finite numbers > 0, else raise."""
    array = as_floats(values, name)
    allowed = (array > 0.0) & np.isfinite(array)
    check_range(array, name, allowed, "finite and positive", fix)
    return array


def check_curvature(curvature: float) -> float:
    """Return c of the hyperboloid of curvature -c as a float if finite and positive, else raise."""
    fix = "pass c > 0 for the hyperboloid of curvature -c"
    return float(as_positive(check_number(curvature, "curvature"), "curvature", fix))


def broadcast(*arrays: Floats, names: str) -> tuple[Floats, ...]:
    """Return the arrays with one common shape, else raise."""
    try:
        return np.broadcast_arrays(*arrays)
    except ValueError as error:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise ValueError(
            f"{names} must have shapes that broadcast, got {shapes}: pass numbers or arrays of "
            "one shape."
        ) from error
