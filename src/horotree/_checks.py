"""Argument checks shared by all layers: say what is wrong, what was got, how to fix it."""

import math
import numbers
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def check_number(value: object, name: str, *, hint: str = "pass a finite real number") -> float:
    """Return ``value`` as a float if it is one finite real number, else raise."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a real number, got {value!r}: {hint}.")
    if not math.isfinite(value):
        raise ValueError(f"{name} must be finite, got {value!r}: {hint}.")
    return float(value)


def check_temperature(t: object) -> float:
    """Return the temperature ``t`` as a float if it is one finite real number, else raise."""
    return check_number(t, "t", hint="t = 1 is the classical case, 0 <= t < 1 the usual range")


def as_floats(values: ArrayLike, name: str) -> Floats:
    """Return ``values`` as a float64 array without NaN, else raise."""
    try:
        array = np.asarray(values)
    except ValueError as error:  # rows of different lengths
        raise ValueError(f"{name} must be a regular array of numbers, got {values!r}.") from error
    if array.dtype.kind not in "iufb":
        raise TypeError(
            f"{name} must hold real numbers, got dtype {array.dtype}: "
            "convert it first, e.g. with numpy.asarray(values, dtype=float)."
        )
    array = array.astype(np.float64)
    if np.isnan(array).any():
        raise ValueError(f"{name} must not hold NaN: remove or impute the missing entries first.")
    return array


def as_matrix(values: ArrayLike) -> Floats:
    """Return the float64 matrix that kernels read: C-contiguous, and aligned as few are not."""
    matrix = np.ascontiguousarray(values, dtype=np.float64)
    return matrix if matrix.flags.aligned else matrix.copy()


def check_range(array: Floats, name: str, condition: Any, rule: str, fix: str) -> None:
    """Raise unless ``condition`` holds everywhere, showing the first entry that breaks it."""
    condition = np.asarray(condition)
    if not condition.all():
        got = float(np.broadcast_to(array, condition.shape)[~condition].flat[0])
        raise ValueError(f"{name} must be {rule}, got {got!r}: {fix}.")
