"""What the tests of boosting boost: small tables of all kinds of columns, and a larger one."""

import dataclasses

import numpy as np
from hypothesis import strategies as st

from horotree.training import Examples, Machines, Settings, boost, find_bins
from horotree.training.boosting import MOST_SCORE
from horotree.training.lanes import one_each
from tests.native.problems import draw_problem

seeds = st.integers(0, 2**32 - 1)
SMALL = Settings(n_estimators=5, max_leaf_nodes=8, max_bins=None)
FULL = Settings(n_estimators=8, subsample=0.7, max_features=4, seed=5)


def boost_table(
    X, positive, weight, *, n_categories, settings, binning=None, start=None, reduce=None, **options
):
    """Bin a table and boost trees on it."""
    binning = binning or find_bins(X, n_categories, settings.max_bins)
    lanes = None if reduce is None else one_each(binning.n_bins)
    examples = Examples(X, positive, binning, lanes, n_threads=settings.n_threads)
    odds = None
    if start is not None:
        score = np.where(positive, -1.0, 1.0) * start.score(X)
        odds = np.exp(np.clip(score, -MOST_SCORE, MOST_SCORE))[examples.order]
    return boost(
        examples,
        weight[examples.order],
        settings=settings,
        machines=Machines(reduce),
        start=start,
        odds=odds,
        **options,
    )


@dataclasses.dataclass
class Data:
    """What ``boost_table`` takes."""

    X: np.ndarray
    positive: np.ndarray
    sample_weight: np.ndarray
    n_categories: np.ndarray

    def boost(self, settings=SMALL, **options):
        return boost_table(
            np.ascontiguousarray(self.X),
            self.positive,
            self.sample_weight,
            n_categories=self.n_categories,
            settings=settings,
            **options,
        )

    def take(self, rows):
        return Data(self.X[rows], self.positive[rows], self.sample_weight[rows], self.n_categories)

    @property
    def y(self):
        return np.where(self.positive, 1.0, -1.0)


def draw(seed, **sizes):
    """Draw a table with sample weights that leave no ties between different splits."""
    rng = np.random.default_rng(seed)
    problem = draw_problem(rng, **sizes)
    rows = rng.permutation(len(problem.X))
    weights = rng.uniform(0.5, 3.0, len(rows))
    return Data(problem.X[rows], problem.positive[rows], weights, problem.n_categories)


def draw_settings(rng):
    return dataclasses.replace(
        SMALL,
        max_leaf_nodes=int(rng.integers(2, 12)),
        max_depth=None if rng.random() < 0.5 else int(rng.integers(1, 5)),
        min_samples_leaf=int(rng.integers(1, 4)),
        learning_rate=float(rng.choice([0.1, 0.5, 1.0])),
        smoothing=float(rng.choice([0.5, 4.0, 20.0])),
        pure_leaves=str(rng.choice(["allow", "forbid"])),
    )


def draw_large(n=5_000, seed=0):
    """Draw a table with missing values, one column of categories, and noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 12))
    X[rng.random(X.shape) < 0.05] = np.nan
    X[:, 5] = rng.integers(0, 30, n)
    signal = np.nan_to_num(X[:, 0] * X[:, 1]) + np.sin(X[:, 5])
    positive = signal + rng.normal(size=n) > 0
    n_categories = np.where(np.arange(12) == 5, 30, 0).astype(np.int32)
    return Data(X, positive, rng.uniform(0.5, 2.0, n), n_categories)
