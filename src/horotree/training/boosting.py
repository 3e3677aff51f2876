"""LogisticBoost: each tree is grown on the weights that the trees before it leave.

The weight of an example is sigmoid(-y F(x)), 1/2 at first. It is stored as the odds exp(-y F(x)): a
new tree multiplies them by one constant per leaf and class.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from horotree._checks import Floats
from horotree.trees import Ensemble, Tree
from horotree.trees.tree import TOLERANCE

from .induction import Examples, Grown, Judging, Rules, to_trees
from .machines import Machines

# A smaller edge is a rounding error: there is nothing left to learn.
LEAST_EDGE = 1e-12

# Trees are converted together when they have this many nodes and bins of categories.
BATCH = 2**16

# Kernels clip the log-odds here: odds of 0 or infinity could not change again.
MOST_SCORE = float(np.log(1e300))

# Seconds between two updates of a progress bar.
GLANCE = 0.1

OnRound = Callable[[int, Ensemble, Floats], bool]
Loss = Callable[[], float]
Report = Callable[[int, Loss], None]


@dataclass(frozen=True, slots=True)
class Settings:
    """How to boost: the checked parameters of ``horotree.LogisticBoostClassifier``.

    ``shrink_to`` says which posterior those of a node are smoothed towards: that of its parent's
    "host" (the last node above that is more confident than all before it), or of the "parent",
    which suits a single tree.
    """

    n_estimators: int = 200
    max_leaf_nodes: int = 101
    max_depth: int | None = None
    min_samples_leaf: int = 1
    learning_rate: float = 0.5
    smoothing: float = 100.0
    shrink_to: str = "host"
    pure_leaves: str = "allow"
    weak_learner: str = "tree"
    max_bins: int | None = 255
    max_features: int | None = None
    subsample: float = 1.0
    n_threads: int = 1
    seed: int = 0

    def rules(self, n_features: int, n_examples: int) -> Rules:
        """Return the rules for growing one tree; ``n_examples`` counts all machines."""
        return Rules(
            max_leaf_nodes=min(self.max_leaf_nodes, n_examples),  # the kernel allocates them
            max_depth=np.iinfo(np.int32).max if self.max_depth is None else self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            max_features=n_features if self.max_features is None else self.max_features,
            forbid_pure=self.pure_leaves == "forbid",
            n_threads=self.n_threads,
        )

    def judging(self, n_examples: int) -> Judging:
        """Return how the nodes of a tree predict."""
        return Judging(
            smoothing=self.smoothing,
            to_host=self.shrink_to == "host",
            monotonic=self.weak_learner == "monotonic",
            tolerance=TOLERANCE,
            # The literal setting keeps the posterior (1 + r)/2 within [1/2m, 1 - 1/2m].
            least_rest=1.0 / n_examples if self.smoothing == 0.0 else 0.0,
            learning_rate=self.learning_rate,
            least_edge=LEAST_EDGE,
        )


class State:
    """The trees so far, and the odds of each example."""

    def __init__(self, examples: Examples, start: Ensemble | None, odds: Floats | None) -> None:
        self.trees: list[Tree] = []
        self.leverage: list[float] = []
        self.edge: list[float] = []
        self.odds = np.ones(len(examples)) if odds is None else odds
        self._binning = examples.binning
        self._waiting: list[Grown] = []
        self._n_waiting = 0
        if start is not None:
            self.trees = list(start.trees)
            self.leverage = start.leverage.tolist()
            self.edge = start.edge.tolist()

    def add(self, grown: Grown) -> None:
        """Add the trees of some rounds."""
        if not grown.n_nodes:
            return
        self._waiting.append(grown)
        self._n_waiting += len(grown.nodes) + len(grown.left_bins)
        self.leverage += grown.leverage
        self.edge += grown.edge
        if self._n_waiting > BATCH:
            self.freeze()

    def freeze(self) -> None:
        """Convert all trees that were added; raises if a value is not finite."""
        new, self._waiting, self._n_waiting = self._waiting, [], 0
        if not new:
            return
        self.trees += to_trees(new, self._binning)

    def result(self, last: int = 0) -> Ensemble:
        """Return the trees, or the last so many of them."""
        self.freeze()
        return Ensemble(
            trees=tuple(self.trees[-last:]),
            leverage=np.array(self.leverage[-last:], np.float64),
            edge=np.array(self.edge[-last:], np.float64),
            base_value=0.0,
        )


def boost(
    examples: Examples,
    weight: Floats,
    *,
    settings: Settings,
    machines: Machines | None = None,
    start: Ensemble | None = None,
    odds: Floats | None = None,
    first_round: int | None = None,
    on_round: OnRound | None = None,
    report: Report | None = None,
) -> Ensemble:
    """Boost trees on the log-loss until there are ``settings.n_estimators``.

    ``weight`` and ``odds`` are in the order of the examples. The odds are exp(-y F) after the trees
    of ``start``, and are changed in place. ``first_round`` is by default the number of trees in
    ``start``, which is right unless some round had no tree.

    ``on_round`` is called after every tree with the round, the tree as an ensemble, and the factors
    of its nodes for the odds of negative and of positive examples; boosting ends when it returns
    True. ``report`` is called now and then with the number of new trees, and a function that
    returns the log-loss on the training examples.

    The ensemble is the same on every machine. It has fewer trees if an edge of 0 ended boosting, or
    if some draws of examples had none. In the paper: alg-logisticboost and defCANOLOGT.
    """
    machines = machines or Machines()
    state = State(examples, start, odds)
    n_features, n_examples = len(examples.binning.n_bins), machines.total(len(examples))
    rules, judging = settings.rules(n_features, n_examples), settings.judging(n_examples)
    draws = settings.subsample < 1.0 or rules.max_features < n_features
    j = len(state.trees) if first_round is None else first_round
    n_at_once = settings.n_estimators if report is None else 1
    while j < settings.n_estimators:
        seed = _seed(settings.seed, j) if draws else 0
        start_time = time.perf_counter()
        grown = examples.boost(
            state.odds,
            _bag(weight, settings.subsample, seed, machines),
            rules,
            judging,
            n_rounds=1 if draws or on_round else min(n_at_once, settings.n_estimators - j),
            most_nodes=BATCH,
            seed=seed,
            machines=machines,
        )
        state.add(grown)
        n_new = len(grown.n_nodes)
        j += max(1, n_new)
        if report is not None:
            n_at_once = max(1, int(n_new * GLANCE / (time.perf_counter() - start_time)))
            report(n_new, lambda: _mean_loss(state.odds, weight))
        if on_round and n_new and on_round(j - 1, state.result(last=1), grown.judged[3:]):
            break
        # A round without a tree ends boosting, unless examples are drawn: the next draw may do
        # better. A tree with a leverage that is not finite ends it, too: an error of the result.
        if grown.is_over and (settings.subsample >= 1.0 or n_new):
            break
    return state.result()


def _mean_loss(odds: Floats, weight: Floats) -> float:
    """Return the log-loss on the training examples: log(1 + exp(-y F)) of each."""
    share = weight / weight.max()  # sums of shares cannot overflow
    return float(np.average(np.log1p(odds), weights=share))  # BLAS would keep all cores busy


def _seed(seed: int, j: int) -> int:
    """Return the seed of a round."""
    return int(np.random.SeedSequence([seed, j]).generate_state(1, np.uint64)[0])


def _bag(weight: Floats, subsample: float, seed: int, machines: Machines) -> Floats:
    """Return the weights, with 0 for examples that are not drawn in this round."""
    if subsample >= 1.0:
        return weight
    return np.where(machines.draw(seed, len(weight)) < subsample, weight, 0.0)
