"""What XGBoost does not write into its files: by how much the leaves were shrunk.

At an inner node a file has the weight ``w`` before shrinkage, at a leaf (in most files) only the
value ``v = rate · w``. Gradients add up, so at a node p with children c, both weighted by their
hessians H and regularized by lambda and alpha,

    w_p (H_p + lambda) + alpha sign(w_p) = sum_c w_c (H_c + lambda) + alpha sign(w_c).

With ``v / rate`` for the w of leaves, this is linear in 1 / rate, lambda / rate, lambda and alpha.
"""

import numpy as np

from horotree._checks import Floats

from ._forest import Forest
from ._xgboost_trees import Weights

MAX_ROWS = 20_000

# The largest root mean square of the relative residuals of a fit that is believed.
TOLERANCE = 1e-4


def estimate_rate(forest: Forest, weights: Weights, n_parallel: int = 1) -> float | None:
    """Estimate the learning rate of a forest of XGBoost.

    Parameters
    ----------
    forest : Forest
        The trees; outputs of leaves as they were shrunk.
    weights : Weights
        The weights that XGBoost wrote of the same nodes.
    n_parallel : int
        The trees that are grown at once, and share the learning rate.

    Returns
    -------
    float or None
        None if the trees do not tell.
    """
    if not (np.isfinite(weights.base_weight).all() and np.isfinite(weights.hessian).all()):
        return None
    leaf = forest.left < 0
    if not np.isfinite(forest.output[leaf]).all():
        return None
    rate = _ratio(forest.output[leaf], weights.base_weight[leaf])
    if rate is None:
        rate = _fit(forest, weights)
    return None if rate is None else _snap(rate * n_parallel)


def _snap(rate: float) -> float | None:
    """Return the number of few digits that was meant; None if it is no learning rate."""
    if not 1e-6 <= rate <= 10.0:
        return None
    short = float(f"{rate:.2g}")
    return short if abs(short - rate) <= 2e-3 * rate else float(f"{rate:.4g}")


def _ratio(value: Floats, weight: Floats) -> float | None:
    """Return the ratio of shrunk to unshrunk leaves where a file has both, else None."""
    known = (weight != 0.0) & (np.abs(value - weight) > 1e-6 * np.abs(weight))
    if not known.any() or known.mean() < 0.5:
        return None
    ratio = value[known] / weight[known]
    middle = float(np.median(ratio))
    return middle if np.mean(np.abs(ratio - middle) <= 1e-3 * abs(middle)) > 0.9 else None


def _fit(forest: Forest, weights: Weights) -> float | None:
    """Return the rate that explains the weights of inner nodes, else None."""
    rows = _equations(forest, weights)
    if not len(rows):
        return None
    target, by_lambda, by_rate, by_both, by_alpha = rows.T
    # Most models have XGBoost's own lambda = 1 and alpha = 0: then a single equation is enough.
    default = _solve((by_rate + by_both)[:, None], target - by_lambda)
    if default is not None:
        return 1.0 / default[0] if default[0] > 0.0 else None
    columns = [column for column in (by_rate, by_both, by_lambda, by_alpha) if column.any()]
    full = _solve(np.stack(columns, axis=1), target)
    return 1.0 / full[0] if full is not None and full[0] > 0.0 else None


def _solve(columns: Floats, target: Floats) -> Floats | None:
    """Solve by least squares; None if it is not determined or does not fit."""
    if len(columns) < columns.shape[1]:
        return None
    scale = np.sqrt((columns**2).mean(axis=0))
    if (scale == 0.0).any():
        return None
    solution, _, rank, singular = np.linalg.lstsq(columns / scale, target, rcond=None)
    residual = columns @ (solution / scale) - target
    vague = rank < columns.shape[1] or singular[-1] < 1e-4 * singular[0]
    if vague or np.sqrt((residual**2).mean()) > TOLERANCE:
        return None
    return np.asarray(solution / scale)


def _equations(forest: Forest, weights: Weights) -> Floats:
    """Return one row a parent of leaves: target and the factors of the unknowns, to scale 1."""
    parents = np.flatnonzero(forest.left >= 0)
    children = np.stack([forest.left[parents], forest.right[parents]])
    leaf = forest.left[children] < 0
    some = leaf.any(axis=0)
    parents, children, leaf = parents[some], children[:, some], leaf[:, some]
    if len(parents) > MAX_ROWS:
        few = np.linspace(0, len(parents) - 1, MAX_ROWS).astype(np.intp)
        parents, children, leaf = parents[few], children[:, few], leaf[:, few]
    own, hessian = weights.base_weight[parents], weights.hessian
    inner = np.where(leaf, 0.0, weights.base_weight[children])
    shrunk = np.where(leaf, forest.output[children], 0.0)
    signs = np.sign(inner + shrunk)
    rows = np.stack(
        [
            own * hessian[parents] - (inner * hessian[children]).sum(axis=0),
            inner.sum(axis=0) - own,
            (shrunk * hessian[children]).sum(axis=0),
            shrunk.sum(axis=0),
            signs.sum(axis=0) - np.sign(own),
        ],
        axis=1,
    )
    below = (np.abs(inner + shrunk) * hessian[children]).sum(axis=0)
    size = np.abs(own) * hessian[parents] + below
    # A weight of 0 is what alpha makes of any small gradient: it tells nothing.
    good = (size > 1e-3 * size.max(initial=0.0)) & signs.all(axis=0) & (own != 0.0)
    return np.asarray(rows[good] / size[good, None])
