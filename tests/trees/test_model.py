import copy
import pickle

import mpmath as mp
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.trees import Ensemble, Model, Tree
from tests.factories import stump
from tests.trees import oracle
from tests.trees.strategies import models, tables

models_and_tables = models().flatmap(lambda model: st.tuples(st.just(model), tables(model)))


def constant(score):
    """Return an ensemble that scores this whatever comes."""
    return Ensemble((), [], [], score)


def constants(scores, link, classes=None):
    """Return a model whose ensembles score these."""
    n_classes = max(len(scores), 2)
    classes = np.arange(n_classes) if classes is None else classes
    return Model(tuple(map(constant, scores)), link, classes, ("x",), (None,), "float64")


def coded(codes=(), threshold=0.0, feature=0):
    return stump(codes=codes, threshold=threshold, feature=feature, weight=np.nan, count=-1)


def alone(tree):
    return (Ensemble((tree,), [1.0], [np.nan], 0.0),)


# --- scores --------------------------------------------------------------------------------------


@given(models_and_tables)
def test_scores_of_a_table_are_those_of_its_codes(drawn):
    model, table = drawn
    expected = []
    for entries in table:
        row = [
            np.nan if x is None else float(x if known is None else known.index(x))
            for x, known in zip(entries, model.categories, strict=True)
        ]
        with np.errstate(over="ignore"):
            row = np.array(row).astype(model.input_dtype).astype(float)
        expected.append([oracle.score_of(ensemble, row) for ensemble in model.ensembles])
    expected = np.array(expected)
    score = model.score(table)
    assert score.shape == ((len(table),) if len(model.ensembles) == 1 else expected.shape)
    np.testing.assert_array_equal(score.reshape(expected.shape), expected)
    np.testing.assert_array_equal(model.score(table, n_jobs=2), score)


@given(models_and_tables)
def test_probabilities_sum_to_one_and_the_class_is_a_most_probable_one(drawn):
    model, table = drawn
    probabilities = model.predict_proba(table)
    assert probabilities.shape == (len(table), len(model.classes))
    assert (probabilities >= 0.0).all()
    if model.link != "mean":  # the shares of a drawn model are of no common leaf
        np.testing.assert_allclose(probabilities.sum(axis=1), 1.0, rtol=1e-14)
    predicted = model.predict(table)
    assert predicted.dtype == model.classes.dtype
    for label, row in zip(predicted.tolist(), probabilities, strict=True):
        assert row[model.classes.tolist().index(label)] >= row.max() * (1.0 - 1e-15)


def test_columns_are_rounded_to_the_input_dtype_before_they_are_compared():
    third = 1.0 / 3.0
    below = float(np.float32(third))  # more than a third: float32 rounds it up
    ensembles = alone(coded(threshold=third))
    for dtype, score in (("float64", -1.0), ("float32", 1.0)):
        model = Model(ensembles, "logistic", [0, 1], ("x",), (None,), dtype)
        assert below > third
        assert model.score([[third]]).tolist() == [score]
    assert model.score([[1e300], [-1e300]]).tolist() == [1.0, -1.0]


# --- links ---------------------------------------------------------------------------------------

scores = st.floats(-1000.0, 1000.0)


def check(got, expected):
    for a, b in zip(got, expected, strict=True):
        # exp of a number of size 1000 is known to 1000 units in the last place
        assert float(a) == pytest.approx(float(b), rel=1e-12, abs=1e-300)


@given(scores)
def test_logistic_is_the_sigmoid_and_its_complement(score):
    with mp.workdps(500):
        p = 1 / (1 + mp.exp(-mp.mpf(score)))
        expected = [1 - p, p]
    check(constants([score], "logistic").predict_proba([[0.0]])[0], expected)


@given(st.lists(scores, min_size=2, max_size=4))
def test_softmax_and_one_versus_rest_are_normalized_exponentials_and_sigmoids(drawn):
    with mp.workdps(1000):
        exps = [mp.exp(mp.mpf(s)) for s in drawn]
        sigmoids = [1 / (1 + mp.exp(-mp.mpf(s))) for s in drawn]
        softmax = [x / mp.fsum(exps) for x in exps]
        one_versus_rest = [x / mp.fsum(sigmoids) for x in sigmoids]
    check(constants(drawn, "softmax").predict_proba([[0.0]])[0], softmax)
    check(constants(drawn, "ovr").predict_proba([[0.0]])[0], one_versus_rest)


def test_one_versus_rest_knows_the_likelier_where_all_sigmoids_underflow():
    model = constants([-2000.0, -2000.0, -2001.0], "ovr")
    e = np.exp(-1.0)
    check(model.predict_proba([[0.0]])[0], [1 / (2 + e), 1 / (2 + e), e / (2 + e)])


def test_mean_is_the_share_itself():
    assert constants([0.25], "mean").predict_proba([[0.0]]).tolist() == [[0.75, 0.25]]
    assert constants([0.25, 0.5, 0.25], "mean").predict_proba([[0.0]]).tolist() == [
        [0.25, 0.5, 0.25]
    ]
    slightly_more = constants([1.0 + 1e-15], "mean").predict_proba([[0.0]])
    assert slightly_more.tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize(
    ("given_scores", "link", "expected"),
    [
        ([0.0], "logistic", "a"),
        ([1e-300], "logistic", "b"),
        ([-1.0], "logistic", "a"),
        ([0.5], "mean", "a"),
        ([0.6], "mean", "b"),
        ([800.0, 900.0], "ovr", "b"),
        ([-1.0, -1.0], "softmax", "a"),
    ],
)
def test_the_class_is_that_of_the_highest_score_the_first_of_equals(given_scores, link, expected):
    model = constants(given_scores, link, classes=["a", "b"])
    assert model.predict([[0.0], [1.0]]).tolist() == [expected] * 2


# --- tables --------------------------------------------------------------------------------------


def test_frames_arrays_and_lists_score_alike():
    model = Model(
        alone(coded([1], feature=1)),
        "logistic",
        ["no", "yes"],
        ("age", "city"),
        (None, ("Bern", "Rome")),
        "float64",
    )
    rows = [[41, "Rome"], [7, "Bern"], [None, "Oslo"], [3, None]]
    expected = [-1.0, 1.0, 1.0, 1.0]
    frame = pd.DataFrame(rows, columns=["age", "city"])
    tables = [
        rows,
        np.array(rows, object),
        frame,
        frame.astype({"city": "category"}),
        frame.astype({"age": "Float64", "city": "string"}),
    ]
    for table in tables:
        assert model.score(table).tolist() == expected
    assert model.predict(frame).tolist() == ["no", "yes", "yes", "yes"]
    with pytest.raises(ValueError, match="order differs"):
        model.score(frame[["city", "age"]])


def test_no_rows_have_no_scores():
    model = constants([1.0, 2.0], "softmax")
    assert model.score(np.empty((0, 1))).shape == (0, 2)
    assert model.predict_proba(np.empty((0, 1))).shape == (0, 2)
    assert model.predict(np.empty((0, 1))).shape == (0,)


# --- equality ------------------------------------------------------------------------------------


@given(models())
def test_pickles_are_equal_and_copies_are_the_model_itself(model):
    back = pickle.loads(pickle.dumps(model))  # noqa: S301 - bytes of our own
    assert back == model
    assert hash(back) == hash(model)
    assert not back.classes.flags.writeable
    assert copy.deepcopy(model) is model


def test_labels_of_different_types_make_models_differ():
    def model(classes, label):
        trees = alone(coded([0]))
        return Model(trees, "logistic", classes, ("x",), ((label, "b"),), "float64")

    plain = model(np.array([0, 1]), 1)
    assert plain == model(np.array([0, 1]), 1)
    assert plain != model(np.array([0, 1]), 1.0)
    assert plain != model(np.array([0, 1]), True)
    assert plain != model(np.array([0.0, 1.0]), 1)
    assert plain != model(np.array([0, 1], object), 1)
    assert plain != "model"


def test_repr_is_short():
    assert repr(constants([1.0], "logistic")) == "Model(2 classes, 1 features, 0 trees, logistic)"


# --- what is refused -----------------------------------------------------------------------------

GOOD = {
    "ensembles": (constant(0.5),),
    "link": "logistic",
    "classes": [0, 1],
    "feature_names": ("x",),
    "categories": (None,),
    "input_dtype": "float64",
}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"link": "probit"}, "link must be one of logistic, softmax, ovr, mean, got 'probit'"),
        ({"classes": [0]}, "classes must be a list of two or more"),
        ({"classes": [[0, 1]]}, r"two or more, got shape \(1, 2\)"),
        ({"classes": [1, 1]}, "classes must differ"),
        ({"ensembles": ()}, "does not go with 0 ensembles"),
        ({"classes": [0, 1, 2]}, "'logistic' with 3 classes does not go with 1 ensembles"),
        ({"link": "ovr"}, "'ovr' with 2 classes does not go with 1 ensembles"),
        ({"ensembles": (constant(0.5),) * 2}, "'logistic' with 2 classes does not go with 2"),
        ({"feature_names": ("x", "x"), "categories": (None, None)}, "must differ, got 'x' twice"),
        ({"categories": ()}, "categories must have one entry a feature, got 0 for 1"),
        ({"categories": (("a", "a"),)}, "labels of feature 'x' must differ"),
        ({"input_dtype": "int8"}, "input_dtype must be float64 or float32, got 'int8'"),
        ({"ensembles": alone(coded(feature=1))}, "test feature 1, but there are only 1"),
        # refused before anything so large is made
        ({"ensembles": alone(coded(feature=2_130_706_432))}, "test feature 2130706432, but"),
        ({"ensembles": alone(coded([2]))}, "send code 2 of feature 'x' left, but it has 0"),
        (
            {"ensembles": alone(coded([2])), "categories": (("a", "b"),)},
            "send code 2 of feature 'x' left, but it has 2 categories",
        ),
        ({"link": "mean", "ensembles": (constant(1.5),)}, r"needs scores within \[0, 1\]"),
        ({"link": "mean", "ensembles": alone(coded())}, "reach from -1.0 to 1.0"),
    ],
)
def test_what_is_no_model_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        Model(**{**GOOD, **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"classes": np.array([1, 2], "M8[D]")}, "classes must be booleans, numbers, strings"),
        ({"feature_names": (0,)}, "feature names must be strings, got 0"),
    ],
)
def test_other_types_are_refused(changes, message):
    with pytest.raises(TypeError, match=message):
        Model(**{**GOOD, **changes})


@pytest.mark.parametrize(("link", "kind"), [("logistic", "posterior"), ("mean", "share")])
def test_what_values_are_follows_from_the_link_unless_said(link, kind):
    leaf = Tree([-1], [-1], [-1], [0.0], [False], [0, 0], [], [0.5], [0.5], [1.0], [1])
    ensemble = Ensemble((leaf,), leverage=[1.0], edge=[0.1], base_value=0.0)
    fields = {"classes": ["a", "b"], "feature_names": ("x",), "categories": (None,)}
    model = Model((ensemble,), link, **fields, input_dtype="float64")
    assert model.value_kind == kind
    marked = Model((ensemble,), link, **fields, input_dtype="float64", value_kind="margin")
    assert marked.value_kind == "margin"
    with pytest.raises(ValueError, match="value_kind must be one of share, posterior, margin"):
        Model((ensemble,), link, **fields, input_dtype="float64", value_kind="odds")
