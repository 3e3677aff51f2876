"""The room of a drawn tree in inches: lines of its rules, boxes, and levels."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from horotree._checks import Floats
from horotree.display.text.lines import measure, wrap
from horotree.display.text.numbers import write_value

from .diagram import Diagram
from .layout import find_positions

# Sizes of letters, in points.
RULE_SIZE = 7.5
NUMBER_SIZE = 7.0
VALUE_SIZE = 8.5

# Inches: a line of a rule or of tags, a box, the room between levels, and between neighbors.
LINE = 0.128
BOX_HEIGHT = 0.36
CURVE = 0.27
GAP = 0.13
# Letters on a grid of pixels may be wider than they are by design.
SLACK = 1.08

# Widths of rules, the preferred first; the most lines of one test, and of each further one.
RULE_WIDTHS = (2.3, 1.7, 1.25, 0.95)
MAX_LINES = 6
LINES_A_TEST = 3
TAGS_A_LINE = 3
MAX_TAG_LINES = 3


@dataclass(frozen=True, slots=True)
class Layout:
    """Positions of a diagram's nodes in inches, from left to right, and the texts at them."""

    diagram: Diagram
    box_width: float  # of a box
    width: float  # of all
    x: Floats  # the centers of the nodes, from the left edge
    rules: list[list[str]]  # the lines above each node
    tags: list[list[str]]  # the lines below it
    n_written: int  # the deepest level whose rules are written


def find_box_width(diagram: Diagram) -> float:
    """Return the width of boxes for the values and numbers in them."""
    values = (measure(write_value(value), VALUE_SIZE, bold=True) for value in diagram.value)
    numbers = (measure(f"#{node}", NUMBER_SIZE) for node in diagram.node)
    return SLACK * max(*values, *numbers, 0.3) + 0.2


def lay_out(diagram: Diagram, *, comfortable: float, most: float) -> Layout:
    """Place the nodes of a diagram, with rules in lines as long as there is room for.

    Rules are broken into shorter lines beyond the width ``comfortable``, and left out from the
    bottom up beyond ``most``, both in inches. Only the boxes may need more.
    """
    depth = max(diagram.level)
    for width in RULE_WIDTHS:
        layout = _try(diagram, width, depth)
        if layout.width <= comfortable:
            return layout
    most = max(most, find_least_width(diagram))
    while layout.width > most and layout.n_written > 0:
        layout = _try(diagram, RULE_WIDTHS[-1], layout.n_written - 1)
    return layout


def find_least_width(diagram: Diagram) -> float:
    """Return the width of a diagram without rules, in inches."""
    return _try(diagram, RULE_WIDTHS[-1], 0).width


def _try(diagram: Diagram, rule_width: float, n_written: int) -> Layout:
    box = find_box_width(diagram)
    rules = _break_all(diagram, rule_width, n_written)
    tags = [_write_tags(*pair) for pair in zip(diagram.tags, diagram.n_tags, strict=True)]
    parent: list[int] = []
    width: list[float] = []
    slot: list[int] = []
    for row, above in enumerate(diagram.parent):
        texts = [(line, RULE_SIZE) for line in rules[row]]
        texts += [(line, NUMBER_SIZE) for line in (*tags[row], diagram.write_hidden(row))]
        room = max([box, *(SLACK * measure(line, size) + 0.06 for line, size in texts)])
        # Levels that an arc passes keep its room, too: it goes straight down there.
        place = slot[above] if row else -1
        for _ in range(max(diagram.n_tests[row], 1)):
            parent.append(place)
            width.append(room)
            place = len(parent) - 1
        slot.append(place)
    x = find_positions(parent, width, gap=GAP)
    total = float((x + 0.5 * np.array(width)).max())
    return Layout(diagram, box, total, x[slot], rules, tags, n_written)


def _break_all(diagram: Diagram, width: float, n_written: int) -> list[list[str]]:
    """Break rules into lines down to a level, siblings alike."""
    rules = [
        _break(diagram, row, width) if level <= n_written else []
        for row, level in enumerate(diagram.level)
    ]
    siblings: dict[int, list[int]] = {}
    for row, above in enumerate(diagram.parent):
        siblings.setdefault(above, []).append(row)
    for rows in siblings.values():
        longest = max((rules[row] for row in rows), key=len)
        needed = max((measure(line, RULE_SIZE) for line in longest), default=0.0)
        for row in rows:
            lines = _break(diagram, row, needed) if 0 < len(rules[row]) < len(longest) else []
            if 0 < len(lines) <= len(longest):
                rules[row] = lines
    return rules


def _break(diagram: Diagram, row: int, width: float) -> list[str]:
    """Break a rule into lines, a new one for each condition; more for arcs that pass levels."""
    lines = [line for text in diagram.rule[row] for line in wrap(text, width, RULE_SIZE)]
    room = min(MAX_LINES + LINES_A_TEST * (diagram.n_tests[row] - 1), 2 * MAX_LINES)
    if len(lines) <= room:
        return lines
    rest = " ".join(lines[room - 1 :])
    return [*lines[: room - 1], *wrap(rest, width, RULE_SIZE, max_lines=1)]


def _write_tags(tags: Sequence[int], n_tags: int) -> list[str]:
    """Return the lines of tags; the last one may give the number of the others."""
    words = [f"#{leaf}" for leaf in tags]
    room = TAGS_A_LINE * MAX_TAG_LINES
    if n_tags > len(words) or len(words) > room:
        words = words[: room - 1]
        words.append(f"+{n_tags - len(words)}")
    return [" ".join(words[i : i + TAGS_A_LINE]) for i in range(0, len(words), TAGS_A_LINE)]


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels of trees, in inches from the top."""

    rule: list[float]  # the upper end of the room for rules
    box: list[float]  # that of the boxes
    foot: list[float]  # the lower end of the texts below them


def find_levels(layouts: Sequence[Layout]) -> Levels:
    """Return levels with room for the nodes of each layout."""
    n_levels = 1 + max(max(layout.diagram.level) for layout in layouts)
    feet = [0.0] * n_levels
    needs: list[list[tuple[int, float]]] = [[] for _ in range(n_levels)]
    for layout in layouts:
        diagram = layout.diagram
        for row, level in enumerate(diagram.level):
            n_lines = len(layout.tags[row]) + (diagram.n_hidden[row] > 0)
            feet[level] = max(feet[level], LINE * n_lines + (0.05 if n_lines else 0.0))
            if row and layout.rules[row]:
                height = LINE * len(layout.rules[row]) + 0.06
                needs[level].append((diagram.level[diagram.parent[row]], height))
    levels = Levels([0.0], [0.0], [BOX_HEIGHT + feet[0]])
    for level in range(1, n_levels):
        levels.rule.append(levels.foot[-1] + CURVE)
        # A rule may reach up along an arc that passes levels.
        tops = [levels.rule[above + 1] + height for above, height in needs[level]]
        levels.box.append(max([levels.rule[-1], *tops]))
        levels.foot.append(levels.box[-1] + BOX_HEIGHT + feet[level])
    return levels
