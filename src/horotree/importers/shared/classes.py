"""The classes of fitted classifiers, which boosters and files do not know, and their ensembles."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.importers.errors import UnsupportedModelError
from horotree.trees import Ensemble, Tree


def check_fitted(classifier: Any) -> None:
    """Raise if a classifier with scikit-learn's interface is not fitted."""
    is_fitted = getattr(classifier, "__sklearn_is_fitted__", None)
    if is_fitted is not None and not is_fitted():
        raise not_fitted(classifier)


def not_fitted(classifier: Any) -> ValueError:
    """Return the error for a classifier that is not fitted."""
    kind = type(classifier).__name__
    return ValueError(f"model must be fitted, got a {kind} that is not: call its fit first.")


def find_classes(classes: NDArray[Any] | None, n_groups: int) -> NDArray[Any]:
    """Return the classes of a model with so many ensembles; 0, 1, ... if they are not known."""
    n_classes = max(n_groups, 2)
    if classes is None:
        return np.arange(n_classes)
    if len(classes) < 2:
        raise UnsupportedModelError(
            f"model must know two classes or more, got {classes.tolist()}: there is nothing to "
            "decide."
        )
    if len(classes) != n_classes:
        raise UnsupportedModelError(
            f"model must have a score for each of its {len(classes)} classes, or one for two, got "
            f"{n_groups}: train it with its own objective."
        )
    return classes


def make_ensembles(
    trees: Sequence[Tree], leverage: Floats, group: NDArray[Any], base: Sequence[float] | Floats
) -> tuple[Ensemble, ...]:
    """Return an ensemble for each base value: of the trees in its group, in their order."""
    ensembles = []
    for k, value in enumerate(base):
        own = np.flatnonzero(group == k)
        edge = np.full(len(own), np.nan)
        ensembles.append(
            Ensemble(tuple(trees[j] for j in own.tolist()), leverage[own], edge, value)
        )
    return tuple(ensembles)
