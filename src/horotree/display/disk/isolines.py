"""Circles of equal confidence in the disk, and their labels."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle
from matplotlib.text import Text

from horotree._checks import Floats
from horotree.display.text.lines import measure
from horotree.display.text.numbers import plain_number, posterior_text, share_text
from horotree.losses import link
from horotree.scene import Scene

from .painter import Lens, halo, text

EMPHASIZED = 0.999

# From the root: factors of the odds; for votes, log-odds.
_ODDS = (10.0, 100.0, 2.0, 1e3, 30.0, 5.0, 1e4, 1e6, 3.0, 1.5, 1.2, 1.1, 1.05, 1.02, 1.01)
_VOTES = (1.0, 5.0, 2.0, 10.0, 3.0, 0.5, 20.0, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)

# Posteriors that isolines may have, the roundest first, and those between them.
_ROUND = (0.9, 0.7, 0.99, 0.6, 0.8, 0.9999, 1.0 - 1e-6, 1.0 - 1e-8, 1.0 - 1e-12)
_FINE = (0.55, 0.65, 0.75, 0.52, 0.51, 0.54, 0.53, 0.505, 0.502, 0.501, 0.5005, 0.5001)


@dataclass(frozen=True, slots=True)
class Isoline:
    """A circle of equal confidence."""

    distance: float
    texts: tuple[str, str]  # on the side of the negative class, and of the positive
    emphasized: bool = False  # as the paper's {.001, .999}


def find_isolines(scene: Scene) -> list[Isoline]:
    """Return the circles that a scene may have, the roundest first.

    From even odds they are at round posteriors. From the root they are at round factors of the
    odds, labeled with the posterior of either class. For margins, which are not logits of
    posteriors, they are at round votes.
    """
    if scene.value_kind == "margin":
        return [Isoline(v, (f"−{plain_number(v)}", f"+{plain_number(v)}")) for v in _VOTES]
    if scene.center == "half":
        return [
            Isoline(float(link(p)), (posterior_text(1.0 - p), posterior_text(p)), p == EMPHASIZED)
            for p in (EMPHASIZED, *_ROUND, *_FINE)
        ]
    return [
        Isoline(d, (share_text(scene.origin - d), share_text(scene.origin + d)))
        for d in map(float, np.log(_ODDS))
    ]


def choose_isolines(lens: Lens, found: Sequence[Isoline]) -> list[Isoline]:
    """Return visible isolines that are far enough from each other, the inner ones first."""
    chosen: list[tuple[float, Isoline]] = []
    limit = min(0.985, lens.extent * 0.97)
    for isoline in found:
        if not lens.reaches(isoline.distance):
            continue
        norm = float(lens.norm(np.asarray(isoline.distance)))
        is_free = all(abs(norm - other) >= 0.11 * lens.extent for other, _ in chosen)
        if norm <= limit and norm >= 0.12 * lens.extent and is_free and len(chosen) < 6:
            chosen.append((norm, isoline))
    return [isoline for _, isoline in sorted(chosen, key=lambda pair: pair[0])]


def paint_isolines(ax: Axes, lens: Lens, scene: Scene) -> list[tuple[Isoline, Circle]]:
    """Paint circles of equal confidence, and return them with their isolines."""
    found = find_isolines(scene)
    isolines = choose_isolines(lens, found)
    for isoline in found:
        everywhere = lens.extent >= 1.0 and lens.reaches(isoline.distance)
        if isoline.emphasized and isoline not in isolines and everywhere:
            isolines.append(isoline)
    painted = []
    for isoline in isolines:
        radius = float(lens.norm(np.asarray(isoline.distance)))
        circle = Circle((0.0, 0.0), radius, fill=False, zorder=1.0)
        circle.set(edgecolor="#d4d4d2", linewidth=0.7 * lens.scale)
        if isoline.emphasized:
            circle.set(edgecolor="#a8a8a4", linewidth=1.0 * lens.scale, linestyle=(0, (5, 3)))
        ax.add_patch(circle)
        painted.append((isoline, circle))
    return painted


def label_isolines(
    ax: Axes, lens: Lens, isolines: Sequence[tuple[Isoline, Circle]], crowd: Floats, labels: Floats
) -> list[Text]:
    """Label isolines with ``1-p | p`` or the like, all on the ray with the most room.

    The crowd is what labels should not cover; ``labels`` are the centers of other labels.
    """
    inside = [(i, c.radius) for i, c in isolines if c.radius < 0.985 * min(1.0, lens.extent)]
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
    reach = 0.07 * lens.extent
    covered = _count_covered(lens, [isoline for isoline, _ in inside], spots, labels)
    best = angles[(np.minimum(free, reach).sum(axis=1) - len(inside) * reach * covered).argmax()]
    written = []
    for isoline, r in inside:
        x, y = r * np.cos(best), r * np.sin(best)
        written += _two_colors(ax, lens, float(x), float(y), isoline.texts)
    return written


def _count_covered(lens: Lens, isolines: list[Isoline], spots: Floats, labels: Floats) -> Floats:
    """Count on each ray the pairs of labels that overlap, of isolines or with other labels."""
    inch = 2.0 * lens.extent / lens.size
    size = _text_size(lens)
    widths = [max(measure(f"| {text}", size) for text in isoline.texts) for isoline in isolines]
    half = np.array(widths) * inch
    height = 1.3 * size / 72.0 * inch
    between = np.abs(spots[:, :, None, :] - spots[:, None, :, :])
    meets = (between[..., 0] < half[:, None] + half) & (between[..., 1] < height)
    count = np.triu(meets, k=1).sum(axis=(1, 2))
    if len(labels):  # numbers of nodes, about as wide as they are high
        gap = np.abs(spots[:, :, None, :] - labels)
        others = (gap[..., 0] < half[:, None] + 0.5 * height) & (gap[..., 1] < height)
        count = count + others.sum(axis=(1, 2))
    return np.asarray(count, np.float64)


def _text_size(lens: Lens) -> float:
    return 7.0 * min(1.25, max(0.8, lens.scale))


def _two_colors(ax: Axes, lens: Lens, x: float, y: float, texts: tuple[str, str]) -> list[Text]:
    options = {"size": _text_size(lens), "va": "center", "zorder": 6.0}
    low, high = texts
    # So near to the bar that halos meet: a visible bit of the line would look like a minus.
    gap = 0.25 * _text_size(lens) / 72.0 * 2.0 * lens.extent / lens.size
    numbers = [
        text(ax, x - gap, y, low, ha="right", **options),
        text(ax, x + gap, y, high, ha="left", **options),
    ]
    for number, color in zip(numbers, lens.colors, strict=True):
        number.set_color(color)
        number.set_path_effects(halo(2.2))
    bar = text(ax, x, y, "|", ha="center", **options)  # last: no halo may cover it
    bar.set_path_effects(halo(2.6))
    bar.set_snap(False)  # both its sides would go to the same pixel, and it would vanish
    return [*numbers, bar]
