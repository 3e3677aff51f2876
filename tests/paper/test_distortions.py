"""Section 4 of the paper and its appendix on statistical information, statement by statement.

A test is named by the LaTeX label of what it shows, with - and : turned into _; the statements
that have no label have names of ours, listed in docs/paper.md.
"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose

from horotree.geometry import hyperbolicity, lorentz, poincare, polar, tself
from horotree.tempered import (
    add_t,
    data_processing_gap,
    exp_t,
    hellinger,
    jensen_shannon,
    joint_convexity_gap,
    joint_convexity_temperatures,
    kl,
    lift,
    log_t,
    minimizer_t,
    squared_euclidean,
    t_self,
    tempered_relative_entropy,
    to_cosimplex,
    total_variation,
    tsallis,
)
from tests.strategies import temperatures

TEMPERATURES = [-1.0, 0.0, 0.5, 1.0, 1.5, 3.0]
each_temperature = pytest.mark.parametrize("t", TEMPERATURES)
radii, angles = st.floats(0.0, 4.0), st.floats(-math.pi, math.pi)
polar_points = st.tuples(radii, angles)
log_10 = math.log(10.0)


def probabilities(n):
    """Probability vectors of n entries, none of them 0."""
    entries = hnp.arrays(float, n, elements=st.floats(0.05, 1.0))
    return entries.map(lambda w: w / w.sum())


def disk_distance(p, q):
    return float(polar.distance(*p, *q))


@given(p=polar_points, q=polar_points, t=temperatures)
def test_def_t_self(p, q, t):
    x, y = poincare.from_polar(*p), poincare.from_polar(*q)
    got = t_self(poincare.distance, t=t)(x, y)
    assert_allclose(got, lift(poincare.distance(x, y), t=t), rtol=1e-14)


@given(ends=st.tuples(polar_points, polar_points), t=temperatures, seed=st.integers(0, 1000))
def test_lem_geodesic_invariance(ends, t, seed):
    """The order of lengths, and so the shortest curve, is the same at all temperatures."""
    x, y = (poincare.from_polar(*end) for end in ends)
    shortest = poincare.distance(x, y)
    rng = np.random.default_rng(seed)
    lengths = [shortest]
    for _ in range(3):
        detour = [x, *(poincare.from_polar(rng.uniform(0, 4), rng.uniform(0, 7)) for _ in "ab"), y]
        lengths.append(sum(poincare.distance(u, v) for u, v in itertools.pairwise(detour)))
    tempered = lift(np.array(lengths), t=t)
    assume(np.isfinite(tempered).all())
    rounding = 1e-15 * tempered.max()
    assert tempered[0] <= tempered.min() + rounding
    order = np.argsort(lengths, kind="stable")
    assert np.all(np.diff(tempered[order]) >= -rounding)


def side_points(p, q, n=300):
    """Return a fine grid on the geodesic from p to q."""
    steps = np.linspace(0, 1, n)[:, None] * poincare.log_map(p, q)
    return poincare.exp_map(np.broadcast_to(p, steps.shape), steps)


def test_def_hyperbolicity():
    """Some point is as close to all three sides as promised, and no point is closer."""
    rng = np.random.default_rng(3)
    corners = [poincare.from_polar(r, a) for r, a in ((2.0, 0.3), (1.5, 2.0), (2.5, -1.7))]
    sides = list(itertools.combinations(corners, 2))
    tau = float(hyperbolicity.triangle_hyperbolicity(*(poincare.distance(*s) for s in sides)))
    centers = poincare.from_polar(rng.uniform(0, 1.5, 1000), rng.uniform(0, 7, 1000))
    farthest = np.max(
        [poincare.distance(centers[:, None], side_points(*side)).min(axis=1) for side in sides],
        axis=0,
    )
    assert tau - 1e-4 < farthest.min() < tau + 0.05


@given(sides=st.tuples(st.floats(0.1, 60), st.floats(0.1, 60), st.floats(0, 1)))
def test_def_hyperbolicity__of_the_disk(sides):
    a, b, share = sides
    c = abs(a - b) + share * (a + b - abs(a - b))
    tau = hyperbolicity.triangle_hyperbolicity(a, b, c)
    assert 0 <= tau <= math.log(3) / 2
    assert_allclose(hyperbolicity.triangle_hyperbolicity(400.0, 400.0, 400.0), math.log(3) / 2)


@given(tau=st.floats(0.05, 20.0), d=st.floats(0, 1e6))
def test_lem_create_hyperbolicity(tau, d):
    """At t = 1 + 1/tau no distance at all exceeds tau."""
    t = float(hyperbolicity.t_for_hyperbolicity(tau))
    assert_allclose(t, 1 + 1 / tau)
    assert lift(d, t=t) <= tau * (1 + 1e-14)
    assert_allclose(lift(1e9, t=t), tau)  # and tau is the least bound


@given(tau=st.floats(0.0, 3.0), d=st.floats(0.0, 3.0), t=temperatures)
def test_lem_lift_hyperbolicity(tau, d, t):
    """The lift is increasing: being within tau of a side becomes being within lift(tau)."""
    assert (d <= tau) or (lift(d, t=t) >= lift(tau, t=t))
    assert (d > tau) or (lift(d, t=t) <= lift(tau, t=t))
    tempered = hyperbolicity.triangle_hyperbolicity(3.0, 4.0, 5.0, t=t)
    classical = hyperbolicity.triangle_hyperbolicity(3.0, 4.0, 5.0)
    assert_allclose(tempered, lift(classical, t=t), rtol=1e-13)


def hyperboloid_points(rng, n, curvature):
    space = rng.normal(size=(n, 2)) * 10 ** rng.uniform(-1, 1, (n, 1))
    time = np.sqrt(1 / curvature + (space**2).sum(axis=1, keepdims=True))
    return np.concatenate([time, space], axis=1)


@pytest.mark.parametrize("delta", [0.1, 1.0, 5.0])
def test_lem_d_l_metric(delta):
    t, curvature = lorentz.near_metric(delta)
    assert (t, curvature) == (1 + 1 / delta, 2 / delta)
    x, y, z = np.split(hyperboloid_points(np.random.default_rng(1), 600, curvature), 3)

    def d(u, v):
        return lorentz.distortion(u, v, curvature=curvature, t=t)

    assert_allclose(d(x, x), 0, atol=1e-12)  # (R)
    assert_allclose(d(x, y), d(y, x), rtol=1e-12)  # (S)
    assert np.all(d(x, y) > 0)  # (I): random points differ
    assert np.all(d(x, z) <= d(x, y) + d(y, z) + delta)  # deltaT
    classical = lorentz.distortion(x, y, curvature=curvature)
    assert_allclose(classical, -2 / curvature - 2 * lorentz.inner(x, y), rtol=1e-9, atol=1e-9)
    # eq-sc1, the sufficient condition of the proof
    left = np.exp(2 * (t - 1) * lorentz.inner(y, z))
    assert np.all(left <= (t - 1) * delta * math.exp(-2 * (t - 1) / curvature) * (1 + 1e-12))


def test_lem_d_l_metric__the_classical_distortion_is_no_metric():
    x, y, z = (np.array([math.cosh(r), math.sinh(r), 0.0]) for r in (-2.0, 0.0, 2.0))
    assert lorentz.distortion(x, z) > 4 * (lorentz.distortion(x, y) + lorentz.distortion(y, z))


def test_def_close_enc():
    """In float64, 1 - 10^-k stays below 1 for k up to 16 (rounded), and no further."""
    assert 1 - 1e-15 < 1
    assert 1 - 1.2e-16 < 1
    assert 1 - 1e-17 == 1
    assert_allclose(poincare.distance_of_norm(1 - 2.0**-53), 54 * math.log(2), rtol=1e-12)
    assert 37 < poincare.distance_of_norm(1 - 2.0**-53) < 38


@given(k=st.floats(0.5, 15.0))
def test_cont_d_poinc(k):
    distance = float(tself.encoding_capacity(k))
    assert_allclose(distance, math.log(2 * 10**k - 1), rtol=1e-12)
    assert distance <= math.log(2) + k * log_10
    assert math.log(2) + k * log_10 - distance < 10**-k + 1e-13


capacities = {
    "square root": math.sqrt,
    "affine": lambda k: 3 * k + 1,
    "exponential": lambda k: 2**k,
}


@pytest.mark.parametrize("g", capacities.values(), ids=capacities)
@pytest.mark.parametrize("k", [1.0, 4.0, 16.0, 53.0])
def test_lem_t_self_poincare(g, k):
    """The t of the lemma gives room for g(k), at the hyperbolic constant it says."""
    t = float(tself.t_for_capacity(k, g(k)))
    f = 1 - t
    assert 1 + f * g(k) > 0
    if f:
        assert_allclose(math.log1p(f * g(k)) / f, log_10 * k, rtol=1e-9)  # eq-cond-f-g-dist
    room = float(tself.encoding_capacity(k, t=t))
    assert room >= g(k) * (1 - 1e-12)  # cont-d-poinc-t
    assert_allclose(room, log_t(2 * 10**k - 1, t=t), rtol=1e-9)
    assert log_10 * k <= math.log(2 * 10**k - 1)  # eq-logfk
    tau = hyperbolicity.DISK_HYPERBOLICITY
    tempered = math.expm1(f * tau) / f if f else tau
    assert_allclose(lift(tau, t=t), tempered, rtol=1e-9)  # eq-cond-f-g-tau


def test_lem_t_self_poincare__from_hyperbolic_to_euclidean():
    """With f -> 0 it is the Poincaré disk; f = 1 encodes as far as the Euclidean plane does."""
    assert_allclose(
        tself.encoding_capacity(16, t=1 - 1e-12), tself.encoding_capacity(16), rtol=1e-9
    )
    assert_allclose(tself.encoding_capacity(16, t=0.0), 2e16, rtol=1e-12)
    assert lift(hyperbolicity.DISK_HYPERBOLICITY, t=0.0) == pytest.approx(math.sqrt(3) - 1)


@given(p=polar_points, q=polar_points, r=polar_points, t=temperatures)
def test_lem_t_self_poincare__triangle(p, q, r, t):
    d_pr, d_pq, d_qr = (float(lift(disk_distance(u, v), t=t)) for u, v in ((p, r), (p, q), (q, r)))
    bound = float(tself.triangle_bound_t(d_pq, d_qr, t=t))
    assert_allclose(bound, d_pq + d_qr + max(0.0, 1 - t) * d_pq * d_qr, rtol=1e-13)
    assert d_pr <= bound * (1 + 1e-11) + 1e-300


@given(r=st.floats(0.0, 0.999999), t=temperatures)
def test_hypdistPD(r, t):
    classical = float(poincare.distance_of_norm(r))
    assert_allclose(classical, math.log1p(r) - math.log1p(-r), rtol=1e-13)
    tempered = log_t((1 + r) / (1 - r), t=t)
    assert_allclose(lift(classical, t=t), tempered, rtol=1e-9, atol=1e-14)
    assert_allclose(tself.distance_t(r, t=t), tempered, rtol=1e-9, atol=1e-14)


@given(r=st.floats(0.0, 0.999999), t=st.floats(-3.0, 1.0))
def test_eqIDDDT(r, t):
    """The map to the t-self keeps what a distance means: d^(t)(z^(t), 0) = d(z, 0)."""
    distance = float(poincare.distance_of_norm(r))
    drawn = float(tself.norm_t(distance, t=t))
    assert 0 <= drawn <= r * (1 + 1e-12)
    assert_allclose(tself.distance_t(drawn, t=t), distance, rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("t", [0.0, 0.3, 0.6, 0.9])
def test_defembedpt(t):
    """The border moves in (ii); next to the center next to nothing changes (iii)."""
    exp = exp_t(20.0, t=t)
    assert_allclose(tself.norm_t(20.0, t=t), (exp - 1) / (exp + 1), rtol=1e-13)
    assert tself.norm_t(20.0, t=t) < 0.99997 < tself.norm_t(20.0)
    for r in (1e-2, 1e-3):
        moved = float(tself.norm_t(poincare.distance_of_norm(r), t=t))
        assert abs(moved / r - 1) < 1.1 * r


def test_tab_isolines_t_self__equidistant_at_t_1():
    norms = poincare.norm_of_distance(np.log(np.array([0.6, 0.7, 0.8, 0.9]) / [0.4, 0.3, 0.2, 0.1]))
    assert_allclose(norms, [0.2, 0.4, 0.6, 0.8], rtol=1e-14)


f_divergences = pytest.mark.parametrize("f", [kl, total_variation, hellinger, jensen_shannon])


@f_divergences
@given(p=probabilities(4), q=probabilities(4), t=temperatures, seed=st.integers(0, 1000))
def test_lem_inf_prop__D(f, p, q, t, seed):
    channel = np.random.default_rng(seed).dirichlet(np.ones(3), size=4)
    gap = data_processing_gap(f, p, q, channel)
    gap_t = data_processing_gap(t_self(f, t=t), p, q, channel)
    assert gap >= -1e-15
    assert gap_t >= -1e-15
    assert (gap > 1e-9) <= (gap_t > 0)


@pytest.mark.parametrize("t", [0.0, 0.5, 1.0, 1.5])
def test_lem_inf_prop__P(t):
    """The population minimizer of a Bregman divergence is the mean, whatever the temperature."""
    points = np.random.default_rng(0).normal(size=(6, 2))
    found = np.asarray(minimizer_t(squared_euclidean, points, t=t).point)
    assert_allclose(found, points.mean(axis=0), atol=1e-5)

    def tempered_total(mu):  # eq-popmint
        total = 0.0
        for x in points:
            total = float(add_t(total, lift(squared_euclidean(x, mu), t=t), t=t))
        return total

    least = tempered_total(found)
    assert all(tempered_total(found + shift) > least for shift in 0.05 * np.eye(2))


@f_divergences
@given(
    x=st.tuples(probabilities(3), probabilities(3)),
    y=st.tuples(probabilities(3), probabilities(3)),
    weight=st.floats(0, 1),
    t=temperatures,
)
def test_lem_inf_prop__J(f, x, y, weight, t):
    """Joint convexity (eq-jointc) becomes (t, t', t'')-joint convexity (eq-jointc2)."""
    assert joint_convexity_gap(f, *x, *y, weight) >= -1e-14
    assert joint_convexity_gap(f, *x, *y, weight, t=t) >= -1e-14
    t_1, t_2 = joint_convexity_temperatures(weight, t=t)
    assert_allclose(t_1, min(t, 1 - weight + weight * t), atol=1e-15)
    assert_allclose(t_2, min(t, weight + (1 - weight) * t), atol=1e-15)
    if t <= 1:
        assert_allclose([t_1, t_2], t, atol=1e-15)
    mixed = (weight * x[0] + (1 - weight) * x[1], weight * y[0] + (1 - weight) * y[1])
    left = lift(f(*mixed), t=t)
    right = weight * lift(f(x[0], y[0]), t=t_1) + (1 - weight) * lift(f(x[1], y[1]), t=t_2)
    assert left <= right + 1e-14
    # (C): the same with one side held fixed
    assert joint_convexity_gap(f, *x, y[0], y[0], weight, t=t) >= -1e-14


@given(a=st.floats(0, 5), b=st.floats(0, 5), weight=st.floats(0, 1), t=st.floats(1.0, 4.0))
def test_eq_tlarger(a, b, weight, t):
    """For t >= 1, ⊕ is below +, and lift_t(λ z) = λ lift_{1-λ+λt}(z)."""
    left, right = lift(weight * a, t=t), lift((1 - weight) * b, t=t)
    assert_allclose(lift(weight * a + (1 - weight) * b, t=t), add_t(left, right, t=t), rtol=1e-9)
    assert add_t(left, right, t=t) <= left + right + 1e-15
    assert_allclose(left, weight * lift(a, t=1 - weight + weight * t), rtol=1e-10, atol=1e-300)


@given(a=st.floats(0, 5), b=st.floats(0, 5), weight=st.floats(0, 1), t=st.floats(-3.0, 1.0))
def test_eq_tsmaller(a, b, weight, t):
    """For t <= 1 the lift is convex."""
    chord = weight * lift(a, t=t) + (1 - weight) * lift(b, t=t)
    assert lift(weight * a + (1 - weight) * b, t=t) <= chord * (1 + 1e-12) + 1e-300


@given(
    p=st.tuples(probabilities(3), probabilities(2)),
    q=st.tuples(probabilities(3), probabilities(2)),
    t=st.floats(-1.0, 1.99),
)
def test_sec_t_al_t_add__divergences(p, q, t):
    """On products: KL adds, Tsallis' divergence t-adds."""
    both_p, both_q = (np.outer(*pair).ravel() for pair in (p, q))
    assert_allclose(kl(both_p, both_q), kl(p[0], q[0]) + kl(p[1], q[1]), rtol=1e-8, atol=1e-13)
    parts = [tsallis(p[i], q[i], t=t) for i in (0, 1)]
    assert_allclose(tsallis(both_p, both_q, t=t), add_t(*parts, t=t), rtol=1e-8, atol=1e-13)
    if abs(1 - t) > 1e-3:
        literal = (np.sum(p[0] * (p[0] / q[0]) ** (1 - t)) - 1) / (1 - t)
        assert_allclose(parts[0], literal, rtol=1e-8, atol=1e-11)
    assert_allclose(tsallis(p[0], q[0], t=1.0), kl(p[0], q[0]), rtol=1e-8, atol=1e-13)


@given(p=probabilities(4), q=probabilities(4), t=st.floats(-2.0, 1.9))
def test_sec_t_al_t_add__tempered_relative_entropy(p, q, t):
    """On the co-simplex it is the Bregman divergence of z log_t z - log_{t-1} z."""
    u, v = to_cosimplex(p, t=t), to_cosimplex(q, t=t)
    assert_allclose(np.sum(u ** (2 - t)), 1.0, rtol=1e-12)
    value = tempered_relative_entropy(u, v, t=t)
    if abs(1 - t) > 1e-3:
        assert_allclose(value, (1 - np.sum(u * v ** (1 - t))) / (1 - t), rtol=1e-7, atol=1e-11)

    def generator(z):
        return z * log_t(z, t=t) - log_t(z, t=t - 1)

    bregman = np.sum(generator(u) - generator(v) - log_t(v, t=t) * (u - v))
    assert_allclose(value, bregman, rtol=1e-7, atol=1e-11)
