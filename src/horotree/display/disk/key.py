"""The key beside a disk: how to read it, and the rules of the numbered nodes."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from horotree.display import style
from horotree.display.text.fonts import families, printable
from horotree.display.text.lines import measure, shorten_columns, wrap, wrap_rule
from horotree.display.text.names import shorten, shorten_all
from horotree.display.text.nodes import describe, tree_name
from horotree.display.text.numbers import plain_number
from horotree.evaluation.verdicts import VERDICTS, HeldOut
from horotree.scene import Scene

from . import painter
from .held_out import AGREES

WIDTH = 3.4
LINE = 0.165
# Inches: a heading, the room after a node's rule, and that at the bottom.
HEAD, GAP, MARGIN = 0.22, 0.06, 0.1
# The size of rules, in points.
RULE_SIZE = 7.5


class _Column:
    """Axes in inches, filled line by line from the top."""

    def __init__(self, figure: Figure, left: float) -> None:
        height = figure.get_size_inches()[1]
        self.ax = style.add_panel(figure, left, 0.0, WIDTH, height)
        self.ax.set(xlim=(0.0, WIDTH), ylim=(0.0, height))
        self.ax.set_axis_off()
        self.y = height - 0.35

    def write(self, words: str, *, indent: float = 0.0, line: float = LINE, **options: Any) -> None:
        options = {"color": style.GRAY, "size": style.SMALL_SIZE, "va": "center", **options}
        family = list(families())
        self.ax.text(indent, self.y, words, family=family, parse_math=False, **options)
        self.y -= line

    def skip(self, inches: float) -> None:
        self.y -= inches

    def mark(self, x: float = 0.13, **options: Any) -> None:
        """Draw a mark at the left of the current line."""
        self.ax.add_line(Line2D([x], [self.y], linestyle="none", **options))

    def stroke(self, left: float = 0.03, right: float = 0.24, **options: Any) -> None:
        self.ax.add_line(Line2D([left, right], [self.y, self.y], **options))


def paint_key(
    figure: Figure,
    left: float,
    scene: Scene,
    lens: painter.Lens,
    most: int,
    *,
    bottom: float = 0.0,
) -> list[int]:
    """Write the key, ``left`` inches from the left of the figure, down to ``bottom`` inches.

    It ends with the rules of the nodes of largest worth: at most ``most``, and as many as there is
    room for. Returns their rows.
    """
    column = _Column(figure, left)
    tree = scene.embedding.monotonic.tree
    column.write(_title(scene), size=14.0, color=style.INK, line=0.25)
    column.write(f"{len(scene)} of its {tree.n_nodes} nodes: the monotonic tree")
    column.write(describe_figures(scene, lens))
    column.skip(0.16)
    _how_to_read(column, scene, lens)
    column.skip(0.16)
    rows = _choose(scene, most, column.y - bottom - HEAD - MARGIN)
    if rows:
        column.write("Where it decides", size=10.0, color=style.INK, weight="bold", line=HEAD)
    for number, row in enumerate(rows):
        _describe(column, number + 1, row, scene, lens)
    return rows


def _choose(scene: Scene, most: int, room: float) -> list[int]:
    """Return the nodes whose rules fit into a height in inches."""
    for n in range(most, 0, -1):
        rows = scene.strongest(n)
        if sum(LINE * sum(map(len, _lines(scene, row))) + GAP for row in rows) <= room:
            return rows
    return []


def _title(scene: Scene) -> str:
    """Return the number of the tree, and its class if each class has trees of its own."""
    title = tree_name(scene.tree, scene.n_trees)
    if scene.class_name is None:
        return title
    for length in range(36, 7, -1):
        named = f"{title} for {printable(shorten(scene.class_name, length))}"
        if measure(named, 14.0) <= WIDTH:
            break
    return named


def describe_figures(scene: Scene, lens: painter.Lens) -> str:
    """Return the temperature and the error of the distances."""
    parts = [f"t = {plain_number(round(lens.t, 2))}"]
    error = scene.embedding.error
    if np.isfinite(error):
        exact = error == 0.0
        parts.append("ρ = 0, all distances exact" if exact else f"ρ = {100.0 * error:.1f} %")
    return " · ".join(parts)


def _how_to_read(column: _Column, scene: Scene, lens: painter.Lens) -> None:
    column.write("How to read it", size=10.0, color=style.INK, weight="bold", line=0.22)
    for line in describe_distance(scene):
        column.write(line)
    for note in scene.notes:
        for line in wrap(note, WIDTH, 1.08 * style.SMALL_SIZE):
            column.write(line)
    column.skip(0.045)
    for kind, (color, marker) in enumerate(zip(lens.colors, painter.MARKERS, strict=True)):
        column.mark(marker=marker, color=color, markersize=6.0, markeredgecolor="white")
        before, after = ("says ", "") if scene.center == "half" else ("more ", " than the root")
        column.write(_fit(before, scene, kind, after, WIDTH - 0.4), indent=0.36)
    ring: dict[str, Any] = {"marker": "o", "markerfacecolor": "none"}
    column.mark(**ring, markeredgecolor=style.INK, markersize=9.0, markeredgewidth=1.3)
    column.write("the root: no test yet", indent=0.36)
    crowded = len(scene) > painter.CROWDED
    if scene.n_tags.any() and not crowded:
        column.mark(**ring, markeredgecolor="#9094a0", markersize=8.0, markeredgewidth=0.8)
        n = int(scene.n_tags.sum())
        which = (
            "less sure leaves below it" if scene.center == "half" else "leaves nearer to the root"
        )
        column.write(f"speaks for {which} ({n} in all)", indent=0.36)
    if crowded:
        column.write("so many nodes: arcs are all thin, hosts have no rings", indent=0.36)
    else:
        column.stroke(color=painter.ARC, linewidth=2.2)
        column.write("more tests on the way than on a thin line", indent=0.36)
    column.stroke(color="#c4c4c2", linewidth=1.0)
    column.write(describe_isolines(scene), indent=0.36)
    if np.isfinite(scene.leverage_confidence):
        column.stroke(color=painter.LEVERAGE, linewidth=1.3)
        moves = "adds to" if scene.center == "half" else "moves"
        column.write(f"most that this tree {moves} the score", indent=0.36)
    column.stroke(color=painter.LEVERAGE, linewidth=1.3, linestyle=(0, (2, 2)))
    column.write(f"its largest {confidence_word(scene)}", indent=0.36)
    if scene.held_out is not None:
        _held_out(column, scene.held_out, lens, scene.center)


def confidence_word(scene: Scene) -> str:
    """Return the word for distance: confidence from even odds, evidence from the root."""
    return "confidence" if scene.center == "half" else "evidence"


def describe_distance(scene: Scene) -> list[str]:
    """Return lines on the meaning of distance."""
    if scene.center == "half":
        return [
            "Distance from the center is confidence: how",
            "strongly a node of this tree speaks for a class.",
        ]
    return [
        "Distance from the center is evidence, in log-odds: how",
        "far a node is from what the tree says of all, its root.",
    ]


def describe_isolines(scene: Scene) -> str:
    """Return the meaning of the numbers on isolines."""
    if scene.value_kind == "margin":
        return f"equal {confidence_word(scene)}: this tree's vote, a class a side"
    kind = "class share" if scene.value_kind == "share" else "posterior in this round"
    return f"equal {kind}, a number for either side"


# The words of verdicts, by center.
_VERDICT_WORDS = {
    "half": {
        "weaker": "less sure than it seems",
        "flipped": "leans the other way",
        "stronger": "surer than it seems",
    },
    "base": {
        "weaker": "nearer to the root than it seems",
        "flipped": "on the other side of the root",
        "stronger": "farther from the root than it seems",
    },
}


def _held_out(column: _Column, truth: HeldOut, lens: painter.Lens, center: str) -> None:
    """Write the meaning of the ticks, and the number of nodes per verdict."""
    column.skip(0.08)
    column.write("Held-out data", size=10.0, color=style.INK, weight="bold", line=0.22)
    if (truth.verdict == "unknown").any():
        column.write("cannot be compared: how the model's training", indent=0.36)
        column.write("set its leaves is not known", indent=0.36)
        return
    column.stroke(color=AGREES, linewidth=1.2)
    column.mark(marker="|", color=AGREES, markersize=7.0, markeredgewidth=1.6)
    column.write("would put it here (95 % interval for all at once)", indent=0.36)
    number = {name: int((truth.verdict == name).sum()) for name in VERDICTS}
    for name, words in _VERDICT_WORDS[center].items():
        if number[name]:
            _moved(column, name, lens)
            column.write(f"{number[name]} of {len(truth)} nodes: {words}", indent=0.36)
    n_agree = number["agrees"]
    column.write(f"{n_agree} agree; faint ones have too few rows", indent=0.36)


def _moved(column: _Column, verdict: str, lens: painter.Lens) -> None:
    """Draw the center, a node and its tick: nearer, farther, or in the color of the other class."""
    own = lens.colors[1]
    color = lens.colors[0] if verdict == "flipped" else own
    node, at = (0.1, 0.205) if verdict == "stronger" else (0.225, 0.12)
    column.mark(0.025, marker="+", color=style.GRAY, markersize=4.0)
    column.stroke(at - 0.045, at + 0.045, color=color, linewidth=1.6, solid_capstyle="butt")
    column.mark(at, marker="|", color=color, markersize=7.0, markeredgewidth=1.8)
    column.mark(node, marker="o", color=own, markersize=4.0, markeredgewidth=0.0)


def _describe(column: _Column, number: int, row: int, scene: Scene, lens: painter.Lens) -> None:
    """Write the statement on a numbered node, and its rule."""
    says, rule = _lines(scene, row)
    column.write(str(number), size=9.0, color=style.INK, weight="bold", line=0.0)
    for line in says:
        column.write(line, indent=0.2, color=lens.colors[int(scene.positive[row])])
    for line in rule:
        column.write(line, indent=0.2, size=RULE_SIZE, color=style.INK)
    column.skip(GAP)


def _lines(scene: Scene, row: int) -> tuple[list[str], list[str]]:
    """Return the lines of the statement on a node, and of its rule."""
    first, *more = describe(scene, row)
    says = [_fit("", scene, int(scene.positive[row]), f": {first}", WIDTH - 0.25), *more]
    columns = shorten_columns(scene.columns, 36)
    rules, width = scene.shorter_rules(row), WIDTH - 0.25
    return says, wrap_rule(rules, columns, width, RULE_SIZE, max_lines=3, gaps=scene.gaps)


def _fit(before: str, scene: Scene, kind: int, after: str, width: float) -> str:
    """Return a line with the name of a class, shortened to a width in inches."""
    for length in range(36, 7, -1):
        name = shorten_all(scene.classes, length)[kind]
        line = before + printable(name) + after
        if measure(line, style.SMALL_SIZE) <= width:
            break
    return line
