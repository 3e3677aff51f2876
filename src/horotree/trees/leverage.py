"""What a tree is worth in an ensemble: its edge, and the leverage that follows from it."""

import numpy as np

from horotree import _native
from horotree._checks import Floats


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
    if not np.add.reduce(weights, axis=None):
        raise ZeroDivisionError("weights must not be zero everywhere.")
    value, output, weights = (np.ravel(x).astype(np.float64) for x in (value, output, weights))
    return _native.find_leverage(value, output, weights, least_rest)
