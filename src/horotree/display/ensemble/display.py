"""All trees of a model on one page, with matplotlib."""

from collections.abc import Sequence
from typing import Any, Self

from horotree._checks import Floats, check_temperature
from horotree.display import style as looks
from horotree.display.base import FigureDisplay, find_colors
from horotree.display.disk import calibration as calibration_painter
from horotree.display.disk import painter
from horotree.display.disk.key_line import KeyLine
from horotree.display.text.models import describe_features, judge_model
from horotree.evaluation.calibration import Calibration
from horotree.evaluation.rows import read_rows_if_given
from horotree.io import from_model
from horotree.scene import Scene, find_scenes
from horotree.trees import rename_with_tables
from horotree.trees.choice import TreeChoice, is_all
from horotree.trees.naming import Names

from . import page as ensemble_page
from . import rounds as rounds_painter
from . import sheet, sheet_layout
from .rounds import Rounds, find_rounds
from .sheet import SheetPainter, count_arcs
from .sheet_layout import choose_trees, describe_subset

ORDERS = ("boosting", "leverage")
SCALES = ("common", "own")


class EnsembleDisplay(FigureDisplay):
    """All trees of an ensemble on one page, at one temperature, so that they can be compared.

    Two strips show by round the most that a tree adds to the score, its edge, and the quantiles of
    its nodes' confidences. Below them the trees are small disks on one scale, each with its round
    and the most that it adds, as number and circle. With more than 20,000 arcs those that are too
    short to be seen are left out, the page gives their number, and an SVG or PDF has the disks as
    pixels.

    Parameters
    ----------
    scenes : sequence of Scene
        The trees.
    rounds : Rounds
        The ensemble by round, all its trees.
    unit : str
        A tree is a "round" of boosting, or a "tree" of a forest.
    notes : sequence of str, optional
        Sentences below the title; those of the scenes if not given.
    calibration : Calibration, optional
        The calibration of the positive class: a strip at the bottom.

    Attributes
    ----------
    rounds_ : Rounds
        The data of the strips.
    figure_ : matplotlib.figure.Figure
        The page.
    axes_ : dict
        The parts of the page: "leverage" and "confidence" by round, "sheet" with the disks, and
        "page" with the texts around them.
    artists_ : dict
        The artists, by part and name.
    sheet_ : Sheet
        The positions of the disks.
    factors_ : float64 array
        The magnification of each disk.
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
    >>> from horotree.display.ensemble.display import EnsembleDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> classifier = LogisticBoostClassifier(n_estimators=12).fit(X, y)
    >>> display = EnsembleDisplay.from_estimator(classifier, order="leverage")
    >>> [scene.tree for scene in display.scenes_[:3]]
    [0, 1, 2]
    """

    def __init__(
        self,
        scenes: Sequence[Scene],
        rounds: Rounds,
        *,
        unit: str = "round",
        notes: Sequence[str] | None = None,
        calibration: Calibration | None = None,
    ) -> None:
        if not scenes:
            raise ValueError("there must be a tree to draw, got none: leave out trees for all.")
        self.scenes = list({scene.tree: scene for scene in scenes}.values())
        self.rounds_ = rounds
        self.unit = unit
        self.notes = self.scenes[0].notes if notes is None else tuple(notes)
        self.calibration = calibration

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: Any = None,
        y: Any = None,
        *,
        class_: Any = None,
        center: str = "auto",
        tree: TreeChoice = "all",
        t: float | str = "auto",
        order: str = "boosting",
        max_trees: int = 120,
        class_names: Names | None = None,
        feature_names: Names | None = None,
        **style: Any,
    ) -> Self:
        """Draw the trees of a model.

        Parameters
        ----------
        model : Model, estimator, or what ``from_model`` takes
            The model.
        X, y : table and classes, optional
            Data that were not used in training, for the quality of the model.
        class_ : object, optional
            With more than two classes: the class of the trees (default: the first).
        center : {"auto", "base", "half"}
            The reference at the centers of the disks, as in ``DiskDisplay``.
        tree : int, sequence of int or "all"
            The trees to draw as disks, from 0, negative from the last. If "all" are more than
            ``max_trees``, it is every second, third, ... and the last.
        t : float or "auto"
            The temperature, as in ``DiskDisplay``.
        order : {"boosting", "leverage"}
            By round, or by the most that a tree adds to the score, the largest first.
        max_trees : int
            The most disks, at least 2, for ``tree="all"``.
        class_names, feature_names : mapping or sequence of str, optional
            Names of classes and features, as in ``DiskDisplay``.
        **style
            As in ``plot``.
        """
        known, X = rename_with_tables(
            from_model(model), X, class_names=class_names, feature_names=feature_names
        )
        k = known.find_ensemble(class_)
        if is_all(tree):
            tree = choose_trees(len(known.ensembles[k].trees), max_trees)
        scenes = find_scenes(known, tree=tree, class_=class_, center=center, t=t)
        rows = read_rows_if_given(known, X, y, "judge predictions by")
        judged, calibration = judge_model(known, rows, center=scenes.center, k=k)
        notes = (*judged, *describe_features(known, k), *known.notes)
        adds = known.link != "mean"
        has_posteriors = known.value_kind != "margin" and scenes.center == "half"
        rounds = find_rounds(scenes.ensembles[k], adds=adds, has_posteriors=has_posteriors)
        unit = "round" if adds else "tree"
        display = cls(scenes, rounds, unit=unit, notes=notes, calibration=calibration)
        return display.plot(t=t, order=order, **style)

    def plot(
        self,
        *,
        t: float | str = "auto",
        order: str = "boosting",
        scale: str = "common",
        colors: str | tuple[str, str] = "safe",
        columns: int | None = None,
    ) -> Self:
        """Draw the page, and return the display.

        Parameters
        ----------
        t : float or "auto"
            The temperature; "auto" is that of the embeddings.
        order : {"boosting", "leverage"}
            By round, or by the most that a tree adds to the score, the largest first.
        scale : {"common", "own"}
            One magnification for all disks, so that they can be compared, or one for each, written
            above it.
        colors : {"safe", "paper", "gray"} or two colors
            The colors of the negative and the positive class, as in ``DiskDisplay``.
        columns : int, optional
            Disks in a row.
        """
        _check_choice(order, "order", ORDERS)
        _check_choice(scale, "scale", SCALES)
        if columns is not None and columns < 1:
            raise ValueError(f"columns must be at least 1, got {columns!r}.")
        self.scenes_ = _sort(self.scenes, order)
        temperature = self.scenes_[0].embedding.t if t == "auto" else check_temperature(t)
        self.sheet_ = sheet_layout.arrange(len(self.scenes), ensemble_page.INNER, columns)
        lens = painter.Lens(temperature, 1.0, find_colors(colors), 2.0 * self.sheet_.radius)
        self.factors_ = sheet_layout.find_factors(lens, self.scenes_, scale)
        self.lens_ = lens
        has_many = count_arcs(self.scenes_) > sheet.MANY_ARCS
        size = len(self.rounds_), self.sheet_.height
        self.figure_, self.axes_ = ensemble_page.new_page(
            *size, self.notes, has_foot=has_many, room=self._room()
        )
        self._paint_strips()
        trees = SheetPainter(self.axes_["sheet"], lens, self.scenes_, self.sheet_, self.factors_)
        self.artists_["sheet"] = trees.paint()
        trees.write_key(self._write(order))
        return self

    def _room(self) -> float:
        """Return the height of the strip of calibration in inches."""
        return 0.0 if self.calibration is None else calibration_painter.HEIGHT

    def _paint_strips(self) -> None:
        upper, lower = self.axes_["leverage"], self.axes_["confidence"]
        self.artists_: dict[str, dict[str, Any]] = {
            "leverage": dict(rounds_painter.paint_leverage_strip(upper, self.rounds_)),
            "confidence": dict(rounds_painter.paint_confidence_strip(lower, self.rounds_)),
        }
        rounds_painter.label_axes(lower, self.rounds_, self.unit)
        trees = sorted(scene.tree for scene in self.scenes)
        subset = describe_subset(trees, len(self.rounds_))
        if subset and not subset.startswith("every"):
            self.artists_["confidence"]["drawn"] = rounds_painter.mark_rounds(lower, trees)

    def _write(self, order: str) -> KeyLine:
        """Write the texts around the parts; return the line for the key of the sheet."""
        page, rounds, scenes = self.axes_["page"], self.rounds_, self.scenes_
        name = scenes[0].class_name
        ensemble_page.write_title(page, rounds, self.lens_.t, name, self.notes)
        ensemble_page.write_strip_keys(page, rounds, self.notes)
        by = "by round" if self.unit == "round" else "in order"
        head = by if order == "boosting" else "the strongest first"
        subset = describe_subset([scene.tree for scene in scenes], len(rounds))
        if "drawn" in self.artists_["confidence"]:
            subset += ", marked below the axis"
        line = ensemble_page.write_heading(
            page,
            self.axes_["sheet"],
            f"The trees, {head}",
            subset,
            _how_to_read(self.factors_, scenes[0].center),
        )
        n_drawn = len(self.artists_["sheet"]["arcs"].get_paths())
        ensemble_page.write_foot(page, count_arcs(scenes) - n_drawn, self._room())
        if self.calibration is not None:
            left, name = looks.MARGIN, scenes[0].classes[1]
            calibration_painter.add_strip(self.figure_, left, self.calibration, name)
        return line


def _how_to_read(factors: Floats, center: str) -> str:
    """Return words on distances, given the magnifications and the center of disks."""
    least, most = float(factors.min()), float(factors.max())
    what = "confidence" if center == "half" else "evidence: log-odds from the root of its tree"
    if least < most:
        return (
            f"Distance from the center is {what}. Each disk is enlarged to its own nodes: compare "
            "disks by the factors × above them."
        )
    if most > 1.0:
        return (
            f"Distance from the center is {what}, on one scale for all: every disk is enlarged "
            f"{most:.3g} times, the border is out of sight."
        )
    if center == "base":
        return f"Distance from the center is {what}, on one scale for all."
    return (
        f"Distance from the center is {what}, on one scale for all: how strongly a node of its "
        "tree speaks for a class."
    )


def _sort(scenes: Sequence[Scene], order: str) -> list[Scene]:
    """Return scenes by round, or the strongest first."""
    found = sorted(scenes, key=lambda scene: scene.tree)
    if order == "leverage":
        found.sort(key=lambda scene: -abs(scene.leverage_confidence))
    return found


def _check_choice(given: str, name: str, known: Sequence[str]) -> None:
    if given not in known:
        names = " or ".join(map(repr, known))
        raise ValueError(f"{name} must be {names}, got {given!r}.")
