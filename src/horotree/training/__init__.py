"""From examples to an Ensemble: binning, induction of one tree, boosting."""

from .boosting import Boosted, Settings, boost

__all__ = ["Boosted", "Settings", "boost"]
