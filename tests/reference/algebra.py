"""Tempered algebra in 50-digit arithmetic, straight from the definitions."""

import mpmath
from mpmath import mp

DIGITS = 50


def log_t(z, s):
    return mp.log(z) if s == 0 else (mp.power(z, s) - 1) / s


def exp_t(z, s):
    return mp.exp(z) if s == 0 else mp.power(1 + s * z, 1 / s)


def lift(z, s):
    return log_t(mp.exp(z), s) if s == 0 else mp.expm1(s * z) / s


def unlift(z, s):
    return z if s == 0 else mp.log1p(s * z) / s


def cosh_t(z, s):
    return (exp_t(z, s) + 1 / exp_t(z, s)) / 2


def sinh_t(z, s):
    return (exp_t(z, s) - 1 / exp_t(z, s)) / 2


def cosh_printed(z, s):
    return (exp_t(z, s) + exp_t(-z, s)) / 2


def sinh_printed(z, s):
    return (exp_t(z, s) - exp_t(-z, s)) / 2


def add_t(x, y, s):
    return x + y + s * x * y


def sub_t(x, y, s):
    return (x - y) / (1 + s * y)


def mul_t(x, y, s):
    return exp_t(log_t(x, s) + log_t(y, s), s)


def div_t(x, y, s):
    return exp_t(log_t(x, s) - log_t(y, s), s)


def value_and_condition(f, *operands, t):
    """Return f in DIGITS digits, and the sum of its relative condition numbers in all arguments.

    The temperature enters by s = 1 - t, exact here for the double t. Next to s = 0 and to zeros
    of f the quotients cancel, so they get as many digits again as 1/s and the operands cost.
    """
    with mp.workdps(DIGITS * 10):
        arguments = [mp.mpf(x) for x in operands] + [1 - mp.mpf(t)]
        value = f(*arguments)
        if not mp.isfinite(value) or value == 0:
            return value, mp.inf
        condition = mp.mpf(0)
        for i, x in enumerate(arguments):
            if x == 0:  # x f_x = 0
                continue
            step = abs(x) * mp.mpf(10) ** (-DIGITS * 3)
            up = f(*arguments[:i], x + step, *arguments[i + 1 :])
            down = f(*arguments[:i], x - step, *arguments[i + 1 :])
            condition += abs(x * (up - down) / (2 * step) / value)
    return +value, condition


def relative_error(got, value):
    with mp.workdps(DIGITS):
        return abs(mpmath.mpf(float(got)) / value - 1)
