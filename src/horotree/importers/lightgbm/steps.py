"""How LightGBM set the leaves: its parameters, if they leave Newton steps of equal rows."""

import math

import numpy as np

from horotree.importers.shared.forest import RawForest
from horotree.trees import Steps

from .text import Fields, ModelText

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


def find_steps(text: ModelText, forest: RawForest, sigmoid: float, n_classes: int) -> Steps | None:
    """Return how the leaves were set; None if that is not known, or no such step.

    The weights of leaves are sums of hessians. ``sigmoid`` is the factor of the scores within the
    sigmoid, ``n_classes`` the number of classes of a softmax, else 1.
    """
    given = text.parameters
    l2, l1 = (_number(given, name) for name in ("lambda_l2", "lambda_l1"))
    plain = all(given.get(name, values[0]) in values for name, values in _PLAIN.items())
    if not given or not plain or "average_output" in text.header or l2 is None or l1 is None:
        return None
    sets = _find_sets(text, forest)
    if sets is None or (np.isnan(forest.weight[forest.left < 0]).any() and (l2 or l1 or sets[0])):
        return None
    hessian = n_classes / (n_classes - 1.0) if n_classes > 1 else 1.0
    set_l2, features = sets
    return Steps(l2, l1 * sigmoid, hessian, "hessians", set_l2=set_l2, set_features=features)


def _find_sets(text: ModelText, forest: RawForest) -> tuple[float, tuple[int, ...]] | None:
    """Return what tests of sets add to l2 at leaves right below, and the features that they test.

    LightGBM penalizes the children of a test by cat_l2 if it ordered the categories. It compared
    each with all others, without that penalty, if the feature has up to max_cat_to_onehot bins: its
    categories, and -1 for all else, as the text lists them. None if that is not known.
    """
    by_set = forest.set_size > 0
    if not by_set.any() or text.parameters.get("cat_l2") == "0":
        return 0.0, ()
    names = "cat_l2", "max_cat_to_onehot"
    penalty, most = (_number(text.parameters, name) for name in names)
    if penalty is None or most is None or not all(name in text.parameters for name in names):
        return None
    infos = [info.split(":") for info in text.header.get("feature_infos", "").split()]
    tested = np.unique(forest.feature[by_set]).tolist()
    if any(j >= len(infos) or infos[j][0] != "-1" for j in tested):
        return None
    ordered = tuple(j for j in tested if len(infos[j]) > most)
    alone = by_set & ~np.isin(forest.feature, ordered)
    return None if (forest.set_size[alone] > 1).any() else (penalty, ordered)


def _number(parameters: Fields, name: str) -> float | None:
    try:
        number = float(parameters.get(name, "0"))
    except ValueError:
        return None
    return number if 0.0 <= number < math.inf else None
