"""f-divergences and Bregman divergences from a generator, and the usual ones ready-made.

All are sums over the last axis, and callable objects ``d(p, q)`` that ``t_self``, SciPy's
``cdist`` and pickle take. The ready-made f-divergences:

==================  ===========================================  ======================
name                on the simplex                               generator f(u)
==================  ===========================================  ======================
kl                  Σ p log(p/q)                                 u log u - u + 1
reverse_kl          Σ q log(q/p)                                 u - 1 - log u
total_variation     Σ abs(p - q) / 2                             abs(u - 1) / 2
chi2                Σ (p - q)² / q                               (u - 1)²
hellinger           1 - Σ √(p q), the distance squared           (√u - 1)² / 2
jensen_shannon      (kl(p, m) + kl(q, m)) / 2, m = (p + q) / 2   the same of u and 1
==================  ===========================================  ======================

Their generators contain that multiple of u - 1 (which adds nothing on the simplex) that makes
every term non-negative, and terms are computed from p - q where p and q are close: nothing
cancels, and tiny divergences keep their digits. The ready-made Bregman divergences:

==================  ===========================================  ======================
name                B(x, y)                                      generator φ(x)
==================  ===========================================  ======================
squared_euclidean   Σ (x - y)²                                   Σ x²
generalized_kl      Σ x log(x/y) - x + y                         Σ x log x
itakura_saito       Σ x/y - log(x/y) - 1                         -Σ log x
==================  ===========================================  ======================
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from horotree._checks import Floats, as_floats, check_range

from . import terms
from .terms import Terms, check_vectors, check_weights, sum_terms


@dataclass(frozen=True)
class FDivergence:
    """An f-divergence ``D(p, q) = Σ q f(p/q)``; made by ``f_divergence``.

    ``terms(p, q)`` is q f(p/q) for positive p and q.
    """

    terms: Terms
    at_zero: float
    slope_at_infinity: float

    def __call__(self, p: ArrayLike, q: ArrayLike) -> Any:
        """Return the divergence of p from q: non-negative arrays, summed over the last axis."""
        x, y = check_weights(p, "p"), check_weights(q, "q")
        check_vectors(x, y, ("p", "q"))
        with np.errstate(invalid="ignore"):  # 0 · inf
            at_zero, at_infinity = y * self.at_zero, x * self.slope_at_infinity
        return sum_terms(x, y, self.terms, at_zero, at_infinity)

    def generator(self, u: ArrayLike) -> Any:
        """Return f(u) for u > 0, elementwise."""
        ratio = as_floats(u, "u")
        check_range(ratio, "u", ratio > 0.0, "positive", "f(0) is the attribute at_zero")
        with np.errstate(all="ignore"):
            return self.terms(ratio, np.ones_like(ratio))[()]


@dataclass(frozen=True)
class _Perspective:
    """q f(p/q) of a generator f."""

    generator: Callable[[Any], Any]
    slope_at_infinity: float

    def __call__(self, p: Floats, q: Floats) -> Floats:
        quotient = p / q
        spilled = np.isinf(quotient)
        values = q * np.asarray(self.generator(np.where(spilled, 1.0, quotient)))
        return np.where(spilled, p * self.slope_at_infinity, values)


def f_divergence(
    generator: Callable[[Any], Any], *, at_zero: float, slope_at_infinity: float
) -> FDivergence:
    """Make the f-divergence ``D(p, q) = Σ q f(p/q)`` of a generator f.

    Where p = 0 a term is ``q f(0)``, where q = 0 it is ``p`` times the slope of f at infinity,
    where both are, 0. Adding a multiple of u - 1 to f changes nothing on the simplex; with the
    one that makes f non-negative (f'(1) = 0) the sum can't cancel.

    Parameters
    ----------
    generator : callable
        The function f, convex on u > 0 with f(1) = 0, of an array, elementwise.
    at_zero : float
        The limit of f at 0, may be inf.
    slope_at_infinity : float
        The limit of f(u)/u for u to infinity, may be inf.

    Returns
    -------
    FDivergence
        A function ``D(p, q)`` of non-negative arrays, summing over the last axis; it can be
        pickled if ``generator`` can.

    References
    ----------
    Paper, sec:intro and sec:t-al-t-add.

    Examples
    --------
    >>> from horotree.tempered import f_divergence, kl
    >>> triangular = f_divergence(lambda u: (u - 1) ** 2 / (u + 1), at_zero=1, slope_at_infinity=1)
    >>> round(float(triangular([0.5, 0.5, 0.0], [0.25, 0.5, 0.25])), 12)
    0.333333333333
    >>> round(float(kl([0.5, 0.5], [0.25, 0.75])), 12)
    0.143841036226
    """
    if not callable(generator):
        raise TypeError(f"generator must be a function of an array, got {generator!r}.")
    at_one = np.asarray(generator(np.ones(1))).item()
    if not abs(at_one) <= 1e-12:
        raise ValueError(
            f"generator must be 0 at 1, got {at_one!r}: subtract that value, so that the "
            "divergence of p from itself is 0."
        )
    for name, value in (("at_zero", at_zero), ("slope_at_infinity", slope_at_infinity)):
        if math.isnan(value):
            raise ValueError(f"{name} must be a number or inf, got {value!r}: pass the limit.")
    slope = float(slope_at_infinity)
    return FDivergence(_Perspective(generator, slope), float(at_zero), slope)


kl = FDivergence(terms.kl_terms, 1.0, math.inf)
reverse_kl = FDivergence(terms.reverse_kl_terms, math.inf, 1.0)
total_variation = FDivergence(terms.total_variation_terms, 0.5, 0.5)
chi2 = FDivergence(terms.chi2_terms, 1.0, math.inf)
hellinger = FDivergence(terms.hellinger_terms, 0.5, 0.5)
jensen_shannon = FDivergence(terms.jensen_shannon_terms, 0.5 * math.log(2.0), 0.5 * math.log(2.0))


@dataclass(frozen=True)
class BregmanDivergence:
    """A Bregman divergence ``φ(x) - φ(y) - <∇φ(y), x - y>``; made by ``bregman_divergence``."""

    generator: Callable[[Any], Any]
    gradient: Callable[[Any], Any]

    def __call__(self, x: ArrayLike, y: ArrayLike) -> Any:
        """Return the divergence of x from y, over the last axis."""
        a, b = _check_finite_vectors(x, y)
        rise = self._value(a) - self._value(b)
        gradient = np.asarray(self.gradient(b))
        if gradient.shape != b.shape:
            raise ValueError(
                f"gradient must return the shape of its argument, {b.shape}, got "
                f"{gradient.shape}: return one partial derivative per coordinate."
            )
        return rise - np.sum(gradient * (a - b), axis=-1)

    def _value(self, x: Floats) -> Floats:
        value = np.asarray(self.generator(x))
        if value.shape != x.shape[:-1]:
            raise ValueError(
                f"generator must return one number per vector, shape {x.shape[:-1]}, got "
                f"{value.shape}: sum over the last axis in it."
            )
        return value


def _check_finite_vectors(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    a, b = as_floats(x, "x"), as_floats(y, "y")
    check_vectors(a, b, ("x", "y"))
    for array, name in ((a, "x"), (b, "y")):
        check_range(array, name, np.isfinite(array), "finite", "pass finite coordinates")
    return a, b


def bregman_divergence(
    generator: Callable[[Any], Any], gradient: Callable[[Any], Any]
) -> BregmanDivergence:
    """Make the Bregman divergence ``B(x, y) = φ(x) - φ(y) - <∇φ(y), x - y>`` of a generator φ.

    Computed as it stands, so that the digits of φ lost in the subtraction for x close to y are
    lost; the ready-made ones (see the module) are free of that.

    Parameters
    ----------
    generator : callable
        The strictly convex function φ: an array of shape (..., m) to one of shape (...).
    gradient : callable
        Its gradient, of the shape of its argument.

    Returns
    -------
    BregmanDivergence
        A function ``B(x, y)`` of arrays, over the last axis; it can be pickled if ``generator``
        and ``gradient`` can.

    References
    ----------
    Paper, sec:intro and sec:t-al-t-add.

    Examples
    --------
    >>> import numpy as np
    >>> from horotree.tempered import bregman_divergence, squared_euclidean
    >>> B = bregman_divergence(lambda x: np.sum(x**4, axis=-1), lambda x: 4 * x**3)
    >>> float(B([2.0, 1.0], [1.0, 1.0]))
    11.0
    >>> float(squared_euclidean([3.0, 4.0], [0.0, 0.0]))
    25.0
    """
    for name, function in (("generator", generator), ("gradient", gradient)):
        if not callable(function):
            raise TypeError(f"{name} must be a function of an array, got {function!r}.")
    return BregmanDivergence(generator, gradient)


def squared_euclidean(x: ArrayLike, y: ArrayLike) -> Any:
    """Bregman divergence ``Σ (x - y)²``, of the generator Σ x².

    Parameters
    ----------
    x, y : array_like
        Vectors, or arrays of such.

    Returns
    -------
    float or ndarray

    Examples
    --------
    >>> from horotree.tempered import squared_euclidean
    >>> float(squared_euclidean([3.0, 4.0], [0.0, 0.0]))
    25.0
    """
    a, b = _check_finite_vectors(x, y)
    return np.sum(np.square(a - b), axis=-1)


def generalized_kl(x: ArrayLike, y: ArrayLike) -> Any:
    """Bregman divergence ``Σ x log(x/y) - x + y``, of the generator Σ x log x.

    Parameters
    ----------
    x, y : array_like
        Non-negative vectors, or arrays of such; a term is inf where y = 0 < x.

    Returns
    -------
    float or ndarray

    Examples
    --------
    >>> from horotree.tempered import generalized_kl
    >>> round(float(generalized_kl([2.0, 1.0], [1.0, 3.0])), 12)
    1.287682072452
    """
    return kl(x, y)


def itakura_saito(x: ArrayLike, y: ArrayLike) -> Any:
    """Bregman divergence ``Σ x/y - log(x/y) - 1``, of the generator -Σ log x.

    Parameters
    ----------
    x, y : array_like
        Non-negative vectors, or arrays of such; a term is inf where one is 0, 0 where both are.

    Returns
    -------
    float or ndarray

    Examples
    --------
    >>> from horotree.tempered import itakura_saito
    >>> round(float(itakura_saito([2.0, 1.0], [1.0, 1.0])), 12)
    0.30685281944
    """
    a, b = check_weights(x, "x"), check_weights(y, "y")
    check_vectors(a, b, ("x", "y"))
    limit = np.full_like(a, math.inf)
    return sum_terms(a, b, terms.itakura_saito_terms, limit, limit)
