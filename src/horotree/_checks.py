"""Argument checks shared by all layers: say what is wrong, what was got, how to fix it."""

import math
import numbers
import os
import sys
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


def n_threads_of(n_jobs: int | None) -> int:
    """Return how many threads ``n_jobs`` asks for, as in scikit-learn.

    Parameters
    ----------
    n_jobs : int or None
        So many, -1 for all cores, -2 for all but one, ...; None for 1, or what joblib's context
        says. A worker process of joblib has its share of the cores.

    Returns
    -------
    int
    """
    check_n_jobs(n_jobs)
    if n_jobs is None and "joblib" not in sys.modules:
        return 1  # without joblib there is no context of it
    import joblib
    from joblib.parallel import get_active_backend

    # Dask's backend always answers with the cores of the whole cluster.
    on_cluster = type(get_active_backend()[0]).__name__ == "DaskDistributedBackend"
    if n_jobs is None or n_jobs > 0:
        return n_jobs or 1 if on_cluster else int(joblib.effective_n_jobs(n_jobs))
    available = int(joblib.cpu_count() if on_cluster else joblib.effective_n_jobs(-1))
    # This is where joblib leaves a worker process its share of the cores.
    share = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if share.isdigit() and int(share) > 0:
        available = min(available, int(share))
    return max(1, available + 1 + n_jobs)


def check_n_jobs(value: object, name: str = "n_jobs") -> None:
    """Raise unless ``value`` is None or an integer other than 0."""
    is_integer = isinstance(value, numbers.Integral) and not isinstance(value, bool | np.bool_)
    if value is not None and not (is_integer and 0 < abs(value) < 2**31):  # type: ignore[arg-type]
        raise ValueError(
            f"{name} must be None or an integer other than 0, got {value!r}: pass the number of "
            "threads, -1 for all cores, or None for 1 (or what joblib's context says)."
        )
