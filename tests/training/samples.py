"""What the tests of boosting boost: small tables of all kinds of columns, and a larger one."""

import dataclasses

import numpy as np
from hypothesis import strategies as st

from horotree.training import Settings, boost
from tests.native.problems import draw_problem

seeds = st.integers(0, 2**32 - 1)
SMALL = Settings(n_estimators=5, max_leaf_nodes=8, max_bins=None)
FULL = Settings(n_estimators=8, subsample=0.7, max_features=4, seed=5)


@dataclasses.dataclass
class Data:
    """What ``boost`` takes."""

    X: np.ndarray
    positive: np.ndarray
    sample_weight: np.ndarray
    n_categories: np.ndarray

    def boost(self, settings=SMALL, **options):
        return boost(
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
