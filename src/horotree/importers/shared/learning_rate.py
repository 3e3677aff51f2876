"""What XGBoost does not write into its files: by how much the leaves were shrunk.

At an inner node a file has the weight ``w`` before shrinkage, at a leaf (in most files) only the
value ``v = rate · w``. Gradients add up, so at a node p with children c, both weighted by their
hessians H and regularized by lambda and alpha,

    w_p (H_p + lambda) + alpha sign(w_p) = sum_c w_c (H_c + lambda) + alpha sign(w_c).

With ``v / rate`` for the w of leaves, this is linear in 1 / rate, lambda / rate, lambda and alpha.
Rates may change from round to round: a schedule, or training that was continued. Then they are
solved for one by one, with the same lambda and alpha.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.importers.xgboost.trees import Weights

from .forest import Forest

MAX_ROWS = 2**16

# The largest root mean square of the relative residuals of a fit that is believed: of one rate for
# all rounds, of which nothing is known; and of one that is known, or of a round alone.
TOLERANCE = 1e-4
LOOSE = 1e-3

# Rates that differ by less are the same.
SAME = 0.02


@dataclass(frozen=True, slots=True)
class Penalty:
    """XGBoost's lambda and alpha."""

    reg_lambda: float = 1.0
    reg_alpha: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _Equations:
    """One entry a parent of leaves: its round, the target, and the factors of the unknowns."""

    round: NDArray[np.int64]
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

    def of(self, which: int) -> "_Equations":
        """Return the equations of a round."""
        own = self.round == which
        return _Equations(
            self.round[own],
            self.target[own],
            self.by_lambda[own],
            self.by_rate[own],
            self.by_both[own],
            self.by_alpha[own],
        )


def fits(
    forest: Forest, weights: Weights, rounds: NDArray[np.int64], unit: float, penalty: Penalty
) -> bool | None:
    """Tell whether leaves were shrunk by this unit in all rounds; None if the trees do not tell.

    Parameters
    ----------
    forest : Forest
        The trees; outputs of leaves as they were shrunk.
    weights : Weights
        The weights that XGBoost wrote of the same nodes.
    rounds : int64 array
        The round of each tree.
    unit : float
        The learning rate over the trees that are grown at once.
    penalty : Penalty
        Lambda and alpha of the training.

    Returns
    -------
    bool or None
    """
    leaf = forest.left < 0
    if not _are_finite(forest, weights) or _has_both(forest.output[leaf], weights, leaf):
        return None
    rows = _equations(forest, weights, rounds)
    if not len(rows.target):
        return None
    factor, right = rows.given(penalty)
    return bool(np.sqrt(np.mean((factor / unit - right) ** 2)) <= LOOSE)


def estimate_units(
    forest: Forest, weights: Weights, rounds: NDArray[np.int64], penalty: Penalty | None = None
) -> Floats | None:
    """Estimate by how much the leaves of each tree were shrunk.

    Parameters
    ----------
    forest : Forest
        The trees; outputs of leaves as they were shrunk.
    weights : Weights
        The weights that XGBoost wrote of the same nodes.
    rounds : int64 array
        The round of each tree: 0, 1, ... Trees of a round were shrunk alike.
    penalty : Penalty, optional
        Lambda and alpha, if they are known. Then there is a rate that would be replaced, too, and
        more than one equation must speak for the estimate.

    Returns
    -------
    float64 array or None
        One number a tree; None if the trees do not tell.
    """
    if not _are_finite(forest, weights):
        return None
    leaf = forest.left < 0
    value, n_rounds = forest.output[leaf], int(rounds.max(initial=-1)) + 1
    if _has_both(value, weights, leaf):
        weight = weights.base_weight[leaf]
        owner = np.repeat(rounds, np.diff(forest.start))[leaf]
        known = weight != 0.0
        ratio = value[known] / weight[known]
        by_round = _solve_rounds(np.ones(len(ratio)), ratio, owner[known], n_rounds, 1)
        return None if by_round is None else by_round[rounds]
    rows = _equations(forest, weights, rounds)
    inverse = _fit(rows, 1 if penalty is None else 2)
    if inverse is not None:
        return np.full(forest.n_trees, 1.0 / inverse) if inverse > 0.0 else None
    for candidate in _penalties(rows, penalty):
        inverses = _solve_rounds(*rows.given(candidate), rows.round, n_rounds, 2)
        if inverses is not None:
            return np.asarray(1.0 / inverses[rounds])
    return None


def find_penalty(
    forest: Forest, weights: Weights, rounds: NDArray[np.int64], rates: Floats
) -> Penalty | None:
    """Find lambda and alpha, given by how much leaves were shrunk.

    Parameters
    ----------
    forest : Forest
        The trees; outputs of leaves as they were shrunk.
    weights : Weights
        The weights that XGBoost wrote of the same nodes.
    rounds : int64 array
        The round of each tree.
    rates : float64 array
        By how much the leaves of each tree were shrunk: the same in all trees of a round.

    Returns
    -------
    Penalty or None
        None if the trees do not tell, or if no penalty explains them.
    """
    rows = _equations(forest, weights, rounds) if _are_finite(forest, weights) else None
    if rows is None or not len(rows.target):
        return None
    inverse = np.empty(int(rounds.max()) + 1)
    inverse[rounds] = 1.0 / rates
    rest = rows.target - inverse[rows.round] * rows.by_rate
    by_lambda = rows.by_lambda + inverse[rows.round] * rows.by_both
    if np.sqrt(np.mean(rest**2)) <= TOLERANCE:
        return Penalty(0.0, 0.0)
    for columns in ([by_lambda], [by_lambda, rows.by_alpha], [rows.by_alpha]):
        found = _solve(np.stack(columns, axis=1), rest, LOOSE)
        if found is not None and (found > 0.0).all():
            penalty = [_snap(number) for number in found.tolist()]
            return Penalty(*penalty) if columns[0] is by_lambda else Penalty(0.0, *penalty)
    return None


def as_rates(units: Floats, n_parallel: int) -> Floats | None:
    """Return the learning rates that were meant: one for all trees if they are almost the same.

    Parameters
    ----------
    units : float64 array
        By how much the leaves of each tree were shrunk.
    n_parallel : int
        The trees that are grown at once, and share the learning rate.

    Returns
    -------
    float64 array or None
        None if these are no learning rates.
    """
    middle = float(np.median(units))
    if np.ptp(units) <= 4e-3 * middle:
        units = np.full(len(units), middle)
    if not (units * n_parallel >= 1e-6).all() or (units * n_parallel > 10.0).any():
        return None
    found, places = np.unique(units, return_inverse=True)
    return np.array([_snap(rate) for rate in (found * n_parallel).tolist()])[places]


def _snap(rate: float) -> float:
    """Return the number of few digits that was meant."""
    short = float(f"{rate:.2g}")
    return short if abs(short - rate) <= 2e-3 * rate else float(f"{rate:.4g}")


def _are_finite(forest: Forest, weights: Weights) -> bool:
    of_leaves = forest.output[forest.left < 0]
    arrays = (weights.base_weight, weights.hessian, of_leaves)
    return all(bool(np.isfinite(array).all()) for array in arrays)


def _has_both(value: Floats, weights: Weights, leaf: NDArray[np.bool_]) -> bool:
    """Tell whether a file has unshrunk weights of the leaves next to their values."""
    weight = weights.base_weight[leaf]
    differ = (weight != 0.0) & (np.abs(value - weight) > 1e-6 * np.abs(weight))
    return bool(len(differ)) and bool(differ.mean() >= 0.5)


def _fit(rows: _Equations, least: int) -> float | None:
    """Return 1 / rate if one rate explains the weights of inner nodes, else None."""
    # Most models have XGBoost's own lambda = 1 and alpha = 0: then a single equation is enough.
    factor, right = rows.given(Penalty())
    if len(right) >= least:
        default = _solve(factor[:, None], right)
        if default is not None:
            return float(default[0])
    full = _fit_all(rows, least - 1)
    return None if full is None else full[0]


def _fit_all(rows: _Equations, more: int) -> tuple[float, Penalty] | None:
    """Return 1 / rate, lambda and alpha, if there are more equations than unknowns by so many."""
    columns = [rows.by_rate, rows.by_both, rows.by_lambda, rows.by_alpha]
    used = [column.any() for column in columns]
    if not used[0] or len(rows.target) < sum(used) + more:
        return None
    chosen = [column for column, use in zip(columns, used, strict=True) if use]
    full = _solve(np.stack(chosen, axis=1), rows.target)
    if full is None or full[0] <= 0.0:
        return None
    penalty = Penalty(full[1] / full[0] if used[1] else 1.0, full[-1] if used[3] else 0.0)
    return float(full[0]), penalty


def _penalties(rows: _Equations, known: Penalty | None) -> Iterator[Penalty]:
    """Yield what lambda and alpha may be: those that are known, the default, those of rounds."""
    if known is not None:
        yield known
    if not len(rows.target):
        return
    yield Penalty()
    for largest in np.argsort(-np.bincount(rows.round), kind="stable")[:8].tolist():
        found = _fit_all(rows.of(largest), 1)
        if found is not None:
            yield found[1]


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


def _solve_rounds(
    factor: Floats, right: Floats, owner: NDArray[np.int64], n_rounds: int, least: int
) -> Floats | None:
    """Return the unknown of each round, from so many equations at least; None if most do not fit.

    A round that does not tell has the number of the one before it.
    """
    squares, products, count = (
        np.bincount(owner, values, n_rounds)
        for values in (factor * factor, factor * right, np.ones(len(factor)))
    )
    unknown = np.divide(products, squares, out=np.zeros(n_rounds), where=squares > 0.0)
    residual = np.bincount(owner, (factor * unknown[owner] - right) ** 2, n_rounds)
    tested = count >= least
    good = tested & (residual <= LOOSE**2 * count) & (unknown > 0.0)
    if not good.any() or good.sum() < 0.8 * tested.sum():
        return None
    last = np.maximum.accumulate(np.where(good, np.arange(n_rounds), -1))
    return np.asarray(unknown[np.where(last < 0, np.argmax(good), last)])


def _equations(forest: Forest, weights: Weights, rounds: NDArray[np.int64]) -> _Equations:
    """Return the equations to scale 1: of a round those that are not small in it."""
    parents = np.flatnonzero(forest.left >= 0)
    children = np.stack([forest.left[parents], forest.right[parents]])
    leaf = forest.left[children] < 0
    some = leaf.any(axis=0)
    parents, children, leaf = parents[some], children[:, some], leaf[:, some]
    if len(parents) > MAX_ROWS:
        few = np.linspace(0, len(parents) - 1, MAX_ROWS).astype(np.intp)
        parents, children, leaf = parents[few], children[:, few], leaf[:, few]
    owner = np.repeat(rounds, np.diff(forest.start))[parents]
    own, hessian = weights.base_weight[parents], weights.hessian
    inner = np.where(leaf, 0.0, weights.base_weight[children])
    shrunk = np.where(leaf, forest.output[children], 0.0)
    signs = np.sign(inner + shrunk)
    below = (np.abs(inner + shrunk) * hessian[children]).sum(axis=0)
    size = np.abs(own) * hessian[parents] + below
    largest = np.zeros(int(rounds.max(initial=-1)) + 1)
    np.maximum.at(largest, owner, size)
    # A weight of 0 is what alpha makes of any small gradient: it tells nothing.
    good = (size > 1e-3 * largest[owner]) & signs.all(axis=0) & (own != 0.0)
    rows = (
        own * hessian[parents] - (inner * hessian[children]).sum(axis=0),
        inner.sum(axis=0) - own,
        (shrunk * hessian[children]).sum(axis=0),
        shrunk.sum(axis=0),
        signs.sum(axis=0) - np.sign(own),
    )
    return _Equations(owner[good], *(row[good] / size[good] for row in rows))
