"""The paper's modification of Sarkar's algorithm: the step that it changes, before and after."""

from matplotlib.figure import Figure

from horotree.display.theory.sarkar import sarkar_figure

LABEL = "fig:sarkar"


def draw() -> Figure:
    """Return the paper's figure fig:sarkar."""
    return sarkar_figure()
