"""From examples to an Ensemble: binning, induction of one tree, boosting."""

from .binning import Binning, find_bins
from .boosting import Boosted, Settings, boost

__all__ = ["Binning", "Boosted", "Settings", "boost", "find_bins"]
