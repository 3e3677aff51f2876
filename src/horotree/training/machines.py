"""What boosting needs from all machines that hold examples; here there is one machine."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats

# Changes integers in place: to their sums over all machines, or to those of the first machine.
Exchange = Callable[[NDArray[np.int64]], None]


class Machines:
    """One machine with all examples; a subclass communicates with others.

    All machines call the same methods in the same order, and get the same results except from
    ``draw``. The kernels call three functions, which are None for one machine: ``reduce`` sums
    histograms and counts over machines, ``decide`` replaces a split, and what a tree predicts, by
    those of the first machine, since logarithms differ between machines (both in place), and
    ``common_unit`` returns the largest unit of weights over machines, so that none overflows.
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
