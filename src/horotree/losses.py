"""The log-loss: its Bayes risk, its canonical link, and both ways of taking its mean.

A posterior near 1 has lost its complement to rounding, a value (the logit) has not: functions here
take the complement where a caller knows it, and ``logistic_loss`` takes scores.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from horotree._checks import Floats, as_floats, check_range

# How far from 1 a posterior and its complement may sum: what rounding of weights leaves, and more.
TOLERANCE = 1e-9


def link(posterior: ArrayLike, complement: ArrayLike | None = None) -> Floats:
    """Canonical link of the log-loss, the logit: ``log(p / (1-p))``.

    Accurate to a few units in the last place everywhere, next to p = 1/2, where it vanishes, too;
    and odd: ``link(1-p) == -link(p)`` wherever 1-p is exact.

    Parameters
    ----------
    posterior : array_like
        Posteriors p in [0, 1]; at 0 and 1 the link is -inf and inf.
    complement : array_like, optional
        1 - p, if it is known better than by subtraction; it must agree to 1e-9.

    Returns
    -------
    float or ndarray

    See Also
    --------
    inverse_link : The inverse.

    References
    ----------
    Paper, defCANO.

    Examples
    --------
    >>> from horotree.losses import link
    >>> round(float(link(0.9)), 6), round(float(link(1.0, 1e-30)), 4)
    (2.197225, 69.0776)
    """
    p = _as_posteriors(posterior, "posterior")
    q = 1.0 - p if complement is None else _as_complements(complement, p)
    # 2 artanh(2p - 1) near 1/2, where the difference is exact; elsewhere one of log(1-p) and log(p)
    # is near 0. Both are taken of the smaller of p and 1-p: that makes the link odd.
    difference = 2.0 * p - 1.0 if complement is None else (p - q) / (p + q)
    small = np.minimum(p, q)
    near = small > 0.25
    with np.errstate(divide="ignore"):
        far = np.log1p(-small) - np.log(small)
    size = np.where(near, 2.0 * np.arctanh(np.where(near, np.abs(difference), 0.0)), far)
    return np.asarray(np.copysign(size, difference))[()]


def inverse_link(value: ArrayLike) -> Floats:
    """Posterior of a value, the sigmoid: ``1 / (1 + exp(-v))``.

    Accurate also where it is tiny; the complement is the posterior of -v.

    Parameters
    ----------
    value : array_like
        Logits, also infinite.

    Returns
    -------
    float or ndarray

    See Also
    --------
    link : The inverse.

    References
    ----------
    Paper, defCANO.

    Examples
    --------
    >>> from horotree.losses import inverse_link
    >>> float(inverse_link(0.0)), float(inverse_link(-700.0)) > 0.0
    (0.5, True)
    """
    v = as_floats(value, "value")
    decay = np.exp(-np.abs(v))
    return np.asarray(np.where(v >= 0.0, 1.0, decay) / (1.0 + decay))[()]


def confidence(posterior: ArrayLike, complement: ArrayLike | None = None) -> Floats:
    """Confidence of a posterior: ``|log(p / (1-p))|``, the distance of norm |2p-1| to the origin.

    Parameters
    ----------
    posterior, complement : array_like
        As in ``link``.

    Returns
    -------
    float or ndarray

    References
    ----------
    Paper, defCANOLOGB1.

    Examples
    --------
    >>> from horotree.losses import confidence
    >>> round(float(confidence(0.1)), 6)
    2.197225
    """
    return np.asarray(np.abs(link(posterior, complement)))[()]


def bayes_risk(posterior: ArrayLike) -> Floats:
    """Bayes risk of the log-loss, the entropy in nats: ``-p log p - (1-p) log(1-p)``.

    Parameters
    ----------
    posterior : array_like
        Posteriors p in [0, 1]; the risk is 0 at both ends.

    Returns
    -------
    float or ndarray

    References
    ----------
    Paper, cbrlog.

    Examples
    --------
    >>> from horotree.losses import bayes_risk
    >>> round(float(bayes_risk(0.5)), 6), float(bayes_risk(1.0))
    (0.693147, 0.0)
    """
    p = _as_posteriors(posterior, "posterior")
    risk = np.zeros_like(p)
    inside = (p > 0.0) & (p < 1.0)
    np.copyto(risk, _entropy(np.where(inside, p, 0.5)), where=inside)
    return risk[()]


def _entropy(p: Floats) -> Floats:
    """Return the entropy of 0 < p < 1; both terms are positive."""
    return -p * np.log(p) - (1.0 - p) * np.log1p(-p)


def log_loss(positive: ArrayLike, posterior: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Weighted mean log-loss: ``-Σ w log(p if positive else 1-p) / Σ w``.

    Nothing is clipped: the loss is infinite if a posterior of 0 or 1 is wrong.

    Parameters
    ----------
    positive : array_like of bool
        Which examples are of the positive class.
    posterior : array_like
        The predicted posteriors of the positive class.
    weights : array_like, optional
        What each example counts; an example of weight 0 does not count at all.

    Returns
    -------
    float

    See Also
    --------
    logistic_loss : The same from scores, without loss where posteriors round to 1.

    References
    ----------
    Paper, eqpartialloss.

    Examples
    --------
    >>> from horotree.losses import log_loss
    >>> round(log_loss([True, False], [0.9, 0.2]), 6)
    0.164252
    """
    is_positive = _as_classes(positive)
    p = _as_posteriors(posterior, "posterior")
    _check_lengths(is_positive, p, "posterior")
    with np.errstate(divide="ignore"):
        loss = -np.where(is_positive, np.log(p), np.log1p(-p))
    return _mean(loss, weights)


def logistic_loss(positive: ArrayLike, score: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Weighted mean logistic loss: ``Σ w log(1 + exp(-y F)) / Σ w`` with y = ±1.

    It is the log-loss of the posteriors ``inverse_link(F)``.

    Parameters
    ----------
    positive : array_like of bool
        Which examples are of the positive class (y = 1).
    score : array_like
        The scores F, in logits.
    weights : array_like, optional
        What each example counts; an example of weight 0 does not count at all.

    Returns
    -------
    float

    References
    ----------
    Paper, ecbrReal.

    Examples
    --------
    >>> from horotree.losses import logistic_loss
    >>> logistic_loss([True, False], [1000.0, 1000.0])
    500.0
    """
    is_positive = _as_classes(positive)
    margin = as_floats(score, "score")
    _check_lengths(is_positive, margin, "score")
    return _mean(np.logaddexp(0.0, np.where(is_positive, -margin, margin)), weights)


def _mean(loss: Floats, weights: ArrayLike | None) -> float:
    if weights is None:
        return float(loss.mean())
    w = as_floats(weights, "weights")
    _check_lengths(loss, w, "weights")
    fix = "drop the examples that shall not count, or give them weight 0"
    check_range(w, "weights", (w >= 0.0) & np.isfinite(w), "finite and not negative", fix)
    counts = w > 0.0
    if not counts.any():
        raise ValueError("weights must not all be 0: give some example a positive weight.")
    share = w[counts] / w.max()  # sums of shares cannot overflow
    return float((share * loss[counts]).sum() / share.sum())


def _as_posteriors(values: ArrayLike, name: str) -> Floats:
    p = as_floats(values, name)
    fix = "pass probabilities of the positive class; of scores, take inverse_link first"
    check_range(p, name, (p >= 0.0) & (p <= 1.0), "within [0, 1]", fix)
    return p


def _as_complements(values: ArrayLike, p: Floats) -> Floats:
    q = _as_posteriors(values, "complement")
    total = p + q
    fix = "pass 1 - posterior, or leave it out"
    check_range(total, "posterior + complement", np.abs(total - 1.0) <= TOLERANCE, "1", fix)
    return q


def _as_classes(positive: ArrayLike) -> NDArray[np.bool_]:
    array = np.asarray(positive)
    if array.ndim != 1 or len(array) == 0:
        raise ValueError(
            f"positive must be a list of classes, got shape {array.shape}: pass one entry an "
            "example, at least one."
        )
    if array.dtype.kind != "b":
        raise TypeError(
            f"positive must hold booleans, got dtype {array.dtype}: pass y == the positive class."
        )
    return array


def _check_lengths(reference: NDArray[np.generic], array: Floats, name: str) -> None:
    if array.shape != reference.shape:
        raise ValueError(
            f"{name} must have one entry an example, got shape {array.shape} for "
            f"{reference.shape[0]} examples: pass arrays of one length."
        )
