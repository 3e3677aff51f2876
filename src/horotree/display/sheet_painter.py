"""Many trees on one sheet: a small disk each, all painted by a few collections."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import EllipseCollection, LineCollection, PathCollection
from matplotlib.text import Text

from horotree._checks import Floats
from horotree.embedding import sample_arcs
from horotree.losses import link
from horotree.scene import Scene

from . import disk_painter as painter
from . import style
from .fonts import printable, shorten
from .isoline_painter import choose_posteriors, posterior_text
from .key_line import KeyLine

# Inches: the label above a disk, the largest place of one, the smallest that is labeled, the gap.
LABEL = 0.16
LARGEST = 3.3
SMALLEST_LABELED = 0.5
GAP = 0.05
# How high a sheet of a hundred trees is, for its width; one of many more is up to three times so.
HEIGHT = 0.71
# Disks in a row, where there are so many.
LEAST_COLUMNS = 5

# With more arcs than this those are left out that are not seen, being shorter, in inches, than that.
MANY_ARCS = 20_000
SHORT = 0.00125
# An arc is drawn as a line if it is nowhere farther from one, in inches: a third of a dot of print.
FLAT = 0.001

FRAME = "#c3c3bf"
BORDER = "#6e6e6e"


@dataclass(frozen=True, eq=False)
class Sheet:
    """Where on a sheet the disks are, in inches from its lower left corner.

    Parameters
    ----------
    centers : float64 array of shape (n, 2)
        The centers of the disks, row by row from the upper left.
    radius : float
        The radius of the disks.
    height : float
        The height of the sheet.
    columns : int
        Disks in a row.
    """

    centers: Floats
    radius: float
    height: float
    columns: int

    @property
    def is_labeled(self) -> bool:
        """Whether there is room for a label above each disk."""
        return 2.0 * (self.radius + GAP) >= SMALLEST_LABELED


def arrange(n: int, width: float, columns: int | None = None) -> Sheet:
    """Return a sheet so wide, in inches, for n disks.

    Parameters
    ----------
    n : int
        Disks, at least 1.
    width : float
        The width of the sheet, in inches.
    columns : int, optional
        Disks in a row; if not given, what makes the sheet about as high as it is wide.

    Returns
    -------
    Sheet

    Examples
    --------
    >>> from horotree.display.sheet_painter import arrange
    >>> arrange(120, 10.4).columns, arrange(3, 10.4).columns
    (15, 3)
    """
    if columns is None:
        columns = _find_columns(n, width)
    cell, label = _cell(width, columns)
    rows = -(-n // columns)
    row, column = np.divmod(np.arange(n), columns)
    height = rows * (cell + label)
    x, y = (column + 0.5) * cell, height - row * (cell + label) - label - 0.5 * cell
    return Sheet(np.stack([x, y], axis=-1), 0.5 * cell - GAP, height, columns)


def _cell(width: float, columns: int) -> tuple[float, float]:
    """Return the side of a disk's place, and the height of the label above."""
    cell = min(width / columns, LARGEST)
    return cell, LABEL if cell >= SMALLEST_LABELED else 0.0


def _find_columns(n: int, width: float) -> int:
    limit = HEIGHT * width * float(np.clip(math.sqrt(n / 120.0), 1.0, 3.0))

    def fits(columns: int) -> bool:
        return -(-n // columns) * sum(_cell(width, columns)) <= limit

    columns = min(n, LEAST_COLUMNS)
    while not fits(columns):
        columns += 1
    even = -(-n // -(-n // columns))  # as many rows, the last as full as can be
    return even if fits(even) else columns


def find_factors(view: painter.View, scenes: Sequence[Scene], scale: str) -> Floats:
    """Return what each disk is enlarged by: all by the same number, or each by its own.

    Parameters
    ----------
    view : View
        How to look at the scenes.
    scenes : sequence of Scene
        What is drawn.
    scale : {"common", "own"}
        Whether one for all; it is 1 unless all nodes are near the center.

    Returns
    -------
    float64 array
    """
    outermost = np.array([float(view.norm(scene.distance).max()) for scene in scenes])
    if scale == "common":
        outermost[:] = outermost.max()
    # A disk with all its nodes at the center has nothing to enlarge.
    some = outermost > 1e-9
    factor = np.maximum(0.9 / np.where(some, outermost, 1.0), 1.0)
    if scale == "common":
        return np.where(factor > 1.8, factor, 1.0)
    return np.where(some, factor, 1.0)


def paint_sheet(
    ax: Axes, view: painter.View, scenes: Sequence[Scene], sheet: Sheet, factors: Floats
) -> dict[str, Any]:
    """Paint scenes on a sheet, and return the artists by what they show."""
    zoom = sheet.radius * factors
    weight = math.sqrt(sheet.radius / 3.0)
    painted: dict[str, Any] = {}
    painted["disks"] = _paint_disks(ax, sheet, factors, weight)
    painted["isolines"] = _paint_isolines(ax, view, sheet, factors, weight)
    painted["leverage"] = _paint_leverage(ax, view, scenes, sheet, factors, weight)
    marks = _mark_sizes(view, scenes, zoom, weight)
    painted["arcs"] = _paint_arcs(ax, view, scenes, sheet, zoom, marks)
    painted |= _paint_nodes(ax, view, scenes, sheet, zoom, marks)
    painted["labels"] = _label(ax, scenes, sheet, factors)
    return painted


def isolines_of(view: painter.View, factors: Floats) -> list[float]:
    """Return the one or two posteriors whose isolines are drawn in every disk."""
    extent = float(1.0 / factors.min())
    seen = painter.View(view.t, extent, view.colors, view.size)
    norms = {p: float(view.norm(np.asarray(link(p)))) / extent for p in choose_posteriors(seen)}
    wanted = (min(norms, key=lambda p: abs(norms[p] - r), default=None) for r in (0.45, 0.8))
    return sorted({p for p in wanted if p is not None})


def _circles(ax: Axes, centers: Floats, radii: Floats, **options: Any) -> EllipseCollection:
    """Add circles, with radii in the units of the axes."""
    sizes = 2.0 * radii
    circles = EllipseCollection(
        sizes,
        sizes,
        np.zeros(len(sizes)),
        units="xy",
        offsets=centers,
        offset_transform=ax.transData,
        **options,
    )
    ax.add_collection(circles, autolim=False)
    return circles


def _paint_disks(ax: Axes, sheet: Sheet, factors: Floats, weight: float) -> EllipseCollection:
    """Paint the grounds; in dark where their end is the border, in light where they are cut."""
    return _circles(
        ax,
        sheet.centers,
        np.full(len(sheet.centers), sheet.radius),
        facecolors=np.where(factors > 1.0, "#ffffff", "#fcfcfb").tolist(),
        edgecolors=np.where(factors > 1.0, FRAME, BORDER).tolist(),
        linewidths=1.3 * weight,
        zorder=0.5,
    )


def _paint_isolines(
    ax: Axes, view: painter.View, sheet: Sheet, factors: Floats, weight: float
) -> EllipseCollection:
    norms = [float(view.norm(np.asarray(link(p)))) for p in isolines_of(view, factors)]
    radius = sheet.radius * np.outer(factors, norms)
    which, _ = inside = np.nonzero(radius < sheet.radius)
    options = {"facecolors": "none", "edgecolors": "#d6d6d3", "linewidths": 0.9 * weight}
    return _circles(ax, sheet.centers[which], radius[inside], zorder=1.0, **options)


def _paint_leverage(
    ax: Axes,
    view: painter.View,
    scenes: Sequence[Scene],
    sheet: Sheet,
    factors: Floats,
    weight: float,
) -> EllipseCollection:
    """Paint the circles of leverage, but those that are outside of the disk as it is cut."""
    confidence = np.array([scene.leverage_confidence for scene in scenes])
    known = np.isfinite(confidence)
    norm = view.norm(np.abs(np.where(known, confidence, 0.0)))
    inside = known & (norm * factors <= 1.0)
    options = {"facecolors": "none", "edgecolors": painter.LEVERAGE, "linewidths": 1.6 * weight}
    radius = sheet.radius * (norm * factors)[inside]
    return _circles(ax, sheet.centers[inside], radius, zorder=1.6, **options)


def _mark_sizes(view: painter.View, scenes: Sequence[Scene], zoom: Floats, weight: float) -> Floats:
    """Return the width of marks, in points, for each tree: small where nodes are many and near."""
    reach = np.array([float(view.norm(scene.distance).max()) for scene in scenes]) * zoom
    n_nodes = np.array([len(scene) for scene in scenes])
    return np.clip(90.0 * reach / np.sqrt(n_nodes), 0.7, 6.0 * weight)


def _paint_arcs(
    ax: Axes,
    view: painter.View,
    scenes: Sequence[Scene],
    sheet: Sheet,
    zoom: Floats,
    marks: Floats,
) -> LineCollection:
    n_arcs = sum(len(scene) - 1 for scene in scenes)
    n_points = 17 if n_arcs <= MANY_ARCS and sheet.radius > 0.2 else 9
    lines: list[Floats] = []
    widths: list[Floats] = []
    for scene, center, size, mark in zip(scenes, sheet.centers, zoom, marks, strict=True):
        points = size * painter.place(view, *sample_arcs(scene.embedding, n_points))
        # the length of the line between the ends: an arc's is not much more where that is tiny
        length = np.hypot(*(points[:, -1] - points[:, 0]).T)
        seen = length >= SHORT if n_arcs > MANY_ARCS else np.ones(len(points), dtype=bool)
        lines += _thin(points[seen] + center)
        n_tests = scene.n_tests[1:][seen].astype(np.float64)
        widths.append(painter.arc_widths(n_tests, 0.27 * float(np.sqrt(mark))))
    arcs = LineCollection(
        lines,
        linewidths=np.concatenate(widths) if lines else 1.0,
        colors="#5c6270",
        alpha=0.75,
        capstyle="round",
        zorder=2.0,
    )
    ax.add_collection(arcs, autolim=False)
    return arcs


def _thin(points: Floats) -> list[Floats]:
    """Return arcs as lists of points, with the two ends only of those that are as good as flat."""
    if not len(points):
        return []
    share = np.linspace(0.0, 1.0, points.shape[1])[:, None]
    start, end = points[:, :1], points[:, -1:]
    chord = start + share * (end - start)
    flat = np.abs(points - chord).max(axis=(1, 2)) < FLAT
    return [arc[[0, -1]] if line else arc for arc, line in zip(points, flat, strict=True)]


def _paint_nodes(
    ax: Axes,
    view: painter.View,
    scenes: Sequence[Scene],
    sheet: Sheet,
    zoom: Floats,
    marks: Floats,
) -> dict[str, PathCollection]:
    """Paint the nodes, a mark and color a class, and rings around the roots."""
    which = np.repeat(np.arange(len(scenes)), [len(scene) for scene in scenes])
    distance, angle, value = (
        np.concatenate([getattr(scene, name) for scene in scenes])
        for name in ("distance", "angle", "value")
    )
    places = sheet.centers[which] + zoom[which, None] * painter.place(view, distance, angle)
    size = marks[which] ** 2
    painted = {}
    looks = zip(
        ("negative", "positive", "neutral"),
        (value < 0.0, value > 0.0, value == 0.0),
        (*view.colors, painter.NEUTRAL),
        (*painter.MARKERS, "o"),
        strict=True,
    )
    for name, here, color, marker in looks:
        nodes = ax.scatter(*places[here].T, s=size[here], c=color, marker=marker, linewidths=0.0)
        nodes.set_zorder(3.0)
        painted[name] = nodes
    roots = places[np.searchsorted(which, np.arange(len(scenes)))]
    rings = ax.scatter(*roots.T, s=(1.5 * marks + 1.0) ** 2, facecolors="none", zorder=3.5)
    rings.set(edgecolors=style.INK, linewidths=0.35 * np.sqrt(marks))
    painted["roots"] = rings
    return painted


def _label(ax: Axes, scenes: Sequence[Scene], sheet: Sheet, factors: Floats) -> list[Text]:
    """Write round and leverage above each disk; if they are small, the round before each row."""
    if not sheet.is_labeled:
        return _number_rows(ax, scenes, sheet)
    size = float(np.clip(8.2 * sheet.radius + 3.4, 5.6, style.TEXT_SIZE))
    options = {"size": size, "va": "baseline"}
    written = []
    for scene, (x, y), factor in zip(scenes, sheet.centers, factors, strict=True):
        left, right = x - 0.97 * sheet.radius, x + 0.97 * sheet.radius
        y += sheet.radius + 0.035
        words = f"{scene.tree + 1:,}"
        written.append(painter.text(ax, left, y, words, color=style.INK, **options))
        if np.isfinite(scene.leverage_confidence):
            words = f"±{short_number(abs(scene.leverage_confidence))}"
            leverage = painter.text(ax, right, y, words, color=painter.LEVERAGE, **options)
            leverage.set_horizontalalignment("right")
            written.append(leverage)
        if factor > 1.0 and len(np.unique(factors)) > 1:
            words = f"×{factor:.2g}" if factor < 9.95 else f"×{factor:,.0f}"
            written.append(painter.text(ax, x, y, words, ha="center", **options))
    return written


def _number_rows(ax: Axes, scenes: Sequence[Scene], sheet: Sheet) -> list[Text]:
    first = range(0, len(scenes), sheet.columns)
    y = sheet.centers[:, 1]
    options = {"size": 5.6, "ha": "right", "va": "center"}
    return [
        painter.text(ax, -0.04, float(y[i]), f"{scenes[i].tree + 1:,}", **options) for i in first
    ]


def write_key(line: KeyLine, view: painter.View, scenes: Sequence[Scene], factors: Floats) -> None:
    """Write what is in the disks."""
    for color, marker, name in zip(view.colors, painter.MARKERS, scenes[0].classes, strict=True):
        line.mark(marker=marker, color=color, markersize=5.0, markeredgewidth=0.0)
        line.write(f"says {printable(shorten(' '.join(name.split()), 24))}")
    ring = {"marker": "o", "markerfacecolor": "none"}
    line.mark(**ring, markeredgecolor=style.INK, markersize=6.0, markeredgewidth=1.0)
    line.write("the root")
    line.mark(**ring, markeredgecolor=painter.LEVERAGE, markersize=7.0, markeredgewidth=1.1)
    line.write("and ±: most that the tree adds to the score")
    posteriors = [posterior_text(p) for p in isolines_of(view, factors)]
    if posteriors:
        line.mark(**ring, markeredgecolor="#b9b9b5", markersize=7.0, markeredgewidth=0.9)
        line.write(f"posterior {' and '.join(posteriors)}")


def short_number(value: float) -> str:
    """Write a number with two digits that count."""
    if value == 0.0:
        return "0"
    digits = int(np.clip(1 - math.floor(math.log10(value)), 0, 5))
    return style.plain_number(value, digits=digits)
