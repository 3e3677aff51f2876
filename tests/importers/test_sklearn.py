"""Imported models of scikit-learn predict what scikit-learn does, and draw what they should."""

import platform
import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn import ensemble, tree
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from horotree.importers import UnsupportedModelError, find_library
from horotree.importers.sklearn import reader
from horotree.losses import inverse_link
from tests.trees.strategies import generators

TINY = np.finfo(np.float32).smallest_subnormal
# Not larger: scikit-learn looks for infinities in sums of float32 columns.
POOL = np.array([-1e30, -1.0, -TINY, -0.0, 0.0, TINY, 1e-300, 0.1, 1 / 3, 1.0, 1.0 + 1e-9, 1e30])
LABELS = {
    "int": np.array([3, -1, 7]),
    "str": np.array(["ja", "nein", "π"]),
    "bool": np.array([False, True]),
    "object": np.array(["a", "b", "c"], object),
    "float": np.array([-4.0, 2.0, 1e9]),
}
# Sums are in another order, or divided at another time, by some units in the last place.
CLOSE = {"rtol": 1e-12, "atol": 1e-13}
SAME_MACHINE = platform.machine() in ("x86_64", "AMD64")  # others may fuse products and sums


@pytest.fixture(autouse=True, scope="module")
def _one_thread():
    """Fit small data by one thread: several wait for each other longer than they work."""
    with threadpool_limits(1):
        yield


@dataclass(frozen=True)
class Problem:
    X: np.ndarray
    y: np.ndarray
    rng: np.random.Generator


@st.composite
def problems(draw, *, missing=True, max_classes=3):
    """Draw rows with many ties and a label that depends on them; also with missing values."""
    rng = draw(generators)
    n, d = draw(st.integers(20, 60)), draw(st.integers(1, 4))
    X = np.where(rng.random((n, d)) < 0.6, rng.choice(POOL, (n, d)), rng.normal(size=(n, d)))
    labels = LABELS[draw(st.sampled_from(sorted(LABELS)))][:max_classes]
    labels = labels[: draw(st.integers(2, len(labels)))]
    place = (X[:, 0] > 0.0).astype(int) + (X[:, -1] > 0.2)
    place = np.where(rng.random(n) < 0.2, rng.integers(0, 3, n), place) % len(labels)
    place[: len(labels)] = range(len(labels))
    if missing and draw(st.booleans()):
        X[rng.random((n, d)) < 0.2] = np.nan
    return Problem(X, labels[place], rng)


def rows_around(model, X, rng, *, missing):
    """Return rows on the thresholds and next to them, in float32 and float64; and others."""
    thresholds = [t.threshold for e in model.ensembles for t in e.trees]
    at = np.clip(np.concatenate(thresholds), -1e30, 1e30)[:300]
    single = at.astype(np.float32)
    near = [at, np.nextafter(at, np.inf), np.nextafter(at, -np.inf), single.astype(np.float64)]
    near += [np.nextafter(single, np.float32(s)).astype(np.float64) for s in (-1, 1)]
    pool = np.concatenate([*near, POOL, [5e-324, -5e-324]])
    rows = rng.choice(pool, (200, X.shape[1]))
    if missing:
        rows[rng.random(rows.shape) < 0.2] = np.nan
    else:
        X = np.nan_to_num(X)
    return np.concatenate([X, rows])


def check_same(model, foreign, X, **tolerance):
    """Check the probabilities, and the classes where they do not tie."""
    expected = foreign.predict_proba(X)
    found = model.predict_proba(X)
    np.testing.assert_allclose(found, expected, **(tolerance or CLOSE))
    first, second = np.sort(expected, axis=1)[:, :-3:-1].T
    clear = first - second > 1e-9
    assert np.array_equal(model.predict(X)[clear], foreign.predict(X)[clear])
    assert model.predict(X).dtype.kind == np.asarray(foreign.classes_).dtype.kind


params = st.fixed_dictionaries(
    {
        "max_depth": st.sampled_from([None, 1, 3]),
        "max_leaf_nodes": st.sampled_from([None, 2, 5]),
        "criterion": st.sampled_from(["gini", "entropy"]),
        "class_weight": st.sampled_from([None, "balanced"]),
        "ccp_alpha": st.sampled_from([0.0, 0.01]),
        "random_state": st.integers(0, 9),
    }
)


@given(problems(), params, st.sampled_from(["DecisionTreeClassifier", "ExtraTreeClassifier"]))
def test_trees_predict_the_same_bits(problem, params, kind):
    foreign = getattr(tree, kind)(**params).fit(problem.X, problem.y)
    model = reader.convert(foreign)
    X = rows_around(model, problem.X, problem.rng, missing=True)
    check_same(model, foreign, X)
    expected = foreign.predict_proba(X)
    score = model.score(X)
    assert np.array_equal(score, expected[:, 1] if score.ndim == 1 else expected)


@given(
    problems(),
    params,
    st.sampled_from(["RandomForestClassifier", "ExtraTreesClassifier"]),
    st.sampled_from([1, 3, 4]),
)
def test_forests_predict_the_same(problem, params, kind, n_trees):
    foreign = getattr(ensemble, kind)(n_trees, **params).fit(problem.X, problem.y)
    model = reader.convert(foreign)
    X = rows_around(model, problem.X, problem.rng, missing=True)
    check_same(model, foreign, X)
    if n_trees != 3:  # dividing by a power of 2 rounds nothing
        score, expected = model.score(X), foreign.predict_proba(X)
        assert np.array_equal(score, expected[:, 1] if score.ndim == 1 else expected)


@given(
    problems(),
    st.fixed_dictionaries(
        {
            "n_estimators": st.integers(1, 4),
            "max_samples": st.sampled_from([3, 1.0]),
            "max_features": st.sampled_from([0.5, 1.0]),
            "bootstrap_features": st.booleans(),
            "random_state": st.integers(0, 9),
        }
    ),
    st.sampled_from([None, tree.ExtraTreeClassifier(max_depth=3)]),
)
def test_bagged_trees_predict_the_same_also_if_some_saw_no_example_of_a_class(
    problem, params, base
):
    foreign = ensemble.BaggingClassifier(base, **params).fit(problem.X, problem.y)
    model = reader.convert(foreign)
    check_same(model, foreign, rows_around(model, problem.X, problem.rng, missing=True))


@given(
    problems(missing=False),
    st.integers(1, 5),
    st.sampled_from([0.3, 1.0]),
    st.sampled_from([1, 2, 4]),
)
def test_adaboost_votes_the_same(problem, n_estimators, learning_rate, depth):
    base = tree.DecisionTreeClassifier(max_depth=depth)
    foreign = ensemble.AdaBoostClassifier(
        base, n_estimators=n_estimators, learning_rate=learning_rate, random_state=0
    )
    try:
        foreign.fit(problem.X, problem.y)
    except ValueError:  # its first tree is no better than chance
        assume(False)
    model = reader.convert(foreign)
    X = rows_around(model, problem.X, problem.rng, missing=False)
    check_same(model, foreign, X)
    divisor = max(len(foreign.classes_) - 1, 1)
    np.testing.assert_allclose(model.score(X) * divisor, foreign.decision_function(X), **CLOSE)


@given(
    problems(missing=False),
    st.fixed_dictionaries(
        {
            "n_estimators": st.integers(1, 5),
            "learning_rate": st.sampled_from([0.0, 0.1, 1.0]),
            "subsample": st.sampled_from([0.5, 1.0]),
            "max_depth": st.integers(1, 4),
            "loss": st.sampled_from(["log_loss", "exponential"]),
            "init": st.sampled_from([None, "zero", DummyClassifier(strategy="uniform")]),
            "random_state": st.integers(0, 9),
        }
    ),
)
def test_gradient_boosting_scores_the_same_bits(problem, params):
    if len(set(problem.y.tolist())) > 2:
        params = params | {"loss": "log_loss"}
    with warnings.catch_warnings():
        # Few rows of subsamples may fit so well that scikit-learn's own update divides by 0.
        warnings.simplefilter("ignore", RuntimeWarning)
        foreign = ensemble.GradientBoostingClassifier(**params).fit(problem.X, problem.y)
    model = reader.convert(foreign)
    X = rows_around(model, problem.X, problem.rng, missing=False)
    check_same(model, foreign, X)
    score, expected = model.score(X), foreign.decision_function(X)
    if params["loss"] == "exponential":
        expected = 2.0 * expected
    if SAME_MACHINE:
        assert np.array_equal(score, expected)
    np.testing.assert_allclose(score, expected, **CLOSE)


boosting = st.fixed_dictionaries(
    {
        "max_iter": st.integers(1, 5),
        "learning_rate": st.sampled_from([0.1, 0.37, 1.0]),
        "max_leaf_nodes": st.sampled_from([2, 5, None]),
        "min_samples_leaf": st.sampled_from([1, 5]),
        "max_bins": st.sampled_from([3, 255]),
        "l2_regularization": st.sampled_from([0.0, 1.0]),
        "early_stopping": st.booleans(),
        "random_state": st.integers(0, 9),
    }
)


def fit_histogram(X, y, **params):
    early = params.pop("early_stopping")
    # Too few of a class to set some aside: stop late instead.
    early = early and min(np.unique(y, return_counts=True)[1]) > 5
    foreign = ensemble.HistGradientBoostingClassifier(
        early_stopping=early, validation_fraction=0.3, **params
    )
    return foreign.fit(X, y)


@given(problems(), boosting)
def test_histogram_boosting_scores_the_same(problem, params):
    foreign = fit_histogram(problem.X, problem.y, **params)
    model = reader.convert(foreign)
    assert model.input_dtype == "float64"
    X = rows_around(model, problem.X, problem.rng, missing=True)
    X[0, 0], X[1, 0] = 1.7e308, -1.7e308
    check_same(model, foreign, X)
    np.testing.assert_allclose(model.score(X), foreign.decision_function(X), **CLOSE)


def random_table(rng, n, n_labels, *, unseen=False):
    """Return a table with categories between numbers; also with labels never seen in training."""
    extra = 2 if unseen else 0
    words = np.array([f"w{i}" for i in range(n_labels + extra)], object)
    table = pd.DataFrame(
        {
            "size": rng.choice(POOL, n),
            "word": pd.Categorical(rng.choice(words, n)),
            "weight": rng.normal(size=n),
            "code": pd.Categorical(rng.integers(5, 8 + extra, n)),
            "flag": rng.random(n) < 0.5,
        }
    )
    for name in ("word", "code", "weight"):
        table.loc[rng.random(n) < 0.2, name] = np.nan
    return table


@settings(max_examples=50)  # tables take their time
@given(generators, st.sampled_from([1, 2, 5, 80]), boosting, st.integers(2, 3))
def test_histogram_boosting_with_categories_scores_the_same(rng, n_labels, params, n_classes):
    n = 120
    table = random_table(rng, n, n_labels)
    code = table["word"].cat.codes.to_numpy() % 3 + (table["code"].cat.codes.to_numpy() == 1)
    y = np.where(rng.random(n) < 0.2, rng.integers(0, n_classes, n), code % n_classes)
    y[:n_classes] = range(n_classes)
    foreign = fit_histogram(table, y, **(params | {"max_bins": 255}))
    model = reader.convert(foreign)
    assert model.feature_names == tuple(table.columns)
    assert [labels is not None for labels in model.categories] == [False, True, False, True, False]
    for rows in (table, random_table(rng, 100, n_labels, unseen=True)):
        check_same(model, foreign, rows)
        np.testing.assert_allclose(model.score(rows), foreign.decision_function(rows), **CLOSE)


def test_categories_that_are_numbers_of_an_array_score_the_same():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=300), rng.choice([-2.0, 0.5, 7.0, np.nan], 300)])
    y = (X[:, 1] == 7.0) ^ (rng.random(300) < 0.1)
    foreign = ensemble.HistGradientBoostingClassifier(max_iter=5, categorical_features=[1])
    model = reader.convert(foreign.fit(X, y))
    assert model.categories == (None, (-2.0, 0.5, 7.0))
    check_same(model, foreign, X)


def test_a_split_between_the_missing_and_the_only_category_scores_the_same():
    table = pd.DataFrame({"a": pd.Categorical(["x", None] * 100)})
    y = np.tile([1, 0], 100)
    for labels in (y, 1 - y):
        foreign = ensemble.HistGradientBoostingClassifier(max_iter=3).fit(table, labels)
        check_same(reader.convert(foreign), foreign, table)


def test_none_as_a_category_apart_from_missing_values_is_refused():
    X = np.array([["x"], ["y"], [None]] * 40, object)
    foreign = ensemble.HistGradientBoostingClassifier(max_iter=2, categorical_features=[0])
    foreign.fit(X, np.tile([0, 1, 1], 40))
    with pytest.raises(UnsupportedModelError, match="None"):
        reader.convert(foreign)


@given(problems(), st.integers(0, 9))
def test_nodes_of_forests_are_drawn_by_the_share_of_their_class(problem, seed):
    foreign = ensemble.RandomForestClassifier(3, random_state=seed, bootstrap=False)
    model = reader.convert(foreign.fit(problem.X, problem.y))
    drawn = [1] if len(model.ensembles) == 1 else range(len(model.classes))
    for part, k in zip(model.ensembles, drawn, strict=True):
        for found, estimator in zip(part.trees, foreign.estimators_, strict=True):
            share, weight = estimator.tree_.value[:, 0, k], found.weight
            pure = (share == 0.0) | (share == 1.0)
            np.testing.assert_allclose(inverse_link(found.value[~pure]), share[~pure], rtol=1e-9)
            expected = np.copysign(np.log(2.0 * weight + 1.0), share - 0.5)
            np.testing.assert_allclose(found.value[pure], expected[pure], rtol=1e-12)
            assert np.array_equal(found.output, share)
            assert np.array_equal(found.count, estimator.tree_.n_node_samples)


def test_nodes_of_adaboost_are_smoothed_by_examples_although_weights_sum_to_one():
    X, y = np.arange(8.0)[:, None], np.array([0, 0, 0, 0, 1, 1, 1, 1])
    foreign = ensemble.AdaBoostClassifier(n_estimators=1).fit(X, y)
    (found,) = reader.convert(foreign).ensembles[0].trees
    np.testing.assert_allclose(found.value, [0.0, -np.log(9.0), np.log(9.0)], atol=1e-12)
    assert found.output[1:].tolist() == [-1.0, 1.0]


@given(problems(missing=False), st.sampled_from([0.1, 0.37]), st.booleans())
def test_boosted_nodes_are_drawn_by_the_mean_of_unshrunk_leaves(problem, rate, histogram):
    if histogram:
        foreign = ensemble.HistGradientBoostingClassifier(
            learning_rate=rate, max_iter=2, min_samples_leaf=2, early_stopping=False
        ).fit(problem.X, problem.y)
    else:
        foreign = ensemble.GradientBoostingClassifier(learning_rate=rate, n_estimators=2)
        foreign.fit(problem.X, problem.y)
    model = reader.convert(foreign)
    for k, part in enumerate(model.ensembles):
        assert (part.leverage == rate).all()
        assert np.isnan(part.edge).all()
        for i, found in enumerate(part.trees):
            leaf = found.is_leaf
            if histogram:
                stored = foreign._predictors[i][k].nodes["value"] / rate
            else:
                stored = foreign.estimators_[i, k].tree_.value[:, 0, 0]
            np.testing.assert_allclose(found.value[leaf], stored[leaf], **CLOSE)
            mean = np.average(found.value[leaf], weights=found.weight[leaf])
            np.testing.assert_allclose(found.value[0], mean, rtol=1e-9, atol=1e-12)
            assert found.confidence.max() <= found.confidence[leaf].max()
            assert np.array_equal(found.output, found.value)


IRIS = load_iris(as_frame=True)


def test_the_last_step_of_a_pipeline_is_read_with_the_names_it_is_given():
    X = IRIS.data.assign(site=["north", "south", "east"] * 50)
    encode = ColumnTransformer(
        [("site", OneHotEncoder(), ["site"])], remainder=StandardScaler(), sparse_threshold=0.0
    )
    foreign = make_pipeline(encode, ensemble.RandomForestClassifier(4)).fit(X, IRIS.target)
    model = reader.convert(foreign)
    assert model.feature_names == tuple(encode.get_feature_names_out()) != ()
    assert model.feature_names == tuple(foreign[:-1].get_feature_names_out())
    check_same(model, foreign[-1], foreign[:-1].transform(X))


def test_steps_that_name_nothing_leave_numbered_names():
    foreign = make_pipeline(FunctionTransformer(np.abs), tree.DecisionTreeClassifier())
    foreign.fit(IRIS.data.to_numpy(), IRIS.target)
    assert reader.convert(foreign).feature_names == ("x0", "x1", "x2", "x3")


def test_names_and_labels_are_those_of_training():
    y = IRIS.target_names[IRIS.target]
    foreign = tree.DecisionTreeClassifier().fit(IRIS.data, y)
    model = reader.convert(foreign)
    assert model.feature_names == tuple(IRIS.data.columns)
    assert model.classes.tolist() == ["setosa", "versicolor", "virginica"]
    check_same(model, foreign, IRIS.data)


def test_pipelines_pass_names_on_to_pipelines_inside_them():
    inner = make_pipeline("passthrough", tree.DecisionTreeClassifier())
    foreign = make_pipeline(StandardScaler(), inner).fit(IRIS.data, IRIS.target)
    assert reader.convert(foreign).feature_names == tuple(IRIS.data.columns)


@pytest.mark.parametrize("search", [GridSearchCV, RandomizedSearchCV])
def test_the_best_model_of_a_search_is_read(search):
    grid = {"tree__max_depth": [1, 3]}
    steps = Pipeline([("scale", StandardScaler()), ("tree", tree.DecisionTreeClassifier())])
    options = {"n_iter": 2} if search is RandomizedSearchCV else {}
    foreign = search(steps, grid, cv=2, **options).fit(IRIS.data, IRIS.target)
    best = foreign.best_estimator_
    model = reader.convert(foreign)
    check_same(model, best[-1], best[:-1].transform(IRIS.data))


def test_a_search_without_a_best_model_is_refused():
    foreign = GridSearchCV(tree.DecisionTreeClassifier(), {"max_depth": [1]}, refit=False, cv=2)
    with pytest.raises(UnsupportedModelError, match="refit=True"):
        reader.convert(foreign.fit(IRIS.data, IRIS.target))


X, Y = IRIS.data.to_numpy(), IRIS.target.to_numpy()
UNSUPPORTED = {
    "DecisionTreeRegressor": tree.DecisionTreeRegressor(),
    "GradientBoostingRegressor": ensemble.GradientBoostingRegressor(n_estimators=1),
    "HistGradientBoostingRegressor": ensemble.HistGradientBoostingRegressor(max_iter=1),
    "LogisticRegression": make_pipeline(StandardScaler(), LogisticRegression()),
    "VotingClassifier": ensemble.VotingClassifier([("a", tree.DecisionTreeClassifier())]),
    "KNeighborsClassifier": ensemble.BaggingClassifier(KNeighborsClassifier(), n_estimators=2),
    "SVC": ensemble.AdaBoostClassifier(SVC(), n_estimators=2),
    "init=": ensemble.GradientBoostingClassifier(init=tree.DecisionTreeClassifier()),
    "IsolationForest": ensemble.IsolationForest(n_estimators=2),
}


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_other_models_are_refused_by_name(name):
    foreign = UNSUPPORTED[name].fit(X, Y)
    with pytest.raises(UnsupportedModelError, match=name):
        reader.convert(foreign)


def test_a_random_start_of_boosting_is_refused():
    start = DummyClassifier(strategy="stratified", random_state=0)
    foreign = ensemble.GradientBoostingClassifier(init=start, n_estimators=1).fit(X, Y)
    with pytest.raises(UnsupportedModelError, match="init=DummyClassifier"):
        reader.convert(foreign)


@pytest.mark.parametrize("kind", [tree.DecisionTreeClassifier, ensemble.RandomForestClassifier])
def test_several_outputs_are_refused(kind):
    foreign = kind().fit(X, np.column_stack([Y, Y]))
    with pytest.raises(UnsupportedModelError, match="several outputs"):
        reader.convert(foreign)


def test_a_single_class_is_refused():
    foreign = tree.DecisionTreeClassifier().fit(X, np.zeros(len(X)))
    with pytest.raises(UnsupportedModelError, match="two classes or more"):
        reader.convert(foreign)


@pytest.mark.parametrize("name", reader._READERS)
def test_models_that_are_not_fitted_are_refused(name):
    kind = getattr(tree, name, None) or getattr(ensemble, name)
    with pytest.raises(ValueError, match="call its fit first"):
        reader.convert(kind())


def test_classes_that_inherit_from_supported_ones_are_not_taken_for_them():
    class Reversed(tree.DecisionTreeClassifier):
        def predict_proba(self, X, check_input=True):  # noqa: FBT002  scikit-learn's signature
            return super().predict_proba(X, check_input)[:, ::-1]

    assert find_library(Reversed()) is None
    with pytest.raises(UnsupportedModelError, match="Reversed"):
        reader.convert(make_pipeline(Reversed()).fit(X, Y))
