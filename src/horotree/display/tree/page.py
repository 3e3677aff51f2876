"""The page of two trees: title, how to read it, the trees, and a key."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from horotree.display import style
from horotree.display.disk import painter
from horotree.display.text.fonts import printable
from horotree.display.text.lines import measure, wrap
from horotree.display.text.names import shorten_all

from .diagram import Diagram
from .painter import Patches, arc_width, box_patch, paint_tags, paint_tree
from .plan import Layout, Levels, find_least_width, find_levels, lay_out

# Inches: the least width of a tree, and the most of two side by side; else the second is below.
LEAST = 3.9
MOST = 16.5
# The width beyond which rules are broken into shorter lines.
COMFORTABLE = 5.2
# The margin of the page, the room between the trees, a tree's caption, and a line of text.
MARGIN = 0.3
BETWEEN = 0.5
CAPTION = 0.62
LINE = 0.165
# The key: the height of a line, the width of a mark, and the room after an item.
KEY_LINE = 0.3
KEY_MARK = 0.5
KEY_GAP = 0.3
NAME_WIDTH = 3.0

HOW_TO_READ = (
    "A box is a node: its number and its value, whose sign is the class and whose size is the "
    "confidence. The monotonic tree keeps the nodes that are surer than all above them; the last "
    "one kept on a path speaks for those left out below it."
)


@dataclass(frozen=True, slots=True)
class _Item:
    """An entry of the key."""

    kind: str
    words: str

    @property
    def width(self) -> float:
        return KEY_MARK + 1.08 * measure(self.words, style.SMALL_SIZE) + KEY_GAP


class Page:
    """A figure as large as two diagrams need it; colors and classes: negative first."""

    def __init__(
        self,
        title: str,
        diagrams: Sequence[Diagram],
        classes: tuple[str, str],
        colors: tuple[str, str],
        notes: Sequence[str] = (),
    ) -> None:
        self.colors = colors
        self.is_beside, self.layouts = _lay_out_both(diagrams)
        self.widths = [max(LEAST, layout.width) for layout in self.layouts]
        if not self.is_beside:
            self.widths = [max(self.widths)] * 2
        self.levels = self._find_levels()
        inner = sum(self.widths) + BETWEEN if self.is_beside else self.widths[0]
        intro = wrap(" ".join([HOW_TO_READ, *notes]), inner, 1.08 * style.TEXT_SIZE)
        key = _fill(_find_items(diagrams, classes), inner)
        heights = [CAPTION + levels.foot[-1] for levels in self.levels]
        body = max(heights) if self.is_beside else sum(heights) + BETWEEN
        self.head = MARGIN + 0.6 + LINE * len(intro)
        self.size = inner + 2.0 * MARGIN, self.head + body + 0.5 + KEY_LINE * len(key)
        self.figure = Figure(figsize=self.size, dpi=100.0, facecolor="white")
        ground = self._add_axes(0.0, 0.0, *self.size)
        _write(ground, MARGIN, MARGIN + 0.1, title, size=14.0, color=style.INK)
        for i, line in enumerate(intro):
            _write(ground, MARGIN, MARGIN + 0.4 + LINE * i, line, size=style.TEXT_SIZE)
        for i, items in enumerate(key):
            _paint_items(ground, items, self.head + body + 0.35 + KEY_LINE * (i + 0.5), colors)
        if self.is_beside:
            x, ends = MARGIN + self.widths[0] + 0.5 * BETWEEN, [self.head, self.head + body]
            ground.add_line(Line2D([x, x], ends, color="#dededc", linewidth=0.8))

    def paint(self, part: int, title: str, notes: Sequence[str]) -> tuple[Axes, Patches, Patches]:
        """Paint one of the trees; return its axes, the boxes of its nodes, and the arcs to them."""
        layout, levels = self.layouts[part], self.levels[part]
        left, top = MARGIN, self.head
        if part and self.is_beside:
            left += self.widths[0] + BETWEEN
        elif part:
            top += CAPTION + self.levels[0].foot[-1] + BETWEEN
        width, height = self.widths[part], CAPTION + levels.foot[-1]
        ax = self._add_axes(left, top, width, height)
        _write(ax, 0.0, 0.08, title, size=10.0, color=style.INK, weight="bold")
        for i, note in enumerate(notes):
            _write(ax, 0.0, 0.27 + LINE * i, note)
        indent = 0.5 * (width - layout.width)
        return ax, *paint_tree(ax, layout, levels, self.colors, left=indent, top=CAPTION)

    def _find_levels(self) -> list[Levels]:
        if self.is_beside:  # the same for both: a node is at one height on both sides
            return [find_levels(self.layouts)] * 2
        return [find_levels([layout]) for layout in self.layouts]

    def _add_axes(self, left: float, top: float, width: float, height: float) -> Axes:
        bottom, pad = self.size[1] - top - height, 0.04  # lines on the edge are drawn whole
        ax = style.add_panel(
            self.figure, left - pad, bottom - pad, width + 2.0 * pad, height + 2.0 * pad
        )
        ax.set(xlim=(-pad, width + pad), ylim=(height + pad, -pad))
        ax.set_axis_off()
        return ax


def _write(ax: Axes, x: float, y: float, words: str, **options: Any) -> None:
    painter.text(ax, x, y, words, **{"va": "center", **options})


def _lay_out_both(diagrams: Sequence[Diagram]) -> tuple[bool, list[Layout]]:
    """Lay out two trees side by side, or one below the other if they are too wide."""
    room = MOST - BETWEEN - 2.0 * MARGIN
    least = [find_least_width(diagram) for diagram in diagrams]
    if sum(least) > room:
        room += BETWEEN
        return False, [lay_out(diagram, comfortable=room, most=room) for diagram in diagrams]
    first = lay_out(diagrams[0], comfortable=COMFORTABLE, most=room - max(least[1], 0.5 * room))
    second = lay_out(diagrams[1], comfortable=COMFORTABLE, most=room - first.width)
    return True, [first, second]


def _find_items(diagrams: Sequence[Diagram], classes: tuple[str, str]) -> list[_Item]:
    """Return the entries of the key, for what is in the picture only."""
    tree, monotonic = diagrams
    # Shortened twice: a character without a font becomes six.
    names = [
        wrap(printable(name), NAME_WIDTH, style.SMALL_SIZE, max_lines=1)[0]
        for name in shorten_all(classes, 36)
    ]
    items = []
    if min(tree.value) < 0.0:
        items.append(_Item("negative", f"says {names[0]}"))
    if max(tree.value) > 0.0:
        items.append(_Item("positive", f"says {names[1]}"))
    if any(tree.is_faded):
        items.append(_Item("faded", "no surer than a node above it: left out"))
    if any(monotonic.n_tags):
        items.append(_Item("tags", "leaves that the node above speaks for"))
    if max(monotonic.n_tests) > 1:
        items.append(_Item("arc", "wider for more tests"))
    return items


def _fill(items: Sequence[_Item], width: float) -> list[list[_Item]]:
    """Distribute items over lines of this width."""
    lines: list[list[_Item]] = []
    room = 0.0
    for item in items:
        if not lines or item.width - KEY_GAP > room:
            lines.append([])
            room = width
        lines[-1].append(item)
        room -= item.width
    return lines


def _paint_items(ax: Axes, items: Sequence[_Item], y: float, colors: tuple[str, str]) -> None:
    """Paint a line of the key."""
    x = MARGIN
    for item in items:
        _paint_mark(ax, item.kind, (x, y), colors)
        _write(ax, x + KEY_MARK, y, item.words)
        x += item.width


def _paint_mark(ax: Axes, kind: str, place: tuple[float, float], colors: tuple[str, str]) -> None:
    x, y = place[0] + 0.2, place[1]
    box = partial(box_patch, (x, y - 0.1), 0.4, height=0.2)
    if kind == "negative":
        ax.add_patch(box(colors[0], is_positive=False))
    elif kind == "positive":
        ax.add_patch(box(colors[1], is_positive=True))
    elif kind == "faded":
        ax.add_patch(box(colors[0], is_positive=True, is_faded=True))
    elif kind == "tags":
        paint_tags(ax, ["#5 #9"], (x, y - 0.08))
    else:
        for shift, n_tests in ((-0.04, 1), (0.04, 2)):
            line = Line2D([place[0], place[0] + 0.4], [y + shift, y + shift], color=painter.ARC)
            line.set_linewidth(arc_width(n_tests))
            ax.add_line(line)
