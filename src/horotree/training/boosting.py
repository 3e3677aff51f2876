"""LogisticBoost: trees on the weights of what is still wrong, each with its leverage.

An example's weight is sigmoid(-y F(x)), 1/2 at first. It is kept as the odds exp(-y F(x)), which a
new tree multiplies by one constant a leaf and class.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.trees import Ensemble, Tree
from horotree.trees.monotonic_tree import TOLERANCE

from .binning import Binning, find_bins
from .induction import Examples, Judging, Rules
from .lanes import one_each
from .machines import Exchange, Machines
from .rounds import State

# An edge below this is rounding: the tree knows nothing that the ensemble does not.
LEAST_EDGE = 1e-12

# Grown trees wait until they have this many nodes and bins of categories, and are frozen together.
BATCH = 2**16

# Where the kernels saturate odds, which could not change again at 0 or infinity.
MOST_SCORE = float(np.log(1e300))

# Seconds between two looks at how far boosting has come.
GLANCE = 0.1

OnRound = Callable[[int, Tree, float], bool]
Loss = Callable[[], float]
Report = Callable[[int, Loss], None]
Keep = Callable[[int, Ensemble, Floats], None]


@dataclass(frozen=True, slots=True)
class Settings:
    """How to boost; see ``horotree.LogisticBoostClassifier``, which checks them, for each.

    ``shrink_to`` is what posteriors are smoothed towards: that of the "host", the last node above
    that is more confident than all before it, or of the "parent", which suits a tree on its own.
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
        """Return what concerns one tree, of examples on all machines."""
        return Rules(
            max_leaf_nodes=min(self.max_leaf_nodes, n_examples),  # there is room for so many
            max_depth=np.iinfo(np.int32).max if self.max_depth is None else self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            max_features=n_features if self.max_features is None else self.max_features,
            forbid_pure=self.pure_leaves == "forbid",
            n_threads=self.n_threads,
        )

    def judging(self, n_examples: int) -> Judging:
        """Return what concerns a tree's predictions."""
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


def boost(
    X: Floats,
    positive: NDArray[np.bool_],
    sample_weight: Floats,
    *,
    n_categories: NDArray[np.int32],
    settings: Settings,
    binning: Binning | None = None,
    start: Ensemble | None = None,
    on_round: OnRound | None = None,
    report: Report | None = None,
    reduce: Exchange | None = None,
) -> Ensemble:
    """Boost trees on the log-loss.

    Parameters
    ----------
    X : float64 array, C-contiguous
        One row an example; NaN is missing, categories are codes 0, 1, ...
    positive : bool array
        The class of each example.
    sample_weight : float64 array
        What each example counts.
    n_categories : int32 array
        Per feature the number of its categories; 0 for numbers.
    settings : Settings
        How to boost.
    binning : Binning, optional
        Where to cut the columns, if that is known already.
    start : Ensemble, optional
        Go on from these trees until there are ``settings.n_estimators``.
    on_round : callable, optional
        Called with a tree's index, the tree and its leverage; boosting ends when it returns True.
    report : callable, optional
        Called now and then with how many trees are new, and what computes the log-loss of training.
    reduce : callable, optional
        Sums histograms over machines, in place.

    Returns
    -------
    Ensemble
        Fewer trees than asked for if an edge of 0 ended boosting, or some draws had none.

    References
    ----------
    Paper, alg-logisticboost and defCANOLOGT.
    """
    if binning is None:
        binning = find_bins(X, n_categories, settings.max_bins, n_threads=settings.n_threads)
    lanes = None if reduce is None else one_each(binning.n_bins)
    examples = Examples(X, positive, binning, lanes, n_threads=settings.n_threads)
    odds = None
    if start is not None:
        score = start.score(X, n_threads=settings.n_threads)[examples.order]
        score[examples.n_negative :] *= -1.0
        odds = np.exp(np.clip(score, -MOST_SCORE, MOST_SCORE))  # exp(-y F)
    return boost_examples(
        examples,
        np.take(sample_weight, examples.order),  # faster than an index
        settings=settings,
        start=start,
        odds=odds,
        on_round=on_round,
        report=report,
        machines=Machines(reduce),
    )


def boost_examples(
    examples: Examples,
    amount: Floats,
    *,
    settings: Settings,
    machines: Machines,
    start: Ensemble | None = None,
    odds: Floats | None = None,
    first_round: int | None = None,
    on_round: OnRound | None = None,
    report: Report | None = None,
    keep: Keep | None = None,
) -> Ensemble:
    """Boost trees on examples that are binned already, here and on other machines.

    Parameters
    ----------
    examples : Examples
        Those of this machine.
    amount : float64 array
        What each counts, in their order.
    settings : Settings
        How to boost.
    machines : Machines
        All that have examples.
    start, on_round, report
        As in ``boost``.
    odds : float64 array, optional
        exp(-y F) of each example after the trees of ``start``; taken over, not copied.
    first_round : int, optional
        The round to go on with; the number of trees at the start if none was unlucky.
    keep : callable, optional
        Called with a round that is done, its tree as an ensemble, and what its nodes multiply the
        odds of either class by: what is needed to go on from there.

    Returns
    -------
    Ensemble
        The same on every machine.
    """
    state = State(examples, start, odds, batch=BATCH)
    n_features, n_examples = len(examples.binning.n_bins), machines.total(len(examples))
    rules, judging = settings.rules(n_features, n_examples), settings.judging(n_examples)
    draws = settings.subsample < 1.0 or rules.max_features < n_features
    is_followed = on_round is not None or keep is not None
    j = len(state.trees) if first_round is None else first_round
    n_at_once = settings.n_estimators if report is None else 1
    while j < settings.n_estimators:
        seed = _seed(settings.seed, j) if draws else 0
        start_time = time.perf_counter()
        grown = examples.boost(
            state.odds,
            _bag(amount, settings.subsample, seed, machines),
            rules,
            judging,
            n_rounds=1 if draws or is_followed else min(n_at_once, settings.n_estimators - j),
            most_nodes=BATCH,
            seed=seed,
            machines=machines,
        )
        state.add(grown)
        n_new = len(grown.n_nodes)
        j += max(1, n_new)
        if report is not None:
            n_at_once = max(1, int(n_new * GLANCE / (time.perf_counter() - start_time)))
            report(n_new, lambda: _mean_loss(state.odds, amount))
        if is_followed and grown.n_nodes:
            state.freeze()
            stops = on_round is not None and on_round(j - 1, state.trees[-1], grown.leverage[-1])
            if keep is not None:
                keep(j - 1, state.result(last=1), grown.judged[3:])
            if stops:
                break
        # A draw may be unlucky, and the next do better; a tree that is there all the same has a
        # leverage that is not finite, which is an error of the result.
        if grown.is_over and (settings.subsample >= 1.0 or grown.n_nodes):
            break
    return state.result()


def _mean_loss(odds: Floats, amount: Floats) -> float:
    """Return the log-loss of training: that of an example is log(1 + exp(-y F))."""
    share = amount / amount.max()  # sums of shares cannot overflow
    return float(np.average(np.log1p(odds), weights=share))  # BLAS would keep all cores busy


def _seed(seed: int, j: int) -> int:
    """Return the seed of a round."""
    return int(np.random.SeedSequence([seed, j]).generate_state(1, np.uint64)[0])


def _bag(amount: Floats, subsample: float, seed: int, machines: Machines) -> Floats:
    """Return the amounts, with 0 for examples that are left out of this round."""
    if subsample >= 1.0:
        return amount
    return np.where(machines.draw(seed, len(amount)) < subsample, amount, 0.0)
