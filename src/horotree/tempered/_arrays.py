"""From what a caller passes to what a formula takes: arrays of one library, and s = 1 - t.

The formulas of ``algebra`` are written once against the array API. This module finds the
library of the operands, brings them to one floating dtype and calls the formula; for large
NumPy operands it does so block by block, so that temporaries stay in the cache.
"""

import math
import numbers
from collections.abc import Callable
from typing import Any, TypeAlias

import array_api_compat
import numpy as np
from array_api_compat import numpy as numpy_api

from horotree._checks import check_temperature

Array: TypeAlias = Any
"""An array of any library that follows the array API, or a number."""

Formula: TypeAlias = Callable[..., Array]
"""``formula(xp, *operands, s)``: ``s`` is a Python float or an array that broadcasts."""

# Elements a block: 64 kB a float64 operand, a few of which fit in a core's second-level cache.
BLOCK = 8192


def is_numpy(xp: Any) -> bool:
    """Return whether a namespace is NumPy's."""
    return xp is numpy_api


def evaluate(formula: Formula, *operands: Array, t: Array) -> Array:
    """Apply ``formula`` to the operands at temperature ``t``, elementwise with broadcasting."""
    xp, arrays, s = prepare(*operands, t=t)
    if not is_numpy(xp):
        return formula(xp, *arrays, s)
    # Outside the domain the conventions are 0, inf and NaN in every array library alike, so the
    # floating-point warnings that only NumPy gives on the way there would be noise.
    with np.errstate(all="ignore"):
        return _evaluate_numpy(formula, arrays, s)


def prepare(*operands: Array, t: Array) -> tuple[Any, list[Array], Array]:
    """Return the operands' namespace, the operands as floating arrays, and ``s = 1 - t``."""
    arrays = [x for x in (*operands, t) if _is_array(x)]
    xp = _namespace(arrays)
    device = array_api_compat.device(arrays[0]) if arrays else None
    given = [_as_floats(xp, x, device) for x in operands]
    temperatures = check_temperature(t) if _is_number(t) else _as_floats(xp, t, device)
    typed = [x for x in (*given, temperatures) if not isinstance(x, float)]
    _check_shapes(typed)
    dtype = xp.result_type(*(x.dtype for x in typed)) if typed else xp.float64
    floats = [
        xp.asarray(x, dtype=dtype, device=device)
        if isinstance(x, float)
        else xp.astype(x, dtype, copy=False)
        for x in given
    ]
    if isinstance(temperatures, float):
        s = 1.0 - temperatures
        # What the dtype cannot distinguish from 0 must not be divided by: there t counts as 1.
        return xp, floats, s if abs(s) >= float(xp.finfo(dtype).smallest_normal) else 0.0
    _check_finite(xp, temperatures)
    return xp, floats, 1.0 - xp.astype(temperatures, dtype, copy=False)


def _evaluate_numpy(formula: Formula, arrays: list[Any], s: Any) -> Array:
    scalar_t = isinstance(s, float)
    operands = arrays if scalar_t else [*arrays, s]
    if math.prod(np.broadcast_shapes(*(x.shape for x in operands))) <= BLOCK:
        return np.asarray(formula(numpy_api, *arrays, s))[()]
    roles: Any = [*([["readonly"]] * len(operands)), ["writeonly", "allocate"]]
    blocks = np.nditer(
        [*operands, None],
        flags=["external_loop", "buffered"],
        op_flags=roles,
        op_dtypes=[arrays[0].dtype] * (len(operands) + 1),
        buffersize=BLOCK,
    )
    with blocks:
        for *block, out in blocks:
            out[...] = formula(numpy_api, *block, s) if scalar_t else formula(numpy_api, *block)
        return blocks.operands[-1]


def _namespace(arrays: list[Array]) -> Any:
    if not arrays:
        return numpy_api
    try:
        return array_api_compat.array_namespace(*arrays)
    except TypeError as error:
        modules = {type(x).__module__.split(".")[0] for x in arrays}
        kinds = ", ".join(sorted("jax" if name == "jaxlib" else name for name in modules))
        raise TypeError(
            f"all arrays must come from one library, got arrays of {kinds}: convert them to one "
            "of these first, e.g. to NumPy with numpy.asarray."
        ) from error


def _check_shapes(arrays: list[Array]) -> None:
    shapes = [tuple(x.shape) for x in arrays]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError as error:
        raise ValueError(
            f"the operands and t must broadcast, got the shapes {', '.join(map(str, shapes))}: "
            "make them equal, or add axes of length 1."
        ) from error


def _is_array(x: object) -> bool:
    # NumPy's own numbers are no arrays here: t = np.float64(0.5) must go with any library.
    return array_api_compat.is_array_api_obj(x) and not isinstance(x, np.generic)


def _is_number(x: object) -> bool:
    return not _is_array(x) and not isinstance(x, list | tuple)


def _as_floats(xp: Any, x: Array, device: Any) -> Array:
    """Return x as an array of real floats, or as a float if it is a plain number."""
    keeps_dtype = is_numpy(xp) and isinstance(x, np.floating)
    if isinstance(x, numbers.Real) and not keeps_dtype:
        return float(x)
    if isinstance(x, np.ma.MaskedArray):
        raise TypeError("masked arrays would lose their mask here: fill them first.")
    if not _is_array(x):
        x = _as_array(xp, x, device)
    kind_known = not is_numpy(xp) or x.dtype.kind in "biufc"  # not text, dates or objects
    if kind_known and xp.isdtype(x.dtype, "real floating"):
        return x
    if not kind_known or xp.isdtype(x.dtype, "complex floating"):
        raise TypeError(
            f"expected real numbers, got dtype {x.dtype} ({x!r}): convert them first, "
            "e.g. with numpy.asarray(values, dtype=float)."
        )
    return xp.astype(x, xp.asarray(0.0, device=device).dtype)


def _as_array(xp: Any, x: Any, device: Any) -> Array:
    try:
        return xp.asarray(x, device=device)
    except ValueError as error:  # rows of different lengths
        raise ValueError(f"expected a regular array of numbers, got {x!r}.") from error


def _check_finite(xp: Any, t: Array) -> None:
    try:
        finite = bool(xp.all(xp.isfinite(t)))
    except (TypeError, RuntimeError):  # inside jax.jit or torch.vmap values are not known yet
        return
    if not finite:
        raise ValueError(f"t must be finite everywhere, got {t!r}: remove the other entries.")
