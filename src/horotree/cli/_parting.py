"""Where the trees of two models part: the first test that is not the same."""

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ._errors import quoted

if TYPE_CHECKING:
    from horotree.trees import Model, Tree

# How many trees that differ are told of.
N_TOLD = 3


@dataclass(frozen=True, slots=True)
class Partings:
    """How many pairs of trees there are, how many are the same, and texts about others.

    Parameters
    ----------
    n_trees : int
        The trees of the model that has more.
    n_pairs : int
        Those that the other has, too.
    n_same : int
        Pairs of equal trees.
    texts : list of str
        About the strongest pairs that differ.
    """

    n_trees: int
    n_pairs: int
    n_same: int
    texts: list[str]


def find_partings(a: "Model", b: "Model") -> Partings:
    """Compare the trees of two models, each with the one of the same round and class.

    Parameters
    ----------
    a, b : Model
        Models of the same classes.

    Returns
    -------
    Partings
    """
    pairs, n_trees = [], 0
    labels = b.classes.tolist()
    for k, one in enumerate(a.ensembles):
        several = len(a.ensembles) > 1
        place = labels.index(a.classes.tolist()[k]) if several else 0
        if place >= len(b.ensembles):
            continue
        other = b.ensembles[place]
        n_trees += max(len(one.trees), len(other.trees))
        of_class = f" of class {quoted(a.classes.tolist()[k])}" if several else ""
        for j, trees in enumerate(zip(one.trees, other.trees, strict=False)):
            strength = max(abs(x.leverage_confidence[j]) for x in (one, other))
            pairs.append((f"Tree {j}{of_class}", float(strength), *trees))
    same_names = a.feature_names == b.feature_names and a.categories == b.categories
    differing = [pair for pair in pairs if not (same_names and pair[2] == pair[3])]
    strongest = sorted(differing, key=lambda pair: -pair[1])[:N_TOLD]
    texts = [f"{name}: {_part(a, one, b, other)}." for name, _, one, other in strongest]
    return Partings(n_trees, len(pairs), len(pairs) - len(differing), texts)


def _part(a: "Model", one: "Tree", b: "Model", other: "Tree") -> str:
    """Return where two trees part, nearest to the root."""
    from horotree.trees import path_rule

    n_common, widest = 0, (0.0, 0, 0)
    waiting = deque([(0, 0)])
    parted: tuple[int, int] | None = None
    while waiting:
        p, q = waiting.popleft()
        n_common += 1
        widest = max(widest, (abs(float(one.value[p] - other.value[q])), p, q))
        if _test(a, one, p) != _test(b, other, q):
            parted = parted or (p, q)
        elif not one.is_leaf[p]:
            waiting += [(one.left[p], other.left[q]), (one.right[p], other.right[q])]
    if parted is None:
        gap, p, q = widest
        return (
            f"the same tests, other values, at most {gap:.3g} apart: {one.value[p]:.3g} in A and "
            f"{other.value[q]:.3g} in B where {path_rule(one, p).text(a.columns)}"
        )
    p, q = parted
    where = path_rule(one, p).text(a.columns)
    shared = f"{n_common} of {one.n_nodes} and {other.n_nodes} nodes in common; "
    place = "at the root" if p == 0 else f"where {where}"
    return f"{shared}{place}, A {_step(a, one, p)} and B {_step(b, other, q)}"


def _test(model: "Model", tree: "Tree", node: int) -> object:
    """Return what a node asks, such that equal tests of two models are equal."""
    if tree.is_leaf[node]:
        return None
    name = model.feature_names[tree.feature[node]]
    labels = model.categories[tree.feature[node]]
    codes = tree.category[tree.category_start[node] : tree.category_start[node + 1]]
    left = frozenset(labels[code] for code in codes) if labels is not None else None
    threshold = None if len(codes) else float(tree.threshold[node])
    return name, left, threshold, bool(tree.missing_left[node])


def _step(model: "Model", tree: "Tree", node: int) -> str:
    """Return what a tree does at a node."""
    from horotree.trees import path_rule

    if tree.is_leaf[node]:
        return f"ends with {tree.value[node]:.3g}"
    step = path_rule(tree, int(tree.left[node]), node)
    return f"asks whether {step.text(model.columns)}"
