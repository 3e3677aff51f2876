import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree import _native
from horotree.geometry import polar
from tests.geometry.samples import angles, radii, random_offsets, random_pairs, random_radii
from tests.reference import geometry as reference

LIMIT = 1e-14
EPS = float(np.finfo(float).eps)


def angle_error(got, expected):
    """Return the relative error modulo 2π: π and -π are one direction."""
    return abs(2 * mp.sin((mp.mpf(float(got)) - expected) / 2) / expected)


def assert_accurate(got, arguments, oracle, error=reference.relative_error, limit=LIMIT):
    for value, *point in zip(got, *arguments, strict=True):
        expected = oracle(*(float(x) for x in point))
        if abs(expected) > 1e-290:  # below, doubles themselves run out of digits
            assert error(value, expected) <= limit, point
        else:
            assert abs(value) <= 1e-289, point


# --- distance ------------------------------------------------------------------------------------


def test_distance_is_accurate_to_1e_14_for_radii_to_1000_and_angles_down_to_1e_12():
    points = random_pairs(150)
    assert_accurate(polar.distance(*points), points, reference.distance)


def test_native_kernel_agrees_with_its_numpy_twin():
    a, alpha, b, beta = random_pairs(20_000, seed=1)
    far = np.random.default_rng(2).random(a.size) < 0.1
    a, b = np.where(far, 10.0 * a, a), np.where(far, 10.0 * b, b)
    out = np.empty_like(a)
    _native.polar_distances(a, alpha, b, beta, out)
    np.testing.assert_allclose(out, reference.polar_distances(a, alpha, b, beta), rtol=8 * EPS)


def test_native_kernel_refuses_arrays_of_different_lengths():
    three, two = np.zeros(3), np.zeros(2)
    with pytest.raises(ValueError, match="same length"):
        _native.polar_distances(three, three, two, three, np.empty(3))


def test_distance_on_one_ray_and_to_the_origin_is_exact():
    a, alpha, _, _ = random_pairs(1000, seed=3)
    np.testing.assert_array_equal(polar.distance(a, alpha, 0.0, 5.0), a)
    np.testing.assert_array_equal(polar.distance(a, alpha, 0.1, alpha), np.abs(a - 0.1))
    np.testing.assert_array_equal(polar.distance(a, alpha, a, alpha), 0.0)


def test_distance_is_symmetric_to_the_last_bit():
    a, alpha, b, beta = random_pairs(10_000, seed=4)
    np.testing.assert_array_equal(
        polar.distance(a, alpha, b, beta), polar.distance(b, beta, a, alpha)
    )


def test_distance_keeps_its_digits_across_the_cut_of_the_angle():
    point = 30.0, math.pi - 3e-13, 30.0, -math.pi + 5e-13
    expected = reference.distance(*point)
    assert reference.relative_error(polar.distance(*point), expected) < LIMIT


@pytest.mark.parametrize(
    "point",
    [
        (1400.0, 0.0, 1400.0, 1e-300),
        (1400.0, 0.0, 1399.0, 3.0),
        (709.0, 0.0, 709.0, 1e-300),
        (1300.0, 0.0, 1e-9, 2.0),
        (1e-150, 0.0, 1e-150, 1e-100),
        (2000.0, 0.0, 2000.0, 1e-12),
        (2000.0, 0.0, 600.0, 1e-12),
    ],
)
def test_distance_keeps_its_digits_beyond_the_range_of_sinh(point):
    with mp.workdps(6000):
        expected = reference.distance(*point)
    assert reference.relative_error(polar.distance(*point), expected) < LIMIT


def test_distance_of_huge_radii_overflows_only_when_it_must():
    assert polar.distance(8e307, 0.0, 8e307, math.pi) == pytest.approx(1.6e308, rel=1e-15)
    assert polar.distance(1e300, 0.0, 1e300, 1e-300) == pytest.approx(2e300, rel=1e-15)


def test_distance_of_confident_leaves_is_their_joint_confidence_only_at_wide_angles():
    wide, narrow = polar.distance(5.0, 0.0, 5.0, np.radians([90.0, 5.0]))
    assert (round(float(wide), 2), round(float(narrow), 2)) == (9.31, 3.78)


@given(radii, angles, radii, angles, radii, angles)
def test_distance_satisfies_the_triangle_inequality(a, alpha, b, beta, c, gamma):
    ab, bc = polar.distance(a, alpha, b, beta), polar.distance(b, beta, c, gamma)
    assert polar.distance(a, alpha, c, gamma) <= (ab + bc) * (1 + 8 * EPS)


@given(radii, angles, radii, angles)
def test_distance_is_at_least_the_difference_of_the_radii(a, alpha, b, beta):
    assert polar.distance(a, alpha, b, beta) >= abs(a - b) * (1 - 8 * EPS)


# --- directions and rays -------------------------------------------------------------------------


def test_direction_is_accurate_to_1e_14():
    a, alpha, b, beta = random_pairs(150, seed=5)
    has_one = (b > 0.0) & (polar.distance(a, alpha, b, beta) > 0.0)
    points = [x[has_one] for x in (a, alpha, b, beta)]
    assert_accurate(polar.direction(*points), points, reference.direction, angle_error)


def test_direction_is_accurate_where_it_is_at_right_angles():
    rng = np.random.default_rng(6)
    a = rng.uniform(0.1, 300.0, 60)
    b = a + 10.0 ** rng.uniform(-3.0, 2.0, 60)
    with mp.workdps(400):
        cosines = [mp.tanh(mp.mpf(x)) / mp.tanh(mp.mpf(y)) for x, y in zip(a, b, strict=True)]
        beta = np.array([float(mp.acos(cosine)) for cosine in cosines])
    points = a, np.zeros(60), b, beta
    got = polar.direction(*points)
    np.testing.assert_allclose(got, math.pi / 2, rtol=1e-6)
    assert_accurate(got, points, reference.direction)


def test_direction_inward_outward_at_the_origin_and_nowhere():
    assert polar.direction(2.0, 0.3, 3.0, 0.3) == 0.0
    assert polar.direction(3.0, 0.3, 2.0, 0.3) == math.pi
    assert polar.direction(3.0, 0.3, 0.0, -2.0) == math.pi
    assert polar.direction(0.0, 0.3, 2.0, 1.0) == pytest.approx(0.7, rel=1e-15)
    assert polar.direction(2.0, 0.3, 2.0, 0.3) == 0.0
    assert polar.direction(0.0, 0.3, 0.0, 1.3) == 0.0
    assert polar.direction(1e6, 0.0, 2e6, 1e-3) == math.pi
    assert polar.direction(1e6, 0.0, 2e6, -1e-3) == -math.pi


def test_ideal_direction_and_offset_are_accurate_to_1e_14():
    rng = np.random.default_rng(7)
    points = random_radii(rng, 200), random_offsets(rng, 200)
    assert_accurate(polar.ideal_direction(*points), points, reference.ideal_direction)
    assert_accurate(polar.ideal_offset(*points), points, reference.ideal_offset)


def test_ideal_direction_does_not_overflow():
    assert polar.ideal_direction(1400.0, [1e-12, -1e-12, 0.0]).tolist() == [math.pi, -math.pi, 0.0]
    assert polar.ideal_direction(1e5, [1e-12, -1e-12, 0.0]).tolist() == [math.pi, -math.pi, 0.0]
    assert polar.ideal_offset(1e5, [3.0, 0.0]).tolist() == [0.0, 0.0]


@given(st.floats(0.0, 30.0), st.floats(-3.1, 3.1))
def test_ideal_direction_undoes_ideal_offset(a, direction):
    offset = polar.ideal_offset(a, direction)
    assert polar.ideal_direction(a, offset) == pytest.approx(direction, rel=1e-14)


@given(radii, angles, st.floats(-3.1, 3.1))
def test_direction_to_a_far_point_tends_to_the_ideal_one(a, alpha, offset):
    got = polar.direction(a, alpha, 60.0, alpha + offset)
    assert got == pytest.approx(polar.ideal_direction(a, offset), rel=1e-13, abs=1e-12)


def test_ray_offset_is_accurate_to_1e_14():
    a, _, b, _ = random_pairs(150, seed=8)
    direction = random_offsets(np.random.default_rng(9), 150)
    points = np.minimum(a, b), direction, np.maximum(a, b)
    assert_accurate(polar.ray_offset(*points), points, reference.ray_offset)


def test_ray_offset_starts_at_0_and_is_the_direction_at_the_origin():
    assert polar.ray_offset(2.0, 1.5, 2.0) == 0.0
    assert polar.ray_offset(0.0, 2.5, [0.0, 1e-9, 800.0]).tolist() == [2.5, 2.5, 2.5]
    assert polar.ray_offset(2.0, 0.0, 3.0) == 0.0


@given(st.floats(0.01, 6.0), st.floats(-3.1, 3.1), st.floats(0.01, 6.0))
def test_ray_offset_meets_the_ray(b, direction, further):
    offset = polar.ray_offset(b, direction, b + further)
    seen = polar.direction(b, 0.0, b + further, offset)
    assert seen == pytest.approx(direction, rel=1e-12, abs=1e-15)


# --- orientation ---------------------------------------------------------------------------------


def test_orientation_is_accurate_to_1e_14_of_its_terms():
    a, alpha, b, beta = random_pairs(150, seed=10)
    rng = np.random.default_rng(11)
    c, gamma = random_radii(rng, 150), beta + random_offsets(rng, 150)
    got = polar.orientation(a, alpha, b, beta, c, gamma)
    for value, *point in zip(got, a, alpha, b, beta, c, gamma, strict=True):
        x = [float(z) for z in point]
        expected, scale = reference.orientation([(x[0], x[1]), (x[2], x[3]), (x[4], x[5])])
        assert abs(mp.mpf(float(value)) - expected) <= LIMIT * scale + mp.mpf("1e-300")


@given(radii, angles, radii, angles, radii, angles)
def test_orientation_is_that_of_the_chords_of_the_klein_disk(a, alpha, b, beta, c, gamma):
    x, y, z = (np.tanh(r) * np.exp(1j * v) for r, v in ((a, alpha), (b, beta), (c, gamma)))
    expected = ((y - x).conjugate() * (z - x)).imag
    assert polar.orientation(a, alpha, b, beta, c, gamma) == pytest.approx(expected, abs=4e-15)


@given(radii, angles, radii, angles, radii, angles)
def test_orientation_is_cyclic_and_turns_with_a_swap(a, alpha, b, beta, c, gamma):
    one, two, three = (a, alpha), (b, beta), (c, gamma)
    value = polar.orientation(*one, *two, *three)
    assert polar.orientation(*two, *three, *one) == pytest.approx(value, abs=4e-15)
    assert polar.orientation(*two, *one, *three) == pytest.approx(-value, abs=4e-15)


def test_orientation_tells_far_points_apart():
    # in coordinates of the disk all three are on the border
    assert polar.orientation(200.0, 0.0, 100.0, 1.0, 200.0, 1.0) < 0
    assert polar.orientation(200.0, 0.0, 200.0, 1.0, 100.0, 1.0) > 0


# --- translation ---------------------------------------------------------------------------------


def test_translate_is_accurate_to_1e_14():
    points = random_pairs(100, seed=12)
    moved, turned = polar.translate(*points)
    for distance, angle, *point in zip(moved, turned, *points, strict=True):
        expected = reference.translate(*(float(x) for x in point))
        assert reference.relative_error(distance, expected[0]) <= LIMIT
        assert abs(mp.sin((mp.mpf(float(angle)) - expected[1]) / 2)) <= LIMIT


def test_translate_keeps_its_digits_at_the_point_that_goes_to_the_origin():
    point = 25.0, 1.0 + math.pi - 1e-11, 25.0, 1.0
    distance, _ = polar.translate(*point)
    assert reference.relative_error(distance, reference.translate(*point)[0]) < LIMIT


def test_translate_takes_the_origin_to_the_point_and_by_zero_keeps_all():
    assert polar.translate(0.0, 4.0, 7.0, 0.5) == (7.0, 0.5)
    distance, angle = polar.translate(3.0, 1.2, 0.0, 0.4)
    assert distance == 3.0
    assert angle == pytest.approx(1.2, rel=1e-15)
    assert polar.translate(0.0, 0.0, 0.0, 0.4) == (0.0, 0.4)


@given(radii, angles, radii, angles, radii, angles)
def test_translate_keeps_distances(a, alpha, b, beta, r, rho):
    before = polar.distance(a, alpha, b, beta)
    after = polar.distance(*polar.translate(a, alpha, r, rho), *polar.translate(b, beta, r, rho))
    # an angle is known to 1e-15, at radius 8 that is 3e-12 of distance
    assert after == pytest.approx(before, rel=1e-11, abs=1e-11)


@given(radii, angles, radii, angles)
def test_translate_back_is_by_the_opposite_angle(a, alpha, r, rho):
    moved = polar.translate(a, alpha, r, rho)
    back = polar.translate(*moved, r, rho + math.pi)
    assert polar.distance(*back, a, alpha) == pytest.approx(0.0, abs=1e-11)


@given(radii, angles, radii, angles, radii, angles)
def test_translate_keeps_orientation(a, alpha, b, beta, r, rho):
    before = polar.orientation(0.0, 0.0, a, alpha, b, beta)
    after = polar.orientation(
        r, rho, *polar.translate(a, alpha, r, rho), *polar.translate(b, beta, r, rho)
    )
    if abs(before) > 1e-6 and abs(after) > 1e-14:
        assert (before > 0) == (after > 0)


# --- input ---------------------------------------------------------------------------------------


def test_all_functions_broadcast_and_numbers_give_numbers():
    column, row = np.ones((3, 1)), np.linspace(0.0, 1.0, 4)
    assert polar.distance(column, 0.0, 1.0, row).shape == (3, 4)
    assert polar.direction(column, 0.0, 1.0, row).shape == (3, 4)
    assert polar.ideal_direction(column, row).shape == (3, 4)
    assert polar.ideal_offset(column, row).shape == (3, 4)
    assert polar.ray_offset(column, row, 2.0).shape == (3, 4)
    assert polar.orientation(column, 0.0, 1.0, row, 2.0, 1.0).shape == (3, 4)
    assert [x.shape for x in polar.translate(column, 0.0, 1.0, row)] == [(3, 4), (3, 4)]
    assert polar.distance([], [], 1.0, 0.0).shape == (0,)
    numbers = (
        polar.distance(1, 0, 1, 1),
        polar.direction(1, 0, 1, 1),
        polar.ideal_direction(1, 1),
        polar.ideal_offset(1, 1),
        polar.ray_offset(1, 1, 2),
        polar.orientation(1, 0, 1, 1, 1, 2),
        *polar.translate(1, 0, 1, 1),
    )
    assert {type(x) for x in numbers} == {np.float64}


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: polar.distance(-1.0, 0.0, 1.0, 0.0), ValueError, r"distance_1 .* not negative"),
        (lambda: polar.distance(1.0, 0.0, math.inf, 0.0), ValueError, r"distance_2 .* finite"),
        (lambda: polar.distance(math.nan, 0.0, 1.0, 0.0), ValueError, "distance_1 .* NaN"),
        (lambda: polar.distance(1.0, math.inf, 1.0, 0.0), ValueError, "angle_1 must be finite"),
        (lambda: polar.distance("x", 0.0, 1.0, 0.0), TypeError, "distance_1 must hold real"),
        (lambda: polar.distance(1j, 0.0, 1.0, 0.0), TypeError, "distance_1 must hold real"),
        (lambda: polar.distance([1, 2], 0, [1, 2, 3], 0), ValueError, r"shapes .* \(2,\), \(\)"),
        (lambda: polar.direction(-1.0, 0.0, 1.0, 0.0), ValueError, "distance_1"),
        (lambda: polar.ideal_direction(-1.0, 0.0), ValueError, "distance must be"),
        (lambda: polar.ideal_direction(1.0, math.nan), ValueError, "offset .* NaN"),
        (lambda: polar.ideal_offset(1.0, math.inf), ValueError, "direction must be finite"),
        (lambda: polar.ray_offset(2.0, 0.0, 1.9), ValueError, r"radius must be at least .*1\.9"),
        (lambda: polar.ray_offset(2.0, 0.0, math.inf), ValueError, "radius must be finite"),
        (lambda: polar.orientation(1, 0, 1, 0, -3, 0), ValueError, r"distance_3 .*-3\.0"),
        (lambda: polar.orientation(1, 0, 1, math.inf, 3, 0), ValueError, "angle_2"),
        (lambda: polar.translate(1.0, 0.0, -2.0, 0.0), ValueError, r"by_distance .*-2\.0"),
        (lambda: polar.translate(1.0, 0.0, 2.0, math.nan), ValueError, "by_angle .* NaN"),
    ],
)
def test_bad_input_is_refused_with_what_and_how(call, error, text):
    with pytest.raises(error, match=text):
        call()
