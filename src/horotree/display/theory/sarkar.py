"""The step of Sarkar's algorithm that the paper changes, drawn before and after.

A node a and its parent are in the disk already. A reflection moves a to the origin, where
directions are angles and arcs are straight; its children are placed there and reflected back.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyArrowPatch, Polygon

from horotree._checks import Floats
from horotree.display import style
from horotree.geometry import poincare

# Distance and angle of a and its parent; for each child of a, the leaves below it and its gain of
# confidence.
NODE = (0.95, -0.5 * math.pi)
PARENT = (0.3, 1.08)
LEAVES: Sequence[int] = (2, 5, 1)
GAINS: Sequence[float] = (1.2, 0.8, 1.6)
FAN = math.pi

ROWS: Mapping[str, str] = MappingProxyType(
    {
        "Sarkar": "All arcs of $a$ at equal angles, with equal lengths",
        "The paper": "A fan (dashed, here π) away from the parent: sectors by leaves, lengths by "
        "gain of confidence",
    }
)

TINTS = ("#dcebf5", "#edf4f9")
LEAF = "#6aa5cc"
# Points on a bent line, and the distance at which rays end, next to the border.
N_POINTS = 65
_FAR = float(poincare.distance_of_norm(1.0 - 1e-6))

Isometry = Callable[[Floats], Floats]


def draw_step(ax: Axes, *, modified: bool = False, reflected: bool = False) -> list[Line2D]:
    """Draw a step of Sarkar's algorithm, or of the paper's modification (paper, fig:sarkar).

    Return the arc to the parent and those to the children. With ``reflected`` all is reflected
    back; otherwise the node is at the origin.
    """
    node, parent = (poincare.from_polar(*place) for place in (NODE, PARENT))
    seen = reflect(parent, node)
    length, back = (float(part) for part in poincare.to_polar(seen))

    def move(points: Floats) -> Floats:
        return reflect(points, node) if reflected else points

    _draw_ground(ax)
    if modified:
        step = _modified_step(back, GAINS, LEAVES)
        _draw_sectors(ax, step, move, named=not reflected)
        _draw_leaves(ax, step, move)
    else:
        step = _sarkar_step(back, length, len(LEAVES))
        _draw_equality(ax, np.append(step.direction, back), length, move)
    ends = [seen, *poincare.from_polar(step.length, step.direction)]
    arcs = [_draw_curve(ax, move(_segment(end)), linewidth=1.8) for end in ends]
    arcs[0].set(color=style.GRAY)
    _draw_nodes(ax, move(np.array([np.zeros(2), *ends])))
    beside = move(poincare.from_polar(0.4, back + 0.25 * math.pi))
    style.note(ax, "$a$", tuple(beside), color=style.INK, size=style.TITLE_SIZE)
    return arcs


def sarkar_figure() -> Figure:
    """Draw Sarkar's step above and the paper's below, before and after reflecting back."""
    side, between, head, foot = 3.1, 0.75, 0.55, 0.3
    width = 2.0 * style.MARGIN + 2.0 * side + between
    height = style.HEADER + 0.1 + 2.0 * (head + side + foot)
    figure = style.new_figure(
        width,
        height,
        title="The paper changes one step of Sarkar's algorithm",
        subtitle="The children of a node $a$ are placed with $a$ at the origin and reflected back",
    )
    for row, (name, text) in enumerate(ROWS.items()):
        bottom = foot + (1 - row) * (head + side + foot)
        x, y = style.MARGIN / width, (bottom + side + head) / height
        figure.text(x, y, name, size=10.5, color=style.INK, weight="bold", va="top")
        below = y - 0.21 / height
        figure.text(x, below, text, size=style.TEXT_SIZE, color=style.GRAY, va="top")
        lefts = (style.MARGIN, style.MARGIN + side + between)
        panels = [style.add_panel(figure, left, bottom, side, side) for left in lefts]
        for ax, reflected in zip(panels, (False, True), strict=True):
            draw_step(ax, modified=row == 1, reflected=reflected)
        _draw_arrow(figure, *panels)
    return figure


@dataclass(frozen=True, slots=True)
class _Step:
    """The children of a node at the origin, and the bounds of their sectors, if any."""

    direction: Floats
    length: Floats
    ends: Floats


def _sarkar_step(back: float, length: float, n_children: int) -> _Step:
    """Return Sarkar's step: all arcs of a node, that to its parent included, at equal angles."""
    turns = np.arange(1, n_children + 1) / (n_children + 1)
    return _Step(back + 2.0 * math.pi * turns, np.full(n_children, length), np.empty(0))


def _modified_step(back: float, gains: Sequence[float], leaves: Sequence[int]) -> _Step:
    """Return the paper's step: a fan away from the parent, divided by the number of leaves."""
    share = np.cumsum([0, *leaves]) / sum(leaves)
    ends = back + math.pi + FAN * (share - 0.5)
    return _Step(0.5 * (ends[1:] + ends[:-1]), np.asarray(gains, np.float64), ends)


def reflect(points: Floats, node: Floats) -> Floats:
    """Reflect points in the line halfway between a node and the origin, which swaps both.

    ``(a - z) / (1 - conj(a) z)``, with z the point reflected in the line through both.
    """
    along = node / math.hypot(*node)
    mirrored = 2.0 * (points @ along)[..., None] * along - points
    return poincare.mobius_add(node, -mirrored)


def _draw_ground(ax: Axes) -> None:
    """Draw the border, the center, and the line of the reflection."""
    ax.set(xlim=(-1.01, 1.01), ylim=(-1.01, 1.01), aspect="equal")
    ax.set_axis_off()
    border = Circle((0.0, 0.0), 1.0, fill=False, edgecolor=style.GRAY, linewidth=1.1, zorder=1.2)
    ax.add_patch(border)
    _draw_curve(ax, np.zeros((1, 2)), color=style.RULE, marker="+", markersize=9.0, zorder=1.5)
    distance, angle = NODE
    along = np.linspace(-_FAR, _FAR, 4 * N_POINTS)
    across = poincare.from_polar(np.abs(along), angle + np.copysign(0.5 * math.pi, along))
    mirror = poincare.mobius_add(poincare.from_polar(0.5 * distance, angle), across)
    dashes = (0, (6.0, 2.0, 1.0, 2.0))
    _draw_curve(ax, mirror, color=style.RULE, linestyle=dashes, zorder=1.1)
    style.note(ax, "mirror", (-0.58, -0.405), size=style.SMALL_SIZE, rotation=17.0)


def _draw_curve(ax: Axes, points: Floats, **options: Any) -> Line2D:
    default = {"color": style.BLUE, "linewidth": 1.0, "markeredgewidth": 1.0, "zorder": 2.5}
    options = {**default, **options}
    (line,) = ax.plot(points[:, 0], points[:, 1], **options)
    return line


def _segment(end: Floats, start: Floats | None = None) -> Floats:
    """Return points on the geodesic to a point, by default from the origin."""
    start = np.zeros(2) if start is None else start
    share = np.linspace(0.0, 1.0, N_POINTS)[:, None]
    return poincare.exp_map(start, share * poincare.log_map(start, end))


def _circle(distance: float, low: float, high: float) -> Floats:
    """Return points on a circle around the origin."""
    return poincare.from_polar(distance, np.linspace(low, high, N_POINTS))


def _draw_equality(ax: Axes, directions: Floats, length: float, move: Isometry) -> None:
    """Mark angles and lengths as equal, as geometers do."""
    around = np.sort(np.append(directions, directions.min() + 2.0 * math.pi))
    for low, high in pairwise(around):
        mark = _circle(0.22, low + 0.3, high - 0.3)
        _draw_curve(ax, move(mark), color=style.GRAY, zorder=2.0)
    for direction in directions:
        middle = poincare.from_polar(0.55 * length, direction)
        across = np.array([-math.sin(direction), math.cos(direction)])
        tick = middle + np.linspace(-0.045, 0.045, 9)[:, None] * across
        _draw_curve(ax, move(tick), color=style.INK, linewidth=1.3, zorder=2.6)


def _draw_sectors(ax: Axes, step: _Step, move: Isometry, *, named: bool) -> None:
    rays = [poincare.from_polar(np.linspace(0.0, _FAR, N_POINTS), end) for end in step.ends]
    for i, (low, high) in enumerate(pairwise(step.ends)):
        edge = np.concatenate([rays[i], _circle(_FAR, low, high), rays[i + 1][::-1]])
        ax.add_patch(Polygon(move(edge), facecolor=TINTS[i % 2], edgecolor="none", zorder=0.5))
        if named:
            place = 0.93 * np.array([math.cos(step.direction[i]), math.sin(step.direction[i])])
            style.note(ax, str(LEAVES[i]), tuple(place), color=style.BLUE, weight="bold")
    fan = move(_circle(0.47, step.ends[0], step.ends[-1]))
    dashes = {"linestyle": (0, (1.6, 1.0)), "dash_capstyle": "butt", "linewidth": 2.8}
    _draw_curve(ax, fan, color=style.INK, zorder=2.2, **dashes)


def _draw_leaves(ax: Axes, step: _Step, move: Isometry) -> None:
    """Draw the leaves below each child, spread over the middle of its sector."""
    children = poincare.from_polar(step.length, step.direction)
    for child, n, length, (low, high) in zip(
        children, LEAVES, step.length, pairwise(step.ends), strict=True
    ):
        share = 0.5 + 0.8 * ((np.arange(n) + 0.5) / n - 0.5)
        leaves = poincare.from_polar(length + 0.62, low + (high - low) * share)
        for leaf in leaves:
            _draw_curve(ax, move(_segment(leaf, child)), color=LEAF, linewidth=0.9, zorder=2.1)
        _draw_curve(ax, move(leaves), color=LEAF, linestyle="none", marker="o", markersize=3.0)


def _draw_nodes(ax: Axes, points: Floats) -> None:
    """Draw the node, its parent with its name, and its children."""
    colors = [style.INK, style.GRAY, *(len(points) - 2) * [style.BLUE]]
    x, y = points.T
    ax.scatter(x, y, s=46.0, c=colors, edgecolors="white", linewidths=1.0, zorder=3.0)
    away = points[1] - points[0]
    away *= 12.0 / math.hypot(*away)
    style.note(ax, "parent", tuple(points[1]), offset=tuple(away), size=style.SMALL_SIZE)


def _draw_arrow(figure: Figure, left: Axes, right: Axes) -> None:
    """Draw an arrow from one panel to the next."""
    start, end = left.get_position(), right.get_position()
    y, middle = 0.5 * (start.y0 + start.y1), 0.5 * (start.x1 + end.x0)
    ends = (start.x1 + 0.018, y), (end.x0 - 0.018, y)
    arrow = FancyArrowPatch(*ends, transform=figure.transFigure, arrowstyle="-|>")
    arrow.set(mutation_scale=12.0, color=style.GRAY, linewidth=1.2)
    figure.add_artist(arrow)
    figure.text(middle, y + 0.01, "reflect", ha="center", size=style.SMALL_SIZE, color=style.GRAY)
