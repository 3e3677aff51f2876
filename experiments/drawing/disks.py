"""Small disks on a page: several trees, each at a temperature, with one key for all."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from horotree._checks import Floats
from horotree.display import style
from horotree.display.disk import painter
from horotree.display.disk.isolines import EMPHASIZED
from horotree.display.disk.key_line import KeyLine
from horotree.display.ensemble.sheet import SheetPainter
from horotree.display.ensemble.sheet_layout import Sheet
from horotree.display.text.numbers import plain_number, short_number
from horotree.losses import link
from horotree.scene import Scene

COLORS = painter.SCHEMES["safe"]
DOTS = (0, (1.2, 2.0))
DASHES = (0, (5, 3))


def new_page(width: float, height: float, title: str, subtitle: str) -> tuple[Figure, Axes]:
    """Return a figure with its heading, and axes over all of it whose unit is the inch."""
    figure = style.new_figure(width, height, title=title, subtitle=subtitle)
    page = style.add_panel(figure, 0.0, 0.0, width, height)
    page.set(xlim=(0.0, width), ylim=(0.0, height))
    page.set_axis_off()
    return figure, page


def paint_disks(
    page: Axes,
    scenes: Sequence[Scene],
    centers: Floats,
    radius: float,
    *,
    t: float,
    isolines: Sequence[float],
    has_largest: bool = False,
) -> painter.Lens:
    """Paint trees at one temperature; isolines are those asked for, and so are seen to move.

    ``has_largest`` adds the circles of the largest confidences.
    """
    view = painter.Lens(t, 1.0, COLORS, 2.0 * radius)
    sheet = Sheet(centers, radius, page.get_ylim()[1], len(scenes))
    painted = SheetPainter(page, view, scenes, sheet, np.ones(len(scenes))).paint()
    for artist in (*painted["labels"], painted["isolines"]):
        artist.remove()
    for scene, center in zip(scenes, centers, strict=True):
        for p in isolines:
            _circle(page, center, radius * _norm(view, float(link(p))), **_look(p))
        if has_largest:
            largest = {"edgecolor": painter.LEVERAGE, "linestyle": DOTS, "linewidth": 1.0}
            _circle(page, center, radius * _norm(view, scene.max_confidence), **largest)
    return view


def label_disk(
    page: Axes, scene: Scene, center: Floats, radius: float, *, error: bool, name: str = ""
) -> None:
    """Write above a disk which tree it is, the error ρ of its distances, and what it adds."""
    x, y, half = center[0], center[1] + radius + 0.09, 0.95 * radius
    if name:
        painter.text(page, x, y + 0.17, name, ha="center", size=style.TEXT_SIZE, color=style.INK)
    options: dict[str, Any] = {"va": "baseline", "size": style.TEXT_SIZE}
    painter.text(page, x - half, y, f"#{scene.tree + 1}", color=style.INK, **options)
    if error:
        painter.text(page, x, y, error_text(scene), ha="center", **options)
    added = f"±{short_number(abs(scene.leverage_confidence))}"
    painter.text(page, x + half, y, added, color=painter.LEVERAGE, ha="right", **options)


def error_text(scene: Scene) -> str:
    """Write the error ρ of a scene's distances."""
    error = 100.0 * scene.embedding.error
    return "ρ = 0" if error == 0.0 else f"ρ = {error:.1f} %"


def write_key(
    page: Axes,
    y: float,
    classes: Sequence[str],
    isolines: Sequence[float],
    *,
    has_numbers: bool = True,
    has_largest: bool = False,
) -> KeyLine:
    """Write what is in the disks; return the line, to go on with.

    ``has_numbers`` says whether what trees add is written, too.
    """
    line = KeyLine(page, style.MARGIN, y)
    for color, marker, name in zip(COLORS, painter.MARKERS, classes, strict=True):
        line.mark(marker=marker, color=color, markersize=5.0, markeredgewidth=0.0)
        line.write(f"says {name}")
    ring = {"marker": "o", "markerfacecolor": "none"}
    line.mark(**ring, markeredgecolor=style.INK, markersize=6.0, markeredgewidth=1.0)
    line.write("the root")
    line.mark(**ring, markeredgecolor=painter.LEVERAGE, markersize=7.0, markeredgewidth=1.1)
    added = "most that the tree adds to the score"
    line.write(f"and ±: {added}" if has_numbers else added)
    if has_largest:
        line.stroke(color=painter.LEVERAGE, linewidth=1.1, linestyle=DOTS)
        line.write("its largest confidence")
    line.mark(**ring, markeredgecolor="#b9b9b5", markersize=7.0, markeredgewidth=0.9)
    line.write(f"posterior {_list(isolines)}")
    return line


def _list(posteriors: Sequence[float]) -> str:
    texts = [plain_number(p) for p in posteriors if p != EMPHASIZED]
    if EMPHASIZED in posteriors:
        return f"{', '.join(texts)} and, dashed, {plain_number(EMPHASIZED)}"
    return f"{', '.join(texts[:-1])} and {texts[-1]}"


def _norm(view: painter.Lens, distance: float) -> float:
    return float(view.norm(np.asarray(distance)))


def _look(p: float) -> dict[str, Any]:
    if p == EMPHASIZED:
        return {"edgecolor": "#a8a8a4", "linestyle": DASHES, "linewidth": 0.7}
    return {"edgecolor": "#d0d0cd", "linewidth": 0.6}


def _circle(page: Axes, center: Floats, radius: float, **options: Any) -> None:
    page.add_patch(Circle((center[0], center[1]), radius, fill=False, zorder=1.0, **options))
