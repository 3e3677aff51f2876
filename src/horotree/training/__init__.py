"""From examples to an ensemble per class: binning, induction, boosting, and how long to boost."""

from .binning import Binning, find_bins
from .boosting import GLANCE, Loss, Report, Settings, boost
from .early_stopping import Monitor
from .induction import Examples
from .machines import Machines
from .one_vs_rest import LocalTrainer, Start, Trained, Trainer, stack_losses
from .smoothing import choose_smoothing, n_inner_fits
from .splitting import hold_out
from .task import Labeled, Plan, Task

__all__ = [
    "GLANCE",
    "Binning",
    "Examples",
    "Labeled",
    "LocalTrainer",
    "Loss",
    "Machines",
    "Monitor",
    "Plan",
    "Report",
    "Settings",
    "Start",
    "Task",
    "Trained",
    "Trainer",
    "boost",
    "choose_smoothing",
    "find_bins",
    "hold_out",
    "n_inner_fits",
    "stack_losses",
]
