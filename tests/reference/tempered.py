"""Tempered calculus and divergences, straight from the definitions, in 50-digit arithmetic."""

import functools
import itertools

from mpmath import mp

from .algebra import add_t, lift, log_t

DIGITS = 50


def exactly(values):
    return [mp.mpf(float(value)) for value in values]


def fold(terms, t):
    """Return the tempered sum of the terms, added one after the other."""
    s = 1 - mp.mpf(t)
    return functools.reduce(lambda x, y: add_t(x, y, s), exactly(terms), mp.mpf(0))


def riemann_sum(f, division, tags, t):
    """Return the tempered sum of (x_i - x_(i-1)) f(tag_i), f's values taken as they are."""
    widths = [high - low for low, high in itertools.pairwise(division)]
    terms = [w * f(tag) for w, tag in zip(exactly(widths), tags, strict=True)]
    s = 1 - mp.mpf(t)
    return functools.reduce(lambda x, y: add_t(x, y, s), terms, mp.mpf(0))


def area(p, q, t):
    """Return q times the area under log_t from 1 to p/q, by its antiderivative."""
    p, q, t = exactly([p, q, t])
    u = p / q
    if t == 1:
        return q * (u * mp.log(u) - u + 1)
    if t == 2:
        return q * (u - 1 - mp.log(u))
    return q * (u ** (2 - t) / ((1 - t) * (2 - t)) - u / (1 - t) + 1 / (2 - t))


GENERATORS = {
    "kl": lambda u: u * mp.log(u) - u + 1,
    "reverse_kl": lambda u: u - 1 - mp.log(u),
    "total_variation": lambda u: abs(u - 1) / 2,
    "chi2": lambda u: (u - 1) ** 2,
    "hellinger": lambda u: (mp.sqrt(u) - 1) ** 2 / 2,
    "jensen_shannon": lambda u: (u * mp.log(2 * u / (u + 1)) - mp.log((u + 1) / 2)) / 2,
}


def f_divergence(generator, p, q):
    return mp.fsum(b * generator(a / b) for a, b in zip(exactly(p), exactly(q), strict=True))


def bregman_divergence(generator, gradient, x, y):
    """Return the sum over coordinates, for a generator of one coordinate."""
    pairs = zip(exactly(x), exactly(y), strict=True)
    return mp.fsum(generator(a) - generator(b) - gradient(b) * (a - b) for a, b in pairs)


def tsallis(p, q, t):
    """Return (Σ p (p/q)^(1-t) - 1) / (1-t), for t other than 1."""
    s = 1 - mp.mpf(t)
    pairs = zip(exactly(p), exactly(q), strict=True)
    return (mp.fsum(a * (a / b) ** s for a, b in pairs) - 1) / s


def tempered_relative_entropy(p, q, t):
    """Return (1 - Σ p q^(1-t)) / (1-t), for t other than 1."""
    s = 1 - mp.mpf(t)
    pairs = zip(exactly(p), exactly(q), strict=True)
    return (1 - mp.fsum(a * b**s for a, b in pairs)) / s


def tempered_total(d, points, mu, t):
    """Return the tempered sum over points x of the t-self of d between x and mu."""
    return fold([lift(mp.mpf(float(d(x, mu))), 1 - mp.mpf(t)) for x in points], t)


def tempered_bregman_generator(z, t):
    """Return z log_t z - log_(t-1) z."""
    s = 1 - mp.mpf(t)
    return z * log_t(z, s) - log_t(z, s + 1)
