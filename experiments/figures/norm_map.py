"""The norm of a point in the t-self against that in the Poincaré disk, for t in [0, 1]."""

from matplotlib.figure import Figure

from horotree.display import norm_map_figure

LABEL = "fig:rtorprime"


def draw() -> Figure:
    """Return the paper's figure fig:rtorprime."""
    return norm_map_figure()
