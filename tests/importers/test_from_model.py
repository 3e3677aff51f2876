"""The one door to models of other libraries, and node posteriors from data."""

import io
import os
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import horotree
from horotree import LogisticBoostClassifier, LogLossTreeClassifier
from horotree.importers import UnknownModelError, UnsupportedModelError
from horotree.io import from_model
from horotree.trees import Ensemble, Model
from tests.trees.strategies import generators, random_tree

X, Y = load_iris(return_X_y=True)


def test_a_model_is_returned_as_it_is_and_an_estimator_gives_its_own():
    estimator = LogLossTreeClassifier(max_leaf_nodes=3).fit(X, Y == 1)
    assert from_model(estimator) is estimator.model_
    assert from_model(estimator.model_) is estimator.model_


def test_an_estimator_of_horotree_that_is_not_fitted_is_refused():
    with pytest.raises(ValueError, match="call its fit first"):
        from_model(LogLossTreeClassifier())


def test_objects_of_scikit_learn_are_converted():
    foreign = RandomForestClassifier(2, random_state=0).fit(X, Y)
    assert np.array_equal(from_model(foreign).predict_proba(X), foreign.predict_proba(X))


@pytest.mark.parametrize("model", [object(), None, 3, {"tree": 1}, [[1.0]]])
def test_unknown_objects_are_refused_with_a_list_of_what_is_supported(model):
    with pytest.raises(UnknownModelError, match=r"Supported are scikit-learn's.*LightGBM"):
        from_model(model)


def test_a_class_in_place_of_an_object_is_refused():
    with pytest.raises(UnsupportedModelError, match="got the class DecisionTreeClassifier: pass"):
        from_model(DecisionTreeClassifier)


@pytest.mark.parametrize("kind", [UnsupportedModelError, UnknownModelError])
def test_the_error_survives_a_pickle(kind):
    error = kind("model must be good, got a bad one.")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301  made in the line itself
    assert str(again) == str(error)
    assert isinstance(again, ValueError)


def test_nothing_foreign_is_imported_for_objects_of_others():
    code = (
        "import sys\n"
        "from horotree import from_model; from horotree.importers import UnsupportedModelError\n"
        "try: from_model(object())\n"
        "except UnsupportedModelError: pass\n"
        "loaded = {'sklearn', 'xgboost', 'lightgbm', 'catboost', 'ydf'}\n"
        "print(sorted(loaded & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


class Bomb:
    """What writes into a file when a pickle of it is opened."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (self.path, "w")


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_are_refused_and_never_opened(tmp_path, protocol):
    path, trace = tmp_path / "model.pkl", tmp_path / "trace"
    path.write_bytes(pickle.dumps(Bomb(str(trace)), protocol))
    with pytest.raises(UnsupportedModelError):
        from_model(path)
    assert not trace.exists()
    if protocol >= 2:
        with pytest.raises(UnsupportedModelError, match="if you trust it, load it in Python"):
            from_model(str(path))


def test_files_of_horotree_are_read(tmp_path):
    path = tmp_path / "any.name"
    model = LogLossTreeClassifier(max_leaf_nodes=3).fit(X, Y == 1).model_
    horotree.save(model, path)
    for named in (path, str(path)):
        assert from_model(named) == model


@pytest.mark.parametrize("content", [b"", b"\x00" * 100, b"a,b\n1,2\n", b"{}", b"PK\x03\x04"])
def test_files_of_no_known_format_are_refused(tmp_path, content):
    path = tmp_path / "model"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="model"):
        from_model(path)


def test_folders_and_missing_files_are_refused(tmp_path):
    with pytest.raises(UnsupportedModelError, match="folder"):
        from_model(tmp_path)
    with pytest.raises(FileNotFoundError):
        from_model(tmp_path / "none.json")


def test_the_content_of_a_file_is_not_taken_for_a_model():
    with pytest.raises(UnsupportedModelError, match="BytesIO"):
        from_model(io.BytesIO(b"{}"))


@pytest.mark.parametrize("given_", [{"X": X}, {"y": Y}])
def test_rows_without_labels_and_labels_without_rows_are_refused(given_):
    with pytest.raises(TypeError, match="go together"):
        from_model(DecisionTreeClassifier().fit(X, Y), **given_)


@pytest.mark.parametrize("classes", [2, 3])
def test_training_data_give_boosted_trees_the_values_of_their_rounds(classes):
    y = np.minimum(Y, classes - 1)
    options = {"smoothing": 0.0, "pure_leaves": "forbid", "n_estimators": 6, "max_leaf_nodes": 5}
    model = LogisticBoostClassifier(**options).fit(X, y).model_
    drawn = from_model(model, X, y)
    assert drawn.notes[0].endswith("by the boosting weights of its round.")
    for before, after in zip(model.ensembles, drawn.ensembles, strict=True):
        for trained, found in zip(before.trees, after.trees, strict=True):
            np.testing.assert_allclose(found.value, trained.value, atol=1e-7)
            assert np.array_equal(found.count, trained.count)


def test_data_change_what_is_drawn_of_boosted_trees_but_no_prediction():
    foreign = GradientBoostingClassifier(n_estimators=3, max_depth=9, random_state=0).fit(X, Y)
    rows, labels = X[::7], Y[::7]
    model, drawn = from_model(foreign), from_model(foreign, rows, labels)
    assert np.array_equal(drawn.predict_proba(X), model.predict_proba(X))
    assert model.notes[0].startswith("Confidence: the mean margin")
    (before,), (after,) = model.ensembles[:1], drawn.ensembles[:1]
    assert not np.array_equal(before.trees[0].value, after.trees[0].value)
    pure = after.trees[0]
    assert np.abs(pure.value).max() <= np.log1p(2.0 * len(rows))
    assert np.isfinite(pure.value).all()


@pytest.mark.parametrize(
    ("rows", "labels", "text"),
    [(X[:0], Y[:0], "a row or more"), (X, Y + 1, "classes of the model"), (X, Y[1:], "length")],
)
def test_data_that_do_not_fit_the_model_are_refused(rows, labels, text):
    with pytest.raises(ValueError, match=text):
        from_model(DecisionTreeClassifier().fit(X, Y), rows, labels)


def rows_at(tree, matrix):
    """Return which rows reach each node, one test after the other."""
    here = {0: np.arange(len(matrix))}
    for node in range(tree.n_nodes):
        if tree.left[node] >= 0:
            x = matrix[here[node], tree.feature[node]]
            goes = np.where(np.isnan(x), tree.missing_left[node], x <= tree.threshold[node])
            here[tree.left[node]] = here[node][goes]
            here[tree.right[node]] = here[node][~goes]
    return here


@given(generators, st.integers(1, 12), st.integers(1, 15), st.integers(2, 3))
def test_nodes_are_drawn_by_the_posteriors_of_data(rng, n_leaves, n_rows, n_classes):
    parts = tuple(
        Ensemble((random_tree(rng, [0, 0], n_leaves, shares=True),), [1.0], [np.nan], 0.0)
        for _ in range(1 if n_classes == 2 else n_classes)
    )
    names = ("a", "b")
    model = Model(parts, "mean", list(range(n_classes)), names, (None, None), "float64")
    matrix, y = rng.normal(size=(n_rows, 2)), rng.integers(0, n_classes, n_rows)
    matrix[rng.random(matrix.shape) < 0.2] = np.nan
    drawn = from_model(model, matrix, y)
    assert np.array_equal(drawn.predict_proba(matrix), model.predict_proba(matrix))
    for k, part in enumerate(drawn.ensembles):
        (found,), label = part.trees, k if n_classes > 2 else 1
        for node, rows in rows_at(found, matrix).items():
            n, positive = len(rows), int((y[rows] == label).sum())
            assert (found.count[node], found.weight[node]) == (n, n)
            if n == 0:
                assert found.value[node] == found.value[found.parent[node]]
            else:
                half = 0.5 if positive in (0, n) else 0.0
                expected = np.log((positive + half) / (n - positive + half))
                assert found.value[node] == pytest.approx(expected, abs=1e-12)


def test_training_data_give_the_values_that_the_tree_has():
    foreign = DecisionTreeClassifier(max_depth=3).fit(X, Y)
    model, drawn = from_model(foreign), from_model(foreign, X, Y)
    for before, after in zip(model.ensembles, drawn.ensembles, strict=True):
        assert np.array_equal(before.trees[0].count, after.trees[0].count)
        np.testing.assert_allclose(after.trees[0].value, before.trees[0].value, atol=1e-12)


@pytest.mark.parametrize("n_trees", [1, 2, 10, 50, 100, 128])
def test_ties_of_votes_go_to_the_first_class_as_in_scikit_learn(n_trees):
    rng = np.random.default_rng(n_trees)
    rows, labels = rng.normal(size=(400, 4)), rng.integers(0, 2, 400)
    forest = RandomForestClassifier(n_trees, random_state=0).fit(rows, labels)  # pure leaves
    others = rng.normal(size=(5_000, 4))
    posterior = forest.predict_proba(others)[:, 1]
    assert np.array_equal(from_model(forest).predict(others), forest.predict(others))
    assert n_trees == 1 or (np.abs(posterior - 0.5) < 1e-12).any()


@pytest.mark.parametrize("library", ["xgboost.XGBClassifier", "lightgbm.LGBMClassifier"])
def test_other_libraries_inside_of_pipelines_and_searches_are_read(library, require):
    module, _, name = library.partition(".")
    options = {"n_estimators": 3, "n_jobs": 1, "verbosity": {"xgboost": 0, "lightgbm": -1}[module]}
    classifier = getattr(require(module), name)(**options)
    frame, y = load_breast_cancer(return_X_y=True, as_frame=True)
    # LightGBM names the columns of arrays, which scikit-learn then misses.
    warnings.filterwarnings("ignore", "X does not have valid feature names")
    pipeline = make_pipeline(StandardScaler(), classifier).fit(frame, y)
    model, scaled = from_model(pipeline), pipeline[:-1].transform(frame)
    expected = pipeline.predict_proba(frame)
    np.testing.assert_allclose(model.predict_proba(scaled), expected, atol=1e-6)
    assert model.feature_names == tuple(frame.columns)
    search = GridSearchCV(classifier, {"max_depth": [2]}, cv=2).fit(scaled, y)
    found, expected = from_model(search), search.predict_proba(scaled)
    np.testing.assert_allclose(found.predict_proba(scaled), expected, atol=1e-6)
    named = frame.iloc[:5] * 0.0  # columns had no names in training: any will do
    assert np.array_equal(found.score(named), found.score(named.to_numpy()))


def test_an_empty_path_is_refused():
    with pytest.raises(ValueError, match="empty text"):
        from_model("")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in this system's files")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for read in (from_model, horotree.load):
        with pytest.raises(ValueError, match="file"):
            read(tmp_path / "pipe")
