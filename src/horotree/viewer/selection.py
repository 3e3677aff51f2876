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

# Pages with more nodes than this are larger than 5 MB.
MAX_NODES = 250_000

AUTO, ALL = "auto", "all"

Trees = str | int | Sequence[int]


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
            f'predictions are of all {total:,}. trees="all" (--trees all) shows all.'
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


def select_trees(model: Model, trees: Trees = AUTO) -> Selection:
    """Choose the trees of a page; ``trees`` as in ``view``.

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
    >>> select_trees(model, 3).trees, select_trees(model, [0, -1]).trees
    (((0, 4, 8),), ((0, 8),))
    """
    ensembles = model.ensembles
    if isinstance(trees, str):
        if trees not in (AUTO, ALL):
            raise ValueError(f"trees must be 'auto', 'all', a number or numbers, got {trees!r}.")
        n_nodes = sum(tree.n_nodes for ensemble in ensembles for tree in ensemble.trees)
        if trees == ALL or n_nodes <= MAX_NODES:
            return Selection(model, tuple(tuple(range(len(e.trees))) for e in ensembles), "")
        share = MAX_NODES / n_nodes
        chosen = tuple(_within(model, ensemble, share) for ensemble in ensembles)
        return Selection(model, chosen, _how(model))
    if isinstance(trees, Sequence | np.ndarray):
        return Selection(model, _listed(ensembles, trees), "as asked for")
    n = operator.index(trees)
    if n < 1 or isinstance(trees, bool):
        raise ValueError(f"trees must be 1 or more, got {trees!r}: 'all' is for all.")
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


def _listed(ensembles: Sequence[Ensemble], trees: Any) -> tuple[tuple[int, ...], ...]:
    """Return the trees of each ensemble that are listed by index."""
    most = max(len(ensemble.trees) for ensemble in ensembles)
    asked = [operator.index(j) for j in trees]
    for j in asked:
        if not -most <= j < most:
            raise ValueError(f"trees must be numbers from 0 to {most - 1}, got {j}.")
    if not asked:
        raise ValueError("trees must name a tree, got none: 'auto' or 'all' are for many.")
    found = []
    for ensemble in ensembles:  # some may have fewer trees than others
        n = len(ensemble.trees)
        found.append(tuple(sorted({j % n for j in asked if -n <= j < n})))
    return tuple(found)
