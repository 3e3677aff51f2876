"""From examples to an Ensemble: binning, induction of one tree, boosting."""

from .binning import Binning, find_bins
from .boosting import GLANCE, Loss, Report, Settings, boost, boost_examples
from .induction import Examples
from .machines import Machines

__all__ = [
    "GLANCE",
    "Binning",
    "Examples",
    "Loss",
    "Machines",
    "Report",
    "Settings",
    "boost",
    "boost_examples",
    "find_bins",
]
