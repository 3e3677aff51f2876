"""The first and the tenth tree of four domains, in both embeddings."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.context import Context
from experiments.drawing.disks import label_disk, new_page, paint_disks, write_key
from experiments.drawing.pictures import METHODS, capital, grow, save, take_scenes
from horotree.display import style
from horotree.display.disk import painter
from horotree.scene import Scene

LABEL = "tab:summary-dt-exerpt"
ORDER = 16
NAME = "fig-summary"
DOMAINS = ("online_shoppers_intention", "analcatdata_supreme", "abalone", "hardware")
TREES = (0, 9)
ISOLINES = (0.6, 0.7, 0.8, 0.9)

# Inches: the width of the page, a disk with what is around it, the heading of an embedding with
# the names of domains, the label of a disk, and what is above all.
WIDTH = 11.0
CELL = (WIDTH - 2.0 * style.MARGIN) / len(DOMAINS)
RADIUS = 0.46 * CELL
HEADING, LABEL_HEIGHT, ABOVE = 0.48, 0.2, 1.15

Scenes = Mapping[str, Mapping[str, Sequence[Scene]]]


def run(context: Context) -> list[Path]:
    """Write the picture; it needs all four domains."""
    last = min(TREES[1], context.n_trees - 1)
    models = {name: grow(context.domain(name), last + 1) for name in DOMAINS}
    scenes = {
        method: {
            name: take_scenes(model, name, method, (TREES[0], last))
            for name, model in models.items()
        }
        for method in METHODS
    }
    return save(context, draw_page(scenes), NAME, on_page=True)


def draw_page(scenes: Scenes) -> Figure:
    """Return the disks: a column a domain, below each other the embeddings and their trees."""
    pane = HEADING + len(TREES) * (LABEL_HEIGHT + CELL)
    height = ABOVE + len(scenes) * pane
    figure, page = new_page(
        WIDTH,
        height,
        "The first and the tenth tree of four domains, in the Poincaré disk (t = 1)",
        "A node's distance from the center is its confidence: near the border it is sure, at the "
        "center it knows nothing",
    )
    write_key(page, height - 0.92, ("class 0", "class 1"), ISOLINES, has_largest=True)
    for row, (method, by_domain) in enumerate(scenes.items()):
        _paint_pane(page, by_domain, height - ABOVE - row * pane, capital(METHODS[method]))
    return figure


def _paint_pane(
    page: Axes, by_domain: Mapping[str, Sequence[Scene]], top: float, title: str
) -> None:
    """Paint an embedding's trees below its name."""
    heading = {"size": 10.0, "color": style.INK, "va": "center"}
    painter.text(page, style.MARGIN, top - 0.17, title, weight="bold", **heading)
    x = style.MARGIN + CELL * (np.arange(len(by_domain)) + 0.5)
    for row, found in enumerate(zip(*by_domain.values(), strict=True)):
        bottom = top - HEADING - (row + 1) * (LABEL_HEIGHT + CELL)
        centers = np.stack([x, np.full(len(x), bottom + 0.5 * CELL)], axis=-1)
        paint_disks(page, found, centers, RADIUS, t=1.0, isolines=ISOLINES, has_largest=True)
        for name, scene, center in zip(by_domain, found, centers, strict=True):
            label_disk(page, scene, center, RADIUS, error=True, name="" if row else name)


def page(_: Path) -> str:
    """Return the section of the page."""
    return f"""## The first and the tenth tree of four domains (`{LABEL}`)

![Sixteen disks: above by the paper's placement, in which trees fill the lower half of the disk,
below by the exact layout, in which they fill all of it.](images/{NAME}.png)

As the paper shows them, and in the exact layout. ρ is the mean relative error of the nodes'
distances from the center: the paper's placement keeps the lengths of arcs, the exact layout keeps
confidences, for all nodes.
"""
