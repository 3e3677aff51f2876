"""Where data that were not trained on would put the nodes of monotonic trees."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats, check_number
from horotree.io import from_model
from horotree.trees import (
    Model,
    center_tree,
    find_center,
    find_leaves,
    monotonic,
    origin_of,
    sum_up,
)
from horotree.trees.choice import TreeChoice
from horotree.trees.shares import Sums, find_intervals, sum_stages
from horotree.trees.tables import find_places
from horotree.trees.tree import Ints

from .expected.margins import MarginSums, find_differences, sum_margins
from .expected.smoothing import Smoothing, find_smoothing
from .expected.votes import Capped, sum_votes
from .verdicts import FIELDS, MATTERS, HeldOut, is_outside, judge, to_posterior

Columns = dict[str, NDArray[Any]]


def held_out(
    model: Any,
    X: Any,
    y: Any,
    *,
    tree: TreeChoice = "all",
    class_: Any = None,
    center: str = "half",
    level: float = 0.95,
    n_threads: int = 1,
) -> HeldOut:
    """Find where data that were not trained on would put the nodes of a model's monotonic trees.

    Like is compared with like, by the kind of the model's values:

    - share: the share of the class among the rows that come by.
    - posterior (horotree's own boosting): the same, each row with the weight of its round,
      ``sigmoid(-y F(x))``, where F is the score of the trees before. Training smooths trained
      posteriors, so that they are less sure than its own rows: there is no verdict if the same
      smoothing of these rows explains the difference, too.
    - posterior (AdaBoost): the same, each row with the weight that SAMME gave it: ``exp(a)`` times
      more for each tree before that did not vote for its class, a being the weight of the vote. If
      training rows had other weights, too, there is no verdict.
    - margin (imported boosting): the Newton step of the rows. A row that has the probability p
      before the tree (of its class, by the model's link) is expected to have
      ``p + p (1 - p) · value`` after it, at learning rate 1. If the rows of the class are more or
      fewer than this sums to, the held-out value is the node's value plus what would make them
      equal: at a leaf that is ``Σ (y - p) / Σ p (1 - p)``, shrunk by ``H / (H + l2)`` as in
      training, H being the training's hessian there. See ``Steps`` for the penalties and factors of
      each library. An inner node, drawn at the mean of its leaves, is held against what its
      leaves lead to expect.
    - margin, with steps that are not known: there is no verdict.

    All intervals of a tree hold what they are for with probability ``level`` or more: each of the
    m kept nodes that have rows gets ``1 - (1 - level) / m`` (Bonferroni). Where all weights are
    equal, or all of each class are, it is the exact binomial interval (Clopper and Pearson); for
    weighted rows one that reduces to it. Of margins it is the exact interval of the share that is
    there, widened where rows differ by more than their labels explain. So no interval collapses
    where all rows are of one class, or where few of large weight happen to be missing.

    The difference of a node is in probability. Of shares and posteriors it is the held-out one less
    the trained one. Of margins it is the share of the class among the node's rows less the mean of
    what they are expected to have after the tree.

    Verdicts, first match. The first three need a difference of 1 % (0.01) or more: a smaller one is
    no news, however sure it is.

    - none: no rows.
    - unknown: how the training set the leaves, or weighted the rows, is not known.
    - flipped: the whole interval is on the other side of the center than the trained value.
    - weaker: it excludes the trained value and is nearer to the center, or around it.
    - stronger: it excludes the trained value and is further from the center.
    - few: it is wider than 1/2, in probability: too few rows to tell.
    - agrees: it holds the trained value, or the difference is too small to matter.

    Parameters
    ----------
    model : Model, estimator, or what ``from_model`` takes
        The model.
    X : data frame or array_like
        The columns of the training table, in rows that were not trained on.
    y : array_like
        The class of each row.
    tree : int, sequence of int or "all"
        Which trees, from 0, negative from the last.
    class_ : object, optional
        Multi-class models: the class whose ensemble to use; all if not given.
    center : {"half", "base", "auto"}
        What confidence is counted from, which decides the nodes that are kept, the class that each
        says, and the verdicts: even odds, or the root; as in ``view``.
    level : float
        The least probability that all intervals of a tree hold what they are for.
    n_threads : int
        Threads; the result does not depend on their number.

    Returns
    -------
    HeldOut
        A row a kept node: ensemble after ensemble, tree after tree.

    Notes
    -----
    Sample weights are not used. A model that was trained with them, or with class weights that its
    library does not tell, is compared with rows of equal weight.

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
    miss = 1.0 - check_number(level, "level")
    if not 0.0 < miss < 1.0:
        raise ValueError(f"level must be above 0 and below 1, got {level!r}: 0.95 is usual.")
    matrix = known.to_matrix(X)
    if not len(matrix):
        raise ValueError("X must have rows to hold nodes against, got none: pass some.")
    place = find_places(y, known.classes, len(matrix))
    wanted = known.select(class_, tree)
    seen_from = find_center(known, center)
    asked = _Asked(known, matrix, place, wanted, miss, seen_from, n_threads)
    found = {(k, j): columns for k, j, columns in _find(asked)}
    return _join([found[at] for at in sorted(found)], known.value_kind, seen_from)


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """What is held against what: rows with the places of their classes, trees by ensemble."""

    model: Model
    X: Floats
    place: NDArray[np.intp]
    wanted: dict[int, list[int]]
    miss: float
    center: str
    n_threads: int


def _find(asked: _Asked) -> Iterator[tuple[int, int, Columns]]:
    """Yield ensemble, tree, and what is found at its kept nodes."""
    model = asked.model
    is_margin = model.value_kind == "margin"
    if model.vote_weight:
        rows = asked.X, asked.place
        for k, j, seen in sum_votes(model, *rows, asked.wanted, asked.n_threads):
            yield k, j, _compare(asked, k, j, seen, Capped())
    elif model.vote_weight is None and not is_margin:
        yield from _find_shares(asked)
    elif model.steps is None:
        for k, trees in asked.wanted.items():
            for j in trees:
                yield k, j, _count(asked, k, j)
    else:
        rows = asked.X, asked.place
        for k, j, sums in sum_margins(model, model.steps, *rows, asked.wanted, asked.n_threads):
            yield k, j, _compare_margins(asked, k, j, sums)


def _find_shares(asked: _Asked) -> Iterator[tuple[int, int, Columns]]:
    """Yield what is found where values are logits of posteriors or shares."""
    for k, trees in asked.wanted.items():
        positive = asked.place == asked.model.targets[k]
        weighted, n_threads = asked.model.link != "mean", asked.n_threads
        ensemble = asked.model.ensembles[k]
        smoothing = Smoothing(0.0, to_host=False)
        if asked.model.value_kind == "posterior":
            smoothing = find_smoothing(ensemble)
        for j, sums in sum_stages(
            ensemble, asked.X, positive, trees, weighted=weighted, n_threads=n_threads
        ):
            yield k, j, _compare(asked, k, j, sums, smoothing)


def _compare(asked: _Asked, k: int, j: int, sums: Sums, smoothing: Smoothing | Capped) -> Columns:
    """Return the columns for the kept nodes of a tree whose values are logits of posteriors."""
    tree = asked.model.ensembles[k].trees[j]
    node = monotonic(center_tree(tree, asked.center)).node
    kept = sums.take(node)
    count = kept.count.sum(axis=0)
    trained, value = tree.value[node], kept.value
    low, high = find_intervals(kept, _miss_of_one(asked, count))
    width = to_posterior(high) - to_posterior(low)
    difference = to_posterior(value) - to_posterior(trained)
    # Nodes are less sure than their training rows by what smoothing held back: that is no news.
    ends = (smoothing.apply(tree, node, end) for end in (low, high))
    matters = (np.abs(difference) >= MATTERS) & is_outside(trained, *ends)
    origin = origin_of(tree, asked.center)
    return {
        **_place(k, j, node, trained),
        "count": count,
        "effective_count": kept.effective_count,
        "value": value,
        "low_value": low,
        "high_value": high,
        "difference": difference,
        "verdict": judge((trained - origin, low - origin, high - origin), matters, width),
    }


def _compare_margins(asked: _Asked, k: int, j: int, sums: MarginSums) -> Columns:
    """Return the columns for the kept nodes of a tree whose values are margins."""
    tree = asked.model.ensembles[k].trees[j]
    node = monotonic(center_tree(tree, asked.center)).node
    kept = sums.take(node)
    trained, difference = tree.value[node], kept.difference
    ends = find_differences(kept, _miss_of_one(asked, kept.count))
    low, high = (trained + kept.to_step(end) for end in ends)
    origin = origin_of(tree, asked.center)
    values = trained - origin, low - origin, high - origin
    return {
        **_place(k, j, node, trained),
        "count": kept.count,
        "effective_count": kept.count.astype(np.float64),
        "value": trained + kept.to_step(difference),
        "low_value": low,
        "high_value": high,
        "difference": difference,
        "verdict": judge(values, np.abs(difference) >= MATTERS, ends[1] - ends[0]),
    }


def _count(asked: _Asked, k: int, j: int) -> Columns:
    """Return the columns for the kept nodes of a tree of which the rows can be counted only."""
    tree = asked.model.ensembles[k].trees[j]
    node = monotonic(center_tree(tree, asked.center)).node
    at_leaf = np.bincount(find_leaves(tree, asked.X, asked.n_threads), minlength=tree.n_nodes)
    count = sum_up(at_leaf, tree.left, tree.right)
    unknown = np.full(len(node), np.nan)
    return {
        **_place(k, j, node, tree.value[node]),
        "count": count[node],
        "effective_count": count[node].astype(np.float64),
        **dict.fromkeys(("value", "low_value", "high_value", "difference"), unknown),
        "verdict": np.where(count[node] > 0, "unknown", "none"),
    }


def _place(k: int, j: int, node: Ints, trained: Floats) -> Columns:
    """Return the columns that say which nodes these are."""
    places = {"ensemble": np.full(len(node), k, np.int32), "tree": np.full(len(node), j, np.int32)}
    return {**places, "node": node, "trained_value": trained}


def _miss_of_one(asked: _Asked, count: NDArray[np.int64]) -> float:
    """Return how often the interval of each node may miss: Bonferroni over those with rows."""
    return asked.miss / max(int(np.count_nonzero(count)), 1)


def _join(parts: list[Columns], value_kind: str, center: str) -> HeldOut:
    """Return the table of all trees."""
    dtypes: dict[str, type[np.generic]] = {**FIELDS, "verdict": np.str_}
    columns = {
        name: np.concatenate([np.empty(0, dtype), *(part[name] for part in parts)])
        for name, dtype in dtypes.items()
    }
    return HeldOut(**columns, value_kind=value_kind, center=center)
