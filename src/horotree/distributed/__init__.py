"""The Dask door: boosted trees on data that one machine cannot hold."""

from .classifier import DaskLogisticBoostClassifier

__all__ = ["DaskLogisticBoostClassifier"]
