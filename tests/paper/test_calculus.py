"""Section 3 of the paper and the appendix that extends it, statement by statement.

A test is named by the LaTeX label of what it shows, with - and : turned into _.
"""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from horotree.tempered import (
    add_t,
    bracket_t,
    cosh_t,
    derivative_t,
    div_t,
    exp_t,
    integral_t,
    lift,
    log_t,
    mean_value_t,
    mul_t,
    primitive_t,
    product_integral,
    riemann_sum_t,
    sub_t,
)
from tests.strategies import positives, temperatures

TEMPERATURES = [-1.0, 0.0, 0.5, 1.0, 1.5, 3.0]
each_temperature = pytest.mark.parametrize("t", TEMPERATURES)


def wave(u):
    return np.cos(3 * u) + 0.4


def wave_integral(a, b):
    return (math.sin(3 * b) - math.sin(3 * a)) / 3 + 0.4 * (b - a)


def random_division(rng, a, b, step):
    """Return an irregular division of [a, b] finer than ``step``, and a tag in each interval."""
    n = math.ceil(2 * (b - a) / step)
    inner = (np.arange(1, n) + rng.uniform(-0.45, 0.45, n - 1)) * (b - a) / n + a
    division = np.concatenate([[a], inner, [b]])
    return division, rng.uniform(division[:-1], division[1:])


def tempered_fold(terms, s):
    total = Fraction(0)
    for term in terms:
        total = total + term + s * total * term
    return total


@given(z=positives, t=temperatures)
def test_eq_link_t_1(z, t):
    s = 1 - t
    assume(abs(s) > 1e-3 or s == 0)
    expected = math.log(z) if s == 0 else (z**s - 1) / s
    assert_allclose(log_t(z, t=t), expected, rtol=1e-12, atol=1e-15 / (abs(s) or 1))


@given(x=positives, y=positives, t=temperatures)
def test_sec_t_al_t_add__operations(x, y, t):
    a, b = log_t(x, t=t), log_t(y, t=t)
    # exp_t(a) = x > 0 is inside the domain; logarithms that have no digits left to tell are not
    assume(np.all(np.abs(1 + (1 - t) * np.array([a, b])) > 1e-6))
    product, quotient = exp_t(a, t=t) * exp_t(b, t=t), exp_t(a, t=t) / exp_t(b, t=t)
    scale = abs(a) + abs(b) + abs((1 - t) * a * b)
    assert_allclose(add_t(a, b, t=t), log_t(product, t=t), rtol=1e-8, atol=1e-8 * scale + 1e-15)
    scale = (abs(a) + abs(b)) / abs(1 + (1 - t) * b)
    # The quotient of exponentials is rounded near 1, where its logarithm is near 0.
    assert_allclose(sub_t(a, b, t=t), log_t(quotient, t=t), rtol=1e-8, atol=1e-8 * scale + 1e-15)
    for operation, c in ((mul_t, a + b), (div_t, a - b)):
        assume(1 + (1 - t) * c > 1e-3 * (1 + abs((1 - t) * a) + abs((1 - t) * b)))
        assert_allclose(operation(x, y, t=t), exp_t(c, t=t), rtol=1e-8)


rationals = st.fractions(min_value=-2, max_value=2, max_denominator=12)


@given(widths=st.lists(st.fractions(Fraction(1, 9), 2), min_size=1, max_size=6), s=rationals)
def test_deftRiem(widths, s):
    division = [Fraction(0), *itertools.accumulate(widths)]
    tags = [(low + high) / 2 for low, high in itertools.pairwise(division)]
    terms = [width * (tag - 1) for width, tag in zip(widths, tags, strict=True)]
    got = riemann_sum_t(
        lambda x: x - 1, [float(x) for x in division], [float(x) for x in tags], t=float(1 - s)
    )
    size = math.prod(1 + abs(s * term) for term in terms) + sum(map(abs, terms))
    assert_allclose(got, float(tempered_fold(terms, s)), rtol=1e-10, atol=1e-11 * float(size))


@given(terms=st.lists(rationals, min_size=1, max_size=6), s=rationals.filter(bool))
def test_simplSdelta(terms, s):
    subsets = itertools.chain.from_iterable(
        itertools.combinations(terms, size) for size in range(1, len(terms) + 1)
    )
    by_subsets = sum(s ** (len(subset) - 1) * math.prod(subset) for subset in subsets)
    by_product = (math.prod(1 + s * term for term in terms) - 1) / s
    assert tempered_fold(terms, s) == by_subsets == by_product


@each_temperature
def test_tint(t):
    """For every epsilon a delta, for all divisions and tags: the limit is integral_t."""
    limit = integral_t(wave, -0.5, 1.0, t=t).value
    rng = np.random.default_rng(0)
    slope = 3.0 * 1.5 * max(1.0, float(lift(1.0, t=t)))  # |S - L| <= slope * step, roughly
    for epsilon in (1e-1, 1e-2):
        delta = epsilon / (8 * slope)
        for _ in range(3):
            division, tags = random_division(rng, -0.5, 1.0, delta)
            assert np.diff(division).max() < delta
            assert abs(riemann_sum_t(wave, division, tags, t=t) - limit) < epsilon


@each_temperature
def test_thtRIEMANN(t):
    """The t-integral is the lift of the integral, and sums reach it at first order."""
    for a, b in ((-0.5, 1.0), (0.0, 4.0)):
        expected = lift(wave_integral(a, b), t=t)
        assert_allclose(integral_t(wave, a, b, t=t).value, expected, rtol=1e-10)
        errors = []
        for n in (500, 1000, 2000):
            division = np.linspace(a, b, n + 1)
            total = riemann_sum_t(wave, division, division[:-1], t=t)
            errors.append(abs(total - expected))
        assert_allclose([errors[0] / errors[1], errors[1] / errors[2]], 2.0, rtol=0.05)


@each_temperature
def test_thtRIEMANN__integrable_for_all_t_or_for_none(t):
    """Dirichlet's function: tags at will give two limits, at every temperature."""
    division = np.linspace(0.0, 1.0, 2001)
    on, off = (riemann_sum_t(lambda _x, v=v: v, division, division[1:], t=t) for v in (1.0, 0.0))
    assert off == 0
    assert_allclose(on, lift(1.0, t=t), rtol=2e-3)


def test_thtRIEMANN__volterra():
    division = np.linspace(-0.5, 1.0, 4001)
    product = math.prod(1 + np.diff(division) * wave(division[:-1]))
    integral = product_integral(wave, -0.5, 1.0).value
    assert_allclose(integral, math.exp(wave_integral(-0.5, 1.0)), rtol=1e-12)
    assert_allclose(integral, 1 + integral_t(wave, -0.5, 1.0, t=0.0).value, rtol=1e-12)
    assert_allclose(product, integral, rtol=2e-3)


small_reals = st.lists(st.floats(-0.79, 0.79), min_size=1, max_size=30)


@given(q=small_reals)
def test_lemRAT1(q):
    n, v = len(q), max(map(abs, q))
    log_ratio = n * math.log1p(sum(q) / n) - sum(map(math.log1p, q))
    assert -1e-12 * n <= log_ratio <= n * v * v + 1e-12 * n


@given(q=small_reals)
def test_ineqGend2(q):
    n, v = len(q), max(map(abs, q))
    assume(v > 1e-4)
    y = (1 - v) / (2 * v) * math.log1p(2 * v / (1 - v))
    gap = math.log1p(sum(q) / n) - sum(map(math.log1p, q)) / n
    assert -1e-12 <= gap <= y - math.log(y) - 1 + 1e-12


def test_defXb():
    """Y_v - log Y_v - 1 <= v² up to v = .8, with no affine term at 0."""
    v = np.linspace(1e-3, 0.8, 2000)
    y = (1 - v) / (2 * v) * np.log1p(2 * v / (1 - v))
    bound = y - np.log(y) - 1
    assert np.all(bound <= v**2)
    assert bound[0] / v[0] < 1e-3


@given(q=small_reals, choice=st.sampled_from(["-log", "square", "exp"]))
def test_ineqGend(q, choice):
    """Jensen's gap is at most the Bregman divergence from an end to the mean-value point."""
    phi, slope, inverse = {
        "-log": (lambda z: -np.log1p(z), lambda z: -1 / (1 + z), lambda m: -1 / m - 1),
        "square": (np.square, lambda z: 2 * z, lambda m: m / 2),
        "exp": (np.exp, np.exp, np.log),
    }[choice]
    low, high = -0.8, 0.8
    middle = inverse((phi(low) - phi(high)) / (low - high))
    gap = np.mean(phi(np.array(q))) - phi(np.mean(q))
    for end in (low, high):
        assert -1e-12 <= gap <= phi(end) - phi(middle) - slope(middle) * (end - middle) + 1e-12


@pytest.mark.parametrize("t", [t for t in TEMPERATURES if t != 1])
def test_boundST(t):
    """The sums lie between two functions of Riemann's sum that meet in its lift."""
    for n in (100, 1000):
        division = np.linspace(0.0, 1.5, n + 1)
        terms = np.diff(division) * wave(division[1:])
        q = (1 - t) * terms
        total = riemann_sum_t(wave, division, division[1:], t=t)
        classical = riemann_sum_t(wave, division, division[1:])
        assert_allclose(q.sum(), (1 - t) * classical, rtol=1e-12)  # defSQi
        power, slack = (1 + q.mean()) ** n, math.exp(-n * np.abs(q).max() ** 2)
        ends = sorted([(power * slack - 1) / (1 - t), (power - 1) / (1 - t)])
        assert ends[0] - 1e-12 <= total <= ends[1] + 1e-12
        assert_allclose(ends, math.expm1(q.sum()) / (1 - t), atol=40 / n)  # eqDEFSQi


@each_temperature
def test_thtRIEM_DER(t):
    primitive = primitive_t(wave, -0.5, t=t)
    assert primitive(-0.5) == 0
    for z in (-0.3, 0.0, 0.4, 1.0):
        assert_allclose(derivative_t(primitive, z, t=t), wave(z), rtol=1e-6)
        # eqStep1 to eqStep4: the tempered difference quotient is the lift of a classical integral
        for delta in (1e-3, 1e-5):
            quotient = sub_t(primitive(z + delta), primitive(z), t=t) / delta
            step = lift(wave_integral(z, z + delta), t=t) / delta
            assert_allclose(quotient, step, rtol=1e-7)
            assert abs(quotient - wave(z)) < 20 * delta


@given(t=temperatures, z=st.lists(st.floats(-20, 20), min_size=3, max_size=3, unique=True))
def test_lem_prop_tlift__1(t, z):
    """Strictly increasing, of the sign of z; convex for t < 1, concave for t > 1."""
    a, b, c = sorted(z)
    assume(min(b - a, c - b) > 1e-3)
    assume(abs((1 - t) * max(abs(a), abs(c))) < 30)
    low, mid, high = (float(lift(x, t=t)) for x in (a, b, c))
    assert low < mid < high
    assert np.sign(mid) == np.sign(b)
    chord = ((c - b) * low + (b - a) * high) / (c - a)
    slack = 1e-12 * max(abs(low), abs(high))
    if t <= 1:
        assert mid <= chord + slack
    if t >= 1:
        assert mid >= chord - slack
    if abs(1 - t) > 0.1 and abs(mid - chord) > slack:
        assert (mid < chord) == (t < 1)


@each_temperature
def test_lem_prop_tlift__2(t):
    for z in (-2.0, 0.0, 0.7, 3.0):
        assert_allclose(derivative_t(lambda x: float(lift(x, t=t)), z, t=t), 1.0, rtol=1e-7)


@each_temperature
def test_lem_prop_tlift__3(t):
    """The integral mean value, for a continuous f; c is the same at all temperatures."""
    a, b = -0.5, 1.0
    point, value = mean_value_t(wave, a, b, t=t)
    assert a < point < b
    assert_allclose(value, lift(wave(point), t=1 - (1 - t) * (b - a)), rtol=1e-10)
    assert_allclose((b - a) * value, integral_t(wave, a, b, t=t).value, rtol=1e-9)
    assert_allclose(point, mean_value_t(wave, a, b, t=1.0).point, rtol=1e-9)


@given(
    t=temperatures,
    p=st.floats(-2, 2),
    q=st.floats(-2, 2),
    factor=st.floats(-3, 3),
    cut=st.floats(0.001, 0.999),
)
def test_thproptriemann(t, p, q, factor, cut):
    def f(u):
        return p * math.cos(2 * u) + 0.1

    def g(u):
        return q * u - 0.2

    def integral(h, low=0.0, high=1.0, *, t=t):
        return integral_t(h, low, high, t=t).value

    both = f"t = {t}"
    one, two = integral(f), integral(g)
    close = {"rtol": 1e-8, "atol": 1e-8, "err_msg": both}
    assert_allclose(integral(lambda u: f(u) + g(u)), add_t(one, two, t=t), **close)
    assert_allclose(integral(lambda u: f(u) - g(u)), sub_t(one, two, t=t), **close)
    dilated = factor * integral(f, t=1 - (1 - t) * factor)
    assert_allclose(integral(lambda u: factor * f(u)), dilated, **close)
    assert_allclose(integral(f), add_t(integral(f, 0.0, cut), integral(f, cut, 1.0), t=t), **close)
    assert abs(one) <= integral_t(lambda u: abs(f(u)), 0, 1, t=1 - abs(1 - t)).value + 1e-6
    assert one <= integral(lambda u: f(u) + abs(g(u))) + 1e-9


@each_temperature
def test_lem_int_by_part(t):
    def product(u):
        return math.sin(u) * math.exp(-u)

    whole = integral_t(lambda u: -math.sin(u) * math.exp(-u), 0.2, 2.0, t=t).value
    rest = integral_t(lambda u: math.cos(u) * math.exp(-u), 0.2, 2.0, t=t).value
    bracket = bracket_t(product, 0.2, 2.0, t=t)
    literal = sub_t(lift(product(2.0), t=t), lift(product(0.2), t=t), t=t)
    assert_allclose(bracket, literal, rtol=1e-12)
    assert_allclose(whole, sub_t(bracket, rest, t=t), rtol=1e-10)


@given(a=st.floats(0, 5), b=st.floats(0, 5), t=st.floats(-2, 3))
def test_lem_t_hpt(a, b, t):
    """The tempered hyperbolic theorem of Pythagoras, with 0 ⊖ z for -z (see the errata)."""
    c = math.acosh(math.cosh(a) * math.cosh(b))
    a_t, b_t, c_t = (lift(side, t=t) for side in (a, b, c))
    loss = 1e-13 * math.exp(abs(1 - t) * c)
    right = cosh_t(a_t, t=t) * cosh_t(b_t, t=t)
    assert_allclose(cosh_t(c_t, t=t), right, rtol=1e-10 + loss)


@each_temperature
def test_lem_t_hpt__infinitesimal(t):
    """For small right triangles it is the theorem of Pythagoras, up to the third order."""
    gaps = []
    for size in (1e-2, 1e-3):
        a, b = 0.7 * size, 0.4 * size
        c = math.acosh(math.cosh(a) * math.cosh(b))
        a_t, b_t, c_t = (float(lift(side, t=t)) for side in (a, b, c))
        gaps.append(abs(c_t**2 - a_t**2 - b_t**2))
    assert gaps[1] < gaps[0] / 500
    assert gaps[0] < 3e-6 * (1 + abs(1 - t))


@pytest.mark.parametrize("t", [-1.0, 0.5, 1.0, 1.5])
def test_def_cosht(t):
    z = np.linspace(-0.9, 0.9, 19)
    printed = (exp_t(z, t=t) + exp_t(-z, t=t)) / 2
    assert_allclose(cosh_t(z, t=t, negation="classical"), printed, rtol=1e-13)
    tempered = (exp_t(z, t=t) + exp_t(sub_t(0.0, z, t=t), t=t)) / 2
    inside = (1 + (1 - t) * z) > 0
    assert_allclose(cosh_t(z[inside], t=t), tempered[inside], rtol=1e-12)


@pytest.mark.parametrize("t", [-1.0, 0.0, 0.5, 1.0, 1.5])
def test_lem_tTAF(t):
    def f(x):
        return 0.2 * math.sin(2 * x) + 0.1 * x  # stays above -1/2: no -1/(1-t) in its range

    a, b = 0.0, 2.0
    point, value = mean_value_t(f, a, b, t=t, of="derivative")
    assert a < point < b
    ends = sub_t(f(b), f(point), t=t) - sub_t(f(a), f(point), t=t)
    assert_allclose(value, ends / (b - a), rtol=1e-6)
    assert_allclose(derivative_t(f, point, t=t), value, rtol=1e-6)


@each_temperature
def test_eq_t_derivative_simple(t):
    """D_t f by its defining limit, and as f' / (1 + (1-t) f)."""

    def f(x):
        return 0.3 * math.sin(x)

    for x in (0.0, 0.5, 2.0):
        direct = 0.3 * math.cos(x) / (1 + (1 - t) * f(x))
        assert_allclose(derivative_t(f, x, t=t), direct, rtol=1e-8)
        delta = 1e-6
        assert_allclose(sub_t(f(x + delta), f(x), t=t) / delta, direct, atol=1e-5)


@each_temperature
def test_lem_chain_rule(t):
    def f(x):
        return 0.3 * math.cos(x)

    def g(x):
        return x * x + 0.5

    for z in (-0.8, 0.3, 1.2):
        composed = derivative_t(lambda x: f(g(x)), z, t=t)
        assert_allclose(composed, derivative_t(f, g(z), t=t) * 2 * z, rtol=1e-6)
