"""The rows at each node of trees: how many, of which class, and what the model predicts."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats, n_threads_of
from horotree._frozen import freeze
from horotree.io import from_model
from horotree.trees import Ensemble, Forest, Model, sum_up
from horotree.trees.choice import TreeChoice

from .node_table import NodeTable
from .predictions import score_matrix
from .proportions import Shares, divide
from .rows import Chosen, Rows, read_rows

# Rows whose leaves in all trees are in memory at once.
CHUNK = 10_000


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Segments(Shares, NodeTable):
    """The nodes of trees as segments of a table: read-only arrays with one entry per node.

    Rows are not weighted: every number can be counted in the table.

    Parameters
    ----------
    ensemble, tree, node : int32 array
        The indices of the node, of its tree and of its ensemble.
    count : int64 array
        The rows at the node.
    positive : int64 array
        Those of the ensemble's positive class.
    probability : float64 array
        The mean probability of that class over these rows, by the whole model; NaN without rows.

    See Also
    --------
    segments : Counts them.
    """

    count: NDArray[np.int64]
    positive: NDArray[np.int64]
    probability: Floats

    FIELDS: ClassVar[dict[str, type[np.generic]]] = {
        **dict.fromkeys(("ensemble", "tree", "node"), np.int32),
        **dict.fromkeys(("count", "positive"), np.int64),
        "probability": np.float64,
    }
    MADE_BY: ClassVar[str] = "segments"

    def __hash__(self) -> int:
        return hash((self.tree.tobytes(), self.count.tobytes()))

    def __repr__(self) -> str:
        n_trees = len(np.unique(np.stack([self.ensemble, self.tree]), axis=1).T)
        return f"Segments({len(self)} nodes of {n_trees} trees)"

    @cached_property
    def lift(self) -> Floats:
        """The share divided by the share of all rows, which is that of the root."""
        root = np.maximum.accumulate(np.where(self.node == 0, np.arange(len(self)), 0))
        return freeze(divide(self.share, self.share[root]))

    def to_frame(self, model: Any = None) -> Any:
        """Return a data frame with a row per node; given the model, also with its class and rule.

        The columns are ensemble, class, tree, node, rule, count, positive, share, low, high, lift
        and probability.
        """
        where = ("ensemble", "tree", "node", "count", "positive")
        return self._to_frame((*where, "share", "low", "high", "lift", "probability"), model)


def segments(
    model: Any,
    X: Any,
    y: Any,
    *,
    tree: TreeChoice = "all",
    class_: Any = None,
    n_jobs: int | None = None,
) -> Segments:
    """Count the rows of a table at each node of a model's trees.

    Parameters
    ----------
    model : Model, estimator, or what ``from_model`` takes
        The model.
    X : data frame or array_like
        The columns of the training table, best in rows that were not trained on.
    y : array_like
        The class of each row.
    tree : int, sequence of int or "all"
        The trees, from 0, negative from the last.
    class_ : object, optional
        Multi-class models: the class whose ensemble to use; all if not given.
    n_jobs : int, optional
        Threads, -1 for all cores, as in scikit-learn; the result does not depend on their number.

    Returns
    -------
    Segments
        A row per node: ensemble after ensemble, tree after tree.

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
    rows = read_rows(known, X, y, "count")
    trees = known.select(class_, tree)
    return segments_at(known, rows, trees, n_threads=n_threads_of(n_jobs))


def segments_at(model: Model, rows: Rows, trees: Chosen, *, n_threads: int = 1) -> Segments:
    """Return what ``segments`` counts, for rows as the model reads them and indices of trees."""
    probability = model.probabilities(score_matrix(model, rows.X, n_threads))
    columns: dict[str, list[NDArray[Any]]] = {
        name: [np.empty(0, dtype)] for name, dtype in Segments.FIELDS.items()
    }
    for k, chosen in trees.items():
        own, ensemble = model.targets[k], model.ensembles[k]
        forest = Forest.of([ensemble.trees[j] for j in chosen])
        values = rows.place == own, probability[:, own]
        count, positive, total = _sum_nodes(ensemble, chosen, forest, rows.X, values, n_threads)
        columns["ensemble"].append(np.full(len(count), k))
        columns["tree"].append(forest.by_node(chosen))
        columns["node"].append(np.arange(len(count)) - forest.by_node(forest.tree_start[:-1]))
        columns["count"].append(count)
        columns["positive"].append(positive)
        columns["probability"].append(divide(total, count))
    return Segments(
        **{
            name: np.concatenate(parts).astype(Segments.FIELDS[name])
            for name, parts in columns.items()
        }
    )


def _sum_nodes(
    ensemble: Ensemble,
    chosen: Sequence[int],
    forest: Forest,
    X: Floats,
    values: tuple[NDArray[np.bool_], Floats],
    n_threads: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Return at each node of the chosen trees the number of rows and the sums of both values."""
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
