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

from horotree._checks import check_temperature

Array: TypeAlias = Any
"""An array of any library that follows the array API, or a number."""

Formula: TypeAlias = Callable[..., Array]
"""``formula(xp, *operands, s)``: ``s`` is a Python float or an array that broadcasts."""

# Elements a block: 64 kB a float64 operand, a few of which fit in a core's second-level cache.
BLOCK = 8192


def evaluate(formula: Formula, *operands: Array, t: Array) -> Array:
    """Apply ``formula`` to the operands at temperature ``t``, elementwise with broadcasting."""
    xp, arrays, s = prepare(*operands, t=t)
    if xp is not array_api_compat.numpy:
        return formula(xp, *arrays, s)
    # Outside the domain the conventions are 0, inf and NaN in every array library alike, so the
    # NumPy-only floating-point warnings on the way there would be noise.
    with np.errstate(all="ignore"):
        return _evaluate_numpy(xp, formula, arrays, s)


def prepare(*operands: Array, t: Array) -> tuple[Any, list[Array], Array]:
    """Return the operands' namespace, the operands as floating arrays, and ``s = 1 - t``."""
    arrays = [x for x in (*operands, t) if _is_array(x)]
    try:
        xp = array_api_compat.array_namespace(*arrays) if arrays else array_api_compat.numpy
    except TypeError as error:
        kinds = ", ".join(sorted({type(x).__module__.split(".")[0] for x in arrays}))
        raise TypeError(
            f"all arrays must come from one library, got arrays of {kinds}: convert them first."
        ) from error
    device = array_api_compat.device(arrays[0]) if arrays else None
    floats = [_as_floating(xp, x, device) for x in operands]
    t_floats = _as_floating(xp, t, device) if _is_array(t) or _is_sequence(t) else None
    dtypes = [x.dtype for x in floats if x is not None] + (
        [] if t_floats is None else [t_floats.dtype]
    )
    dtype = xp.result_type(*dtypes) if dtypes else xp.float64
    cast = [
        xp.asarray(_number(x), dtype=dtype, device=device)
        if f is None
        else xp.astype(f, dtype, copy=False)
        for f, x in zip(floats, operands, strict=True)
    ]
    if t_floats is None:
        return xp, cast, 1.0 - check_temperature(t)
    _check_finite_temperatures(xp, t_floats)
    return xp, cast, 1.0 - xp.astype(t_floats, dtype, copy=False)


def _evaluate_numpy(xp: Any, formula: Formula, arrays: list[Any], s: Any) -> Array:
    scalar_t = isinstance(s, float)
    operands = arrays if scalar_t else [*arrays, s]
    if math.prod(np.broadcast_shapes(*(x.shape for x in operands))) <= BLOCK:
        return np.asarray(formula(xp, *arrays, s))[()]
    blocks = np.nditer(
        [*operands, None],
        flags=["external_loop", "buffered", "delay_bufalloc", "zerosize_ok"],
        op_flags=[*([["readonly"]] * len(operands)), ["writeonly", "allocate"]],
        op_dtypes=[arrays[0].dtype] * (len(operands) + 1),
        buffersize=BLOCK,
    )
    with blocks:
        blocks.reset()
        for *block, out in blocks:
            out[...] = formula(xp, *block, s) if scalar_t else formula(xp, *block)
        return blocks.operands[-1]


def _is_array(x: object) -> bool:
    # NumPy scalars count as numbers: t=np.float64(0.5) must go with tensors of any library.
    return array_api_compat.is_array_api_obj(x) and not isinstance(x, np.generic)


def _is_sequence(x: object) -> bool:
    return isinstance(x, list | tuple)


def _number(x: object) -> float:
    if not isinstance(x, numbers.Real):
        raise TypeError(f"expected real numbers or an array of them, got {x!r}.")
    return float(x)


def _as_floating(xp: Any, x: Array, device: Any) -> Array | None:
    """Return ``x`` as an array of real floats; None for a plain number, which has no dtype."""
    if isinstance(x, numbers.Real) and not isinstance(x, np.floating):
        return None
    if not _is_array(x):
        if xp is not array_api_compat.numpy and isinstance(x, np.floating):
            return None
        x = xp.asarray(x) if device is None else xp.asarray(x, device=device)
    if xp is array_api_compat.numpy and x.dtype.kind not in "biuf":
        raise TypeError(f"expected real numbers, got an array of dtype {x.dtype}: {x!r}.")
    if xp.isdtype(x.dtype, "real floating"):
        return x
    if xp.isdtype(x.dtype, "complex floating"):
        raise TypeError(f"expected real numbers, got dtype {x.dtype}: pass the real part.")
    default = xp.asarray(0.0, device=array_api_compat.device(x)).dtype
    return xp.astype(x, default)


def _check_finite_temperatures(xp: Any, t: Array) -> None:
    try:
        finite = bool(xp.all(xp.isfinite(t)))
    except TypeError:  # a tracer: inside jax.jit the values are not known yet
        return
    if not finite:
        raise ValueError(f"t must be finite everywhere, got {t!r}.")
