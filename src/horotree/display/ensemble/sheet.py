"""Many trees on one sheet: a small disk each, painted by a few collections."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import EllipseCollection, LineCollection, PathCollection
from matplotlib.text import Text

from horotree._checks import Floats
from horotree.display import style
from horotree.display.disk import painter
from horotree.display.disk.isolines import Isoline, choose_isolines, find_isolines
from horotree.display.disk.key_line import KeyLine
from horotree.display.text.fonts import printable
from horotree.display.text.names import shorten_all
from horotree.display.text.numbers import short_number
from horotree.embedding import sample_arcs
from horotree.scene import Scene

from .sheet_layout import Sheet

# With more arcs than this, those are left out that are too short, in inches, to be seen.
MANY_ARCS = 20_000
SHORT = 0.00125
# An arc is drawn as a line if it is nowhere farther from one, in inches: a third of a dot of print.
FLAT = 0.001

# An isoline farther out, for the radius of a disk, would look like another border.
OUTERMOST_ISOLINE = 0.88

FRAME = "#c3c3bf"
BORDER = "#6e6e6e"


def paint_sheet(
    ax: Axes, lens: painter.Lens, scenes: Sequence[Scene], sheet: Sheet, factors: Floats
) -> dict[str, Any]:
    """Paint scenes on a sheet, and return the artists by name."""
    zoom = sheet.radius * factors
    weight = math.sqrt(sheet.radius / 3.0)
    painted: dict[str, Any] = {}
    painted["disks"] = _paint_disks(ax, sheet, factors, weight)
    painted["isolines"] = _paint_isolines(ax, lens, scenes[0], sheet, factors, weight)
    painted["leverage"] = _paint_leverage(ax, lens, scenes, sheet, factors, weight)
    marks = _mark_sizes(lens, scenes, zoom, weight)
    painted["arcs"] = _paint_arcs(ax, lens, scenes, sheet, zoom, marks)
    painted |= _paint_nodes(ax, lens, scenes, sheet, zoom, marks)
    if count_arcs(scenes) > MANY_ARCS:
        for artist in painted.values():
            artist.set_rasterized(True)  # else an SVG has tens of megabytes
    painted["labels"] = _label(ax, scenes, sheet, factors)
    return painted


def count_arcs(scenes: Sequence[Scene]) -> int:
    """Return the number of arcs of scenes."""
    return sum(len(scene) - 1 for scene in scenes)


def isolines_of(lens: painter.Lens, scene: Scene, factors: Floats) -> list[Isoline]:
    """Return the one or two circles of equal confidence that are drawn in every disk."""
    extent = float(1.0 / factors.min())
    seen = painter.Lens(lens.t, extent, lens.colors, lens.size)
    chosen = choose_isolines(seen, find_isolines(scene))
    norms = {i: float(lens.norm(np.asarray(i.distance))) / extent for i in chosen}
    inside = [i for i in norms if norms[i] < OUTERMOST_ISOLINE]
    if not inside:
        return []
    nearest = {min(inside, key=lambda i: abs(norms[i] - r)) for r in (0.45, 0.8)}
    return sorted(nearest, key=lambda i: i.distance)


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
    """Paint the disks, with a dark edge where it is the border, a light one where it is a cut."""
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
    ax: Axes, lens: painter.Lens, scene: Scene, sheet: Sheet, factors: Floats, weight: float
) -> EllipseCollection:
    norms = [float(lens.norm(np.asarray(i.distance))) for i in isolines_of(lens, scene, factors)]
    radius = sheet.radius * np.outer(factors, norms)
    which, _ = inside = np.nonzero(radius < OUTERMOST_ISOLINE * sheet.radius)
    options = {"facecolors": "none", "edgecolors": "#d6d6d3", "linewidths": 0.9 * weight}
    return _circles(ax, sheet.centers[which], radius[inside], zorder=1.0, **options)


def _paint_leverage(
    ax: Axes,
    lens: painter.Lens,
    scenes: Sequence[Scene],
    sheet: Sheet,
    factors: Floats,
    weight: float,
) -> EllipseCollection:
    """Paint the circles of leverage that lie inside of the disk as it is cut."""
    confidence = np.array([scene.leverage_confidence for scene in scenes])
    known = np.isfinite(confidence)
    norm = lens.norm(np.abs(np.where(known, confidence, 0.0)))
    inside = known & (norm * factors <= 1.0)
    options = {"facecolors": "none", "edgecolors": painter.LEVERAGE, "linewidths": 1.6 * weight}
    radius = sheet.radius * (norm * factors)[inside]
    return _circles(ax, sheet.centers[inside], radius, zorder=1.6, **options)


def _mark_sizes(lens: painter.Lens, scenes: Sequence[Scene], zoom: Floats, weight: float) -> Floats:
    """Return the width of marks in points for each tree, smaller where nodes are many and near."""
    reach = np.array([float(lens.norm(scene.distance).mean()) for scene in scenes]) * zoom
    n_nodes = np.array([len(scene) for scene in scenes])
    return np.asarray(np.clip(80.0 * reach / np.sqrt(n_nodes), 0.7, 6.0 * weight))


def _paint_arcs(
    ax: Axes,
    lens: painter.Lens,
    scenes: Sequence[Scene],
    sheet: Sheet,
    zoom: Floats,
    marks: Floats,
) -> LineCollection:
    n_arcs = count_arcs(scenes)
    n_points = 17 if n_arcs <= MANY_ARCS and sheet.radius > 0.2 else 9
    lines: list[Floats] = []
    widths: list[Floats] = []
    for scene, center, size, mark in zip(scenes, sheet.centers, zoom, marks, strict=True):
        points = size * painter.place(lens, *sample_arcs(scene.embedding, n_points))
        # the length of the line between the ends: an arc's is not much more where that is tiny
        length = np.hypot(*(points[:, -1] - points[:, 0]).T)
        seen = length >= SHORT if n_arcs > MANY_ARCS else np.ones(len(points), dtype=bool)
        lines += _thin(points[seen] + center)
        n_tests = scene.n_tests[1:][seen].astype(np.float64)
        density = min(1.0, (40.0 / len(scene)) ** 0.3)
        widths.append(painter.arc_widths(n_tests, 0.36 * density * float(np.sqrt(mark))))
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
    """Return arcs as lists of points; of straight ones only the two ends."""
    if not len(points):
        return []
    share = np.linspace(0.0, 1.0, points.shape[1])[:, None]
    start, end = points[:, :1], points[:, -1:]
    chord = start + share * (end - start)
    flat = np.abs(points - chord).max(axis=(1, 2)) < FLAT
    return [arc[[0, -1]] if line else arc for arc, line in zip(points, flat, strict=True)]


def _paint_nodes(
    ax: Axes,
    lens: painter.Lens,
    scenes: Sequence[Scene],
    sheet: Sheet,
    zoom: Floats,
    marks: Floats,
) -> dict[str, PathCollection]:
    """Paint the nodes, a mark and color per class, and rings around the roots."""
    which = np.repeat(np.arange(len(scenes)), [len(scene) for scene in scenes])
    distance, angle, value = (
        np.concatenate([getattr(scene, name) for scene in scenes])
        for name in ("distance", "angle", "value")
    )
    places = sheet.centers[which] + zoom[which, None] * painter.place(lens, distance, angle)
    size = marks[which] ** 2
    painted = {}
    looks = zip(
        ("negative", "positive", "neutral"),
        (value < 0.0, value > 0.0, value == 0.0),
        (*lens.colors, painter.NEUTRAL),
        (*painter.MARKERS, "o"),
        strict=True,
    )
    for name, here, color, marker in looks:
        x, y = places[here].T
        nodes = ax.scatter(x, y, s=size[here], c=color, marker=marker, linewidths=0.0)
        nodes.set_zorder(3.0)
        painted[name] = nodes
    x, y = places[np.searchsorted(which, np.arange(len(scenes)))].T
    rings = ax.scatter(x, y, s=(1.7 * marks + 0.6) ** 2, facecolors="none", zorder=3.5)
    rings.set(edgecolors=style.INK, linewidths=0.35 * np.sqrt(marks))
    painted["roots"] = rings
    return painted


def _label(ax: Axes, scenes: Sequence[Scene], sheet: Sheet, factors: Floats) -> list[Text]:
    """Write round and leverage above each disk; for small disks only the round before each row."""
    if not sheet.is_labeled:
        return _number_rows(ax, scenes, sheet)
    rounds = [f"{scene.tree + 1:,}" for scene in scenes]
    is_zoomed = len(np.unique(factors)) > 1
    zooms = [
        f" ×{_factor_text(factor)}" if is_zoomed and factor > 1.0 else "" for factor in factors
    ]
    added = [_added_text(scene) for scene in scenes]
    longest = max(map(len, map("".join, zip(rounds, zooms, added, strict=True))))
    half = 0.97 * sheet.radius
    # what the longest has room for: a character is at most 0.7 of the size wide
    size = min(
        8.2 * sheet.radius + 3.4, style.TEXT_SIZE, 2.0 * half * 72.0 / (0.65 * longest + 0.4)
    )
    options = {"size": size, "va": "baseline"}
    written = []
    for i, x in enumerate(sheet.centers[:, 0]):
        y = sheet.centers[i, 1] + sheet.radius + 0.035
        written.append(painter.text(ax, x - half, y, rounds[i], color=style.INK, **options))
        if zooms[i]:
            after = x - half + 0.636 * size / 72.0 * len(rounds[i])
            written.append(painter.text(ax, after, y, zooms[i], **options))
        words = painter.text(ax, x + half, y, added[i], color=painter.LEVERAGE, **options)
        words.set_horizontalalignment("right")
        written.append(words)
    return written


def _factor_text(factor: float) -> str:
    return f"{factor:.1f}" if factor < 9.95 else f"{factor:,.0f}"


def _added_text(scene: Scene) -> str:
    confidence = abs(scene.leverage_confidence)
    return f"±{short_number(confidence)}" if np.isfinite(confidence) else ""


def _number_rows(ax: Axes, scenes: Sequence[Scene], sheet: Sheet) -> list[Text]:
    first = range(0, len(scenes), sheet.columns)
    y = sheet.centers[:, 1]
    options = {"size": 5.6, "ha": "right", "va": "center"}
    return [painter.text(ax, -0.04, float(y[i]), f"{scenes[i].tree:,}", **options) for i in first]


def write_key(
    line: KeyLine, lens: painter.Lens, scenes: Sequence[Scene], sheet: Sheet, factors: Floats
) -> None:
    """Write the key of the disks."""
    names = shorten_all(scenes[0].classes, 24)
    for color, marker, name in zip(lens.colors, painter.MARKERS, names, strict=True):
        line.mark(marker=marker, color=color, markersize=5.0, markeredgewidth=0.0)
        words = "says" if scenes[0].center == "half" else "more"
        line.write(f"{words} {printable(name)}")
    ring = {"marker": "o", "markerfacecolor": "none"}
    line.mark(**ring, markeredgecolor=style.INK, markersize=6.0, markeredgewidth=1.0)
    line.write("the root")
    if np.isfinite([scene.leverage_confidence for scene in scenes]).any():
        line.mark(**ring, markeredgecolor=painter.LEVERAGE, markersize=7.0, markeredgewidth=1.1)
        added = "most that the tree adds to the score"
        line.write(f"and ±: {added}" if sheet.is_labeled else added)
    isolines = isolines_of(lens, scenes[0], factors)
    if isolines:
        line.mark(**ring, markeredgecolor="#b9b9b5", markersize=7.0, markeredgewidth=0.9)
        line.write(_describe_isolines(scenes[0], isolines))


def _describe_isolines(scene: Scene, isolines: Sequence[Isoline]) -> str:
    """Return the meaning of the circles in all disks; from roots, which differ, it is odds."""
    if scene.value_kind == "margin":
        return f"vote {' and '.join('±' + i.texts[1][1:] for i in isolines)}"
    if scene.center == "base":
        times = (f"{math.exp(i.distance):.3g}" for i in isolines)
        return f"odds of the root times (or by) {' and '.join(times)}"
    kind = "class share" if scene.value_kind == "share" else "posterior in its round"
    return f"{kind} {' and '.join(i.texts[1] for i in isolines)}"
