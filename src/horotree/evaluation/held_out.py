"""The positions of monotonic trees' nodes by data that were not trained on."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats, n_threads_of
from horotree.io import from_model
from horotree.trees import (
    Model,
    Tree,
    center_tree,
    find_center,
    find_leaves,
    monotonic,
    origin_of,
    sum_up,
)
from horotree.trees.choice import TreeChoice
from horotree.trees.shares import Sums, find_intervals, sum_stages
from horotree.trees.tree import Ints

from .expected.margins import MarginSums, find_differences, sum_margins
from .expected.smoothing import Smoothing, find_smoothing
from .expected.votes import Capped, sum_votes
from .proportions import check_miss
from .rows import Chosen, Rows, read_rows
from .verdicts import MATTERS, HeldOut, is_outside, judge, to_posterior

# The columns of a part of the table, by the names of the fields of `HeldOut`.
Part = dict[str, NDArray[Any]]


def held_out(
    model: Any,
    X: Any,
    y: Any,
    *,
    tree: TreeChoice = "all",
    class_: Any = None,
    center: str = "half",
    level: float = 0.95,
    n_jobs: int | None = None,
) -> HeldOut:
    """Find where data that were not trained on would put the nodes of a model's monotonic trees.

    The comparison depends on the kind of the model's values:

    - share: the share of the class among the rows at the node.
    - posterior (horotree's own boosting): the same, each row with the weight of its round,
      ``sigmoid(-y F(x))``, where F is the score of the trees before. Training smooths posteriors,
      which moves them towards even odds. There is no verdict if the same smoothing of these rows
      explains the difference.
    - posterior (AdaBoost): the same, each row with its weight by SAMME: times ``exp(a)`` for each
      tree before that did not vote for its class, a being the weight of the vote. There is no
      verdict if training rows had other weights, too.
    - margin (imported boosting): the Newton step of the rows. A row with the probability p before
      the tree (of its class, by the model's link) is expected to have ``p + p (1 - p) · value``
      after it, at learning rate 1. The held-out value is the node's value plus the step that makes
      the expected number of rows of the class equal to the observed one. At a leaf that is
      ``Σ (y - p) / Σ p (1 - p)``, shrunk by ``H / (H + l2)`` as in training, where H is the
      hessian of the training there. See ``Steps`` for the penalties and factors of each library.
      An inner node, drawn at the mean of its leaves, is compared with what its leaves predict.
    - margin, with unknown steps: there is no verdict.

    The intervals of a tree are all correct with probability ``level`` or more: each of the m kept
    nodes that have rows gets ``1 - (1 - level) / m`` (Bonferroni). If all weights are equal, or all
    of each class are, it is the exact binomial interval (Clopper and Pearson); for weighted rows
    one that reduces to it. For margins it is the exact interval of the observed share, widened
    where rows differ by more than their labels explain. So no interval collapses where all rows
    are of one class, or where a few rows of large weight happen to be missing.

    The difference of a node is one of probabilities. For shares and posteriors it is the held-out
    one minus the trained one. For margins it is the share of the class among the node's rows minus
    the mean of their expected probabilities after the tree.

    The verdict is the first that applies. Flipped, weaker and stronger need a difference of 1 %
    (0.01) or more.

    - none: no rows.
    - unknown: how the training set the leaves, or weighted the rows, is not known.
    - flipped: the whole interval is on the other side of the center from the trained value.
    - weaker: it excludes the trained value and is nearer to the center, or around it.
    - stronger: it excludes the trained value and is farther from the center.
    - few: it is wider than 1/2, in probability.
    - agrees: it contains the trained value, or the difference is too small.

    Parameters
    ----------
    model : Model, estimator, or what ``from_model`` takes
        The model.
    X : data frame or array_like
        The columns of the training table, in rows that were not trained on.
    y : array_like
        The class of each row.
    tree : int, sequence of int or "all"
        The trees, from 0, negative from the last.
    class_ : object, optional
        Multi-class models: the class whose ensemble to use; all if not given.
    center : {"half", "base", "auto"}
        The reference of confidence, which determines the kept nodes, the class of each, and the
        verdicts: even odds, or the root; as in ``view``.
    level : float
        The least probability that all intervals of a tree are correct.
    n_jobs : int, optional
        Threads, -1 for all cores, as in scikit-learn; the result does not depend on their number.

    Returns
    -------
    HeldOut
        A row per kept node: ensemble after ensemble, tree after tree.

    Notes
    -----
    Sample weights are not used. A model that was trained with them, or with class weights that its
    library does not store, is compared with rows of equal weight.

    Examples
    --------
    >>> from horotree.trees import Ensemble, Model, Tree
    >>> from horotree.evaluation.held_out import held_out
    >>> tree = Tree(
    ...     left=[1, -1, -1], right=[2, -1, -1], feature=[0, -1, -1], threshold=[0.5, 0.0, 0.0],
    ...     missing_left=[False, False, False], category_start=[0, 0, 0, 0], category=[],
    ...     value=[0.5, -3.0, 2.0], output=[0.5, -3.0, 2.0], weight=[30.0, 10.0, 20.0],
    ...     count=[60, 20, 40],
    ... )
    >>> ensemble = Ensemble((tree,), leverage=[0.5], edge=[0.8], base_value=0.0)
    >>> model = Model((ensemble,), "logistic", ["no", "yes"], ("size",), (None,), "float64")
    >>> X = [[0.0]] * 50 + [[1.0]] * 50
    >>> found = held_out(model, X, ["no"] * 30 + ["yes"] * 20 + ["no"] * 5 + ["yes"] * 45)
    >>> found
    HeldOut(3 nodes: 2 agrees, 1 weaker)
    >>> print(found)  # doctest: +ELLIPSIS
    2 of 3 nodes agree with these rows, 1 is less sure than it seems (beyond chance, and by...
    >>> frame = found.to_frame(model)[["rule", "trained", "low", "high", "verdict"]]
    >>> print(frame.round(2).to_string(index=False))
                       rule  trained  low  high verdict
                     always     0.62 0.53  0.76  agrees
                size <= 0.5     0.05 0.24  0.58  weaker
    size > 0.5 (or missing)     0.88 0.75  0.97  agrees
    """
    known = from_model(model)
    rows = read_rows(known, X, y, "hold nodes against")
    trees = known.select(class_, tree)
    center = find_center(known, center)
    options: dict[str, Any] = {"level": level, "n_threads": n_threads_of(n_jobs)}
    return held_out_at(known, rows, trees, center=center, **options)


def held_out_at(
    model: Model,
    rows: Rows,
    trees: Chosen,
    *,
    center: str,
    level: float = 0.95,
    n_threads: int = 1,
) -> HeldOut:
    """Return what ``held_out`` finds, for rows as the model reads them and indices of trees."""
    query = _Query(model, rows, trees, check_miss(level), center, n_threads)
    found = {(k, j): part for k, j, part in _find(query)}
    parts = [found[at] for at in sorted(found)]
    columns = {
        name: np.concatenate([np.empty(0, dtype), *(part[name] for part in parts)])
        for name, dtype in HeldOut.FIELDS.items()
    }
    return HeldOut(**columns, value_kind=model.value_kind, center=center)


@dataclass(frozen=True, slots=True, eq=False)
class _Query:
    """The nodes to compare, and the rows to compare them with."""

    model: Model
    rows: Rows
    trees: Chosen
    miss: float
    center: str
    n_threads: int

    def kept(self, k: int, j: int) -> tuple[Tree, Ints, float]:
        """Return a tree, its kept nodes, and the value at the center."""
        tree = self.model.ensembles[k].trees[j]
        node = monotonic(center_tree(tree, self.center)).node
        return tree, node, origin_of(tree, self.center)

    def miss_of_one(self, count: NDArray[np.int64]) -> float:
        """Return the probability of a miss for each node: Bonferroni over those with rows."""
        return self.miss / max(int(np.count_nonzero(count)), 1)


def _find(query: _Query) -> Iterator[tuple[int, int, Part]]:
    """Yield the indices of an ensemble and a tree, and the columns of its kept nodes."""
    model, trees, n_threads = query.model, query.trees, query.n_threads
    rows = query.rows.X, query.rows.place
    if model.vote_weight:
        for k, j, seen in sum_votes(model, *rows, trees, n_threads):
            yield k, j, _compare(query, k, j, seen, Capped())
    elif model.vote_weight is None and model.value_kind != "margin":
        yield from _find_shares(query)
    elif model.steps is None:
        for k, chosen in trees.items():
            for j in chosen:
                yield k, j, _count(query, k, j)
    else:
        for k, j, sums in sum_margins(model, model.steps, *rows, trees, n_threads):
            yield k, j, _compare_margins(query, k, j, sums)


def _find_shares(query: _Query) -> Iterator[tuple[int, int, Part]]:
    """Yield the columns where values are logits of posteriors or shares."""
    model = query.model
    options: dict[str, Any] = {"weighted": model.link != "mean", "n_threads": query.n_threads}
    for k, trees in query.trees.items():
        positive = query.rows.place == model.targets[k]
        smoothing = Smoothing(0.0, to_host=False)
        if model.value_kind == "posterior":
            smoothing = find_smoothing(model.ensembles[k])
        for j, sums in sum_stages(model.ensembles[k], query.rows.X, positive, trees, **options):
            yield k, j, _compare(query, k, j, sums, smoothing)


def _compare(query: _Query, k: int, j: int, sums: Sums, smoothing: Smoothing | Capped) -> Part:
    """Return the columns of a tree whose values are logits of posteriors."""
    tree, node, origin = query.kept(k, j)
    kept = sums.take(node)
    count = kept.count.sum(axis=0)
    trained, value = tree.value[node], kept.value
    low, high = find_intervals(kept, query.miss_of_one(count))
    width = to_posterior(high) - to_posterior(low)
    difference = to_posterior(value) - to_posterior(trained)
    # Smoothing moves nodes towards even odds, in training and here: that is no difference.
    ends = (smoothing.apply(tree, node, end) for end in (low, high))
    matters = (np.abs(difference) >= MATTERS) & is_outside(trained, *ends)
    return {
        **_index(k, j, node, trained),
        "count": count,
        "effective_count": kept.effective_count,
        "value": value,
        "low_value": low,
        "high_value": high,
        "difference": difference,
        "verdict": judge((trained - origin, low - origin, high - origin), matters, width),
    }


def _compare_margins(query: _Query, k: int, j: int, sums: MarginSums) -> Part:
    """Return the columns of a tree whose values are margins."""
    tree, node, origin = query.kept(k, j)
    kept = sums.take(node)
    trained, difference = tree.value[node], kept.difference
    ends = find_differences(kept, query.miss_of_one(kept.count))
    low, high = (trained + kept.to_step(end) for end in ends)
    values = trained - origin, low - origin, high - origin
    return {
        **_index(k, j, node, trained),
        "count": kept.count,
        "effective_count": kept.count.astype(np.float64),
        "value": trained + kept.to_step(difference),
        "low_value": low,
        "high_value": high,
        "difference": difference,
        "verdict": judge(values, np.abs(difference) >= MATTERS, ends[1] - ends[0]),
    }


def _count(query: _Query, k: int, j: int) -> Part:
    """Return the columns of a tree that can not be compared: only rows are counted."""
    tree, node, _ = query.kept(k, j)
    leaf = find_leaves(tree, query.rows.X, query.n_threads)
    count = sum_up(np.bincount(leaf, minlength=tree.n_nodes), tree.left, tree.right)
    unknown = np.full(len(node), np.nan)
    return {
        **_index(k, j, node, tree.value[node]),
        "count": count[node],
        "effective_count": count[node].astype(np.float64),
        **dict.fromkeys(("value", "low_value", "high_value", "difference"), unknown),
        "verdict": np.where(count[node] > 0, "unknown", "none"),
    }


def _index(k: int, j: int, node: Ints, trained: Floats) -> Part:
    """Return the columns that identify the nodes."""
    indices = {"ensemble": np.full(len(node), k, np.int32), "tree": np.full(len(node), j, np.int32)}
    return {**indices, "node": node, "trained_value": trained}
