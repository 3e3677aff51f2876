"""The parts of a disk: ground, circles of leverage, arcs and nodes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib import patheffects
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.patches import Circle
from matplotlib.text import Text

from horotree._checks import Floats
from horotree.display import style
from horotree.display.text.fonts import families
from horotree.geometry.tself import norm_t
from horotree.scene import Scene
from horotree.trees.tree import Flags

LEVERAGE = "#8f3a76"
# Colors of the negative and the positive class.
SCHEMES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "safe": (style.VERMILION, style.BLUE),
        "paper": ("#c8201f", "#1f8a35"),
        "gray": ("#8a8a8a", "#262626"),
    }
)
NEUTRAL = "#7a7a7a"
ARC = "#5c6270"

# With more nodes than this, arcs have one width and hosts no rings: they would not be visible.
CROWDED = 1_500
MARKERS = ("D", "o")


@dataclass(frozen=True, slots=True)
class Lens:
    """How a scene is looked at: temperature, magnification, colors and size."""

    t: float
    extent: float  # the norm at the edge of the picture; 1 shows the whole disk
    colors: tuple[str, str]  # of the negative and the positive class
    size: float  # the width of the picture in inches, which scales marks and texts

    def norm(self, distance: Floats) -> Floats:
        """Return the norms at which distances are drawn; 1 for infinite ones."""
        finite = np.isfinite(distance)
        norm = np.asarray(norm_t(np.where(finite, distance, 0.0), t=self.t))
        return np.where(finite, norm, 1.0)

    def reaches(self, distance: float) -> bool:
        """Return whether the t-self has this distance: at t > 1 it ends at 1/(t-1)."""
        return (self.t - 1.0) * distance < 1.0

    @property
    def scale(self) -> float:
        """The factor of widths and sizes: 1 for a picture of six inches."""
        return self.size / 6.0


def place(lens: Lens, distance: Floats, angle: Floats) -> Floats:
    """Return points in the disk, one per row."""
    norm = lens.norm(distance)
    return np.stack([norm * np.cos(angle), norm * np.sin(angle)], axis=-1)


def halo(width: float = 2.0) -> list[Any]:
    """Return a white outline, so that a text or line stands out."""
    return [patheffects.withStroke(linewidth=width, foreground="white")]


def text(ax: Axes, x: float, y: float, words: str, **options: Any) -> Text:
    """Write words without mathematics, in any script."""
    options = {"color": style.GRAY, "size": style.SMALL_SIZE, **options}
    return ax.text(x, y, words, family=list(families()), parse_math=False, **options)


def paint_ground(ax: Axes, lens: Lens) -> Circle:
    """Prepare the axes, and paint the disk and its center."""
    ax.set(xlim=(-lens.extent, lens.extent), ylim=(-lens.extent, lens.extent), aspect="equal")
    ax.set_axis_off()
    ground = "#fcfcfb" if lens.extent >= 1.0 else "white"
    border = Circle((0.0, 0.0), 1.0, facecolor=ground, edgecolor="#6e6e6e", zorder=0.5)
    border.set_linewidth(1.1 * lens.scale)
    ax.add_patch(border)
    arm = 0.018 * lens.extent
    cross = [((-arm, 0.0), (arm, 0.0)), ((0.0, -arm), (0.0, arm))]
    ax.add_collection(LineCollection(cross, colors="#9a9a9a", linewidths=0.8, zorder=1.0))
    return border


def paint_leverage(ax: Axes, lens: Lens, scene: Scene) -> list[Circle]:
    """Paint the circles of leverage (solid) and of the largest confidence (dashed)."""
    circles = []
    for distance, dashes in (
        (scene.leverage_confidence, "solid"),
        (scene.max_confidence, (0, (2, 2))),
    ):
        norm = float(lens.norm(np.asarray(abs(distance)))) if np.isfinite(distance) else np.inf
        if norm > 2.0 * lens.extent:  # out of sight; a million dashes would take half a minute
            continue
        circle = Circle((0.0, 0.0), norm, fill=False)
        circle.set(edgecolor=LEVERAGE, linewidth=1.1 * lens.scale, linestyle=dashes, zorder=1.6)
        ax.add_patch(circle)
        circles.append(circle)
    return circles


def arc_widths(n_tests: Floats, scale: float) -> Floats:
    """Return line widths that grow with the logarithm of the number of tests, up to a limit."""
    return np.asarray(scale * np.minimum(0.7 + 0.45 * np.log2(np.maximum(n_tests, 1)), 2.4))


def paint_arcs(ax: Axes, lens: Lens, scene: Scene) -> LineCollection:
    """Paint the arcs, wider for more tests; all thin if there are too many."""
    distance, angle = scene.arcs
    crowded = len(scene) > CROWDED
    n_tests = np.ones(len(scene) - 1) if crowded else scene.n_tests[1:].astype(np.float64)
    width = arc_widths(n_tests, _density(scene) * lens.scale)
    points = list(place(lens, distance, angle))
    lines = arc_lines(points, linewidths=width, alpha=0.45 if crowded else 0.75)
    ax.add_collection(lines)
    return lines


def arc_lines(points: Sequence[Floats], **options: Any) -> LineCollection:
    """Return arcs, given the points on each."""
    return LineCollection(points, colors=ARC, capstyle="round", zorder=2.0, **options)


def looks_of(lens: Lens, value: Floats) -> dict[str, tuple[Flags, str, str]]:
    """Return for each class, and for nodes of neither, which nodes, their color and their mark."""
    return {
        "negative": (value < 0.0, lens.colors[0], MARKERS[0]),
        "positive": (value > 0.0, lens.colors[1], MARKERS[1]),
        "neutral": (value == 0.0, NEUTRAL, "o"),
    }


def _density(scene: Scene) -> float:
    """Return the scale of marks, smaller for many nodes."""
    return float(np.clip((150.0 / max(len(scene), 1)) ** 0.35, 0.3, 1.0))


def node_sizes(lens: Lens, scene: Scene) -> Floats:
    """Return areas of marks in square points, larger for more training weight."""
    weight = np.where(np.isnan(scene.weight), 0.25, scene.weight)
    largest = max(52.0 * (_density(scene) * lens.scale) ** 2, 6.0 * lens.scale)
    return np.asarray(largest * (0.4 + 0.6 * np.sqrt(np.clip(weight, 0.0, 1.0))))


def paint_nodes(ax: Axes, lens: Lens, scene: Scene) -> list[PathCollection]:
    """Paint the nodes, a mark and color per class; a ring for the root, a thin one for hosts."""
    points, sizes = place(lens, scene.distance, scene.angle), node_sizes(lens, scene)
    has_tags = (scene.n_tags > 0) & (len(scene) <= CROWDED)
    x, y = points.T
    ring = sizes[has_tags] * 2.4 + 6.0
    rings = ax.scatter(x[has_tags], y[has_tags], s=ring, facecolors="none")
    rings.set(edgecolors="#9094a0", linewidths=0.7 * lens.scale, zorder=2.9)
    painted = [rings]
    for here, color, marker in looks_of(lens, scene.value).values():
        if here.any():
            size = sizes[here] * (0.85 if marker == "D" else 1.0)
            nodes = ax.scatter(x[here], y[here], s=size, c=color, marker=marker, edgecolors="white")
            nodes.set(linewidths=0.0 if len(scene) > CROWDED else 0.6 * lens.scale, zorder=3.0)
            painted.append(nodes)
    ring = 2.6 * sizes[0] + 30.0 * lens.scale
    root = ax.scatter(x[:1], y[:1], s=ring, facecolors="none", zorder=3.5)
    root.set(edgecolors=style.INK, linewidths=1.4 * lens.scale)
    return [*painted, root]


def paint_whole(ax: Axes, lens: Lens, scene: Scene) -> Axes:
    """Paint the whole disk small in a corner, with the part that the picture shows."""
    inset = ax.inset_axes((0.0, 0.0, 0.17, 0.17))
    inset.set(xlim=(-1.05, 1.05), ylim=(-1.05, 1.05), aspect="equal")
    inset.set_axis_off()
    inset.add_patch(Circle((0.0, 0.0), 1.0, facecolor="white", edgecolor="#6e6e6e"))
    shown = Circle((0.0, 0.0), lens.extent, facecolor="#e3e3e0", edgecolor="#6e6e6e")
    inset.add_patch(shown)
    points = place(lens, scene.distance, scene.angle)
    inset.scatter(points[:, 0], points[:, 1], s=1.0, c=NEUTRAL, linewidths=0.0)
    zoom = text(ax, 0.085, 0.175, f"enlarged {1.0 / lens.extent:.3g} times", ha="center")
    zoom.set(transform=ax.transAxes, va="bottom")
    return inset
