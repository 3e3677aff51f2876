"""Small data sets that the tests share."""

import numpy as np
import pandas as pd


def numbers(n=300, n_features=6, n_classes=2, *, noise=0.2, seed=0):
    """Return continuous columns, no two values equal, and classes that depend on three of them."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n_features))
    signal = X[:, 0] + X[:, 1] * (X[:, 2] > 0)
    y = np.searchsorted(np.quantile(signal, np.arange(1, n_classes) / n_classes), signal)
    return X, np.where(rng.random(n) < noise, rng.integers(0, n_classes, n), y)


def table(n=400, *, seed=0):
    """Return a data frame of numbers, missing values, categories and booleans, and two classes."""
    rng = np.random.default_rng(seed)
    size = rng.normal(size=n)
    city = rng.choice(["Bern", "Oslo", "Rome", "Turin"], n)
    flag = rng.random(n) < 0.3
    score = size + 2.0 * np.isin(city, ["Oslo", "Turin"]) - flag + rng.normal(size=n)
    frame = pd.DataFrame(
        {
            "size": np.where(rng.random(n) < 0.1, np.nan, size),
            "city": pd.Categorical(np.where(rng.random(n) < 0.1, None, city)),
            "flag": flag,
        }
    )
    return frame, np.where(score > 1.0, "yes", "no")
