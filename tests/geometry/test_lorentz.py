import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.geometry import lorentz, poincare
from horotree.tempered import lift
from tests.geometry.samples import disk_points
from tests.reference import geometry as reference

EPS = float(np.finfo(float).eps)


def hyperboloid(space, curvature=1.0):
    space = np.asarray(space, dtype=float)
    return np.concatenate([[math.hypot(1.0 / math.sqrt(curvature), *space)], space])


def random_space(n, dimension, seed):
    rng = np.random.default_rng(seed)
    directions = rng.normal(size=(n, dimension))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    return np.sinh(10.0 ** rng.uniform(-5.0, 1.5, n))[:, None] * directions


def near_and_far_pairs(dimension, curvature):
    one, two = random_space(60, dimension, seed=1), random_space(60, dimension, seed=2)
    two[:15] = one[:15] * (1.0 + 10.0 ** -np.linspace(1, 12, 15))[:, None]  # on one ray
    step = 10.0 ** -np.linspace(1, 12, 15)[:, None]
    two[15:30] = one[15:30] + step * np.roll(one[15:30], 1, axis=1) * [-1.0] * dimension
    two[30:35] = -one[30:35]
    two[35:38] = 0.0
    return one / math.sqrt(curvature), two / math.sqrt(curvature)


def test_inner_is_minus_time_plus_space():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(5, 4)), rng.normal(size=(5, 4))
    signature = np.diag([-1.0, 1.0, 1.0, 1.0])
    expected = np.einsum("ni,ij,nj->n", x, signature, y)
    np.testing.assert_allclose(lorentz.inner(x, y), expected, rtol=1e-13)


@pytest.mark.parametrize("dimension", [1, 2, 5])
@pytest.mark.parametrize("curvature", [1.0, 0.3, 40.0])
def test_distance_and_distortion_are_as_accurate_as_the_coordinates(dimension, curvature):
    c = mp.mpf(curvature)
    for one, two in zip(*near_and_far_pairs(dimension, curvature), strict=True):
        x, y = hyperboloid(one, curvature), hyperboloid(two, curvature)
        with mp.workdps(120):
            u, v = reference.vector(one), reference.vector(two)
            inner = reference.lorentz_inner(u, v, curvature)
            distortion = -2 / c - 2 * inner
            half = mp.sqrt(c * distortion) / 2  # sinh of half the distance
            # one ulp of the coordinates' difference
            apart = reference.norm([a - b for a, b in zip(u, v, strict=True)])
            allowed = 8 * EPS * (half + mp.sqrt(c) * apart)
            got = lorentz.distance(x, y, curvature=curvature)
            expected = mp.acosh(-c * inner) / mp.sqrt(c)
            assert abs(mp.sinh(mp.sqrt(c) * mp.mpf(float(got)) / 2) - half) <= (
                allowed + 8 * EPS * half * expected * mp.sqrt(c)
            )
            got = lorentz.distortion(x, y, curvature=curvature)
            assert abs(mp.sqrt(c * mp.mpf(float(got))) / 2 - half) <= allowed


def test_distance_of_near_points_survives_where_the_inner_product_does_not():
    x, y = hyperboloid([3.0, 4.0]), hyperboloid([3.0, 4.0 + 1e-9])
    assert lorentz.distance(x, y) == pytest.approx(6.2e-10, rel=0.1)
    assert abs(-2.0 - 2.0 * lorentz.inner(x, y)) < 1e-13  # 3.8e-19 is lost in its rounding
    assert lorentz.distance(x, x) == 0.0


def test_distance_of_far_points_does_not_overflow():
    far = hyperboloid([1e200, 0.0]), hyperboloid([-1e200, 0.0])
    assert lorentz.distance(*far) == pytest.approx(4 * math.log(10) * 100 + 2 * math.log(2))
    assert lorentz.distortion(*far) == math.inf
    assert lorentz.distortion(*far, t=1.5) == pytest.approx(2.0)


@given(disk_points(6.0), disk_points(6.0), st.floats(0.1, 10.0))
def test_distortion_is_four_over_c_sinh_squared(x, y, c):
    one, two = poincare.to_lorentz(x, curvature=c), poincare.to_lorentz(y, curvature=c)
    d = lorentz.distance(one, two, curvature=c)
    expected = 4.0 / c * math.sinh(math.sqrt(c) * d / 2.0) ** 2
    assert lorentz.distortion(one, two, curvature=c) == pytest.approx(expected, rel=1e-13)


@given(disk_points(6.0), disk_points(6.0), st.floats(-0.5, 3.0))
def test_distortion_at_t_is_the_lift(x, y, t):
    one, two = poincare.to_lorentz(x), poincare.to_lorentz(y)
    classical = lorentz.distortion(one, two)
    if (1.0 - t) * classical < 700.0:
        expected = pytest.approx(float(lift(classical, t=t)), rel=1e-15)
        assert lorentz.distortion(one, two, t=t) == expected


def test_distortion_breaks_the_triangle_inequality():
    x, y, z = (hyperboloid([math.sinh(s)]) for s in (0.0, 1.0, 2.0))
    assert lorentz.distortion(x, z) > lorentz.distortion(x, y) + lorentz.distortion(y, z)


@given(st.floats(0.05, 20.0), disk_points(6.0), disk_points(6.0), disk_points(6.0))
def test_near_metric_gives_the_triangle_inequality_up_to_delta(delta, x, y, z):
    t, curvature = lorentz.near_metric(delta)
    assert (t, curvature) == (1.0 + 1.0 / delta, 2.0 / delta)
    points = [poincare.to_lorentz(p, curvature=curvature) for p in (x, y, z)]
    xy, yz, xz = (
        lorentz.distortion(points[i], points[j], curvature=curvature, t=t)
        for i, j in ((0, 1), (1, 2), (0, 2))
    )
    assert xz <= (xy + yz + delta) * (1 + 1e-14)
    assert xz <= delta * (1 + 1e-14)


def test_points_broadcast_and_rounded_ones_are_on_the_hyperboloid():
    x = np.stack([hyperboloid([a, 0.5]) for a in (0.0, 1.0, 1e6)])
    assert lorentz.distance(x[:, None], x).shape == (3, 3)
    assert lorentz.distortion(x[:, None], x, t=2.0).shape == (3, 3)
    assert lorentz.inner(x[:, None], x).shape == (3, 3)
    assert isinstance(lorentz.distance(x[0], x[1]), float)
    rounded = x * (1.0 + 1e-12 * np.array([1.0, 0.0, 0.0]))
    np.testing.assert_allclose(lorentz.distance(rounded, x), 0.0, atol=1e-15)


ON = [1.0, 0.0]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: lorentz.inner([1.0, 2.0], [1.0]), ValueError, "got 2 and 1"),
        (lambda: lorentz.inner([1.0, math.nan], ON), ValueError, "x must not hold NaN"),
        (lambda: lorentz.distance([1.1, 0.0], ON), ValueError, "x0 of x must be on the hyperb"),
        (lambda: lorentz.distance(ON, [-1.0, 0.0]), ValueError, "x0 of y must be on the hyperb"),
        (lambda: lorentz.distance(ON, ON, curvature=2.0), ValueError, "curvature c that goes"),
        (lambda: lorentz.distance(ON, ON, curvature=-1.0), ValueError, "curvature .* positive"),
        (lambda: lorentz.distance(ON, ON, curvature=math.nan), ValueError, "curvature .* finite"),
        (lambda: lorentz.distance(ON, ON, curvature="1"), TypeError, "curvature .* real"),
        (lambda: lorentz.distance([1.0], [1.0]), ValueError, "at least one space coordinate"),
        (lambda: lorentz.distance(2.0, ON), ValueError, "x must hold vectors"),
        (lambda: lorentz.distance(ON, [1.0, 0.0, 0.0]), ValueError, "equally many"),
        (lambda: lorentz.distortion(ON, [2.0, 0.0]), ValueError, "on the hyperboloid"),
        (lambda: lorentz.distortion(ON, ON, t=math.nan), ValueError, "t must be finite"),
        (lambda: lorentz.distortion(ON, ON, t="cold"), TypeError, "t must be a real number"),
        (lambda: lorentz.near_metric(0.0), ValueError, "delta .* positive"),
        (lambda: lorentz.near_metric(math.inf), ValueError, "delta must be finite"),
    ],
)
def test_bad_input_is_refused_with_what_and_how(call, error, text):
    with pytest.raises(error, match=text):
        call()
