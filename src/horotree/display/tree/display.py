"""A decision tree beside its monotonic tree, with matplotlib."""

import operator
from typing import Any, Self

from horotree.display.base import FigureDisplay, default_columns, find_colors
from horotree.display.text.nodes import tree_name
from horotree.io import from_model
from horotree.scene import choose_tree, class_pair
from horotree.trees import (
    Columns,
    MonotonicTree,
    Tree,
    center_tree,
    find_center,
    monotonic,
    rename,
)
from horotree.trees.naming import Names

from .diagram import choose_nodes, draw_monotonic, draw_tree
from .page import Page
from .plan import Layout

GROWS = ", surer and surer on the way down"
FROM_ROOT = "Values are log-odds from the root: what a node adds to what the tree says of all."


class TreeDisplay(FigureDisplay):
    """A decision tree beside its monotonic tree.

    For small trees; of larger ones only the upper levels are drawn. Nodes have their numbers in the
    tree and are at the same height on both sides. A node that the monotonic tree leaves out is
    dashed; if it is a leaf, its number hangs below its host. The width of an arc grows with its
    number of tests.

    Parameters
    ----------
    monotonic : MonotonicTree
        The tree, and which of its nodes are kept.
    columns : Columns
        The names of the features.
    classes : tuple of str
        The names of the negative and the positive class.
    tree, n_trees : int
        The index of the tree and the number of trees, for the title.
    notes : tuple of str
        Remarks on the values, as in ``Model``.

    Attributes
    ----------
    figure_ : matplotlib.figure.Figure
        The picture.
    axes_ : tuple of matplotlib.axes.Axes
        The decision tree and the monotonic tree, in inches.
    boxes_ : tuple of dict
        For each of them the boxes of the drawn nodes, by number.
    arcs_ : tuple of dict
        For each of them the arcs, by the number of their lower node.

    See Also
    --------
    DiskDisplay : A tree of any size, where distance from the center is confidence.

    References
    ----------
    Paper, fig:dt-vs-mdt.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from horotree import LogLossTreeClassifier, TreeDisplay
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> classifier = LogLossTreeClassifier(max_leaf_nodes=6).fit(X, y)
    >>> display = TreeDisplay.from_estimator(classifier)
    >>> [len(boxes) for boxes in display.boxes_]
    [11, 7]
    """

    def __init__(
        self,
        monotonic: MonotonicTree,
        columns: Columns,
        classes: tuple[str, str] = ("negative", "positive"),
        *,
        tree: int = 0,
        n_trees: int = 1,
        notes: tuple[str, ...] = (),
    ) -> None:
        self.monotonic, self.columns, self.classes = monotonic, columns, classes
        self.tree, self.n_trees, self.notes = tree, n_trees, notes

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        *,
        tree: int = 0,
        class_: Any = None,
        center: str = "auto",
        class_names: Names | None = None,
        feature_names: Names | None = None,
        max_nodes: int = 31,
        colors: str | tuple[str, str] = "safe",
    ) -> Self:
        """Draw one tree of a model.

        Parameters
        ----------
        model : Model, estimator, or what ``from_model`` takes
            The model.
        tree : int
            The tree, from 0; -1 is the last.
        class_ : object, optional
            With more than two classes: the class of the tree (default: the first).
        center : {"auto", "base", "half"}
            The reference of values, as in ``DiskDisplay``: with "base" they are differences from
            the root, and these determine the monotonic tree.
        class_names, feature_names : mapping or sequence of str, optional
            Names of classes and features, as in ``DiskDisplay``.
        max_nodes, colors
            As in ``plot``.
        """
        known = rename(from_model(model), class_names=class_names, feature_names=feature_names)
        k, j = choose_tree(known, tree, class_)
        trees, center = known.ensembles[k].trees, find_center(known, center)
        display = cls(
            monotonic(center_tree(trees[j], center)),
            known.columns,
            class_pair(known, k),
            tree=j,
            n_trees=len(trees),
            notes=known.notes if center == "half" else (*known.notes, FROM_ROOT),
        )
        return display.plot(max_nodes=max_nodes, colors=colors)

    @classmethod
    def from_tree(
        cls,
        tree: Tree,
        columns: Columns | None = None,
        *,
        classes: tuple[str, str] = ("negative", "positive"),
        max_nodes: int = 31,
        colors: str | tuple[str, str] = "safe",
    ) -> Self:
        """Draw a tree; the default columns are x0, x1, ..., other arguments as in the class."""
        known = default_columns(tree) if columns is None else columns
        return cls(monotonic(tree), known, classes).plot(max_nodes=max_nodes, colors=colors)

    def plot(self, *, max_nodes: int = 31, colors: str | tuple[str, str] = "safe") -> Self:
        """Draw, in a figure as large as the trees need, and return the display.

        Parameters
        ----------
        max_nodes : int
            The most nodes to draw, level by level; the picture gives the number of the others.
        colors : {"safe", "paper", "gray"} or two colors
            The colors of the negative and the positive class, as in ``DiskDisplay``.
        """
        if operator.index(max_nodes) < 1:
            raise ValueError(f"max_nodes must be 1 or more, got {max_nodes!r}: 1 is the root.")
        kept, columns = self.monotonic, self.columns
        nodes = choose_nodes(kept.tree, max_nodes)
        diagrams = draw_tree(kept, columns, nodes), draw_monotonic(kept, columns, nodes)
        page = Page(self._find_title(), diagrams, self.classes, find_colors(colors), self.notes)
        first, second = page.layouts
        painted = (
            page.paint(0, "Decision tree", _describe(first, kept.tree.n_nodes, "")),
            page.paint(1, "Monotonic tree", _describe(second, len(kept), GROWS)),
        )
        self.figure_ = page.figure
        self.axes_, self.boxes_, self.arcs_ = zip(*painted, strict=True)
        return self

    def _find_title(self) -> str:
        which = "A decision tree" if self.n_trees == 1 else tree_name(self.tree, self.n_trees)
        return f"{which}, and its monotonic tree"


def _describe(layout: Layout, n: int, more: str) -> list[str]:
    """Return lines on how many nodes are drawn, and which tests are not written."""
    n_drawn = len(layout.diagram.node)
    count = f"{n_drawn} of its {n} nodes: the uppermost"
    if n_drawn == n:
        count = f"{n} node{'s' if n > 1 else ''}"
    lines = [count + (more if n_drawn > 1 else "")]
    if layout.n_written >= max(layout.diagram.level):
        return lines
    if layout.n_written == 0:
        return [*lines, "tests are not written: there is no room"]
    return [*lines, f"tests are written down to level {layout.n_written}: there is no room below"]
