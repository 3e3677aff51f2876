"""Predictions on collections wait to be computed, and are those of one machine."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from horotree import LogisticBoostClassifier
from horotree.distributed import DaskLogisticBoostClassifier

from .data import arrays, delayed, numbers, table

SMALL = {"n_estimators": 3, "max_leaf_nodes": 8}
METHODS = ("predict", "predict_proba", "decision_function")


@pytest.fixture(scope="module")
def as_if_fitted():
    """Return a classifier with the model of a local fit."""

    def make(*data):
        fitted = DaskLogisticBoostClassifier(**SMALL)
        for name, value in vars(LogisticBoostClassifier(**SMALL).fit(*data)).items():
            setattr(fitted, name, value)
        return fitted

    return make


@pytest.mark.parametrize("n_classes", [2, 3])
def test_arrays(client, as_if_fitted, n_classes):
    import dask.array as da

    X, y, _ = numbers(500, n_classes)
    fitted = as_if_fitted(X, y)
    for chunks in ((200, 6), (300, 2)):
        collection = da.from_array(X, chunks=chunks)
        for method in METHODS:
            later = getattr(fitted, method)(collection)
            expected = getattr(fitted.to_local(), method)(X)
            assert isinstance(later, da.Array)
            assert (later.shape, later.dtype) == (expected.shape, expected.dtype)
            np.testing.assert_array_equal(later.compute(), expected)


def test_frames_also_with_empty_partitions(client, as_if_fitted):
    import dask.array as da
    import dask.dataframe as dd

    frame, y = table(300)
    fitted = as_if_fitted(frame, y)
    collection = dd.from_pandas(frame, npartitions=3)
    some = collection[collection["size"] > 2.0]
    for method in METHODS:
        later = getattr(fitted, method)(collection)
        expected = getattr(fitted.to_local(), method)(frame)
        assert isinstance(later, da.Array)
        assert later.dtype == expected.dtype
        np.testing.assert_array_equal(later.compute(), expected)
        few = getattr(fitted, method)(some).compute()
        np.testing.assert_array_equal(few, expected[(frame["size"] > 2.0).to_numpy()])


def test_lists_of_delayed_tables(client, as_if_fitted):
    import dask

    X, y, _ = numbers(100)
    fitted = as_if_fitted(X, y)
    parts = dask.compute(*fitted.predict_proba(delayed([60, 0, 40], X)[0]))
    assert [len(part) for part in parts] == [60, 0, 40]
    np.testing.assert_array_equal(np.concatenate(parts), fitted.predict_proba(X))


def test_columns_are_checked_before_anything_is_computed(client, as_if_fitted):
    import dask.dataframe as dd

    frame, y = table(100)
    fitted = as_if_fitted(frame, y)
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(dd.from_pandas(frame[["city", "size", "flag", "code"]], npartitions=2))
    X, y, _ = numbers(100)
    with pytest.raises(ValueError, match="5 features"):
        as_if_fitted(X, y).predict(arrays(50, X[:, :5])[0])


def test_the_score_is_the_share_that_is_right(client, as_if_fitted):
    X, y, weight = numbers(500)
    fitted, local = as_if_fitted(X, y), LogisticBoostClassifier(**SMALL).fit(X, y)
    assert fitted.score(*arrays(200, X, y)) == local.score(X, y) == fitted.score(X, y)
    assert fitted.score(*arrays(200, X, y, weight)) == pytest.approx(local.score(X, y, weight))


def test_what_is_for_tables_in_memory_says_so(client, as_if_fitted):
    X, y, _ = numbers(100)
    fitted, (collection,) = as_if_fitted(X, y), arrays(50, X)
    assert fitted.apply(X).shape == (100, 3)
    for use in (fitted.apply, lambda X: next(fitted.staged_predict(X))):
        with pytest.raises(TypeError, match=r"works on tables in memory: use to_local\(\)"):
            use(collection)


def test_before_a_fit_nothing_is_predicted(client):
    X, _, _ = numbers(100)
    for collection in (*arrays(50, X), *delayed([50, 50], X)):
        with pytest.raises(NotFittedError):
            DaskLogisticBoostClassifier().predict(collection)


def test_the_local_classifier_has_the_same_parameters_and_attributes(as_if_fitted):
    X, y, _ = numbers(200)
    fitted = as_if_fitted(X, y)
    fitted.workers_, fitted.cut_error_ = {}, 0.0
    local = fitted.to_local()
    assert type(local) is LogisticBoostClassifier
    assert vars(local).keys() == vars(LogisticBoostClassifier(**SMALL).fit(X, y)).keys()
    assert local.get_params() == LogisticBoostClassifier(**SMALL).get_params()
    np.testing.assert_array_equal(local.predict(X), fitted.predict(X))
    assert not hasattr(DaskLogisticBoostClassifier().to_local(), "model_")


def test_parameters_are_those_of_the_local_classifier_and_three_more():
    ours = DaskLogisticBoostClassifier().get_params()
    local = LogisticBoostClassifier().get_params()
    assert ours == local | {"client": None, "n_restarts": 2, "timeout": 300.0}


def test_copies_keep_the_client_but_pickles_do_not(client):
    model = DaskLogisticBoostClassifier(client=client, n_estimators=7, class_weight={0: 2.0})
    assert model.client_ is client
    twin = clone(model)
    assert twin.client is client
    assert twin.get_params() == model.get_params()
    assert twin.class_weight is not model.class_weight
    sent = pickle.loads(pickle.dumps(model))  # noqa: S301 - made here
    assert sent.client is None
    assert sent.n_estimators == 7
    assert copy.copy(model).n_estimators == 7
    assert "n_estimators=7" in repr(sent)
    assert sent.set_params(timeout=5.0).timeout == 5.0
