"""Models of given trees."""

import numpy as np

from horotree.trees import Ensemble, Model


def model_of(*trees, link="logistic", leverage=1.0, base_value=0.0, names=("size",), **others):
    """Return a model of two classes with these trees, which test numbers."""
    n = len(trees)
    ensemble = Ensemble(
        trees, np.broadcast_to(np.asarray(leverage, float), n), np.full(n, np.nan), base_value
    )
    columns = (None,) * len(names)
    return Model((ensemble,), link, ["no", "yes"], tuple(names), columns, "float64", **others)
