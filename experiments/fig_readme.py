"""The README's picture: isolines at t = 1 and 0 (docs/images/fig-readme.png)."""

from matplotlib.figure import Figure

from horotree.display import isolines_figure

LABEL = "tab:isolines-t-self"


def draw() -> Figure:
    """Return the first and the last disk of the paper's tab:isolines-t-self."""
    return isolines_figure(temperatures=(1.0, 0.0))
