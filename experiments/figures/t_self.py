"""Trees in the Poincaré disk beside their t-self at t = 0, where the surest nodes come apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.machinery.data import Dataset
from experiments.context import Context, MissingDataError
from experiments.drawing.disks import error_text, new_page, paint_disks, write_key
from experiments.drawing.pictures import BEST, METHODS, grow, save, take_scenes
from experiments.page import table
from experiments.progress import say
from experiments.results_table import read_table, write_table
from experiments.study.synthetic import NAME as SYNTHETIC
from experiments.study.synthetic import twitter_like
from horotree._checks import Floats
from horotree.display import style
from horotree.display.disk import painter
from horotree.display.disk.isolines import EMPHASIZED
from horotree.display.text.numbers import plain_number
from horotree.geometry.tself import norm_t
from horotree.losses import inverse_link
from horotree.scene import Scene

LABEL = "tab:self-vs-t-self"
ORDER = 18
NAME = "fig-t-self"
# The trees of each domain, from 0 as the paper counts them here.
TREES: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {"online_shoppers_intention": (0,), "twitter": (0,), "hardware": (70, 139)}
)
TEMPERATURES = (1.0, 0.0)
ISOLINES = (0.6, 0.7, 0.8, 0.9, EMPHASIZED)
N_BEST = 5
PIXELS = 1000.0

# Inches: the width of the page, a disk with what is around it, the room between panels; what is
# above a panel and below it, and above all.
WIDTH = 11.0
BETWEEN = 0.35
CELL = (WIDTH - 2.0 * style.MARGIN - BETWEEN) / 4.0
RADIUS = 0.465 * CELL
HEADING, FOOT, ABOVE = 0.32, 0.38, 1.12

TEXT = f"""## The disk and its t-self (`{LABEL}`)

![Four trees, each at t = 1, with its surest nodes on the border, and at t = 0, where they are at
different distances from it; exact layout.](images/{NAME}.png)

![The same four trees by the paper's placement.](images/{NAME}-sarkar.png)

The paper's trees: j = 0 of online_shoppers_intention, j = 70 and 139 of hardware. Its j = 0 of
twitter is not there: **the data are not available**. In its place is the first tree of
**synthetic** data of the same shape, counts with a heavy tail, which show what such a picture looks
like and nothing about twitter. The {N_BEST} surest nodes by their posterior, and how much their
distances from the center differ on a disk of 1,000 px (exact layout):

"""


@dataclass(frozen=True, slots=True)
class Panel:
    """A tree that is drawn at two temperatures, and what its domain is called."""

    domain: str
    scene: Scene

    @property
    def best(self) -> Any:
        """The rows of the surest nodes, the surest first."""
        return np.argsort(-np.abs(self.scene.value), kind="stable")[:N_BEST]

    def spread(self, t: float) -> float:
        """Return how far apart the surest are in distance from the center, in pixels of 1,000."""
        norm = np.asarray(norm_t(self.scene.distance[self.best], t=t))
        return float(0.5 * PIXELS * (norm.max() - norm.min()))


def run(context: Context) -> list[Path]:
    """Write a page an embedding, and how far apart the surest nodes are."""
    models = {}
    for name, trees in TREES.items():
        data = _find(context, name)
        n_trees = min(max(trees) + 1, context.n_trees)
        chosen = sorted({min(tree, n_trees - 1) for tree in trees})
        models[data.name] = grow(data, n_trees), chosen
    paths, rows = [], []
    for method in METHODS:
        panels = [
            Panel(name, scene)
            for name, (model, trees) in models.items()
            for scene in take_scenes(model, name, method, trees)
        ]
        stem = NAME if method == "exact" else f"{NAME}-{method}"
        paths += save(context, draw_page(panels, method), stem, on_page=True)
        rows += [_measure(panel, method) for panel in panels]
    return [*paths, write_table(context, NAME, rows, setting="paper", pixels=PIXELS)]


def draw_page(panels: Sequence[Panel], method: str) -> Figure:
    """Return the page: two panels in a row, each a disk and its t-self."""
    row = HEADING + CELL + FOOT
    height = ABOVE + -(-len(panels) // 2) * row
    figure, page = new_page(
        WIDTH,
        height,
        f"The t-self tells the surest nodes apart: {METHODS[method]}",
        "Each tree in the Poincaré disk, where t = 1 (left), and in its t-self at t = 0 (right)",
    )
    line = write_key(page, height - 0.92, ("class 0", "class 1"), ISOLINES, has_numbers=False)
    ring = {"marker": "o", "markerfacecolor": "none", "markersize": 8.0}
    line.mark(**ring, markeredgecolor=BEST, markeredgewidth=1.5)
    line.write(f"the {N_BEST} surest nodes")
    for i, panel in enumerate(panels):
        left = style.MARGIN + (i % 2) * (2.0 * CELL + BETWEEN)
        _paint(page, panel, left, height - ABOVE - (i // 2) * row)
    return figure


def _paint(page: Axes, panel: Panel, left: float, top: float) -> None:
    """Paint a tree at both temperatures, with its name above and the numbers below."""
    inner = left + 0.5 * CELL - RADIUS
    title = f"{_title(panel.domain)}, tree #{panel.scene.tree + 1}"
    heading = painter.text(page, inner, top - 0.2, title, size=10.0, color=style.INK)
    heading.set_verticalalignment("center")
    y = top - HEADING - 0.5 * CELL
    for place, t in enumerate(TEMPERATURES):
        center = np.array([left + (place + 0.5) * CELL, y])
        view = paint_disks(page, [panel.scene], center[None, :], RADIUS, t=t, isolines=ISOLINES)
        _ring(page, view, panel, center)
        right, bottom = center[0] + RADIUS, center[1] - 0.96 * RADIUS
        words = f"t = {plain_number(t)}"
        painter.text(page, right, bottom, words, ha="right", color=style.INK)
    at_1, at_0 = (f"{panel.spread(t):.2g} px" for t in TEMPERATURES)
    words = (
        f"{error_text(panel.scene)}. The {N_BEST} surest differ by {at_1} of 1,000 at t = 1, by "
        f"{at_0} at t = 0"
    )
    painter.text(page, inner, top - HEADING - CELL - 0.08, words, va="center")


def _ring(page: Axes, view: painter.Lens, panel: Panel, center: Floats) -> None:
    """Draw rings around the surest nodes."""
    scene, best = panel.scene, panel.best
    points = center + RADIUS * painter.place(view, scene.distance[best], scene.angle[best])
    rings = page.scatter(points[:, 0], points[:, 1], s=46.0, facecolors="none", zorder=4.0)
    rings.set(edgecolors=BEST, linewidths=1.5)


def _title(domain: str) -> str:
    return "synthetic, in place of twitter" if domain == SYNTHETIC else domain


def _find(context: Context, name: str) -> Dataset:
    """Return a domain; in place of twitter, if it is not there, made data that say so."""
    try:
        return context.domain(name)
    except MissingDataError as error:
        if name != "twitter":
            raise
        say(f"{error}; drawn instead: {SYNTHETIC} data of the same shape")
        return twitter_like(2_000 if context.quick else None)


def _percent(value: float) -> str:
    """Write the posterior of a value's class in percent, with digits enough not to say 100."""
    rest = 100.0 * float(inverse_link(-abs(value)))
    if rest < 1e-6:
        return "> 99.99999"
    digits = max(1, 1 - int(np.floor(np.log10(rest)))) if rest < 1.0 else 1
    return f"{100.0 - rest:.{digits}f}"


def _measure(panel: Panel, method: str) -> dict[str, Any]:
    scene = panel.scene
    value = np.abs(scene.value[panel.best])
    return {
        "domain": panel.domain,
        "method": method,
        "tree": scene.tree + 1,
        "kept": len(scene),
        "error": scene.embedding.error,
        "surest": _percent(float(value[0])),
        "fifth": _percent(float(value[-1])),
        "spread_t1": panel.spread(1.0),
        "spread_t0": panel.spread(0.0),
    }


def page(results: Path) -> str:
    """Return the section of the page."""
    lines = [line for line in read_table(results, NAME) if line["method"] == "exact"]
    rows = [
        [
            line["domain"],
            f"#{line['tree']}",
            f"{line['surest']} %",
            f"{line['fifth']} %",
            f"{float(line['spread_t1']):.2g}",
            f"{float(line['spread_t0']):.2g}",
        ]
        for line in lines
    ]
    head = ["domain", "tree", "surest node", "fifth", "px at t = 1", "px at t = 0"]
    return TEXT + table(head, rows)
