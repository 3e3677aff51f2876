"""Strips by round of boosting: the most that each tree adds to the score, and its confidences."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import StepPatch
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator
from matplotlib.transforms import ScaledTranslation

from horotree._checks import Floats
from horotree.display import style
from horotree.display.base import find_figure
from horotree.display.disk import painter
from horotree.display.disk.key_line import KeyLine
from horotree.display.text.numbers import plain_number, posterior_text
from horotree.losses import link
from horotree.trees import Ensemble, monotonic
from horotree.trees.tree import Ints

QUANTILES = (0.0, 0.1, 0.5, 0.9, 1.0)

WIDE_BAND = "#e2e4e9"
NARROW_BAND = "#b4bac7"
MEDIAN = "#333b4d"
SCALE = "square-root scale"
EDGE = (0, (3, 1.2))

# The least inches between ticks.
_ACROSS = 0.55
_UP = 0.17
_POSTERIORS = (0.5, 0.9, 0.99, 0.7, 0.6, 0.999, 0.55, 0.8, 0.51, 0.9999, 0.52, 1.0 - 1e-6)


@dataclass(frozen=True, eq=False)
class Rounds:
    """An ensemble by round: arrays with one entry per tree; see ``find_rounds``."""

    leverage: Floats
    leverage_confidence: Floats  # the most that a tree adds to the score; NaN for means
    edge: Floats  # in training; NaN if unknown
    n_nodes: Ints
    n_kept: Ints  # by the monotonic tree
    quantiles: Floats  # of the kept nodes' confidences, (n_trees, 5)
    has_posteriors: bool = True  # whether confidences are logits of posteriors

    def __len__(self) -> int:
        return len(self.leverage)

    @property
    def adds(self) -> bool:
        """Whether trees add confidences to the score."""
        return not bool(np.isnan(self.leverage_confidence).all())


def find_rounds(ensemble: Ensemble, *, adds: bool = True, has_posteriors: bool = True) -> Rounds:
    """Return an ensemble by round; values are counted from the center.

    ``adds`` is whether confidences are added, as in boosting, or class shares averaged.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from horotree import LogisticBoostClassifier
    >>> from horotree.display.ensemble.rounds import find_rounds
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = LogisticBoostClassifier(n_estimators=20).fit(X, y).model_
    >>> median = find_rounds(model.ensembles[0]).quantiles[:, 2]
    >>> bool(median[0] > 3.0 * median[-1])  # nodes drift to the center
    True
    """
    kept = [monotonic(tree).confidence for tree in ensemble.trees]
    return Rounds(
        leverage=ensemble.leverage,
        leverage_confidence=np.where(adds, ensemble.leverage_confidence, np.nan),
        edge=ensemble.edge,
        n_nodes=np.array([tree.n_nodes for tree in ensemble.trees], dtype=np.int32),
        n_kept=np.array([len(confidence) for confidence in kept], dtype=np.int32),
        quantiles=np.array([np.quantile(confidence, QUANTILES) for confidence in kept]),
        has_posteriors=has_posteriors,
    )


def paint_leverage_strip(ax: Axes, rounds: Rounds) -> dict[str, StepPatch]:
    """Paint the most that each tree adds to the score, and its edge if it is known."""
    edges = _edges(rounds)
    factor = ax.stairs(rounds.leverage, edges, baseline=None, color=painter.LEVERAGE)
    factor.set(linewidth=0.8 * _line_width(rounds), zorder=2.0)
    painted = {"leverage": factor}
    if rounds.adds:
        added = ax.stairs(rounds.leverage_confidence, edges, fill=True, color=painter.LEVERAGE)
        added.set(alpha=0.3, linewidth=0.0, zorder=1.0)
        painted["leverage_confidence"] = added
    if not np.isnan(rounds.edge).all():
        line = ax.stairs(rounds.edge, edges, baseline=None, color=style.INK)
        line.set(linewidth=0.6 * _line_width(rounds), linestyle=EDGE, zorder=3.0)
        painted["edge"] = line
    drawn = np.concatenate([rounds.leverage_confidence, rounds.leverage, rounds.edge])
    _prepare(ax, rounds, float(np.nanmin(drawn)), float(np.nanmax(drawn)))
    return painted


def paint_confidence_strip(ax: Axes, rounds: Rounds) -> dict[str, Any]:
    """Paint the quantiles of the confidences by round, with posteriors on the right."""
    edges, (least, low, median, high, most) = _edges(rounds), rounds.quantiles.T
    wide = ax.stairs(most, edges, baseline=least, fill=True, color=WIDE_BAND)
    narrow = ax.stairs(high, edges, baseline=low, fill=True, color=NARROW_BAND)
    middle = ax.stairs(median, edges, baseline=None, color=MEDIAN)
    for z, band in enumerate((wide, narrow)):
        # a thin line, so that a band of no height is visible
        band.set(linewidth=0.4, zorder=1.0 + z)
    middle.set(linewidth=_line_width(rounds), zorder=3.0)
    painted: dict[str, Any] = {"all": wide, "most": narrow, "median": middle}
    _prepare(ax, rounds, 0.0, float(most.max()))
    painted["posteriors"] = _write_posteriors(ax) if rounds.has_posteriors else []
    return painted


def mark_rounds(ax: Axes, trees: Sequence[int]) -> LineCollection:
    """Mark the rounds of the drawn trees by short lines below the axes."""
    lines = [((float(j), -0.015), (float(j), -0.05)) for j in trees]
    marks = LineCollection(lines, colors=style.GRAY, linewidths=0.7, zorder=4.0)
    marks.set(transform=ax.get_xaxis_transform(), clip_on=False)
    ax.add_collection(marks, autolim=False)
    ax.tick_params(axis="x", pad=8.0)
    return marks


def label_axes(ax: Axes, rounds: Rounds, unit: str) -> None:
    """Write the numbers of rounds below the lower strip, and the quantities on its sides."""
    ax.tick_params(axis="x", labelbottom=True, pad=3.0)
    ax.set_xlabel(unit, labelpad=2.0, size=style.SMALL_SIZE, color=style.GRAY)
    options = {"xycoords": "axes fraction", "rotation": 90.0, "size": style.SMALL_SIZE}
    style.note(ax, "confidence", (0.0, 0.5), offset=(-27.0, 0.0), **options)
    if rounds.has_posteriors:
        style.note(ax, "posterior", (1.0, 0.5), offset=(31.0, 0.0), **options)


def write_leverage_key(line: KeyLine, rounds: Rounds) -> None:
    """Write the key of the upper strip."""
    if rounds.adds:
        line.head("What each tree adds")
        line.box(painter.LEVERAGE, alpha=0.3, linewidth=0.0)
        line.write("to the score, at most: largest confidence times")
    else:
        line.head("How much each tree counts")
    line.stroke(color=painter.LEVERAGE, linewidth=1.1)
    line.write("leverage" if rounds.adds else "leverage: its part in the mean of class shares")
    if not np.isnan(rounds.edge).all():
        line.stroke(color=style.INK, linewidth=0.8, linestyle=EDGE)
        line.write("its edge in training")
    line.write(SCALE)


def write_confidence_key(line: KeyLine) -> None:
    """Write the key of the lower strip."""
    line.head("How sure its nodes are")
    line.box(WIDE_BAND)
    line.write("all nodes")
    line.box(NARROW_BAND)
    line.write("the middle 80 %")
    line.stroke(color=MEDIAN, linewidth=1.3)
    line.write("the median")
    line.write(SCALE)


def _edges(rounds: Rounds) -> Floats:
    """Return the bounds of columns: one per round, with its number in the middle."""
    return np.arange(len(rounds) + 1, dtype=np.float64) - 0.5


def _line_width(rounds: Rounds) -> float:
    return 1.3 if len(rounds) <= 500 else 0.7


def _prepare(ax: Axes, rounds: Rounds, lowest: float, highest: float) -> None:
    """Set limits and ticks; the scale is the square root, so that small numbers are visible."""
    style.quiet_axes(ax)
    ax.set_yscale("function", functions=(_root, _square))
    low, high = (float(_root(np.asarray(end))) for end in (min(lowest, 0.0), max(highest, 0.0)))
    room = (high - low) or 1.0
    bottom, top = low - (0.05 * room if low < 0.0 else 0.0), high + 0.05 * room
    ax.set_ylim(float(_square(np.asarray(bottom))), float(_square(np.asarray(top))))
    ax.set_xlim(-0.5, len(rounds) - 0.5)
    box, dpi = ax.get_window_extent(), find_figure(ax).dpi
    ax.xaxis.set_major_locator(FixedLocator(_round_ticks(len(rounds), box.width / dpi)))
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    ticks = _spread(_round_numbers(max(highest, -lowest)), ax.get_ylim(), box.height / dpi)
    ax.yaxis.set_major_locator(FixedLocator(ticks))
    ax.yaxis.set_major_formatter(lambda value, _: plain_number(value))
    ax.yaxis.set_minor_locator(FixedLocator([]))
    ax.tick_params(axis="x", labelbottom=False)


def _write_posteriors(ax: Axes) -> list[Text]:
    """Write on the right the posteriors of confidences."""
    named = {float(link(p)): p for p in _POSTERIORS}
    figure = find_figure(ax)
    height = ax.get_window_extent().height / figure.dpi
    written = []
    for confidence in _spread(list(named), ax.get_ylim(), height):
        label = painter.text(ax, 1.0, confidence, posterior_text(named[confidence]))
        beside = ScaledTranslation(0.06, 0.0, figure.dpi_scale_trans)
        label.set(transform=ax.get_yaxis_transform() + beside, va="center_baseline")
        written.append(label)
    return written


def _root(values: Any) -> Any:
    return np.copysign(np.sqrt(np.abs(values)), values)


def _square(values: Any) -> Any:
    return np.copysign(np.square(values), values)


def _round_numbers(largest: float) -> list[float]:
    """Return candidates for ticks, the best first: 0, and 1, 5, 2 times powers of ten."""
    power = int(np.ceil(np.log10(largest))) if largest > 0.0 else 0
    decades = [float(f"1e{power - k}") for k in range(4)]
    found = [0.0]
    for factor in (1.0, 5.0, 2.0):
        found += [factor * decade for decade in decades]
    return found + [-number for number in found[1:]]


def _spread(numbers: Sequence[float], limits: tuple[float, float], height: float) -> list[float]:
    """Return the numbers, the first ones preferred, that have room on an axis of this height."""
    low, high = (float(_root(np.asarray(end))) for end in limits)
    places: list[float] = []
    chosen: list[float] = []
    for number in numbers:
        place = (float(_root(np.asarray(number))) - low) / (high - low) * height
        if 0.0 <= place <= height and all(abs(place - other) >= _UP for other in places):
            places.append(place)
            chosen.append(number)
    return sorted(chosen)


def _round_ticks(n_rounds: int, width: float) -> list[int]:
    """Return 0 and multiples of a round number, not closer than there is room for."""
    most = max(int(width / _ACROSS), 1)
    steps = (factor * 10**power for power in range(9) for factor in (1, 2, 5))
    step = next(step for step in steps if n_rounds / step <= most)
    return list(range(0, n_rounds, step))
