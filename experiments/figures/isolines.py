"""Isolines of the posterior at t = 1, .6, .3 and 0."""

from matplotlib.figure import Figure

from horotree.display import isolines_figure

LABEL = "tab:isolines-t-self"


def draw() -> Figure:
    """Return the paper's table of disks tab:isolines-t-self."""
    return isolines_figure()
