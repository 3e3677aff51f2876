"""Tempered derivatives and mean values, against closed forms and oracles."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from horotree.tempered import (
    derivative_t,
    integral_t,
    lift,
    mean_value_t,
    sub_t,
)
from tests.strategies import coefficients, polynomial


def wave(x):
    return math.cos(2.0 * x) - 0.3 * x


# ----------------------------------------------------------------- derivatives


@given(x=st.floats(-3.0, 3.0), t=st.floats(-3.0, 3.0))
def test_derivative_is_the_quotient(x, t):
    denominator = 1.0 + (1.0 - t) * wave(x)
    assume(abs(denominator) > 1e-3)
    expected = (-2.0 * math.sin(2.0 * x) - 0.3) / denominator
    assert_allclose(derivative_t(wave, x, t=t), expected, rtol=0, atol=1e-11 / abs(denominator))


@pytest.mark.parametrize(
    ("f", "fprime", "x"),
    [
        (math.exp, math.exp, [-5.0, 0.0, 10.0, 700.0]),
        (math.log, lambda x: 1.0 / x, [1e-20, 1e-6, 1e-3, 0.4, 1e6, 1e300]),
        (math.sin, math.cos, [1e-20, 0.0, 1e3, 1e6]),
        (lambda x: math.sin(100.0 * x), lambda x: 100.0 * math.cos(100.0 * x), [0.0, 0.3]),
        (
            lambda x: math.sin(32.0 * math.pi * x),
            lambda x: 32.0 * math.pi * math.cos(32.0 * math.pi * x),
            [0.0, 0.25],
        ),
        (abs, lambda x: math.copysign(1.0, x), [1e-12, 1e-3, -5.0]),
        (math.tan, lambda x: 1.0 + math.tan(x) ** 2, [1.57]),
        (np.sqrt, lambda x: 0.5 / math.sqrt(x), [1e-8, 4.0]),
        (lambda x: 3, lambda x: 0.0, [0.0, 1e9]),
    ],
)
def test_numerical_slopes_are_good_to_eleven_digits(f, fprime, x):
    expected = [fprime(v) for v in x]
    assert_allclose(derivative_t(f, x), expected, rtol=1e-11)
    assert_allclose(derivative_t(f, x, fprime=fprime), expected, rtol=0)


@pytest.mark.parametrize(
    "f",
    [
        abs,
        lambda x: max(x, 0.0),
        lambda x: x + 1e-3 * abs(x),
        np.sign,
        lambda x: float(x > 0.0),
        np.cbrt,
        lambda x: abs(x) ** 0.5,
    ],
)
def test_kinks_and_jumps_have_no_derivative(f):
    with pytest.raises(ValueError, match=r"did not converge at x = 0.0: f has a kink or a jump"):
        derivative_t(f, 0.0, t=0.5)


def test_the_border_of_the_domain_has_no_numerical_derivative():
    for f in (math.sqrt, np.sqrt):
        with pytest.raises(ValueError, match="needs f on both sides of x"):
            derivative_t(f, 0.0)


def test_errors_of_the_function_itself_are_not_hidden():
    with pytest.raises(ValueError, match=r"domain error|positive input"):
        derivative_t(math.log, -1.0)
    with pytest.raises(KeyError):
        derivative_t({0.0: 1.0}.__getitem__, 0.0)


def test_no_derivative_where_nothing_can_be_subtracted():
    with pytest.raises(ValueError, match=r"must not be -1/\(1-t\), got f\(1.0\) = -2.0"):
        derivative_t(lambda x: -2.0 * x, 1.0, t=0.5)


@given(z=st.floats(-3.0, 3.0), t=st.floats(-2.0, 3.0))
def test_derivative_of_the_lift_is_one(z, t):
    assert_allclose(derivative_t(lambda x: lift(x, t=t), z, t=t), 1.0, rtol=1e-9)


@given(z=st.floats(-1.5, 1.5), t=st.floats(-2.0, 1.0))
def test_chain_rule(z, t):
    def inner(x):
        return x**3 - x

    outer = math.exp
    left = derivative_t(lambda x: outer(inner(x)), z, t=t)
    right = derivative_t(outer, inner(z), t=t) * (3.0 * z * z - 1.0)
    assert_allclose(left, right, rtol=1e-8, atol=1e-9)


def test_derivative_keeps_the_shape_and_refuses_bad_points():
    assert derivative_t(math.sin, [[0.0], [1.0]], t=0.5).shape == (2, 1)
    assert np.ndim(derivative_t(math.sin, 0.0, t=0.5)) == 0
    with pytest.raises(ValueError, match=r"x must be finite, got .*inf"):
        derivative_t(math.sin, [0.0, math.inf])
    with pytest.raises(TypeError, match="x must hold real numbers"):
        derivative_t(math.sin, "0")
    with pytest.raises(TypeError, match="fprime must be a function"):
        derivative_t(math.sin, 0.0, fprime=1.0)


# ----------------------------------------------------------------- mean values


@given(
    c=coefficients,
    a=st.floats(-2.0, 2.0),
    width=st.floats(0.1, 3.0),
    t=st.floats(-1.0, 3.0),
)
def test_integral_takes_its_mean(c, a, width, t):
    f, b = polynomial(c), a + width
    point, value = mean_value_t(f, a, b, t=t)
    integral = integral_t(f, a, b, t=t).value
    assert a < point < b
    assert_allclose((b - a) * value, integral, rtol=1e-6, atol=1e-9)
    assert_allclose(value, lift(f(point), t=1.0 - (1.0 - t) * (b - a)), rtol=1e-12)


@given(a=st.floats(-2.0, 2.0), width=st.floats(0.1, 3.0), t=st.floats(-1.0, 3.0))
def test_derivative_takes_its_mean(a, width, t):
    b = a + width
    for fprime in (None, lambda x: 2.0 * math.cos(2.0 * x) - 0.3):
        c, value = mean_value_t(
            lambda x: 5.0 + math.sin(2.0 * x) - 0.3 * x, a, b, of="derivative", fprime=fprime, t=t
        )
        at_a, at_b, at_c = (5.0 + math.sin(2.0 * x) - 0.3 * x for x in (a, b, c))
        assume(abs(1.0 + (1.0 - t) * at_c) > 1e-2)
        mean = (sub_t(at_b, at_c, t=t) - sub_t(at_a, at_c, t=t)) / (b - a)
        assert a < c < b
        assert_allclose(value, mean, rtol=1e-7, atol=1e-7)


def test_mean_points_do_not_depend_on_the_temperature():
    for of in ("integral", "derivative"):
        points = {mean_value_t(math.exp, 0.0, 2.0, of=of, t=t).point for t in (-1.0, 0.5, 1.0)}
        assert len(points) == 1


@pytest.mark.parametrize("of", ["integral", "derivative"])
def test_constants_take_their_mean_in_the_middle(of):
    assert mean_value_t(lambda x: 0.3, 1.0, 4.0, of=of, t=0.5).point == 2.5


def test_narrow_peaks_and_singular_ends_still_have_a_mean_point():
    for f, a, b in [
        (lambda x: math.exp(-((x - 0.7) ** 2) / 1e-4), 0.0, 1.0),
        (lambda x: 1.0 / math.sqrt(x), 0.0, 1.0),
    ]:
        c, value = mean_value_t(f, a, b, t=0.5)
        assert_allclose(value, integral_t(f, a, b, t=0.5).value / (b - a), rtol=1e-6)
        assert a < c < b


def test_a_step_takes_its_mean_nowhere():
    def step(x):
        return 0.0 if x < 0.5 else 1.0

    with pytest.raises(ValueError, match=r"takes its mean 0.5.* nowhere .* needs f continuous"):
        mean_value_t(step, 0.0, 1.0, t=0.5)


def test_a_kink_has_no_mean_slope():
    with pytest.raises(ValueError, match="did not converge"):
        mean_value_t(abs, -1.0, 1.5, of="derivative", t=0.5)
    sign = lambda x: math.copysign(1.0, x)
    with pytest.raises(ValueError, match=r"nowhere .* needs f differentiable"):
        mean_value_t(abs, -1.0, 1.5, of="derivative", fprime=sign, t=0.5)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (1.0, 0.0, "a must be smaller than b, got a = 1.0 and b = 0.0"),
        (1.0, 1.0, "a must be smaller"),
        (0.0, math.inf, "b must be finite"),
    ],
)
def test_mean_values_need_a_finite_interval(a, b, message):
    with pytest.raises(ValueError, match=message):
        mean_value_t(math.sin, a, b)


def test_unknown_mean_values_are_refused():
    with pytest.raises(ValueError, match='of must be "integral" or "derivative", got \'sum\''):
        mean_value_t(math.sin, 0.0, 1.0, of="sum")
