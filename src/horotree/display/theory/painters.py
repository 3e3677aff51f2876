"""Painters of the theory figures: the lift, the map of norms, and the isolines.

Each draws on given axes and returns the artists.
"""

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Wedge

from horotree._checks import as_floats, check_range
from horotree.display import style
from horotree.display.text.numbers import plain_number
from horotree.geometry.tself import norm_t
from horotree.tempered import lift, unlift

LIFT_TEMPERATURES: Sequence[float] = tuple(np.linspace(-1.0, 3.0, 33).tolist())
NORM_TEMPERATURES: Sequence[float] = tuple(np.linspace(0.0, 1.0, 21).tolist())
POSTERIORS: Sequence[float] = (0.6, 0.7, 0.8, 0.9, 0.99, 0.999)
EMPHASIZED = 0.999

# Convex (t < 1) in blues, concave (t > 1) in reds, both darker away from t = 1.
LIFT_COLORS = LinearSegmentedColormap.from_list(
    "horotree-lift",
    [
        (0.0, "#00304f"),
        (0.25, style.BLUE),
        (0.5, "#9fcbe8"),
        (0.5, "#f6c19a"),
        (0.75, style.VERMILION),
        (1.0, "#5c2400"),
    ],
)
LIFT_SCALE = Normalize(-1.0, 3.0)
# Without its yellow end, which thin lines on white would not show.
NORM_COLORS = LinearSegmentedColormap.from_list(
    "horotree-norm", mpl.colormaps["viridis"](np.linspace(0.0, 0.85, 64))
)
NORM_SCALE = Normalize(0.0, 1.0)


def draw_lift(ax: Axes, *, temperatures: Sequence[float] = LIFT_TEMPERATURES) -> list[Line2D]:
    """Draw ``z -> lift(z, t=t)``, one curve per temperature: convex for t < 1, concave for t > 1.

    Curves of whole temperatures are wider and labeled at both ends; t = 1, the identity, is the
    widest and in black.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The axes.
    temperatures : sequence of float
        One curve each; colors span -1 to 3.

    Returns
    -------
    list of matplotlib.lines.Line2D
        The curves, in the order of ``temperatures``.

    References
    ----------
    Paper, fig:logtexp, eq-liftt and lem-prop-tlift.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from horotree.display import draw_lift
    >>> identity, exponential = draw_lift(Figure().subplots(), temperatures=[1.0, 0.0])
    >>> bool((identity.get_xdata() == identity.get_ydata()).all())
    True
    """
    z = np.linspace(-2.0, 2.0, 401)
    style.quiet_axes(ax)
    ax.set(xlim=(-2.0, 2.0), ylim=(-4.0, 4.0))
    lines = []
    for t in np.atleast_1d(as_floats(temperatures, "temperatures")).tolist():
        color = style.INK if t == 1.0 else LIFT_COLORS(LIFT_SCALE(t))
        lines += ax.plot(z, lift(z, t=t), color=color, **_emphasis(t))
        if t.is_integer():
            _label_end(ax, t, 1.0, color)
            _label_end(ax, t, -1.0, color)
    return lines


def _emphasis(t: float) -> dict[str, Any]:
    width = 2.4 if t == 1.0 else 1.5 if t.is_integer() else 0.6
    return {"linewidth": width, "zorder": 2.0 + width}


def _label_end(ax: Axes, t: float, side: float, color: Any) -> None:
    """Label the curve of t at its end on one side of the origin."""
    place = (2.0 * side, float(lift(2.0 * side, t=t)))
    offset, ha, va = (4.0 * side, 0.0), "left" if side > 0.0 else "right", "center"
    if abs(place[1]) > 4.0:
        place = (float(unlift(4.0 * side, t=t)), 4.0 * side)
        offset, ha, va = (0.0, 3.0 * side), "center", "bottom" if side > 0.0 else "top"
    weight = "bold" if t == 1.0 else "normal"
    text = f"$t$ = {plain_number(t)}"
    style.note(ax, text, place, offset=offset, ha=ha, va=va, color=color, weight=weight)


def draw_norm_map(
    ax: Axes, *, temperatures: Sequence[float] = NORM_TEMPERATURES, border: bool = False
) -> list[Line2D]:
    """Draw ``r -> norm_t(log((1+r)/(1-r)), t=t)``: the norm in the t-self by that in the disk.

    In the t-self a point has the norm r_t at which its distance from the center by the t-self
    equals its distance in the Poincaré disk.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The axes.
    temperatures : sequence of float
        One curve each; colors span 0 to 1, and t = 1, the identity, is the widest and in black.
    border : bool
        Whether to show the border: 1 - r on a logarithmic axis, instead of r.

    Returns
    -------
    list of matplotlib.lines.Line2D
        The curves, in the order of ``temperatures``.

    References
    ----------
    Paper, fig:rtorprime and eqIDDDT.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from horotree.display import draw_norm_map
    >>> (curve,) = draw_norm_map(Figure().subplots(), temperatures=[0.0])
    >>> r, norm = curve.get_xdata(), curve.get_ydata()
    >>> bool((norm[1:-1] < r[1:-1]).all())
    True
    """
    distance = np.append(0.0, np.geomspace(1e-3, 1e4, 1200))
    gap = 2.0 * np.exp(-distance) / (1.0 + np.exp(-distance))  # 1 - r, with all its digits
    style.quiet_axes(ax)
    ticks = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    ax.set(ylim=(0.0, 1.01), yticks=ticks)
    ax.yaxis.set_major_formatter(lambda y, _: plain_number(y))
    if border:
        ax.set(xscale="log", xlim=(1.0, 1e-8), xticks=[1.0, 1e-2, 1e-4, 1e-6, 1e-8])
        ax.minorticks_off()
    else:
        ax.set(xlim=(0.0, 1.01), xticks=ticks)
        ax.xaxis.set_major_formatter(lambda x, _: plain_number(x))
    lines = []
    for t in np.atleast_1d(as_floats(temperatures, "temperatures")).tolist():
        color = style.INK if t == 1.0 else NORM_COLORS(NORM_SCALE(t))
        norm = norm_t(distance, t=t)
        lines += ax.plot(gap if border else 1.0 - gap, norm, color=color, **_emphasis(t))
    return lines


def draw_isolines(
    ax: Axes,
    *,
    posteriors: Sequence[float] = POSTERIORS,
    emphasized: float = EMPHASIZED,
    t: float = 1.0,
) -> list[Circle]:
    """Draw the circles where a posterior is p or 1 - p, of radius ``norm_t(|logit p|, t=t)``.

    Each is labeled ``1-p | p``. The emphasized one is wide, and the region outside of it tinted.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The axes, for the unit disk.
    posteriors : sequence of float
        One circle each, between 0 and 1 exclusive.
    emphasized : float
        The posterior of the wide circle; .999 if it is among them.
    t : float
        The temperature; 1 is the Poincaré disk, where the radius is ``|2p - 1|``.

    Returns
    -------
    list of matplotlib.patches.Circle
        The circles, in the order of ``posteriors``.

    References
    ----------
    Paper, tab:isolines-t-self and defCANOLOGB1.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from horotree.display import draw_isolines
    >>> circles = draw_isolines(Figure().subplots(), posteriors=[0.6, 0.9], t=0.0)
    >>> [round(circle.radius, 3) for circle in circles]
    [0.169, 0.523]
    """
    p = np.atleast_1d(as_floats(posteriors, "posteriors"))
    rule, fix = "between 0 and 1, exclusive", "leave certainty out, it lies on the border"
    check_range(p, "posteriors", (p > 0.0) & (p < 1.0), rule, fix)
    if emphasized not in p and emphasized != EMPHASIZED:
        raise ValueError(
            f"emphasized must be one of the posteriors, got {emphasized!r}: add it to them."
        )
    norms = np.asarray(norm_t(np.abs(np.log(p) - np.log1p(-p)), t=t))
    ax.set(xlim=(-1.02, 1.02), ylim=(-1.02, 1.02), aspect="equal")
    ax.set_axis_off()
    border = Circle((0.0, 0.0), 1.0, fill=False, edgecolor=style.INK, linewidth=0.9, zorder=2.5)
    ax.add_patch(border)
    style.note(ax, ".5", (0.0, 0.0), size=style.SMALL_SIZE)
    circles = []
    for p_i, norm in zip(p.tolist(), norms.tolist(), strict=True):
        circle = _add_isoline(ax, norm, emphasized=p_i == emphasized)
        crowded = bool(np.any((norms > norm) & (norms < norm + 0.09)))
        _label_isoline(ax, p_i, circle, crowded=crowded)
        circles.append(circle)
    return circles


def _add_isoline(ax: Axes, norm: float, *, emphasized: bool) -> Circle:
    circle = Circle((0.0, 0.0), norm, fill=False, edgecolor="#8c8c8c", linewidth=0.7, zorder=2.0)
    if emphasized:
        circle.set(edgecolor=style.VERMILION, linewidth=2.4, zorder=3.0)
        ring = Wedge((0.0, 0.0), 1.0, 0.0, 360.0, width=1.0 - norm)
        ring.set(facecolor=style.VERMILION, edgecolor="none", alpha=0.1, zorder=0.5)
        ax.add_patch(ring)
    ax.add_patch(circle)
    return circle


def _label_isoline(ax: Axes, p: float, circle: Circle, *, crowded: bool) -> None:
    """Label a circle on its line at the top, or below it if the next circle is near.

    The label of the emphasized circle is at the bottom; outside of it if it is near the border.
    """
    emphasized = circle.get_linewidth() > 1.0
    moved = crowded or (emphasized and circle.radius > 0.95)
    style.note(
        ax,
        f" {plain_number(min(p, 1.0 - p))} | {plain_number(max(p, 1.0 - p))} ",
        (0.0, -circle.radius if emphasized else circle.radius),
        offset=(0.0, -3.0 if moved else 0.0),
        va="top" if moved else "center",
        color=style.VERMILION if emphasized else style.GRAY,
        size=style.SMALL_SIZE,
        weight="bold" if emphasized else "normal",
        bbox={
            "boxstyle": "round,pad=0.15,rounding_size=0.5" if emphasized else "square,pad=0.0",
            "facecolor": "white",
            "edgecolor": "none",
        },
        zorder=3.2,
    )
