import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from horotree.geometry import hyperbolicity, polar
from horotree.tempered import lift
from tests.geometry.samples import angles, radii
from tests.reference import geometry as reference

LIMIT = 1e-14


def sides(corners):
    return [float(polar.distance(*corners[i], *corners[j])) for i, j in ((1, 2), (0, 2), (0, 1))]


# --- triangles -----------------------------------------------------------------------------------


def random_sides(n, seed):
    """Draw triangles with sides up to 300, some thin, some needles."""
    rng = np.random.default_rng(seed)
    b, c = 10.0 ** rng.uniform(-5.0, 2.2, (2, n))
    slack = np.where(rng.random(n) < 0.5, rng.random(n), 10.0 ** rng.uniform(-10.0, 0.0, n))
    return np.abs(b - c) + slack * (b + c - np.abs(b - c)), b, c


def test_triangle_hyperbolicity_is_accurate():
    triangles = random_sides(200, seed=0)
    for got, *triangle in zip(
        hyperbolicity.triangle_hyperbolicity(*triangles), *triangles, strict=True
    ):
        expected = reference.inradius(*(float(x) for x in triangle))
        assert reference.relative_error(got, expected) <= LIMIT


@pytest.mark.parametrize("seed", range(4))
def test_triangle_hyperbolicity_is_the_least_distance_to_all_three_sides(seed):
    rng = np.random.default_rng(seed)
    corners = list(zip(rng.uniform(0.5, 3.0, 3), rng.uniform(-3.0, 3.0, 3), strict=True))
    outline = [on_side(corners[i], corners[j]) for i, j in ((1, 2), (0, 2), (0, 1))]

    def farthest(x):
        place = math.hypot(*x), math.atan2(x[1], x[0])
        return max(float(polar.distance(*place, *side).min()) for side in outline)

    starts = [r * np.array([math.cos(v), math.sin(v)]) for r, v in corners]
    found = min(
        (minimize(farthest, 0.5 * x, method="Nelder-Mead", tol=1e-7) for x in starts),
        key=lambda result: result.fun,
    )
    expected = hyperbolicity.triangle_hyperbolicity(*sides(corners))
    assert found.fun == pytest.approx(float(expected), rel=1e-4)


def on_side(start, end, n=4001):
    """Sample the geodesic from start to end."""
    length, direction = polar.distance(*start, *end), polar.direction(*start, *end)
    return polar.translate(np.linspace(0.0, length, n), start[1] + direction, *start)


@given(radii, angles, radii, angles, radii, angles)
def test_triangle_hyperbolicity_is_below_that_of_the_disk(a, alpha, b, beta, c, gamma):
    tau = hyperbolicity.triangle_hyperbolicity(*sides([(a, alpha), (b, beta), (c, gamma)]))
    assert 0.0 <= tau < hyperbolicity.DISK_HYPERBOLICITY


def test_triangle_hyperbolicity_of_the_ideal_triangle_is_log_3_over_2():
    tau = hyperbolicity.triangle_hyperbolicity(math.inf, math.inf, math.inf)
    assert tau == pytest.approx(math.log(3.0) / 2.0, rel=1e-15)
    large = hyperbolicity.triangle_hyperbolicity([10.0, 100.0, 1e300], [10.0, 100.0, 1e300], 10.0)
    assert large[0] < tau
    assert hyperbolicity.triangle_hyperbolicity(1e300, 1e300, 1e300) == tau
    assert pytest.approx(tau) == hyperbolicity.DISK_HYPERBOLICITY


def test_triangle_hyperbolicity_lifts():
    tau = hyperbolicity.triangle_hyperbolicity(2.0, 3.0, 4.0)
    for t in (-1.0, 0.0, 0.5, 2.0):
        expected = pytest.approx(float(lift(tau, t=t)), rel=1e-15)
        assert hyperbolicity.triangle_hyperbolicity(2.0, 3.0, 4.0, t=t) == expected
    temperatures = np.array([[0.0], [1.0]])
    got = hyperbolicity.triangle_hyperbolicity([2.0, 2.0, 3.0], 3.0, 4.0, t=temperatures)
    assert got.shape == (2, 3)


def test_triangle_hyperbolicity_is_0_on_a_line_also_when_rounded():
    assert hyperbolicity.triangle_hyperbolicity(1.0, 2.0, 3.0) == 0.0
    assert hyperbolicity.triangle_hyperbolicity(0.0, 2.0, 2.0) == 0.0
    assert hyperbolicity.triangle_hyperbolicity(0.0, 0.0, 0.0) == 0.0
    assert hyperbolicity.triangle_hyperbolicity(0.1, 0.2, np.nextafter(0.1 + 0.2, 1.0)) == 0.0


def test_triangle_hyperbolicity_of_a_tiny_triangle_is_the_euclidean_inradius():
    got = hyperbolicity.triangle_hyperbolicity(3e-170, 4e-170, 5e-170)
    assert got == pytest.approx(1e-170, rel=1e-12)


@given(st.floats(1e-3, 100.0), radii, angles, radii, angles, radii, angles)
def test_t_for_hyperbolicity_makes_every_distance_smaller_than_tau(
    tau, a, alpha, b, beta, c, gamma
):
    t = float(hyperbolicity.t_for_hyperbolicity(tau))
    assert t == 1.0 + 1.0 / tau
    corners = sides([(a, alpha), (b, beta), (c, gamma)])
    assert max(float(lift(d, t=t)) for d in corners) <= tau * (1 + 1e-13)
    assert hyperbolicity.triangle_hyperbolicity(*corners, t=t) <= tau * (1 + 1e-13)


# --- four points ---------------------------------------------------------------------------------


def random_metric(n, seed):
    points = np.random.default_rng(seed).normal(size=(n, 3))
    distances = np.linalg.norm(points[:, None] - points, axis=-1)
    return 0.5 * (distances + distances.T)


def tree_metric(n, seed, *, whole=True):
    """Draw a tree with n nodes and return its path lengths; whole numbers are free of rounding."""
    rng = np.random.default_rng(seed)
    distances = np.zeros((n, n))
    for node in range(1, n):
        parent = rng.integers(node)
        length = float(rng.integers(1, 10)) if whole else rng.uniform(0.1, 2.0)
        distances[node, :node] = distances[parent, :node] + length
        distances[:node, node] = distances[node, :node]
    return distances


@pytest.mark.parametrize("n", [4, 5, 9, 14])
def test_gromov_four_point_looks_at_all_quadruples(n):
    distances = random_metric(n, seed=n)
    expected = reference.four_point(distances.tolist())
    assert hyperbolicity.gromov_four_point(distances) == pytest.approx(expected, rel=1e-14)


def test_gromov_four_point_looks_at_distinct_points_only():
    # not a metric: 0 and 1 are nearer to each other by way of 2 than directly
    broken = np.array([[0, 9, 1, 5], [9, 0, 1, 5], [1, 1, 0, 2], [5, 5, 2, 0]], dtype=float)
    assert hyperbolicity.gromov_four_point(broken) == 2.5
    assert reference.four_point(broken.tolist()) == 2.5


def test_gromov_four_point_of_a_tree_is_0_but_not_of_its_t_self():
    tree = tree_metric(30, seed=0)
    assert hyperbolicity.gromov_four_point(tree) == 0.0
    assert hyperbolicity.gromov_four_point(np.asarray(lift(tree, t=1.2))) > 0.05
    assert hyperbolicity.gromov_four_point(np.asarray(lift(tree, t=0.9))) > 0.05
    assert lift(0.0, t=1.2) == 0.0  # which is what a constant that lifts would give


def test_gromov_four_point_of_a_tree_with_real_lengths_is_rounding():
    tree = tree_metric(30, seed=1, whole=False)
    assert hyperbolicity.gromov_four_point(tree) < 1e-14


def test_gromov_four_point_of_a_cycle_is_a_quarter_of_its_length():
    steps = np.abs(np.subtract.outer(np.arange(16), np.arange(16)))
    assert hyperbolicity.gromov_four_point(np.minimum(steps, 16 - steps)) == 4.0


def test_gromov_four_point_sampled_is_a_lower_bound_that_repeats():
    distances = random_metric(40, seed=2)
    exact = hyperbolicity.gromov_four_point(distances)
    few = hyperbolicity.gromov_four_point(distances, n_samples=1000, random_state=0)
    many = hyperbolicity.gromov_four_point(distances, n_samples=600_000, random_state=0)
    assert 0.0 < few <= many <= exact
    assert many > 0.95 * exact
    assert few == hyperbolicity.gromov_four_point(
        distances, n_samples=1000, random_state=np.random.default_rng(0)
    )


def test_gromov_four_point_samples_four_distinct_points_all_alike():
    drawn = hyperbolicity._quadruples(np.random.default_rng(0), 6, 30_000)
    ordered = np.sort(drawn, axis=0)
    assert (np.diff(ordered, axis=0) > 0).all()
    _, counts = np.unique(ordered, axis=1, return_counts=True)
    assert counts.size == 15
    assert np.ptp(counts) < 300  # each 2000 ± 43


def test_gromov_four_point_of_fewer_than_four_points_is_0():
    assert hyperbolicity.gromov_four_point(random_metric(3, seed=0)) == 0.0
    assert hyperbolicity.gromov_four_point(random_metric(3, seed=0), n_samples=5) == 0.0
    assert hyperbolicity.gromov_four_point(np.zeros((0, 0))) == 0.0


# --- input ---------------------------------------------------------------------------------------


SQUARE = np.ones((4, 4)) - np.eye(4)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: hyperbolicity.triangle_hyperbolicity(1, 2, 3.1), ValueError, "longest side .*3.1"),
        (lambda: hyperbolicity.triangle_hyperbolicity(-1, 2, 3), ValueError, "a must be not neg"),
        (lambda: hyperbolicity.triangle_hyperbolicity(1, math.nan, 1), ValueError, "b .* NaN"),
        (
            lambda: hyperbolicity.triangle_hyperbolicity(1, math.inf, math.inf),
            ValueError,
            "all finite or all inf",
        ),
        (lambda: hyperbolicity.triangle_hyperbolicity(1, 1, "x"), TypeError, "c must hold real"),
        (lambda: hyperbolicity.triangle_hyperbolicity([1] * 2, [1] * 3, 1), ValueError, "shapes"),
        (lambda: hyperbolicity.triangle_hyperbolicity(1, 1, 1, t=math.inf), ValueError, "t must"),
        (lambda: hyperbolicity.t_for_hyperbolicity(0.0), ValueError, "tau .* positive"),
        (lambda: hyperbolicity.t_for_hyperbolicity(math.inf), ValueError, "tau must be finite"),
        (lambda: hyperbolicity.gromov_four_point([1.0, 2.0]), ValueError, r"square .* \(2,\)"),
        (lambda: hyperbolicity.gromov_four_point(np.ones((2, 3))), ValueError, "square"),
        (lambda: hyperbolicity.gromov_four_point(-SQUARE), ValueError, "D must be finite and not"),
        (lambda: hyperbolicity.gromov_four_point(np.ones((4, 4))), ValueError, "diagonal of D"),
        (lambda: hyperbolicity.gromov_four_point(np.triu(SQUARE)), ValueError, "symmetric"),
        (lambda: hyperbolicity.gromov_four_point([[0, 1], [2]]), ValueError, "regular array"),
        (lambda: hyperbolicity.gromov_four_point(SQUARE, n_samples=0), ValueError, "n_samples"),
        (lambda: hyperbolicity.gromov_four_point(SQUARE, n_samples=1.5), ValueError, "n_samples"),
        (lambda: hyperbolicity.gromov_four_point(SQUARE, n_samples="9"), TypeError, "n_samples"),
        (lambda: hyperbolicity.gromov_four_point(np.zeros((201, 201))), ValueError, "n_samples"),
    ],
)
def test_bad_input_is_refused_with_what_and_how(call, error, text):
    with pytest.raises(error, match=text):
        call()
