"""Where the trees of two models differ first: the test nearest to the root."""

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from horotree.cli.errors import quoted

if TYPE_CHECKING:
    from horotree.trees import Model, Tree

# How many differing trees are described.
N_DESCRIBED = 3


@dataclass(frozen=True, slots=True)
class TreeComparison:
    """Numbers of pairs of trees and of equal ones, and texts about the others."""

    n_trees: int  # the trees of the model that has more
    n_pairs: int  # pairs of trees of the same round and class
    n_same: int  # pairs of equal trees
    texts: list[str]  # about the strongest pairs that differ


def compare_trees(a: "Model", b: "Model") -> TreeComparison:
    """Compare the trees of two models, each with the one of the same round and class."""
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
    strongest = sorted(differing, key=lambda pair: -pair[1])[:N_DESCRIBED]
    texts = [f"{name}: {_describe(a, one, b, other)}." for name, _, one, other in strongest]
    return TreeComparison(n_trees, len(pairs), len(pairs) - len(differing), texts)


def _describe(a: "Model", one: "Tree", b: "Model", other: "Tree") -> str:
    """Return where two trees differ, nearest to the root."""
    common, differing = [], []
    waiting = deque([(0, 0)])
    while waiting:
        p, q = waiting.popleft()
        common.append((p, q))
        if _test(a, one, p) != _test(b, other, q):
            differing.append((p, q))
        elif not one.is_leaf[p]:
            children = zip(_children(one, p), _children(other, q), strict=True)
            waiting += children
    if not differing:
        return _compare_numbers(a, one, other, common)
    p, q = differing[0]
    place = "at the root" if p == 0 else _where(a, one, p)
    shared = f"{len(common)} of {one.n_nodes} and {other.n_nodes} nodes in common"
    return f"{shared}; {place}, A {_step(a, one, p)} and B {_step(b, other, q)}"


def _compare_numbers(a: "Model", one: "Tree", other: "Tree", common: list[tuple[int, int]]) -> str:
    """Return how trees with the same tests differ, and where most."""
    for name in ("value", "output"):
        of_one, of_other = getattr(one, name), getattr(other, name)
        gap, p, q = max((abs(float(of_one[p] - of_other[q])), p, q) for p, q in common)
        if gap > 0.0:
            return (
                f"the same tests, other {name}s, at most {gap:.3g} apart: {of_one[p]:.3g} in A and "
                f"{of_other[q]:.3g} in B {_where(a, one, p)}"
            )
    return "the same tests and values, learned from other examples"


def _children(tree: "Tree", node: int) -> tuple[int, int]:
    return int(tree.left[node]), int(tree.right[node])


def _where(model: "Model", tree: "Tree", node: int) -> str:
    """Return the rule that leads to a node; where missing values go is left out."""
    from horotree.trees import path_rule

    return f"where {path_rule(tree, node).text(model.columns, show_missing=False)}"


def _test(model: "Model", tree: "Tree", node: int) -> object:
    """Return the test of a node in a form that is equal for equal tests of two models."""
    if tree.is_leaf[node]:
        return None
    name = model.feature_names[tree.feature[node]]
    labels = model.categories[tree.feature[node]]
    codes = tree.category[tree.category_start[node] : tree.category_start[node + 1]]
    left = frozenset(labels[code] for code in codes) if labels is not None else None
    threshold = None if len(codes) else float(tree.threshold[node])
    return name, left, threshold, bool(tree.missing_left[node])


def _step(model: "Model", tree: "Tree", node: int) -> str:
    """Return what a tree does at a node, as text."""
    from horotree.trees import path_rule

    if tree.is_leaf[node]:
        return f"ends with {tree.value[node]:+.3g} (log-odds)"
    step = path_rule(tree, int(tree.left[node]), node)
    return f"asks whether {step.text(model.columns)}"
