"""The lift for t from -1 to 3, convex below t = 1 and concave above."""

from matplotlib.figure import Figure

from horotree.display import lift_figure

LABEL = "fig:logtexp"


def draw() -> Figure:
    """Return the paper's figure fig:logtexp."""
    return lift_figure()
