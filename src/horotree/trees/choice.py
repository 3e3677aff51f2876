"""Which ensembles, trees and classes of a model are meant."""

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from .ensemble import Ensemble
from .model import Model


def find_positive(model: Model, k: int) -> int:
    """Return the place of the positive class of an ensemble among the classes."""
    return k if len(model.ensembles) > 1 else 1


def find_ensembles(model: Model, class_: Any) -> list[int]:
    """Return the ensembles asked for; one for two classes is that of both."""
    if class_ is None:
        return list(range(len(model.ensembles)))
    classes = model.classes.tolist()
    if class_ not in classes:
        raise ValueError(f"class_ must be one of {classes}, got {class_!r}.")
    return [classes.index(class_)] if len(model.ensembles) > 1 else [0]


def find_trees(ensemble: Ensemble, tree: int | Sequence[int] | None) -> list[int]:
    """Return the trees asked for, in order, each once."""
    n = len(ensemble.trees)
    if tree is None:
        return list(range(n))
    asked = [*tree] if isinstance(tree, Sequence | np.ndarray) else [tree]
    for j in asked:
        if not -n <= operator.index(j) < n:
            raise ValueError(
                f"tree must be one of the {n}, from 0 to {n - 1}, got {j!r}: ensembles may differ "
                "in their number, class_ selects one."
            )
    return sorted({int(j) % n for j in asked})
