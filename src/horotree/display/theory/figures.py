"""The paper's theory figures by name, as the demo and the experiments draw them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from horotree.display import style
from horotree.display.text.numbers import plain_number
from horotree.geometry.tself import norm_t

from . import painters

ISOLINE_TEMPERATURES: Sequence[float] = (1.0, 0.6, 0.3, 0.0)


def lift_figure() -> Figure:
    """Draw the lift for t from -1 to 3 (paper, fig:logtexp).

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from horotree.display import lift_figure
    >>> len(lift_figure().axes)  # the curves and the color bar
    2
    """
    figure = style.new_figure(
        6.6,
        5.75,
        title="The lift is convex for $t$ < 1, concave for $t$ > 1, the identity at $t$ = 1",
        subtitle=r"$\Lambda_t(z) = \log_t(\exp z)$: what an integral $z$ becomes at $t$",
    )
    ax = lift_axes(figure, 4.2)
    painters.draw_lift(ax)
    axes_through_origin(ax)
    style.note(ax, "convex\n$t$ < 1", (-1.1, 2.8), color=style.BLUE, size=style.TITLE_SIZE)
    style.note(ax, "concave\n$t$ > 1", (1.1, -2.8), color=style.VERMILION, size=style.TITLE_SIZE)
    return figure


def lift_axes(figure: Figure, side: float) -> Axes:
    """Add axes for the lift to a figure, with a color bar on their right."""
    ax = style.add_panel(figure, 0.85, 0.5, side, side)
    bar = style.add_panel(figure, side + 1.65, 0.5, 0.16, side)
    ticks = (-1.0, 0.0, 1.0, 2.0, 3.0)
    style.color_bar(figure, bar, painters.LIFT_SCALE, painters.LIFT_COLORS, ticks=ticks)
    bar.invert_yaxis()  # low temperatures on top, as right of the origin
    return ax


def axes_through_origin(ax: Axes) -> None:
    """Cross the axes at the origin, with their numbers in the two quadrants without curves."""
    ax.spines[["left", "bottom"]].set_position("zero")
    ax.set(xticks=[], yticks=[])
    small = style.SMALL_SIZE
    for x in (1.0, 2.0):
        style.note(ax, plain_number(x), (x, 0.0), offset=(0.0, -4.0), va="top", size=small)
        style.note(ax, plain_number(-x), (-x, 0.0), offset=(0, 4.0), va="bottom", size=small)
    for y in (2.0, 4.0):
        style.note(ax, plain_number(y), (0.0, y), offset=(-5.0, 0), ha="right", size=small)
        style.note(ax, plain_number(-y), (0.0, -y), offset=(5.0, 0), ha="left", size=small)
    style.note(ax, "$z$", (2.0, 0.0), offset=(6.0, 0.0), ha="left")
    style.note(ax, r"$\Lambda_t(z)$", (0.0, 4.0), offset=(6.0, 0.0), ha="left")


def norm_map_figure() -> Figure:
    """Draw the norm of a point in the t-self against that in the disk (paper, fig:rtorprime).

    On the left as in the paper; on the right the region next to the border, with the norms of
    r = 1 - 1e-4.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from horotree.display import norm_map_figure
    >>> len(norm_map_figure().axes)  # two panels and the color bar
    3
    """
    figure = style.new_figure(
        7.5,
        4.35,
        title="The $t$-self keeps the center and brings the border back in",
        subtitle=(
            r"A point at norm $r$ of the Poincaré disk is drawn at norm $r_t$, "
            r"where $\log_t\frac{1+r_t}{1-r_t} = \log\frac{1+r}{1-r}$"
        ),
    )
    whole, border = (style.add_panel(figure, left, 0.65, 2.6, 2.6) for left in (0.75, 3.9))
    painters.draw_norm_map(whole)
    whole.set_xlabel("$r$", color=style.GRAY, size=style.TEXT_SIZE)
    whole.set_ylabel("$r_t$", color=style.GRAY, size=style.TEXT_SIZE)
    style.note(whole, "$t$ = 1", (0.47, 0.51), rotation=45.0, color=style.INK)
    style.note(whole, "$t$ = 0", (0.8, 0.42), color=painters.NORM_COLORS(0.0))
    painters.draw_norm_map(border, border=True)
    border.set_xlabel("$1 - r$, the border to the right", color=style.GRAY, size=style.TEXT_SIZE)
    _read_off(border, temperatures=(0.7, 0.0))
    bar = style.add_panel(figure, 6.8, 0.65, 0.14, 2.6)
    ticks = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    style.color_bar(figure, bar, painters.NORM_SCALE, painters.NORM_COLORS, ticks=ticks)
    return figure


def _read_off(ax: Axes, *, temperatures: Sequence[float]) -> None:
    """Mark r = 1 - 1e-4 on the curves of some temperatures, and write its norms below them."""
    gap = 1e-4
    ax.plot([gap, gap], [0.62, 1.0], ":", color=style.GRAY, linewidth=0.8, zorder=5.0)
    style.note(ax, "$r = 1 - 10^{-4}$ is drawn at", (gap, 0.57), color=style.INK)
    for line, t in enumerate(temperatures):
        norm, y = float(norm_t(np.log((2.0 - gap) / gap), t=t)), 0.48 - 0.09 * line
        # One dot on the curve, one before the number that it stands for.
        dots = ax.scatter([gap, 25.0 * gap], [norm, y], s=32.0, linewidth=1.2, zorder=6.0)
        dots.set(facecolor=painters.NORM_COLORS(painters.NORM_SCALE(t)), edgecolor="white")
        text = f"{plain_number(norm, digits=3)} for $t$ = {plain_number(t)}"
        style.note(ax, text, (13.0 * gap, y), ha="left", va="center_baseline", color=style.INK)


def isolines_figure(*, temperatures: Sequence[float] = ISOLINE_TEMPERATURES) -> Figure:
    """Draw the isolines, one disk per temperature, in rows of two (paper, tab:isolines-t-self).

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from horotree.display import isolines_figure
    >>> len(isolines_figure().axes)
    4
    """
    side, gap, foot = 3.0, 0.2, 0.8
    rows = -(-len(temperatures) // 2)
    height = style.HEADER + rows * (side + foot) + 0.15
    figure = style.new_figure(
        2.0 * style.MARGIN + 2.0 * side + gap,
        height,
        title="A lower $t$ makes room for the nodes that are all but certain",
        subtitle="On a circle the posterior is one of its two numbers; the tint is all beyond .999",
    )
    for i, t in enumerate(temperatures):
        row, column = divmod(i, 2)
        bottom = height - style.HEADER - row * (side + foot) - side
        ax = style.add_panel(figure, style.MARGIN + column * (side + gap), bottom, side, side)
        *_, outermost = painters.draw_isolines(ax, t=t)
        name = f"$t$ = {plain_number(t)}" + (", the Poincaré disk" if t == 1.0 else "")
        norm = plain_number(outermost.radius, digits=3)
        style.note(ax, name, (0.0, -1.235), va="baseline", color=style.INK, size=style.TITLE_SIZE)
        style.note(ax, f"$p$ = .999 at norm {norm}", (0.0, -1.38), va="baseline")
    return figure


FIGURES: Mapping[str, Callable[[], Figure]] = MappingProxyType(
    {"lift": lift_figure, "norm-map": norm_map_figure, "isolines": isolines_figure}
)
"""The theory figures by name."""


def write_figures(
    directory: Path | str, *, formats: Iterable[str] = ("png", "svg")
) -> Iterator[Path]:
    """Write all theory figures into a directory, and yield each path when it is written.

    Parameters
    ----------
    directory : path or str
        The directory; it is made if it does not exist.
    formats : iterable of str
        The suffixes of the files: "png", "svg", "pdf".

    Yields
    ------
    pathlib.Path
        ``directory/name.format`` for the names of `FIGURES`.

    Examples
    --------
    >>> import tempfile
    >>> from horotree.display import write_figures
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in write_figures(folder, formats=["svg"])]
    ['lift.svg', 'norm-map.svg', 'isolines.svg']
    """
    directory, formats = Path(directory), tuple(formats)
    directory.mkdir(parents=True, exist_ok=True)
    for name, draw in FIGURES.items():
        figure = draw()
        for suffix in formats:
            yield style.save_figure(figure, directory / f"{name}.{suffix}")
