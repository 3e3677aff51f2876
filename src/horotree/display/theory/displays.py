"""Displays of the theory: the lift, and the isolines of the posterior."""

from collections.abc import Sequence
from typing import Self

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from horotree.display import style
from horotree.display.base import FigureDisplay, find_figure

from . import figures, painters

# Inches: the disk of a new figure.
DISK_SIZE = 4.2


class LiftDisplay(FigureDisplay):
    """The lift of a number, one curve per temperature: convex for t < 1, concave for t > 1.

    Parameters
    ----------
    temperatures : sequence of float
        The temperatures; colors span -1 to 3.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The curves.
    figure_ : matplotlib.figure.Figure
        Their figure.
    lines_ : list of matplotlib.lines.Line2D
        One per temperature.

    See Also
    --------
    draw_lift : The painter.
    lift_figure : The paper's figure, with a title.

    References
    ----------
    Paper, fig:logtexp.

    Examples
    --------
    >>> from horotree.display.theory.displays import LiftDisplay
    >>> display = LiftDisplay.from_temperatures([0.0, 1.0, 2.0])
    >>> len(display.lines_)
    3
    """

    def __init__(self, temperatures: Sequence[float] = painters.LIFT_TEMPERATURES) -> None:
        self.temperatures = temperatures

    @classmethod
    def from_temperatures(
        cls,
        temperatures: Sequence[float] = painters.LIFT_TEMPERATURES,
        *,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the lift at some temperatures; ``ax`` is as in ``plot``."""
        return cls(temperatures).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on axes (default: those of a new figure with a color bar); return the display."""
        if ax is None:
            figure = Figure(figsize=(6.4, 5.0), dpi=100.0, facecolor="white")
            ax = figures.lift_axes(figure, 4.0)
        self.lines_ = painters.draw_lift(ax, temperatures=self.temperatures)
        figures.axes_through_origin(ax)
        self.ax_, self.figure_ = ax, find_figure(ax)
        return self


class IsolineDisplay(FigureDisplay):
    """Circles where a posterior is p or 1 - p, in the disk at some temperature.

    Parameters
    ----------
    posteriors : sequence of float
        One circle each, between 0 and 1 exclusive.
    emphasized : float
        The posterior of the wide circle; .999 if it is among them.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The disk, or the first of them.
    axes_ : list of matplotlib.axes.Axes
        All disks.
    figure_ : matplotlib.figure.Figure
        Their figure.
    isolines_ : list of list of matplotlib.patches.Circle
        The circles of each disk.

    See Also
    --------
    draw_isolines : The painter.

    References
    ----------
    Paper, tab:isolines-t-self.

    Examples
    --------
    >>> from horotree.display.theory.displays import IsolineDisplay
    >>> display = IsolineDisplay([0.6, 0.9]).plot(t=0.0)
    >>> [round(circle.radius, 3) for circle in display.isolines_[0]]
    [0.169, 0.523]
    >>> len(IsolineDisplay.from_temperatures([1.0, 0.0]).axes_)
    2
    """

    def __init__(
        self,
        posteriors: Sequence[float] = painters.POSTERIORS,
        *,
        emphasized: float = painters.EMPHASIZED,
    ) -> None:
        self.posteriors, self.emphasized = posteriors, emphasized

    @classmethod
    def from_temperatures(
        cls, temperatures: Sequence[float] = figures.ISOLINE_TEMPERATURES
    ) -> Self:
        """Draw the paper's isolines, one disk per temperature, in rows of two disks."""
        display = cls()
        display.figure_ = figures.isolines_figure(temperatures=temperatures)
        display.axes_ = list(display.figure_.axes)
        display.ax_ = display.axes_[0]
        # The first circle is the border.
        circles = ([p for p in ax.patches if isinstance(p, Circle)] for ax in display.axes_)
        display.isolines_ = [isolines for _, *isolines in circles]
        return display

    def plot(self, ax: Axes | None = None, *, t: float = 1.0) -> Self:
        """Draw one disk at temperature t on axes, by default those of a new figure."""
        if ax is None:
            size = DISK_SIZE + 0.3, DISK_SIZE + 0.5  # a label may be below the disk
            figure = Figure(figsize=size, dpi=100.0, facecolor="white")
            ax = style.add_panel(figure, 0.15, 0.35, DISK_SIZE, DISK_SIZE)
        circles = painters.draw_isolines(
            ax, posteriors=self.posteriors, emphasized=self.emphasized, t=t
        )
        self.figure_, self.ax_, self.axes_ = find_figure(ax), ax, [ax]
        self.isolines_ = [circles]
        return self
