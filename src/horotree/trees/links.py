"""From scores to class probabilities: what each link of a Model means."""

from collections.abc import Callable

import numpy as np

from horotree._checks import Floats
from horotree.losses import inverse_link


def logistic(score: Floats) -> Floats:
    """Return the sigmoid of one score and its complement: shape (n,) to (n, 2)."""
    return np.stack([inverse_link(-score), inverse_link(score)], axis=-1)


def softmax(score: Floats) -> Floats:
    """Return exp(score) normalized by row."""
    share = np.exp(score - score.max(axis=-1, keepdims=True))
    return np.asarray(share / share.sum(axis=-1, keepdims=True))


def one_versus_rest(score: Floats) -> Floats:
    """Return the sigmoids normalized by row, from their logarithms: not all of them underflow."""
    return softmax(-np.logaddexp(0.0, -score))


def mean(score: Floats) -> Floats:
    """Return shares as they are, without what rounding put outside [0, 1]; two if one is given."""
    share = np.clip(score, 0.0, 1.0)
    return np.stack([1.0 - share, share], axis=-1) if share.ndim == 1 else share


LINKS: dict[str, Callable[[Floats], Floats]] = {
    "logistic": logistic,
    "softmax": softmax,
    "ovr": one_versus_rest,
    "mean": mean,
}
