"""The arcs of an embedding as curves: geodesics of its disk, sampled."""

import numpy as np

from horotree._checks import Floats
from horotree.geometry import polar
from horotree.tempered import lift

from .embedding import DiskEmbedding


def sample_arcs(embedding: DiskEmbedding, n_points: int = 33) -> tuple[Floats, Floats]:
    """Return points on each arc, from parent to child, as distances and angles.

    They are points of the t-self, like the nodes: drawn at any t they follow the arc.

    Parameters
    ----------
    embedding : DiskEmbedding
        What is drawn.
    n_points : int
        Points an arc, at least 2, equally far apart.

    Returns
    -------
    distance, angle : float64 array of shape (n_arcs, n_points)
        One arc for each node but the root, in their order.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from horotree import LogLossTreeClassifier, embed, monotonic
    >>> from horotree.embedding import sample_arcs
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> embedding = embed(monotonic(LogLossTreeClassifier(max_leaf_nodes=4).fit(X, y).tree_))
    >>> distance, angle = sample_arcs(embedding, 3)
    >>> distance.shape == (len(embedding) - 1, 3)
    True
    """
    if n_points < 2:
        raise ValueError(f"n_points must be at least 2, got {n_points}: an arc has two ends.")
    drawn, angle, parent = embedding.drawn(), embedding.angle, embedding.monotonic.parent[1:]
    a, alpha, b, beta = drawn[parent], angle[parent], drawn[1:], angle[1:]
    length = np.asarray(polar.distance(a, alpha, b, beta))[:, None]
    share = np.linspace(0.0, 1.0, n_points)
    # Points of a geodesic are combinations of its ends on the hyperboloid, whose coordinates across
    # are sinh(a) (cos, sin); all are divided by exp(largest a), which may overflow.
    start, end = _weights(length, share)
    largest = np.maximum(a, b)[:, None]
    near, far = (
        0.5 * (np.exp(r - largest) - np.exp(-r - largest)) for r in (a[:, None], b[:, None])
    )
    x = start * near * np.cos(alpha)[:, None] + end * far * np.cos(beta)[:, None]
    y = start * near * np.sin(alpha)[:, None] + end * far * np.sin(beta)[:, None]
    distance = np.asarray(lift(_grown_arcsinh(np.hypot(x, y), largest), t=embedding.t))
    bend = np.arctan2(y, x)
    # The ends to the last bit, so that arcs and nodes meet.
    distance[:, 0], distance[:, -1] = embedding.distance[parent], embedding.distance[1:]
    bend[:, 0], bend[:, -1] = alpha, beta
    return distance, bend


def _weights(length: Floats, share: Floats) -> tuple[Floats, Floats]:
    """Return sinh((1-s) d) / sinh(d) and sinh(s d) / sinh(d), and 1-s and s for tiny d."""
    tiny = length < 1e-6
    d = np.where(tiny, 1.0, length)
    rest = -np.expm1(-2.0 * d)

    def ratio(s: Floats) -> Floats:
        return np.where(tiny, s, np.exp((s - 1.0) * d) * -np.expm1(-2.0 * s * d) / rest)

    return ratio(1.0 - share), ratio(share)


def _grown_arcsinh(x: Floats, power: Floats) -> Floats:
    """Return arsinh(x exp(power)), whatever the power; where it is large, arsinh z = log 2z."""
    large = power > 300.0
    with np.errstate(divide="ignore"):
        far = power + np.log(2.0 * x)
    return np.where(
        large, np.maximum(far, 0.0), np.arcsinh(x * np.exp(np.where(large, 0.0, power)))
    )
