"""Shares of rows and their exact intervals."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from horotree._checks import Floats, check_number
from horotree._frozen import freeze


class Shares:
    """Mixin of tables with ``positive`` of ``count`` rows: their share and its interval."""

    __slots__ = ()
    count: NDArray[np.int64]
    positive: NDArray[np.int64]

    @cached_property
    def share(self) -> Floats:
        """The share of the class among the rows; NaN without rows."""
        return freeze(divide(self.positive, self.count))

    @cached_property
    def _interval(self) -> tuple[Floats, Floats]:
        return exact_interval(self.positive, self.count)

    @property
    def low(self) -> Floats:
        """The low end of the exact 95 % interval of the share."""
        return self._interval[0]

    @property
    def high(self) -> Floats:
        """The high end of the exact 95 % interval of the share."""
        return self._interval[1]


def divide(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    """Return quotients; NaN where the divisor is not positive."""
    known = np.asarray(whole) > 0.0
    return np.asarray(np.divide(part, whole, out=np.full(len(whole), np.nan), where=known))


def check_miss(level: float) -> float:
    """Return 1 - level, the probability of a miss; raise unless it is between 0 and 1."""
    miss = 1.0 - check_number(level, "level")
    if not 0.0 < miss < 1.0:
        raise ValueError(f"level must be above 0 and below 1, got {level!r}: 0.95 is usual.")
    return miss


def exact_interval(
    positive: ArrayLike, count: ArrayLike, level: float = 0.95
) -> tuple[Floats, Floats]:
    """Return the ends of the exact interval of a share (Clopper and Pearson); NaN without rows.

    Whatever the true share is, the interval contains it with probability ``level`` or more.

    Examples
    --------
    >>> from horotree.evaluation.proportions import exact_interval
    >>> low, high = exact_interval(69, 464)
    >>> round(float(low), 3), round(float(high), 3)
    (0.118, 0.184)
    """
    from scipy.special import betaincinv

    miss = check_miss(level)
    k, n = np.broadcast_arrays(np.asarray(positive, np.float64), np.asarray(count, np.float64))
    if ((k < 0.0) | (k > n)).any():
        raise ValueError("positive must be from 0 to count: there are no more rows than all.")
    low, high = np.zeros(k.shape), np.ones(k.shape)
    some, less = k > 0.0, k < n
    low[some] = betaincinv(k[some], (n - k)[some] + 1.0, 0.5 * miss)
    high[less] = betaincinv(k[less] + 1.0, (n - k)[less], 1.0 - 0.5 * miss)
    low[n == 0.0] = high[n == 0.0] = np.nan
    return low, high
