"""Shares of rows, and how far such a share can be trusted."""

import numpy as np
from numpy.typing import ArrayLike

from horotree._checks import Floats, check_number


def exact_interval(
    positive: ArrayLike, count: ArrayLike, level: float = 0.95
) -> tuple[Floats, Floats]:
    """Return the exact interval of a share: that of Clopper and Pearson.

    Whatever the true share is, the interval of drawn rows holds it with probability ``level`` or
    more.

    Parameters
    ----------
    positive : array_like of int
        The rows of the class.
    count : array_like of int
        All rows.
    level : float
        The least probability to hold the true share.

    Returns
    -------
    low, high : float64 array
        NaN where there are no rows.

    Examples
    --------
    >>> from horotree.evaluation.proportions import exact_interval
    >>> low, high = exact_interval(69, 464)
    >>> round(float(low), 3), round(float(high), 3)
    (0.118, 0.184)
    """
    from scipy.special import betaincinv

    miss = 1.0 - check_number(level, "level")
    if not 0.0 < miss < 1.0:
        raise ValueError(f"level must be above 0 and below 1, got {level!r}: 0.95 is usual.")
    k, n = np.broadcast_arrays(np.asarray(positive, np.float64), np.asarray(count, np.float64))
    if ((k < 0.0) | (k > n)).any():
        raise ValueError("positive must be from 0 to count: there are no more rows than all.")
    low, high = np.zeros(k.shape), np.ones(k.shape)
    some, less = k > 0.0, k < n
    low[some] = betaincinv(k[some], (n - k)[some] + 1.0, 0.5 * miss)
    high[less] = betaincinv(k[less] + 1.0, (n - k)[less], 1.0 - 0.5 * miss)
    low[n == 0.0] = high[n == 0.0] = np.nan
    return low, high
