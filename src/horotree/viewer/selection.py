"""The trees of a model that its page has: all, or some of a large one."""

import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from horotree._checks import Floats
from horotree.evaluation.rows import Chosen
from horotree.trees import Ensemble, Model
from horotree.trees.choice import TreeChoice, find_trees, is_all

# Pages with more nodes than this are larger than 5 MB.
MAX_NODES = 250_000


@dataclass(frozen=True, eq=False)
class Selection:
    """The trees of a model that a page has, by ensemble; ``how`` is empty for all."""

    whole: Model
    trees: tuple[tuple[int, ...], ...]
    how: str

    @property
    def totals(self) -> list[int]:
        """The number of trees of each ensemble of the whole model."""
        return [len(ensemble.trees) for ensemble in self.whole.ensembles]

    @property
    def is_all(self) -> bool:
        """Whether no tree is left out."""
        return [len(numbers) for numbers in self.trees] == self.totals

    @cached_property
    def shown(self) -> Model:
        """The model with these trees alone: to be drawn, not to predict with."""
        if self.is_all:
            return self.whole
        pairs = zip(self.whole.ensembles, self.trees, strict=True)
        return replace(self.whole, ensembles=tuple(_take(e, numbers) for e, numbers in pairs))

    @property
    def notes(self) -> list[str]:
        """The notes of the page on this selection."""
        if self.is_all:
            return []
        n, total = sum(map(len, self.trees)), sum(self.totals)
        note = (
            f"{n:,} of {total:,} trees are shown, {self.how}: what is said of nodes is of these, "
            f"predictions are of all {total:,}. max_trees=None (--max-trees all) shows all."
        )
        return [note]

    @property
    def chosen(self) -> Chosen:
        """The trees by ensemble, without ensembles that have none."""
        return {k: numbers for k, numbers in enumerate(self.trees) if numbers}

    def to_header(self, X: Floats | None) -> dict[str, Any] | None:
        """Return what the page must know of trees that it lacks; None if it has all.

        X are the examples, for their scores by the whole model.
        """
        if self.is_all:
            return None
        scores = [] if X is None else [ensemble.score(X) for ensemble in self.whole.ensembles]
        return {
            "numbers": [list(numbers) for numbers in self.trees],
            "of": self.totals,
            "scores": None if X is None else np.stack(scores, axis=-1).tolist(),
        }


def select_trees(
    model: Model, tree: TreeChoice = "all", max_trees: int | str | None = "auto"
) -> Selection:
    """Choose the trees of a page; ``tree`` and ``max_trees`` as in ``view``.

    From a forest, whose trees are alike, they are evenly spread; from other ensembles the
    strongest, by the most that they add to the score.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from horotree import from_model
    >>> from horotree.viewer.selection import select_trees
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = from_model(RandomForestClassifier(9, random_state=0).fit(X, y))
    >>> select_trees(model).is_all
    True
    >>> select_trees(model, max_trees=3).trees, select_trees(model, [0, -1]).trees
    (((0, 4, 8),), ((0, 8),))
    """
    ensembles = model.ensembles
    if not is_all(tree):
        return Selection(model, _listed(ensembles, tree), "as asked for")
    n_nodes = sum(tree.n_nodes for ensemble in ensembles for tree in ensemble.trees)
    if max_trees is None or (max_trees == "auto" and n_nodes <= MAX_NODES):
        return Selection(model, tuple(tuple(range(len(e.trees))) for e in ensembles), "")
    if max_trees == "auto":
        share = MAX_NODES / n_nodes
        return Selection(model, tuple(_within(model, e, share) for e in ensembles), _how(model))
    if isinstance(max_trees, str | bool) or operator.index(max_trees) < 1:
        raise ValueError(
            f"max_trees must be 1 or more, 'auto', or None for all, got {max_trees!r}."
        )
    n = operator.index(max_trees)
    return Selection(model, tuple(_strongest(model, e, n) for e in ensembles), _how(model))


def _how(model: Model) -> str:
    return "evenly spread" if model.link == "mean" else "the strongest by the most that they add"


def _take(ensemble: Ensemble, numbers: Sequence[int]) -> Ensemble:
    rows = np.array(numbers, np.intp)
    trees = tuple(ensemble.trees[j] for j in numbers)
    return Ensemble(trees, ensemble.leverage[rows], ensemble.edge[rows], ensemble.base_value)


def _within(model: Model, ensemble: Ensemble, share: float) -> tuple[int, ...]:
    """Return as many trees as have this share of the ensemble's nodes, at least one."""
    sizes = np.array([tree.n_nodes for tree in ensemble.trees])
    budget = share * sizes.sum()
    for n in range(len(sizes), 0, -1):
        numbers = _strongest(model, ensemble, n)
        if n == 1 or sizes[list(numbers)].sum() <= budget:
            return numbers
    return ()


def _strongest(model: Model, ensemble: Ensemble, n: int) -> tuple[int, ...]:
    """Return n trees: evenly spread ones of a forest, else those that add most; all if fewer."""
    total = len(ensemble.trees)
    if n >= total:
        return tuple(range(total))
    if model.link == "mean":
        return tuple(np.linspace(0, total - 1, n).round().astype(int).tolist())
    order = np.argsort(-np.abs(ensemble.leverage_confidence), kind="stable")
    return tuple(sorted(order[:n].tolist()))


def _listed(ensembles: Sequence[Ensemble], tree: TreeChoice) -> tuple[tuple[int, ...], ...]:
    """Return the trees of each ensemble that are asked for; some may have fewer than others."""
    n_trees = [len(ensemble.trees) for ensemble in ensembles]
    several = isinstance(tree, Sequence | np.ndarray) and not isinstance(tree, str)
    asked: list[Any] = list(tree) if several else [tree]  # type: ignore[arg-type]
    find_trees(asked, max(n_trees))  # raises if no ensemble has one of them
    if not asked:
        raise ValueError("tree must name a tree, got none: 'all' is for all.")
    return tuple(tuple(find_trees([j for j in asked if -n <= j < n], n)) for n in n_trees)
