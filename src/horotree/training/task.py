"""What a fit learns from, after its input was checked: examples, classes, and the plan."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.trees import Columns

from .boosting import Settings


@dataclass(frozen=True, slots=True, eq=False)
class Labeled:
    """Examples: per row its numbers and codes, the index of its class, and a positive weight.

    Rows of weight 0 are left out: they must not move a cut point. The arrays may be the user's, so
    they are never written to.
    """

    X: Floats
    y: NDArray[np.intp]
    weight: Floats

    def __len__(self) -> int:
        return len(self.y)

    def take(self, rows: NDArray[np.bool_]) -> "Labeled":
        """Return the examples of some rows."""
        return Labeled(np.ascontiguousarray(self.X[rows]), self.y[rows], self.weight[rows])


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """The problem, without its rows."""

    columns: Columns
    classes: NDArray[Any]  # sorted
    factors: Floats  # of class_weight, per class
    n_examples: int  # rows with a positive weight
    mean_weight: float  # of these rows, without the factors
    total_weight: float  # with the factors
    least_weight: float  # with the factors; the mean where single weights are not known


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """How to fit."""

    n_categories: NDArray[np.int32]  # per feature; 0 for numbers
    n_classes: int
    settings: Settings
    patience: int | None = None  # early stopping: rounds without a lower loss; None for never
    fraction: float = 0.0  # the share of the training examples to hold out for validation
    validates: bool = False  # whether there is a validation loss

    @property
    def targets(self) -> range:
        """The classes that have an ensemble of their own: the second of two, or all."""
        return range(1, 2) if self.n_classes == 2 else range(self.n_classes)

    @property
    def n_trees(self) -> int:
        """The number of trees of all ensembles together."""
        return len(self.targets) * self.settings.n_estimators
