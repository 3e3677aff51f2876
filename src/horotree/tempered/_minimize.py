"""A search for a minimum that needs no derivatives and may run into the border of a domain."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from horotree._checks import Floats

_RESTARTS = 20


def minimize(
    total: Callable[[Floats], float], point: Floats, value: float, spread: Floats
) -> tuple[Floats, float]:
    """Return the point and value of a minimum near ``point``, whose value is ``value``.

    Nelder and Mead's method from simplices of size ``spread``, to about 1e-8 of it. Where
    ``total`` raises or is not finite counts as outside its domain.
    """
    import scipy.optimize

    sides, scale, size = 0.25 * spread, float(spread.max()), point.size
    # A simplex can collapse on the way: it is at a minimum when the next one stays there.
    for _ in range(_RESTARTS):
        options: Any = {
            "initial_simplex": np.vstack([point, point + np.diag(sides)]),
            "xatol": 1e-9 * scale,
            "fatol": math.inf,  # the size of the simplex decides
            "maxfev": 2000 * size,
            "adaptive": size > 2,
        }
        result = scipy.optimize.minimize(
            _guard(total), point, method="Nelder-Mead", options=options
        )
        moved = float(np.abs(result.x - point).max())
        if result.fun < value:
            point, value = result.x, float(result.fun)
        if result.success and moved <= 1e-7 * scale:
            return point, value
        if moved > 1e12 * scale:  # downhill without end
            break
        sides = -0.5 * sides
    raise RuntimeError(
        f"the search for the minimizer did not settle, it was at {point!r} last: "
        "pass a start nearer to it, or check that the sum of d(x_i, μ) has a minimum."
    )


def _guard(total: Callable[[Floats], float]) -> Callable[[Floats], float]:
    """Return ``total`` with infinity where it raises or is not finite."""

    def guarded(point: Floats) -> float:
        try:
            with np.errstate(all="ignore"):
                value = total(point)
        except (ValueError, ArithmeticError):
            return math.inf
        return value if math.isfinite(value) else math.inf

    return guarded
