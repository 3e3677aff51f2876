"""The rows that come by at each node: how many, of which class, and what the model says of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree._frozen import Frozen, as_array, freeze
from horotree.io import from_model
from horotree.trees import Ensemble, Forest, Model, path_rule, sum_up
from horotree.trees.choice import TreeChoice
from horotree.trees.tables import find_places
from horotree.trees.tree import Ints

from .proportions import exact_interval

# Rows whose leaves in all trees are held at once.
CHUNK = 10_000

_FIELDS: dict[str, type[np.generic]] = {
    "ensemble": np.int32,
    "tree": np.int32,
    "node": np.int32,
    "count": np.int64,
    "positive": np.int64,
    "probability": np.float64,
}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Segments(Frozen):
    """The nodes of trees as segments of a table: read-only arrays with one entry a node.

    Nothing is weighted: every figure can be counted in the table.

    Parameters
    ----------
    ensemble, tree, node : int32 array
        Which ensemble, which tree of it, which node of that.
    count : int64 array
        The rows that come by.
    positive : int64 array
        Those of the ensemble's positive class.
    probability : float64 array
        The mean probability of that class over these rows, by the whole model; NaN without rows.

    See Also
    --------
    segments : Counts them.
    """

    ensemble: Ints
    tree: Ints
    node: Ints
    count: NDArray[np.int64]
    positive: NDArray[np.int64]
    probability: Floats

    def __post_init__(self) -> None:
        for name, dtype in _FIELDS.items():
            object.__setattr__(self, name, freeze(as_array(getattr(self, name), name, dtype)))
        lengths = {name: np.shape(getattr(self, name)) for name in _FIELDS}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"all fields must have one entry a node, got shapes {lengths}.")

    def __hash__(self) -> int:
        return hash((self.tree.tobytes(), self.count.tobytes()))

    def __len__(self) -> int:
        return len(self.node)

    def __repr__(self) -> str:
        n_trees = len(np.unique(np.stack([self.ensemble, self.tree]), axis=1).T)
        return f"Segments({len(self)} nodes of {n_trees} trees)"

    @cached_property
    def share(self) -> Floats:
        """The share of the class among the rows of each node; NaN without rows."""
        return freeze(_divide(self.positive, self.count))

    @cached_property
    def _interval(self) -> tuple[Floats, Floats]:
        return exact_interval(self.positive, self.count)

    @property
    def low(self) -> Floats:
        """The low end of the exact 95 % interval of the share."""
        return self._interval[0]

    @property
    def high(self) -> Floats:
        """The high end of the exact 95 % interval of the share."""
        return self._interval[1]

    @cached_property
    def lift(self) -> Floats:
        """How many times as large the share is as that of all rows, which are at the root."""
        root = np.maximum.accumulate(np.where(self.node == 0, np.arange(len(self)), 0))
        return freeze(_divide(self.share, self.share[root]))

    def of(self, tree: int, ensemble: int = 0) -> "Segments":
        """Return the part about one tree: a row a node, in the order of the tree.

        Parameters
        ----------
        tree : int
            Which tree, from 0.
        ensemble : int
            Of which ensemble, from 0.

        Returns
        -------
        Segments
        """
        rows = np.flatnonzero((self.tree == tree) & (self.ensemble == ensemble))
        if not len(rows):
            raise ValueError(
                f"there are no nodes of tree {tree} of ensemble {ensemble}: pass one that "
                "segments was called for."
            )
        return Segments(*(getattr(self, name)[rows] for name in _FIELDS))

    def to_frame(self, model: Any = None) -> Any:
        """Return a data frame with a row a node.

        Parameters
        ----------
        model : Model or estimator, optional
            What ``segments`` was called with, for two columns more: the positive class of each
            ensemble, and the rule that leads to each node.

        Returns
        -------
        pandas.DataFrame
            With the columns ensemble, class, tree, node, rule, count, positive, share, low, high,
            lift and probability.
        """
        import pandas as pd

        names = (*_FIELDS, "share", "low", "high", "lift")
        frame = pd.DataFrame({name: getattr(self, name) for name in names})
        frame["probability"] = frame.pop("probability")  # the last
        if model is not None:
            known = from_model(model)
            labels = known.classes[list(known.targets)]
            places = zip(self.ensemble, self.tree, self.node, strict=True)
            rules = [
                path_rule(known.ensembles[k].trees[j], int(node)).text(known.columns)
                for k, j, node in places
            ]
            frame.insert(1, "class", labels[self.ensemble])
            frame.insert(4, "rule", rules)
        return frame


def segments(
    model: Any,
    X: Any,
    y: Any,
    *,
    tree: TreeChoice = "all",
    class_: Any = None,
    n_threads: int = 1,
) -> Segments:
    """Count the rows that come by at each node of a model's trees.

    Parameters
    ----------
    model : Model, estimator, or what ``from_model`` takes
        The model.
    X : data frame or array_like
        The columns of the training table, best in rows that were not trained on.
    y : array_like
        The class of each row.
    tree : int, sequence of int or "all"
        Which trees, from 0, negative from the last.
    class_ : object, optional
        Multi-class models: the class whose ensemble to use; all if not given.
    n_threads : int
        Threads; the result does not depend on their number.

    Returns
    -------
    Segments
        A row a node: ensemble after ensemble, tree after tree.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from horotree import LogisticBoostClassifier
    >>> from horotree.evaluation.segments import segments
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> classifier = LogisticBoostClassifier(n_estimators=5).fit(X[100:], y[100:])
    >>> frame = segments(classifier, X[:100], y[:100], tree=0).to_frame(classifier)
    >>> int(frame["count"][0]), int(frame.positive[0]), float(frame.lift[0])
    (100, 35, 1.0)
    """
    known = from_model(model)
    matrix = known.to_matrix(X)
    if not len(matrix):
        raise ValueError("X must have rows to count, got none: pass some.")
    place = find_places(y, known.classes, len(matrix))
    scores = [ensemble.score(matrix, n_threads) for ensemble in known.ensembles]
    probability = known.probabilities(scores[0] if len(scores) == 1 else np.stack(scores, axis=-1))
    parts = []
    for k, chosen in known.select(class_, tree).items():
        own = known.targets[k]
        sums = _sum_nodes(
            known.ensembles[k], chosen, matrix, (place == own, probability[:, own]), n_threads
        )
        parts.append((k, chosen, *sums))
    return _join(known, parts)


def _sum_nodes(
    ensemble: Ensemble,
    chosen: list[int],
    X: Floats,
    values: tuple[NDArray[np.bool_], Floats],
    n_threads: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Return by node of the chosen trees the rows, those of the class, and the sum of the rest."""
    forest = Forest.of([ensemble.trees[j] for j in chosen])
    start = forest.tree_start
    count, positive = (np.zeros(start[-1], np.int64) for _ in range(2))
    total = np.zeros(start[-1])
    of_class, probability = values
    for first in range(0, len(X), CHUNK):
        rows = slice(first, first + CHUNK)
        leaves = ensemble.apply(X[rows], n_threads)
        for j, begin, end in zip(chosen, start, start[1:], strict=False):
            leaf = leaves[:, j]
            count[begin:end] += np.bincount(leaf, minlength=end - begin)
            positive[begin:end] += np.bincount(leaf[of_class[rows]], minlength=end - begin)
            total[begin:end] += np.bincount(leaf, probability[rows], minlength=end - begin)
    left, right = forest.children
    count, positive, total = (sum_up(x, left, right) for x in (count, positive, total))
    return count, positive, total


def _join(model: Model, parts: Sequence[tuple[Any, ...]]) -> Segments:
    """Return the table of all trees."""
    columns: dict[str, list[NDArray[Any]]] = {name: [] for name in _FIELDS}
    for k, chosen, count, positive, total in parts:
        sizes = [model.ensembles[k].trees[j].n_nodes for j in chosen]
        columns["ensemble"].append(np.full(len(count), k))
        columns["tree"].append(np.repeat(chosen, sizes))
        columns["node"].append(np.concatenate([np.arange(size) for size in sizes]))
        columns["count"].append(count)
        columns["positive"].append(positive)
        columns["probability"].append(_divide(total, count))
    return Segments(
        **{
            name: np.concatenate([np.empty(0, dtype), *columns[name]]).astype(dtype)
            for name, dtype in _FIELDS.items()
        }
    )


def _divide(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    """Return quotients, NaN where there is nothing to divide by."""
    known = np.asarray(whole) > 0.0
    return np.asarray(np.divide(part, whole, out=np.full(len(whole), np.nan), where=known))
