import dataclasses
import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from horotree.geometry import lorentz, poincare, polar
from tests.geometry.samples import angles, disk_points, radii, random_ball_points
from tests.reference import geometry as reference

LIMIT = 1e-14


def vector_error(got, expected):
    """Return the length of the difference, relative to the length expected."""
    apart = [mp.mpf(float(g)) - e for g, e in zip(got, expected, strict=True)]
    size = reference.norm(expected)
    return reference.norm(apart) / size if size else reference.norm(apart)


# --- norms and distances -------------------------------------------------------------------------


def test_norm_of_distance_and_distance_of_norm_are_accurate():
    distances = np.concatenate([10.0 ** np.linspace(-12, 0, 30), np.linspace(1, 40, 60)])
    norms = poincare.norm_of_distance(distances)
    for distance, norm in zip(distances.tolist(), norms.tolist(), strict=True):
        assert reference.relative_error(norm, mp.tanh(mp.mpf(distance) / 2)) <= 4e-16
        if norm < 1.0:
            back = poincare.distance_of_norm(norm)
            assert reference.relative_error(back, 2 * mp.atanh(mp.mpf(norm))) <= 8e-16


def test_norm_of_distance_rounds_to_1_at_38():
    assert poincare.norm_of_distance(37.5) < 1.0
    assert poincare.norm_of_distance(38.2) == 1.0


@pytest.mark.parametrize("dimension", [1, 2, 3, 7])
def test_distance_is_accurate_up_to_the_border(dimension):
    x = random_ball_points(60, dimension, seed=1)
    y = random_ball_points(60, dimension, seed=2)
    y[:20] = x[:20] * (1.0 - 10.0 ** -np.linspace(1, 12, 20))[:, None]
    y[20:30] = -x[20:30]
    for got, one, two in zip(poincare.distance(x, y), x, y, strict=True):
        assert reference.relative_error(got, reference.ball_distance(one, two)) <= LIMIT


@given(disk_points(), disk_points(), disk_points())
def test_distance_is_a_metric(x, y, z):
    assert poincare.distance(x, y) == poincare.distance(y, x)
    assert poincare.distance(x, x) == 0.0
    through = poincare.distance(x, y) + poincare.distance(y, z)
    assert poincare.distance(x, z) <= through * (1 + 1e-15)


@given(radii, angles, radii, angles)
def test_distance_agrees_with_polar(a, alpha, b, beta):
    x, y = poincare.from_polar(a, alpha), poincare.from_polar(b, beta)
    expected = polar.distance(a, alpha, b, beta)
    assert poincare.distance(x, y) == pytest.approx(expected, rel=1e-13, abs=1e-13)


# --- Möbius sums, exponential and logarithm ------------------------------------------------------


@pytest.mark.parametrize("dimension", [1, 2, 3, 7])
def test_mobius_add_is_accurate_up_to_the_border(dimension):
    x = 0.999999 * random_ball_points(60, dimension, seed=3)
    y = 0.999999 * random_ball_points(60, dimension, seed=4)
    y[:20] = -x[:20] * (1.0 - 10.0 ** -np.linspace(1, 12, 20))[:, None]
    for got, one, two in zip(poincare.mobius_add(x, y), x, y, strict=True):
        expected = reference.mobius_add(reference.vector(one), reference.vector(two))
        assert vector_error(got, expected) <= LIMIT


@given(disk_points(), disk_points(), disk_points())
def test_mobius_add_is_a_translation(x, y, z):
    assert poincare.mobius_add(x, np.zeros(2)) == pytest.approx(x, abs=4e-16)
    assert poincare.mobius_add(x, -x) == pytest.approx([0.0, 0.0], abs=0.0)
    before = poincare.distance(y, z)
    after = poincare.distance(poincare.mobius_add(x, y), poincare.mobius_add(x, z))
    assert after == pytest.approx(before, rel=1e-11, abs=1e-11)


@given(radii, angles, radii, angles)
def test_mobius_add_agrees_with_the_translation_of_polar(a, alpha, r, rho):
    x, y = poincare.from_polar(r, rho), poincare.from_polar(a, alpha)
    moved = poincare.from_polar(*polar.translate(a, alpha, r, rho))
    assert poincare.mobius_add(x, y) == pytest.approx(moved, abs=1e-13)


def test_exp_and_log_are_accurate():
    x, y = random_ball_points(60, 3, seed=5), random_ball_points(60, 3, seed=6)
    x *= 0.99999
    tangents = poincare.log_map(x, y)
    for one, two, got in zip(x, y, tangents, strict=True):
        expected = reference.log_map(reference.vector(one), reference.vector(two))
        assert vector_error(got, expected) <= LIMIT
    short = 0.3 * tangents
    for one, v, got in zip(x, short, poincare.exp_map(x, short), strict=True):
        expected = reference.exp_map(reference.vector(one), reference.vector(v))
        # where the walk ends depends on the start by up to the exponential of its length
        allowed = LIMIT * math.exp(2.0 * float(np.linalg.norm(v)) / (1.0 - float(one @ one)))
        assert vector_error(got, expected) <= allowed


@given(disk_points(), disk_points())
def test_exp_undoes_log_and_the_length_is_the_distance(x, y):
    tangent = poincare.log_map(x, y)
    length = 2.0 / (1.0 - x @ x) * np.linalg.norm(tangent)
    assert length == pytest.approx(poincare.distance(x, y), rel=1e-12)
    assert poincare.exp_map(x, tangent) == pytest.approx(y, abs=1e-12)


def test_exp_walks_through_the_disk_and_out_again():
    start = poincare.from_polar(20.0, 0.0)
    end = poincare.exp_map(start, [-22.5 * (1.0 - start[0]), 0.0])
    assert end[0] < -0.4
    still = poincare.exp_map([0.3, 0.1], [0.0, 0.0])
    assert still == pytest.approx([0.3, 0.1], rel=4e-16)


def test_log_of_the_same_point_is_zero():
    assert poincare.log_map([0.3, 0.1], [0.3, 0.1]).tolist() == [0.0, 0.0]


# --- geodesic arcs -------------------------------------------------------------------------------


def on_arc(arc, share):
    angle = arc.start_angle + share * (arc.end_angle - arc.start_angle)
    return np.array(arc.center) + arc.radius * np.array([math.cos(angle), math.sin(angle)])


@given(disk_points(8.0), disk_points(8.0), st.floats(0.01, 0.99))
def test_geodesic_arc_goes_from_x_to_y_at_right_angles_to_the_border(x, y, share):
    arc = poincare.geodesic_arc(x, y)
    assume(not arc.is_straight)
    rounding = 1e-15 * (1.0 + arc.radius)
    assert on_arc(arc, 0.0) == pytest.approx(x, abs=8 * rounding)
    assert on_arc(arc, 1.0) == pytest.approx(y, abs=8 * rounding)
    assert abs(arc.end_angle - arc.start_angle) < math.pi
    assert math.hypot(*arc.center) == pytest.approx(math.hypot(1.0, arc.radius), rel=1e-9)
    between = on_arc(arc, share)
    through = poincare.distance(x, between) + poincare.distance(between, y)
    blur = 100 * rounding * math.exp(8.0)
    assert through == pytest.approx(poincare.distance(x, y), rel=1e-9, abs=blur)


def test_geodesic_arc_turns_the_short_way_round():
    clockwise = poincare.geodesic_arc([0.5, 0.0], [0.0, 0.5])
    assert clockwise.end_angle < clockwise.start_angle
    counterclockwise = poincare.geodesic_arc([0.0, 0.5], [0.5, 0.0])
    assert counterclockwise.end_angle > counterclockwise.start_angle
    assert counterclockwise.center == pytest.approx(clockwise.center)
    assert (clockwise.start, clockwise.end) == ((0.5, 0.0), (0.0, 0.5))


def test_geodesic_arc_is_straight_through_the_origin_and_within_the_tolerance():
    for y in ([-0.3, 0.0], [0.9, 0.0], [0.0, 0.0], [0.5, 0.0]):
        arc = poincare.geodesic_arc([0.5, 0.0], y)
        assert arc.is_straight
        assert (arc.radius, arc.center, arc.start_angle) == (math.inf, None, None)
    bent = [0.5, 1e-5], [-0.5, 1e-5]  # 2e-6 from its chord
    assert not poincare.geodesic_arc(*bent).is_straight
    assert poincare.geodesic_arc(*bent, tolerance=2.1e-6).is_straight
    assert not poincare.geodesic_arc(*bent, tolerance=1.9e-6).is_straight


def test_geodesic_arc_is_frozen():
    arc = poincare.geodesic_arc([0.5, 0.0], [0.0, 0.5])
    with pytest.raises(dataclasses.FrozenInstanceError):
        arc.radius = 2.0


# --- conversions ---------------------------------------------------------------------------------


@given(st.floats(0.0, 30.0), st.floats(-math.pi, math.pi))
def test_polar_there_and_back_is_as_good_as_coordinates_allow(a, alpha):
    distance, angle = poincare.to_polar(poincare.from_polar(a, alpha))
    assert distance == pytest.approx(a, rel=1e-15, abs=3e-16 * math.exp(a))
    assert a < 1e-300 or angle == pytest.approx(alpha, rel=1e-15, abs=1e-15)


def test_to_polar_is_accurate_up_to_the_border():
    points = random_ball_points(60, 2, seed=7)
    distances, angles = poincare.to_polar(points)
    for x, distance, angle in zip(points, distances, angles, strict=True):
        expected = reference.ball_distance(x, [0.0, 0.0])
        assert reference.relative_error(distance, expected) <= LIMIT
        assert angle == pytest.approx(math.atan2(x[1], x[0]), rel=1e-15)


def test_from_polar_refuses_what_would_round_to_the_border():
    assert poincare.from_polar(36.0, 0.0)[0] < 1.0
    for distance in (39.0, 700.0):
        with pytest.raises(ValueError, match=r"border.*horotree\.geometry\.polar"):
            poincare.from_polar([1.0, distance], 0.7)


@given(disk_points(15.0), disk_points(15.0), st.floats(0.1, 10.0))
def test_lorentz_keeps_distances_up_to_the_curvature(x, y, curvature):
    one, two = (poincare.to_lorentz(z, curvature=curvature) for z in (x, y))
    expected = poincare.distance(x, y) / math.sqrt(curvature)
    got = lorentz.distance(one, two, curvature=curvature)
    assert got == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert poincare.from_lorentz(one, curvature=curvature) == pytest.approx(x, rel=1e-14)


def test_from_lorentz_refuses_what_would_round_to_the_border():
    space = math.sinh(39.0)
    with pytest.raises(ValueError, match="border"):
        poincare.from_lorentz([math.cosh(39.0), 0.6 * space, 0.8 * space])


# --- input ---------------------------------------------------------------------------------------


def test_points_are_refused_exactly_from_norm_1_on():
    below = np.nextafter(1.0, 0.0)
    assert poincare.distance([below], [0.0]) == pytest.approx(37.4, abs=0.1)
    # the norm of this point rounds to 1, but is below it
    x = np.array([0.6, np.nextafter(0.8, 0.0)])
    assert math.isfinite(poincare.distance(x, [0.0, 0.0]))
    for outside in ([0.6, 0.8], [1.0, 0.0], [0.0, -1.0], [0.8, 0.7], [1e200, 0.0]):
        inside_exactly = mp.mpf(outside[0]) ** 2 + mp.mpf(outside[1]) ** 2 < 1
        if not inside_exactly:
            with pytest.raises(ValueError, match="the norm of x must be below 1"):
                poincare.distance(outside, [0.0, 0.0])


def test_points_broadcast():
    x, y = np.zeros((3, 1, 2)), np.full((4, 2), 0.1)
    assert poincare.distance(x, y).shape == (3, 4)
    assert poincare.mobius_add(x, y).shape == (3, 4, 2)
    assert poincare.exp_map(x, y).shape == (3, 4, 2)
    assert poincare.log_map(x, y).shape == (3, 4, 2)
    assert poincare.to_lorentz(x).shape == (3, 1, 3)
    assert poincare.from_lorentz(poincare.to_lorentz(y)).shape == (4, 2)
    assert poincare.from_polar(np.ones((3, 1)), np.ones(4)).shape == (3, 4, 2)
    assert [z.shape for z in poincare.to_polar(x)] == [(3, 1), (3, 1)]
    assert isinstance(poincare.distance(y[0], y[1]), float)


INSIDE = [0.1, 0.2]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: poincare.norm_of_distance(-1.0), ValueError, "distance must be"),
        (lambda: poincare.norm_of_distance(math.inf), ValueError, "distance must be finite"),
        (lambda: poincare.distance_of_norm(1.0), ValueError, r"norm must be in \[0, 1\)"),
        (lambda: poincare.distance_of_norm(-0.1), ValueError, r"norm must be in \[0, 1\)"),
        (lambda: poincare.distance(INSIDE, [1.0, 2.0]), ValueError, "norm of y must be below 1"),
        (lambda: poincare.distance(INSIDE, [0.1, 0.2, 0.3]), ValueError, "got 2 and 3"),
        (lambda: poincare.distance(INSIDE, 0.5), ValueError, r"y must hold vectors .* \(\)"),
        (lambda: poincare.distance(INSIDE, []), ValueError, "y must hold vectors"),
        (lambda: poincare.distance(INSIDE, [math.nan, 0.0]), ValueError, "y must not hold NaN"),
        (lambda: poincare.distance(np.zeros((2, 2)), np.zeros((3, 2))), ValueError, "shapes"),
        (lambda: poincare.distance(["a", "b"], INSIDE), TypeError, "x must hold real numbers"),
        (lambda: poincare.mobius_add([0.0, 1.5], INSIDE), ValueError, "norm of x"),
        (lambda: poincare.mobius_add([1 - 1e-12], [1 - 1e-12]), ValueError, "rounds to the border"),
        (lambda: poincare.exp_map(INSIDE, [math.inf, 0.0]), ValueError, "v must be finite"),
        (lambda: poincare.exp_map(INSIDE, [30.0, 30.0]), ValueError, "rounds to the border"),
        (lambda: poincare.exp_map(INSIDE, [1e308, 1e308]), ValueError, "rounds to the border"),
        (lambda: poincare.log_map(INSIDE, [1.0, 0.0]), ValueError, "norm of y"),
        (lambda: poincare.geodesic_arc(INSIDE, [INSIDE]), ValueError, "y must be one point"),
        (lambda: poincare.geodesic_arc([0.1], [0.2]), ValueError, "x must be one point"),
        (lambda: poincare.geodesic_arc(INSIDE, INSIDE, tolerance=0), ValueError, "tolerance"),
        (lambda: poincare.geodesic_arc(INSIDE, INSIDE, tolerance="a"), TypeError, "tolerance"),
        (lambda: poincare.to_polar([0.1, 0.2, 0.3]), ValueError, "3 coordinates"),
        (lambda: poincare.from_polar(-1.0, 0.0), ValueError, "distance must be"),
        (lambda: poincare.from_polar([1.0, 2.0], [0.0] * 3), ValueError, "shapes"),
        (lambda: poincare.to_lorentz(INSIDE, curvature=0.0), ValueError, "curvature"),
        (lambda: poincare.to_lorentz([2.0, 0.0]), ValueError, "norm of x"),
        (lambda: poincare.from_lorentz([2.0, 0.0]), ValueError, "on the hyperboloid"),
    ],
)
def test_bad_input_is_refused_with_what_and_how(call, error, text):
    with pytest.raises(error, match=text):
        call()
