import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from horotree.geometry import polar, tself
from horotree.tempered import exp_t, lift, log_t
from tests.geometry.samples import angles, radii
from tests.reference import geometry as reference

EPS = float(np.finfo(float).eps)


# --- norms ---------------------------------------------------------------------------------------


@given(st.floats(1e-6, 60.0), st.floats(-2.0, 1.0))
def test_norm_t_is_the_norm_of_exp_t(distance, t):
    e = float(exp_t(distance, t=t))
    assert tself.norm_t(distance, t=t) == pytest.approx((e - 1.0) / (e + 1.0), rel=1e-9)


@pytest.mark.parametrize("t", [-3.0, 0.0, 0.4, 1.0 - 1e-9, 1.0, 1.0 + 1e-9])
def test_norm_t_and_distance_t_are_accurate(t):
    s = 1 - mp.mpf(t)
    for distance in 10.0 ** np.linspace(-8.0, 1.5, 40):
        d = mp.mpf(float(distance))
        with mp.workdps(60):
            drawn = mp.log1p(s * d) / s if s else d
            expected = mp.tanh(drawn / 2)
        norm = tself.norm_t(distance, t=t)
        assert reference.relative_error(norm, expected) <= 1e-15
        if norm == 1.0:
            continue
        with mp.workdps(60):
            drawn = 2 * mp.atanh(mp.mpf(float(norm)))
            expected = mp.expm1(s * drawn) / s if s else drawn
        back = tself.distance_t(norm, t=t)
        assert reference.relative_error(back, expected) <= 8 * EPS * max(1, abs(s) * drawn)


@given(st.floats(0.0, 12.0), st.floats(-2.0, 1.0))
def test_distance_t_undoes_norm_t(distance, t):
    norm = tself.norm_t(distance, t=t)
    # 1 - norm is known to the last bit of a double, and carries the distance
    rel = 1e-14 + 8 * EPS * (1.0 + (1.0 - t) * distance) / (1.0 - float(norm))
    assert tself.distance_t(norm, t=t) == pytest.approx(distance, rel=rel, abs=1e-15)


def test_norm_t_of_the_papers_example_is_098_not_096():
    distance = tself.distance_t(1.0 - 1e-4)
    assert tself.norm_t(distance, t=0.7) == pytest.approx(0.98003, abs=5e-6)
    assert tself.norm_t(tself.distance_t(1.0 - 1e-3), t=0.7) == pytest.approx(0.9626, abs=5e-5)


def test_norm_t_broadcasts_and_at_0_is_d_over_d_plus_2():
    t = np.array([[0.0], [0.5], [1.0]])
    norms = tself.norm_t(np.array([1.0, 2.0, 8.0]), t=t)
    assert norms.shape == (3, 3)
    np.testing.assert_allclose(norms[0], [1 / 3, 0.5, 0.8], rtol=1e-15)
    assert (np.diff(norms, axis=0) > 0).all()
    assert isinstance(tself.norm_t(1.0), float)


def test_norm_t_above_1_ends_where_the_t_self_ends():
    assert tself.norm_t(1.999, t=1.5) < 1.0
    with pytest.raises(ValueError, match=r"distance must be below 1/\(t-1\).*lower t"):
        tself.norm_t(2.0, t=1.5)


# --- temperature for a norm ----------------------------------------------------------------------


def solvable(n, seed):
    """Draw (length, norm) with t from far below 0 to above 1, many of them next to t = 1."""
    rng = np.random.default_rng(seed)
    norm = np.where(
        rng.random(n) < 0.5, rng.uniform(0.01, 0.999, n), 1 - 10 ** rng.uniform(-12, 0, n)
    )
    norm = np.clip(norm, 1e-6, 1 - 1e-13)
    factor = 10.0 ** rng.uniform(-2.0, 4.0, n)
    near = 1.0 + 10.0 ** rng.uniform(-15.0, -1.0, n) * rng.choice([-1.0, 1.0], n)
    return 2 * np.arctanh(norm) * np.where(rng.random(n) < 0.5, factor, near), norm


def test_t_for_norm_is_accurate_in_1_minus_t():
    distance, norm = solvable(300, seed=0)
    for d, r, t in zip(distance, norm, tself.t_for_norm(distance, norm), strict=True):
        with mp.workdps(60):
            length = mp.mpf(float(d))
            drawn = 2 * mp.atanh(mp.mpf(float(r)))
            f = reference.rate(length, drawn)
            condition = max(1, drawn / abs(length - drawn))
            error = abs(1 - mp.mpf(float(t)) - f)
        # the last term is the rounding of t itself
        assert error <= 32 * EPS * condition * abs(f) + EPS * max(1.0, abs(t))


def test_t_for_norm_is_accurate_to_1e_13_away_from_1():
    for d, r in [(8.0, 0.95), (36.0, 0.95), (500.0, 0.9), (2.0, 0.999), (0.1, 0.5), (1e6, 0.5)]:
        with mp.workdps(60):
            f = reference.rate(mp.mpf(d), 2 * mp.atanh(mp.mpf(r)))
        assert reference.relative_error(1.0 - tself.t_for_norm(d, r), f) <= 1e-13


@pytest.mark.parametrize(("distance", "t"), [(8.0, 0.618), (20.7, 0.226), (36.0, 0.020)])
def test_t_for_norm_has_the_known_values_for_norm_095(distance, t):
    assert tself.t_for_norm(distance, 0.95) == pytest.approx(t, abs=5e-4)


def test_t_for_norm_is_negative_for_the_very_far_and_above_1_for_the_near():
    assert tself.t_for_norm(1000.0, 0.9) < 0.0
    assert tself.t_for_norm(1.0, 0.9) > 1.0
    assert tself.t_for_norm(2.0 * np.arctanh(0.5), 0.5) == 1.0


@given(st.floats(0.01, 300.0), st.floats(0.01, 0.999))
def test_t_for_norm_undoes_norm_t(distance, norm):
    assume(2.0 * math.atanh(norm) < 25.0 * distance)
    t = float(tself.t_for_norm(distance, norm))
    f = 1.0 - t
    # what a rounding of t does to log(1 + f distance) / f
    blur = EPS * max(1.0, abs(t)) * distance / (1.0 + f * distance) / max(abs(f), 1.0 / distance)
    assert tself.norm_t(distance, t=t) == pytest.approx(norm, rel=1e-13 + 8 * blur)


def test_t_for_norm_does_not_break_down_at_the_ends():
    tiny, huge = tself.t_for_norm(1e-300, 0.5), tself.t_for_norm(1e300, 1e-300)
    assert tiny == pytest.approx(1e300, rel=1e-12)  # f tends to -1 / distance
    assert math.isfinite(huge)
    assert huge < 0.0


@given(st.floats(1e-6, 10.0), st.floats(0.5, 1.0 - 1e-15))
def test_t_for_norm_gives_a_t_at_which_the_distance_can_be_drawn(distance, norm):
    t = tself.t_for_norm(distance, norm)
    assert 0.0 < tself.norm_t(distance, t=t) <= 1.0


# --- capacity ------------------------------------------------------------------------------------


@pytest.mark.parametrize("t", [-1.0, 0.0, 0.5, 1.0, 1.3, 3.0])
@pytest.mark.parametrize("k", [0.0, 1e-9, 0.01, 0.999, 1.0, 3.0, 16.0, 40.0])
def test_encoding_capacity_is_log_t_of_two_times_ten_to_the_k_minus_one(k, t):
    with mp.workdps(80):
        z = mp.log(2 * mp.mpf(10) ** mp.mpf(k) - 1)
        s = 1 - mp.mpf(t)
        expected = mp.expm1(s * z) / s if s else z
    got = tself.encoding_capacity(k, t=t)
    assert reference.relative_error(got, expected) <= 8 * EPS * max(1, abs(s) * z)


def test_encoding_capacity_of_a_norm_is_its_distance():
    norm = 1.0 - 10.0 ** -np.arange(1.0, 6.0)
    got = tself.encoding_capacity(np.arange(1.0, 6.0), t=0.4)
    np.testing.assert_allclose(got, tself.distance_t(norm, t=0.4), rtol=1e-10)


def test_encoding_capacity_of_many_digits_does_not_overflow_at_t_1():
    expected = 1e5 * math.log(10) + math.log(2)
    assert tself.encoding_capacity(1e5) == pytest.approx(expected, rel=1e-15)
    assert tself.encoding_capacity(1e5, t=0.5) == math.inf
    assert tself.encoding_capacity(1e5, t=1.5) == pytest.approx(2.0, rel=1e-15)
    assert tself.encoding_capacity(0) == 0.0


@given(st.floats(0.5, 40.0), st.floats(0.1, 1e6))
def test_t_for_capacity_is_on_the_boundary_of_the_lemma(k, g):
    t = float(tself.t_for_capacity(k, g))
    f = 1.0 - t
    assert 1.0 + f * g > 0.0
    assert tself.encoding_capacity(k, t=t) >= g * (1 - 1e-12)
    left = math.log1p(f * g) / f if f else g
    # for f < 0 the logarithm is that of a small rounded difference
    rel = 1e-12 + 8 * EPS * max(1.0, 1.0 / (1.0 + f * g)) + 4 * EPS / max(abs(f), EPS)
    assert left == pytest.approx(k * math.log(10), rel=rel)


def test_t_for_capacity_is_1_where_nothing_is_asked_and_falls_with_the_reach():
    assert tself.t_for_capacity(16.0, 16.0 * math.log(10)) == 1.0
    reach = np.array([1.0, 10.0, 100.0, 1e3, 1e6, 1e15])
    assert (np.diff(tself.t_for_capacity(16.0, reach)) < 0).all()
    with mp.workdps(60):
        f = reference.rate(mp.mpf(1000), 16 * mp.log(10))
    assert 1.0 - tself.t_for_capacity(16.0, 1000.0) == pytest.approx(float(f), rel=1e-13)


# --- triangle inequality -------------------------------------------------------------------------


@given(radii, angles, radii, angles, radii, angles, st.floats(-1.0, 3.0))
def test_triangle_bound_t_holds_in_the_t_self(a, alpha, b, beta, c, gamma, t):
    xy, yz, xz = (
        lift(polar.distance(*p, *q), t=t)
        for p, q in (
            ((a, alpha), (b, beta)),
            ((b, beta), (c, gamma)),
            ((a, alpha), (c, gamma)),
        )
    )
    assert xz <= tself.triangle_bound_t(xy, yz, t=t) * (1 + 1e-13)


def test_triangle_bound_t_needs_its_product_below_t_1():
    one, two = lift(1.0, t=0.5), lift(2.0, t=0.5)
    assert two > one + one  # the plain inequality fails
    assert tself.triangle_bound_t(one, one, t=0.5) == pytest.approx(float(two), rel=1e-14)
    assert tself.triangle_bound_t(2.0, 3.0, t=4.0) == 5.0
    assert tself.triangle_bound_t([1.0, 2.0], 3.0, t=[[0.0], [1.0]]).shape == (2, 2)


# --- input ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: tself.norm_t(-1.0), ValueError, "distance must be finite and not negative"),
        (lambda: tself.norm_t(math.inf), ValueError, "distance must be finite"),
        (lambda: tself.norm_t(1.0, t=math.nan), ValueError, "t must be finite"),
        (lambda: tself.norm_t(1.0, t="cold"), TypeError, "t must be a real number"),
        (lambda: tself.distance_t(1.0), ValueError, r"norm must be in \[0, 1\)"),
        (lambda: tself.distance_t(0.5, t=math.inf), ValueError, "t must be finite"),
        (lambda: tself.t_for_norm(0.0, 0.5), ValueError, "distance must be finite and positive"),
        (lambda: tself.t_for_norm(1.0, 0.0), ValueError, "norm must be above 0 and below 1"),
        (lambda: tself.t_for_norm(1.0, 1.0), ValueError, "norm must be above 0 and below 1"),
        (lambda: tself.t_for_norm([1.0, 2.0], [0.5] * 3), ValueError, "shapes"),
        (lambda: tself.encoding_capacity(-1.0), ValueError, "k must be finite and not negative"),
        (lambda: tself.encoding_capacity(math.inf), ValueError, "k must be finite"),
        (lambda: tself.encoding_capacity(1.0, t=math.nan), ValueError, "t must be finite"),
        (lambda: tself.t_for_capacity(0.0, 1.0), ValueError, "k must be finite and positive"),
        (lambda: tself.t_for_capacity(1.0, 0.0), ValueError, "g must be finite and positive"),
        (lambda: tself.triangle_bound_t(-1.0, 1.0), ValueError, "d_xy"),
        (lambda: tself.triangle_bound_t(1.0, math.nan), ValueError, "d_yz .* NaN"),
        (lambda: tself.triangle_bound_t(1.0, 1.0, t=math.inf), ValueError, "t must be finite"),
        (lambda: tself.triangle_bound_t(1.0, 1.0, t="cold"), TypeError, "t must"),
    ],
)
def test_bad_input_is_refused_with_what_and_how(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_log_t_is_where_the_capacity_comes_from():
    assert tself.encoding_capacity(2.0, t=0.3) == pytest.approx(float(log_t(199.0, t=0.3)))
