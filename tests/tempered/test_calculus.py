"""Tempered sums, integrals and primitives, against closed forms and oracles."""

import math
import pickle
import warnings

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from mpmath import mp
from numpy.testing import assert_allclose
from scipy.integrate import IntegrationWarning

from horotree.tempered import (
    add_t,
    bracket_t,
    derivative_t,
    exp_t,
    integral_t,
    lift,
    mean_value_t,
    primitive_t,
    product_integral,
    riemann_sum_t,
    sub_t,
)
from tests.reference import algebra as exact_algebra
from tests.reference import tempered as exact
from tests.strategies import coefficients, polynomial, temperatures

EPS = 2.0**-52
each_temperature = pytest.mark.parametrize("t", [-2.0, 0.0, 0.5, 1.0 - 1e-9, 1.0, 1.0 + 1e-9, 3.0])


def exact_lift(z, t):
    with mp.workdps(exact.DIGITS):
        return float(exact_algebra.lift(mp.mpf(z), 1 - mp.mpf(t)))


def wave(x):
    return math.cos(2.0 * x) - 0.3 * x


def wave_integral(a, b):
    return (math.sin(2.0 * b) - math.sin(2.0 * a)) / 2.0 - 0.15 * (b * b - a * a)


# ---------------------------------------------------------------- Riemann sums

tables = st.integers(1, 8).flatmap(
    lambda n: st.tuples(
        st.lists(st.floats(0.01, 3.0), min_size=n, max_size=n),
        st.lists(st.floats(0.0, 1.0), min_size=n, max_size=n),
        st.lists(st.floats(-20.0, 20.0), min_size=n, max_size=n),
    )
)


@given(table=tables, t=temperatures)
@example(table=([1.0, 1.0], [0.5, 0.5], [-2.0, 5.0]), t=0.0)  # one negative factor
@example(table=([1.0, 1.0], [0.5, 0.5], [-2.0, -3.0]), t=0.0)  # two
@example(table=([1.0, 1.0], [0.5, 0.5], [-2.0, 3.0]), t=0.5)  # one that is 0
def test_riemann_sum_is_the_fold_of_tempered_additions(table, t):
    steps, places, values = table
    division = np.concatenate([[-1.0], -1.0 + np.cumsum(steps)])
    tags = division[:-1] + np.array(places) * np.diff(division)
    tags = np.clip(tags, division[:-1], division[1:])
    lookup = dict(zip(tags.tolist(), values, strict=True))
    assume(len(lookup) == len(values))
    with mp.workdps(exact.DIGITS):
        terms = np.diff(division) * [lookup[x] for x in tags.tolist()]
        expected = float(exact.fold(terms, t))
        # A sum is as accurate as its terms: relative to the same sum of their sizes.
        size = float(exact.fold(np.abs(terms), 1.0 - abs(1.0 - t)))
    assume(size < 1e250)
    got = riemann_sum_t(lookup.__getitem__, division, tags, t=t)
    assert abs(got - expected) <= 100 * EPS * size * max(1.0, math.log(1.0 + size))


def test_riemann_sum_of_many_terms_keeps_its_digits_next_to_the_classical_temperature():
    n = 20_000
    division = np.linspace(0.0, 1.0, n + 1)
    t = 1.0 - 1e-12
    got = riemann_sum_t(lambda x: 2.0 + x, division, division[1:], t=t)
    with mp.workdps(exact.DIGITS):
        expected = float(exact.riemann_sum(lambda x: 2.0 + x, division, division[1:], t))
    assert_allclose(got, expected, rtol=1e-14)


def test_riemann_sum_with_a_zero_factor_is_minus_one_over_s():
    assert riemann_sum_t(lambda x: -2.0, [0.0, 1.0, 5.0], [0.5, 3.0], t=0.5) == -2.0
    assert riemann_sum_t(lambda x: 0.5, [0.0, 1.0, 5.0], [0.5, 3.0], t=3.0) == 0.5


@pytest.mark.parametrize("n", [1, 2, 3, 400])
def test_riemann_sum_of_negative_factors_follows_their_sign(n):
    # Each factor 1 + (1-t) w f is -1.5: the sum is ((-1.5)^n - 1) / (1-t).
    got = riemann_sum_t(lambda x: -5.0, np.arange(n + 1), np.arange(n), t=0.5)
    assert_allclose(got, ((-1.5) ** n - 1.0) / 0.5, rtol=1e-12)


@each_temperature
def test_riemann_sums_converge_at_first_order_to_the_integral(t):
    limit = exact_lift(wave_integral(-1.0, 2.0), t)
    errors = []
    for n in (500, 1000, 2000):
        division = -1.0 + 3.0 * np.linspace(0.0, 1.0, n + 1) ** 1.5  # not uniform
        errors.append(abs(riemann_sum_t(wave, division, division[:-1], t=t) - limit))
    assert errors[2] < 0.02
    assert_allclose(np.log2(np.array(errors[:-1]) / errors[1:]), 1.0, atol=0.05)


@pytest.mark.parametrize(
    ("division", "tags", "message"),
    [
        ([0.0, 2.0, 1.0], [0.5, 1.5], "strictly increasing, got .*2.0.* before .*1.0"),
        ([0.0, 1.0, 1.0], [0.5, 1.0], "strictly increasing"),
        ([0.0, 1.0], [1.5], "tags must be inside their intervals, got .*1.5"),
        ([0.0, 1.0, 2.0], [0.5], "one number per interval, 2 in all"),
        ([0.0], [], "at least two numbers"),
        ([[0.0, 1.0]], [[0.5]], "at least two numbers"),
        ([0.0, math.inf], [0.5], "division must be finite"),
        ([0.0, math.nan], [0.5], "division must not hold NaN"),
    ],
)
def test_bad_divisions_are_refused(division, tags, message):
    with pytest.raises(ValueError, match=message):
        riemann_sum_t(wave, division, tags, t=0.5)


def test_riemann_sum_refuses_values_that_are_not_finite_numbers():
    with pytest.raises(ValueError, match=r"f\(0.0\) must be finite, got inf"):
        riemann_sum_t(lambda x: math.inf, [0.0, 1.0], [0.0])
    with pytest.raises(TypeError, match=r"f must return one real number, got f\(0.0\) = 'a'"):
        riemann_sum_t(lambda x: "a", [0.0, 1.0], [0.0])
    with pytest.raises(TypeError, match="f must be a function of one number, got 3"):
        riemann_sum_t(3, [0.0, 1.0], [0.0])


@pytest.mark.parametrize(
    ("value", "t"), [(1e150, 0.0), (-1e200, -1.0), (1.7e308, 1.0), (-1.7e308, 0.5)]
)
def test_riemann_sums_that_overflow_say_so(value, t):
    with pytest.raises(OverflowError, match="too large for a float"):
        riemann_sum_t(lambda x: value, np.arange(4.0), np.arange(3.0), t=t)


# ------------------------------------------------------------------- integrals


@each_temperature
@pytest.mark.parametrize(
    ("f", "a", "b", "integral"),
    [
        (math.sin, 0.0, math.pi, 2.0),
        (wave, -1.0, 2.0, wave_integral(-1.0, 2.0)),
        (lambda x: math.exp(-x), 0.0, math.inf, 1.0),
        (lambda x: math.exp(-x * x), -math.inf, math.inf, math.sqrt(math.pi)),
        (lambda x: 1.0 / (1.0 + x * x), -math.inf, 0.0, math.pi / 2),
        (lambda x: 1.0 / math.sqrt(x), 0.0, 1.0, 2.0),
        (lambda x: -3.0, 2.0, 2.0, 0.0),
        (np.cos, 0, 1, math.sin(1.0)),
    ],
)
def test_integral_is_the_lift_and_its_error_covers_the_truth(f, a, b, integral, t):
    value, error = integral_t(f, a, b, t=t)
    expected = exact_lift(integral, t)
    assert abs(value - expected) <= error
    assert error <= 1e-8 * max(1.0, abs(expected))


@given(z=st.floats(-30.0, 30.0), error=st.floats(1e-12, 2.0), t=st.floats(-3.0, 5.0))
def test_error_is_the_larger_of_both_lifted_differences(z, error, t):
    from horotree.tempered.calculus import lifted_error

    with mp.workdps(exact.DIGITS):
        s = 1 - mp.mpf(t)
        at, up, down = (
            exact_algebra.lift(mp.mpf(z) + e, s) for e in (0, mp.mpf(error), -mp.mpf(error))
        )
        spread = max(up - at, at - down)
        slack = 100 * EPS * (abs(at) + abs(z) * mp.exp(s * z) + spread * (1 + abs(s * z)))
    assume(up < 1e300)
    got = lifted_error(z, error, t)
    assert spread - slack <= got <= spread + slack


def test_error_of_a_hard_integral_is_larger_at_small_temperatures():
    def hard(x):
        return 5.0 * abs(x - 1.0 / 3.0) ** 0.1

    errors = [integral_t(hard, 0.0, 1.0, t=t).error for t in (0.0, 1.0, 2.0)]
    assert errors[0] > 10 * errors[1] > 100 * errors[2] > 0.0


@given(a=st.floats(-2.0, 2.0), b=st.floats(-2.0, 2.0), t=temperatures)
def test_backward_integral_is_the_tempered_opposite(a, b, t):
    forward, backward = integral_t(wave, a, b, t=t), integral_t(wave, b, a, t=t)
    size = 1.0 + abs(forward.value) + abs(backward.value)
    total = add_t(forward.value, backward.value, t=t)
    assert abs(total) <= 1e-12 * size * (1.0 + abs(1.0 - t) * size)


@given(c=coefficients, e=coefficients, t=temperatures)
def test_additivity_and_monotonicity(c, e, t):
    f, g = polynomial(c), polynomial(e)
    of_f, of_g = (integral_t(h, -0.5, 1.0, t=t) for h in (f, g))
    size = (1.0 + abs(of_f.value)) * (1.0 + abs(of_g.value)) * (1.0 + abs(1.0 - t))
    plus = integral_t(lambda x: f(x) + g(x), -0.5, 1.0, t=t)
    minus = integral_t(lambda x: f(x) - g(x), -0.5, 1.0, t=t)
    assert_allclose(plus.value, add_t(of_f.value, of_g.value, t=t), rtol=1e-10, atol=1e-12 * size)
    shrinking = min(1.0, 1.0 + (1.0 - t) * of_g.value)  # what the difference is divided by
    atol = 1e-12 * size / shrinking**2
    assert_allclose(minus.value, sub_t(of_f.value, of_g.value, t=t), rtol=1e-10, atol=atol)
    larger = integral_t(lambda x: f(x) + g(x) ** 2, -0.5, 1.0, t=t)
    assert of_f.value <= larger.value + larger.error


@given(c=coefficients, factor=st.floats(-3.0, 3.0), t=st.floats(-2.0, 3.0))
def test_dilativity(c, factor, t):
    f = polynomial(c)
    dilated = integral_t(lambda x: factor * f(x), -0.5, 1.0, t=t).value
    inner = integral_t(f, -0.5, 1.0, t=1.0 - (1.0 - t) * factor).value
    assert_allclose(dilated, factor * inner, rtol=1e-9, atol=1e-12)


@given(c=coefficients, middle=st.floats(-0.5, 1.0), t=st.floats(-2.0, 3.0))
def test_chasles(c, middle, t):
    f = polynomial(c)
    left, right = integral_t(f, -0.5, middle, t=t).value, integral_t(f, middle, 1.0, t=t).value
    whole = integral_t(f, -0.5, 1.0, t=t).value
    size = (1 + abs(left)) * (1 + abs(right))
    assert_allclose(add_t(left, right, t=t), whole, rtol=1e-9, atol=1e-11 * size)


@given(c=coefficients, t=temperatures)
def test_triangle_inequality(c, t):
    f = polynomial(c)
    left = integral_t(f, -0.5, 1.0, t=t)
    right = integral_t(lambda x: abs(f(x)), -0.5, 1.0, t=1.0 - abs(1.0 - t))
    assert abs(left.value) <= right.value + right.error + left.error


@given(jump=st.floats(0.01, 0.99), end=st.floats(0.5, 2.0))
@example(jump=0.25, end=0.751)  # here the quadrature of QUADPACK is off by 7e-4, and sure
def test_jumps_do_not_fool_the_error_estimate(jump, end):
    assume(abs(end - jump) > 0.01 * end)  # not outside the outermost nodes
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IntegrationWarning)  # doubts are fine, errors are not
        value, error = integral_t(lambda x: 1.0 if x < jump else 3.0, 0.0, end)
    expected = min(jump, end) + 3.0 * max(end - jump, 0.0)
    assert abs(value - expected) <= error + 1e-7


@pytest.mark.parametrize(
    ("f", "exact"),
    [
        (lambda x: max(0.0, 1.0 - abs(x - 0.5) / 0.01) / 0.01, 1.0),
        (lambda x: float(0.49 < x < 0.51), 0.02),
    ],
)
def test_a_spike_that_some_results_miss_is_not_outvoted(f, exact):
    with pytest.warns(IntegrationWarning, match="spike"):
        value, error = integral_t(f, 0.0, 1.0)
    assert_allclose(value, exact, rtol=1e-4)
    assert error >= exact / 2  # the results that missed it count


def test_results_that_differ_by_less_than_asked_for_still_widen_the_error():
    kink = 1.0 / 3.0
    loose = integral_t(lambda x: abs(x - kink), 0.0, 1.0, epsabs=1e-2, epsrel=1e-2)
    exact = kink**2 / 2 + (1 - kink) ** 2 / 2
    assert abs(loose.value - exact) <= loose.error


def test_points_cut_the_integral_also_of_infinite_intervals():
    def step(x):
        return 1.0 if x < 1.0 / 3.0 else -2.0 * math.exp(1.0 / 3.0 - x)

    value, error = integral_t(step, 0.0, math.inf, points=[1.0 / 3.0, 5.0], t=0.5)
    assert_allclose(value, exact_lift(1.0 / 3.0 - 2.0, 0.5), rtol=1e-12)
    assert error < 1e-9
    backward = integral_t(step, math.inf, 0.0, points=[1.0 / 3.0], t=0.5).value
    assert_allclose(backward, exact_lift(2.0 - 1.0 / 3.0, 0.5), rtol=1e-9)
    with pytest.raises(ValueError, match=r"points must be between a and b, got .*2.0"):
        integral_t(step, 0.0, 1.0, points=[2.0])


@pytest.mark.parametrize(
    ("f", "a", "b"),
    [
        (lambda x: 1.0 / x, 0.0, 1.0),
        (lambda x: math.sin(1.0 / x), 0.0, 1.0),
        (lambda x: 1.0, 0.0, math.inf),
    ],
)
def test_doubts_of_the_quadrature_reach_the_caller_at_his_line(f, a, b):
    for _ in range(2):  # every time, not once
        with pytest.warns(IntegrationWarning, match="is uncertain") as caught:
            integral_t(f, a, b, t=1.5)
        assert caught[0].filename == __file__
    with pytest.warns(IntegrationWarning) as caught:
        primitive_t(f, a, t=1.5)(b)
    assert caught[0].filename == __file__


@pytest.mark.parametrize("value", ["a", None, 1j, np.ones(2)])
def test_a_function_that_returns_no_number_is_refused(value):
    with pytest.raises(TypeError, match=r"f must return one real number, got f\("):
        integral_t(lambda x: value, 0.0, 1.0)


def test_an_empty_interval_has_integral_zero_also_at_infinity():
    for end in (0.5, math.inf):
        assert integral_t(math.sin, end, end, t=0.5) == (0.0, 0.0)


def test_an_infinite_integral_is_an_error():
    with pytest.raises(ValueError, match="must be finite, got inf: f is not integrable"):
        integral_t(lambda x: math.inf if x < 0.5 else 1.0, 0.0, 1.0)


def test_a_lift_that_overflows_is_an_error_but_not_at_a_larger_temperature():
    with pytest.raises(OverflowError, match=r"the lift of .* at t = 0.0, is too large"):
        integral_t(lambda x: 1000.0, 0.0, 1.0, t=0.0)
    with pytest.raises(OverflowError, match="too large"):
        product_integral(lambda x: 1000.0, 0.0, 1.0)
    with pytest.raises(OverflowError, match="the primitive is too large"):
        primitive_t(lambda x: 1000.0, 0.0, t=0.0)([0.0, 1.0])
    assert_allclose(integral_t(lambda x: 1000.0, 0.0, 1.0, t=2.0).value, 1.0)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((wave, math.nan, 1.0), ValueError, "a must be finite, got nan"),
        ((wave, 0.0, math.nan), ValueError, "b must be finite, got nan"),
        ((wave, "0", 1.0), TypeError, "a must be a real number, got '0'"),
        ((None, 0.0, 1.0), TypeError, "f must be a function"),
    ],
)
def test_bad_arguments_of_an_integral_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        integral_t(*arguments)
    with pytest.raises(error, match=message):
        product_integral(*arguments)


@pytest.mark.parametrize("t", [math.nan, math.inf, "0.5", None, 1j])
def test_bad_temperatures_are_refused_everywhere(t):
    calls = [
        lambda: riemann_sum_t(wave, [0.0, 1.0], [0.5], t=t),
        lambda: integral_t(wave, 0.0, 1.0, t=t),
        lambda: primitive_t(wave, 0.0, t=t),
        lambda: derivative_t(wave, 0.0, t=t),
        lambda: mean_value_t(wave, 0.0, 1.0, t=t),
        lambda: bracket_t(wave, 0.0, 1.0, t=t),
    ]
    for call in calls:
        with pytest.raises((TypeError, ValueError), match="t must be"):
            call()


def test_product_integral_is_volterras():
    value, error = product_integral(lambda x: 1.0 / x, 1.0, 6.0)
    assert abs(value - 6.0) <= error < 1e-9
    assert_allclose(value, 1.0 + integral_t(lambda x: 1.0 / x, 1.0, 6.0, t=0.0).value, rtol=1e-12)
    n = 200_000
    x = np.linspace(1.0, 6.0, n + 1)
    assert_allclose(np.prod(1.0 + np.diff(x) / x[:-1]), value, rtol=1e-4)
    # A tiny product keeps its digits, which 1 + the integral would lose.
    assert_allclose(product_integral(lambda x: -90.0, 0.0, 1.0).value, math.exp(-90.0), rtol=1e-12)


# ------------------------------------------------------------------ primitives


@each_temperature
def test_primitive_is_the_integral_at_every_end(t):
    ends = np.array([[2.0, -1.0, 0.5], [0.5, -3.0, 0.25]])
    got = primitive_t(wave, 0.5, t=t)(ends)
    expected = [[exact_lift(wave_integral(0.5, z), t) for z in row] for row in ends]
    assert got.shape == ends.shape
    assert_allclose(got, expected, rtol=1e-12, atol=1e-13)
    assert got[0, 2] == got[1, 0] == 0.0


def test_primitive_of_one_number_is_a_number_and_may_start_at_infinity():
    normal = primitive_t(lambda x: math.exp(-x * x / 2.0), -math.inf, t=0.5)
    assert np.ndim(normal(0.0)) == 0
    assert_allclose(normal(0.0), exact_lift(math.sqrt(math.pi / 2.0), 0.5), rtol=1e-9)
    assert_allclose(normal(math.inf), exact_lift(math.sqrt(2.0 * math.pi), 0.5), rtol=1e-9)
    assert normal(-math.inf) == 0.0
    assert primitive_t(wave, 0.0)([]).shape == (0,)
    with pytest.raises(ValueError, match="z must not hold NaN"):
        normal(math.nan)


def test_primitive_can_be_pickled():
    F = primitive_t(math.cos, 0.0, t=0.3)
    assert pickle.loads(pickle.dumps(F)) == F  # noqa: S301  our own bytes


@given(z=st.floats(-2.0, 2.0), a=st.floats(-2.0, 2.0), t=st.floats(-2.0, 3.0))
def test_fundamental_theorem(z, a, t):
    assert_allclose(derivative_t(primitive_t(wave, a, t=t), z, t=t), wave(z), rtol=0, atol=1e-7)


def test_fundamental_theorem_needs_continuity():
    F = primitive_t(lambda x: 1.0 if x < 0.25 else 3.0, 0.0, points=[0.25], t=0.5)
    assert_allclose(derivative_t(F, [0.1, 0.75], t=0.5), [1.0, 3.0], rtol=1e-6)

    def closed_form(z):
        return lift(min(z, 0.25) + 3.0 * max(z - 0.25, 0.0), t=0.5)

    assert_allclose(F([0.1, 0.3, 0.751]), [closed_form(z) for z in (0.1, 0.3, 0.751)], rtol=1e-9)
    with pytest.raises(ValueError, match="did not converge"):
        derivative_t(closed_form, 0.25, t=0.5)


# -------------------------------------------------------- integration by parts


@given(a=st.floats(-1.0, 1.0), b=st.floats(-1.0, 1.0), t=st.floats(-2.0, 3.0))
def test_integration_by_parts(a, b, t):
    f, fprime, g, gprime = math.exp, math.exp, math.sin, math.cos
    left = integral_t(lambda x: f(x) * gprime(x), a, b, t=t).value
    bracket = bracket_t(lambda x: f(x) * g(x), a, b, t=t)
    rest = integral_t(lambda x: fprime(x) * g(x), a, b, t=t).value
    assert_allclose(sub_t(bracket, rest, t=t), left, rtol=1e-9, atol=1e-9)


@given(a=st.floats(-3.0, 3.0), b=st.floats(-3.0, 3.0), t=st.floats(-2.0, 3.0))
def test_bracket_is_the_tempered_difference_of_lifts(a, b, t):
    got = bracket_t(wave, a, b, t=t)
    at_a, at_b = lift(wave(a), t=t), lift(wave(b), t=t)
    scale = (abs(at_a) + abs(at_b)) / abs(1.0 + (1.0 - t) * at_a)
    assert_allclose(got, sub_t(at_b, at_a, t=t), rtol=1e-11, atol=1e-13 * scale)


def test_bracket_keeps_digits_where_the_lifts_overflow():
    assert not np.isfinite(lift(2000.0, t=0.0))
    assert_allclose(bracket_t(lambda x: 2000.0 + x, 0.0, 1.0, t=0.0), math.expm1(1.0))
    assert_allclose(exp_t(bracket_t(math.log, 2.0, 6.0, t=0.5), t=0.5), 3.0)
    with pytest.raises(TypeError, match="h must be a function"):
        bracket_t(1.0, 0.0, 1.0)
    with pytest.raises(OverflowError, match="the bracket, the lift of"):
        bracket_t(lambda x: 1e4 * x, 0.0, 1.0, t=0.0)
