"""Made data in place of a domain that is not available: as large, and of the same kind."""

import numpy as np

from benchmarks.machinery.data import Dataset
from experiments.study.paper import SHAPES

NAME = "synthetic"
N_KINDS, N_DAYS = 13, 6


def twitter_like(n_rows: int | None = None) -> Dataset:
    """Return counts of a topic's activity, of 13 kinds on 6 days, and whether it will be popular.

    As many rows and features as the paper's twitter; nothing else is taken from it. Popularity is
    log-normal and drifts from day to day; a count is popularity with noise of its own. A topic is
    of class 1 if it is more popular on the next day than topics are on the mean.

    Parameters
    ----------
    n_rows : int, optional
        Rows; the paper's 583,250 if not given.
    """
    n, n_features = SHAPES["twitter"]
    n = n if n_rows is None else n_rows
    generator = np.random.default_rng(0)
    popularity = generator.normal(size=n) * 1.4
    columns = np.empty((n, n_features))
    for day in range(N_DAYS):
        popularity += 0.25 * generator.normal(size=n)
        for kind in range(N_KINDS):
            noise = (0.3 + 0.1 * kind) * generator.normal(size=n)
            columns[:, kind * N_DAYS + day] = np.floor(np.exp(popularity + noise + 3.0))
    following = np.exp(popularity + 0.25 * generator.normal(size=n))
    return Dataset(NAME, columns, (following > following.mean()).astype(np.int64))
