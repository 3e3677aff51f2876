"""What a fit learns from, after its input was checked: examples, classes, and the plan."""

from dataclasses import dataclass

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
    """The problem, without its rows.

    Parameters
    ----------
    columns : Columns
        How a table becomes a matrix.
    classes : array
        The labels, sorted.
    factors : float64 array
        Per class the factor of ``class_weight``.
    n_examples : int
        The number of rows with a positive weight.
    mean_weight : float
        The mean ``sample_weight`` of these rows, without ``factors``.
    total_weight : float
        The sum of their weights, with ``factors``.
    least_weight : float
        The smallest of these weights (or the mean, where single weights are not known).
    """

    columns: Columns
    classes: NDArray[np.generic]
    factors: Floats
    n_examples: int
    mean_weight: float
    total_weight: float
    least_weight: float


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """How to fit.

    Parameters
    ----------
    n_categories : int32 array
        Per feature the number of its categories; 0 for numbers.
    n_classes : int
        Two or more.
    settings : Settings
        How to boost.
    patience : int or None
        Early stopping: the rounds without a lower validation loss. None: do not stop early.
    fraction : float
        The share of the training examples to hold out for validation; 0 for none.
    validates : bool
        Whether there is a validation loss.
    """

    n_categories: NDArray[np.int32]
    n_classes: int
    settings: Settings
    patience: int | None = None
    fraction: float = 0.0
    validates: bool = False

    @property
    def targets(self) -> range:
        """The classes that have an ensemble of their own: the second of two, or all."""
        return range(1, 2) if self.n_classes == 2 else range(self.n_classes)

    @property
    def n_trees(self) -> int:
        """The number of trees of all ensembles together."""
        return len(self.targets) * self.settings.n_estimators
