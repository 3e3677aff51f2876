import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree import losses
from horotree.geometry import poincare

EPS = float(np.finfo(float).eps)

# Posteriors of all sizes: next to 0, to 1/2 and to 1, down to the last bit of a double.
SMALL = [5e-324, 2.2e-308, 1e-300, 1e-30, 1e-10, 1e-3]
NEAR_HALF = [0.5 + s * d for d in (2.0**-54, 2.0**-52, 1e-12, 1e-6) for s in (-1, 1)]
NEAR_ONE = [1.0 - 2.0**-53, 1.0 - 1e-12, 1.0 - 1e-3]
SPECIAL = [*SMALL, *NEAR_HALF, *NEAR_ONE, 0.25, 0.5, 0.75, 1.0 / 3.0]
posteriors = st.sampled_from(SPECIAL) | st.floats(1e-300, 1.0 - 2.0**-53)


def relative_error(got, expected):
    if expected == 0:
        return float(abs(got))
    return float(abs(mp.mpf(float(got)) / expected - 1))


# --- link and inverse link -----------------------------------------------------------------------


@given(posteriors)
def test_link_is_the_logit_to_the_last_places(p):
    with mp.workdps(400):
        expected = mp.log(mp.mpf(p) / (1 - mp.mpf(p)))
    assert relative_error(losses.link(p), expected) <= 4 * EPS


@given(posteriors, st.booleans())
def test_link_with_a_complement_loses_nothing_at_either_end(small, swap):
    small = min(small, 1.0 - small)
    p, q = (1.0 - small, small) if swap else (small, 1.0 - small)
    with mp.workdps(50):
        expected = mp.log(mp.mpf(p)) - mp.log(mp.mpf(q))
    assert relative_error(losses.link(p, q), expected) <= 4 * EPS


def test_link_is_infinite_at_0_and_1():
    assert losses.link([0.0, 1.0]).tolist() == [-math.inf, math.inf]
    assert losses.link([0.0, 1.0], [1.0, 0.0]).tolist() == [-math.inf, math.inf]
    assert losses.link(0.5) == 0.0


@given(st.floats(-745.0, 745.0) | st.floats(-1e-6, 1e-6))
def test_inverse_link_is_the_sigmoid_to_the_last_places(value):
    with mp.workdps(400):
        expected = 1 / (1 + mp.exp(-mp.mpf(value)))
    # below 2^-1022 a double has fewer places
    tolerance = 4 * EPS if expected > 2.3e-308 else float(mp.mpf(2) ** -1074 / expected)
    assert relative_error(losses.inverse_link(value), expected) <= tolerance


def test_inverse_link_of_the_infinite_is_0_and_1():
    assert losses.inverse_link([-math.inf, math.inf, -1e308]).tolist() == [0.0, 1.0, 0.0]


@given(st.floats(-700.0, 700.0))
def test_link_undoes_inverse_link_given_the_complement(value):
    p, q = losses.inverse_link(value), losses.inverse_link(-value)
    assert losses.link(p, q) == pytest.approx(value, rel=8 * EPS, abs=4 * EPS)


@given(st.floats(0.5, 1.0 - 1e-6))
def test_confidence_is_the_distance_of_norm_2p_minus_1(p):
    norm = 2.0 * p - 1.0
    assert losses.confidence(p) == pytest.approx(poincare.distance_of_norm(norm), rel=1e-14)


@given(st.floats(0.5, 1.0))
def test_a_posterior_and_its_complement_are_equally_confident_to_the_bit(p):
    assert losses.link(1.0 - p) == -losses.link(p)
    assert losses.confidence(1.0 - p, p) == losses.confidence(p)


# --- risk and losses -----------------------------------------------------------------------------


@given(posteriors)
def test_bayes_risk_is_the_entropy_to_the_last_places(p):
    with mp.workdps(400):
        z = mp.mpf(p)
        expected = -z * mp.log(z) - (1 - z) * mp.log(1 - z)
    tolerance = 4 * EPS if p > 1e-290 else float(8 * mp.mpf(2) ** -1074 / expected)
    assert relative_error(losses.bayes_risk(p), expected) <= tolerance


def test_bayes_risk_is_0_at_both_ends_and_log_2_in_the_middle():
    assert losses.bayes_risk([0.0, 1.0]).tolist() == [0.0, 0.0]
    assert losses.bayes_risk(0.5) == math.log(2.0)


examples = st.lists(
    st.tuples(st.booleans(), st.floats(1e-12, 1.0 - 1e-12), st.floats(0.0, 10.0)),
    min_size=1,
    max_size=30,
).filter(lambda rows: any(w > 1e-100 for _, _, w in rows))


@given(examples)
def test_log_loss_is_the_weighted_mean_of_the_partial_losses(rows):
    positive, posterior, weights = (list(column) for column in zip(*rows, strict=True))
    with mp.workdps(50):
        total = mp.fsum(-mp.mpf(w) * mp.log(mp.mpf(p) if y else 1 - mp.mpf(p)) for y, p, w in rows)
        expected = total / mp.fsum(map(mp.mpf, weights))
    assert relative_error(losses.log_loss(positive, posterior, weights), expected) <= 40 * EPS


@given(examples)
def test_logistic_loss_of_scores_is_the_log_loss_of_their_posteriors(rows):
    positive, posterior, weights = (list(column) for column in zip(*rows, strict=True))
    scores = losses.link(posterior)
    by_score = losses.logistic_loss(positive, scores, weights)
    assert by_score == pytest.approx(losses.log_loss(positive, posterior, weights), rel=1e-13)


@given(st.booleans(), st.floats(-800.0, 800.0))
def test_logistic_loss_is_accurate_at_all_scores(positive, score):
    with mp.workdps(800):
        y = 1 if positive else -1
        expected = mp.log(1 + mp.exp(-y * mp.mpf(score)))
    tolerance = 4 * EPS if expected > 1e-300 else float(mp.mpf(2) ** -1060 / expected)
    assert relative_error(losses.logistic_loss([positive], [score]), expected) <= tolerance


def test_losses_without_weights_weigh_all_examples_alike():
    positive, posterior = [True, False, True], [0.9, 0.4, 0.2]
    assert losses.log_loss(positive, posterior) == pytest.approx(
        losses.log_loss(positive, posterior, [2.0, 2.0, 2.0]), rel=1e-15
    )


def test_log_loss_is_infinite_when_a_sure_posterior_is_wrong_and_counts():
    assert losses.log_loss([True, False], [1.0, 1.0]) == math.inf
    assert losses.log_loss([True, False], [1.0, 1.0], [1.0, 0.0]) == 0.0


def test_log_loss_takes_weights_whose_sum_overflows():
    assert losses.log_loss([True, False], [0.5, 0.5], [1e308, 1e308]) == math.log(2.0)


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_log_loss_is_strictly_proper_with_the_bayes_risk_as_its_least(prior, p):
    def expected_loss(posterior):
        return losses.log_loss([True, False], [posterior, posterior], [prior, 1.0 - prior])

    assert expected_loss(prior) == pytest.approx(losses.bayes_risk(prior), rel=1e-13)
    if abs(p - prior) > 1e-6:
        assert expected_loss(p) > losses.bayes_risk(prior)


# --- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: losses.link(1.5), r"posterior must be within \[0, 1\], got 1.5"),
        (lambda: losses.link(0.3, 0.6), r"posterior \+ complement must be 1, got 0.8"),
        (lambda: losses.link(float("nan")), "posterior must not hold NaN"),
        (lambda: losses.bayes_risk(-0.1), r"posterior must be within \[0, 1\], got -0.1"),
        (lambda: losses.log_loss([], []), "at least one"),
        (lambda: losses.log_loss([True], [0.5, 0.5]), "posterior must have one entry an example"),
        (lambda: losses.log_loss([True], [0.5], [0.0]), "must not all be 0"),
        (lambda: losses.log_loss([True], [0.5], [-1.0]), "finite and not negative, got -1.0"),
        (lambda: losses.logistic_loss([True], [0.5, 1.0]), "score must have one entry an example"),
    ],
)
def test_bad_input_is_refused_with_a_fix(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_labels_that_are_not_booleans_are_refused():
    with pytest.raises(TypeError, match="pass y == the positive class"):
        losses.log_loss([1, -1], [0.5, 0.5])
