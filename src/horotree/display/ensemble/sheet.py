"""Many trees on one sheet: a small disk each, painted by a few collections."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import Collection, EllipseCollection, LineCollection
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

# With more arcs than this, those shorter than SHORT, in inches, are left out: they are not visible.
MANY_ARCS = 20_000
SHORT = 0.00125
# An arc is drawn as a line if its bend is smaller, in inches: a third of a dot of print.
FLAT = 0.001

# An isoline farther out, relative to the radius of a disk, would look like another border.
OUTERMOST_ISOLINE = 0.88

FRAME = "#c3c3bf"
BORDER = "#6e6e6e"


def count_arcs(scenes: Sequence[Scene]) -> int:
    """Return the number of arcs of scenes."""
    return sum(len(scene) - 1 for scene in scenes)


@dataclass(frozen=True, eq=False)
class SheetPainter:
    """Painter of a sheet on axes in inches; a factor is the magnification of a disk."""

    ax: Axes
    lens: painter.Lens
    scenes: Sequence[Scene]
    sheet: Sheet
    factors: Floats

    def paint(self) -> dict[str, Any]:
        """Paint the scenes, and return the artists by name."""
        painted: dict[str, Any] = {
            "disks": self._paint_disks(),
            "isolines": self._paint_isolines(),
            "leverage": self._paint_leverage(),
            "arcs": self._paint_arcs(),
            **self._paint_nodes(),
        }
        if count_arcs(self.scenes) > MANY_ARCS:
            for artist in painted.values():
                artist.set_rasterized(True)  # else an SVG has tens of megabytes
        return painted | {"labels": self._label()}

    @property
    def _weight(self) -> float:
        """The factor of line widths."""
        return math.sqrt(self.sheet.radius / 3.0)

    @property
    def _zoom(self) -> Floats:
        """The inches of each disk that are norm 1."""
        return self.sheet.radius * self.factors

    @cached_property
    def _marks(self) -> Floats:
        """The width of marks in points for each tree, smaller where nodes are many and near."""
        norms = [float(self.lens.norm(scene.distance).mean()) for scene in self.scenes]
        n_nodes = np.array([len(scene) for scene in self.scenes])
        size = 80.0 * (np.array(norms) * self._zoom) / np.sqrt(n_nodes)
        return np.asarray(np.clip(size, 0.7, 6.0 * self._weight))

    @cached_property
    def isolines(self) -> list[Isoline]:
        """The one or two circles of equal confidence that are drawn in every disk."""
        extent = float(1.0 / self.factors.min())
        lens = painter.Lens(self.lens.t, extent, self.lens.colors, self.lens.size)
        chosen = choose_isolines(lens, find_isolines(self.scenes[0]))
        norms = {i: float(lens.norm(np.asarray(i.distance))) / extent for i in chosen}
        inside = [i for i in norms if norms[i] < OUTERMOST_ISOLINE]
        if not inside:
            return []
        nearest = {min(inside, key=lambda i: abs(norms[i] - r)) for r in (0.45, 0.8)}
        return sorted(nearest, key=lambda i: i.distance)

    def _circles(self, centers: Floats, radii: Floats, **options: Any) -> EllipseCollection:
        """Add circles, with radii in inches."""
        sizes = 2.0 * radii
        circles = EllipseCollection(
            sizes,
            sizes,
            np.zeros(len(sizes)),
            units="xy",
            offsets=centers,
            offset_transform=self.ax.transData,
            **options,
        )
        self.ax.add_collection(circles, autolim=False)
        return circles

    def _paint_disks(self) -> EllipseCollection:
        """Paint the disks, with a dark edge where it is the border, a light one where it is cut."""
        is_cut = self.factors > 1.0
        return self._circles(
            self.sheet.centers,
            np.full(len(self.sheet.centers), self.sheet.radius),
            facecolors=np.where(is_cut, "#ffffff", "#fcfcfb").tolist(),
            edgecolors=np.where(is_cut, FRAME, BORDER).tolist(),
            linewidths=1.3 * self._weight,
            zorder=0.5,
        )

    def _paint_isolines(self) -> EllipseCollection:
        norms = [float(self.lens.norm(np.asarray(i.distance))) for i in self.isolines]
        radius = self.sheet.radius * np.outer(self.factors, norms)
        which, _ = inside = np.nonzero(radius < OUTERMOST_ISOLINE * self.sheet.radius)
        options = {"facecolors": "none", "edgecolors": "#d6d6d3", "linewidths": 0.9 * self._weight}
        return self._circles(self.sheet.centers[which], radius[inside], zorder=1.0, **options)

    def _paint_leverage(self) -> EllipseCollection:
        """Paint the circles of leverage that lie inside of the disk as it is cut."""
        confidence = np.array([scene.leverage_confidence for scene in self.scenes])
        known = np.isfinite(confidence)
        norm = self.lens.norm(np.abs(np.where(known, confidence, 0.0)))
        inside = known & (norm * self.factors <= 1.0)
        width = 1.6 * self._weight
        options = {"facecolors": "none", "edgecolors": painter.LEVERAGE, "linewidths": width}
        radius = self.sheet.radius * (norm * self.factors)[inside]
        return self._circles(self.sheet.centers[inside], radius, zorder=1.6, **options)

    def _paint_arcs(self) -> LineCollection:
        n_arcs = count_arcs(self.scenes)
        n_points = 17 if n_arcs <= MANY_ARCS and self.sheet.radius > 0.2 else 9
        lines: list[Floats] = []
        widths: list[Floats] = []
        disks = zip(self.scenes, self.sheet.centers, self._zoom, self._marks, strict=True)
        for scene, center, size, mark in disks:
            points = size * painter.place(self.lens, *sample_arcs(scene.embedding, n_points))
            # the distance of the ends: the length of a tiny arc is hardly larger
            length = np.hypot(*(points[:, -1] - points[:, 0]).T)
            seen = length >= SHORT if n_arcs > MANY_ARCS else np.ones(len(points), dtype=bool)
            lines += _thin(points[seen] + center)
            n_tests = scene.n_tests[1:][seen].astype(np.float64)
            density = min(1.0, (40.0 / len(scene)) ** 0.3)
            widths.append(painter.arc_widths(n_tests, 0.36 * density * float(np.sqrt(mark))))
        width = np.concatenate(widths) if lines else 1.0
        arcs = painter.arc_lines(lines, linewidths=width, alpha=0.75)
        self.ax.add_collection(arcs, autolim=False)
        return arcs

    def _paint_nodes(self) -> dict[str, Collection]:
        """Paint the nodes, a mark and color per class, and rings around the roots."""
        which = np.repeat(np.arange(len(self.scenes)), [len(scene) for scene in self.scenes])
        distance, angle, value = (
            np.concatenate([getattr(scene, name) for scene in self.scenes])
            for name in ("distance", "angle", "value")
        )
        points = self._zoom[which, None] * painter.place(self.lens, distance, angle)
        places, size = self.sheet.centers[which] + points, self._marks[which] ** 2
        painted: dict[str, Collection] = {}
        for name, (here, color, marker) in painter.looks_of(self.lens, value).items():
            x, y = places[here].T
            nodes = self.ax.scatter(x, y, s=size[here], c=color, marker=marker, linewidths=0.0)
            nodes.set_zorder(3.0)
            painted[name] = nodes
        x, y = places[np.searchsorted(which, np.arange(len(self.scenes)))].T
        size = (1.7 * self._marks + 0.6) ** 2
        rings = self.ax.scatter(x, y, s=size, facecolors="none", zorder=3.5)
        rings.set(edgecolors=style.INK, linewidths=0.35 * np.sqrt(self._marks))
        return painted | {"roots": rings}

    def _label(self) -> list[Text]:
        """Write round and leverage above each disk; above small ones only the round of each row."""
        ax, scenes, sheet = self.ax, self.scenes, self.sheet
        rounds = [f"{scene.tree:,}" for scene in scenes]
        if not sheet.is_labeled:
            options: dict[str, Any] = {"size": 5.6, "ha": "right", "va": "center"}
            first = range(0, len(scenes), sheet.columns)
            y = sheet.centers[:, 1]
            return [painter.text(ax, -0.04, float(y[i]), rounds[i], **options) for i in first]
        is_zoomed = len(np.unique(self.factors)) > 1
        zooms = [f" ×{_factor_text(f)}" if is_zoomed and f > 1.0 else "" for f in self.factors]
        added = [_added_text(scene) for scene in scenes]
        longest = max(map(len, map("".join, zip(rounds, zooms, added, strict=True))))
        half = 0.97 * sheet.radius
        # the size at which the longest fits: characters are at most 0.7 of it wide
        room = 2.0 * half * 72.0 / (0.65 * longest + 0.4)
        size = min(8.2 * sheet.radius + 3.4, style.TEXT_SIZE, room)
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

    def write_key(self, line: KeyLine) -> None:
        """Write the key of the disks."""
        scene = self.scenes[0]
        names = shorten_all(scene.classes, 24)
        for color, marker, name in zip(self.lens.colors, painter.MARKERS, names, strict=True):
            line.mark(marker=marker, color=color, markersize=5.0, markeredgewidth=0.0)
            line.write(f"{'says' if scene.center == 'half' else 'more'} {printable(name)}")
        ring = {"marker": "o", "markerfacecolor": "none"}
        line.mark(**ring, markeredgecolor=style.INK, markersize=6.0, markeredgewidth=1.0)
        line.write("the root")
        if np.isfinite([scene.leverage_confidence for scene in self.scenes]).any():
            line.mark(**ring, markeredgecolor=painter.LEVERAGE, markersize=7.0, markeredgewidth=1.1)
            added = "most that the tree adds to the score"
            line.write(f"and ±: {added}" if self.sheet.is_labeled else added)
        if self.isolines:
            line.mark(**ring, markeredgecolor="#b9b9b5", markersize=7.0, markeredgewidth=0.9)
            line.write(_describe_isolines(scene, self.isolines))


def _thin(points: Floats) -> list[Floats]:
    """Return arcs as lists of points; of straight ones only the two ends."""
    if not len(points):
        return []
    share = np.linspace(0.0, 1.0, points.shape[1])[:, None]
    start, end = points[:, :1], points[:, -1:]
    chord = start + share * (end - start)
    flat = np.abs(points - chord).max(axis=(1, 2)) < FLAT
    return [arc[[0, -1]] if line else arc for arc, line in zip(points, flat, strict=True)]


def _factor_text(factor: float) -> str:
    return f"{factor:.1f}" if factor < 9.95 else f"{factor:,.0f}"


def _added_text(scene: Scene) -> str:
    confidence = abs(scene.leverage_confidence)
    return f"±{short_number(confidence)}" if np.isfinite(confidence) else ""


def _describe_isolines(scene: Scene, isolines: Sequence[Isoline]) -> str:
    """Return the meaning of the circles in all disks; from roots, which differ, it is odds."""
    if scene.value_kind == "margin":
        return f"vote {' and '.join('±' + i.texts[1][1:] for i in isolines)}"
    if scene.center == "base":
        times = (f"{math.exp(i.distance):.3g}" for i in isolines)
        return f"odds of the root times (or by) {' and '.join(times)}"
    kind = "class share" if scene.value_kind == "share" else "posterior in its round"
    return f"{kind} {' and '.join(i.texts[1] for i in isolines)}"
