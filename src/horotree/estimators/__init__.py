"""The scikit-learn door: classifiers that are fitted on tables."""

from .log_loss_tree import LogLossTreeClassifier
from .logistic_boost import LogisticBoostClassifier

__all__ = ["LogLossTreeClassifier", "LogisticBoostClassifier"]
