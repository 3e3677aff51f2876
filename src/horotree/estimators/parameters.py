"""Checks of the parameters of an estimator, made by ``fit``."""

import math
import numbers
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeGuard

import numpy as np

from horotree._checks import check_n_jobs, check_number, n_threads_of
from horotree.training import Settings

Check = Callable[[object, str], None]

AUTO = "auto"


def check_parameters(parameters: Mapping[str, Any]) -> None:
    """Raise unless every parameter has an allowed value, also together with the others."""
    for name, value in parameters.items():
        _CHECKS[name](value, name)
    if parameters["smoothing"] == 0 and parameters["pure_leaves"] != "forbid":
        raise ValueError(
            "smoothing=0 gives pure leaves an infinite confidence, got pure_leaves='allow': pass "
            "pure_leaves='forbid', or a positive smoothing."
        )


def settings_of(
    parameters: Mapping[str, Any], n_features: int, seed: int, **others: Any
) -> Settings:
    """Return the settings of checked parameters; ``others`` replace some."""
    names = {field.name for field in fields(Settings)} & parameters.keys()
    values = {name: parameters[name] for name in names} | others
    values["max_features"] = _n_features_drawn(parameters["max_features"], n_features)
    values["n_threads"] = n_threads_of(parameters["n_jobs"])
    plain = {k: v.item() if isinstance(v, np.generic) else v for k, v in values.items()}
    return Settings(**plain, seed=seed)


def _n_features_drawn(max_features: Any, n_features: int) -> int | None:
    """Return how many features are drawn for a node; None is all."""
    if max_features is None:
        return None
    if max_features == "sqrt":
        return max(1, math.isqrt(n_features))
    if max_features == "log2":
        return max(1, int(math.log2(n_features)))
    if not _is_integer(max_features):
        return max(1, int(max_features * n_features))
    if max_features > n_features:
        raise ValueError(
            f"max_features must be at most the number of features, got {max_features} for "
            f"{n_features}: pass a smaller number, a share in (0, 1], or None for all."
        )
    return int(max_features)


# The largest integer that the compiled core takes.
_MOST = 2**31 - 1


def _is_integer(value: object) -> TypeGuard[int]:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool | np.bool_)


def _integer(least: int, *, none: str | None = None) -> Check:
    """Return a check for integers from ``least`` on; ``none`` says what None means, if allowed."""
    hint = "" if none is None else f", or None for {none}"

    def check(value: object, name: str) -> None:
        if value is None and none is not None:
            return
        if not _is_integer(value):
            raise TypeError(
                f"{name} must be an integer, got {value!r}: pass {least} or more{hint}."
            )
        if value < least:
            raise ValueError(f"{name} must be at least {least}, got {value!r}{hint}.")
        if value > _MOST:
            raise ValueError(f"{name} must be at most {_MOST}, got {value!r}{hint}.")

    return check


def _real(low: float, high: float, *, closed: str, rule: str) -> Check:
    """Return a check for numbers in an interval; ``closed`` names the ends that belong to it."""

    def check(value: object, name: str) -> None:
        if isinstance(value, bool | np.bool_):
            raise TypeError(f"{name} must be a number {rule}, got {value!r}: pass such a number.")
        number = check_number(value, name, hint=f"pass a number {rule}")
        above = number >= low if "low" in closed else number > low
        below = number <= high if "high" in closed else number < high
        if not (above and below):
            raise ValueError(f"{name} must be {rule}, got {value!r}: pass such a number.")

    return check


def _one_of(*choices: object, otherwise: Check | None = None) -> Check:
    """Return a check for some values, or else those that pass another check."""
    names = ", ".join(repr(choice) for choice in choices)

    def check(value: object, name: str) -> None:
        if any(type(value) is type(choice) and value == choice for choice in choices):
            return
        if otherwise is not None and not isinstance(value, str):
            otherwise(value, name)
            return
        also = "" if otherwise is None else ", or a number"
        raise ValueError(f"{name} must be one of {names}{also}, got {value!r}: pass one of these.")

    return check


def _check_flag(value: object, name: str) -> None:
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {value!r}: pass one of these.")


def _check_features(value: object, name: str) -> None:
    (_integer(1) if _is_integer(value) else _share)(value, name)


def _check_smoothing(value: object, name: str) -> None:
    """Accept 0, and numbers that keep the logit of a pure leaf finite."""
    _real(0.0, math.inf, closed="low", rule="0 or more")(value, name)
    if 0.0 < check_number(value, name) < 1e-9:
        raise ValueError(f"{name} must be 0, or at least 1e-9, got {value!r}: pass such a number.")


def _check_verbose(value: object, name: str) -> None:
    if not isinstance(value, numbers.Integral) or value < 0:
        raise ValueError(f"{name} must be 0 or more, got {value!r}: pass 1 for a progress bar.")


def _check_class_weight(value: object, name: str) -> None:
    if not (
        value is None
        or isinstance(value, Mapping)
        or (isinstance(value, str) and value == "balanced")
    ):
        raise ValueError(
            f"{name} must be None, 'balanced' or a dict from class to weight, got {value!r}: pass "
            "one of these."
        )


def _anything(value: object, name: str) -> None:
    """Accept everything: checked where it is used."""


_share = _real(0.0, 1.0, closed="high", rule="in (0, 1]")

_CHECKS: dict[str, Check] = {
    "n_estimators": _integer(1),
    "max_leaf_nodes": _integer(2),
    "max_depth": _integer(1, none="no limit"),
    "min_samples_leaf": _integer(1),
    "learning_rate": _real(0.0, 10.0, closed="high", rule="above 0, at most 10"),
    "smoothing": _one_of(AUTO, otherwise=_check_smoothing),
    "pure_leaves": _one_of("allow", "forbid"),
    "weak_learner": _one_of("tree", "monotonic"),
    "as_drawn": _check_flag,
    "max_bins": _integer(2, none="every distinct value"),
    "max_features": _one_of(None, "sqrt", "log2", otherwise=_check_features),
    "subsample": _share,
    "categorical_features": _anything,
    "class_weight": _check_class_weight,
    "early_stopping": _one_of(AUTO, otherwise=_check_flag),
    "validation_fraction": _real(0.0, 1.0, closed="", rule="between 0 and 1"),
    "n_iter_no_change": _integer(1),
    "warm_start": _check_flag,
    "n_jobs": check_n_jobs,
    "random_state": _anything,
    "verbose": _check_verbose,
}
