"""The figures of all trees, and how a statement on them is judged."""

from collections.abc import Mapping, Sequence

import numpy as np

from experiments.measures.trees import TreeFigures
from horotree._checks import Floats

HOLDS, IN_PART, FAILS, NO_DATA = "holds", "in part", "does not hold", "no data"

# What was measured, in words, and the verdict.
Outcome = tuple[str, str]


class Observed:
    """The figures of all trees, by domain.

    Parameters
    ----------
    trees : mapping of str to sequence of TreeFigures
        By domain, round by round.
    """

    def __init__(self, trees: Mapping[str, Sequence[TreeFigures]]) -> None:
        self.trees = dict(trees)

    def all(self, name: str, domain: str) -> Floats:
        """Return a figure of all trees of a domain."""
        return np.array([getattr(tree, name) for tree in self.trees[domain]], np.float64)

    def at(self, name: str, domain: str, round_: int) -> float:
        """Return a figure of one tree, or of the last if there are not so many."""
        return float(self.all(name, domain)[:round_][-1])

    def over(self, name: str, round_: int, *, but: str = "") -> Floats:
        """Return a figure of one tree of every domain, but for one of them."""
        found = [self.at(name, domain, round_) for domain in self.trees if domain != but]
        if not found:
            raise KeyError("another domain")
        return np.array(found)

    def together(self, name: str) -> Floats:
        """Return a figure of all trees of all domains."""
        return np.concatenate([self.all(name, domain) for domain in self.trees])


def judge(*holds: bool) -> str:
    """Return the verdict on a statement of several parts."""
    return HOLDS if all(holds) else IN_PART if any(holds) else FAILS
