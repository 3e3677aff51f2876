"""How far a model agrees with its monotonic version, counted by hand."""

import copy
import importlib
import math
import pickle
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import mpmath as mp
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horotree import LogisticBoostClassifier
from horotree.trees import Ensemble, Model, find_leaves, monotonic
from horotree.trees._conversion import as_model
from horotree.trees.agreement import Agreement, agreement
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
    other = model.monotonic()
    found = agreement(model, table)
    pairs = list(zip(model.predict(table).tolist(), other.predict(table).tolist(), strict=True))
    assert found.n_rows == len(table)
    assert found.same_class == pytest.approx(sum(a == b for a, b in pairs) / len(table))
    difference = np.abs(model.predict_proba(table) - other.predict_proba(table))
    assert found.probability_difference == pytest.approx(difference.mean(), abs=1e-15)
    assert found.error is None
    assert found.log_loss is None
    assert found.p_value is None
    assert agreement(model, table, n_threads=2) == found


@few
@given(models_and_tables)
def test_confidences_are_absolute_scores_and_norms_of_shares(drawn):
    model, table = drawn
    scores = model.score(table), model.monotonic().score(table)
    if model.link == "mean":
        confidences = [np.abs(2.0 * score - 1.0) for score in scores]
    else:
        confidences = [np.abs(score) for score in scores]
    expected = np.abs(confidences[1] - confidences[0]).mean()
    assert agreement(model, table).confidence_difference == pytest.approx(expected, abs=1e-15)


@few
@given(models_and_tables)
def test_each_tree_is_compared_with_its_own_version(drawn):
    model, table = drawn
    found, X = agreement(model, table), model.to_matrix(table)
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
    module = importlib.import_module("horotree.trees.agreement")  # not the function of that name
    monkeypatch.setattr(module, "CHUNK", 7)
    assert agreement(model, X) == found


@few
@given(models_and_tables, generators)
def test_with_labels_both_are_judged(drawn, rng):
    model, table = drawn
    place = rng.integers(len(model.classes), size=len(table))
    found = agreement(model, table, model.classes[place])
    right = [m.predict(table) == model.classes[place] for m in (model, model.monotonic())]
    assert found.error == pytest.approx(1.0 - right[0].mean())
    assert found.monotonic_error == pytest.approx(1.0 - right[1].mean())
    n_first, n_second = (right[0] & ~right[1]).sum(), (right[1] & ~right[0]).sum()
    assert found.p_value == pytest.approx(float(exact_p_value(int(n_first), int(n_second))))
    if np.abs(model.score(table)).max() < 1e6:  # larger ones have their own test
        assert found.log_loss == pytest.approx(log_loss(model, table, place), rel=1e-12, abs=1e-15)
    assert replace(found, error=None, monotonic_error=None, log_loss=None, monotonic_log_loss=None,
                   p_value=None) == agreement(model, table)  # fmt: skip


def exact_p_value(a, b):
    """Return the chance that a fair coin, thrown a + b times, falls at least as unevenly."""
    n = a + b
    extreme = [k for k in range(n + 1) if abs(2 * k - n) >= abs(a - b)]
    return Fraction(sum(math.comb(n, k) for k in extreme), 2**n)


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


@pytest.mark.parametrize(
    ("n_first", "n_second", "p_value"),
    [(0, 0, 1.0), (3, 3, 1.0), (1, 0, 1.0), (0, 5, 0.0625), (6, 0, 0.03125), (40, 15, None)],
)
def test_mcnemar_s_test_is_exact(n_first, n_second, p_value):
    """On rows left of the threshold the model says no, its monotonic version yes."""
    X = np.full((n_first + n_second + 4, 1), -1.0)
    y = ["no"] * n_first + ["yes"] * n_second + ["yes"] * 4
    X[-4:] = 1.0
    found = agreement(MISLED, X, y)
    expected = float(exact_p_value(n_first, n_second))
    assert found.p_value == pytest.approx(expected, rel=1e-12)
    assert p_value is None or expected == p_value
    assert found.error * found.n_rows == pytest.approx(n_second)
    assert found.monotonic_error * found.n_rows == pytest.approx(n_first)


def test_many_rows_have_a_small_p_value():
    X = np.full((3_000, 1), -1.0)
    y = np.where(np.arange(3_000) < 1_600, "no", "yes")
    with mp.workdps(30):
        tail = mp.fsum(mp.binomial(3_000, k) for k in range(1_401)) / mp.mpf(2) ** 2_999
    assert agreement(MISLED, X, y).p_value == pytest.approx(float(tail), rel=1e-9)


def test_a_small_case_by_hand():
    found = agreement(MISLED, ROWS, ["no"] * 10)
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
    assert as_model(MISLED) is MISLED
    assert as_model(SimpleNamespace(model_=MISLED)) is MISLED
    X, y = np.arange(20.0)[:, np.newaxis], np.arange(20) > 9
    fitted = LogisticBoostClassifier(3).fit(X, y)
    assert as_model(fitted) is fitted.model_
    assert agreement(fitted, X, y) == agreement(fitted.model_, X, y)


@pytest.mark.parametrize(
    ("thing", "got"),
    [
        ("model.horotree", "got str without"),
        (LogisticBoostClassifier(), "got LogisticBoostClassifier without a Model in model_"),
        (LogisticBoostClassifier, "got the class LogisticBoostClassifier without"),
        (SimpleNamespace(model_="another"), "got SimpleNamespace without"),
        (None, "got NoneType without"),
    ],
)
def test_others_are_refused(thing, got):
    with pytest.raises(TypeError, match=f"model must be a horotree Model .*{got}.* fit it first"):
        agreement(thing, ROWS)


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
    found = agreement(MISLED, ROWS, ["no"] * 10)
    back = pickle.loads(pickle.dumps(found))  # noqa: S301 - bytes of our own
    assert back == found
    assert hash(back) == hash(found)
    assert copy.deepcopy(found) is found
    assert found != agreement(MISLED, ROWS)
    with pytest.raises(AttributeError):
        found.n_rows = 1


def make(**numbers):
    return Agreement(
        **{
            "n_rows": 200,
            "same_class": 0.987,
            "confidence_difference": 0.2143,
            "probability_difference": 0.03125,
            "tree_same_class": (np.array([0.9, 0.95, 1.0]),),
            "rerouted": (np.array([0.5, 0.25, 0.125]),),
        }
        | numbers
    )


JUDGED = {"error": 0.051, "monotonic_error": 0.054, "log_loss": 0.15, "monotonic_log_loss": 0.1625}


def test_the_text_gives_all_numbers_and_says_what_they_mean():
    assert str(make(**JUDGED, p_value=0.62)).splitlines() == [
        "Agreement of the model and its monotonic version on 200 rows",
        "  same class        98.7 % of rows",
        "  mean difference   0.214 of confidence, 0.0312 of probability",
        "  in median trees   95.0 % of rows keep their class, 25.0 % are rerouted",
        "  errors            5.1 % and 5.4 %: no significant difference (p = .62)",
        "  log-losses        0.15 and 0.1625",
        "98.7 % of rows get the same class: what pictures show mostly holds for the model.",
    ]


def test_the_text_without_labels_or_trees_leaves_them_out():
    lines = repr(make(tree_same_class=(np.empty(0),), rerouted=(np.empty(0),))).splitlines()
    assert [line[:19].strip() for line in lines[1:-1]] == ["same class", "mean difference"]


@pytest.mark.parametrize(
    ("numbers", "says", "warns"),
    [
        ({"same_class": 0.95}, "95.0 % of rows get the same class: what", False),
        ({"same_class": 0.949}, "Caution: 94.9 % of rows get the same class: pictures may", True),
        ({"same_class": 1.0}, "100.0 % of rows get the same class: what pictures show", False),
        ({"same_class": 0.99999}, "almost 100 % of rows get the same class", False),
        ({**JUDGED, "p_value": 0.0501}, "no significant difference (p = .050)", False),
        ({**JUDGED, "p_value": 0.0499}, "is significantly worse (p = .050)", True),
        ({**JUDGED, "p_value": 0.0123}, "same class, and the errors differ: pictures may", True),
        ({**JUDGED, "p_value": 0.0}, "is significantly worse (p < .001)", True),
        ({**JUDGED, "p_value": 1.0}, "no significant difference (p = 1.00)", False),
        ({**JUDGED, "error": 0.09, "p_value": 0.004}, "significantly better (p = .004)", True),
        ({**JUDGED, "error": 0.0, "p_value": 0.5}, "0.0 % and 5.4 %", False),
        ({**JUDGED, "error": 1e-5, "p_value": 0.5}, "almost 0 % and 5.4 %", False),
        ({**JUDGED, "log_loss": math.inf, "p_value": 0.5}, "inf and 0.1625", False),
    ],
)
def test_the_text_warns_where_pictures_may_mislead(numbers, says, warns):
    text = str(make(**numbers))
    assert says in text
    assert ("Caution" in text) == ('weak_learner="monotonic"' in text) == warns


def test_the_text_of_a_model_that_is_as_it_is_drawn():
    found = agreement(by_threshold(0.5, -1.0, 1.0), ROWS)
    assert str(found).endswith("\nOn these rows the model predicts as it is drawn.")
