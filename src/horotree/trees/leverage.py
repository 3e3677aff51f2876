"""What a tree is worth in an ensemble: its edge, and the leverage that follows from it."""

import math

import numpy as np

from horotree._checks import Floats

# Below this, 1 - r comes from logarithms: it would lose digits, and then underflow.
TINY = 1e-300


def find_leverage(
    value: Floats, output: Floats, weights: Floats, least_rest: float = 0.0
) -> tuple[float, float]:
    """Return the edge r of a tree and its leverage ``log((1+r) / (1-r)) / R``.

    With p a leaf's posterior, h what it predicts and R the largest absolute h, r is the weighted
    mean of (2p - 1) h / R: how much better than guessing the tree is under its own posteriors. A
    large r is taken from its complement, summed without forming 1 - (2p - 1), a small one as it
    is: so the logarithm keeps its digits at both ends.

    Parameters
    ----------
    value : float64 array
        The value of each leaf, the logit of its posterior.
    output : float64 array
        What each leaf predicts: its value, or that of its host.
    weights : float64 array
        The training weight in each leaf.
    least_rest : float
        What 1 - r is at least: keeps the leverage finite where all leaves are sure.

    Returns
    -------
    edge, leverage : float
        Both 0 if no leaf predicts anything.

    References
    ----------
    Paper, defCANOLOGT.

    Examples
    --------
    >>> import numpy as np
    >>> from horotree.trees import find_leverage
    >>> value, weights = np.array([-1.0, 2.0]), np.array([3.0, 1.0])
    >>> [round(x, 4) for x in find_leverage(value, value, weights)]
    [0.3637, 0.3811]
    """
    if np.shape(weights) != np.shape(value):
        raise TypeError(
            f"weights must have one entry a leaf, got shape {np.shape(weights)} for values of "
            f"shape {np.shape(value)}."
        )
    largest = float(np.maximum.reduce(np.abs(output), axis=None))
    if largest == 0.0:
        return 0.0, 0.0
    share = output / np.copysign(largest, value)  # negative where the prediction has another sign
    size = np.abs(value)
    edge = _mean(share * np.tanh(size / 2.0), weights)
    if edge < -0.5:
        edge, leverage = find_leverage(value, -output, weights, least_rest)
        return -edge, -leverage
    if edge <= 0.5:
        return edge, 2.0 * math.atanh(edge) / largest
    decay = np.exp(-size)
    rest = (1.0 - share) + share * 2.0 * decay / (1.0 + decay)
    rest_of_edge = max(_mean(rest, weights), least_rest)
    if rest_of_edge > TINY:
        return 1.0 - rest_of_edge, math.log((2.0 - rest_of_edge) / rest_of_edge) / largest
    least = float(size.min())
    mean = _mean(np.exp(least - size), weights)
    return 1.0, (least - math.log(mean)) / largest


def _mean(values: Floats, weights: Floats) -> float:
    """Return the weighted mean: np.average to the bit, whose own checks cost more than the sums."""
    return float(np.add.reduce(values * weights, axis=None)) / float(
        np.add.reduce(weights, axis=None)
    )
