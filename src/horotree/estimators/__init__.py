"""Classifiers with scikit-learn's interface. They check input; ``training`` does the rest."""

from .log_loss_tree import LogLossTreeClassifier
from .logistic_boost import LogisticBoostClassifier

__all__ = ["LogLossTreeClassifier", "LogisticBoostClassifier"]
