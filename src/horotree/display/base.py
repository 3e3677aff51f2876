"""What all displays share: showing, saving and representing their figure."""

import importlib
import warnings
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import is_color_like, to_hex
from matplotlib.figure import Figure, SubFigure

from horotree._screen import in_notebook
from horotree.trees import Columns, Tree
from horotree.trees.tables import default_names

from . import style
from .disk.painter import SCHEMES


class FigureDisplay:
    """A display, by scikit-learn's conventions: ``plot`` draws and sets ``figure_``."""

    figure_: Figure

    def show(self) -> None:
        """Show the picture: in a window where there is a screen, else in the notebook.

        A script waits until the window is closed. Without a screen and a notebook, a warning says
        how to save the picture instead.
        """
        figure = self._drawn()
        if _opens_windows():
            _open_window(figure)
        elif in_notebook():
            importlib.import_module("IPython.display").display(self)
        else:
            warnings.warn(
                f"there is no screen to show the picture on (matplotlib draws with "
                f"{mpl.get_backend()!r}): write it to a file, e.g. display.save('picture.png').",
                stacklevel=2,
            )

    def save(self, path: Path | str, *, dpi: float = 200.0) -> Path:
        """Write the picture as ``save_figure`` does, and return the path."""
        return style.save_figure(self._drawn(), path, dpi=dpi)

    def _repr_png_(self) -> bytes | None:
        figure = getattr(self, "figure_", None)
        return None if figure is None else style.to_png(figure)

    def _drawn(self) -> Figure:
        if not hasattr(self, "figure_"):
            raise AttributeError(
                f"this {type(self).__name__} has drawn nothing yet: call its plot() first."
            )
        return self.figure_


def find_figure(ax: Axes) -> Figure:
    """Return the figure of axes, also if these are in a subfigure."""
    figure = ax.figure
    return figure.figure if isinstance(figure, SubFigure) else figure


def find_colors(colors: str | tuple[str, str]) -> tuple[str, str]:
    """Return the colors of the negative and the positive class, given them or their scheme.

    The schemes are "safe" (distinct with every common kind of color vision), "paper" (the paper's
    red and green) and "gray".

    Examples
    --------
    >>> from horotree.display.base import find_colors
    >>> find_colors("gray")
    ('#8a8a8a', '#262626')
    """
    if isinstance(colors, str) and colors in SCHEMES:
        return SCHEMES[colors]
    pair = list(colors) if isinstance(colors, list | tuple) else []
    if len(pair) != 2 or not all(map(is_color_like, pair)):
        names = ", ".join(SCHEMES)
        raise ValueError(f"colors must be one of {names}, or two colors, got {colors!r}.")
    negative, positive = (c if isinstance(c, str) else to_hex(c, keep_alpha=True) for c in pair)
    return negative, positive


def default_columns(tree: Tree) -> Columns:
    """Return names x0, x1, ... for the features of a tree, and labels 0, 1, ... for its categories.

    There is one label more than the tree has codes, for the categories that it does not test.
    """
    n = int(tree.feature.max()) + 1
    n_codes = [0] * n
    for node in np.flatnonzero(np.diff(tree.category_start)):
        feature, end = tree.feature[node], tree.category_start[node + 1]
        n_codes[feature] = max(n_codes[feature], int(tree.category[end - 1]) + 2)
    labels = tuple(tuple(range(k)) if k else None for k in n_codes)
    return Columns(default_names(n), labels)


def _opens_windows() -> bool:
    """Return whether matplotlib's backend, which it may select now, has windows."""
    from matplotlib.backends import registry

    backends: Any = registry.backend_registry  # its methods have no types
    canvas = backends.load_backend_module(mpl.get_backend()).FigureCanvas
    return canvas.required_interactive_framework is not None


def _open_window(figure: Figure) -> None:
    """Open a window, and close its pyplot figure when the user closes it."""
    import matplotlib.pyplot as plt

    if figure.canvas.manager is not None:  # drawn on axes that pyplot made: it has its own
        plt.show()
        return
    canvas, dpi = figure.canvas, figure.dpi
    window = plt.figure(figsize=tuple(figure.get_size_inches()), dpi=dpi)
    number = window.number
    window.canvas.figure = figure
    figure.set_canvas(window.canvas)
    plt.show()
    if not plt.isinteractive():  # else it stays open while the session goes on
        plt.close(number)
        figure.set_canvas(canvas)
        figure.set_dpi(dpi)
