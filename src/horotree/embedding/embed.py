"""Embedding by name: one monotonic tree, or all trees of a model at one temperature."""

import itertools
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from horotree._checks import check_temperature
from horotree.geometry import tself
from horotree.io import from_model
from horotree.trees import (
    Ensemble,
    MonotonicTree,
    Tree,
    center_ensemble,
    find_center,
    monotonic,
)

from .embedding import DiskEmbedding
from .exact import place_exact
from .sarkar import place_sarkar

# The norm at which the automatic t draws the most confident node.
OUTERMOST = 0.95


def embed(
    monotonic: MonotonicTree,
    method: str = "exact",
    *,
    t: float | str = "auto",
    budget: str = "leaves",
    spacing: bool = True,
    normalize: bool = False,
) -> DiskEmbedding:
    """Embed a monotonic tree in the Poincaré disk.

    ``exact`` keeps distances: every node is at the distance of its confidence, and geodesic arcs
    meet in common ends only. ``sarkar`` is the paper's placement: it keeps the lengths of arcs and
    lets distances drift; arcs may cross.

    Parameters
    ----------
    monotonic : MonotonicTree
        What to embed.
    method : {"exact", "sarkar"}
        How.
    t : float or "auto"
        The temperature at which arcs are geodesics, for ``exact``. "auto" is 1 if that draws the
        most confident node within norm 0.95, else what draws it there.
    budget : {"leaves", "weight", "both"}
        For ``exact``: a node's part of the circle is by leaves, by training weight, or by both.
    spacing : bool
        For ``exact``: whether to turn nodes that would be drawn on top of others.
    normalize : bool
        For ``sarkar``: whether the sectors of children fill the fan, instead of overflowing it.

    Returns
    -------
    DiskEmbedding

    See Also
    --------
    embed_model : All trees of a model.

    References
    ----------
    Paper, sarkar-mod.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from horotree import LogLossTreeClassifier, embed, monotonic
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> tree = LogLossTreeClassifier(max_leaf_nodes=16).fit(X, y).tree_
    >>> embedding = embed(monotonic(tree))
    >>> bool((embedding.distance == embedding.monotonic.confidence).all())
    True
    >>> embedding.quality().crossings
    0
    """
    if not isinstance(monotonic, MonotonicTree):
        raise TypeError(
            f"embed takes a MonotonicTree, got a {type(monotonic).__name__}: pass monotonic(tree), "
            "or call embed_model(model)."
        )
    if method == "exact":
        _refuse(method, normalize=normalize)
        temperature = (
            automatic_t(float(monotonic.confidence.max())) if t == "auto" else check_temperature(t)
        )
        return place_exact(monotonic, t=temperature, budget=budget, spacing=spacing)
    if method == "sarkar":
        _refuse(method, budget=budget != "leaves", spacing=not spacing, t=t not in ("auto", 1))
        return place_sarkar(monotonic, normalize=normalize)
    raise ValueError(f"method must be 'exact' or 'sarkar', got {method!r}.")


def embed_model(
    model: Any,
    method: str = "exact",
    *,
    center: str = "half",
    t: float | str = "auto",
    report: Callable[[], None] | None = None,
    **options: Any,
) -> tuple[tuple[DiskEmbedding, ...], ...]:
    """Embed all trees of a model, at one temperature, so that they can be compared.

    Children go around their parent by class and by gain of confidence, in the same order in every
    tree, so that the sides of trees can be compared.

    Parameters
    ----------
    model : Model, estimator, or what ``from_model`` takes
        The trees.
    method : {"exact", "sarkar"}
        As in ``embed``.
    center : {"half", "base", "auto"}
        What confidence is counted from: even odds, as in the paper, or the root of each tree, so
        that both classes have room where one is rare. "auto" is "base" where a class has less than
        a quarter of the training examples, as in ``view``.
    t : float or "auto"
        The temperature at which arcs are geodesics; "auto" looks at the most confident node of all.
    report : callable, optional
        Called after each tree, from this thread.
    **options
        As in ``embed``.

    Returns
    -------
    tuple of tuples of DiskEmbedding
        For each ensemble of the model, one a tree.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from horotree import LogisticBoostClassifier, embed_model
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> (embeddings,) = embed_model(LogisticBoostClassifier(n_estimators=10).fit(X, y))
    >>> len(embeddings), len({embedding.t for embedding in embeddings})
    (10, 1)
    """
    known = from_model(model)
    seen_from = find_center(known, center)
    ensembles = [center_ensemble(ensemble, seen_from) for ensemble in known.ensembles]
    if method == "exact" and t == "auto":
        t = automatic_t(largest_confidence(*ensembles))
    trees = [tree for ensemble in ensembles for tree in ensemble.trees]
    found = iter(embed_trees(trees, method, t=t, report=report, **options))
    return tuple(tuple(itertools.islice(found, len(ensemble.trees))) for ensemble in ensembles)


def embed_trees(
    trees: Iterable[Tree],
    method: str = "exact",
    *,
    t: float | str,
    report: Callable[[], None] | None = None,
    **options: Any,
) -> list[DiskEmbedding]:
    """Return the embeddings of trees, computed in parallel; arguments as in ``embed_model``."""

    def place(tree: Tree) -> DiskEmbedding:
        return embed(monotonic(tree), method, t=t, **options)

    with ThreadPoolExecutor() as pool:  # the kernels let other threads run
        try:
            embeddings: Iterator[DiskEmbedding] = pool.map(place, trees)
        except RuntimeError:  # the system has no more threads: this one does the work
            embeddings = map(place, trees)
        found = []
        for embedding in embeddings:
            found.append(embedding)
            if report is not None:
                report()
        return found


def largest_confidence(*ensembles: Ensemble) -> float:
    """Return the confidence of the most confident node of all trees; its tree always keeps it."""
    trees = (tree for ensemble in ensembles for tree in ensemble.trees)
    return max((float(tree.confidence.max()) for tree in trees), default=0.0)


def automatic_t(confidence: float) -> float:
    """Return the t at which this confidence is drawn at norm 0.95, but at most 1."""
    return 1.0 if confidence == 0.0 else min(1.0, float(tself.t_for_norm(confidence, OUTERMOST)))


def _refuse(method: str, **given: bool) -> None:
    """Raise if an option was given that the method does not have."""
    for name, is_given in given.items():
        if is_given:
            raise ValueError(f"method {method!r} has no option {name!r}: leave it out.")
