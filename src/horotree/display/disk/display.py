"""One tree in the Poincaré disk, with matplotlib."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from horotree._checks import Floats, check_number, check_temperature
from horotree.display import style
from horotree.display.base import FigureDisplay, default_columns, find_colors, find_figure
from horotree.display.text.labels import find_places
from horotree.display.text.models import foot_height, judge_model, wrap_foot, write_foot
from horotree.embedding import DiskEmbedding
from horotree.evaluation.calibration import Calibration
from horotree.io import from_model
from horotree.losses import inverse_link
from horotree.scene import Scene, choose_tree, find_scenes
from horotree.trees import Columns, rename_with_tables
from horotree.trees.naming import Names

from . import calibration as calibration_painter
from . import painter
from .held_out import paint_held_out
from .isolines import label_isolines, paint_isolines
from .key import paint_key, tell_figures

# What fills less than this part of the disk is enlarged.
SMALL = 0.65

# Inches: the disk of a figure of its own, and the key beside it.
DISK_SIZE = 6.9
KEY_SIZE = 3.5
WIDTH = DISK_SIZE + KEY_SIZE + 0.5

# How many nodes are numbered and told in the key.
N_TOLD = 7


class DiskDisplay(FigureDisplay):
    """A tree in the Poincaré disk: a node's distance from the center is its confidence.

    Good nodes are near the border, useless ones at the center. What is drawn: the border; isolines
    of the posterior; the geodesic arcs of the monotonic tree, wider for more tests; its nodes, by
    class, larger for more training weight, the root in a ring, nodes that speak for leaves of the
    tree that are not shown in a thin one; and the two circles of leverage.

    Parameters
    ----------
    scene : Scene
        What to draw.
    foot : sequence of str
        Sentences to write below it in a figure of its own, as of how good the model is.
    calibration : Calibration, optional
        Whether probabilities of the positive class are what they say: a strip beside these.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The disk.
    figure_ : matplotlib.figure.Figure
        The figure it is in.
    arcs_, nodes_, isolines_, leverage_, held_out_ : artists
        What was drawn.

    See Also
    --------
    EnsembleDisplay : All trees of a model.

    References
    ----------
    Paper, fig:hyperbolicsum.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from horotree import DiskDisplay, LogisticBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> classifier = LogisticBoostClassifier(n_estimators=5).fit(X, y)
    >>> display = DiskDisplay.from_estimator(classifier, tree=0)
    >>> display.ax_.get_aspect()
    1.0
    """

    def __init__(
        self, scene: Scene, *, foot: Sequence[str] = (), calibration: Calibration | None = None
    ) -> None:
        self.scene, self.foot, self.calibration = scene, tuple(foot), calibration

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: Any = None,
        y: Any = None,
        *,
        tree: int = 0,
        class_: Any = None,
        center: str = "auto",
        t: float | str = "auto",
        class_names: Names | None = None,
        feature_names: Names | None = None,
        ax: Axes | None = None,
        **style: Any,
    ) -> Self:
        """Draw one tree of a model.

        Parameters
        ----------
        model : Model, estimator, or what ``from_model`` takes
            Whose tree.
        X, y : table and classes, optional
            Data that were not used in training: each node also shows where they put it.
        tree : int
            Which tree, from 0; -1 is the last.
        class_ : object, optional
            Of more than two classes, the one whose ensemble to look at; the first if not given.
        center : {"auto", "base", "half"}
            What the center of the disk stands for. "half" is the paper's: even odds. "base" is what
            the tree says of all, its root: then nodes of a rare class are drawn, too. "auto" is
            "base" if a class has less than a quarter of the training examples, else "half".
        t : float or "auto"
            The temperature. "auto" is one for the whole model: 1 if that draws the most confident
            node of all within norm 0.95, else what draws it there.
        class_names : mapping or sequence of str, optional
            What to call the classes: names by label, or one a class in their order. y and
            ``class_`` hold labels, as without names.
        feature_names : mapping or sequence of str, optional
            What to call the features: new names by old ones, or one a feature in their order. If
            not given, and the model does not name its features, they are called as the columns of
            X, if these have names.
        ax : matplotlib.axes.Axes, optional
            Where to draw. If not given, in a figure of its own with a key beside.
        **style
            As in ``plot``.

        Returns
        -------
        DiskDisplay
        """
        known, X = rename_with_tables(
            from_model(model), X, class_names=class_names, feature_names=feature_names
        )
        k, j = choose_tree(known, tree, class_)
        scenes = find_scenes(known, X, y, tree=j, class_=class_, center=center, t=t)
        foot, calibration = judge_model(known, scenes.rows, center=scenes.center, k=k)
        return cls(scenes[0], foot=foot, calibration=calibration).plot(ax=ax, t=t, **style)

    @classmethod
    def from_embedding(
        cls,
        embedding: DiskEmbedding,
        *,
        columns: Columns | None = None,
        classes: tuple[str, str] = ("negative", "positive"),
        t: float | str = "auto",
        ax: Axes | None = None,
        **style: Any,
    ) -> Self:
        """Draw an embedding.

        Parameters
        ----------
        embedding : DiskEmbedding
            Where the nodes are.
        columns : Columns, optional
            The names of the features; x0, x1, ... if not given.
        classes : tuple of str
            The names of the negative and the positive class.
        t, ax, **style
            As in ``from_estimator``.

        Returns
        -------
        DiskDisplay
        """
        tree = embedding.monotonic.tree
        columns = default_columns(tree) if columns is None else columns
        largest = float(tree.confidence[tree.is_leaf].max())
        base_rate = float(inverse_link(tree.value[0]))
        scene = Scene(embedding, columns, classes, 0, 1, float("nan"), largest, base_rate=base_rate)
        return cls(scene).plot(ax=ax, t=t, **style)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        t: float | str = "auto",
        extent: float | str = "auto",
        colors: str | tuple[str, str] = "safe",
        labels: bool | None = None,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where. If not given, in a figure of its own with a key beside.
        t : float or "auto"
            The temperature; that of the embedding for "auto".
        extent : float or "auto"
            The norm at which the picture ends. "auto" enlarges what is near the center, and shows
            in a small disk beside where it is.
        colors : {"safe", "paper", "gray"} or two colors
            Of the negative and the positive class: told apart by the color-blind, the paper's red
            and green, or without color.
        labels : bool, optional
            Whether to number the nodes that decide most; so it is if there is a key.

        Returns
        -------
        DiskDisplay
            Itself.
        """
        scene = self.scene
        own = ax is None
        strip = calibration_painter.WIDTH + 0.3 if self.calibration is not None else 0.0
        foot = wrap_foot(self.foot, WIDTH - 0.3 - strip) if own else []
        room = max(foot_height(foot), calibration_painter.HEIGHT if strip else 0.0)
        ax = _new_axes(room) if ax is None else ax
        figure = find_figure(ax)
        temperature = scene.embedding.t if t == "auto" else check_temperature(t)
        view = self._view(ax, temperature, extent, find_colors(colors))
        painter.paint_ground(ax, view)
        self.isolines_ = paint_isolines(ax, view, scene)
        self.leverage_ = painter.paint_leverage(ax, view, scene)
        self.arcs_ = painter.paint_arcs(ax, view, scene)
        self.nodes_ = painter.paint_nodes(ax, view, scene)
        truth = scene.held_out
        self.held_out_ = [] if truth is None else paint_held_out(ax, view, scene, truth)
        crowd = self._crowd(view)
        told = scene.strongest(N_TOLD) if labels and not own else []
        if own:
            most = N_TOLD if labels is not False else 0
            told = paint_key(figure, DISK_SIZE + 0.45, scene, view, most, bottom=room)
            write_foot(figure, foot, room)
            if self.calibration is not None:
                name, left = scene.classes[1], WIDTH - strip
                calibration_painter.add_strip(figure, left, self.calibration, name)
        else:
            _sign(ax, tell_figures(scene, view))
        spots = _number_nodes(ax, view, scene, told, crowd)
        label_isolines(ax, view, self.isolines_, crowd, spots)
        if view.extent < SMALL:
            painter.paint_whole(ax, view, scene)
        self.ax_, self.figure_ = ax, figure
        self.view_ = view
        return self

    def _view(
        self, ax: Axes, t: float, extent: float | str, colors: tuple[str, str]
    ) -> painter.View:
        size = ax.get_window_extent().width / find_figure(ax).dpi
        view = painter.View(t, 1.0, colors, size)
        if extent == "auto":
            outermost = float(view.norm(self.scene.distance).max())
            norm = 1.03 if outermost >= SMALL / 1.12 else max(1.12 * outermost, 1e-9)
        else:
            norm = check_number(extent, "extent")
            if norm <= 0.0:
                raise ValueError(f"extent must be positive, got {extent!r}: 1 is the whole disk.")
        return painter.View(t, norm, colors, size)

    def _crowd(self, view: painter.View) -> Floats:
        """Return points of all that is drawn, which labels should not cover."""
        arcs = painter.place(view, *self.scene.arcs).reshape(-1, 2)
        nodes = painter.place(view, self.scene.distance, self.scene.angle)
        return np.concatenate([arcs, np.repeat(nodes, 3, axis=0)])


def _sign(ax: Axes, words: str) -> None:
    """Write small into the lower right corner, which a disk leaves free."""
    signed = painter.text(ax, 1.0, 0.0, words, size=7.0, ha="right", va="bottom")
    signed.set_transform(ax.transAxes)


def _new_axes(foot: float) -> Axes:
    figure = Figure(figsize=(WIDTH, DISK_SIZE + 0.3 + foot), facecolor="white")
    figure.set_dpi(100.0)
    return style.add_panel(figure, 0.15, 0.15 + foot, DISK_SIZE, DISK_SIZE)


def _number_nodes(
    ax: Axes, view: painter.View, scene: Scene, told: list[int], crowd: Floats
) -> Floats:
    """Write 1, 2, ... beside nodes; return where."""
    points = painter.place(view, scene.distance[told], scene.angle[told])
    inch = 2.0 * view.extent / view.size
    size = (0.17 * inch, 0.15 * inch)
    spots = find_places(points, [size] * len(told), crowd, clearance=0.07 * inch)
    for number, (x, y) in enumerate(spots, start=1):
        if np.isfinite(x):
            label = painter.text(ax, x, y, str(number), color=style.INK, weight="bold")
            label.set(size=9.0 * min(1.2, view.scale), ha="center", va="center", zorder=7.0)
            label.set_path_effects(painter.halo(2.5))
    return np.asarray(spots[np.isfinite(spots[:, 0])])
