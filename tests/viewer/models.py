"""Models to look at, made once."""

import functools

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import train_test_split

from horotree import LogisticBoostClassifier
from horotree.trees import Ensemble, Model
from tests.factories import make_tree, random_shape, stump

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"'`&amp;<!--",
    "line\u2028separator\u2029and\nbreak",
    "lone \ud800 surrogate",
    "\u202eright to left",
    "",
)


@functools.cache
def breast_cancer():
    """Return a fitted classifier, and a table and classes that it has not seen."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    train, test, y_train, y_test = train_test_split(X, y, test_size=0.4, random_state=0)
    classifier = LogisticBoostClassifier(n_estimators=12, max_leaf_nodes=24)
    return classifier.fit(train, y_train), test, y_test


@functools.cache
def iris():
    """Return a fitted classifier of three classes, and its table and classes."""
    data = load_iris(as_frame=True)
    names = data.target_names[data.target]
    classifier = LogisticBoostClassifier(n_estimators=4, max_leaf_nodes=8)
    return classifier.fit(data.data, names), data.data, names


def mixed_table(n_rows=400, seed=0):
    """Return a table with numbers, categories of several kinds and missing values, and classes."""
    rng = np.random.default_rng(seed)
    age = rng.normal(40.0, 12.0, n_rows)
    age[rng.random(n_rows) < 0.1] = np.nan
    city = rng.choice(["Bern", "Oslo", "O'Neill", "7", "New York"], n_rows)
    size = rng.choice([36, 38, 41], n_rows)
    table = pd.DataFrame(
        {
            "age": age,
            "home town": pd.Categorical(city),
            "shoe": pd.Categorical(size),
            "income": np.exp(rng.normal(8.0, 1.0, n_rows)),
        }
    )
    odds = 0.05 * (np.nan_to_num(age, nan=30.0) - 40.0) + (city == "Bern") - (size == 38)
    return table, np.where(odds + rng.logistic(0.0, 0.3, n_rows) > 0.0, "yes", "no")


@functools.cache
def mixed():
    """Return a fitted classifier of a mixed table, the table and the classes."""
    table, classes = mixed_table()
    classifier = LogisticBoostClassifier(n_estimators=10, max_leaf_nodes=16)
    return classifier.fit(table, classes), table, classes


def hostile():
    """Return a model all of whose names and labels try to be something else."""
    n = len(HOSTILE)
    trees = tuple(_stump(feature, numeric=feature < n - 1) for feature in range(n))
    ensemble = Ensemble(trees, np.ones(n), np.full(n, np.nan), 0.0)
    categories = (*(None for _ in HOSTILE[1:]), HOSTILE)
    return Model((ensemble,), "logistic", list(HOSTILE[:2]), HOSTILE, categories, "float64")


def _stump(feature, *, numeric):
    codes = [] if numeric else [0, 1, 2, 3, 4]
    return stump(
        [0.2, -1.5, 2.5],
        codes=codes,
        feature=feature,
        missing_left=True,
        weight=[3.0, 2.0, 1.0],
        count=[6, 4, 2],
    )


def random_tree(n_leaves, seed=0):
    """Return a tree of random shape, whose children are more confident than their parents."""
    rng = np.random.default_rng(seed)
    left, right = random_shape(rng, n_leaves, swap=False)
    n, inner = len(left), left >= 0
    confidence = rng.exponential(0.7, n)
    for node in np.flatnonzero(inner):
        confidence[[left[node], right[node]]] += confidence[node]
    return make_tree(
        left,
        right,
        confidence * rng.choice([-1.0, 1.0], n),
        feature=np.where(inner, rng.integers(0, 9, n), -1),
        threshold=np.where(inner, rng.normal(size=n), 0.0),
        missing_left=inner & (rng.random(n) < 0.5),
        weight=np.nan,
        count=-1,
    )


def model_of(*trees, leverage=None, n_features=9):
    """Return a model of two classes with these trees."""
    n = len(trees)
    factors = np.ones(n) if leverage is None else leverage
    ensemble = Ensemble(trees, factors, np.full(n, np.nan), 0.0)
    names = tuple(f"x{j}" for j in range(n_features))
    return Model((ensemble,), "logistic", ["no", "yes"], names, (None,) * n_features, "float64")
