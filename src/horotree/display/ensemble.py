"""All trees of a model on one page, with matplotlib."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from horotree._checks import check_temperature
from horotree.embedding import largest_confidence
from horotree.embedding.exact import MAX_DRAWN
from horotree.scene import Scene, find_ensemble, find_scenes
from horotree.tempered import unlift
from horotree.trees import Model, as_model

from . import disk_painter as painter
from . import rounds_painter, sheet_layout, sheet_painter, style
from .base import FigureDisplay, find_colors
from .fonts import printable, shorten
from .key_line import KeyLine
from .rounds_painter import Rounds, find_rounds
from .sheet_layout import choose_trees, tell_subset

ORDERS = ("boosting", "leverage")
SCALES = ("common", "own")

# Inches: the width of the page, what is beside the strips, and the parts of it from top to bottom.
WIDTH = 11.0
BESIDE = 0.72
TITLE, LEVERAGE, BETWEEN, CONFIDENCE, ROUNDS, KEY, LINE = 1.05, 0.8, 0.34, 1.35, 0.7, 0.45, 0.2
# The width of one round in the strips, at most.
COLUMN = 0.8


class EnsembleDisplay(FigureDisplay):
    """All trees of an ensemble on one page, at one temperature, so that they can be compared.

    On top, round by round: the most that a tree adds to the score and its edge, and how the
    confidences of its nodes spread, which shows them drift to the center. Below, the trees as
    small disks on one scale, each with its round and, as number and circle, the most that it adds.

    Parameters
    ----------
    scenes : sequence of Scene
        The trees to draw.
    rounds : Rounds
        The ensemble by round, all its trees.
    class_name : str, optional
        Of more than two classes, the one that the ensemble is for.

    Attributes
    ----------
    rounds_ : Rounds
        The numbers behind the strips.
    figure_ : matplotlib.figure.Figure
        The page.
    axes_ : dict
        The parts of the page: "leverage" and "confidence" by round, "sheet" with the disks, and
        "page" with what is written around them.
    artists_ : dict
        What was drawn, by part and name.
    sheet_ : Sheet
        Where the disks are.
    factors_ : float64 array
        What each disk is enlarged by.
    scenes_ : list of Scene
        The trees in the order of the disks.

    See Also
    --------
    DiskDisplay : One tree.

    References
    ----------
    Paper, sec:t-dt, objective (C).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from horotree import LogisticBoostClassifier
    >>> from horotree.display.ensemble import EnsembleDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> classifier = LogisticBoostClassifier(n_estimators=12).fit(X, y)
    >>> display = EnsembleDisplay.from_estimator(classifier, order="leverage")
    >>> [scene.tree for scene in display.scenes_[:3]]
    [0, 1, 2]
    """

    def __init__(
        self, scenes: Sequence[Scene], rounds: Rounds, *, class_name: str | None = None
    ) -> None:
        self.scenes = list(scenes)
        self.rounds_ = rounds
        self.class_name = class_name

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        *,
        class_: Any = None,
        trees: int | Sequence[int] | None = None,
        t: float | str = "auto",
        order: str = "boosting",
        max_trees: int = 120,
        **style: Any,
    ) -> Self:
        """Draw the trees of a model.

        Parameters
        ----------
        model : Model or estimator
            Whose trees.
        class_ : object, optional
            Of more than two classes, the one whose ensemble to look at; the first if not given.
        trees : int or sequence of int, optional
            Which trees to draw as disks, from 0, negative from the last. If not given, all, or if
            these are more than ``max_trees``, every second, third, ... and the last.
        t : float or "auto"
            The temperature. "auto" is one for the whole model: 1 if that draws the most confident
            node of all within norm 0.95, else what draws it there.
        order : {"boosting", "leverage"}
            By round, or by the most that a tree adds to the score, the strongest first.
        max_trees : int
            Disks at most, at least 2, where ``trees`` does not say which.
        **style
            As in ``plot``.

        Returns
        -------
        EnsembleDisplay
        """
        known = as_model(model)
        k = find_ensemble(known, class_)
        n_trees = len(known.ensembles[k].trees)
        chosen = choose_trees(n_trees, max_trees) if trees is None else trees
        scenes = find_scenes(known, tree=chosen, class_=class_, t=_layout_t(known, t))
        name = None if len(known.ensembles) == 1 else str(known.classes.tolist()[k])
        rounds = find_rounds(known.ensembles[k])
        return cls(scenes, rounds, class_name=name).plot(t=t, order=order, **style)

    def plot(
        self,
        *,
        t: float | str = "auto",
        order: str = "boosting",
        scale: str = "common",
        colors: str | tuple[str, str] = "safe",
        columns: int | None = None,
    ) -> Self:
        """Draw the page.

        Parameters
        ----------
        t : float or "auto"
            The temperature; that of the embeddings for "auto".
        order : {"boosting", "leverage"}
            By round, or by the most that a tree adds to the score, the strongest first.
        scale : {"common", "own"}
            One scale for all disks, so that they compare, or each disk enlarged to its nodes, with
            the factor written above.
        colors : {"safe", "paper", "gray"} or two colors
            Of the negative and the positive class, as in ``DiskDisplay``.
        columns : int, optional
            Disks in a row.

        Returns
        -------
        EnsembleDisplay
            Itself.
        """
        _check_choice(order, "order", ORDERS)
        _check_choice(scale, "scale", SCALES)
        if columns is not None and columns < 1:
            raise ValueError(f"columns must be at least 1, got {columns!r}.")
        self.scenes_ = _sort(self.scenes, order)
        temperature = self.scenes_[0].embedding.t if t == "auto" else check_temperature(t)
        self.sheet_ = sheet_layout.arrange(len(self.scenes), WIDTH - 2.0 * style.MARGIN, columns)
        view = painter.View(temperature, 1.0, find_colors(colors), 2.0 * self.sheet_.radius)
        self.factors_ = sheet_layout.find_factors(view, self.scenes_, scale)
        self.view_ = view
        is_simplified = sum(map(len, self.scenes_)) > sheet_painter.MANY_ARCS
        foot = style.MARGIN + (LINE if is_simplified else 0.0)
        self.figure_, self.axes_ = _new_page(len(self.rounds_), self.sheet_.height, foot)
        self._paint_strips()
        self.artists_["sheet"] = sheet_painter.paint_sheet(
            self.axes_["sheet"], view, self.scenes_, self.sheet_, self.factors_
        )
        self._write(order)
        return self

    def _paint_strips(self) -> None:
        upper, lower = self.axes_["leverage"], self.axes_["confidence"]
        self.artists_: dict[str, dict[str, Any]] = {
            "leverage": dict(rounds_painter.paint_leverage_strip(upper, self.rounds_)),
            "confidence": dict(rounds_painter.paint_confidence_strip(lower, self.rounds_)),
        }
        rounds_painter.label_axes(lower)
        trees = sorted(scene.tree for scene in self.scenes)
        told = tell_subset(trees, len(self.rounds_))
        if told and not told.startswith("every"):
            self.artists_["confidence"]["drawn"] = rounds_painter.mark_rounds(lower, trees)

    def _write(self, order: str) -> None:
        """Write the title, and a key to each part."""
        page, (_, height) = self.axes_["page"], self.figure_.get_size_inches()
        left, y = style.MARGIN, height - 0.42
        rounds, n = self.rounds_, len(self.rounds_)
        whose = "" if self.class_name is None else f" for class {short_name(self.class_name, 40)}"
        title = f"{n:,} trees{whose}" if n > 1 else f"One tree{whose}"
        painter.text(page, left, y, title, size=14.0, color=style.INK)
        kept, nodes = int(rounds.n_kept.sum()), int(rounds.n_nodes.sum())
        t = style.plain_number(self.view_.t, digits=2)
        words = f"one temperature, t = {t} · {kept:,} of {nodes:,} nodes: the monotonic trees"
        painter.text(page, left, y - 0.22, words)
        y = height - TITLE + 0.15
        rounds_painter.write_leverage_key(KeyLine(page, left, y), rounds)
        y -= LEVERAGE + BETWEEN
        rounds_painter.write_confidence_key(KeyLine(page, left, y))
        y -= CONFIDENCE + ROUNDS
        line = KeyLine(page, left, y)
        line.head(
            "The trees, by round" if order == "boosting" else "The trees, the strongest first"
        )
        told = tell_subset([scene.tree for scene in self.scenes], n)
        is_marked = "drawn" in self.artists_["confidence"]
        line.write(f"{told}, marked below the axis" if is_marked else told)
        painter.text(page, left, y - LINE, self._how_to_read(), va="center_baseline")
        line = KeyLine(page, left, y - 2.0 * LINE)
        sheet_painter.write_key(line, self.view_, self.scenes_, self.factors_)
        n_left_out = sum(map(len, self.scenes_)) - len(self.scenes_)
        n_left_out -= len(self.artists_["sheet"]["arcs"].get_paths())
        if n_left_out > 0:
            words = f"Simplified: {n_left_out:,} arcs too short to be seen are left out."
            painter.text(page, left, style.MARGIN, words, va="center_baseline")

    def _how_to_read(self) -> str:
        least, most = self.factors_.min(), self.factors_.max()
        if least < most:
            return (
                "Distance from the center is confidence. Each disk is enlarged to its own nodes: "
                "compare disks by the factors × above them."
            )
        if most > 1.0:
            return (
                "Distance from the center is confidence, on one scale for all: every disk is "
                f"enlarged {most:.3g} times, the border is out of sight."
            )
        return (
            "Distance from the center is confidence, on one scale for all: near the border a node "
            "is sure, at the center it knows nothing."
        )


def short_name(name: str, length: int) -> str:
    """Return a name so that it can be drawn, in one line of so many characters at most."""
    return printable(shorten(" ".join(name.split()), length))


def _sort(scenes: Sequence[Scene], order: str) -> list[Scene]:
    """Return scenes by round, or the strongest first."""
    found = sorted(scenes, key=lambda scene: scene.tree)
    if order == "leverage":
        found.sort(key=lambda scene: -abs(scene.leverage_confidence))
    return found


def _layout_t(model: Model, t: float | str) -> float | str:
    """Return the t to embed trees at: the one asked for if the exact layout can."""
    if t == "auto":
        return t
    temperature = check_temperature(t)
    drawn = float(unlift(largest_confidence(*model.ensembles), t=temperature))
    return temperature if np.isfinite(drawn) and drawn <= MAX_DRAWN else "auto"


def _check_choice(given: str, name: str, known: Sequence[str]) -> None:
    if given not in known:
        names = " or ".join(map(repr, known))
        raise ValueError(f"{name} must be {names}, got {given!r}.")


def _new_page(n_rounds: int, sheet_height: float, foot: float) -> tuple[Figure, dict[str, Axes]]:
    """Return a figure with axes for its parts; those of page and sheet are in inches."""
    above = TITLE + LEVERAGE + BETWEEN + CONFIDENCE + ROUNDS + KEY
    height = above + sheet_height + foot
    figure = Figure(figsize=(WIDTH, height), dpi=100, facecolor="white")
    axes = {"page": style.add_panel(figure, 0.0, 0.0, WIDTH, height)}
    axes["page"].set(xlim=(0.0, WIDTH), ylim=(0.0, height))
    y, width = height - TITLE - LEVERAGE, min(WIDTH - 2.0 * BESIDE, COLUMN * n_rounds)
    axes["leverage"] = style.add_panel(figure, BESIDE, y, width, LEVERAGE)
    y -= BETWEEN + CONFIDENCE
    axes["confidence"] = style.add_panel(figure, BESIDE, y, width, CONFIDENCE)
    width = WIDTH - 2.0 * style.MARGIN
    axes["sheet"] = style.add_panel(figure, style.MARGIN, foot, width, sheet_height)
    axes["sheet"].set(xlim=(0.0, width), ylim=(0.0, sheet_height))
    for part in ("page", "sheet"):
        axes[part].set_axis_off()
    return figure, axes
