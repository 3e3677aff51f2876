"""Two models on the same rows: paired intervals, against literal formulas and by simulation."""

import math

import numpy as np
import pytest

from horotree import LogisticBoostClassifier
from horotree.evaluation.comparison import Difference, compare_predictions, comparison
from horotree.evaluation.predictions import from_probabilities, predict_rows
from tests.evaluation.test_quality import drawn, two_classes


def noisy(rng, truth, size):
    """Return probabilities that follow the truth with noise of this size, in logits."""
    return 1.0 / (1.0 + np.exp(-(truth + size * rng.normal(size=len(truth)))))


def pair(rng, n=300, sizes=(1.0, 1.0), rate=-1.0):
    truth = rate + 1.5 * rng.normal(size=n)
    y = rng.random(n) < 1.0 / (1.0 + np.exp(-truth))
    return [two_classes(noisy(rng, truth, size), y) for size in sizes]


def test_the_auc_has_delong_s_covariance():
    """Against the formula of the paper: the contrast of a covariance matrix of two models."""
    rng = np.random.default_rng(0)
    a, b = pair(rng)
    y = a.place
    v10, v01 = [], []
    for one in (a, b):
        x, z = one.probability[y == 1, 1], one.probability[y == 0, 1]
        kernel = (x[:, None] > z) + 0.5 * (x[:, None] == z)
        v10.append(kernel.mean(axis=1))
        v01.append(kernel.mean(axis=0))
    m, n = len(v10[0]), len(v01[0])
    covariance = np.cov(v10) / m + np.cov(v01) / n
    error = math.sqrt(np.array([-1.0, 1.0]) @ covariance @ np.array([-1.0, 1.0]))
    found = compare_predictions(a, b).auc
    assert found.difference == pytest.approx(v10[1].mean() - v10[0].mean())
    assert 0.5 * (found.low + found.high) == pytest.approx(found.difference)
    # Student's quantile is a little above 1.96.
    assert 1.96 < 0.5 * (found.high - found.low) / error < 1.99


def test_losses_are_paired_row_by_row():
    rng = np.random.default_rng(1)
    a, b = pair(rng)
    found = compare_predictions(a, b).log_loss
    off = b.loss - a.loss
    assert found.difference == pytest.approx(off.mean())
    assert 0.5 * (found.high - found.low) == pytest.approx(
        1.968 * off.std(ddof=1) / math.sqrt(len(off)), rel=1e-3
    )
    unpaired = math.sqrt((a.loss.var() + b.loss.var()) / len(off))
    assert found.high - found.low < 2 * 1.96 * unpaired


def test_errors_have_the_adjusted_wald_interval():
    # 12 rows that only A gets wrong, 3 that only B does, of 100.
    y = np.zeros(100, int)
    wrong = np.arange(100)
    a = two_classes(np.where(wrong < 12, 0.9, 0.1), y)
    b = two_classes(np.where((wrong >= 12) & (wrong < 15), 0.9, 0.1), y)
    found = compare_predictions(a, b).error
    p_a, p_b = 13 / 102, 4 / 102
    reach = 1.959964 * math.sqrt((p_a + p_b - (p_b - p_a) ** 2) / 102)
    assert (found.low, found.high) == pytest.approx((p_b - p_a - reach, p_b - p_a + reach))
    assert found.better == "b"


def test_equal_models_are_called_different_as_rarely_as_promised():
    rng = np.random.default_rng(2)
    alarms, n_trials = np.zeros(4), 400
    for _ in range(n_trials):
        found = compare_predictions(*pair(rng, rate=-2.5))
        alarms += [measure.is_clear for measure in found.measures]
    # 20 are expected; 33 or more would come once in 300 times.
    assert (alarms < 33).all()
    assert (alarms > 4).all()  # nor is the interval far too wide


def test_a_difference_that_is_there_is_found():
    rng = np.random.default_rng(3)
    found = compare_predictions(*pair(rng, n=3000, sizes=(2.0, 0.5)))
    assert [measure.better for measure in found.measures] == ["b"] * 4
    back = compare_predictions(*pair(np.random.default_rng(3), n=3000, sizes=(0.5, 2.0)))
    assert [measure.better for measure in back.measures] == ["a"] * 4
    assert "B is better (95 % interval of B - A: +0." in str(found.auc)


def test_auc_of_686_and_764_are_not_the_same():
    """2 % of 20,000 rows; neither model calls a row positive, so the errors are equal."""
    rng = np.random.default_rng(4)
    y = rng.random(20_000) < 0.02
    scores = [0.01 * np.exp(0.5 * (gain * y + rng.normal(size=len(y)))) for gain in (0.685, 1.017)]
    a, b = (two_classes(np.minimum(score, 0.4), y) for score in scores)
    found = compare_predictions(a, b)
    assert found.auc.a == pytest.approx(0.686, abs=0.03)
    assert found.auc.b == pytest.approx(0.764, abs=0.03)
    assert found.auc.better == "b"
    assert found.error.a == found.error.b
    assert "no clear difference" in str(found.error)
    assert found.same_class == 1.0


def test_a_model_is_as_good_as_itself():
    a, _ = pair(np.random.default_rng(5))
    found = compare_predictions(a, a)
    assert all(measure.difference == 0.0 for measure in found.measures)
    assert not any(measure.is_clear for measure in found.measures)
    assert "the same on these rows" in str(found.auc)
    assert found.error.low < 0.0 < found.error.high


def test_three_classes_in_another_order():
    rng = np.random.default_rng(6)
    p, y = drawn(rng, n_classes=3)
    names = np.array(["x", "y", "z"])
    a = from_probabilities(p, names[y], names)
    order = [2, 0, 1]
    b = from_probabilities(p[:, order], names[y], names[order])
    found = compare_predictions(a, b)
    assert all(measure.difference == 0.0 for measure in found.measures)
    assert found.probability_difference == 0.0


def test_models_are_compared_on_a_table():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(400, 3))
    y = (X[:, 0] + 0.5 * rng.normal(size=400)) > 0
    one, two = (LogisticBoostClassifier(n).fit(X[:200], y[:200]) for n in (1, 10))
    found = comparison(one, two, X[200:], y[200:])
    rows = [predict_rows(m, X[200:], y[200:]) for m in (one, two)]
    assert found == compare_predictions(*rows)
    assert found.n_rows == 200
    assert str(found).count("\n") == 4


def test_what_is_not_defined_says_why():
    alone = compare_predictions(two_classes([0.2, 0.4], [0, 0]), two_classes([0.3, 0.4], [0, 0]))
    assert str(alone.auc) == "AUC not defined: all rows are of class no"
    single = compare_predictions(
        two_classes([0.2, 0.4, 0.3], [0, 0, 1]), two_classes([0.1, 0.2, 0.3], [0, 0, 1])
    )
    assert "no interval of the difference: a class has a single row" in str(single.auc)
    endless = compare_predictions(two_classes([0.0, 0.4], [1, 0]), two_classes([0.1, 0.4], [1, 0]))
    assert endless.log_loss.difference is None
    assert "infinite" in str(endless.log_loss)
    one_row = compare_predictions(two_classes([0.2], [0]), two_classes([0.4], [0]))
    assert "one row only" in str(one_row.log_loss)
    alike = compare_predictions(two_classes([0.5] * 4, [0] * 4), two_classes([0.25] * 4, [0] * 4))
    assert "differ alike" in str(alike.log_loss)


def test_other_classes_and_rows_are_refused():
    a = two_classes([0.2, 0.4], [0, 1])
    with pytest.raises(ValueError, match="the same classes"):
        compare_predictions(a, two_classes([0.2, 0.4], [0, 1], ("no", "maybe")))
    with pytest.raises(ValueError, match="of the same rows"):
        compare_predictions(a, two_classes([0.2, 0.4], [1, 1]))


def test_percents_of_errors_have_signs():
    assert "-1.25 % to +0.50 %" in str(Difference("error", 0.1, 0.09, -0.0125, 0.005))
