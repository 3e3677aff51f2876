"""YDF's gradient boosted trees: the values and weights of leaves, and their shrinkage.

Files do not have the shrinkage (the learning rate). It is found from the first trees: the hessian
of every example is known there, for all have the same prediction. A node with the sum G of
gradients and H of hessians has the value ``rate · (G -+ l1) / (H + l2)``, so |G| is linear in
1 / rate, l2 / rate and l1.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from horotree._checks import Floats
from horotree.importers.errors import UnsupportedModelError
from horotree.importers.formats.protobuf import Message
from horotree.importers.shared.classes import make_ensembles
from horotree.importers.shared.forest import RawForest
from horotree.importers.shared.notes import margin_notes
from horotree.losses import inverse_link
from horotree.trees import Ensemble, Steps
from horotree.trees.links import softmax

from .nodes import Nodes

# Loss: those of classifiers.
BINOMIAL, MULTINOMIAL, FOCAL = 1, 3, 6
LOSSES = {
    0: "one of the user's own",
    2: "SQUARED_ERROR",
    4: "LAMBDA_MART_NDCG5",
    5: "XE_NDCG_MART",
    7: "POISSON",
    8: "MEAN_AVERAGE_ERROR",
    9: "LAMBDA_MART_NDCG",
    10: "COX_PROPORTIONAL_HAZARD",
}

# What leaves are clipped to, by default, after they were shrunk.
CLAMP = 5.0

# How many trees there may be: small ones take little space in files.
MAX_TREES = 2**18

# How many nodes are looked at to find the shrinkage, and how well they must agree.
MAX_ROWS = 20_000
TOLERANCE = 1e-4


@dataclass(frozen=True, slots=True)
class Shrinkage:
    """The learning rate, the penalties, and whether some trees were shrunk again."""

    rate: float
    l2: float
    l1: float
    again: bool = False


def read_boosting(
    header: Message, nodes: Nodes, forest: RawForest, n_classes: int
) -> tuple[Sequence[Ensemble], str, tuple[str, ...], Steps | None]:
    """Return the ensembles of boosted trees, the link, the notes, and how leaves were set."""
    loss, base = _read_loss(header, n_classes)
    n_groups = len(base)
    if header.whole(5, 1) != n_groups or forest.n_trees % n_groups:
        raise ValueError(
            f"there must be {n_groups} trees a round, got {header.whole(5, 1)} in a round and "
            f"{forest.n_trees} in all: the file is damaged."
        )
    if forest.n_trees > MAX_TREES:
        raise UnsupportedModelError(
            f"a model may have up to {MAX_TREES} trees, got {forest.n_trees}: train fewer."
        )
    if not (nodes.has_regressor | nodes.inner).all():
        raise ValueError("every leaf must have a value: the file is damaged.")
    output = np.where(nodes.inner, 0.0, nodes.regressor.floats(1))
    weight = _read_weights(nodes)
    shrinkage, rate = None, 1.0 if not forest.n_trees else None
    if forest.n_trees and loss != FOCAL:  # its hessians differ in the first round already
        shrinkage = _find_shrinkage(nodes, forest, base)
        rate = shrinkage.rate if shrinkage else None
    forest = replace(forest, output=output, weight=weight)
    unit = rate or 1.0
    trees = forest.trees(np.full(forest.n_trees, unit))
    group = np.arange(len(trees)) % n_groups
    ensembles = make_ensembles(trees, np.full(len(trees), unit), group, base)
    link = "softmax" if loss == MULTINOMIAL else "logistic"
    return ensembles, link, margin_notes(rate), _as_steps(shrinkage, forest)


def _as_steps(shrinkage: Shrinkage | None, forest: RawForest) -> Steps | None:
    """Return how the leaves were set, if that is known."""
    leaf = forest.left < 0
    unclear = shrinkage is None or shrinkage.again or min(shrinkage.l2, shrinkage.l1) < 0.0
    if shrinkage is None or unclear or np.isnan(forest.weight[leaf]).any():
        return None
    largest = float(np.abs(forest.output[leaf]).max())
    limit = largest / shrinkage.rate if largest == CLAMP else math.inf
    return Steps(shrinkage.l2, shrinkage.l1, limit=limit)


def _read_loss(header: Message, n_classes: int) -> tuple[int, list[float]]:
    """Return the loss, and the score of each ensemble before the first tree."""
    loss, base = header.whole(3), header.floats(4)
    if loss not in (BINOMIAL, MULTINOMIAL, FOCAL):
        raise UnsupportedModelError(
            "YDF's loss must be BINOMIAL_LOG_LIKELIHOOD, BINARY_FOCAL_LOSS or "
            f"MULTINOMIAL_LOG_LIKELIHOOD, got {LOSSES.get(loss, 'an unknown one')}."
        )
    n_groups = n_classes if loss == MULTINOMIAL else 1
    if len(base) != n_groups or (n_groups == 1 and n_classes != 2):
        raise ValueError(
            f"there must be {n_groups} initial predictions for {n_classes} classes, got "
            f"{len(base)}: the file is damaged."
        )
    if not all(map(math.isfinite, base)):
        raise ValueError(f"initial predictions must be finite, got {base[:9]}: damaged.")
    return loss, base


def _read_weights(nodes: Nodes) -> Floats:
    """Return the training weight of nodes; of those of smaller files, their examples or NaN."""
    known = np.where(nodes.count >= 0, nodes.count, np.nan)
    regular = nodes.regressor.messages(2).doubles(3, np.nan)
    with_hessian = nodes.regressor.doubles(5, np.nan)
    weight = np.where(np.isnan(with_hessian), regular, with_hessian)
    return np.where(np.isnan(weight), known, weight)


def _find_shrinkage(nodes: Nodes, forest: RawForest, base: list[float]) -> Shrinkage | None:
    """Return the shrinkage, None if it cannot be found."""
    value, gradient, hessian = _first_round(nodes, forest, base)
    inner = nodes.inner[: len(value)]
    found = _fit(value, gradient, hessian)
    if found is None:  # DART shrinks leaves again, and inner nodes not
        found = _fit(value[inner], gradient[inner], hessian[inner])
        return found and replace(found, again=True)
    return found


def _first_round(
    nodes: Nodes, forest: RawForest, base: list[float]
) -> tuple[Floats, Floats, Floats]:
    """Return the sizes of value, gradient and hessian of the nodes of the first trees."""
    start = np.array(base)
    posterior = inverse_link(start) if len(base) == 1 else softmax(start)
    size = np.diff(forest.start[: len(base) + 1])
    by_node = np.repeat(posterior * (1.0 - posterior), size)[:MAX_ROWS]
    end = len(by_node)
    regressor = nodes.regressor
    distribution = regressor.messages(2)
    regular, weight = distribution.doubles(1, np.nan), distribution.doubles(3, np.nan)
    gradient, hessian = regressor.doubles(3, np.nan), regressor.doubles(4, np.nan)
    has_hessian = ~np.isnan(hessian[:end])
    with np.errstate(over="ignore"):
        weighted = weight[:end] * by_node
    return (
        np.abs(regressor.floats(1, np.nan)[:end]),
        np.abs(np.where(has_hessian, gradient[:end], regular[:end])),
        np.where(has_hessian, hessian[:end], weighted),
    )


def _fit(value: Floats, gradient: Floats, hessian: Floats) -> Shrinkage | None:
    """Return the shrinkage that explains the values, else None."""
    known = np.isfinite(value) & np.isfinite(gradient) & np.isfinite(hessian)
    known &= (value > 0.0) & (gradient > 1e-3 * gradient[known].max(initial=0.0)) & (hessian > 0.0)
    with np.errstate(over="ignore"):
        unit = value[known] / gradient[known]
        columns = np.stack([unit * hessian[known], unit, 1.0 / gradient[known]], axis=1)
        size = np.sqrt((columns**2).mean(axis=0)) if known.any() else np.zeros(3)
    if not ((size > 0.0) & np.isfinite(size)).all():
        return None
    ratio = columns[:, 0]
    middle = float(np.median(ratio))
    if (np.abs(ratio - middle) <= TOLERANCE * middle).mean() > 0.9:
        return _as_shrinkage(middle, 0.0, 0.0)
    columns /= size
    for n in (2, 3):  # with l2, and with l1, too
        if len(columns) <= n:
            break
        solution, _, rank, _ = np.linalg.lstsq(columns[:, :n], np.ones(len(columns)), rcond=None)
        residual = columns[:, :n] @ solution - 1.0
        if rank == n and np.sqrt((residual**2).mean()) <= TOLERANCE:
            if solution[0] <= 0.0:
                return None
            inverse, by_l2, l1 = [*(solution / size[:n]).tolist(), 0.0][:3]
            return _as_shrinkage(1.0 / inverse, by_l2 / inverse, l1)
    return None


def _as_shrinkage(rate: float, l2: float, l1: float) -> Shrinkage | None:
    """Return the numbers that were meant; None if the first is no learning rate."""
    if not 1e-6 <= rate <= 10.0:
        return None
    return Shrinkage(_snap(rate), _snap(l2), _snap(l1))


def _snap(number: float) -> float:
    """Return the number of few digits that was meant."""
    if abs(number) < 1e-6:
        return 0.0
    shorts = [float(f"{number:.{digits}g}") for digits in range(1, 7)]
    close = (short for short in shorts if abs(short - number) <= TOLERANCE * abs(number))
    return next(close, number)
