"""The part of the report on the limit: how much of a tree's time its histograms need, and why."""

import statistics
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.machinery.data import synthetic
from benchmarks.machinery.rows import LEAVES, Scope, say, table
from horotree import _native
from horotree._checks import Floats
from horotree.training import Settings, boost, find_bins
from horotree.training.induction import Examples
from horotree.trees import Ensemble, Tree

AIM = 0.5
FEW = 8  # features
HEADS = ["train data", "ms a tree", "ms for the root's histogram", "rows read / rows"]


TEXT = """\
CPU time on one thread, {trees} trees.

- *A tree*: the median round of boosting, from weights to weights.
- *The root's histogram*: growing a tree of one leaf, which builds the histogram of all rows, less
  what that takes with any number of features, as telling rows their weight and their leaf: it is
  estimated from the same tree on {few} features.
- *Rows read*: those of the root, and of the smaller child wherever a child was split; the other
  child's histogram is a difference.
- *Share*: rows read, at the root's time a row, of the time of a tree. The aim is {aim:.0f} %.
- *Additions a cycle*: one addition a row and feature of the root, at the clock rate that the system
  tells, which need not be the real one."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a tree costs: seconds of the whole and of the root's histogram, and rows read."""

    tree: float
    root: float
    rows_read: float

    @property
    def share(self) -> float:
        """The histograms' share of a tree's time."""
        return self.rows_read * self.root / self.tree


def write_limit(scope: Scope) -> str:
    """Measure trees and histograms; return the table."""
    sizes = [(8_000, 20)] if scope.quick else [(8_000, 20), (80_000, 50), (466_400, 78)]
    trees = scope.trees or (10 if scope.quick else 20)
    rows = [limit_row(n_rows, n_features, trees, clock_rate()) for n_rows, n_features in sizes]
    heads = [*HEADS, "share %", "ns an addition", "additions a cycle"]
    return TEXT.format(trees=trees, aim=100 * AIM, few=FEW) + "\n\n" + table(heads, rows)


def limit_row(n_rows: int, n_features: int, trees: int, rate: float | None) -> list[str]:
    """Return the line of one synthetic set."""
    say(f"limit: {n_rows:,}×{n_features}")
    parts = measure_parts(n_rows, n_features, trees)
    addition = parts.root / (n_rows * n_features)
    return [
        f"synthetic {n_rows:,}×{n_features}",
        f"{1e3 * parts.tree:.2f}",
        f"{1e3 * parts.root:.2f}",
        f"{parts.rows_read:.2f}",
        f"{100 * parts.share:.0f} {'✓' if parts.share >= AIM else '✗'}",
        f"{1e9 * addition:.3f}",
        "unknown" if rate is None else f"{1.0 / (addition * rate):.2f}",
    ]


def measure_parts(n_rows: int, n_features: int, trees: int) -> Parts:
    """Boost, with a clock at every tree, and build the root's histogram as often."""
    data = synthetic(n_rows, n_features)
    positive, numeric = data.y == 1, np.zeros(n_features, np.int32)
    settings = Settings(n_estimators=trees + 1, max_leaf_nodes=LEAVES)
    binning = find_bins(data.X, numeric, settings.max_bins)
    grown: list[Tree] = []
    times: list[float] = []

    def on_round(_round: int, new: Ensemble, _factors: NDArray[np.float64]) -> bool:
        times.append(time.process_time())
        grown.extend(new.trees)
        return False

    examples = Examples(data.X, positive, binning, n_threads=1)
    boost(examples, np.ones(n_rows), settings=settings, on_round=on_round)
    return Parts(
        tree=statistics.median(np.diff(times).tolist()),
        root=histogram_time(data.X, positive, trees),
        rows_read=float(np.mean([rows_read(tree) for tree in grown[1:]])),
    )


def grow_root(examples: Examples, n_features: int) -> NDArray[np.void]:
    """Grow a tree of one leaf, whose histogram is that of all rows; return its node."""
    rules = Settings(max_leaf_nodes=1).rules(n_features, len(examples))
    weights = np.full(len(examples), 2**20, np.int32)
    arguments = examples.space(rules) | rules._asdict()
    nodes, _, _ = _native.grow_tree(**arguments, weights=weights, unit=2.0**-21, seed=0)
    return nodes.view(_native.NODE)


def histogram_time(X: Floats, positive: NDArray[np.bool_], repeats: int) -> float:
    """Return what the histogram of all rows takes, in proportion to features."""
    n_features = X.shape[1]
    n_few = min(FEW, n_features // 2)
    whole, few = (root_time(X[:, :n].copy(), positive, repeats) for n in (n_features, n_few))
    return (whole - few) * n_features / (n_features - n_few)


def root_time(X: Floats, positive: NDArray[np.bool_], repeats: int) -> float:
    """Return the median time of growing a tree of one leaf."""
    n_features = X.shape[1]
    binning = find_bins(X, np.zeros(n_features, np.int32), Settings().max_bins)
    examples = Examples(X, positive, binning, n_threads=1)
    times = []
    for _ in range(repeats + 1):
        start = time.process_time()
        grow_root(examples, n_features)
        times.append(time.process_time() - start)
    return statistics.median(times[1:])  # the first one touches new memory


def rows_read(tree: Tree) -> float:
    """Return how many rows a tree's histograms are built from, in units of all rows."""
    inner = np.flatnonzero(~tree.is_leaf)
    left, right = tree.left[inner], tree.right[inner]
    asked = ~(tree.is_leaf[left] & tree.is_leaf[right])
    smaller = np.minimum(tree.count[left], tree.count[right])
    return float(1.0 + smaller[asked].sum() / tree.count[0])


def clock_rate(path: Path = Path("/proc/cpuinfo")) -> float | None:
    """Return cycles a second as the system tells them, the fastest core's; None if it does not."""
    if not path.exists():
        return None
    lines = path.read_text(encoding="utf-8").splitlines()
    rates = [float(line.partition(":")[2]) for line in lines if line.startswith("cpu MHz")]
    return 1e6 * max(rates) if rates else None
