"""What a tree costs on a cluster: a model with few constants, fitted to measurements."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from benchmarks.cluster.workers import Exchange


@dataclass(frozen=True, slots=True)
class Point:
    """A measurement: the seconds of a tree, and what it depends on."""

    rows: int
    features: int
    workers: int
    sums: float
    decisions: float
    n_bytes: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Network:
    """Seconds to the next machine of the ring, and bytes a second between two."""

    hop: float
    bandwidth: float

    def exchange(self, workers: int, n_bytes: float) -> float:
        """Return the seconds of one sum: each part of the numbers goes around the ring twice."""
        if workers == 1:
            return 0.0
        return 2 * (workers - 1) * (self.hop + n_bytes / workers / self.bandwidth)

    def decision(self, workers: int) -> float:
        """Return the most seconds until all know what one has decided: it tells each in turn."""
        return (workers - 1) * self.hop

    def waits(self, point: Point) -> float:
        """Return the seconds a tree that workers wait for each other."""
        n_bytes = point.n_bytes / max(point.sums, 1.0)
        sums = point.sums * self.exchange(point.workers, n_bytes)
        return sums + point.decisions * self.decision(point.workers)


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds a tree: for each row and feature a worker has, and for each feature.

    The second is what does not depend on rows: histograms of all leaves are added up and searched.
    """

    per_value: float
    per_feature: float
    network: Network
    cores: int

    def work(self, rows: float, features: int, workers: int) -> float:
        """Return the seconds that a worker computes; workers that share cores take turns."""
        turns = max(1.0, workers / self.cores)
        return turns * features * (self.per_value * rows / workers + self.per_feature)

    def tree(self, point: Point) -> float:
        """Return the seconds of a tree."""
        return self.work(point.rows, point.features, point.workers) + self.network.waits(point)


def fit_network(exchanges: Sequence[Exchange]) -> Network:
    """Return the network that explains the exchanges, with small relative errors."""
    exchanges = [e for e in exchanges if e.n_bytes is not None]
    times = np.array([e.seconds for e in exchanges])
    hops = np.array([2.0 * (e.workers - 1) for e in exchanges])
    sent = hops * np.array([(e.n_bytes or 0) / e.workers for e in exchanges])
    (hop, slowness), _ = nnls(
        np.stack([hops, sent], axis=1) / times[:, np.newaxis], np.ones(len(times))
    )
    return Network(float(hop), 1.0 / max(float(slowness), 1e-15))


def fit_costs(points: Sequence[Point], network: Network, cores: int) -> Costs:
    """Return the costs that explain the trees, with small relative errors."""
    alone = Costs(0.0, 0.0, network, cores)
    times = np.array([p.seconds for p in points])
    rest = np.maximum(times - [alone.tree(p) for p in points], 0.0)
    columns = [
        [costs.work(p.rows, p.features, p.workers) for p in points]
        for costs in (Costs(1.0, 0.0, network, cores), Costs(0.0, 1.0, network, cores))
    ]
    (value, feature), _ = nnls(np.stack(columns, axis=1) / times[:, np.newaxis], rest / times)
    return Costs(float(value), float(feature), network, cores)
