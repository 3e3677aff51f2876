"""How good a model is: against scikit-learn's metrics, literal sums, and by simulation."""

import math

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import load_iris

from horotree import LogisticBoostClassifier
from horotree.evaluation.auc import find_auc, variance_of
from horotree.evaluation.calibration import calibrate
from horotree.evaluation.predictions import from_probabilities, predict_rows
from horotree.evaluation.proportions import exact_interval
from horotree.evaluation.quality import measure, quality
from horotree.trees import Ensemble, Model


def two_classes(p, y, classes=("no", "yes")):
    """Return predictions from the probability of the second class, and 0 or 1 by row."""
    p, y = np.asarray(p, float), np.asarray(y, int)
    return from_probabilities(np.stack([1.0 - p, p], axis=1), np.array(classes)[y], classes)


def drawn(rng, n=200, n_classes=2, digits=None):
    raw = rng.gamma(1.0, size=(n, n_classes))
    p = raw / raw.sum(axis=1, keepdims=True)
    y = np.array([rng.choice(n_classes, p=row) for row in p])
    if digits is not None:
        p = np.round(p, digits)
        p[:, -1] = 1.0 - p[:, :-1].sum(axis=1)
    return p, y


def constant(score, link="logistic"):
    ensembles = tuple(Ensemble((), [], [], s) for s in score)
    return Model(ensembles, link, np.arange(max(len(score), 2)), ("x",), (None,), "float64")


# --- the figures ----------------------------------------------------------------------------------


@pytest.mark.parametrize("digits", [None, 1])
def test_two_classes_are_scored_as_scikit_learn_does(digits):
    rng = np.random.default_rng(0)
    p, y = drawn(rng, digits=digits)
    p = np.clip(p, 1e-3, 1.0 - 1e-3)
    found = measure(from_probabilities(p, y, [0, 1]))
    assert found.auc == pytest.approx(metrics.roc_auc_score(y, p[:, 1]), rel=1e-14)
    assert found.log_loss == pytest.approx(metrics.log_loss(y, p[:, 1]), rel=1e-12)
    assert found.brier == pytest.approx(metrics.brier_score_loss(y, p[:, 1]), rel=1e-12)
    assert found.error == pytest.approx(1.0 - metrics.accuracy_score(y, p.argmax(axis=1)))
    base = np.full(len(y), y.mean())
    assert found.base_log_loss == pytest.approx(metrics.log_loss(y, base), rel=1e-12)
    assert found.base_brier == pytest.approx(metrics.brier_score_loss(y, base), rel=1e-12)
    assert found.base_error == min(y.mean(), 1.0 - y.mean())
    assert found.called.tolist() == np.bincount(p.argmax(axis=1)).tolist()


def test_three_classes_are_scored_as_scikit_learn_does():
    rng = np.random.default_rng(1)
    p, y = drawn(rng, n_classes=3)
    found = measure(from_probabilities(p, y, [0, 1, 2]))
    assert found.auc == pytest.approx(
        metrics.roc_auc_score(y, p, multi_class="ovr", average="macro"), rel=1e-13
    )
    assert found.log_loss == pytest.approx(metrics.log_loss(y, p), rel=1e-12)
    is_own = np.eye(3)[y]
    assert found.brier == pytest.approx(np.square(p - is_own).sum(axis=1).mean())
    rates = np.bincount(y) / len(y)
    base = np.tile(rates, (len(y), 1))
    assert found.base_log_loss == pytest.approx(metrics.log_loss(y, base), rel=1e-12)
    assert found.base_brier == pytest.approx(np.square(base - is_own).sum(axis=1).mean())
    assert len(found.calibration) == 3
    assert str(found).startswith(f"200 rows, {100 * rates[0]:.1f} % 0, ")


def test_a_fitted_model_is_scored_from_its_own_probabilities():
    X, y = load_iris(return_X_y=True)
    y = y > 1
    model = LogisticBoostClassifier(n_estimators=3, max_leaf_nodes=3).fit(X[::2], y[::2])
    found = quality(model, X[1::2], y[1::2])
    p = model.predict_proba(X[1::2])[:, 1]
    assert found.auc == pytest.approx(metrics.roc_auc_score(y[1::2], p))
    assert found.log_loss == pytest.approx(metrics.log_loss(y[1::2], p))
    assert found.error == pytest.approx(1.0 - model.score(X[1::2], y[1::2]))
    assert found == quality(model.model_, X[1::2], y[1::2], n_jobs=2)


def test_models_of_other_libraries_are_taken():
    from sklearn.ensemble import RandomForestClassifier

    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(10, random_state=0).fit(X[::2], y[::2])
    found = quality(forest, X[1::2], y[1::2])
    p = forest.predict_proba(X[1::2])
    assert found.auc == pytest.approx(metrics.roc_auc_score(y[1::2], p, multi_class="ovr"))
    assert found.error == pytest.approx(1.0 - forest.score(X[1::2], y[1::2]))


def test_losses_come_from_scores_where_probabilities_are_rounded():
    X = np.zeros((2, 1))
    assert quality(constant([1000.0]), X, [0, 1]).log_loss == 500.0
    assert quality(constant([1000.0, 0.0, 0.0], "softmax"), X, [0, 1]).log_loss == 500.0
    assert quality(constant([0.5], "mean"), X, [0, 1]).log_loss == pytest.approx(math.log(2.0))
    sure = quality(constant([1.0], "mean"), X, [0, 1])
    assert sure.log_loss == math.inf
    assert "log-loss infinite" in str(sure)
    assert any("infinite" in caution for caution in sure.cautions())


# --- the AUC and its interval ---------------------------------------------------------------------


def test_ties_count_half():
    found = find_auc(two_classes([0.1, 0.5, 0.5, 0.9], [0, 0, 1, 1]))
    assert found.value == (1 + 1 + 0.5 + 1) / 4
    assert find_auc(two_classes([0.3] * 7, [0, 1, 0, 1, 1, 0, 0])).value == 0.5


@pytest.mark.parametrize("digits", [None, 1])
def test_the_variance_is_that_of_delong(digits):
    """Against the covariance matrices of the paper, written out pair by pair."""
    rng = np.random.default_rng(2)
    p, y = drawn(rng, n=60, digits=digits)
    predictions = from_probabilities(p, y, [0, 1])
    x, z = p[y == 1, 1], p[y == 0, 1]
    kernel = (x[:, None] > z) + 0.5 * (x[:, None] == z)
    s10, s01 = kernel.mean(axis=1).var(ddof=1), kernel.mean(axis=0).var(ddof=1)
    found = find_auc(predictions)
    assert found.value == pytest.approx(kernel.mean(), rel=1e-14)
    variance, _ = variance_of(found.contribution, predictions)
    assert variance == pytest.approx(s10 / len(x) + s01 / len(z), rel=1e-12)
    assert found.contribution.sum() == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    ("shift", "n_own", "n_other", "grid"),
    [(0.5, 10, 200, None), (2.0, 10, 200, None), (3.0, 20, 500, 0.5), (1.0, 50, 50, 0.5)],
)
def test_the_interval_holds_the_auc_of_all_rows_as_often_as_promised(shift, n_own, n_other, grid):
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], [n_other, n_own])

    def score(labels):
        raw = rng.normal(size=len(labels)) + shift * labels
        raw = raw if grid is None else np.round(raw / grid) * grid
        return 1.0 / (1.0 + np.exp(-raw))

    many = np.repeat([0, 1], 200_000)
    true = find_auc(two_classes(score(many), many)).value
    hits = 0
    for _ in range(400):
        found = find_auc(two_classes(score(y), y))
        hits += found.low <= true <= found.high
    assert hits >= 370  # of 380 expected; 369 or fewer come once in 150 times


def test_positives_of_two_kinds_do_not_fool_the_interval():
    """Half of the class is found at once, half not at all: pairs vary more than a bell's would."""
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1], [400, 40])
    hits = 0
    for _ in range(400):
        p = np.where(y & (rng.random(len(y)) < 0.5), 0.9, 0.1)
        found = find_auc(two_classes(p, y))
        hits += found.low <= 0.75 <= found.high
    assert hits >= 370


def test_perfect_order_is_no_certainty():
    found = find_auc(two_classes([0.1] * 20 + [0.9] * 3, [0] * 20 + [1] * 3))
    assert found.value == found.high == 1.0
    assert 0.3 < found.low < 0.9
    one = find_auc(two_classes([0.1] * 20 + [0.9], [0] * 20 + [1]))
    assert one.low < found.low


def test_one_class_alone_has_no_auc():
    found = measure(two_classes([0.2, 0.4, 0.1], [0, 0, 0]))
    assert found.auc is None
    assert found.auc_low is None
    assert "AUC not defined: all rows are of class no;" in str(found)
    assert found.base_log_loss == found.base_error == 0.0
    assert math.copysign(1.0, found.base_log_loss) == 1.0


def test_absent_classes_are_left_out_of_the_mean():
    rng = np.random.default_rng(5)
    p, y = drawn(rng, n_classes=3)
    p, y = p[y < 2], y[y < 2]
    found = measure(from_probabilities(p, y, [0, 1, 2]))
    each = [metrics.roc_auc_score(y == k, p[:, k]) for k in (0, 1)]
    assert found.auc == pytest.approx(np.mean(each))
    assert found.counts.tolist()[2] == 0


# --- calibration ----------------------------------------------------------------------------------


def test_groups_are_of_equal_size_and_keep_ties_together():
    rng = np.random.default_rng(6)
    p = rng.random(1000)
    found = calibrate(p, rng.random(1000) < p)
    assert found.count.tolist() == [100] * 10
    assert (np.diff(found.probability) > 0.0).all()
    tied = calibrate(np.repeat([0.1, 0.2, 0.7], [900, 60, 40]), np.zeros(1000, bool))
    assert tied.count.tolist() == [900, 100]
    assert tied.probability.tolist() == pytest.approx([0.1, 0.4])


def test_groups_are_counted_row_by_row():
    rng = np.random.default_rng(7)
    p, y = np.round(rng.random(537), 2), rng.random(537) < 0.3
    found = calibrate(p, y)
    start = 0
    order = np.argsort(p, kind="stable")
    for i in range(len(found)):
        own = order[start : start + found.count[i]]
        start += found.count[i]
        assert found.positive[i] == y[own].sum()
        assert found.probability[i] == pytest.approx(p[own].mean())
        low, high = exact_interval(int(y[own].sum()), len(own))
        assert (found.low[i], found.high[i]) == pytest.approx((float(low), float(high)))
    assert start == len(p)


def test_a_calibrated_model_agrees_and_others_do_not():
    rng = np.random.default_rng(8)
    agree = total = 0
    for _ in range(100):
        p = rng.random(500) ** 3
        found = calibrate(p, rng.random(500) < p)
        agree, total = agree + found.n_agree, total + len(found)
    assert agree >= 0.95 * total
    p = rng.random(5000)
    assert calibrate(np.sqrt(p), rng.random(5000) < p).n_agree <= 2


# --- what it says ---------------------------------------------------------------------------------


def test_the_text_is_one_line_of_plain_words():
    p = [0.1] * 90 + [0.3] * 10
    y = [0] * 85 + [1] * 5 + [0] * 5 + [1] * 5
    found = measure(two_classes(p, y))
    assert str(found) == (
        "100 rows, 10.0 % of class yes; AUC 0.722 (95 % interval 0.503 to 0.870); "
        "log-loss 0.2827 (base rate: 0.3251); Brier score 0.0780 (base rate: 0.0900); "
        "error 10.0 % (always no: 10.0 %); calibrated in 2 of 2 groups"
    )
    assert found.cautions() == [
        "Its classes are no better than always saying no.",
        "It calls no row yes.",
    ]


def test_a_model_that_says_nothing_is_called_so():
    rng = np.random.default_rng(9)
    y = rng.random(400) < 0.4
    found = measure(two_classes(rng.random(400), y))
    assert "chance" in found.cautions()[0]
    assert "probabilities are no better" in found.cautions()[1]
    assert measure(two_classes(0.2 + 0.6 * y, y)).cautions() == []


def test_many_classes_are_not_listed():
    rng = np.random.default_rng(10)
    p, y = drawn(rng, n_classes=7)
    text = str(measure(from_probabilities(p, np.array(list("abcdefg"))[y], list("abcdefg"))))
    assert "7 classes, most often " in text
    assert len(text) < 300


# --- what it takes --------------------------------------------------------------------------------


def test_one_row_is_enough():
    found = measure(two_classes([0.3], [1]))
    assert found.n_rows == 1
    assert found.error == 1.0
    assert str(found).startswith("1 row, 100 % of class yes; AUC not defined")


@pytest.mark.parametrize(
    ("p", "message"),
    [
        ([[0.5, 0.5], [math.nan, math.nan]], r"got \[nan, nan\] in row 1"),
        ([[0.5, 0.5], [0.5, 0.6]], r"sum to 1, got \[0.5, 0.6\] in row 1"),
        ([[0.5, 0.5], [-0.1, 1.1]], "0 or more"),
        ([[0.5], [0.5]], "a column for each of the 2 classes"),
    ],
)
def test_probabilities_that_are_none_are_refused(p, message):
    with pytest.raises(ValueError, match=message):
        from_probabilities(p, ["no", "yes"], ["no", "yes"])


def test_no_rows_are_refused():
    with pytest.raises(ValueError, match="X must have rows to judge"):
        predict_rows(constant([1.0]), np.empty((0, 1)), [])
    with pytest.raises(ValueError, match="must be rows"):
        from_probabilities(np.empty((0, 2)), [], [0, 1])
