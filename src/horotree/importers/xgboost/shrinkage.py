"""XGBoost's shrinkage of the leaves and its penalties, which its files do not have.

At an inner node a file has the weight ``w`` before shrinkage, at a leaf (in most files) only the
value ``v = rate * w``. Gradients add up, so at a node p with children c, both weighted by their
hessians H and regularized by lambda and alpha,

    w_p (H_p + lambda) + alpha sign(w_p) = sum_c w_c (H_c + lambda) + alpha sign(w_c).

With ``v / rate`` for the w of leaves, this is linear in 1 / rate, lambda / rate, lambda and alpha,
which least squares find if they are the same in all trees. Predictions do not depend on any of
them: pictures are drawn in units of the rate, and held-out verdicts need the penalties.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from horotree._checks import Floats
from horotree.importers.shared.forest import RawForest
from horotree.importers.shared.notes import MARGINS, UNCHECKED, margin_notes

from .trees import Weights

MAX_ROWS = 2**16

# The largest root mean square of the relative residuals of a fit that is believed: if nothing is
# known beforehand, and if the rate is.
TOLERANCE = 1e-4
LOOSE = 1e-3

# Rates that differ by less are the same.
SAME = 0.02


@dataclass(frozen=True, slots=True)
class Penalty:
    """XGBoost's lambda and alpha."""

    reg_lambda: float = 1.0
    reg_alpha: float = 0.0


@dataclass(frozen=True, slots=True)
class Configured:
    """The learning rate and the penalty that a booster would train its next tree with."""

    rate: float
    penalty: Penalty


@dataclass(frozen=True, slots=True, eq=False)
class _Equations:
    """The target of each parent of leaves, and the factors of the unknowns."""

    target: Floats
    by_lambda: Floats
    by_rate: Floats
    by_both: Floats
    by_alpha: Floats

    def given(self, penalty: Penalty) -> tuple[Floats, Floats]:
        """Return the factor of 1 / rate, and what the product must be."""
        right = self.target - penalty.reg_lambda * self.by_lambda
        factor = self.by_rate + penalty.reg_lambda * self.by_both
        return factor, right - penalty.reg_alpha * self.by_alpha


def read_configuration(config: Any) -> Configured | None:
    """Return the learning rate of a booster's configuration, of which versions differ."""
    if not isinstance(config, dict):
        return None
    if isinstance(config.get("tree_train_param"), dict):
        config = config["tree_train_param"]
    rate = _number(config, "eta", "learning_rate")
    if rate is not None and rate > 0.0:
        given = (_number(config, name, f"reg_{name}") for name in ("lambda", "alpha"))
        default = Penalty()
        pairs = zip(given, (default.reg_lambda, default.reg_alpha), strict=True)
        return Configured(rate, Penalty(*(usual if own is None else own for own, usual in pairs)))
    found = map(read_configuration, config.values())
    return next((one for one in found if one is not None), None)


def _number(config: dict[str, Any], *names: str) -> float | None:
    for name in names:
        if isinstance(config.get(name), str):
            number = float(str(np.float32(config[name])))  # 0.100000001 is the float32 of 0.1
            return number if math.isfinite(number) else None
    return None


def find_rate(
    forest: RawForest, weights: Weights, n_parallel: int, configured: Configured | None
) -> tuple[float, tuple[str, ...]]:
    """Return the learning rate, 1 if it is not known or not the same in all trees, and the notes.

    The ``configured`` rate is that of the last round, or, in a booster that was loaded, XGBoost's
    default of 0.3. So it is checked against the trees. Warns if the rate is estimated.
    """
    if not forest.n_trees:
        return 1.0, (MARGINS,)
    fit, least = None, 1
    if configured is not None:
        # More than one equation must speak against a rate that is known.
        fit, least = _fits(forest, weights, configured, n_parallel), 2
    rate = None if fit else _estimate(forest, weights, n_parallel, least)
    if configured is None:
        return rate or 1.0, margin_notes(rate, estimated=True)
    if rate is None or abs(rate / configured.rate - 1.0) < SAME:
        notes = margin_notes(configured.rate)
        return configured.rate, (*notes, UNCHECKED) if rate is None and fit is False else notes
    return rate, margin_notes(rate, estimated=True)


def find_penalty(forest: RawForest, weights: Weights, rate: float) -> Penalty | None:
    """Return lambda and alpha, given the learning rate; None if none explain the trees."""
    rows = _equations(forest, weights)
    if rows is None or not len(rows.target):
        return None
    rest = rows.target - rows.by_rate / rate
    by_lambda = rows.by_lambda + rows.by_both / rate
    if np.sqrt(np.mean(rest**2)) <= TOLERANCE:
        return Penalty(0.0, 0.0)
    for columns in ([by_lambda], [by_lambda, rows.by_alpha], [rows.by_alpha]):
        found = _solve(np.stack(columns, axis=1), rest, LOOSE)
        if found is not None and (found > 0.0).all():
            penalty = [_round(number) for number in found.tolist()]
            return Penalty(*penalty) if columns[0] is by_lambda else Penalty(0.0, *penalty)
    return None


def _fits(forest: RawForest, weights: Weights, known: Configured, n_parallel: int) -> bool | None:
    """Tell whether the leaves were shrunk by this rate; None if there is nothing to compare."""
    rows = None if _has_both(forest, weights) else _equations(forest, weights)
    if rows is None or not len(rows.target):
        return None
    factor, right = rows.given(known.penalty)
    return bool(np.sqrt(np.mean((factor * n_parallel / known.rate - right) ** 2)) <= LOOSE)


def _estimate(forest: RawForest, weights: Weights, n_parallel: int, least: int) -> float | None:
    """Return the learning rate that explains the leaves, by so many equations at least."""
    if _has_both(forest, weights):
        leaf = forest.left < 0
        value, weight = forest.output[leaf], weights.base_weight[leaf]
        known = weight != 0.0
        ratio = value[known] / weight[known]
        units = _solve(np.ones((len(ratio), 1)), ratio, LOOSE)
        unit = 0.0 if units is None else float(units[0])
    else:
        inverse = _fit(forest, weights, least)
        unit = 0.0 if inverse is None or inverse <= 0.0 else 1.0 / inverse
    rate = unit * n_parallel
    return _round(rate) if 1e-6 <= rate <= 10.0 else None


def _fit(forest: RawForest, weights: Weights, least: int) -> float | None:
    """Return 1 / unit if one explains the weights of inner nodes."""
    rows = _equations(forest, weights)
    if rows is None:
        return None
    # Most models have XGBoost's own lambda = 1 and alpha = 0: then a single equation is enough.
    factor, right = rows.given(Penalty())
    if len(right) >= least:
        found = _solve(factor[:, None], right)
        if found is not None:
            return float(found[0])
    columns = [rows.by_rate, rows.by_both, rows.by_lambda, rows.by_alpha]
    used = [column for column in columns if column.any()]
    if not rows.by_rate.any() or len(rows.target) < len(used) + least - 1:
        return None
    found = _solve(np.stack(used, axis=1), rows.target)
    return None if found is None else float(found[0])


def _has_both(forest: RawForest, weights: Weights) -> bool:
    """Tell whether a file has unshrunk weights of the leaves next to their values."""
    leaf = forest.left < 0
    value, weight = forest.output[leaf], weights.base_weight[leaf]
    differ = (weight != 0.0) & (np.abs(value - weight) > 1e-6 * np.abs(weight))
    return bool(len(differ)) and bool(differ.mean() >= 0.5)


def _equations(forest: RawForest, weights: Weights) -> _Equations | None:
    """Return the equations to scale 1, of a tree those that are not small in it."""
    arrays = (weights.base_weight, weights.hessian, forest.output[forest.left < 0])
    if not all(bool(np.isfinite(array).all()) for array in arrays):
        return None
    parents = np.flatnonzero(forest.left >= 0)
    children = np.stack([forest.left[parents], forest.right[parents]])
    leaf = forest.left[children] < 0
    some = leaf.any(axis=0)
    parents, children, leaf = parents[some], children[:, some], leaf[:, some]
    if len(parents) > MAX_ROWS:
        few = np.linspace(0, len(parents) - 1, MAX_ROWS).astype(np.intp)
        parents, children, leaf = parents[few], children[:, few], leaf[:, few]
    tree = np.repeat(np.arange(forest.n_trees), np.diff(forest.start))[parents]
    own, hessian = weights.base_weight[parents], weights.hessian
    inner = np.where(leaf, 0.0, weights.base_weight[children])
    shrunk = np.where(leaf, forest.output[children], 0.0)
    signs = np.sign(inner + shrunk)
    below = (np.abs(inner + shrunk) * hessian[children]).sum(axis=0)
    size = np.abs(own) * hessian[parents] + below
    largest = np.zeros(forest.n_trees)
    np.maximum.at(largest, tree, size)
    # A weight of 0 is what alpha makes of any small gradient: no information.
    good = (size > 1e-3 * largest[tree]) & signs.all(axis=0) & (own != 0.0)
    rows = (
        own * hessian[parents] - (inner * hessian[children]).sum(axis=0),
        inner.sum(axis=0) - own,
        (shrunk * hessian[children]).sum(axis=0),
        shrunk.sum(axis=0),
        signs.sum(axis=0) - np.sign(own),
    )
    return _Equations(*(row[good] / size[good] for row in rows))


def _solve(columns: Floats, target: Floats, tolerance: float = TOLERANCE) -> Floats | None:
    """Solve by least squares; None if it is not determined or does not fit."""
    if len(columns) < columns.shape[1]:
        return None
    scale = np.sqrt((columns**2).mean(axis=0))
    if (scale == 0.0).any():
        return None
    solution, _, rank, singular = np.linalg.lstsq(columns / scale, target, rcond=None)
    residual = columns @ (solution / scale) - target
    vague = rank < columns.shape[1] or singular[-1] < 1e-4 * singular[0]
    if vague or np.sqrt((residual**2).mean()) > tolerance:
        return None
    return np.asarray(solution / scale)


def _round(number: float) -> float:
    """Return the number of few digits that was meant."""
    short = float(f"{number:.2g}")
    return short if abs(short - number) <= 2e-3 * number else float(f"{number:.4g}")
