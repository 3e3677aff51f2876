"""What boosting asks of the machines that hold the examples: here of one, which asks nobody."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats

# Changes integers in place: to their sums over all machines, or to those of the first machine.
Exchange = Callable[[NDArray[np.int64]], None]


class Machines:
    """One machine with all examples; where there are several, a subclass asks the others.

    All machines call the same methods in the same order, and get the same answers but for the draw.

    Parameters
    ----------
    reduce : callable, optional
        Sums histograms and counts over machines, in place; None if there is nothing to add.
    decide : callable, optional
        Makes a split, and what a tree predicts, that of the first machine, in place: logarithms
        differ from one to another. None if all find the same.
    common_unit : callable, optional
        Returns the largest unit: the scale on which no machine's weights overflow. None if there is
        one alone.
    """

    def __init__(
        self,
        reduce: Exchange | None = None,
        decide: Exchange | None = None,
        common_unit: Callable[[float], float] | None = None,
    ) -> None:
        self.reduce = reduce
        self.decide = decide
        self.common_unit = common_unit

    def total(self, n_examples: int) -> int:
        """Return the number of examples on all machines."""
        return n_examples

    def mean(self, value: float, weight: float) -> float:  # noqa: ARG002 - of a subclass
        """Return the weighted mean of a value of each machine; a weight of 0 is allowed."""
        return value

    def draw(self, seed: int, n_examples: int) -> Floats:
        """Return a number in [0, 1) for each example here, which depends on the example alone."""
        return np.random.default_rng(seed).random(n_examples)
