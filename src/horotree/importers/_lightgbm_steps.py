"""How LightGBM set the leaves: its parameters, if they leave Newton steps of equal rows."""

import math

import numpy as np

from horotree.trees import Steps

from ._forest import Forest
from ._lightgbm_text import Fields, ModelText

# Parameters that change leaves beyond penalties, as they are if they do not; also if not given.
_PLAIN = {
    "max_delta_step": ("0",),
    "path_smooth": ("0",),
    "monotone_constraints": ("",),
    "is_unbalance": ("0",),
    "scale_pos_weight": ("1",),
    "linear_tree": ("0",),
    "use_quantized_grad": ("0",),
    "refit_decay_rate": ("0.9",),
    "boosting": ("gbdt", "goss"),
}


def find_steps(text: ModelText, forest: Forest, sigmoid: float, n_classes: int) -> Steps | None:
    """Return how the leaves were set; None if that is not known, or no such step.

    Parameters
    ----------
    text : ModelText
        What the file says.
    forest : Forest
        The trees; the weights of leaves are sums of hessians.
    sigmoid : float
        The factor of the scores within the sigmoid.
    n_classes : int
        The classes of a softmax, else 1.

    Returns
    -------
    Steps or None
    """
    given = text.parameters
    l2, l1, by_set = (_number(given, name) for name in ("lambda_l2", "lambda_l1", "cat_l2"))
    plain = all(given.get(name, values[0]) in values for name, values in _PLAIN.items())
    if not given or not plain or "average_output" in text.header or l2 is None or l1 is None:
        return None
    # A leaf below a test of categories has another penalty.
    if by_set != 0.0 and (forest.set_size > 0).any():
        return None
    if np.isnan(forest.weight[forest.left < 0]).any() and (l2 or l1):
        return None
    hessian = n_classes / (n_classes - 1.0) if n_classes > 1 else 1.0
    return Steps(l2, l1 * sigmoid, hessian, "hessians")


def _number(parameters: Fields, name: str) -> float | None:
    try:
        number = float(parameters.get(name, "0"))
    except ValueError:
        return None
    return number if 0.0 <= number < math.inf else None
