"""One line of a key: marks and words from left to right."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from horotree.display import style
from horotree.display.base import find_figure

from . import painter


class KeyLine:
    """A line of a key, on axes in inches: x is its left end, y its middle."""

    def __init__(self, ax: Axes, x: float, y: float) -> None:
        self.ax, self.x, self.y = ax, x, y

    def write(self, words: str, *, gap: float = 0.24, **options: Any) -> None:
        """Write words, and leave a gap."""
        options = {"va": "center_baseline", **options}
        written = painter.text(self.ax, self.x, self.y, words, **options)
        dpi = find_figure(self.ax).dpi
        self.x += written.get_window_extent().width / dpi + gap

    def head(self, words: str) -> None:
        """Write the heading of the line."""
        self.write(words, size=10.0, color=style.INK, weight="bold")

    def mark(self, **options: Any) -> None:
        """Draw a mark."""
        self.ax.add_line(Line2D([self.x + 0.06], [self.y], linestyle="none", **options))
        self.x += 0.17

    def stroke(self, **options: Any) -> None:
        """Draw a short line."""
        self.ax.add_line(Line2D([self.x, self.x + 0.22], [self.y, self.y], **options))
        self.x += 0.29

    def box(self, color: str, **options: Any) -> None:
        """Draw a filled box."""
        box = Rectangle((self.x, self.y - 0.05), 0.18, 0.1, facecolor=color, **options)
        self.ax.add_patch(box)
        self.x += 0.25
