"""Slow, literal LogisticBoost: scores, weights, posteriors, edge and leverage by their formulas.

The only concession to the fast one: weights are rounded to 30 bits before a tree is grown, so that
their sums are exact and equal splits are equal for both.
"""

import math
from dataclasses import dataclass

import numpy as np

from .induction import Induction, grow, leaf_of_rows


@dataclass
class Round:
    """One tree: its nodes, what each of them predicts, and what the tree is worth."""

    nodes: list
    posterior: list[float]
    value: list[float]
    weight: list[float]
    edge: float
    leverage: float  # without the learning rate
    score: np.ndarray  # of all examples, after this tree


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def fixed_point(weights):
    """Return integers and the unit such that their product is close to the weights."""
    _, exponent = math.frexp(max(weights))
    unit = 2.0 ** (exponent - 30)
    return np.floor(weights / unit + 0.5).astype(np.int64), unit


def posteriors(induction, nodes, unit, smoothing):
    """Return p = (W+ + M q) / (W + M) for all nodes, where q is the host's, 1/2 above the root.

    The host is the last node above that is more confident than all before it.
    """
    p, host = [], []
    for v, node in enumerate(nodes):
        above = p[host[node.parent]] if node.parent >= 0 else 0.5
        positive = induction.weight(node.rows, of=True) * unit
        weight = induction.weight(node.rows) * unit
        p.append((positive + smoothing * above) / (weight + smoothing))
        is_kept = node.parent < 0 or abs(logit(p[v])) > abs(logit(above)) * (1.0 + 1e-12)
        host.append(v if is_kept else host[node.parent])
    return p


def logit(p):
    return math.log(p / (1.0 - p))


def edge_of(leaves, posterior, value, weight):
    """Return r = sum W (2p - 1) h / (R sum W) over the leaves, R the largest |h|."""
    R = max(abs(value[v]) for v in leaves)
    if R == 0.0:
        return 0.0, R
    total = math.fsum(weight[v] for v in leaves)
    r = math.fsum(weight[v] * (2.0 * posterior[v] - 1.0) * value[v] for v in leaves) / (R * total)
    return r, R


def boost(
    X,
    positive,
    sample_weight,
    n_categories,
    *,
    n_estimators,
    learning_rate=0.5,
    smoothing=20.0,
    **rules,
):
    """Boost: w = sigmoid(-y F); a tree on w; alpha = log((1 + r)/(1 - r)) / R; F += nu alpha H."""
    y = np.where(positive, 1.0, -1.0)
    F = np.zeros(len(X))
    rounds = []
    for _ in range(n_estimators):
        weights, unit = fixed_point(sample_weight * sigmoid(-y * F))
        induction = Induction(X, positive, weights, n_categories, **rules)
        nodes = grow(induction)
        p = posteriors(induction, nodes, unit, smoothing)
        h = [logit(q) for q in p]
        w = [induction.weight(node.rows) * unit for node in nodes]
        leaves = [v for v, node in enumerate(nodes) if node.left < 0]
        r, R = edge_of(leaves, p, h, w)
        if r < 1e-12:
            break
        if smoothing == 0.0:  # keep (1 + r) / 2 within [1/2m, 1 - 1/2m]
            r = min(r, 1.0 - 1.0 / len(X))
        alpha = math.log((1.0 + r) / (1.0 - r)) / R
        F = F + learning_rate * alpha * np.array(h)[leaf_of_rows(nodes)]
        rounds.append(Round(nodes, p, h, w, r, alpha, F))
    return rounds
