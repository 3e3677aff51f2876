"""The learning rates of XGBoost's trees: as the booster has it, or as the trees tell."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.importers.shared.forest import Forest
from horotree.importers.shared.learning_rate import SAME, Penalty, as_rates, estimate_units, fits
from horotree.importers.shared.notes import MARGINS, UNCHECKED, tell_changed, tell_margins

from .trees import Weights

_PENALTIES = ("lambda", "alpha")


@dataclass(frozen=True, slots=True)
class Configured:
    """The learning rate and the penalty that a booster would train its next tree with."""

    rate: float
    penalty: Penalty


def read_configuration(config: Any) -> Configured | None:
    """Return the learning rate of a booster's configuration, of which versions differ."""
    if not isinstance(config, dict):
        return None
    if isinstance(config.get("tree_train_param"), dict):
        config = config["tree_train_param"]
    rate = _number(config, "eta", "learning_rate")
    if rate is not None and rate > 0.0:
        reg_lambda, reg_alpha = (_number(config, name, f"reg_{name}") for name in _PENALTIES)
        default = Penalty()
        return Configured(
            rate,
            Penalty(
                default.reg_lambda if reg_lambda is None else reg_lambda,
                default.reg_alpha if reg_alpha is None else reg_alpha,
            ),
        )
    found = [read_configuration(part) for part in config.values()]
    return next((part for part in found if part is not None), None)


def _number(config: dict[str, Any], *names: str) -> float | None:
    for name in names:
        if isinstance(config.get(name), str):
            number = float(str(np.float32(config[name])))  # 0.100000001 is the float32 of 0.1
            return number if math.isfinite(number) else None
    return None


def find_rates(
    forest: Forest,
    weights: Weights,
    rounds: NDArray[np.int64],
    n_parallel: int,
    configured: Configured | None,
) -> tuple[Floats, tuple[str, ...]]:
    """Return the learning rate of each tree, and the notes; warn of a guess.

    Parameters
    ----------
    forest : Forest
        The trees; outputs of leaves as they were shrunk.
    weights : Weights
        The weights that XGBoost wrote of the same nodes.
    rounds : int64 array
        The round of each tree.
    n_parallel : int
        The trees that are grown at once, and share the learning rate.
    configured : Configured or None
        What the booster says. It is that of the last round, or of none: a booster that was loaded
        has XGBoost's own 0.3, whatever it was trained with. So it is checked.

    Returns
    -------
    rates : float64 array
        One a tree.
    notes : tuple of str
    """
    n = forest.n_trees
    if not n:
        return np.ones(0), (MARGINS,)
    fit, penalty = None, None
    if configured is not None:
        penalty = configured.penalty
        fit = fits(forest, weights, rounds, configured.rate / n_parallel, penalty)
    units = None if fit else estimate_units(forest, weights, rounds, penalty)
    rates = None if units is None else as_rates(units, n_parallel)
    if configured is None:
        return _tell(np.ones(n), None) if rates is None else _tell(rates, rates)
    if rates is None or (np.abs(rates / configured.rate - 1.0) < SAME).all():
        notes = tell_margins(configured.rate)
        unsure = rates is None and fit is False
        return np.full(n, configured.rate), (*notes, UNCHECKED) if unsure else notes
    return _tell(rates, rates)


def _tell(rates: Floats, estimated: Floats | None) -> tuple[Floats, tuple[str, ...]]:
    """Return learning rates with what is said of them, if any was estimated."""
    if estimated is None:
        return rates, tell_margins(None, estimated=True)
    low, high = float(rates.min()), float(rates.max())
    if low < high:
        return rates, tell_changed(low, high)
    return rates, tell_margins(low, estimated=True)
