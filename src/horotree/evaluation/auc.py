"""The area under the ROC curve with its interval, and the contribution of each row to it.

An AUC is the share of pairs, one row of the class and one of the others, in which the row of the
class gets the larger probability; a tie counts half. Its variance is that of DeLong, DeLong and
Clarke-Pearson (1988), written as a sum over rows. The *contribution* of a row is the difference of
the share of its own pairs and the AUC, divided by the number of rows of its kind. The differences
of the contributions to two AUCs give the variance of their difference on the same rows.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats

from .predictions import Predictions

LEVEL = 0.95
TINY = 1e-12


@dataclass(frozen=True, slots=True)
class Auc:
    """An AUC, the contributions of rows to it, and its interval; or why there is none."""

    value: float | None  # of the second of two classes, or the mean over classes that occur
    contribution: Floats  # by row; they sum to 0, their squares to the variance
    low: float | None = None  # the ends of the 95 % interval
    high: float | None = None
    reason: str = ""  # why there is no AUC, or no interval


def find_auc(predictions: Predictions) -> Auc:
    """Return the AUC of predictions with its 95 % interval.

    The interval is the hull of two. DeLong's on the scale of the logit, with Student's t for few
    rows, accounts for ties and several classes but is too narrow near 1. Newcombe's (2006,
    method 5), for two classes, is correct near 1.
    """
    counts, n = predictions.counts, len(predictions)
    present = np.flatnonzero(counts)
    if len(present) < 2:
        name = predictions.class_names[present[0]]
        return Auc(None, np.zeros(n), reason=f"all rows are of class {name}")
    ranked = [1] if len(counts) == 2 else present.tolist()
    parts = [_one_against_rest(predictions, k) for k in ranked]
    value = sum(part[0] for part in parts) / len(parts)
    contribution = np.mean([part[1] for part in parts], axis=0)
    low, high = _interval(value, contribution, predictions, [part[0] for part in parts], ranked)
    return Auc(value, contribution, low, high)


def variance_of(contribution: Floats, predictions: Predictions) -> tuple[float, float]:
    """Return the variance of a sum of contributions, and its degrees of freedom (Satterthwaite).

    Rows are sampled class by class. A class with a single row has no estimate: NaN.
    """
    variances, freedom = [], []
    for k in np.flatnonzero(predictions.counts):
        own = contribution[predictions.place == k]
        if len(own) < 2:
            return float("nan"), float("nan")
        variances.append(len(own) * float(own.var(ddof=1)))
        freedom.append(len(own) - 1.0)
    total = sum(variances)
    if total == 0.0:
        return 0.0, float("inf")
    parts = sum(v * v / f for v, f in zip(variances, freedom, strict=True))
    return total, total * total / parts


def t_quantile(freedom: float) -> float:
    """Return the number of standard errors from the center to an end of a 95 % interval."""
    from scipy.special import ndtri, stdtrit

    tail = 0.5 * (1.0 + LEVEL)
    return float(ndtri(tail) if np.isinf(freedom) else stdtrit(freedom, tail))


def _one_against_rest(predictions: Predictions, k: int) -> tuple[float, Floats]:
    """Return the AUC of a class against the rest, and the contributions of rows."""
    is_own = predictions.place == k
    own, other = _shares_of_pairs(predictions.probability[:, k], is_own)
    value = float(own.mean())
    contribution = np.empty(len(is_own))
    contribution[is_own] = (own - value) / len(own)
    contribution[~is_own] = (other - value) / len(other)
    return value, contribution


def _shares_of_pairs(probability: Floats, is_own: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return for each row the share of its pairs that are in order, a tie as half of one."""
    _, place = np.unique(probability, return_inverse=True)
    size = int(place.max()) + 1
    n_own = np.bincount(place[is_own], minlength=size)
    n_other = np.bincount(place[~is_own], minlength=size)
    twice_below = 2 * np.cumsum(n_other) - n_other  # twice the pairs won, a tie as half of one
    twice_above = 2 * (n_own.sum() - np.cumsum(n_own)) + n_own
    own = twice_below[place[is_own]] / (2.0 * n_other.sum())
    other = twice_above[place[~is_own]] / (2.0 * n_own.sum())
    return own, other


def _interval(
    value: float,
    contribution: Floats,
    predictions: Predictions,
    values: list[float],
    ranked: list[int],
) -> tuple[float, float]:
    variance, freedom = variance_of(contribution, predictions)
    ends = []
    if variance > 0.0 and 0.0 < value < 1.0:
        reach = t_quantile(freedom) * np.sqrt(variance) / (value * (1.0 - value))
        ends.append(_on_logit(value, reach))
    if not ends or len(values) == 1:
        counts, n = predictions.counts, len(predictions)
        # A mean over classes is between the lowest and the highest.
        ends += [
            _newcombe(v, int(counts[k]), int(n - counts[k]))
            for v, k in zip(values, ranked, strict=True)
        ]
    return min(low for low, _ in ends), max(high for _, high in ends)


def _on_logit(value: float, reach: float) -> tuple[float, float]:
    from scipy.special import expit, logit

    center = logit(value)
    return float(expit(center - reach)), float(expit(center + reach))


def _newcombe(value: float, n_own: int, n_other: int) -> tuple[float, float]:
    """Return the AUCs at which Hanley and McNeil's standard error just reaches this value."""
    from scipy.optimize import brentq

    z, half = t_quantile(float("inf")), 0.5 * (n_own + n_other) - 1.0

    def square(a: float) -> float:
        inner = 2.0 * half + 1.0 - 3.0 * half / ((2.0 - a) * (1.0 + a))
        return a * (1.0 - a) * inner / (n_own * n_other)

    def beyond(a: float) -> float:
        return (value - a) ** 2 - z * z * square(a)

    # The standard error is 0 at 0 and 1 as well, but these are not the ends.
    low = 0.0 if value <= 0.0 else brentq(beyond, 0.0, min(value, 1.0 - TINY))
    high = 1.0 if value >= 1.0 else brentq(beyond, max(value, TINY), 1.0)
    return float(low), float(high)
