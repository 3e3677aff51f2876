"""How far a model agrees with its monotonic version, counted by hand."""

import copy
import importlib
import math
import pickle
from dataclasses import replace

import mpmath as mp
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horotree import LogisticBoostClassifier
from horotree.evaluation.agreement import Agreement, agreement, spread
from horotree.evaluation.comparison import Comparison, Difference
from horotree.evaluation.predictions import predict_rows
from horotree.evaluation.quality import quality
from horotree.trees import Ensemble, Model, center_tree, find_center, find_leaves, monotonic
from tests.trees.strategies import chain, generators, models, tables

few = settings(max_examples=50)
models_and_tables = models().flatmap(lambda model: st.tuples(st.just(model), tables(model)))


def alone(tree, classes=("no", "yes")):
    ensemble = Ensemble((tree,), [1.0], [0.5], 0.0)
    return Model((ensemble,), "logistic", list(classes), ("x",), (None,), "float64")


def constants(scores, link):
    """Return a model whose ensembles score these whatever comes."""
    ensembles = tuple(Ensemble((), [], [], score) for score in scores)
    return Model(ensembles, link, np.arange(max(len(scores), 2)), ("x",), (None,), "float64")


def by_threshold(*value, threshold=0.0):
    """Return a model of one test: x > threshold goes right; values of the root, left and right."""
    rng = np.random.default_rng(0)
    tree = replace(chain(np.array(value), rng), left=[1, -1, -1], right=[2, -1, -1])
    return alone(replace(tree, threshold=[threshold, 0.0, 0.0]))


# One of ten rows, the negative one, is rerouted to the root, which has the other class.
MISLED = by_threshold(1.0, -0.5, 2.0)
ROWS = np.array([[-1.0], *[[1.0]] * 9])


# --- the numbers ----------------------------------------------------------------------------------


@few
@given(models_and_tables)
def test_classes_and_probabilities_are_compared_row_by_row(drawn):
    model, table = drawn
    other = model.as_drawn()
    found = agreement(model, table, center="half")
    pairs = list(zip(model.predict(table).tolist(), other.predict(table).tolist(), strict=True))
    assert found.n_rows == len(table)
    assert found.same_class == pytest.approx(sum(a == b for a, b in pairs) / len(table))
    difference = np.abs(model.predict_proba(table) - other.predict_proba(table))
    assert found.probability_difference == pytest.approx(difference.mean(), abs=1e-15)
    assert found.error is None
    assert found.log_loss is None
    assert found.quality is None
    assert agreement(model, table, center="half", n_jobs=2) == found


@few
@given(models_and_tables)
def test_confidences_are_absolute_scores_and_norms_of_shares(drawn):
    model, table = drawn
    scores = model.score(table), model.as_drawn().score(table)
    if model.link == "mean":
        confidences = [np.abs(2.0 * score - 1.0) for score in scores]
    else:
        confidences = [np.abs(score) for score in scores]
    expected = np.abs(confidences[1] - confidences[0]).mean()
    assert agreement(model, table, center="half").confidence_difference == pytest.approx(
        expected, abs=1e-15
    )


@few
@given(models_and_tables)
def test_each_tree_is_compared_with_its_own_version(drawn):
    model, table = drawn
    found, X = agreement(model, table, center="half"), model.to_matrix(table)
    middle = 0.5 if model.link == "mean" else 0.0
    assert len(found.tree_same_class) == len(found.rerouted) == len(model.ensembles)
    for ensemble, same, rerouted in zip(
        model.ensembles, found.tree_same_class, found.rerouted, strict=True
    ):
        assert same.shape == rerouted.shape == (len(ensemble.trees),)
        assert same.dtype == rerouted.dtype == np.float64
        assert not same.flags.writeable
        for j, tree in enumerate(ensemble.trees):
            leaf = find_leaves(tree, X)
            host = monotonic(tree).host[leaf]
            kept_class = (tree.output[leaf] > middle) == (tree.output[host] > middle)
            assert same[j] == pytest.approx(kept_class.mean())
            assert rerouted[j] == pytest.approx((leaf != host).mean())


def test_rows_are_counted_in_chunks(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 4))
    model = LogisticBoostClassifier(5).fit(X, (X[:, 0] * X[:, 1] > 0) ^ (rng.random(100) < 0.2))
    found = agreement(model, X)
    assert found.rerouted[0].max() > 0.0
    module = importlib.import_module(
        "horotree.evaluation.agreement"
    )  # not the function of that name
    monkeypatch.setattr(module, "CHUNK", 7)
    assert agreement(model, X) == found


@few
@given(models_and_tables, generators)
def test_with_labels_both_are_judged(drawn, rng):
    model, table = drawn
    place = rng.integers(len(model.classes), size=len(table))
    y = model.classes[place]
    found = agreement(model, table, y, center="half")
    right = [m.predict(table) == y for m in (model, model.as_drawn())]
    assert found.error == pytest.approx(1.0 - right[0].mean())
    assert found.monotonic_error == pytest.approx(1.0 - right[1].mean())
    if np.abs(model.score(table)).max() < 1e6:  # larger ones have their own test
        assert found.log_loss == pytest.approx(log_loss(model, table, place), rel=1e-12, abs=1e-15)
    assert found.quality == quality(model, table, y)
    assert replace(found, quality=None, comparison=None) == agreement(model, table, center="half")


def log_loss(model, table, place):
    """Return the mean of -log p in 50 digits, from the scores."""
    score = model.score(table).reshape(len(table), -1)
    losses = []
    with mp.workdps(50):
        for row, k in zip(score.tolist(), place.tolist(), strict=True):
            if model.link == "mean":
                shares = [min(max(x, 0.0), 1.0) for x in row]
                shares = [1.0 - shares[0], shares[0]] if len(shares) == 1 else shares
            elif model.link == "softmax":
                shares = [mp.exp(x) for x in row]
            else:
                shares = [1 / (1 + mp.exp(-mp.mpf(x))) for x in row]
                shares = [1 / (1 + mp.exp(mp.mpf(row[0]))), *shares] if len(row) == 1 else shares
            total = 1 if model.link == "mean" else mp.fsum(shares)
            losses.append(-mp.log(shares[k] / total) if shares[k] else mp.inf)
        return float(mp.fsum(losses) / len(losses))


@few
@given(models_and_tables, st.sampled_from(["half", "base"]))
def test_rows_are_counted_by_class_as_drawn_around_each_center(drawn, center):
    """Against trees that are made anew: each node outputs what its host around the center does."""
    model, table = drawn
    found = agreement(model, table, center=center)
    ensembles = []
    for ensemble in model.ensembles:
        hosts = [monotonic(center_tree(tree, center)).host for tree in ensemble.trees]
        trees = [replace(t, output=t.output[h]) for t, h in zip(ensemble.trees, hosts, strict=True)]
        ensembles.append(replace(ensemble, trees=tuple(trees)))
    places = [
        [model.classes.tolist().index(label) for label in m.predict(table).tolist()]
        for m in (model, replace(model, ensembles=tuple(ensembles)))
    ]
    assert found.center == center
    for k in range(len(model.classes)):
        calls = [[place == k for place in part] for part in places]
        assert found.called[k] == sum(calls[0])
        assert found.called_as_drawn[k] == sum(calls[1])
        assert found.called_by_both[k] == sum(a and b for a, b in zip(*calls, strict=True))
    assert agreement(model, table).center == find_center(model)


def test_only_so_many_rows_are_compared_evenly_spread():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(103, 2))
    y = X[:, 0] > 0
    model = LogisticBoostClassifier(5).fit(X, y)
    chosen = spread(103, 10)
    assert chosen.tolist() == [0, 10, 20, 30, 41, 51, 61, 72, 82, 92]
    found = agreement(model, X, y, max_rows=10)
    assert (found.n_rows, found.n_given) == (10, 103)
    assert replace(found, n_given=10) == agreement(model, X[chosen], y[chosen])
    assert "10 rows, evenly spread over 103" in str(found)
    assert agreement(model, X, y, max_rows=103) == agreement(model, X, y)
    with pytest.raises(ValueError, match="max_rows must be 1 or more, got 0"):
        agreement(model, X, max_rows=0)


def test_a_small_case_by_hand():
    found = agreement(MISLED, ROWS, ["no"] * 10, center="half")
    sigmoid = 1.0 / (1.0 + np.exp(-np.array([-0.5, 1.0])))
    assert found.n_rows == 10
    assert found.same_class == 0.9
    assert found.confidence_difference == pytest.approx(0.05)  # |1 - .5| in one of ten rows
    assert found.probability_difference == pytest.approx((sigmoid[1] - sigmoid[0]) / 10)
    assert found.tree_same_class[0].tolist() == [0.9]
    assert found.rerouted[0].tolist() == [0.1]
    assert (found.error, found.monotonic_error) == (0.9, 1.0)
    losses = np.logaddexp(0.0, [-0.5, 1.0]) / 10 + 0.9 * np.logaddexp(0.0, 2.0)
    assert (found.log_loss, found.monotonic_log_loss) == pytest.approx(losses)


def test_losses_do_not_overflow_before_they_must():
    y, X = [1, 0], np.zeros((2, 1))
    assert agreement(constants([1000.0], "logistic"), X, y).log_loss == 500.0
    assert agreement(constants([1000.0, 0.0], "softmax"), X, y).log_loss == 500.0
    assert agreement(constants([0.0, -1000.0], "ovr"), X, y).log_loss == pytest.approx(
        (1000.0 + math.log(0.5)) / 2.0
    )
    for link in ("softmax", "ovr"):
        assert agreement(constants([1e300, 1e300], link), X, y).log_loss == math.log(2.0)
    assert agreement(constants([1.0], "mean"), X, y).log_loss == math.inf
    assert agreement(constants([1.0], "mean"), X, [1, 1]).log_loss == 0.0


# --- what it takes --------------------------------------------------------------------------------


def test_models_and_what_has_one_are_taken():
    from sklearn.tree import DecisionTreeClassifier

    X, y = np.arange(20.0)[:, np.newaxis], np.arange(20) > 9
    fitted = LogisticBoostClassifier(3).fit(X, y)
    assert agreement(fitted, X, y) == agreement(fitted.model_, X, y)
    foreign = DecisionTreeClassifier().fit(X, y)
    assert agreement(foreign, X, y).error == 0.0


@pytest.mark.parametrize(
    "make",
    [list, tuple, np.array, pd.Series, pd.Categorical, pd.Index, lambda y: np.array(y, object)],
)
def test_labels_of_many_kinds(make):
    y = ["no", *["yes"] * 8, "no"]
    assert agreement(MISLED, ROWS, make(y)).error == 0.1


def test_labels_of_polars(require):
    y = ["no", *["yes"] * 8, "no"]
    series = require("polars").Series(y)
    assert agreement(MISLED, ROWS, series).error == 0.1
    assert agreement(MISLED, ROWS, series.cast(require("polars").Categorical)).error == 0.1


def test_numbers_are_labels_whatever_their_type():
    model = alone(MISLED.ensembles[0].trees[0], classes=[0, 1])
    for dtype in (bool, np.int8, np.uint64, np.float32):
        assert agreement(model, ROWS, np.arange(10).astype(bool).astype(dtype)).error == 0.0


@pytest.mark.parametrize(
    ("y", "error", "message"),
    [
        (["no"] * 9, ValueError, "one length, got 10 rows and 9 labels"),
        ([], ValueError, "one length, got 10 rows and 0 labels"),
        (["no"] * 9 + ["maybe"], ValueError, "are \\['no', 'yes'\\], got 'maybe' in row 9"),
        ([0] * 10, ValueError, "got 0 in row 0: leave such rows out, or pass labels as they were"),
        (["no"] * 9 + [None], ValueError, "a label in every row, got None in row 9: leave out"),
        (["no", math.nan] * 5, ValueError, "a label in every row, got nan in row 1"),
        (["no", pd.NA] * 5, ValueError, "a label in every row, got <NA> in row 1"),
        ([("no", "yes")] * 10, ValueError, "classes of the model, .* got \\('no', 'yes'\\)"),
        (np.full((10, 1), "no"), ValueError, "y must be one column of labels, got 2 dimensions"),
        (pd.DataFrame({"y": ["no"] * 10}), ValueError, "one column of labels, got 2 dimensions"),
        (np.array("no"), ValueError, "one column of labels, got 0 dimensions"),
        ([["no"]] * 10, TypeError, "y must be a list of labels, one a row, got other"),
        (3, TypeError, "y must be a list of labels, one a row, got other"),
    ],
)
def test_other_labels_are_refused(y, error, message):
    with pytest.raises(error, match=message):
        agreement(MISLED, ROWS, y)


def test_no_rows_are_refused():
    with pytest.raises(ValueError, match="X must have rows to compare predictions on, got none"):
        agreement(MISLED, np.empty((0, 1)))
    with pytest.raises(ValueError, match="rows to compare predictions on"):
        agreement(MISLED, np.empty((0, 1)), [])


# --- the noun and its text ------------------------------------------------------------------------


def test_it_is_frozen_and_equal_to_its_copies():
    found = agreement(MISLED, ROWS, ["no"] * 10, center="half")
    back = pickle.loads(pickle.dumps(found))  # noqa: S301 - bytes of our own
    assert back == found
    assert hash(back) == hash(found)
    assert copy.deepcopy(found) is found
    assert found != agreement(MISLED, ROWS)
    with pytest.raises(AttributeError):
        found.n_rows = 1


def differs(name, a, b, low=None, high=None):
    return Difference(name, a, b, low, high)


def make(**numbers):
    return Agreement(
        **{
            "n_rows": 200,
            "n_given": 200,
            "center": "half",
            "class_names": ("no", "yes"),
            "same_class": 0.987,
            "called": np.array([150, 50]),
            "called_as_drawn": np.array([151, 49]),
            "called_by_both": np.array([149, 48]),
            "confidence_difference": 0.2143,
            "probability_difference": 0.03125,
            "tree_same_class": (np.array([0.9, 0.95, 1.0]),),
            "rerouted": (np.array([0.5, 0.25, 0.125]),),
        }
        | numbers
    )


def judged(auc=(0.8, 0.8, -0.01, 0.01), log_loss=(0.4, 0.4, -0.01, 0.01), error=(0.2, 0.2)):
    """Return the quality of a model of base rate 30 %, and the comparison with these figures."""
    error = error if len(error) == 4 else (*error, -0.01, 0.01)
    rows = predict_rows(MISLED, ROWS, ["no"] * 3 + ["yes"] * 7)
    found = replace(
        quality(MISLED, ROWS, ["no"] * 3 + ["yes"] * 7),
        auc=auc[0], log_loss=log_loss[0], base_log_loss=0.61, error=error[0], base_error=0.3,
    )  # fmt: skip
    assert len(rows) == 10
    compared = Comparison(
        200,
        differs("AUC", *auc),
        differs("log-loss", *log_loss),
        differs("Brier score", 0.1, 0.1, -0.01, 0.01),
        differs("error", *error),
        0.987,
        0.03,
    )
    return {"quality": found, "comparison": compared}


VERDICT = (
    "98.7 % of rows get the same class, 95 % or more of each class, and as drawn it is as good: "
    "what pictures show mostly holds for the model."
)


def test_the_text_gives_all_numbers_and_says_what_they_mean():
    assert str(make(**judged())).splitlines() == [
        "Agreement of the model and what pictures show of it, on 200 rows",
        "  same class        98.7 % of rows",
        "  called no         150 rows by the model, 151 as drawn, 149 by both",
        "  called yes        50 rows by the model, 49 as drawn, 48 by both",
        "  mean difference   0.214 of confidence, 0.0312 of probability",
        "  in median trees   95.0 % of rows keep their class, 25.0 % are rerouted",
        "  AUC               0.800 and 0.800 as drawn: no clear difference (-0.010 to +0.010)",
        "  log-loss          0.4000 and 0.4000 as drawn: no clear difference (-0.0100 to +0.0100)",
        "  error             20.0 % and 20.0 % as drawn: no clear difference (-1.00 % to +1.00 %)",
        VERDICT,
    ]


def test_the_text_without_labels_or_trees_leaves_them_out():
    lines = repr(make(tree_same_class=(np.empty(0),), rerouted=(np.empty(0),))).splitlines()
    assert [line[:19].strip() for line in lines[1:-1]] == [
        "same class", "called no", "called yes", "mean difference",
    ]  # fmt: skip


def test_a_rare_class_is_not_hidden_by_the_others():
    """Of 20,000 rows the model calls 7 positive, as drawn none: 99.97 % get the same class."""
    found = make(
        n_rows=20_000,
        n_given=20_000,
        same_class=1.0 - 7 / 20_000,
        called=np.array([19_993, 7]),
        called_as_drawn=np.array([20_000, 0]),
        called_by_both=np.array([19_993, 0]),
    )
    assert found.caution == (
        "pictures may mislead about the model: it calls 7 rows yes, as drawn it calls 0, 0 of "
        "them the same."
    )
    assert "Caution: pictures may mislead" in str(found)
    assert "mostly holds" not in str(found)


def test_calls_that_are_added_count_as_well():
    called = {"called": np.array([193, 7]), "called_by_both": np.array([180, 7])}
    found = make(same_class=0.96, called_as_drawn=np.array([180, 20]), **called)
    assert "it calls 7 rows yes, as drawn it calls 20, 7 of them the same" in found.caution


@pytest.mark.parametrize(
    ("numbers", "says"),
    [
        ({"same_class": 0.949}, "94.9 % of rows get the same class"),
        (judged(auc=(0.8, 0.78, -0.03, -0.01)), "AUC 0.800, as drawn 0.780"),
        (judged(auc=(0.8, 0.83, 0.01, 0.05)), "AUC 0.800, as drawn 0.830"),
        (judged(log_loss=(0.4, 0.42, 0.01, 0.03)), "log-loss 0.4000, as drawn 0.4200"),
        (judged(log_loss=(0.4, math.inf)), "log-loss 0.4000, as drawn inf"),
        (judged(error=(0.2, 0.21, 0.001, 0.019)), "error 20.0 %, as drawn 21.0 %"),
        # Clear, but not a twentieth of what the model gains over a guess.
        (judged(auc=(0.8, 0.79, -0.015, -0.005)), ""),
        (judged(log_loss=(0.4, 0.405, 0.001, 0.009)), ""),
        (judged(error=(0.2, 0.204, 0.001, 0.007)), ""),
        # Large, but chance may do so.
        (judged(auc=(0.8, 0.7, -0.21, 0.01)), ""),
        ({"same_class": 0.95}, ""),
    ],
)
def test_cautions_name_what_differs_clearly_and_by_enough(numbers, says):
    found = make(**numbers)
    if says:
        assert found.caution == f"pictures may mislead about the model: {says}."
        assert 'weak_learner="monotonic"' in str(found)
        assert "weak_learner" not in str(replace(found, center="base"))
    else:
        assert found.caution == ""
        assert "mostly holds" in str(found)


def test_the_text_of_a_model_that_is_as_it_is_drawn():
    found = agreement(by_threshold(0.5, -1.0, 1.0), ROWS)
    assert str(found).endswith("\nOn these rows the model predicts as it is drawn.")
    assert found.caution == ""
