"""A tree painted from the top down, on axes in inches: arcs, boxes and texts."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from horotree.display import style
from horotree.display.disk import painter
from horotree.display.text.lines import measure
from horotree.display.text.numbers import write_value

from .diagram import Diagram
from .plan import BOX_HEIGHT, LINE, NUMBER_SIZE, RULE_SIZE, SLACK, VALUE_SIZE, Layout, Levels

FADED = "#9094a0"

# Artists by the number of their node.
Patches = dict[int, PathPatch]


def paint_tree(
    ax: Axes, layout: Layout, levels: Levels, colors: tuple[str, str], *, left: float, top: float
) -> tuple[Patches, Patches]:
    """Paint a tree on axes in inches, downward; return its boxes and arcs by node number."""
    diagram = layout.diagram
    x = layout.x + left
    boxes: Patches = {}
    arcs: Patches = {}
    for row, level in enumerate(diagram.level):
        y = top + levels.box[level]
        if row:
            above = diagram.parent[row]
            ends = float(x[above]), float(x[row])
            arcs[diagram.node[row]] = _paint_arc(ax, diagram, levels, row, ends, top)
            _paint_rule(ax, layout.rules[row], float(x[row]), y - 0.03)
        boxes[diagram.node[row]] = _paint_box(ax, layout, row, (float(x[row]), y), colors)
        _paint_foot(ax, layout, row, (float(x[row]), y + BOX_HEIGHT))
    return boxes, arcs


def _paint_arc(
    ax: Axes, diagram: Diagram, levels: Levels, row: int, ends: tuple[float, float], top: float
) -> PathPatch:
    """Paint an arc: down from its parent's box, aside within one level, then straight down."""
    above, level = diagram.level[diagram.parent[row]], diagram.level[row]
    start, end = ends
    y = [levels.box[above] + BOX_HEIGHT, levels.foot[above], levels.rule[above + 1]]
    y = [top + place for place in (*y, levels.box[level])]
    middle = 0.5 * (y[1] + y[2])
    points = [(start, y[0]), (start, y[1]), (start, middle), (end, middle), (end, y[2])]
    codes = [Path.MOVETO, Path.LINETO, *[Path.CURVE4] * 3, Path.LINETO]
    arc = PathPatch(Path([*points, (end, y[3])], codes), fill=False, capstyle="butt")
    width = arc_width(diagram.n_tests[row])
    # Where arcs start together, thin ones are above wide ones.
    arc.set(edgecolor=painter.ARC, linewidth=width, zorder=1.5 - 0.05 * width)
    if diagram.ends[row]:
        arc.set(edgecolor="#b4b8c0", zorder=0.9)
    ax.add_patch(arc)
    return arc


def arc_width(n_tests: int) -> float:
    """Return the width of an arc in points, proportional to its tests up to five of them."""
    return 1.1 * min(n_tests, 5)


def _paint_rule(ax: Axes, lines: Sequence[str], x: float, y: float) -> None:
    """Write lines that end above a point, on white: the arc passes behind them."""
    if not lines:
        return
    width = SLACK * max(measure(line, RULE_SIZE) for line in lines) + 0.04
    height = LINE * len(lines)
    ground = Rectangle((x - 0.5 * width, y - height), width, height, facecolor="white", zorder=2.0)
    ax.add_patch(ground)
    for i, line in enumerate(reversed(lines)):
        text = painter.text(ax, x, y - LINE * i - 0.03, line, color=style.INK, size=RULE_SIZE)
        text.set(ha="center", va="baseline", zorder=2.1)


def _paint_box(
    ax: Axes, layout: Layout, row: int, place: tuple[float, float], colors: tuple[str, str]
) -> PathPatch:
    """Paint a node: its number and value in a box with the shape and color of its class."""
    diagram, (x, y) = layout.diagram, place
    value, faded = diagram.value[row], diagram.is_faded[row]
    color = painter.NEUTRAL if value == 0.0 else colors[int(value > 0.0)]
    box = box_patch((x, y), layout.box_width, color, is_positive=value >= 0.0, is_faded=faded)
    ax.add_patch(box)
    number = painter.text(ax, x, y + 0.115, f"#{diagram.node[row]}", size=NUMBER_SIZE)
    number.set(ha="center", va="center", zorder=4.0, color=style.GRAY)
    says = painter.text(ax, x, y + 0.245, write_value(value), size=VALUE_SIZE, color=color)
    says.set(ha="center", va="center", zorder=4.0, weight="normal" if faded else "bold")
    return box


def box_patch(
    place: tuple[float, float],
    width: float,
    color: str,
    *,
    is_positive: bool,
    is_faded: bool = False,
    height: float = BOX_HEIGHT,
) -> PathPatch:
    """Return the box of a node below a point: with round ends or, for the negative class, pointed.

    So the circles and diamonds of the disk look with a text inside.
    """
    (x, y), half = place, 0.5 * width
    left, right, low = x - half, x + half, y + height
    if is_positive:
        path = _round_box(left, y, right, low)
    else:
        middle, tip = y + 0.5 * height, 0.3 * height
        path = Path(
            [
                *((left + tip, y), (right - tip, y), (right, middle)),
                *((right - tip, low), (left + tip, low), (left, middle), (left + tip, y)),
            ],
            closed=True,
        )
    box = PathPatch(path, facecolor=_tint(color), edgecolor=color, linewidth=1.1, zorder=3.0)
    if is_faded:
        box.set(facecolor="white", edgecolor=FADED, linestyle=(0, (3, 2)), linewidth=0.9)
    return box


def _round_box(left: float, top: float, right: float, low: float) -> Path:
    """Return a box with round ends."""
    r = 0.5 * min(low - top, right - left)
    k = 0.45 * r  # of a Bézier curve that is all but a quarter of a circle
    points = [(left + r, top), (right - r, top)]
    points += [(right - k, top), (right, top + k), (right, top + r), (right, low - r)]
    points += [(right, low - k), (right - k, low), (right - r, low), (left + r, low)]
    points += [(left + k, low), (left, low - k), (left, low - r), (left, top + r)]
    points += [(left, top + k), (left + k, top), (left + r, top)]
    curve, line = [Path.CURVE4] * 3, [Path.LINETO]
    return Path(points, [Path.MOVETO, *line, *curve, *line, *curve, *line, *curve, *line, *curve])


def _tint(color: str) -> tuple[float, float, float]:
    red, green, blue = (1.0 - 0.1 * (1.0 - part) for part in to_rgb(color))
    return red, green, blue


def _paint_foot(ax: Axes, layout: Layout, row: int, place: tuple[float, float]) -> None:
    """Paint below a node its rerouted leaves, and the number of nodes that are not drawn."""
    x, y = place
    tags = layout.tags[row]
    if tags:
        paint_tags(ax, tags, (x, y))
        y += LINE * len(tags) + 0.03
    if layout.diagram.n_hidden[row]:
        text = painter.text(ax, x, y + 0.075, layout.diagram.write_hidden(row), size=NUMBER_SIZE)
        text.set(ha="center", va="center", zorder=2.4)
        text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.8})


def paint_tags(ax: Axes, lines: Sequence[str], place: tuple[float, float]) -> None:
    """Paint tags in a box that hangs below a node, dashed as the leaves are in the tree."""
    x, y = place
    width = SLACK * max(measure(line, NUMBER_SIZE) for line in lines) + 0.08
    drawer = Rectangle((x - 0.5 * width, y), width, LINE * len(lines) + 0.03)
    drawer.set(facecolor="white", edgecolor=FADED, linestyle=(0, (3, 2)), linewidth=0.9)
    drawer.set_zorder(2.5)
    ax.add_patch(drawer)
    for i, line in enumerate(lines):
        text = painter.text(ax, x, y + LINE * (i + 0.5) + 0.015, line, size=NUMBER_SIZE)
        text.set(ha="center", va="center", zorder=4.0)
