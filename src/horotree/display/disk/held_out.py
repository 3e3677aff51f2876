"""Held-out positions in the disk: a tick on the ray of each node."""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from horotree._checks import Floats
from horotree.evaluation.verdicts import HeldOut
from horotree.scene import Scene
from horotree.trees.tree import Flags

from .painter import Lens, place

AGREES = "#8b8f99"

# The opacity of intervals and ticks: differences are strong, and nodes with few rows faint and
# without their intervals, which would cover everything.
_OPACITY = {"few": (0.0, 0.3), "agrees": (0.35, 0.75), "stronger": (0.7, 0.9)} | dict.fromkeys(
    ["weaker", "flipped"], (0.95, 1.0)
)
_WIDTH = {"few": 0.8, "agrees": 0.8, "stronger": 1.3, "weaker": 1.8, "flipped": 2.2}


@dataclass(frozen=True, slots=True)
class Ticks:
    """Ticks, by their distance on the ray of their node."""

    row: np.ndarray[tuple[int], np.dtype[np.intp]]  # the nodes that have one
    low: Floats  # the interval, and the held-out confidence in it
    middle: Floats
    high: Floats  # may be infinite
    positive: Flags  # the class of the tick
    verdict: np.ndarray[tuple[int], np.dtype[np.str_]]


def find_ticks(scene: Scene, truth: HeldOut) -> Ticks:
    """Return the ticks of a scene.

    Distances are confidences in the class of the node or, if it is flipped, in the other class.
    An interval that reaches into the other class ends at the center.
    """
    row = np.flatnonzero(~np.isnan(truth.value))
    value, low, high = (
        x[row] - scene.origin for x in (truth.value, truth.low_value, truth.high_value)
    )
    flips = truth.verdict[row] == "flipped"
    positive = np.where(scene.value[row] == 0.0, value > 0.0, scene.positive[row]) ^ flips
    sign = np.where(positive, 1.0, -1.0)
    near, far = np.where(positive, low, -high), np.where(positive, high, -low)
    return Ticks(
        row,
        np.maximum(near, 0.0),
        np.maximum(sign * value, 0.0),
        np.maximum(far, 0.0),
        positive,
        truth.verdict[row],
    )


def paint_held_out(ax: Axes, lens: Lens, scene: Scene, truth: HeldOut) -> list[LineCollection]:
    """Paint the ticks: a line for the interval, a bar across it at the held-out confidence."""
    ticks = find_ticks(scene, truth)
    if not len(ticks.row):  # the scale of the model is unknown, or there are no rows
        return []
    angle = scene.angle[ticks.row]
    ends = np.stack([ticks.low, ticks.high], axis=1)
    rays = place(lens, ends, angle[:, None])
    middle = place(lens, ticks.middle, angle)
    across = np.stack([-np.sin(angle), np.cos(angle)], axis=1) * 0.013 * lens.extent
    bars = np.stack([middle - across, middle + across], axis=1)
    own = np.array([lens.colors[int(p)] for p in ticks.positive])
    colors = np.where(np.isin(ticks.verdict, ["agrees", "few"]), AGREES, own)
    widths = np.array([_WIDTH[verdict] for verdict in ticks.verdict]) * lens.scale
    painted = []
    for part, lines in enumerate((rays, bars)):
        opacity = [_OPACITY[verdict][part] for verdict in ticks.verdict]
        collection = LineCollection(list(lines), colors=colors.tolist(), alpha=opacity)
        collection.set(linewidths=(1.0 + 0.5 * part) * widths, zorder=2.6, capstyle="butt")
        ax.add_collection(collection)
        painted.append(collection)
    return painted
