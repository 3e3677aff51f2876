"""What the center of the disk means: even odds, or what a tree says before any test.

Confidence is a distance from a reference. With ``center="half"``, the paper's, that is even odds:
a node's confidence is ``|value|``. With ``center="base"`` it is the root: a node's evidence is
``value - value(root)``, by how much it moves the log-odds from what the tree says of all. Where
values are logits of posteriors, evidence is the logit of the posterior that the node would have if
the root's examples were weighted so that both classes are even. It is a shift of all values of a
tree, so whatever is proved of values, hosts and the embedding holds of evidence, too.
"""

from dataclasses import replace

import numpy as np

from horotree._checks import Floats
from horotree.losses import inverse_link

from .ensemble import Ensemble
from .model import Model
from .tree import TOLERANCE, Tree

CENTERS = ("auto", "base", "half")

# A class with a smaller part of the examples than this is rare: see ``find_center``.
RARE = 0.25


def find_center(model: Model, center: str = "auto") -> str:
    """Return what the center of a model's pictures means: "base" or "half".

    "auto" is "base" if some class has less than a quarter of the training examples, by the model's
    own account (see ``base_rates``), else "half". Seen from even odds, all nodes of a rare class
    are less sure than the root, so none of them would be drawn. It is "base", too, if most trees
    of some ensemble have a single test, and "half" would hide a branch of one of these. "base" and
    "half" are returned as they are.

    Examples
    --------
    >>> from horotree.trees import Ensemble, Model, Tree
    >>> from horotree.trees.center import find_center
    >>> rare = Tree([-1], [-1], [-1], [0.0], [False], [0, 0], [], [-3.0], [-3.0], [1.0], [1])
    >>> ensemble = Ensemble((rare,), leverage=[1.0], edge=[0.9], base_value=0.0)
    >>> model = Model((ensemble,), "logistic", ["no", "yes"], ("size",), (None,), "float64")
    >>> find_center(model), find_center(model, "half")
    ('base', 'half')
    """
    if center not in CENTERS:
        raise ValueError(f"center must be one of {', '.join(CENTERS)}, got {center!r}.")
    if center != "auto":
        return center
    if any(map(_hides_branches, model.ensembles)):
        return "base"
    rates = base_rates(model)
    return "base" if float(np.minimum(rates, 1.0 - rates).min(initial=0.5)) < RARE else "half"


def _hides_branches(ensemble: Ensemble) -> bool:
    """Return whether most trees have a single test, and one with a branch no surer than the root.

    A few of them among larger trees, as there are at the end of long training, decide nothing.
    """
    single = [np.abs(tree.value) for tree in ensemble.trees if tree.n_nodes == 3]
    hides = any(sure[1:].min() <= sure[0] * (1.0 + TOLERANCE) for sure in single)
    return hides and 2 * len(single) > len(ensemble.trees)


def base_rates(model: Model) -> Floats:
    """Return the share of each ensemble's positive class before any test, as the model has it.

    Of class shares the mean over the roots; of own boosting the first root's posterior; of margins
    what the score before the first tree says, or, where that is none, the first tree's root, which
    is a Newton step from even odds. Class or sample weights of the training are in it, and the
    smoothing of own boosting, which draws the first root towards even odds. An ensemble without
    trees and base value has a half.
    """
    if model.value_kind == "margin" and any(ensemble.base_value for ensemble in model.ensembles):
        start = np.array([[ensemble.base_value for ensemble in model.ensembles]])
        probability = model.probabilities(start[:, 0] if start.shape[1] == 1 else start)[0]
        return np.asarray(probability[1:] if start.shape[1] == 1 else probability)
    return np.array([_base_rate(ensemble, model.value_kind) for ensemble in model.ensembles])


def _base_rate(ensemble: Ensemble, kind: str) -> float:
    if not ensemble.trees:
        return 0.5
    if kind == "share":
        roots = np.array([tree.value[0] for tree in ensemble.trees])
        return float(np.asarray(inverse_link(roots)).mean())
    root = float(ensemble.trees[0].value[0])
    if kind == "margin":
        return min(max(0.5 + 0.25 * root, 0.0), 1.0)
    return float(inverse_link(root))


def origin_of(tree: Tree, center: str) -> float:
    """Return the value that is drawn at the center: 0 for "half", the root's for "base"."""
    return float(tree.value[0]) if center == "base" else 0.0


def center_tree(tree: Tree, center: str) -> Tree:
    """Return a tree with values relative to the center ("base" or "half"), as they are drawn.

    Its outputs are the same; for "half" it is the tree itself. Values that differ from the root's
    by rounding alone become 0.

    Examples
    --------
    >>> from horotree.trees import Tree
    >>> from horotree.trees.center import center_tree
    >>> tree = Tree(
    ...     left=[1, -1, -1], right=[2, -1, -1], feature=[0, -1, -1], threshold=[0.5, 0.0, 0.0],
    ...     missing_left=[True, False, False], category_start=[0, 0, 0, 0], category=[],
    ...     value=[-2.0, -3.0, -0.5], output=[-2.0, -3.0, -0.5], weight=[3.0, 2.0, 1.0],
    ...     count=[6, 4, 2],
    ... )
    >>> center_tree(tree, "base").value.tolist()
    [0.0, -1.0, 1.5]
    """
    if center == "half":
        return tree
    root = origin_of(tree, center)
    evidence = tree.value - root
    tiny = np.abs(evidence) <= TOLERANCE * np.maximum(np.abs(tree.value), abs(root))
    return replace(tree, value=np.where(tiny, 0.0, evidence))


def center_ensemble(ensemble: Ensemble, center: str) -> Ensemble:
    """Return an ensemble with the values of its trees relative to the center ("base" or "half").

    Its scores are the same, for outputs are. With "base", and where outputs are values, the sum of
    what the leaves add is ``base_value + Σ_j leverage_j value_j(root)``, the same for every
    example, plus ``Σ_j leverage_j evidence_j(leaf)``: the roots are the model's intercept.
    """
    if center == "half":
        return ensemble
    trees = tuple(center_tree(tree, center) for tree in ensemble.trees)
    return replace(ensemble, trees=trees)
