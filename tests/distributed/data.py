"""Data sets of all kinds, in memory and as Dask collections."""

import numpy as np
import pandas as pd


def numbers(n=3_000, n_classes=2, *, seed=0):
    """Return columns with missing values, one with few distinct ones, classes, and weights."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    X[rng.random(X.shape) < 0.05] = np.nan
    X[:, 2] = np.round(X[:, 2], 1)
    signal = np.nan_to_num(X[:, 0] * X[:, 1]) + rng.normal(size=n)
    y = np.searchsorted(np.quantile(signal, np.arange(1, n_classes) / n_classes), signal)
    return X, y, rng.uniform(0.5, 2.0, n)


def table(n=3_000, *, seed=0):
    """Return a data frame of numbers, categories in an order of their own, and booleans."""
    rng = np.random.default_rng(seed)
    city = rng.choice(["Turin", "Bern", "Rome", "Oslo"], n)
    size = rng.normal(size=n)
    flag = rng.random(n) < 0.3
    score = size + 2.0 * np.isin(city, ["Oslo", "Turin"]) - flag + rng.normal(size=n)
    frame = pd.DataFrame(
        {
            "size": np.where(rng.random(n) < 0.1, np.nan, size),
            "city": pd.Categorical(
                np.where(rng.random(n) < 0.1, None, city),
                categories=["Turin", "Oslo", "Rome", "Nowhere", "Bern"],
            ),
            "flag": flag,
            "code": rng.integers(0, 40, n),
        }
    )
    return frame, pd.Series(np.where(score > 1.0, "yes", "no"), name="y")


def arrays(chunk, *values):
    """Return arrays as Dask arrays with chunks of so many rows."""
    import dask.array as da

    return [da.from_array(v, chunks=(chunk, *v.shape[1:])) for v in values]


def delayed(sizes, *values):
    """Return arrays or frames as lists of delayed parts of these sizes."""
    import dask

    ends = np.cumsum(sizes)
    assert ends[-1] == len(values[0])
    return [
        [dask.delayed(v[a:b], pure=False) for a, b in zip(ends - sizes, ends, strict=True)]
        for v in values
    ]
