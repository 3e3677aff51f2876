"""The calibration of a model: groups of rows in a small strip."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from horotree.display import style
from horotree.display.text.fonts import printable
from horotree.display.text.names import shorten
from horotree.evaluation.calibration import Calibration

# Inches: the strip with its texts.
WIDTH, HEIGHT = 3.3, 1.5

# Inches: the room for texts around the groups.
_LEFT, _BELOW, _ABOVE = 0.42, 0.42, 0.26


def add_strip(figure: Figure, left: float, found: Calibration, name: str) -> Axes:
    """Add the strip at the bottom of a figure, this many inches from its left, and return its axes.

    The name is that of the class of the probabilities.
    """
    width, height = WIDTH - _LEFT - 0.1, HEIGHT - _BELOW - _ABOVE
    ax = style.add_panel(figure, left + _LEFT, _BELOW, width, height)
    paint_groups(ax, found)
    small: dict[str, Any] = {"size": style.SMALL_SIZE, "color": style.GRAY}
    title = f"Probabilities of {shorten(printable(name), 22)}: are they what they say?"
    ax.set_title(title, loc="left", pad=4.0, x=-_LEFT / width, **small)
    ax.set_xlabel(
        "groups of rows, smallest to largest probability\n"
        "line: the model says · dot: share of rows, 95 % interval",
        labelpad=2.0,
        loc="left",
        size=0.9 * style.SMALL_SIZE,
        color=style.GRAY,
    )
    return ax


def paint_groups(ax: Axes, found: Calibration) -> list[Line2D]:
    """Paint for each group a line at the mean probability, and the share with its interval.

    Returns the dots of the shares; a dot is open where the interval does not contain the line.
    """
    place = np.arange(len(found))
    ax.hlines(found.probability, place - 0.36, place + 0.36, colors=style.INK, linewidth=1.6)
    ax.vlines(place, found.low, found.high, colors=style.BLUE, linewidth=1.1)
    misses = (found.probability < found.low) | (found.probability > found.high)
    dots = []
    for k, share, miss in zip(place, found.share, misses, strict=True):
        face = "white" if miss else style.BLUE
        (dot,) = ax.plot([k], [share], marker="o", markersize=4.2, zorder=3.0)
        dot.set(markeredgecolor=style.BLUE, markerfacecolor=face)
        dots.append(dot)
    top = _axis_top(float(max(found.high.max(), found.probability.max())))
    ax.set(xlim=(-0.6, len(found) - 0.4), ylim=(0.0, top), xticks=[], yticks=[0.0, top / 2, top])
    ax.set_yticklabels([f"{100.0 * share:.3g} %" for share in (0.0, top / 2, top)])
    style.quiet_axes(ax)
    style.quiet_ticks(ax)
    return dots


def _axis_top(largest: float) -> float:
    """Return the least round number that is not below the largest value."""
    power = 10.0 ** np.floor(np.log10(max(largest, 1e-6)))
    return float(
        next(min(k * power, 1.0) for k in (1, 2, 3, 4, 5, 6, 8, 10) if k * power >= largest)
    )
