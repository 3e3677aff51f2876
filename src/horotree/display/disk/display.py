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
from .key import describe_figures, paint_key

# Pictures with all nodes within this norm are enlarged.
SMALL = 0.65

# Inches: the disk of a new figure, and its key.
DISK_SIZE = 6.9
KEY_SIZE = 3.5
WIDTH = DISK_SIZE + KEY_SIZE + 0.5

# The most nodes that are numbered and described in the key.
N_NUMBERED = 7


class DiskDisplay(FigureDisplay):
    """A tree in the Poincaré disk: a node's distance from the center is its confidence.

    Good nodes are near the border, useless ones at the center. The picture has the border;
    isolines of the posterior; the geodesic arcs of the monotonic tree, wider for more tests; its
    nodes, by class, larger for more training weight; a ring around the root, a thin one around
    hosts of leaves that are not drawn; and the two circles of leverage.

    Parameters
    ----------
    scene : Scene
        The tree.
    foot : sequence of str
        Sentences below the disk in a figure of its own, as on the quality of the model.
    calibration : Calibration, optional
        The calibration of the positive class: a strip beside these sentences.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The disk.
    figure_ : matplotlib.figure.Figure
        Its figure.
    arcs_, nodes_, isolines_, leverage_, held_out_ : artists
        The parts of the picture.

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
            The model.
        X, y : table and classes, optional
            Data that were not used in training: each node also shows its position by these data.
        tree : int
            The tree, from 0; -1 is the last.
        class_ : object, optional
            With more than two classes: the class of the tree (default: the first).
        center : {"auto", "base", "half"}
            The reference at the center of the disk. "half" is the paper's: even odds. "base" is the
            root of the tree, so that nodes of a rare class are drawn, too. "auto" is "base" if a
            class has less than a quarter of the training examples, else "half".
        t : float or "auto"
            The temperature. "auto" is one for the whole model: 1 if that draws the most confident
            node within norm 0.95, else the one that draws it there.
        class_names : mapping or sequence of str, optional
            Names of the classes, by label or in their order. y and ``class_`` hold labels, as
            without names.
        feature_names : mapping or sequence of str, optional
            Names of the features, by old name or in their order. By default the names in the model,
            else those of the columns of X.
        ax : matplotlib.axes.Axes, optional
            The axes; by default those of a new figure with a key.
        **style
            As in ``plot``.
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
        """Draw an embedding; the default columns are x0, x1, ..., other arguments as elsewhere."""
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
        """Draw, and return the display.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes; by default those of a new figure with a key.
        t : float or "auto"
            The temperature; "auto" is that of the embedding.
        extent : float or "auto"
            The norm at the edge of the picture. "auto" enlarges a picture with all nodes near the
            center, and shows in a small disk which part it is.
        colors : {"safe", "paper", "gray"} or two colors
            The colors of the negative and the positive class: distinct with every common kind of
            color vision, the paper's red and green, or without color.
        labels : bool, optional
            Whether to number the nodes of largest worth; by default if there is a key.
        """
        scene = self.scene
        own = ax is None
        strip = calibration_painter.WIDTH + 0.3 if self.calibration is not None else 0.0
        foot = wrap_foot(self.foot, WIDTH - 0.3 - strip) if own else []
        room = max(foot_height(foot), calibration_painter.HEIGHT if strip else 0.0)
        ax = _new_axes(room) if ax is None else ax
        figure = find_figure(ax)
        temperature = scene.embedding.t if t == "auto" else check_temperature(t)
        lens = self._find_lens(ax, temperature, extent, find_colors(colors))
        painter.paint_ground(ax, lens)
        self.isolines_ = paint_isolines(ax, lens, scene)
        self.leverage_ = painter.paint_leverage(ax, lens, scene)
        self.arcs_ = painter.paint_arcs(ax, lens, scene)
        self.nodes_ = painter.paint_nodes(ax, lens, scene)
        truth = scene.held_out
        self.held_out_ = [] if truth is None else paint_held_out(ax, lens, scene, truth)
        crowd = self._crowd(lens)
        numbered = scene.strongest(N_NUMBERED) if labels and not own else []
        if own:
            most = N_NUMBERED if labels is not False else 0
            numbered = paint_key(figure, DISK_SIZE + 0.45, scene, lens, most, bottom=room)
            write_foot(figure, foot, room)
            if self.calibration is not None:
                name, left = scene.classes[1], WIDTH - strip
                calibration_painter.add_strip(figure, left, self.calibration, name)
        else:
            words = describe_figures(scene, lens)
            corner = painter.text(ax, 1.0, 0.0, words, size=7.0, ha="right", va="bottom")
            corner.set_transform(ax.transAxes)
        spots = _number_nodes(ax, lens, scene, numbered, crowd)
        label_isolines(ax, lens, self.isolines_, crowd, spots)
        if lens.extent < SMALL:
            painter.paint_whole(ax, lens, scene)
        self.ax_, self.figure_ = ax, figure
        self.lens_ = lens
        return self

    def _find_lens(
        self, ax: Axes, t: float, extent: float | str, colors: tuple[str, str]
    ) -> painter.Lens:
        size = ax.get_window_extent().width / find_figure(ax).dpi
        lens = painter.Lens(t, 1.0, colors, size)
        if extent == "auto":
            outermost = float(lens.norm(self.scene.distance).max())
            norm = 1.03 if outermost >= SMALL / 1.12 else max(1.12 * outermost, 1e-9)
        else:
            norm = check_number(extent, "extent")
            if norm <= 0.0:
                raise ValueError(f"extent must be positive, got {extent!r}: 1 is the whole disk.")
        return painter.Lens(t, norm, colors, size)

    def _crowd(self, lens: painter.Lens) -> Floats:
        """Return points of everything that labels should not cover."""
        arcs = painter.place(lens, *self.scene.arcs).reshape(-1, 2)
        nodes = painter.place(lens, self.scene.distance, self.scene.angle)
        return np.concatenate([arcs, np.repeat(nodes, 3, axis=0)])


def _new_axes(foot: float) -> Axes:
    figure = Figure(figsize=(WIDTH, DISK_SIZE + 0.3 + foot), facecolor="white")
    figure.set_dpi(100.0)
    return style.add_panel(figure, 0.15, 0.15 + foot, DISK_SIZE, DISK_SIZE)


def _number_nodes(
    ax: Axes, lens: painter.Lens, scene: Scene, numbered: list[int], crowd: Floats
) -> Floats:
    """Write 1, 2, ... beside nodes, and return the centers of these numbers."""
    points = painter.place(lens, scene.distance[numbered], scene.angle[numbered])
    inch = 2.0 * lens.extent / lens.size
    size = (0.17 * inch, 0.15 * inch)
    spots = find_places(points, [size] * len(numbered), crowd, clearance=0.07 * inch)
    for number, (x, y) in enumerate(spots, start=1):
        if np.isfinite(x):
            label = painter.text(ax, x, y, str(number), color=style.INK, weight="bold")
            label.set(size=9.0 * min(1.2, lens.scale), ha="center", va="center", zorder=7.0)
            label.set_path_effects(painter.halo(2.5))
    return np.asarray(spots[np.isfinite(spots[:, 0])])
