"""Slow, literal geometry: complex numbers of the disk with hundreds of digits, all by definition.

Arguments are doubles taken as exact. Each function works with ``DIGITS`` digits more than the
exponentials of its radii eat up.
"""

import itertools

import mpmath as mp
import numpy as np

DIGITS = 80


def digits_for(*radii):
    """Digits that leave ``DIGITS`` after 1 - tanh(r/2) has cancelled, in products of several."""
    return DIGITS + int(sum(radii))


def relative_error(got, expected):
    """Return |got - expected| / |expected|, 0 where both are 0."""
    if expected == 0:
        return mp.mpf(0) if got == 0 else mp.inf
    return abs(mp.mpf(float(got)) - expected) / abs(expected)


def polar_distances(a, alpha, b, beta):
    """NumPy twin of the native kernel, line by line."""
    x, y = 0.5 * alpha, -0.5 * beta
    high = x + y
    carried = high - x
    low = (x - (high - carried)) + (y - carried)
    turn = np.abs(np.sin(high) + low * np.cos(high))
    far, near = np.maximum(a, b), np.minimum(a, b)
    gap = 0.5 * (far - near)
    with np.errstate(all="ignore"):
        half = np.hypot(np.sinh(gap), turn * _sqrt_sinh(far) * _sqrt_sinh(near))
        along = _log_sinh(gap)
        across = np.log(turn) + 0.5 * _log_sinh(far) + 0.5 * _log_sinh(near)
        by_logs = np.logaddexp(2.0 * along, 2.0 * across) + 2.0 * np.log(2.0)
        distance = np.where(np.isfinite(half), 2.0 * np.arcsinh(half), by_logs)
    return np.where((turn == 0.0) | (near == 0.0), far - near, distance)


def _sqrt_sinh(x):
    return np.where(x < 700.0, np.sqrt(np.sinh(x)), np.exp(0.5 * x) * np.sqrt(0.5))


def _log_sinh(x):
    return x - np.log(2.0) + np.log(-np.expm1(-2.0 * x))


def disk(distance, angle):
    """Return the point as a complex number of the disk."""
    return mp.tanh(mp.mpf(distance) / 2) * mp.expj(mp.mpf(angle))


def to_origin(z, c):
    """Return z moved by the translation that takes c to the origin."""
    return (z - c) / (1 - mp.conj(c) * z)


def distance(a, alpha, b, beta):
    with mp.workdps(digits_for(a, b)):
        offset = mp.mpf(beta) - mp.mpf(alpha)
        return 2 * mp.atanh(abs(to_origin(disk(b, offset), disk(a, 0))))


def direction(a, alpha, b, beta):
    with mp.workdps(digits_for(a, b)):
        offset = mp.mpf(beta) - mp.mpf(alpha)
        return mp.arg(to_origin(disk(b, offset), disk(a, 0)))


def ideal_direction(a, offset):
    with mp.workdps(digits_for(a)):
        return mp.arg(to_origin(mp.expj(mp.mpf(offset)), disk(a, 0)))


def ideal_offset(a, direction):
    with mp.workdps(digits_for(a)):
        return mp.arg(to_origin(mp.expj(mp.mpf(direction)), -disk(a, 0)))


def ray_offset(b, direction, a):
    """Walk the ray by its length s: cosh a = cosh b cosh s + sinh b sinh s cos φ, larger root."""
    with mp.workdps(digits_for(a, b)):
        a, b, phi = mp.mpf(a), mp.mpf(b), mp.mpf(direction)
        if a == b and (a == 0 or mp.cos(phi) >= 0):
            return phi if a == 0 else mp.mpf(0)
        ahead = mp.cosh(b) + mp.sinh(b) * mp.cos(phi)
        behind = mp.cosh(b) - mp.sinh(b) * mp.cos(phi)
        exp_s = (mp.cosh(a) + mp.sqrt(mp.cosh(a) ** 2 - ahead * behind)) / ahead
        walked = (exp_s - 1) / (exp_s + 1) * mp.expj(phi)
        return mp.arg(to_origin(walked, -disk(b, 0)))


def orientation(points):
    """Return the determinant in the Klein disk, and the sum of the formula's absolute terms."""
    with mp.workdps(digits_for(*(a for a, _ in points))):
        (a1, x1), (a2, x2), (a3, x3) = ((mp.tanh(mp.mpf(a)), mp.mpf(x)) for a, x in points)
        value = a1 * a2 * mp.sin(x2 - x1) + a2 * a3 * mp.sin(x3 - x2) - a1 * a3 * mp.sin(x3 - x1)
        border = 4 * mp.sin((x2 - x1) / 2) * mp.sin((x3 - x2) / 2) * mp.sin((x3 - x1) / 2)
        terms = (
            a1 * a2 * a3 * border,
            (1 - a3) * a1 * a2 * mp.sin(x2 - x1),
            (1 - a1) * a2 * a3 * mp.sin(x3 - x2),
            (1 - a2) * a1 * a3 * mp.sin(x3 - x1),
        )
        return value, sum(abs(term) for term in terms)


def translate(a, alpha, r, rho):
    with mp.workdps(digits_for(a, r)):
        moved = to_origin(disk(a, alpha), -disk(r, rho))
        return 2 * mp.atanh(abs(moved)), mp.arg(moved)


def vector(x):
    return [mp.mpf(float(value)) for value in x]


def dot(x, y):
    return mp.fsum(a * b for a, b in zip(x, y, strict=True))


def norm(x):
    return mp.sqrt(dot(x, x))


def ball_distance(x, y):
    """Return arcosh(1 + 2|x-y|² / ((1-|x|²)(1-|y|²)))."""
    with mp.workdps(DIGITS):
        x, y = vector(x), vector(y)
        apart = [a - b for a, b in zip(x, y, strict=True)]
        return mp.acosh(1 + 2 * dot(apart, apart) / ((1 - dot(x, x)) * (1 - dot(y, y))))


@mp.workdps(DIGITS)
def mobius_add(x, y):
    """Return ((1+2xy+|y|²) x + (1-|x|²) y) / (1+2xy+|x|²|y|²) of mpf vectors."""
    xy, xx, yy = dot(x, y), dot(x, x), dot(y, y)
    below = 1 + 2 * xy + xx * yy
    return [((1 + 2 * xy + yy) * a + (1 - xx) * b) / below for a, b in zip(x, y, strict=True)]


@mp.workdps(DIGITS)
def exp_map(x, v):
    size, below = norm(v), 1 - dot(x, x)
    if size == 0:
        return x
    return mobius_add(x, [mp.tanh(size / below) * a / size for a in v])


@mp.workdps(DIGITS)
def log_map(x, y):
    moved = mobius_add([-a for a in x], y)
    size = norm(moved)
    if size == 0:
        return moved
    return [(1 - dot(x, x)) * mp.atanh(size) * a / size for a in moved]


def lorentz_inner(x, y, curvature):
    """Return x∘y of the points of the hyperboloid with these space coordinates."""
    x0, y0 = (mp.sqrt(1 / mp.mpf(curvature) + dot(z, z)) for z in (x, y))
    return dot(x, y) - x0 * y0


def rate(length, drawn):
    """Return f with log(1 + f length) / f = drawn, by Lambert's W."""
    ratio = drawn / length
    if ratio == 1:
        return mp.mpf(0)
    branch = -1 if ratio < 1 else 0
    return -1 / length - mp.lambertw(-ratio * mp.exp(-ratio), branch).real / drawn


def inradius(a, b, c):
    with mp.workdps(digits_for(a, b, c)):
        a, b, c = mp.mpf(a), mp.mpf(b), mp.mpf(c)
        s = (a + b + c) / 2
        product = mp.sinh(s - a) * mp.sinh(s - b) * mp.sinh(s - c)
        return mp.atanh(mp.sqrt(product / mp.sinh(s)))


def four_point(D):
    """Return Gromov's constant, one quadruple after the other."""
    largest = 0.0
    for w, x, y, z in itertools.combinations(range(len(D)), 4):
        sums = sorted((D[w][x] + D[y][z], D[w][y] + D[x][z], D[w][z] + D[x][y]))
        largest = max(largest, sums[2] - sums[1])
    return largest / 2
