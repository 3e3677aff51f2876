"""A decision tree beside its monotonic tree, with matplotlib."""

import operator
from typing import Any, Self

import numpy as np

from horotree.embedding import embed
from horotree.scene import Scene, find_scenes
from horotree.trees import Columns, Tree, monotonic
from horotree.trees.columns import default_names

from .base import FigureDisplay, find_colors
from .tree_page import Page
from .tree_plan import Layout
from .tree_sketch import choose_nodes, sketch_monotonic, sketch_tree


class TreeDisplay(FigureDisplay):
    """A decision tree beside its monotonic tree.

    For small trees: of larger ones only the upper levels are drawn, and `DiskDisplay` shows the
    whole. Nodes have their numbers in the tree and are at the same height on both sides. A node
    that the monotonic tree leaves out is dashed; if it is a leaf, its number hangs below the node
    that speaks for it. An arc is as wide as it has tests.

    Parameters
    ----------
    scene : Scene
        What to draw.

    Attributes
    ----------
    figure_ : matplotlib.figure.Figure
        The picture.
    axes_ : tuple of matplotlib.axes.Axes
        The decision tree and the monotonic tree; their unit is an inch.
    boxes_ : tuple of dict
        For each of them the boxes of the nodes drawn, by the numbers of the nodes.
    arcs_ : tuple of dict
        For each of them the arcs, by the numbers of the nodes that they lead to.

    See Also
    --------
    DiskDisplay : A tree of any size, where distance from the center is confidence.

    References
    ----------
    Paper, fig:dt-vs-mdt.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from horotree import LogLossTreeClassifier
    >>> from horotree.display.tree import TreeDisplay
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> classifier = LogLossTreeClassifier(max_leaf_nodes=6).fit(X, y)
    >>> display = TreeDisplay.from_estimator(classifier)
    >>> [len(boxes) for boxes in display.boxes_]
    [11, 7]
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        *,
        tree: int = 0,
        class_: Any = None,
        max_nodes: int = 63,
        colors: str | tuple[str, str] = "safe",
    ) -> Self:
        """Draw one tree of a model.

        Parameters
        ----------
        model : Model or estimator
            Whose tree.
        tree : int
            Which tree, from 0; -1 is the last.
        class_ : object, optional
            Of more than two classes, the one whose ensemble to look at; the first if not given.
        max_nodes, colors
            As in ``plot``.

        Returns
        -------
        TreeDisplay
        """
        (scene,) = find_scenes(model, tree=tree, class_=class_)
        return cls(scene).plot(max_nodes=max_nodes, colors=colors)

    @classmethod
    def from_tree(
        cls,
        tree: Tree,
        columns: Columns | None = None,
        *,
        classes: tuple[str, str] = ("negative", "positive"),
        max_nodes: int = 63,
        colors: str | tuple[str, str] = "safe",
    ) -> Self:
        """Draw a tree.

        Parameters
        ----------
        tree : Tree
            The decision tree.
        columns : Columns, optional
            The names of the features; x0, x1, ... if not given.
        classes : tuple of str
            The names of the negative and the positive class.
        max_nodes, colors
            As in ``plot``.

        Returns
        -------
        TreeDisplay
        """
        largest = float(tree.confidence[tree.is_leaf].max())
        known = _default_columns(tree) if columns is None else columns
        embedding = embed(monotonic(tree))
        scene = Scene(embedding, known, classes, 0, 1, float("nan"), largest)
        return cls(scene).plot(max_nodes=max_nodes, colors=colors)

    def plot(self, *, max_nodes: int = 63, colors: str | tuple[str, str] = "safe") -> Self:
        """Draw, in a figure as large as the trees need it.

        Parameters
        ----------
        max_nodes : int
            The most nodes to draw, level by level; the picture says how many are not.
        colors : {"safe", "paper", "gray"} or two colors
            Of the negative and the positive class: told apart by the color-blind, the paper's red
            and green, or without color.

        Returns
        -------
        TreeDisplay
            Itself.
        """
        if operator.index(max_nodes) < 1:
            raise ValueError(f"max_nodes must be 1 or more, got {max_nodes!r}: 1 is the root.")
        scene = self.scene
        nodes = choose_nodes(scene.embedding.monotonic.tree, max_nodes)
        sketches = sketch_tree(scene, nodes), sketch_monotonic(scene, nodes)
        page = Page(_find_title(scene), sketches, scene.classes, find_colors(colors))
        first, second = page.layouts
        painted = (
            page.paint(0, "Decision tree", _tell_tree(scene, first)),
            page.paint(1, "Monotonic tree", _tell_monotonic(scene, second)),
        )
        self.figure_ = page.figure
        self.axes_, self.boxes_, self.arcs_ = zip(*painted, strict=True)
        return self


def _default_columns(tree: Tree) -> Columns:
    """Return names for the features that a tree tests, and labels for categories."""
    n = int(tree.feature.max()) + 1
    n_codes = [0] * n
    for node in np.flatnonzero(np.diff(tree.category_start)):
        feature, end = tree.feature[node], tree.category_start[node + 1]
        n_codes[feature] = max(n_codes[feature], int(tree.category[end - 1]) + 2)
    labels = tuple(tuple(range(k)) if k else None for k in n_codes)
    return Columns(default_names(n), labels)


def _find_title(scene: Scene) -> str:
    which = f"Tree {scene.tree + 1} of {scene.n_trees}" if scene.n_trees > 1 else "A decision tree"
    return f"{which}, and its monotonic tree"


def _tell_tree(scene: Scene, layout: Layout) -> list[str]:
    n_drawn, n = len(layout.sketch.node), scene.embedding.monotonic.tree.n_nodes
    return [_count(n_drawn, n), *_tell_unwritten(layout)]


def _tell_monotonic(scene: Scene, layout: Layout) -> list[str]:
    n_drawn, n = len(layout.sketch.node), len(scene)
    told = _count(n_drawn, n)
    if n_drawn > 1:
        told += ", surer and surer on the way down"
    return [told, *_tell_unwritten(layout)]


def _count(n_drawn: int, n: int) -> str:
    if n_drawn < n:
        return f"{n_drawn} of its {n} nodes: the uppermost"
    return f"{n} node{'s' if n > 1 else ''}"


def _tell_unwritten(layout: Layout) -> list[str]:
    """Say which tests are left out."""
    if layout.n_written >= max(layout.sketch.level):
        return []
    if layout.n_written == 0:
        return ["tests are not written: there is no room"]
    return [f"tests are written down to level {layout.n_written}: there is no room below"]
