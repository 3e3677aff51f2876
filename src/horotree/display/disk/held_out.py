"""Held-out truth in the disk: a tick on each node's ray, where data kept apart would put it."""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from horotree._checks import Floats
from horotree.evaluation.verdicts import HeldOut
from horotree.scene import Scene
from horotree.trees.tree import Flags

from .painter import View, place

AGREES = "#8b8f99"

# How strongly intervals and ticks are painted: what disagrees must be seen first, what rests on few
# examples last, and without its interval, which would cover everything.
_OPACITY = {"few": (0.0, 0.3), "agrees": (0.35, 0.75), "stronger": (0.7, 0.9)} | dict.fromkeys(
    ["weaker", "flipped"], (0.95, 1.0)
)
_WIDTH = {"few": 0.8, "agrees": 0.8, "stronger": 1.3, "weaker": 1.8, "flipped": 2.2}


@dataclass(frozen=True, slots=True)
class Ticks:
    """Where ticks are, by distance on the ray of their node.

    Parameters
    ----------
    row : int array
        The nodes that have one.
    low, middle, high : float64 array
        The interval and the held-out confidence itself; infinite beyond all others.
    positive : bool array
        The class that they speak for.
    verdict : array of str
        What to make of it.
    """

    row: np.ndarray[tuple[int], np.dtype[np.intp]]
    low: Floats
    middle: Floats
    high: Floats
    positive: Flags
    verdict: np.ndarray[tuple[int], np.dtype[np.str_]]


def find_ticks(scene: Scene, truth: HeldOut) -> Ticks:
    """Return the ticks of a scene.

    Distances are confidences in the class of the node, or, if it flips, in the other class. An
    interval that reaches into the other class ends at the center.
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


def paint_held_out(ax: Axes, view: View, scene: Scene, truth: HeldOut) -> list[LineCollection]:
    """Paint the ticks: a line for the interval, a bar across it at the held-out confidence."""
    ticks = find_ticks(scene, truth)
    if not len(ticks.row):  # nothing is known of the model's scale, or no row came by
        return []
    angle = scene.angle[ticks.row]
    ends = np.stack([ticks.low, ticks.high], axis=1)
    rays = place(view, ends, angle[:, None])
    middle = place(view, ticks.middle, angle)
    across = np.stack([-np.sin(angle), np.cos(angle)], axis=1) * 0.013 * view.extent
    bars = np.stack([middle - across, middle + across], axis=1)
    told = np.array([view.colors[int(p)] for p in ticks.positive])
    colors = np.where(np.isin(ticks.verdict, ["agrees", "few"]), AGREES, told)
    widths = np.array([_WIDTH[verdict] for verdict in ticks.verdict]) * view.scale
    painted = []
    for part, lines in enumerate((rays, bars)):
        opacity = [_OPACITY[verdict][part] for verdict in ticks.verdict]
        collection = LineCollection(list(lines), colors=colors.tolist(), alpha=opacity)
        collection.set(linewidths=(1.0 + 0.5 * part) * widths, zorder=2.6, capstyle="butt")
        ax.add_collection(collection)
        painted.append(collection)
    return painted
