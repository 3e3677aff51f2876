"""Tempered algebra: log_t, exp_t, the operations they define, and the lift between them.

Everything follows from ``lift`` and its inverse ``unlift``: log_t = lift∘log, exp_t = exp∘unlift.

Errors: the relative error stays below ``8 eps max(1, c)``, with c the sum of the relative
condition numbers in the operands and in 1 - t. Outside the domain:

    exp_t(z) = 0 (t < 1) or inf (t > 1) where 1 + (1-t) z <= 0
    log_t(0) = -1/(1-t) for t < 1, -inf for t >= 1;  log_t(z) = NaN for z < 0

All functions broadcast over their operands and ``t``, take NumPy, PyTorch, JAX or other arrays
of the array API, and return the same kind on the same device. No warnings are raised.
"""

from typing import Literal

from . import _formulas as formulas
from ._arrays import Array, evaluate

Negation = Literal["tempered", "classical"]


def lift(z: Array, *, t: Array = 1.0) -> Array:
    """Lift z to temperature t: ``log_t(exp(z)) = (exp((1-t) z) - 1) / (1-t)``.

    What a classical integral, length or divergence z becomes at temperature t. Strictly
    increasing, of the sign of z; convex for t < 1, concave for t > 1, the identity at t = 1.

    Parameters
    ----------
    z : array or number
        Any real values.
    t : array or number
        The temperature; broadcasts against z.

    Returns
    -------
    array or number
        Of the kind of z.

    References
    ----------
    Paper, eq-liftt and lem-prop-tlift.

    Examples
    --------
    >>> from horotree.tempered import lift
    >>> lift([1.0, 2.0], t=0.5).round(6)
    array([1.297443, 3.436564])
    >>> lift(2.0, t=[0.0, 0.5, 1.0]).round(6)
    array([6.389056, 3.436564, 2.      ])
    """
    return evaluate(formulas.lift, z, t=t)


def unlift(z: Array, *, t: Array = 1.0) -> Array:
    """Undo ``lift``: ``log(exp_t(z)) = log(1 + (1-t) z) / (1-t)``.

    -inf (t < 1) or inf (t > 1) where 1 + (1-t) z <= 0. This is also how a distance is drawn in
    the t-self: the drawn norm is ``tanh(unlift(distance) / 2)``.

    Parameters
    ----------
    z : array or number
        Any real values.
    t : array or number
        The temperature; broadcasts against z.

    Returns
    -------
    array or number
        Of the kind of z.

    Examples
    --------
    >>> from horotree.tempered import lift, unlift
    >>> round(float(unlift(lift(2.0, t=0.3), t=0.3)), 12)
    2.0
    """
    return evaluate(formulas.unlift, z, t=t)


def log_t(z: Array, *, t: Array = 1.0) -> Array:
    """Tempered logarithm ``(z^(1-t) - 1) / (1-t)``, log(z) at t = 1.

    ``log_t(0) = -1/(1-t)`` for t < 1 and -inf for t >= 1; NaN for z < 0.

    Parameters
    ----------
    z : array or number
        Non-negative values.
    t : array or number
        The temperature; broadcasts against z.

    Returns
    -------
    array or number
        Of the kind of z.

    References
    ----------
    Paper, eq-link-t-1.

    Examples
    --------
    >>> from horotree.tempered import log_t
    >>> log_t([0.0, 1.0, 4.0], t=0.5).round(12)
    array([-2.,  0.,  2.])
    """
    return evaluate(formulas.log_t, z, t=t)


def exp_t(z: Array, *, t: Array = 1.0) -> Array:
    """Tempered exponential ``(1 + (1-t) z)^(1/(1-t))``, exp(z) at t = 1: the inverse of log_t.

    0 (t < 1) or inf (t > 1) where 1 + (1-t) z <= 0.

    Parameters
    ----------
    z : array or number
        Any real values.
    t : array or number
        The temperature; broadcasts against z.

    Returns
    -------
    array or number
        Of the kind of z.

    References
    ----------
    Paper, sec:t-al-t-add.

    Examples
    --------
    >>> from horotree.tempered import exp_t
    >>> round(float(exp_t(2.0, t=0.5)), 12), float(exp_t(-3.0, t=0.5)), float(exp_t(3.0, t=1.5))
    (4.0, 0.0, inf)
    """
    return evaluate(formulas.exp_t, z, t=t)


def add_t(x: Array, y: Array, *, t: Array = 1.0) -> Array:
    """Tempered sum ``x + y + (1-t) x y``.

    Equal to ``log_t(exp_t(x) exp_t(y))`` where both 1 + (1-t) x and 1 + (1-t) y are positive;
    the polynomial is the definition everywhere.

    Parameters
    ----------
    x, y : array or number
        Any real values; they broadcast.
    t : array or number
        The temperature; broadcasts too.

    Returns
    -------
    array or number
        Of the kind of x and y.

    References
    ----------
    Paper, deftRiem.

    Examples
    --------
    >>> from horotree.tempered import add_t
    >>> float(add_t(2.0, 3.0, t=1.0)), float(add_t(2.0, 3.0, t=0.0))
    (5.0, 11.0)
    """
    return evaluate(formulas.add_t, x, y, t=t)


def sub_t(x: Array, y: Array, *, t: Array = 1.0) -> Array:
    """Tempered difference ``(x - y) / (1 + (1-t) y)``, which undoes ``add_t``.

    Infinite, or NaN for x = y, where 1 + (1-t) y = 0: nothing there can be undone.

    Parameters
    ----------
    x, y : array or number
        Any real values; they broadcast.
    t : array or number
        The temperature; broadcasts too.

    Returns
    -------
    array or number
        Of the kind of x and y.

    References
    ----------
    Paper, eq:t-derivative.

    Examples
    --------
    >>> from horotree.tempered import add_t, sub_t
    >>> float(sub_t(add_t(2.0, 3.0, t=0.25), 3.0, t=0.25))
    2.0
    """
    return evaluate(formulas.sub_t, x, y, t=t)


def mul_t(x: Array, y: Array, *, t: Array = 1.0) -> Array:
    """Tempered product ``exp_t(log_t(x) + log_t(y))``, i.e. ``(x^(1-t) + y^(1-t) - 1)^(1/(1-t))``.

    0 (t < 1) or inf (t > 1) where the sum of powers is not positive; NaN for a negative operand.

    Parameters
    ----------
    x, y : array or number
        Non-negative values; they broadcast.
    t : array or number
        The temperature; broadcasts too.

    Returns
    -------
    array or number
        Of the kind of x and y.

    References
    ----------
    Paper, sec:t-al-t-add.

    Examples
    --------
    >>> from horotree.tempered import mul_t
    >>> float(mul_t(2.0, 3.0, t=1.0)), round(float(mul_t(2.0, 3.0, t=0.0)), 12)
    (6.0, 4.0)
    """
    return evaluate(formulas.mul_t, x, y, t=t)


def div_t(x: Array, y: Array, *, t: Array = 1.0) -> Array:
    """Tempered quotient ``exp_t(log_t(x) - log_t(y))``, i.e. ``(x^(1-t) - y^(1-t) + 1)^(1/(1-t))``.

    0 (t < 1) or inf (t > 1) where the sum of powers is not positive; NaN for a negative operand.

    Parameters
    ----------
    x, y : array or number
        Non-negative values; they broadcast.
    t : array or number
        The temperature; broadcasts too.

    Returns
    -------
    array or number
        Of the kind of x and y.

    References
    ----------
    Paper, sec:t-al-t-add.

    Examples
    --------
    >>> from horotree.tempered import div_t
    >>> float(div_t(6.0, 3.0, t=1.0)), round(float(div_t(6.0, 3.0, t=0.0)), 12)
    (2.0, 4.0)
    """
    return evaluate(formulas.div_t, x, y, t=t)


def cosh_t(z: Array, *, t: Array = 1.0, negation: Negation = "tempered") -> Array:
    """Tempered hyperbolic cosine ``(exp_t(z) + exp_t(-z)) / 2``, with a choice of what -z is.

    With ``negation="tempered"`` -z is ``sub_t(0, z)``, so that exp_t(-z) = 1 / exp_t(z), and
    cosh_t(lift(z)) = cosh(z): the tempered hyperbolic theorem of Pythagoras holds, and
    cosh_t² - sinh_t² = 1. With ``negation="classical"``, the definition as printed in the
    paper, neither does unless t = 1.

    Parameters
    ----------
    z : array or number
        Any real values.
    t : array or number
        The temperature; broadcasts against z.
    negation : {"tempered", "classical"}
        The meaning of -z.

    Returns
    -------
    array or number
        Of the kind of z.

    References
    ----------
    Paper, def-cosht and lem-t-hpt.

    Examples
    --------
    >>> import math
    >>> from horotree.tempered import cosh_t, lift
    >>> float(cosh_t(lift(0.7, t=0.5), t=0.5)) - math.cosh(0.7) < 1e-15
    True
    """
    if _is_tempered(negation):
        return evaluate(formulas.cosh_t, z, t=t)
    return evaluate(formulas.cosh_printed, z, t=t)


def sinh_t(z: Array, *, t: Array = 1.0, negation: Negation = "tempered") -> Array:
    """Tempered hyperbolic sine ``(exp_t(z) - exp_t(-z)) / 2``, with a choice of what -z is.

    See ``cosh_t`` for ``negation``.

    Parameters
    ----------
    z : array or number
        Any real values.
    t : array or number
        The temperature; broadcasts against z.
    negation : {"tempered", "classical"}
        The meaning of -z.

    Returns
    -------
    array or number
        Of the kind of z.

    Examples
    --------
    >>> from horotree.tempered import cosh_t, sinh_t
    >>> round(float(cosh_t(0.7, t=0.5) ** 2 - sinh_t(0.7, t=0.5) ** 2), 12)
    1.0
    """
    if _is_tempered(negation):
        return evaluate(formulas.sinh_t, z, t=t)
    return evaluate(formulas.sinh_printed, z, t=t)


def _is_tempered(negation: Negation) -> bool:
    if negation not in ("tempered", "classical"):
        raise ValueError(f'negation must be "tempered" or "classical", got {negation!r}.')
    return negation == "tempered"
