"""Pictures with matplotlib: painters that draw on given axes, and whole figures.

No function here needs a screen, uses pyplot or leaves rcParams changed.
"""

from .disk import DiskDisplay
from .ensemble import EnsembleDisplay
from .figures import FIGURES, isolines_figure, lift_figure, norm_map_figure, write_figures
from .style import save_figure
from .theory import draw_isolines, draw_lift, draw_norm_map
from .theory_displays import IsolineDisplay, LiftDisplay
from .tree import TreeDisplay

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
