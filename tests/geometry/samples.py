"""Points to try: radii from 1e-6 to 1000, near and equal pairs, angles that differ by 1e-12."""

import numpy as np
from hypothesis import strategies as st

radii = st.floats(0.0, 4.0)
angles = st.floats(-7.0, 7.0)


def random_radii(rng, n):
    spread = 10.0 ** rng.uniform(-6.0, 3.0, n)
    return np.where(rng.random(n) < 0.3, rng.uniform(0.0, 1000.0, n), spread)


def random_offsets(rng, n):
    """Draw angles up to π, half of them small down to 1e-12."""
    small = 10.0 ** rng.uniform(-12.0, 0.4, n) * rng.choice([-1.0, 1.0], n)
    return np.where(rng.random(n) < 0.5, rng.uniform(-np.pi, np.pi, n), small)


def random_pairs(n, seed=0):
    """Draw (a, alpha, b, beta); some radii nearly equal, equal or 0, some angles equal."""
    rng = np.random.default_rng(seed)
    a, b = random_radii(rng, n), random_radii(rng, n)
    kind = rng.random(n)
    b = np.where(kind < 0.4, a * (1.0 + 10.0 ** rng.uniform(-15.0, -1.0, n)), b)
    b = np.where(kind < 0.1, a, b)
    b = np.where(kind > 0.95, 0.0, b)
    alpha = rng.uniform(-7.0, 7.0, n)
    beta = alpha + random_offsets(rng, n)
    beta = np.where(rng.random(n) < 0.05, alpha, beta)
    beta += np.where(rng.random(n) < 0.2, 2.0 * np.pi, 0.0)
    return np.minimum(a, 1000.0), alpha, np.minimum(b, 1000.0), beta


def random_ball_points(n, dimension, seed=0):
    """Draw points of the ball, half of them down to 1e-15 from the border."""
    rng = np.random.default_rng(seed)
    directions = rng.normal(size=(n, dimension))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    near_border = 1.0 - 10.0 ** rng.uniform(-15.0, 0.0, n)
    norms = np.where(rng.random(n) < 0.5, 10.0 ** rng.uniform(-6.0, 0.0, n), near_border)
    return np.minimum(norms, 1.0 - 1e-15)[:, None] * directions


@st.composite
def disk_points(draw, max_distance=4.0):
    d, theta = draw(st.floats(0.0, max_distance)), draw(angles)
    return np.tanh(0.5 * d) * np.array([np.cos(theta), np.sin(theta)])
