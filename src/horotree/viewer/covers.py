"""How many training rows each leaf stands for: the weights of averages in Shapley values."""

import numpy as np

from horotree._checks import Floats
from horotree.trees import Model
from horotree.trees.forest import join

COVERS = ("count", "weight")


def find_cover(model: Model) -> str | None:
    """Return which field of leaves, "count" or "weight", says how many training rows they hold.

    Averages over an unknown feature take the children of a test by this cover. Where weights are
    sums over training rows it is these, so that bootstrap, class and sample weights count. Where
    they are those of a boosting round, or hessians, it is the number of training rows; where that
    is unknown, as in models of XGBoost, the sum of hessians. Each is what the TreeSHAP of the
    library itself takes. None if leaves have neither.

    Examples
    --------
    >>> from horotree.trees import Ensemble, Model, Tree
    >>> from horotree.viewer.covers import find_cover
    >>> leaf = Tree([-1], [-1], [-1], [0.0], [False], [0, 0], [], [2.0], [2.0], [1.5], [3])
    >>> ensemble = Ensemble((leaf,), leverage=[1.0], edge=[0.9], base_value=0.0)
    >>> find_cover(Model((ensemble,), "logistic", ["no", "yes"], ("size",), (None,), "float64"))
    'count'
    """
    by_weight = model.value_kind == "share" or (
        model.steps is not None and model.steps.weights == "rows"
    )
    for name in reversed(COVERS) if by_weight else COVERS:
        if all(
            (covers >= 0.0).all() and covers.sum() > 0.0  # NaN is not
            for covers in _by_tree(model, name)
        ):
            return name
    return None


def leaf_covers(model: Model, name: str) -> Floats:
    """Return the covers of the leaves of all trees, tree after tree; ``find_cover`` names them."""
    return join(_by_tree(model, name)).astype(np.float64)


def _by_tree(model: Model, name: str) -> list[Floats]:
    return [getattr(tree, name)[tree.is_leaf] for tree in model.trees]
