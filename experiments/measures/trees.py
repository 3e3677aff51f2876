"""What is measured of every boosted tree, for the paper's observations on pictures."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.machinery.data import Dataset
from experiments.drawing.pictures import grow
from horotree import embed, monotonic
from horotree._checks import Floats
from horotree.embedding import DiskEmbedding
from horotree.geometry.tself import norm_t
from horotree.losses import bayes_risk, link
from horotree.trees import Ensemble, MonotonicTree, Tree

N_BEST = 5
PIXELS = 1000.0
SHALLOW = 2


@dataclass(frozen=True, slots=True)
class TreeFigures:
    """One tree and its monotonic tree, measured.

    Parameters
    ----------
    domain : str
        Where from.
    round : int
        Which tree, from 1.
    nodes, kept : int
        Nodes of the tree, and of its monotonic tree.
    depth, kept_depth : int
        The longest paths of both, in arcs.
    lost_leaves : float
        The share of the tree's leaves that are not in the monotonic tree.
    root, shallow, median, leaf, largest : float
        Confidences: of the root; the median of kept nodes at most two tests down, of all kept
        nodes, of the monotonic tree's leaves; the largest.
    positive, poor : float
        The share of kept nodes that say class 1, and of those with a posterior below .6.
    root_gain : float
        The share of the root's entropy that its split removes.
    longest_at_root : bool
        Whether the longest arc of the paper's placement, as it is drawn, starts at the root.
    error : float
        ρ of the paper's placement.
    inward : float
        The share of its arcs that do not end farther out than they start.
    spread_t1, spread_t0 : float
        How far apart the five surest nodes are in distance from the center, in pixels of 1,000.
    negative_t1, negative_t0 : float
        The same for the five surest nodes of class 0.
    beyond, sure : int
        Kept nodes with a posterior above .999, and above .99.
    shared_t1, shared_t0 : int
        Of the latter, those that share their pixel with another in the paper's placement.
    """

    domain: str
    round: int
    nodes: int
    kept: int
    depth: int
    kept_depth: int
    lost_leaves: float
    root: float
    shallow: float
    median: float
    leaf: float
    largest: float
    positive: float
    poor: float
    root_gain: float
    longest_at_root: bool
    error: float
    inward: float
    spread_t1: float
    spread_t0: float
    negative_t1: float
    negative_t0: float
    beyond: int
    sure: int
    shared_t1: int
    shared_t0: int


def measure_domain(data: Dataset, n_trees: int) -> list[TreeFigures]:
    """Return the figures of a domain's trees, by the paper's setting."""
    (ensemble,) = grow(data, n_trees).ensembles
    return measure_trees(data.name, ensemble)


def measure_trees(domain: str, ensemble: Ensemble) -> list[TreeFigures]:
    """Return the figures of all trees."""
    return [_measure(domain, i, tree) for i, tree in enumerate(ensemble.trees, start=1)]


def _measure(domain: str, round_: int, tree: Tree) -> TreeFigures:
    kept = monotonic(tree)
    confidence = kept.confidence
    depth = np.asarray(tree.depth)[kept.node]
    is_leaf = np.ones(len(kept), dtype=bool)
    is_leaf[kept.parent[1:]] = False
    negative = confidence[kept.value < 0.0]
    return TreeFigures(
        domain=domain,
        round=round_,
        nodes=tree.n_nodes,
        kept=len(kept),
        depth=int(np.max(tree.depth)),
        kept_depth=_depth(kept),
        lost_leaves=float(np.mean(kept.host[tree.is_leaf] != np.flatnonzero(tree.is_leaf))),
        root=float(confidence[0]),
        shallow=float(np.median(confidence[depth <= SHALLOW])),
        median=float(np.median(confidence)),
        leaf=float(np.median(confidence[is_leaf])),
        largest=float(confidence.max()),
        positive=float(np.mean(kept.value > 0.0)),
        poor=float(np.mean(confidence < link(0.6))),
        root_gain=_root_gain(tree),
        spread_t1=spread(confidence, 1.0),
        spread_t0=spread(confidence, 0.0),
        negative_t1=spread(negative, 1.0),
        negative_t0=spread(negative, 0.0),
        beyond=int(np.sum(confidence > link(0.999))),
        **_placed(embed(kept, "sarkar")),
    )


def _placed(embedding: DiskEmbedding) -> dict[str, Any]:
    """Return what depends on the paper's placement."""
    start = embedding.monotonic.parent[1:]
    distance = embedding.distance
    at_1, at_0 = (_pixels(embedding, t) for t in (1.0, 0.0))
    length = np.hypot(*(at_1[1:] - at_1[start]).T)
    sure = embedding.monotonic.confidence > link(0.99)
    return {
        "error": embedding.error,
        "inward": float(np.mean(distance[1:] <= distance[start])) if len(start) else 0.0,
        "longest_at_root": bool(len(start) and start[np.argmax(length)] == 0),
        "sure": int(sure.sum()),
        "shared_t1": _shared(at_1[sure]),
        "shared_t0": _shared(at_0[sure]),
    }


def _pixels(embedding: DiskEmbedding, t: float) -> Floats:
    """Return where nodes are drawn at temperature t, in pixels of 1,000."""
    norm = 0.5 * PIXELS * np.asarray(norm_t(embedding.distance, t=t))
    return np.stack([norm * np.cos(embedding.angle), norm * np.sin(embedding.angle)], axis=-1)


def _shared(points: Floats) -> int:
    """Return how many points share their pixel with another."""
    _, count = np.unique(np.floor(points), axis=0, return_counts=True)
    return int(count[count > 1].sum())


def spread(confidence: Floats, t: float) -> float:
    """Return how far apart in radius the five largest confidences are drawn, in pixels of 1,000."""
    largest = np.sort(confidence)[-N_BEST:]
    norm = np.asarray(norm_t(largest, t=t))
    return float(0.5 * PIXELS * (norm[-1] - norm[0])) if len(norm) else 0.0


def _depth(kept: MonotonicTree) -> int:
    depth = np.zeros(len(kept), np.int64)
    for row in range(1, len(kept)):  # parents come first
        depth[row] = depth[kept.parent[row]] + 1
    return int(depth.max())


def _root_gain(tree: Tree) -> float:
    """Return which share of the root's entropy its split removes; 0 for a single leaf."""
    if tree.n_nodes == 1:
        return 0.0
    children = [int(tree.left[0]), int(tree.right[0])]
    weight = tree.weight[children] / tree.weight[children].sum()
    risk = np.asarray(bayes_risk(np.asarray(tree.posterior)))
    return float(1.0 - weight @ risk[children] / risk[0])
