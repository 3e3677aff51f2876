"""Circles of equal posterior in the disk, and where to write their labels."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle
from matplotlib.text import Text

from horotree._checks import Floats
from horotree.losses import link

from . import style
from .disk_painter import View, halo, text
from .tree_texts import measure

EMPHASIZED = 0.999

# Posteriors that isolines may have, the roundest first, and those between them.
_ROUND = (0.9, 0.7, 0.99, 0.6, 0.8, 0.9999, 1.0 - 1e-6, 1.0 - 1e-8, 1.0 - 1e-12)
_FINE = (0.55, 0.65, 0.75, 0.52, 0.51, 0.54, 0.53, 0.505, 0.502, 0.501, 0.5005, 0.5001)


def choose_posteriors(view: View) -> list[float]:
    """Return posteriors for isolines: round ones, far enough apart to be told from each other."""
    chosen: list[float] = []
    norms: list[float] = []
    limit = min(0.985, view.extent * 0.97)
    for p in (EMPHASIZED, *_ROUND, *_FINE):
        if not view.reaches(float(link(p))):
            continue
        norm = float(view.norm(np.asarray(link(p))))
        apart = all(abs(norm - other) >= 0.11 * view.extent for other in norms)
        if norm <= limit and norm >= 0.12 * view.extent and apart and len(chosen) < 6:
            chosen.append(p)
            norms.append(norm)
    return sorted(chosen)


def paint_isolines(ax: Axes, view: View) -> list[tuple[float, Circle]]:
    """Paint the circles of posteriors p and 1-p; return them with their posteriors."""
    posteriors = choose_posteriors(view)
    everywhere = view.extent >= 1.0 and view.reaches(float(link(EMPHASIZED)))
    if EMPHASIZED not in posteriors and everywhere:
        posteriors.append(EMPHASIZED)
    found = []
    for p in posteriors:
        circle = Circle((0.0, 0.0), float(view.norm(np.asarray(link(p)))), fill=False, zorder=1.0)
        circle.set(edgecolor="#d4d4d2", linewidth=0.7 * view.scale)
        if p == EMPHASIZED:
            circle.set(edgecolor="#a8a8a4", linewidth=1.0 * view.scale, linestyle=(0, (5, 3)))
        ax.add_patch(circle)
        found.append((p, circle))
    return found


def label_isolines(
    ax: Axes, view: View, isolines: Sequence[tuple[float, Circle]], crowd: Floats, labels: Floats
) -> list[Text]:
    """Write ``1-p | p`` on each isoline, all on the ray that is farthest from the crowd.

    They must cover neither each other nor the other labels, whose centers are given.
    """
    inside = [(p, c.radius) for p, c in isolines if c.radius < 0.985 * min(1.0, view.extent)]
    if not inside:
        return []
    radius = np.array([r for _, r in inside])
    angles = np.deg2rad(np.arange(0.0, 360.0, 4.0))
    spots = np.stack([np.outer(np.cos(angles), radius), np.outer(np.sin(angles), radius)], axis=-1)
    free = np.full(spots.shape[:2], np.inf)
    for part in np.array_split(crowd, max(1, len(crowd) // 500)):
        gap = spots[:, :, None, :] - part[None, None, :, :]
        # a label is three times as wide as it is high
        free = np.minimum(free, np.hypot(gap[..., 0] / 2.2, gap[..., 1]).min(axis=2, initial=9.0))
    reach = 0.07 * view.extent
    covered = _count_covered(view, [p for p, _ in inside], spots, labels)
    best = angles[(np.minimum(free, reach).sum(axis=1) - len(inside) * reach * covered).argmax()]
    written = []
    for p, r in inside:
        x, y = r * np.cos(best), r * np.sin(best)
        written += _two_colors(ax, view, float(x), float(y), p)
    return written


def _count_covered(view: View, posteriors: list[float], spots: Floats, labels: Floats) -> Floats:
    """Count on each ray the pairs of labels, at these spots or there already, that overlap."""
    inch = 2.0 * view.extent / view.size
    size = _text_size(view)
    half = np.array([measure(f"| {posterior_text(p)}", size) for p in posteriors]) * inch
    height = 1.3 * size / 72.0 * inch
    between = np.abs(spots[:, :, None, :] - spots[:, None, :, :])
    meets = (between[..., 0] < half[:, None] + half) & (between[..., 1] < height)
    count = np.triu(meets, k=1).sum(axis=(1, 2))
    if len(labels):  # numbers of nodes, about as wide as they are high
        gap = np.abs(spots[:, :, None, :] - labels)
        others = (gap[..., 0] < half[:, None] + 0.5 * height) & (gap[..., 1] < height)
        count = count + others.sum(axis=(1, 2))
    return np.asarray(count, np.float64)


def _text_size(view: View) -> float:
    return 7.0 * min(1.25, max(0.8, view.scale))


def _two_colors(ax: Axes, view: View, x: float, y: float, p: float) -> list[Text]:
    options = {"size": _text_size(view), "va": "center", "zorder": 6.0}
    low, high = (posterior_text(q) for q in (1.0 - p, p))
    # So near to the bar that halos meet: a bit of the line left between would look like a minus.
    gap = 0.25 * _text_size(view) / 72.0 * 2.0 * view.extent / view.size
    numbers = [
        text(ax, x - gap, y, low, ha="right", **options),
        text(ax, x + gap, y, high, ha="left", **options),
    ]
    for number, color in zip(numbers, view.colors, strict=True):
        number.set_color(color)
        number.set_path_effects(halo(2.2))
    bar = text(ax, x, y, "|", ha="center", **options)  # last: no halo may cover it
    bar.set_path_effects(halo(2.6))
    bar.set_snap(False)  # both its sides would go to the same pixel, and it would vanish
    return [*numbers, bar]


def posterior_text(p: float) -> str:
    """Write a posterior: as a decimal, or near 0 and 1 by its distance from them."""
    if 1e-4 < p < 1.0 - 1e-4 or p in (1e-4, 0.9999):
        return style.plain_number(round(p, 4))
    if p < 0.5:
        return f"1e−{-round(float(np.log10(p)))}"
    return f"1−1e−{-round(float(np.log10(1.0 - p)))}"
