"""Held-out truth of real libraries: own training rows agree, what learned noise is caught."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import (
    AdaBoostClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
)
from sklearn.tree import DecisionTreeClassifier

from horotree import LogisticBoostClassifier, from_model, held_out
from horotree.losses import inverse_link

N_TREES = 20

# What a node claims if it differs from its root by so much, in probability: five points.
CLAIM = 0.05


def sklearn_exact(rate=0.1, l2=0.0):
    assert not l2
    return GradientBoostingClassifier(n_estimators=N_TREES, learning_rate=rate, random_state=0)


def sklearn_histogram(rate=0.1, l2=0.0):
    options = {"learning_rate": rate, "l2_regularization": l2, "random_state": 0}
    return HistGradientBoostingClassifier(max_iter=N_TREES, early_stopping=False, **options)


def sklearn_votes(rate=0.3, l2=0.0):
    assert not l2
    base = DecisionTreeClassifier(max_depth=3, min_samples_leaf=20, random_state=0)
    return AdaBoostClassifier(base, n_estimators=N_TREES, learning_rate=rate, random_state=0)


def xgboost(rate=None, l2=None):
    package = pytest.importorskip("xgboost")
    return package.XGBClassifier(n_estimators=N_TREES, learning_rate=rate, reg_lambda=l2, n_jobs=2)


def lightgbm(rate=0.1, l2=0.0):
    package = pytest.importorskip("lightgbm")
    options = {"learning_rate": rate, "reg_lambda": l2, "n_jobs": 2, "verbose": -1}
    return package.LGBMClassifier(n_estimators=N_TREES, **options)


def catboost(rate=None, l2=None):
    package = pytest.importorskip("catboost")
    options = {"learning_rate": rate, "l2_leaf_reg": l2, "verbose": 0, "thread_count": 2}
    return package.CatBoostClassifier(N_TREES, allow_writing_files=False, **options)


class YdfClassifier:
    """A learner of YDF with the door of the others."""

    def __init__(self, rate, l2):
        self.options = {"shrinkage": rate, "l2_regularization": l2, "validation_ratio": 0.0}

    def fit(self, X, y):
        package = pytest.importorskip("ydf")
        table = pd.DataFrame(X).assign(y=y)
        learner = package.GradientBoostedTreesLearner("y", num_trees=N_TREES, **self.options)
        return learner.train(table, verbose=0)


def ydf(rate=0.1, l2=0.0):
    return YdfClassifier(rate, l2)


def own(rate=0.5, l2=100.0):
    return LogisticBoostClassifier(N_TREES, learning_rate=rate, smoothing=l2, random_state=0)


LIBRARIES = [sklearn_exact, sklearn_histogram, sklearn_votes, xgboost, lightgbm, catboost, ydf, own]
SETTINGS = [{}, {"rate": 0.2, "l2": 8.0}]


def draw(n, share=0.4, n_classes=2, seed=0):
    """Draw a table with names, and texts of classes, the last being of this share."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 5)), columns=list("abcde"))
    signal = X.a * X.b + np.sin(3.0 * X.c) + 0.5 * X.d + 0.7 * rng.logistic(size=n)
    cuts = np.quantile(signal, [1.0 - share]) if n_classes == 2 else None
    if cuts is None:
        cuts = np.quantile(signal, np.arange(1, n_classes) / n_classes)
    return X, np.array(["k0", "k1", "k2", "k3"])[np.searchsorted(cuts, signal)]


def cancer():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return X.rename(columns=lambda name: name.replace(" ", "_")), np.array(["ill", "well"])[y]


TABLES = {
    "drawn": lambda: draw(1500),
    "rare": lambda: draw(4000, 0.02, seed=1),
    "cancer": cancer,
    "three classes": lambda: draw(900, n_classes=3, seed=2),
}


def fit(library, X, y, settings):
    if library in (sklearn_exact, sklearn_votes):  # they have no penalty
        settings = {name: number for name, number in settings.items() if name != "l2"}
    if library is xgboost:  # its classes are numbers
        model = library(**settings).fit(X, np.unique(y, return_inverse=True)[1])
        return from_model(model), lambda y: np.unique(y, return_inverse=True)[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return from_model(library(**settings).fit(X, y)), lambda y: y


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("library", LIBRARIES)
def test_trees_agree_with_their_own_training_rows(library, table, settings):
    X, y = TABLES[table]()
    model, code = fit(library, X, y, settings)
    check_own_rows(model, X, code(y))


def check_own_rows(model, X, y):
    """Check that at most 5 % of the trees differ from these rows, and that some are compared."""
    for center in ("half", "base"):
        found = held_out(model, X, y, center=center)
        assert len(found) > N_TREES
        differs = ~np.isin(found.verdict, ["agrees", "few", "none"])
        trees = np.stack([found.ensemble, found.tree])
        n_trees = np.unique(trees, axis=1).shape[1]
        assert np.unique(trees[:, differs], axis=1).shape[1] <= 0.05 * n_trees
        assert (found.verdict == "agrees").mean() > 0.2


def claims(model, found):
    """Tell which nodes differ from their root by what can be seen, at the rows that reach them."""
    trees = model.ensembles[0].trees
    root = np.array([trees[j].value[0] for j in found.tree])
    if found.value_kind == "posterior":
        return np.abs(found.trained - inverse_link(root)) >= CLAIM
    with np.errstate(invalid="ignore"):
        # Differences and steps are in proportion where they are small.
        growth = found.difference / (found.value - found.trained_value)
        return np.abs((found.trained_value - root) * growth) >= CLAIM


@pytest.mark.parametrize("library", LIBRARIES)
def test_most_of_what_learned_noise_is_caught(library):
    X, y = draw(25_000, 0.3, seed=3)
    noise = np.random.default_rng(4).permutation(y)
    model, code = fit(library, X[:1500], noise[:1500], {})
    check_noise(model, X[1500:], code(noise)[1500:])


def check_noise(model, X, y):
    """Check that most nodes that claim something are caught by rows that were not trained on."""
    found = held_out(model, X, y, center="base")
    claimed = claims(model, found) & (found.count >= 50)
    assert np.count_nonzero(claimed) > 100
    assert np.isin(found.verdict[claimed], ["weaker", "flipped"]).mean() > 0.5


def sets(X):
    """Return a table in which two columns are categories: one of 25, one of 3, some missing."""
    many = pd.Categorical.from_codes(pd.cut(X.a, 25, labels=False), [f"a{j}" for j in range(25)])
    some = pd.cut(X.b, 3, labels=False).where(X.e < 1.5, -1)
    return X.assign(a=many, b=pd.Categorical.from_codes(some, ["low", "mid", "high"]))


@pytest.mark.parametrize(
    "settings", [*SETTINGS, {"cat_l2": 50.0}, {"max_cat_to_onehot": 2}], ids=str
)
@pytest.mark.parametrize("table", ["drawn", "rare", "three classes"])
def test_trees_with_categories_agree_with_their_own_training_rows(table, settings):
    X, y = TABLES[table]()
    options = {name: settings[name] for name in settings if name in ("rate", "l2")}
    classifier = lightgbm(**options)
    classifier.set_params(**{name: settings[name] for name in settings if name not in options})
    model = from_model(classifier.fit(sets(X), y))
    assert model.steps.set_features
    check_own_rows(model, sets(X), y)


def test_noise_is_caught_that_was_learned_from_categories():
    X, y = draw(25_000, 0.3, seed=3)
    noise, table = np.random.default_rng(4).permutation(y), sets(X)
    model = from_model(lightgbm().fit(table[:1500], noise[:1500]))
    assert model.steps.set_l2 == 10.0
    check_noise(model, table[1500:], noise[1500:])
