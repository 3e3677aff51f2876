"""What each feature did to a score, as the page computes it, is what TreeSHAP says."""

import dataclasses
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)

from horotree import LogisticBoostClassifier
from horotree.io import from_model
from horotree.viewer import view
from horotree.viewer.covers import find_cover
from tests.reference.shapley import shapley
from tests.viewer.models import mixed, mixed_table, model_of, random_tree


@pytest.fixture
def shap(require):
    """Return the package, which warns of others' plans when it is imported."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return require("shap")


def attributions(page, X):
    """Return by row and ensemble the base value and, behind it, what each feature adds."""
    rows = [[None if np.isnan(x) else x for x in row] for row in X.tolist()]
    text = page.evaluate(
        "rows => rows.map(row => horotree.viewers[0].attributions(row)"
        ".map(text => [text.base, ...text.values]))",
        rows,
    )
    return np.array(text)


def check_sums(model, table, found):
    """Compare the sums with the model's scores; the page has leaves in single precision."""
    scores = model.score(table).reshape(len(found), -1)
    np.testing.assert_allclose(found.sum(axis=2), scores, atol=1e-6)


def with_gaps(X, seed=0, share=0.1):
    """Return a copy of which some values are missing."""
    return np.where(np.random.default_rng(seed).random(X.shape) < share, np.nan, X)


def hard():
    """Return two classes that need trees in which features come again, with gaps."""
    X, y = make_classification(1500, 12, n_informative=8, n_redundant=2, flip_y=0.1, random_state=3)
    return with_gaps(X).astype(np.float32).astype(np.float64), y


# --- the oracle -----------------------------------------------------------------------------------


def test_values_are_those_of_all_coalitions(show):
    classifier, table, _ = mixed()
    model = classifier.model_
    assert find_cover(model) == "count"
    rows = pd.concat([table[table.isna().any(axis=1)].head(3), table.head(6)])
    page = show(view(model))
    found = attributions(page, model.to_matrix(rows))
    for text, row in zip(found[:, 0], model.to_matrix(rows), strict=True):
        base, values = shapley(model.ensembles[0], row.tolist(), lambda tree: tree.count)
        np.testing.assert_allclose(text, [base, *values], atol=1e-6)
    check_sums(model, rows, found)


def test_values_of_several_classes_are_those_of_all_coalitions(show):
    X, y = load_iris(return_X_y=True)
    model = from_model(RandomForestClassifier(5, random_state=0).fit(X, y))
    assert find_cover(model) == "weight"
    page = show(view(model))
    found = attributions(page, X[::30])
    for text, row in zip(found, model.to_matrix(X[::30]), strict=True):
        for own, ensemble in zip(text, model.ensembles, strict=True):
            base, values = shapley(ensemble, row.tolist(), lambda tree: tree.weight)
            np.testing.assert_allclose(own, [base, *values], atol=1e-6)
    check_sums(model, X[::30], found)


QUIET = {"verbose": 0, "thread_count": 1, "allow_writing_files": False}  # of CatBoost


# --- the others -----------------------------------------------------------------------------------


def check_peer(show, model, X, expected):
    """Compare with a peer's values, the base value last, as XGBoost and LightGBM write it."""
    known = from_model(model)
    found = attributions(show(view(known)), np.asarray(X, np.float64))
    expected = np.asarray(expected, np.float64).reshape(len(X), -1, X.shape[1] + 1)
    np.testing.assert_allclose(found, np.roll(expected, 1, axis=2), atol=1e-6)
    check_sums(known, X, found)
    assert np.abs(found).max() > 1e-2


def contributions(explainer, X):
    """Return by row and class what shap says, the base value last."""
    values = np.asarray(explainer.shap_values(X, check_additivity=False), np.float64)
    values = values[:, :, None] if values.ndim == 2 else values
    base = np.broadcast_to(np.atleast_1d(explainer.expected_value), (len(X), values.shape[2]))
    return np.concatenate([np.swapaxes(values, 1, 2), base[:, :, None]], axis=2)


def explain(shap, model):
    return shap.TreeExplainer(model, feature_perturbation="tree_path_dependent")


@pytest.mark.parametrize("options", [{}, {"max_leaves": 31, "grow_policy": "lossguide"}])
def test_xgboost_says_the_same(show, require, options):
    xgboost = require("xgboost")
    X, y = hard()
    model = xgboost.XGBClassifier(n_estimators=30, n_jobs=1, **options).fit(X, y)
    matrix = xgboost.DMatrix(X[:8])
    check_peer(show, model, X[:8], model.get_booster().predict(matrix, pred_contribs=True))


def test_xgboost_says_the_same_of_three_classes(show, require):
    xgboost = require("xgboost")
    X, y = load_iris(return_X_y=True)
    model = xgboost.XGBClassifier(n_estimators=10, n_jobs=1).fit(X, y)
    attributions = model.get_booster().predict(xgboost.DMatrix(X[::40]), pred_contribs=True)
    check_peer(show, model, X[::40], attributions)


def test_lightgbm_says_the_same(show, require):
    lightgbm = require("lightgbm")
    X, y = hard()
    model = lightgbm.LGBMClassifier(n_estimators=30, n_jobs=1, verbose=-1, subsample=0.7)
    model.fit(X, y)
    check_peer(show, model, X[:8], model.booster_.predict(X[:8], pred_contrib=True))


@pytest.mark.parametrize("kind", [RandomForestClassifier, ExtraTreesClassifier])
@pytest.mark.parametrize("weighted", [False, True])
def test_shap_says_the_same_of_forests(show, shap, kind, weighted):
    X, y = hard()
    weights = np.random.default_rng(0).random(len(y)) if weighted else None
    model = kind(10, max_leaf_nodes=60, class_weight="balanced", random_state=0)
    model.fit(X, y, sample_weight=weights)
    attributions = contributions(explain(shap, model), X[:8])
    check_peer(show, model, X[:8], attributions[:, 1:])


def test_shap_says_the_same_of_a_forest_of_three_classes(show, shap):
    X, y = load_iris(return_X_y=True)
    model = RandomForestClassifier(10, random_state=0).fit(X, y)
    check_peer(show, model, X[::40], contributions(explain(shap, model), X[::40]))


@pytest.mark.parametrize("weighted", [False, True])
def test_shap_says_the_same_of_gradient_boosting(show, shap, weighted):
    X, y = load_breast_cancer(return_X_y=True)
    weights = np.random.default_rng(0).random(len(y)) if weighted else None
    model = GradientBoostingClassifier(n_estimators=30, subsample=0.6, random_state=0)
    model.fit(X, y, sample_weight=weights)
    check_peer(show, model, X[:8], contributions(explain(shap, model), X[:8]))


@pytest.mark.parametrize("weighted", [False, True])
def test_shap_says_the_same_of_histogram_boosting(show, shap, weighted):
    X, y = hard()
    weights = np.random.default_rng(0).random(len(y)) if weighted else None
    model = HistGradientBoostingClassifier(max_iter=30).fit(X, y, sample_weight=weights)
    check_peer(show, model, X[:8], contributions(explain(shap, model), X[:8]))


@pytest.mark.parametrize("policy", ["Lossguide", "Depthwise"])
def test_catboost_says_the_same(show, require, policy):
    catboost = require("catboost")
    X, y = hard()
    model = catboost.CatBoostClassifier(iterations=20, depth=4, **QUIET, grow_policy=policy).fit(
        X, y
    )
    attributions = model.get_feature_importance(catboost.Pool(X[:8]), type="ShapValues")
    check_peer(show, model, X[:8], attributions)


def upside_down(tree):
    """Return a symmetric tree with its tests in the other order: which are the same leaves."""
    depth = int(tree.depth.max())
    levels = [2 ** (depth - 1 - int(d)) - 1 for d in tree.depth if d < depth]
    leaves = np.arange(2**depth)
    bits = [(leaves >> i) & 1 for i in range(depth)]
    mirrored = sum(bit << (depth - 1 - i) for i, bit in enumerate(bits))
    order = np.concatenate([levels, 2**depth - 1 + mirrored])
    names = ("feature", "threshold", "missing_left", "output", "weight")
    return dataclasses.replace(tree, **{name: getattr(tree, name)[order] for name in names})


def test_catboost_says_the_same_of_symmetric_trees_with_the_last_test_first(show, require):
    catboost = require("catboost")
    X, y = hard()
    model = catboost.CatBoostClassifier(iterations=20, depth=4, **QUIET).fit(X, y)
    attributions = model.get_feature_importance(catboost.Pool(X[:8]), type="ShapValues")
    known = from_model(model)
    (ensemble,) = known.ensembles
    trees = tuple(map(upside_down, ensemble.trees))
    turned = dataclasses.replace(known, ensembles=(dataclasses.replace(ensemble, trees=trees),))
    check_peer(show, turned, X[:8], attributions)


# --- the edges ------------------------------------------------------------------------------------


def test_nodes_without_covers_give_no_values(show):
    page = show(view(model_of(random_tree(4))))
    assert page.evaluate("horotree.viewers[0].attributions(Array(9).fill(0))") == [None]


def test_a_tree_of_one_leaf_is_all_base(show):
    rng = np.random.default_rng(0)
    classifier = LogisticBoostClassifier(n_estimators=2).fit(
        rng.normal(size=(9, 2)), [0, 1] * 4 + [1]
    )
    model = classifier.model_
    found = attributions(show(view(model)), np.zeros((1, 2)))
    check_sums(model, np.zeros((1, 2)), found)


def test_deep_trees_lose_no_digits(show):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(3000, 40))
    y = (X.sum(axis=1) + rng.normal(size=3000) > 0).astype(int)
    classifier = LogisticBoostClassifier(n_estimators=5, max_leaf_nodes=400).fit(X, y)
    model = classifier.model_
    check_sums(model, X[:20], attributions(show(view(model)), X[:20]))


def test_labels_count_as_values(show):
    table, _ = mixed_table(seed=2)
    model = mixed()[0].model_
    check_sums(model, table, attributions(show(view(model)), model.to_matrix(table)))
