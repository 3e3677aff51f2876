"""A contact sheet of trees: five in a row, each at two temperatures."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from experiments.drawing.disks import label_disk, new_page, paint_disks, write_key
from experiments.drawing.pictures import METHODS
from horotree._checks import Floats
from horotree.display import style
from horotree.display.disk import painter
from horotree.display.disk.isolines import EMPHASIZED
from horotree.display.text.numbers import plain_number
from horotree.scene import Scene

TEMPERATURES = (1.0, 0.0)
ISOLINES = (0.7, 0.9, EMPHASIZED)
COLUMNS = 5
# Inches: the width of the page, what is left of the disks, a disk with what is around it, the
# label above a tree, what is between rows of trees, and what is above the first.
WIDTH = 11.0
GUTTER = 0.55
CELL = (WIDTH - GUTTER - style.MARGIN) / COLUMNS
RADIUS = 0.452 * CELL
LABEL = 0.2
BETWEEN = 0.24
ABOVE = 1.2


def contact_sheet(scenes: Sequence[Scene], name: str, method: str) -> Figure:
    """Return the page of a domain's trees in one embedding."""
    n_rows = -(-len(scenes) // COLUMNS)
    row = LABEL + len(TEMPERATURES) * CELL + BETWEEN
    height = ABOVE + n_rows * row
    kept = [len(scene) for scene in scenes]
    exact = ", ρ = 0" if method == "exact" else ""
    figure, page = new_page(
        WIDTH,
        height,
        f"{name}: the first {len(scenes)} trees, {METHODS[method]}{exact}",
        f"Monotonic trees of {min(kept)} to {max(kept)} nodes, in the Poincaré disk (t = 1) and "
        "moved to its t-self (t = 0)",
    )
    write_key(page, height - 0.95, scenes[0].classes, ISOLINES)
    tops = height - ABOVE - row * np.arange(n_rows, dtype=np.float64)
    for place, t in enumerate(TEMPERATURES):
        heights = tops - LABEL - (place + 0.5) * CELL
        centers = _centers(len(scenes), heights)
        paint_disks(page, scenes, centers, RADIUS, t=t, isolines=ISOLINES)
        for y in heights:
            words = painter.text(page, style.MARGIN, float(y), f"t = {plain_number(t)}")
            words.set(rotation=90.0, va="center", size=style.TEXT_SIZE, color=style.INK)
        if place == 0:
            for scene, center in zip(scenes, centers, strict=True):
                label_disk(page, scene, center, RADIUS, error=method != "exact")
    return figure


def _centers(n: int, heights: Floats) -> Floats:
    row, column = np.divmod(np.arange(n), COLUMNS)
    return np.stack([GUTTER + (column + 0.5) * CELL, heights[row]], axis=-1)
