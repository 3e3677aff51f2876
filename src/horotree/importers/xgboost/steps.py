"""How XGBoost set the leaves: the penalties, found from the trees."""

from typing import Any

from horotree.importers.shared.documents import get
from horotree.importers.shared.forest import RawForest
from horotree.trees import Steps

from .shrinkage import find_penalty
from .trees import Weights


def find_steps(
    learner: Any,
    forest: RawForest,
    weights: Weights,
    rate: float,
    n_parallel: int,
) -> Steps | None:
    """Return how the leaves were set; None if that is not a Newton step of equal rows.

    Files do not have the penalties, and a booster may have others than it was trained with. A
    penalty that explains the weights of inner nodes is that of the training; a limit on steps, or
    monotonic constraints, leave none that does. Trees that are grown in parallel were shrunk by
    their number.
    """
    if (
        n_parallel > 1
        or get(learner, "gradient_booster", "name") == "dart"
        or _is_weighted(learner)
    ):
        return None
    penalty = find_penalty(forest, weights, rate)
    if penalty is None:
        return None
    many = str(get(learner, "objective", "name")).startswith("multi:")
    hessian = 2.0 if many else 1.0
    return Steps(penalty.reg_lambda, penalty.reg_alpha, hessian, "hessians")


def _is_weighted(learner: Any) -> bool:
    """Tell whether rows of the second class weighed more or less than others."""
    parameters = get(learner, "objective").get("reg_loss_param")
    text = parameters.get("scale_pos_weight", "1") if isinstance(parameters, dict) else "1"
    try:
        return float(text) != 1.0
    except (TypeError, ValueError):
        return True
