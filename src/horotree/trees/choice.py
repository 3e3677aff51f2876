"""Which of several trees are meant: the one rule of every ``tree=``."""

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

# What ``tree=`` takes: numbers from 0, negative ones from the last; "all" or None is all.
TreeChoice = int | Sequence[int] | str | None


def is_all(tree: TreeChoice) -> bool:
    """Return whether ``tree`` asks for all trees."""
    return tree is None or (isinstance(tree, str) and tree == "all")


def find_trees(tree: TreeChoice, n_trees: int) -> list[int]:
    """Return the trees that ``tree`` asks for, in order, each once.

    Examples
    --------
    >>> from horotree.trees.choice import find_trees
    >>> find_trees(-1, 3), find_trees([2, 0], 3), find_trees("all", 3)
    ([2], [0, 2], [0, 1, 2])
    """
    if is_all(tree):
        return list(range(n_trees))
    if isinstance(tree, Sequence | np.ndarray) and not isinstance(tree, str) and np.ndim(tree):
        return sorted({find_tree(j, n_trees) for j in tree})
    return [find_tree(tree, n_trees, "a whole number, a list of such, or 'all'")]


def find_tree(tree: Any, n_trees: int, what: str = "one whole number") -> int:
    """Return the number from 0 of the one tree that ``tree`` asks for; negative is from the last.

    ``what`` says in the error what ``tree`` may be.
    """
    try:
        j = operator.index(tree)
    except TypeError:
        raise TypeError(
            f"tree must be {what}, got {tree!r}: 0 is the first, -1 the last."
        ) from None
    if not n_trees:
        raise ValueError(f"there are no trees to choose from, got tree={j}: leave it out.")
    if not -n_trees <= j < n_trees:
        raise ValueError(
            f"tree must be from 0 to {n_trees - 1}, got {j}: ensembles may differ in their number "
            "of trees, class_ selects one."
        )
    return j % n_trees
