"""Small models to draw, fitted once."""

import functools

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import train_test_split

from horotree import LogisticBoostClassifier
from horotree.trees import Ensemble, Model
from tests.factories import make_tree


@functools.cache
def breast_cancer():
    """Return a fitted classifier, and data that it has not seen."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    train, test, y_train, y_test = train_test_split(X, y, test_size=0.4, random_state=0)
    return LogisticBoostClassifier(n_estimators=30).fit(train, y_train), test, y_test


@functools.cache
def digits():
    X, y = load_digits(return_X_y=True)
    return LogisticBoostClassifier(n_estimators=2, max_leaf_nodes=16).fit(X, y)


def model_of(values, names=("x",), classes=("no", "yes")):
    """Return a model of one tree, a chain of tests to the right, whose nodes have these values."""
    n = len(values)
    inner = np.arange(n) % 2 == 0
    inner[-1] = False
    tree = make_tree(
        np.where(inner, np.arange(n) + 1, -1),
        np.where(inner, np.arange(n) + 2, -1),
        np.asarray(values, np.float64),
        threshold=np.where(inner, np.arange(n) / 2.0, 0.0),
        missing_left=inner,
        weight=1.0 / (1.0 + np.arange(n)),
        count=-1,
    )
    ensemble = Ensemble((tree,), [0.5], [np.nan], 0.0)
    return Model((ensemble,), "logistic", list(classes), names, (None,) * len(names), "float64")


def drifted(X, y, seed=0):
    """Return labels that have nothing to do with the rows."""
    rng = np.random.default_rng(seed)
    return X, pd.Series(rng.permutation(np.asarray(y)))
