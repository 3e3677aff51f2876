"""f-, Bregman, Tsallis divergences and the tempered relative entropy, against 50 digits."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from mpmath import mp
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist, jensenshannon
from scipy.special import rel_entr

from horotree import tempered
from horotree.tempered import (
    add_t,
    bregman_divergence,
    f_divergence,
    generalized_kl,
    itakura_saito,
    kl,
    log_t,
    squared_euclidean,
    tempered_relative_entropy,
    to_cosimplex,
    tsallis,
)
from horotree.tempered.terms import area
from tests.reference import tempered as exact
from tests.strategies import near_one

EPS = 2.0**-52
NAMES = sorted(exact.GENERATORS)
each_name = pytest.mark.parametrize("name", NAMES)
temperatures = st.floats(-5.0, 5.0) | near_one | near_one.map(lambda t: t + 1.0)
weights = st.builds(lambda e: 10.0**e, st.floats(-6.0, 2.0))
vectors = st.integers(1, 5).flatmap(
    lambda n: st.tuples(*(st.lists(weights, min_size=n, max_size=n) for _ in range(2)))
)
# Two distributions and the exponent of their distance, from far apart to almost equal.
seeds = st.tuples(st.integers(0, 2**32 - 1), st.integers(2, 5), st.integers(0, 12))


def distributions(seed):
    number, size, exponent = seed
    rng = np.random.default_rng(number)
    p, r = rng.dirichlet(np.ones(size), 2)
    q = p + 10.0**-exponent * (r - p)
    return p, q / q.sum()


# ------------------------------------------------------------- the common term


@given(
    q=weights,
    u=st.builds(
        lambda e, sign: 1.0 + sign * 10.0**e, st.floats(-15, -0.01), st.sampled_from([-1, 1])
    )
    | st.builds(lambda e: 10.0**e, st.floats(-8.0, 8.0)),
    t=temperatures,
)
def test_area_under_log_t_has_all_its_digits(q, u, t):
    p = q * u
    assume(p != q)
    with mp.workdps(80):
        expected = exact.area(p, q, t)
        assume(mp.mpf(10) ** -290 < expected < mp.mpf(10) ** 290)
        got = area(np.array(p), np.array(q), t=t)
        condition = max(1.0, abs((1.0 - t) * math.log(p / q)), abs((2.0 - t) * math.log(p / q)))
        assert abs(mp.mpf(float(got)) / expected - 1) <= 30 * EPS * condition


# ----------------------------------------------------------------- f-divergences


@each_name
@given(pair=vectors)
def test_named_divergences_match_their_generators(name, pair):
    p, q = pair
    with mp.workdps(exact.DIGITS):
        expected = exact.f_divergence(exact.GENERATORS[name], p, q)
        got = getattr(tempered, name)(p, q)
        assert abs(got - expected) <= 50 * EPS * expected
        u = np.array([1e-3, 0.7, 1.0, 2.0, 50.0])
        values = [float(exact.GENERATORS[name](mp.mpf(x))) for x in u]
    assert_allclose(getattr(tempered, name).generator(u), values, rtol=1e-13, atol=1e-300)


@each_name
@given(seed=seeds)
def test_named_divergences_of_close_distributions_keep_their_digits(name, seed):
    p, q = distributions(seed)
    with mp.workdps(exact.DIGITS):
        expected = exact.f_divergence(exact.GENERATORS[name], p, q)
    assert_allclose(getattr(tempered, name)(p, q), float(expected), rtol=1e-13, atol=1e-300)


def test_named_divergences_agree_with_scipy():
    p, q = np.random.default_rng(0).dirichlet(np.ones(6), (2, 50))
    assert_allclose(kl(p, q), rel_entr(p, q).sum(axis=-1), rtol=1e-12)
    assert_allclose(tempered.reverse_kl(p, q), rel_entr(q, p).sum(axis=-1), rtol=1e-12)
    assert_allclose(tempered.jensen_shannon(p, q), jensenshannon(p, q, axis=-1) ** 2, rtol=1e-10)
    bhattacharyya = np.sqrt(p * q).sum(axis=-1)
    assert_allclose(tempered.hellinger(p, q), 1.0 - bhattacharyya, rtol=1e-12)
    assert_allclose(tempered.total_variation(p, q), 0.5 * np.abs(p - q).sum(axis=-1), rtol=1e-14)
    assert_allclose(tempered.chi2(p, q), (p * p / q).sum(axis=-1) - 1.0, rtol=1e-11)


LOG2 = math.log(2.0)


@pytest.mark.parametrize(
    ("name", "p_zero", "q_zero"),
    [
        ("kl", LOG2, math.inf),
        ("reverse_kl", math.inf, LOG2),
        ("total_variation", 0.5, 0.5),
        ("chi2", 1.0, math.inf),
        ("hellinger", 1.0 - math.sqrt(0.5), 1.0 - math.sqrt(0.5)),
        ("jensen_shannon", 0.75 * math.log(4.0 / 3.0), 0.75 * math.log(4.0 / 3.0)),
    ],
)
def test_zeros_take_the_limits(name, p_zero, q_zero):
    d = getattr(tempered, name)
    point, even = [1.0, 0.0, 0.0], [0.5, 0.5, 0.0]  # the last entry is 0 in both
    assert d(even, even) == d(point, point) == 0.0
    assert_allclose(d(point, even), p_zero, rtol=1e-14)
    assert_allclose(d(even, point), q_zero, rtol=1e-14)


def test_jensen_shannon_of_singular_distributions():
    # 3/4 log(4/3) above is p=(1,0), q=(1/2,1/2): check it by the definition.
    assert_allclose(tempered.jensen_shannon([1, 0], [0, 1]), LOG2)
    middle = [0.75, 0.25]
    by_kl = 0.5 * kl([1.0, 0.0], middle) + 0.5 * kl([0.5, 0.5], middle)
    assert_allclose(tempered.jensen_shannon([1.0, 0.0], [0.5, 0.5]), by_kl, rtol=1e-14)


@each_name
@pytest.mark.parametrize("tiny", [5e-324, 1e-300])
def test_tiny_weights_do_not_overflow_before_the_result(name, tiny):
    d = getattr(tempered, name)
    for p, q in (([tiny, 1.0], [1.0, 1.0]), ([1.0, 1.0], [tiny, 1.0])):
        with mp.workdps(exact.DIGITS):
            expected = float(exact.f_divergence(exact.GENERATORS[name], p, q))
        assert_allclose(d(p, q), expected, rtol=1e-14)


def triangular_generator(u):
    return (u - 1.0) ** 2 / (u + 1.0)


@given(seed=seeds)
def test_divergence_from_a_generator(seed):
    p, q = distributions(seed)
    assume(seed[2] <= 3)
    d = f_divergence(triangular_generator, at_zero=1.0, slope_at_infinity=1.0)
    assert_allclose(d(p, q), np.sum((p - q) ** 2 / (p + q)), rtol=1e-9)
    assert_allclose(d([1, 0, 0], [0, 1, 0]), 2.0)
    assert d([0.0, 1.0], [0.0, 1.0]) == 0.0
    assert_allclose(d([1.0], [5e-324]), 1.0)  # the quotient overflows, the divergence doesn't
    assert_allclose(d.generator(np.array([0.5, 3.0])), [1.0 / 6.0, 1.0])


def test_unnormalized_generators_agree_on_the_simplex():
    textbook = f_divergence(lambda u: u * np.log(u), at_zero=0.0, slope_at_infinity=math.inf)
    p, q = np.random.default_rng(0).dirichlet(np.ones(4), (2, 20))
    assert_allclose(textbook(p, q), kl(p, q), rtol=1e-10)


@each_name
def test_named_divergences_can_be_pickled_and_are_metrics_of_scipy(name):
    d = getattr(tempered, name)
    copy = pickle.loads(pickle.dumps(d))  # noqa: S301  our own bytes
    p = np.random.default_rng(0).dirichlet(np.ones(3), 4)
    assert copy == d
    assert_allclose(cdist(p, p, metric=copy), d(p[:, None], p[None, :]), rtol=1e-14)


def test_divergences_from_functions_can_be_pickled():
    d = f_divergence(triangular_generator, at_zero=1.0, slope_at_infinity=1.0)
    assert pickle.loads(pickle.dumps(d)) == d  # noqa: S301  our own bytes


def test_leading_axes_broadcast():
    p, q = np.random.default_rng(0).dirichlet(np.ones(3), (2, 4))
    table = kl(p[:, None, :], q)
    assert table.shape == (4, 4)
    assert_allclose(table[1, 2], kl(p[1], q[2]), rtol=1e-14)
    assert np.ndim(kl(p[0], q[0])) == 0


BAD_PAIRS = [
    ([0.5, 0.5], [1.0], r"one length.*got shapes \(2,\) and \(1,\)"),
    (0.5, 0.5, r"got shapes \(\) and \(\)"),
    (np.ones((3, 2)), np.ones((2, 2)), r"got shapes \(3, 2\) and \(2, 2\)"),
    ([0.5, -0.5], [0.5, 0.5], r"p must be non-negative, got .*-0.5"),
    ([0.5, 0.5], [1.5, -0.5], r"q must be non-negative, got .*-0.5"),
    ([0.5, math.inf], [0.5, 0.5], "p must be finite"),
    ([0.5, math.nan], [0.5, 0.5], "p must not hold NaN"),
]


@pytest.mark.parametrize(("p", "q", "message"), BAD_PAIRS)
def test_bad_weights_are_refused(p, q, message):
    for d in (kl, tsallis, tempered_relative_entropy):
        with pytest.raises(ValueError, match=message):
            d(p, q)


def test_bad_generators_are_refused():
    with pytest.raises(ValueError, match=r"generator must be 0 at 1, got 1.0: subtract"):
        f_divergence(np.square, at_zero=0.0, slope_at_infinity=math.inf)
    with pytest.raises(TypeError, match="generator must be a function"):
        f_divergence(2.0, at_zero=0.0, slope_at_infinity=0.0)
    with pytest.raises(ValueError, match="at_zero must be a number or inf, got nan"):
        f_divergence(triangular_generator, at_zero=math.nan, slope_at_infinity=1.0)
    with pytest.raises(TypeError, match="p must hold real numbers"):
        kl(["a"], ["b"])
    with pytest.raises(ValueError, match="u must be positive"):
        kl.generator(0.0)


# ----------------------------------------------------------- Bregman divergences

BREGMAN = {
    squared_euclidean: (lambda x: x * x, lambda x: 2 * x),
    generalized_kl: (lambda x: x * mp.log(x), lambda x: mp.log(x) + 1),
    itakura_saito: (lambda x: -mp.log(x), lambda x: -1 / x),
}


@pytest.mark.parametrize("d", BREGMAN)
@given(pair=vectors)
def test_named_bregman_divergences_match_their_generators(d, pair):
    with mp.workdps(exact.DIGITS):
        expected = exact.bregman_divergence(*BREGMAN[d], *pair)
        assert abs(d(*pair) - expected) <= 50 * EPS * expected


@pytest.mark.parametrize("d", BREGMAN)
@given(seed=seeds)
def test_named_bregman_divergences_keep_their_digits(d, seed):
    x, y = distributions(seed)
    with mp.workdps(exact.DIGITS):
        expected = float(exact.bregman_divergence(*BREGMAN[d], x, y))
    assert_allclose(d(x, y), expected, rtol=1e-13, atol=1e-300)


def test_named_bregman_divergences_at_zeros():
    assert itakura_saito([0.0, 1.0], [0.0, 1.0]) == 0.0
    assert itakura_saito([0.0], [1.0]) == itakura_saito([1.0], [0.0]) == math.inf
    assert generalized_kl([0.0, 2.0], [3.0, 2.0]) == 3.0
    assert generalized_kl([1.0], [0.0]) == math.inf
    assert squared_euclidean([-1.0, 2.0], [1.0, 2.0]) == 4.0


def sum_of_exp(x):
    return np.sum(np.exp(x), axis=-1)


def test_bregman_divergence_from_a_generator():
    d = bregman_divergence(sum_of_exp, np.exp)
    x, y = np.random.default_rng(0).normal(size=(2, 5, 3))
    expected = np.sum(np.exp(x) - np.exp(y) - np.exp(y) * (x - y), axis=-1)
    assert_allclose(d(x, y), expected, rtol=1e-12)
    assert pickle.loads(pickle.dumps(d)) == d  # noqa: S301  our own bytes
    assert_allclose(cdist(x, y, metric=d), d(x[:, None], y), rtol=1e-12)


def test_bad_bregman_divergences_are_refused():
    with pytest.raises(ValueError, match="generator must return one number per vector"):
        bregman_divergence(np.exp, np.exp)([1.0, 2.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="gradient must return the shape of its argument"):
        bregman_divergence(sum_of_exp, sum_of_exp)([1.0, 2.0], [1.0, 2.0])
    with pytest.raises(TypeError, match="gradient must be a function"):
        bregman_divergence(sum_of_exp, None)
    with pytest.raises(ValueError, match=r"x and y must be vectors of one length"):
        squared_euclidean([1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="y must be finite"):
        squared_euclidean([1.0], [math.inf])


# ------------------------------------------------------------ Tsallis divergence


@given(seed=seeds, t=temperatures)
def test_tsallis_is_its_definition_for_all_temperatures(seed, t):
    p, q = distributions(seed)
    with mp.workdps(80):
        # The definition in 80 digits, of exactly normalized p and q.
        a, b = ([x / mp.fsum(exact.exactly(v)) for x in exact.exactly(v)] for v in (p, q))
        s = 1 - mp.mpf(t)
        terms = (
            x * ((x / y) ** s - 1) / s if s else x * mp.log(x / y)
            for x, y in zip(a, b, strict=True)
        )
        expected = mp.fsum(terms)
        size = mp.fsum(abs(exact.area(x, y, t)) for x, y in zip(a, b, strict=True))
    # Dividing by the exact sums moves the divergence by a few EPS of the sum of sizes.
    tolerance = 1e-12 * float(abs(2 - t) * size) * (1 + abs(t))
    assert abs(tsallis(p, q, t=t) - float(expected)) <= tolerance + 1e-30


def test_tsallis_tends_to_kl_without_noise():
    p, q = np.array([0.2, 0.3, 0.5]), np.array([0.25, 0.35, 0.4])
    assert tsallis(p, q, t=1.0) == kl(p, q)
    for s in (1e-3, 1e-6, 1e-9, 1e-12, 2.0**-52, -1e-9):
        assert abs(tsallis(p, q, t=1.0 - s) / kl(p, q) - 1.0) <= 2 * abs(s) + 4 * EPS


def test_tsallis_is_sum_of_p_log_t():
    p, q = np.random.default_rng(0).dirichlet(np.ones(4), (2, 20))
    for t in (-2.0, 0.0, 0.5, 1.5, 2.0, 3.0):
        literal = np.sum(p * log_t(p / q, t=t), axis=-1)
        assert_allclose(tsallis(p, q, t=t), literal, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize(
    ("t", "p_zero", "q_zero"),
    [
        (-1.0, 1.5, math.inf),  # (Σ p^3/q^2 - 1) / 2
        (0.0, 1.0, math.inf),
        (0.5, 2.0 * (math.sqrt(2.0) - 1.0), math.inf),
        (1.0, LOG2, math.inf),
        (1.5, 2.0 * (1.0 - math.sqrt(0.5)), 2.0 * (1.0 - math.sqrt(0.5))),
        (2.0, 0.0, 0.0),
        (3.0, -math.inf, None),
    ],
)
def test_tsallis_at_zeros(t, p_zero, q_zero):
    point, even = [1.0, 0.0, 0.0], [0.5, 0.5, 0.0]
    assert_allclose(tsallis(point, even, t=t), p_zero, rtol=1e-14, atol=1e-16)
    if q_zero is not None:
        assert_allclose(tsallis(even, point, t=t), q_zero, rtol=1e-14, atol=1e-16)
    # p = 0.5, q = 0: a term p / (t-1) for t > 1, and the rest is 0.5 log_t(0.5).
    if t > 1.0:
        literal = 0.5 / (t - 1.0) + 0.5 * log_t(0.5, t=t)
        assert_allclose(tsallis(even, point, t=t), literal, rtol=1e-14, atol=1e-16)
    # Zeros are limits of small numbers.
    if math.isfinite(p_zero):
        small = 1e-280 if t < 1.9 else 1e-12
        near = tsallis([1.0 - small, small, 0.0], even, t=t)
        assert_allclose(near, p_zero, rtol=1e-9, atol=1e-9)


@given(seed=seeds, t=temperatures)
def test_tsallis_sign_follows_the_convexity_of_its_generator(seed, t):
    p, q = distributions(seed)
    value = tsallis(p, q, t=t)
    assert value >= 0.0 if t <= 2.0 else value <= 0.0


def products(x, y):
    return np.outer(x, y).ravel()


@given(first=seeds, second=seeds, t=st.floats(-3.0, 4.0))
def test_tsallis_is_t_additive(first, second, t):
    (p1, q1), (p2, q2) = distributions(first), distributions(second)
    assume(min(map(np.min, (p1, q1, p2, q2))) > 1e-3)
    d1, d2 = tsallis(p1, q1, t=t), tsallis(p2, q2, t=t)
    joint = tsallis(products(p1, p2), products(q1, q2), t=t)
    assert_allclose(joint, add_t(d1, d2, t=t), rtol=1e-9, atol=1e-13)


@given(pairs=st.tuples(vectors, vectors), t=st.floats(-1.0, 3.0))
def test_tsallis_of_measures_is_the_formula_and_t_additive(pairs, t):
    assume(abs(1.0 - t) > 1e-2)
    (p1, q1), (p2, q2) = pairs
    d = lambda p, q: tsallis(p, q, normalized=False, t=t)
    with mp.workdps(exact.DIGITS):
        expected = float(exact.tsallis(p1, q1, t))
        size = float(
            mp.fsum(
                x * (1 + (mp.mpf(x) / y) ** (1 - mp.mpf(t))) for x, y in zip(p1, q1, strict=True)
            )
        )
    assert_allclose(d(p1, q1), expected, rtol=1e-12, atol=1e-12 * (1.0 + size))
    joint, parts = d(products(p1, p2), products(q1, q2)), (d(p1, q1), d(p2, q2))
    scale = (size + 100.0) * (100.0 + abs(parts[1]))
    assert_allclose(joint, add_t(*parts, t=t), rtol=1e-9, atol=1e-11 * scale)


def test_tsallis_of_measures_at_the_classical_temperature():
    p, q = [0.25, 0.75], [1.0, 3.0]
    assert_allclose(tsallis(p, q, normalized=False, t=1.0), math.log(0.25))
    assert_allclose(tsallis(p, q, normalized=False, t=1.0 - 1e-9), math.log(0.25), rtol=1e-8)
    with pytest.raises(ValueError, match=r"mass of p at t = 1 must be 1 .*got .*4.0"):
        tsallis(q, p, normalized=False, t=1.0)


def test_tsallis_of_measures_at_zeros():
    for t, at_zero in ((0.5, 0.0), (2.0, -1.0), (3.0, -math.inf)):
        got = tsallis([0.0, 1.0], [1.0, 1.0], normalized=False, t=t)
        assert_allclose(got, at_zero, atol=1e-15)
    assert tsallis([1.0, 1.0], [0.0, 1.0], normalized=False, t=0.5) == math.inf
    assert_allclose(tsallis([1.0, 1.0], [0.0, 1.0], normalized=False, t=3.0), 0.5 - 0.5)


def test_tsallis_needs_the_simplex():
    with pytest.raises(ValueError, match=r"the sum of p must be 1 .*got .*2.0.*: divide p by its"):
        tsallis([1.0, 1.0], [0.5, 0.5], t=0.5)
    with pytest.raises(ValueError, match=r"the sum of q must be 1"):
        tsallis([0.5, 0.5], [0.5, 0.4], t=0.5)
    single = np.float32([0.1, 0.2, 0.7])  # a model's output: 1 up to float32
    assert tsallis(single, single, t=0.5) == 0.0


# ------------------------------------------------------ tempered relative entropy

below_two = st.floats(-4.0, 1.9) | near_one


@given(seed=seeds, t=below_two)
def test_tempered_relative_entropy_is_its_definition(seed, t):
    p, q = (to_cosimplex(v, t=t) for v in distributions(seed))
    got = tempered_relative_entropy(p, q, t=t)
    with mp.workdps(80):
        # Exactly on the co-simplex: Σ p^(2-t) = 1, to which rounding is of second order.
        power = 2 - mp.mpf(t)
        a, b = (
            [
                x / mp.fsum(y**power for y in exact.exactly(v)) ** (1 / power)
                for x in exact.exactly(v)
            ]
            for v in (p, q)
        )
        s = 1 - mp.mpf(t)
        if s:
            expected = (1 - mp.fsum(x * y**s for x, y in zip(a, b, strict=True))) / s
        else:
            expected = mp.fsum(x * mp.log(x / y) for x, y in zip(a, b, strict=True))
    assert got >= 0.0
    assert_allclose(got, float(expected), rtol=1e-7, atol=1e-29)


@given(seed=seeds, t=below_two)
def test_tempered_relative_entropy_is_the_bregman_divergence(seed, t):
    p, q = (to_cosimplex(v, t=t) for v in distributions(seed))
    with mp.workdps(80):
        s = 1 - mp.mpf(t)
        gradient = lambda z: (z**s - 1) / s if s else mp.log(z)
        generator = lambda z: exact.tempered_bregman_generator(z, t)
        expected = float(exact.bregman_divergence(generator, gradient, p, q))
    assert_allclose(tempered_relative_entropy(p, q, t=t), expected, rtol=1e-12, atol=1e-300)


@given(first=seeds, second=seeds, t=st.floats(-3.0, 1.8))
def test_tempered_relative_entropy_is_additive_at_two_minus_t(first, second, t):
    pairs = distributions(first), distributions(second)
    assume(min(np.min(pair) for pair in pairs) > 1e-3)
    (p1, q1), (p2, q2) = ([to_cosimplex(v, t=t) for v in pair] for pair in pairs)
    d = lambda p, q: tempered_relative_entropy(p, q, t=t)
    joint = d(products(p1, p2), products(q1, q2))
    d1, d2 = d(p1, q1), d(p2, q2)
    assert_allclose(joint, add_t(d1, d2, t=2.0 - t), rtol=1e-9, atol=1e-13)
    if abs(1.0 - t) * d1 * d2 > 1e-3 * joint:
        assert not math.isclose(joint, add_t(d1, d2, t=t), rel_tol=1e-3)


def test_tempered_relative_entropy_tends_to_kl():
    p, q = np.array([0.2, 0.3, 0.5]), np.array([0.25, 0.35, 0.4])
    assert tempered_relative_entropy(p, q, t=1.0) == kl(p, q)
    for s in (1e-6, 1e-9, 1e-12):
        a, b = (to_cosimplex(v, t=1.0 - s) for v in (p, q))
        assert_allclose(tempered_relative_entropy(a, b, t=1.0 - s), kl(p, q), rtol=10 * s + 1e-14)


@pytest.mark.parametrize("t", [-1.0, 0.0, 0.5, 0.75, 1.0, 1.5])
def test_tempered_relative_entropy_at_zeros(t):
    point, even = (to_cosimplex(v, t=t) for v in ([1.0, 0.0, 0.0], [0.5, 0.5, 0.0]))
    s, root = 1.0 - t, 0.5 ** (1.0 / (2.0 - t))
    assert tempered_relative_entropy(even, even, t=t) == 0.0
    expected = LOG2 if s == 0.0 else (1.0 - root**s) / s
    assert_allclose(tempered_relative_entropy(point, even, t=t), expected, rtol=1e-14)
    other = math.inf if t >= 1.0 else (1.0 - root) / s
    assert_allclose(tempered_relative_entropy(even, point, t=t), other, rtol=1e-14)


def test_the_cosimplex_is_checked():
    with pytest.raises(ValueError, match=r"the sum of p\^\(2-t\) on the co-simplex must be 1"):
        tempered_relative_entropy([0.5, 0.5], [0.6, 0.8], t=0.0)
    for t in (2.0, 3.0):
        with pytest.raises(ValueError, match="t must be below 2, got"):
            tempered_relative_entropy([0.5, 0.5], [0.5, 0.5], t=t)
        with pytest.raises(ValueError, match="t must be below 2, got"):
            to_cosimplex([0.5, 0.5], t=t)
    with pytest.raises(ValueError, match="the sum of p must be 1"):
        to_cosimplex([0.5, 0.6], t=0.5)
    with pytest.raises(ValueError, match=r"p must be a vector, got the number 1.0"):
        to_cosimplex(1.0, t=0.5)


@pytest.mark.parametrize("t", [math.nan, math.inf, "1", None])
def test_bad_temperatures_are_refused(t):
    for d in (tsallis, tempered_relative_entropy):
        with pytest.raises((TypeError, ValueError), match="t must be"):
            d([0.5, 0.5], [0.5, 0.5], t=t)
