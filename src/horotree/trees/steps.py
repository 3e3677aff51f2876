"""How other libraries set the leaves of boosted trees: by a Newton step of the log-loss."""

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from horotree._checks import Floats, check_number

from .tree import Tree

# What the training weights of nodes are sums of.
WEIGHTS = ("rows", "hessians")

# What holds rows against leaves walks all rows once a step.
MAX_ITERATIONS = 100


@dataclass(frozen=True, slots=True)
class Steps:
    """The step that the leaf of a boosted tree takes, in units of the learning rate.

    With the probability p of the class before the tree, and the sums ``G = Σ (y - p)`` and
    ``H = Σ hessian · p (1 - p)`` over the training rows of a leaf, its value is
    ``sign(G) · (|G| - l1) / (H + l2)``, and 0 where ``|G| < l1``.

    Parameters
    ----------
    l2, l1 : float
        The penalties of the training.
    hessian : float
        What p (1 - p) is multiplied by: 1 for two classes, more for some softmaxes.
    weights : {"rows", "hessians"}
        What the weight of a node is the sum of over its training rows: 1, or the hessian as above.
    coupled : bool
        Whether a leaf has a value for each class, and these come from one step together: then the
        hessian is the matrix ``diag(p) - p pᵀ``.
    iterations : int
        How many such steps were taken in a leaf, one after the other.
    limit : float
        What values were clipped to: steps may have been larger.
    set_l2 : float
        What is added to l2 at leaves whose parent tests a set of categories.
    set_features : tuple of int
        The features with such tests; others with categories do not add to l2.

    Examples
    --------
    >>> from horotree.trees import Steps
    >>> Steps(l2=1.0, weights="hessians")  # doctest: +NORMALIZE_WHITESPACE
    Steps(l2=1.0, l1=0.0, hessian=1.0, weights='hessians', coupled=False, iterations=1, limit=inf,
          set_l2=0.0, set_features=())
    """

    l2: float = 0.0
    l1: float = 0.0
    hessian: float = 1.0
    weights: str = "rows"
    coupled: bool = False
    iterations: int = 1
    limit: float = math.inf
    set_l2: float = 0.0
    set_features: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for name in ("l2", "l1", "hessian", "set_l2"):
            number = check_number(getattr(self, name), name)
            if number < 0.0:
                raise ValueError(f"{name} must be 0 or more, got {number!r}.")
            object.__setattr__(self, name, number)
        if not self.hessian:
            raise ValueError("hessian must be above 0, got 0.")
        if self.weights not in WEIGHTS:
            raise ValueError(f"weights must be one of {', '.join(WEIGHTS)}, got {self.weights!r}.")
        if type(self.iterations) is not int or not 1 <= self.iterations <= MAX_ITERATIONS:
            raise ValueError(
                f"iterations must be a number from 1 to {MAX_ITERATIONS}, got {self.iterations!r}."
            )
        is_plain = self.weights == "rows" and not (self.coupled or self.l1 or self.set_l2)
        if self.iterations > 1 and not is_plain:
            raise ValueError("more than one step must be of one class, with weights of rows.")
        if not self.limit > 0.0:
            raise ValueError(f"limit must be above 0, got {self.limit!r}.")
        object.__setattr__(self, "coupled", bool(self.coupled))
        object.__setattr__(self, "set_features", _as_features(self.set_features))

    def l2_of(self, tree: Tree) -> Floats:
        """Return the penalty l2 of each node of a tree, if it is a leaf."""
        by_set = np.isin(tree.feature, self.set_features) & (tree.feature >= 0)
        return np.asarray(self.l2 + self.set_l2 * by_set[np.maximum(tree.parent, 0)])

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON has them."""
        return {name: x for name, x in asdict(self).items() if x != math.inf}


def _as_features(features: Any) -> tuple[int, ...]:
    """Return increasing numbers of features."""
    found = tuple(features)
    if not all(type(feature) is int and feature >= 0 for feature in found):
        raise ValueError(f"set_features must be numbers from 0 on, got {features!r}.")
    return tuple(sorted(set(found)))
