"""Numbers with a temperature t: the algebra and calculus in which ``x + y + (1-t)xy`` adds."""

from .algebra import (
    add_t,
    cosh_t,
    div_t,
    exp_t,
    lift,
    log_t,
    mul_t,
    sinh_t,
    sub_t,
    unlift,
)

__all__ = [
    "add_t",
    "cosh_t",
    "div_t",
    "exp_t",
    "lift",
    "log_t",
    "mul_t",
    "sinh_t",
    "sub_t",
    "unlift",
]
