"""Tables, labels and weights: what is read, what is refused, and what a refusal leaves behind."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.exceptions import NotFittedError

from horotree import LogisticBoostClassifier, LogLossTreeClassifier
from horotree.training import Monitor

from .data import numbers, table

X, y = numbers(n=60)
ONES = np.ones(60)
DIRTY = X.copy()
DIRTY[3, 2] = np.inf
TEXT = pd.DataFrame(X).astype(object)
TEXT.iloc[0, 0] = "a"
DATES = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=60)})
MIXED = np.array([1, "a"] * 30, dtype=object)

BAD_DATA = {
    "one class": ((X, np.zeros(60)), "only one class, 0.0"),
    "NaN label": ((X, np.where(y, 1.0, np.nan)), "y contains NaN"),
    "infinite label": ((X, np.where(y, 1.0, np.inf)), "y contains NaN, infinity"),
    "no label": ((X, np.where(y, "a", None)), "got None in row"),
    "missing label": ((X, pd.Series(y, dtype="Int64").mask(y == 0)), "y contains NaN"),
    "continuous labels": ((X, X[:, 0]), "Unknown label type: continuous"),
    "two columns of labels": ((X, np.c_[y, y]), "1d array"),
    "labels of two types": ((X, MIXED), "type|Unknown label"),
    "dates for labels": ((X, np.tile(pd.date_range("2020-01-01", periods=2), 30)), "label|dtype"),
    "too few labels": ((X, y[:-1]), "60 rows and 59 labels"),
    "no labels": ((X, None), "requires y"),
    "no rows": ((X[:0], y[:0]), r"0 sample\(s\)"),
    "no columns": ((X[:, :0], y), r"0 feature\(s\)"),
    "one dimension": ((X[:, 0], y), "Reshape your data"),
    "infinite feature": ((DIRTY, y), "column 'x2' holds inf"),
    "sparse": ((scipy.sparse.csr_array(X), y), "sparse"),
    "text": ((TEXT, y), "holds text"),
    "dates": ((DATES, y), "dates"),
    "complex": ((X + 1j, y), "[Cc]omplex"),
    "negative weight": ((X, y, ONES - 2 * (y == 1)), r"not negative, got -1\.0"),
    "infinite weight": ((X, y, np.where(y, np.inf, 1)), "finite and not negative, got inf"),
    "NaN weight": ((X, y, np.where(y, np.nan, 1)), "NaN"),
    "no weight": ((X, y, 0 * ONES), "zero"),
    "weight of one class": ((X, y, ONES * y), "one class, 1"),
    "too few weights": ((X, y, ONES[:-1]), r"shape \(59,\)"),
    "too heavy": ((X, y, ONES * 1e307), "infinity"),
}

BAD_PARAMETERS = [
    ({"n_estimators": 0}, ValueError, "n_estimators must be at least 1, got 0"),
    ({"n_estimators": 1.5}, TypeError, "n_estimators must be an integer"),
    ({"n_estimators": True}, TypeError, "n_estimators must be an integer"),
    ({"max_leaf_nodes": 1}, ValueError, "at least 2"),
    ({"max_depth": 0}, ValueError, "max_depth must be at least 1, got 0, or None for no limit"),
    ({"min_samples_leaf": 0}, ValueError, "at least 1"),
    ({"learning_rate": 0}, ValueError, "above 0"),
    ({"learning_rate": np.nan}, ValueError, "finite"),
    ({"learning_rate": "fast"}, TypeError, "learning_rate must be a real number"),
    ({"smoothing": 0}, ValueError, "pure_leaves='forbid'"),
    ({"smoothing": -1}, ValueError, "0 or more"),
    ({"smoothing": "some"}, ValueError, "'auto', or a number, got 'some'"),
    ({"pure_leaves": "avoid"}, ValueError, "'allow', 'forbid'"),
    ({"max_bins": 1}, ValueError, "every distinct value"),
    ({"max_features": 7}, ValueError, "at most the number of features, got 7 for 6"),
    ({"max_features": 0}, ValueError, "at least 1"),
    ({"max_features": 1.5}, ValueError, r"in \(0, 1\]"),
    ({"max_features": "all"}, ValueError, "'sqrt', 'log2'"),
    ({"subsample": 0}, ValueError, r"in \(0, 1\]"),
    ({"categorical_features": [9]}, ValueError, "indices below 6"),
    ({"class_weight": "equal"}, ValueError, "'balanced'"),
    ({"class_weight": {2: 1.0}}, ValueError, r"names the class 2.*not the class 0"),
    ({"class_weight": {0: -1.0}}, ValueError, "above 0"),
    ({"early_stopping": 1}, TypeError, "True or False"),
    ({"early_stopping": "yes"}, ValueError, "'auto'"),
    ({"validation_fraction": 1.0}, ValueError, "between 0 and 1"),
    ({"early_stopping": True, "validation_fraction": 0.01}, ValueError, "too few to hold out"),
    ({"n_iter_no_change": 0}, ValueError, "at least 1"),
    ({"warm_start": "no"}, TypeError, "True or False"),
    ({"n_jobs": 0}, ValueError, "-1 for all cores"),
    ({"random_state": "dice"}, ValueError, "seed"),
    ({"verbose": -1}, ValueError, "0 or more"),
]

BAD_EVAL_SETS = {
    "no tuple": (X, "eval_set must be"),
    "a list of tuples": ([(X, y)], "of length 1"),
    "another class": ((X, y + 5), "class 5, which is not in y"),
    "classes of another type": ((X, np.array(["a", "b"])[y]), "class 'a', which is not in y"),
    "classes of two types": ((X, MIXED), "class 'a', which is not in y"),
    "no rows": ((X[:0], y[:0]), "some rows"),
    "other columns": ((X[:, :2], y), "2 features"),
    "no weight": ((X, y, 0 * ONES), "zero"),
}


def small(**parameters):
    return LogisticBoostClassifier(**({"n_estimators": 3, "max_leaf_nodes": 4} | parameters))


def assert_refused(estimator, error, text, *data, **options):
    """Fitting raises, and neither a new estimator nor one that is fitted changes by it."""
    before = dict(vars(estimator))
    with pytest.raises(error, match=text):
        estimator.fit(*data, **options)
    after = vars(estimator)
    assert after.keys() == before.keys()
    assert all(after[name] is before[name] for name in before)


@pytest.mark.parametrize("fitted", [False, True], ids=["new", "fitted"])
@pytest.mark.parametrize("data", BAD_DATA.values(), ids=BAD_DATA)
@pytest.mark.parametrize("estimator", [small(), LogLossTreeClassifier()], ids=["boost", "tree"])
def test_bad_data_is_refused_and_leaves_no_trace(estimator, data, fitted):
    if fitted:
        estimator.fit(*table())
    arguments, text = data
    assert_refused(estimator, (TypeError, ValueError), text, *arguments)


@pytest.mark.parametrize(("parameters", "error", "text"), BAD_PARAMETERS)
def test_bad_parameters_are_refused_and_leave_no_trace(parameters, error, text):
    estimator = small().fit(X, y).set_params(**parameters)
    assert_refused(estimator, error, text, X, y)


@pytest.mark.parametrize("eval_set", BAD_EVAL_SETS.values(), ids=BAD_EVAL_SETS)
def test_bad_eval_sets_are_refused_and_leave_no_trace(eval_set):
    value, text = eval_set
    assert_refused(small().fit(X, y), ValueError, text, X, y, eval_set=value)


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, MemoryError])
def test_an_interrupted_fit_leaves_no_trace(interrupt, monkeypatch):
    estimator = small(early_stopping=True).fit(*table())
    follow = Monitor.add

    def stop(monitor, new):
        if len(monitor.losses) > 2:
            raise interrupt
        follow(monitor, new)

    monkeypatch.setattr(Monitor, "add", stop)
    assert_refused(estimator, interrupt, "^$", X, y)
    estimator.set_params(warm_start=True, n_estimators=9)
    assert_refused(estimator, interrupt, "^$", *table())


def test_a_new_fit_forgets_the_names_of_the_old_one():
    estimator = small().fit(*table())
    assert estimator.feature_names_in_.tolist() == ["size", "city", "flag"]
    estimator.fit(X, y)
    assert not hasattr(estimator, "feature_names_in_")
    assert estimator.n_features_in_ == 6
    assert estimator.model_.feature_names == ("x0", "x1", "x2", "x3", "x4", "x5")


# --- at prediction --------------------------------------------------------------------------------


def test_prediction_needs_a_fit():
    for method in ("predict", "predict_proba", "decision_function", "apply"):
        with pytest.raises(NotFittedError):
            getattr(small(), method)(X)
    with pytest.raises(NotFittedError):
        _ = small().feature_importances_


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda t: t.rename(columns={"city": "town"}), "feature names"),
        (lambda t: t[["city", "size", "flag"]], "order"),
        (lambda t: t[["size", "city"]], "feature names"),
        (lambda t: t.assign(more=1), "feature names"),
        (lambda t: t.assign(size=np.inf), "holds inf"),
        (lambda t: t.assign(size="tall"), "holds text"),
        (lambda t: t.assign(city=1.0), "labels such as 'Bern'"),
    ],
)
def test_another_table_is_refused(change, text):
    frame, labels = table()
    estimator = small().fit(frame, labels)
    for method in ("predict", "predict_proba", "decision_function", "apply"):
        with pytest.raises(ValueError, match=text):
            getattr(estimator, method)(change(frame))


def test_another_number_of_columns_is_refused():
    estimator = small().fit(X, y)
    with pytest.raises(ValueError, match="X has 5 features, but LogisticBoostClassifier is expect"):
        estimator.predict(X[:, :5])


# --- tables ---------------------------------------------------------------------------------------


def test_categories_are_read_by_label_not_by_code():
    frame, labels = table()
    estimator = small(n_estimators=10).fit(frame, labels)
    assert estimator.model_.categories == (None, ("Bern", "Oslo", "Rome", "Turin"), None)
    order = ["Turin", "Madrid", "Rome", "Oslo", "Bern"]
    other = frame.assign(city=frame["city"].cat.set_categories(order))
    np.testing.assert_array_equal(estimator.predict_proba(other), estimator.predict_proba(frame))
    as_text = frame.assign(city=frame["city"].astype(object))
    np.testing.assert_array_equal(estimator.predict_proba(as_text), estimator.predict_proba(frame))


def test_labels_not_seen_go_where_missing_values_go():
    frame, labels = table()
    estimator = small(n_estimators=10).fit(frame, labels)
    unseen = frame.assign(city=pd.Categorical(["Paris"] * len(frame)))
    missing = frame.assign(city=pd.Categorical([None] * len(frame), ["Bern"]))
    np.testing.assert_array_equal(estimator.predict_proba(unseen), estimator.predict_proba(missing))


@pytest.mark.parametrize("chosen", [["city"], [1], [False, True, False]])
def test_categorical_features_are_named_in_three_ways(chosen):
    frame, labels = table()
    by_dtype = small().fit(frame, labels)
    by_name = small(categorical_features=chosen)
    by_name.fit(frame.assign(city=frame["city"].astype(object)), labels)
    assert by_name.model_ == by_dtype.model_
    array = frame.assign(city=frame["city"].cat.codes.replace(-1, np.nan)).to_numpy(dtype=float)
    if chosen != ["city"]:
        by_array = small(categorical_features=chosen).fit(array, labels)
        np.testing.assert_array_equal(
            by_array.decision_function(array), by_dtype.decision_function(frame)
        )


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_missing_values_of_numbers_may_tell_the_class(sign):
    x = np.where(y == 1, np.nan, X[:, 0])[:, np.newaxis] * sign
    assert small().fit(x, y).score(x, y) == 1.0
    x = np.where(y == 1, X[:, 0], np.nan)[:, np.newaxis]
    assert small().fit(x, y).score(x, y) == 1.0


@pytest.mark.parametrize("absent", [0, 1])
def test_missing_categories_may_tell_the_class(absent):
    labels = np.where(y == absent, None, np.where(X[:, 0] > 0, "a", "b"))
    frame = pd.DataFrame({"c": pd.Categorical(labels)})
    assert small().fit(frame, y).score(frame, y) == 1.0


def test_a_column_without_values_is_no_obstacle():
    frame = pd.DataFrame({"none": np.full(60, np.nan), "x": X[:, 0]})
    frame["empty"] = pd.Categorical([None] * 60, categories=["a"])
    estimator = small().fit(frame, y)
    assert estimator.feature_importances_.tolist() == [0.0, 1.0, 0.0]


def test_polars_frames_are_read_as_pandas_ones(require):
    polars = require("polars")
    frame, labels = table()
    cities = [city if isinstance(city, str) else None for city in frame["city"].astype(object)]
    same = polars.DataFrame(
        {
            "size": frame["size"].to_numpy(),
            "city": polars.Series(cities, dtype=polars.Categorical),
            "flag": frame["flag"].to_numpy(),
        }
    )
    by_pandas, by_polars = small().fit(frame, labels), small().fit(same, labels)
    assert by_polars.feature_names_in_.tolist() == ["size", "city", "flag"]
    np.testing.assert_array_equal(by_polars.predict_proba(same), by_pandas.predict_proba(frame))


def test_integers_of_any_width_and_booleans_are_numbers():
    whole = (X * 10).round()
    expected = small().fit(whole, y).decision_function(whole)
    for dtype in (np.int8, np.int64, np.float32):
        given = whole.astype(dtype)
        np.testing.assert_array_equal(small().fit(given, y).decision_function(given), expected)
    assert small().fit(X > 0, y).score(X > 0, y) > 0.5


# --- labels and weights ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["b", "a"])[y],
        np.array(["b", "a"], dtype=object)[y],
        y == 1,
        y.astype(float),
        pd.Series(np.array(["b", "a"])[y], dtype="category"),
        pd.Series(np.array(["b", "a"])[y], dtype="string"),
        pd.Series(y, dtype="Int64"),
        list(y),
    ],
    ids=["str", "object", "bool", "float", "category", "string", "Int64", "list"],
)
def test_labels_of_many_types_come_back(labels):
    estimator = small().fit(X, labels)
    assert set(estimator.predict(X).tolist()) <= set(np.asarray(labels).tolist())
    assert estimator.classes_.tolist() == sorted(set(np.asarray(labels).tolist()))


def test_labels_that_are_tuples_are_refused():
    labels = np.empty(60, object)
    labels[:] = [(1, 2), (3, 4)] * 30
    with pytest.raises(ValueError, match="multi-label"):
        small().fit(X, labels)


def test_one_number_is_the_weight_of_all():
    estimator = small().fit(X, y, sample_weight=2.0)
    assert estimator.model_ == small().fit(X, y, sample_weight=[2.0] * 60).model_


def test_a_class_without_weight_is_as_if_it_were_not_there():
    _, three = numbers(n=60, n_classes=3)
    estimator = small().fit(X, three, sample_weight=three < 2)
    assert estimator.classes_.tolist() == [0, 1]
    assert estimator.model_ == small().fit(X[three < 2], three[three < 2]).model_


def test_class_weight_may_name_classes_that_are_not_there():
    weights = {0: 1.0, 1: 3.0, 2: 5.0}
    assert small(class_weight=weights).fit(X, y).classes_.tolist() == [0, 1]


def test_nothing_given_is_changed():
    frame, labels = table()
    weight = np.linspace(0.0, 1.0, len(frame))
    copies = frame.copy(), labels.copy(), weight.copy()
    small().fit(frame, labels, sample_weight=weight, eval_set=(frame, labels, weight))
    pd.testing.assert_frame_equal(frame, copies[0])
    np.testing.assert_array_equal(labels, copies[1])
    np.testing.assert_array_equal(weight, copies[2])
