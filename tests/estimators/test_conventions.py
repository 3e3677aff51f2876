"""The conventions of scikit-learn: its own checks, and its tools at work."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

import horotree
from horotree import LogisticBoostClassifier, LogLossTreeClassifier

from .data import numbers, table

SMALL = [LogisticBoostClassifier(5, max_leaf_nodes=8), LogLossTreeClassifier(max_leaf_nodes=8)]


@parametrize_with_checks(SMALL)
def test_scikit_learn_agrees(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", SMALL, ids=lambda e: type(e).__name__)
def test_a_pickle_predicts_the_same(estimator):
    X, y = table()
    fitted = clone(estimator).fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))  # noqa: S301 - made here
    assert again.model_ == fitted.model_
    np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))


@pytest.mark.parametrize("estimator", SMALL, ids=lambda e: type(e).__name__)
def test_a_saved_model_scores_the_same(estimator, tmp_path):
    X, y = table()
    fitted = clone(estimator).fit(X, y)
    horotree.save(fitted, tmp_path / "model.horotree")
    model = horotree.load(tmp_path / "model.horotree")
    assert model == fitted.model_
    np.testing.assert_array_equal(model.score(X), fitted.decision_function(X))
    np.testing.assert_array_equal(model.predict(X), fitted.predict(X))


def test_a_grid_search_in_two_processes_finds_what_one_finds():
    X, y = numbers()
    grid = {"learning_rate": [0.1, 0.5], "n_jobs": [1, 2]}
    search = GridSearchCV(LogisticBoostClassifier(5, max_leaf_nodes=8), grid, cv=2)
    alone = clone(search).fit(X, y)
    together = clone(search).set_params(n_jobs=2).fit(X, y)
    scores = "mean_test_score"
    np.testing.assert_array_equal(together.cv_results_[scores], alone.cv_results_[scores])
    assert together.best_estimator_.model_ == alone.best_estimator_.model_


def test_a_pipeline_passes_data_frames_on():
    X, y = table()
    pipeline = make_pipeline(FunctionTransformer(), LogisticBoostClassifier(5))
    assert pipeline.fit(X, y).score(X, y) > 0.75
    assert pipeline[-1].model_.categories == (None, ("Bern", "Oslo", "Rome", "Turin"), None)


def test_bagging_passes_weights_of_0():
    X, y = numbers(n_classes=3)
    y[y == 2] = np.where(np.arange((y == 2).sum()) < 3, 2, 1)  # a class that bags may miss
    bags = BaggingClassifier(LogLossTreeClassifier(max_leaf_nodes=4), 8, random_state=0).fit(X, y)
    assert bags.predict_proba(X).shape == (len(X), 3)


def test_metadata_is_routed():
    X, y = numbers()
    weight = np.random.default_rng(0).integers(0, 3, len(X)).astype(float)
    with sklearn.config_context(enable_metadata_routing=True):
        estimator = LogisticBoostClassifier(5, max_leaf_nodes=8)
        estimator.set_fit_request(sample_weight=True, eval_set=True)
        estimator.set_score_request(sample_weight=False)
        params = {"sample_weight": weight, "eval_set": (X, y)}
        found = cross_validate(estimator, X, y, cv=2, params=params, return_estimator=True)
        fold = found["estimator"][0]
        assert fold.validation_loss_.shape == (6,)
        assert estimator.get_metadata_routing().fit.requests["eval_set"] is True
        pipeline = make_pipeline(FunctionTransformer(), estimator).fit(X, y, **params)
    plain = LogisticBoostClassifier(5, max_leaf_nodes=8).fit(X, y, sample_weight=weight)
    assert pipeline[-1].model_ == plain.model_
    # a fit keeps what has been requested
    assert estimator.fit(X, y).get_metadata_routing().fit.requests["sample_weight"] is True


def test_the_public_names_load_on_first_use():
    code = (
        "import sys, horotree.tempered; light = set(sys.modules)\n"
        "from horotree import LogisticBoostClassifier, LogLossTreeClassifier, load, save\n"
        "print(*{name.partition('.')[0] for name in light})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"scipy", "sklearn", "matplotlib", "pandas", "joblib"} & set(done.stdout.split())
    for name in horotree.__all__:
        assert hasattr(horotree, name)
    assert set(dir(horotree)) == set(horotree.__all__)
