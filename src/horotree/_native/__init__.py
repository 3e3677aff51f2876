"""The compiled kernels: functions on arrays, ``out`` last, no state.

Each takes C-contiguous float64 arrays that the caller has checked, and states in its
docstring the slow NumPy expression that it replaces; that expression is its test.
"""

from ._core import polar_distances

__all__ = ["polar_distances"]
