"""How thin triangles are: the paper's (H) in the disk, lifted; and Gromov's four-point constant.

(H) of a geodesic triangle is the smallest τ such that some point is within τ of all three sides,
and that is the inradius. For the touch points of the inscribed circle surround its center I (two
of them are seen from I under an angle less than π, as they and a vertex form a quadrilateral with
two right angles). So from I towards any other point x, one touch point lies at an angle of at
least π/2, and the distance s of x to that side has sinh s >= sinh r cosh d(I, x) >= sinh r.
"""

import math
import sys

import numpy as np
from numpy.typing import ArrayLike

from horotree._checks import Floats, as_floats, check_number, check_range
from horotree.tempered import lift

from ._inputs import as_positive, broadcast

DISK_HYPERBOLICITY = math.log(3.0) / 2.0
"""The hyperbolic constant of the disk: the inradius of the ideal triangle, a supremum."""

# Sides that break the triangle inequality by no more than this are rounded collinear points.
_ROUNDING = 16.0 * float(np.finfo(np.float64).eps)

# Exact up to here: n⁴/24 quadruples, a few seconds.
_EXACT_POINTS = 200
_BLOCK = 2**18


def triangle_hyperbolicity(
    a: ArrayLike, b: ArrayLike, c: ArrayLike, *, t: ArrayLike = 1.0
) -> Floats:
    """Hyperbolic constant of a triangle from its sides: the inradius, lifted to t.

    ``tanh r = sqrt(sinh(s-a) sinh(s-b) sinh(s-c) / sinh s)`` with s = (a+b+c)/2, written with
    exp(-2 ·) alone so that long sides do not overflow, and s-a etc. so that thin triangles keep
    their digits.

    Parameters
    ----------
    a, b, c : array or number
        Lengths of the sides, measured at t = 1. Three times inf is the ideal triangle; a single
        infinite side does not determine a triangle.
    t : array or number
        The temperature: the constant of the t-self, ``lift(r)``.

    Returns
    -------
    array or number
        Hyperbolic constants, 0 for three points on one geodesic.

    References
    ----------
    Paper, def-hyperbolicity and the lemma on lift(τ) after lem-create-hyperbolicity.

    Examples
    --------
    >>> import math
    >>> from horotree.geometry import hyperbolicity
    >>> round(float(hyperbolicity.triangle_hyperbolicity(1.0, 1.0, 1.0)), 6)
    0.263735
    >>> ideal = hyperbolicity.triangle_hyperbolicity(math.inf, math.inf, math.inf)
    >>> abs(float(ideal) - math.log(3) / 2) < 1e-15
    True
    """
    sides = [_as_sides(side, name) for side, name in ((a, "a"), (b, "b"), (c, "c"))]
    short, middle, long = np.sort(np.stack(broadcast(*sides, names="a, b and c")), axis=0)
    is_ideal = np.isinf(short)
    fix = "only the ideal triangle, three times inf, has infinite sides that determine it"
    check_range(long, "sides", np.isfinite(long) | is_ideal, "all finite or all inf", fix)
    # The order of the operations matters: none of them rounds what the next one cancels.
    with np.errstate(invalid="ignore"):
        slack = short - (long - middle)
        rests = (slack, short + (long - middle), long + (middle - short))
    fix = "no side may be longer than the other two together"
    is_triangle = is_ideal | (slack >= -_ROUNDING * long)
    check_range(long, "the longest side", is_triangle, "at most the sum of the others", fix)
    one, two, three = (_decay(np.where(is_ideal, np.inf, x)) for x in rests)
    whole = _decay(long + (middle + short))
    ratio = np.divide(three, whole, out=np.zeros_like(three), where=whole > 0.0)
    radius = np.arctanh(0.5 * np.sqrt(one) * np.sqrt(two) * np.sqrt(ratio))
    lifted: Floats = lift(radius[()], t=t)
    return lifted


def t_for_hyperbolicity(tau: ArrayLike) -> Floats:
    """Temperature ``1 + 1/τ`` at which the t-self of anything is τ-hyperbolic.

    Because there every distance is below 1/(t-1) = τ.

    Parameters
    ----------
    tau : array or number
        The wanted hyperbolic constant, positive.

    Returns
    -------
    array or number
        Temperatures above 1.

    References
    ----------
    Paper, lem-create-hyperbolicity.

    Examples
    --------
    >>> from horotree.geometry import hyperbolicity
    >>> float(hyperbolicity.t_for_hyperbolicity(0.5))
    3.0
    """
    fix = "no t makes it 0, choose a small positive constant"
    constant = as_positive(tau, "tau", fix)
    check_range(constant, "tau", constant > 1.0 / sys.float_info.max, "at least 6e-309", fix)
    return np.asarray(1.0 + 1.0 / constant)[()]


def gromov_four_point(
    D: ArrayLike,
    *,
    n_samples: int | None = None,
    random_state: int | np.random.Generator | None = None,
) -> float:
    """Gromov's four-point constant of a finite metric.

    Of the three sums d(w,x) + d(y,z), d(w,y) + d(x,z), d(w,z) + d(x,y) of four distinct points,
    half the difference of the two largest; the largest such value over all quadruples.

    This is NOT the constant of the paper's (H), and unlike it does not lift: the metric of a
    tree has the constant 0, its t-self in general a positive one and not lift(0) = 0.

    Parameters
    ----------
    D : array of shape (n, n)
        The distances: symmetric, not negative, zero on the diagonal.
    n_samples : int, optional
        Look at this many random quadruples instead of all, which gives a lower bound. Needed
        for more than 200 points.
    random_state : int or numpy.random.Generator, optional
        Makes the sample repeatable.

    Returns
    -------
    float
        The constant, or its lower bound; 0 for fewer than four points.

    Examples
    --------
    >>> from horotree.geometry import hyperbolicity
    >>> square = [[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0]]
    >>> hyperbolicity.gromov_four_point(square)
    1.0
    """
    distances = _as_metric(D)
    n = len(distances)
    if n_samples is not None:
        return _sampled_four_point(distances, _as_count(n_samples), random_state)
    if n > _EXACT_POINTS:
        raise ValueError(
            f"all quadruples of {n} points are too many (at most {_EXACT_POINTS} points): "
            "pass n_samples, e.g. 1_000_000, for a lower bound."
        )
    largest = 0.0
    for j in range(1, n - 2):
        rest = distances[j + 1 :, j + 1 :]
        for i in range(j):
            to_i, to_j = distances[i, j + 1 :], distances[j, j + 1 :]
            crossed = to_i[:, None] + to_j
            excess = _excess(distances[i, j] + rest, crossed, crossed.T)
            np.fill_diagonal(excess, 0.0)  # a point twice is no quadruple
            largest = max(largest, float(excess.max()))
    return 0.5 * largest


def _as_sides(values: ArrayLike, name: str) -> Floats:
    sides = as_floats(values, name)
    check_range(sides, name, sides >= 0.0, "not negative", "pass lengths of sides")
    return sides


def _decay(x: Floats) -> Floats:
    """Return 1 - exp(-x), 0 for what rounding made negative."""
    return -np.expm1(-np.maximum(x, 0.0))


def _as_metric(D: ArrayLike) -> Floats:
    distances = as_floats(D, "D")
    if distances.ndim != 2 or distances.shape[0] != distances.shape[1]:
        raise ValueError(
            f"D must be a square matrix of distances, got shape {distances.shape}: pass all pairs, "
            "e.g. by scipy.spatial.distance.squareform."
        )
    allowed = (distances >= 0.0) & np.isfinite(distances)
    check_range(distances, "D", allowed, "finite and not negative", "pass distances")
    diagonal = np.diagonal(distances)
    fix = "the distance of a point to itself is 0"
    check_range(diagonal, "the diagonal of D", diagonal == 0.0, "0", fix)
    fix = "pass (D + D.T) / 2 if the difference is rounding"
    is_symmetric = distances == distances.T
    check_range(distances - distances.T, "D - D.T", is_symmetric, "0 (D symmetric)", fix)
    return distances


def _as_count(n_samples: int) -> int:
    count = check_number(n_samples, "n_samples", hint="pass a whole number above 0")
    if count < 1 or count != int(count):
        raise ValueError(f"n_samples must be a whole number above 0, got {n_samples!r}.")
    return int(count)


def _excess(one: Floats, two: Floats, three: Floats) -> Floats:
    """Return the largest minus the second largest of three."""
    low, high = np.minimum(one, two), np.maximum(one, two)
    return np.maximum(high, three) - np.maximum(low, np.minimum(high, three))


def _sampled_four_point(
    distances: Floats, n_samples: int, random_state: int | np.random.Generator | None
) -> float:
    n = len(distances)
    if n < 4:
        return 0.0
    rng = np.random.default_rng(random_state)
    largest = 0.0
    for start in range(0, n_samples, _BLOCK):
        w, x, y, z = _quadruples(rng, n, min(_BLOCK, n_samples - start))
        excess = _excess(
            distances[w, x] + distances[y, z],
            distances[w, y] + distances[x, z],
            distances[w, z] + distances[x, y],
        )
        largest = max(largest, float(excess.max()))
    return 0.5 * largest


def _quadruples(rng: np.random.Generator, n: int, size: int) -> np.ndarray:
    """Draw quadruples of distinct points, all equally likely: each skips those before it."""
    drawn = rng.integers(0, n - np.arange(4), size=(size, 4))
    for column in range(1, 4):
        for taken in np.sort(drawn[:, :column], axis=1).T:
            drawn[:, column] += drawn[:, column] >= taken
    return drawn.T
