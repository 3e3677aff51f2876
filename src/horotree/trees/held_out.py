"""Where data that were not trained on would put the nodes of monotonic trees."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats, check_number
from horotree._frozen import Frozen, as_array, freeze

from ._choice import find_ensembles, find_positive, find_trees
from ._conversion import as_model
from ._intervals import Sums, find_intervals, judge, sum_stages, to_posterior
from ._labels import find_places
from .center import center_tree, find_center, origin_of
from .model import Model
from .monotonic_tree import monotonic
from .rules import path_rule
from .tree import Ints, Tree

# What can be said of a node, and how the summary says it.
VERDICTS = {
    "agrees": "agree",
    "flipped": "flipped",
    "weaker": "weaker",
    "stronger": "stronger",
    "few": "with too few examples",
    "none": "without any",
}

_FIELDS: dict[str, type[np.generic]] = {
    "ensemble": np.int32,
    "tree": np.int32,
    "node": np.int32,
    "count": np.int64,
    "effective_count": np.float64,
    "trained_value": np.float64,
    "value": np.float64,
    "low_value": np.float64,
    "high_value": np.float64,
}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class HeldOut(Frozen):
    """Kept nodes, and where held-out data put them: read-only arrays with one entry a node.

    Values are logits of posteriors, infinite at posteriors 0 and 1; without examples they are NaN,
    all but the trained one. As posteriors they are ``trained``, ``posterior``, ``low`` and
    ``high``.

    Parameters
    ----------
    ensemble, tree, node : int32 array
        Which ensemble, which tree of it, which node of that.
    count : int64 array
        The examples that came by.
    effective_count : float64 array
        How many examples of one weight would be worth as much: ``(Σw)² / Σw²``.
    trained_value : float64 array
        The node's value.
    value : float64 array
        Its value by the held-out data.
    low_value, high_value : float64 array
        The ends of the interval of that.
    verdict : array of str
        One of agrees, flipped, weaker, stronger, few and none; see ``held_out``.

    See Also
    --------
    held_out : Finds them.
    """

    ensemble: Ints
    tree: Ints
    node: Ints
    count: NDArray[np.int64]
    effective_count: Floats
    trained_value: Floats
    value: Floats
    low_value: Floats
    high_value: Floats
    verdict: NDArray[np.str_]

    def __post_init__(self) -> None:
        for name, dtype in _FIELDS.items():
            array = freeze(as_array(getattr(self, name), name, dtype))
            object.__setattr__(self, name, array)
        verdict = freeze(np.array(self.verdict, np.str_))
        object.__setattr__(self, "verdict", verdict)
        lengths = {name: np.shape(getattr(self, name)) for name in (*_FIELDS, "verdict")}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"all fields must have one entry a node, got shapes {lengths}.")
        if not np.isin(verdict, list(VERDICTS)).all():
            known = ", ".join(VERDICTS)
            raise ValueError(f"verdicts must be among {known}, got {np.unique(verdict).tolist()}.")

    def __hash__(self) -> int:
        return hash((self.tree.tobytes(), self.node.tobytes(), self.count.tobytes()))

    def __len__(self) -> int:
        return len(self.node)

    def __repr__(self) -> str:
        return f"HeldOut({self})"

    def __str__(self) -> str:
        number = {name: int(np.count_nonzero(self.verdict == name)) for name in VERDICTS}
        others = [f"{number[name]} {text}" for name, text in VERDICTS.items() if number[name]]
        if number["agrees"]:
            del others[0]
        return ", ".join([f"{number['agrees']} of {len(self)} nodes agree", *others])

    @cached_property
    def trained(self) -> Floats:
        """The posterior of each node."""
        return freeze(to_posterior(self.trained_value))

    @cached_property
    def posterior(self) -> Floats:
        """The posterior of each node by the held-out data; NaN without examples."""
        return freeze(to_posterior(self.value))

    @cached_property
    def low(self) -> Floats:
        """The low end of the interval of the held-out posterior; NaN without examples."""
        return freeze(to_posterior(self.low_value))

    @cached_property
    def high(self) -> Floats:
        """The high end of the interval of the held-out posterior; NaN without examples."""
        return freeze(to_posterior(self.high_value))

    def of(self, tree: int, ensemble: int = 0) -> "HeldOut":
        """Return the part about one tree; its rows are those of the monotonic tree.

        Parameters
        ----------
        tree : int
            Which tree, from 0.
        ensemble : int
            Of which ensemble, from 0.

        Returns
        -------
        HeldOut
        """
        rows = np.flatnonzero((self.tree == tree) & (self.ensemble == ensemble))
        if not len(rows):
            raise ValueError(
                f"there are no nodes of tree {tree} of ensemble {ensemble}: pass one that "
                "held_out was called for."
            )
        return HeldOut(*(array[rows] for array in self._values()))

    def to_frame(self, model: Any = None) -> Any:
        """Return a data frame with a row a node.

        Parameters
        ----------
        model : Model or estimator, optional
            What ``held_out`` was called with, for two columns more: the positive class of each
            ensemble, and the rule that leads to each node.

        Returns
        -------
        pandas.DataFrame
            With the columns ensemble, class, tree, node, rule, count, effective_count, trained,
            posterior, low, high (posteriors, not values) and verdict.
        """
        import pandas as pd

        names = ("count", "effective_count", "trained", "posterior", "low", "high", "verdict")
        frame = pd.DataFrame({name: getattr(self, name) for name in ("ensemble", "tree", "node")})
        frame = frame.assign(**{name: getattr(self, name) for name in names})
        if model is not None:
            known = as_model(model)
            rules = list(_rules(self, known))  # raises if it is another model
            labels = known.classes[[find_positive(known, k) for k in range(len(known.ensembles))]]
            frame.insert(1, "class", labels[self.ensemble])
            frame.insert(4, "rule", rules)
        return frame


def held_out(
    model: Any,
    X: Any,
    y: Any,
    *,
    tree: int | Sequence[int] | None = None,
    class_: Any = None,
    center: str = "half",
    level: float = 0.95,
    n_threads: int = 1,
) -> HeldOut:
    """Find where data that were not trained on would put the nodes of a model's monotonic trees.

    The value of a node in a boosted tree is the logit of its posterior under the boosting weights
    of that round. So it is compared with the same of other data: the share of the positive class
    among the examples that come by, each with the weight ``sigmoid(-y F(x))``, where F is the score
    of the trees before. For class shares (link "mean"), and in a first tree, weights are equal.

    All intervals of a tree hold what they are for with probability ``level`` or more: each of the
    m kept nodes that have examples gets ``1 - (1 - level) / m`` (Bonferroni). Where all weights are
    equal, or all of each class are, it is the exact binomial interval (Clopper and Pearson); else
    one for weighted counts that reduces to it. A binomial interval of the effective count would not
    do: late in boosting the few wrong examples weigh most, and a node in which none happens to be
    would seem pure beyond doubt.

    Verdicts, first match:

    - none: no examples.
    - flipped: the whole interval is on the other side of 1/2 than the trained posterior.
    - weaker: it excludes the trained posterior and is nearer to 1/2, or around it.
    - stronger: it excludes the trained posterior and is further from 1/2.
    - few: it holds the trained posterior, but is wider than 1/2: too few examples to tell.
    - agrees: it holds the trained posterior.

    Parameters
    ----------
    model : Model or estimator
        A model, or a fitted estimator of this package.
    X : data frame or array_like
        The columns of the training table, in rows that were not trained on.
    y : array_like
        The class of each row.
    tree : int or sequence of int, optional
        Which trees, from 0, negative from the last; all if not given.
    class_ : object, optional
        Of a model with an ensemble a class, whose; all if not given.
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
    Sample weights are not used. Values that are not logits of posteriors, as those of some imported
    models, are compared as if they were.

    Examples
    --------
    >>> from horotree.trees import Ensemble, Model, Tree
    >>> from horotree.trees.held_out import held_out
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
    HeldOut(2 of 3 nodes agree, 1 weaker)
    >>> frame = found.to_frame(model)[["rule", "trained", "low", "high", "verdict"]]
    >>> print(frame.round(2).to_string(index=False))
                       rule  trained  low  high verdict
                     always     0.62 0.53  0.76  agrees
                size <= 0.5     0.05 0.24  0.58  weaker
    size > 0.5 (or missing)     0.88 0.75  0.97  agrees
    """
    known = as_model(model)
    miss = 1.0 - check_number(level, "level")
    if not 0.0 < miss < 1.0:
        raise ValueError(f"level must be above 0 and below 1, got {level!r}: 0.95 is usual.")
    matrix = known.to_matrix(X)
    if not len(matrix):
        raise ValueError("X must have rows to hold nodes against, got none: pass some.")
    place = find_places(y, known.classes, len(matrix))
    seen_from = find_center(known, center)
    parts = []
    for k in find_ensembles(known, class_):
        ensemble = known.ensembles[k]
        stages = sum_stages(
            ensemble,
            matrix,
            place == find_positive(known, k),
            find_trees(ensemble, tree),
            weighted=known.link != "mean",
            n_threads=n_threads,
        )
        parts += [_compare(k, j, ensemble.trees[j], sums, miss, seen_from) for j, sums in stages]
    return _join(parts)


def _compare(
    k: int, j: int, tree: Tree, sums: Sums, miss: float, center: str
) -> dict[str, NDArray[Any]]:
    """Return the columns for one tree's kept nodes."""
    node = monotonic(center_tree(tree, center)).node
    kept = sums.take(node)
    count = kept.count.sum(axis=0)
    origin = origin_of(tree, center)
    n_looked_at = max(int(np.count_nonzero(count)), 1)
    low, high = find_intervals(kept, miss / n_looked_at)
    return {
        "ensemble": np.full(len(node), k, np.int32),
        "tree": np.full(len(node), j, np.int32),
        "node": node,
        "count": count,
        "effective_count": kept.effective_count,
        "trained_value": tree.value[node],
        "value": kept.value,
        "low_value": low,
        "high_value": high,
        "verdict": judge(tree.value[node] - origin, low - origin, high - origin),
    }


def _join(parts: list[dict[str, NDArray[Any]]]) -> HeldOut:
    """Return the table of all trees."""
    dtypes: dict[str, type[np.generic]] = {**_FIELDS, "verdict": np.str_}
    columns = {
        name: np.concatenate([np.empty(0, dtype), *(part[name] for part in parts)])
        for name, dtype in dtypes.items()
    }
    return HeldOut(**columns)


def _rules(found: HeldOut, model: Model) -> Iterator[str]:
    """Yield the rules that lead to nodes, for people to read."""
    rows = zip(found.ensemble, found.tree, found.node, found.trained_value, strict=True)
    for k, j, node, value in rows:
        trees = model.ensembles[k].trees if k < len(model.ensembles) else ()
        if j >= len(trees) or node >= trees[j].n_nodes or trees[j].value[node] != value:
            raise ValueError(
                f"model must be what held_out was called with, got one with another node {node} "
                f"of tree {j} of ensemble {k}, or none: pass the same."
            )
        yield path_rule(trees[j], int(node)).text(model.columns)
