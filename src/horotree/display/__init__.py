"""Pictures with matplotlib: displays, which draw whole figures, and painters, which draw on axes.

No function here needs a screen, uses pyplot or leaves rcParams changed.
"""

from .disk.display import DiskDisplay
from .ensemble.display import EnsembleDisplay
from .style import save_figure
from .theory.displays import IsolineDisplay, LiftDisplay
from .theory.figures import FIGURES, isolines_figure, lift_figure, norm_map_figure, write_figures
from .theory.painters import draw_isolines, draw_lift, draw_norm_map
from .tree.display import TreeDisplay

__all__ = [
    "FIGURES",
    "DiskDisplay",
    "EnsembleDisplay",
    "IsolineDisplay",
    "LiftDisplay",
    "TreeDisplay",
    "draw_isolines",
    "draw_lift",
    "draw_norm_map",
    "isolines_figure",
    "lift_figure",
    "norm_map_figure",
    "save_figure",
    "write_figures",
]
