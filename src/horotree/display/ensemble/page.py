"""The page of an ensemble: its axes, titles and keys."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from horotree.display import style
from horotree.display.disk import painter
from horotree.display.disk.key_line import KeyLine
from horotree.display.text.fonts import printable
from horotree.display.text.lines import wrap
from horotree.display.text.names import shorten
from horotree.display.text.numbers import plain_number

from . import rounds as rounds_painter
from .rounds import Rounds

# Inches: the width of the page, the margins of the strips, and its parts from top to bottom.
WIDTH = 11.0
INNER = WIDTH - 2.0 * style.MARGIN
BESIDE = 0.72
TITLE, LEVERAGE, BETWEEN, CONFIDENCE, ROUNDS, KEY, LINE = 1.05, 0.8, 0.34, 1.35, 0.7, 0.45, 0.2
# The largest width of a round in the strips.
COLUMN = 0.8


def new_page(
    n_rounds: int, sheet_height: float, notes: Sequence[str], *, has_foot: bool, room: float = 0.0
) -> tuple[Figure, dict[str, Axes]]:
    """Return a figure with axes for its parts; those of page and sheet are in inches.

    ``room`` is left free at the bottom.
    """
    title = _title_height(notes)
    above = title + LEVERAGE + BETWEEN + CONFIDENCE + ROUNDS + KEY
    foot = style.MARGIN + (LINE if has_foot else 0.0) + room
    height = above + sheet_height + foot
    figure = Figure(figsize=(WIDTH, height), dpi=100, facecolor="white")
    axes = {"page": style.add_panel(figure, 0.0, 0.0, WIDTH, height)}
    axes["page"].set(xlim=(0.0, WIDTH), ylim=(0.0, height))
    y, width = height - title - LEVERAGE, min(WIDTH - 2.0 * BESIDE, COLUMN * n_rounds)
    axes["leverage"] = style.add_panel(figure, BESIDE, y, width, LEVERAGE)
    y -= BETWEEN + CONFIDENCE
    axes["confidence"] = style.add_panel(figure, BESIDE, y, width, CONFIDENCE)
    width = INNER
    axes["sheet"] = style.add_panel(figure, style.MARGIN, foot, width, sheet_height)
    axes["sheet"].set(xlim=(0.0, width), ylim=(0.0, sheet_height))
    for part in ("page", "sheet"):
        axes[part].set_axis_off()
    return figure, axes


def write_title(
    page: Axes, rounds: Rounds, t: float, class_name: str | None, notes: Sequence[str]
) -> None:
    """Write the number of trees, their class and temperature, then the notes."""
    y = _height(page) - 0.42
    of_class = "" if class_name is None else f" for class {printable(shorten(class_name, 40))}"
    n = len(rounds)
    title = f"{n:,} trees{of_class}" if n > 1 else f"One tree{of_class}"
    painter.text(page, style.MARGIN, y, title, size=14.0, color=style.INK)
    kept, nodes = int(rounds.n_kept.sum()), int(rounds.n_nodes.sum())
    temperature = plain_number(t, digits=2)
    words = f"one temperature, t = {temperature} · {kept:,} of {nodes:,} nodes: the monotonic trees"
    for i, line in enumerate([words, *_wrap_notes(notes)]):
        painter.text(page, style.MARGIN, y - 0.22 - LINE * i, line)


def write_strip_keys(page: Axes, rounds: Rounds, notes: Sequence[str]) -> None:
    """Write a key above each strip."""
    y = _height(page) - _title_height(notes) + 0.15
    rounds_painter.write_leverage_key(KeyLine(page, style.MARGIN, y), rounds)
    y -= LEVERAGE + BETWEEN
    rounds_painter.write_confidence_key(KeyLine(page, style.MARGIN, y))


def write_heading(page: Axes, sheet: Axes, head: str, subset: str, words: str) -> KeyLine:
    """Write the heading of the sheet and how to read it; return the line for its key."""
    y = sheet.get_position().y1 * _height(page) + KEY + 0.15
    line = KeyLine(page, style.MARGIN, y)
    line.head(head)
    line.write(subset)
    painter.text(page, style.MARGIN, y - LINE, words, va="center_baseline")
    return KeyLine(page, style.MARGIN, y - 2.0 * LINE)


def write_foot(page: Axes, n_left_out: int, room: float) -> None:
    """Write below the sheet the number of arcs that are left out, if any."""
    if n_left_out > 0:
        words = f"Simplified: {n_left_out:,} arcs too short to be seen are left out."
        painter.text(page, style.MARGIN, style.MARGIN + room, words, va="center_baseline")


def _title_height(notes: Sequence[str]) -> float:
    return TITLE + LINE * len(_wrap_notes(notes))


def _wrap_notes(notes: Sequence[str]) -> list[str]:
    return wrap(" ".join(notes), INNER, 1.08 * style.SMALL_SIZE) if notes else []


def _height(page: Axes) -> float:
    return page.get_ylim()[1]
