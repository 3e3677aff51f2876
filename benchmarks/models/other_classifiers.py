"""Peers that are measured once: each behind fit and predict_proba, with so many trees and leaves.

All grow the leaf that gains most first and have as many leaves as ours; all else as it comes.
"""

from importlib.util import find_spec
from typing import Any, Self

import numpy as np
import pandas as pd


class _Adapter:
    """Reads tables as a library wants them, and predicts by its model."""

    def __init__(self, n_threads: int, trees: int, leaves: int) -> None:
        self.n_threads, self.trees, self.leaves = n_threads, trees, leaves
        self.model: Any = None


class Ydf(_Adapter):
    """YDF's gradient boosted trees, on binned numbers as the others, without early stopping."""

    def fit(self, X: Any, y: Any) -> Self:
        """Learn."""
        from ydf import GradientBoostedTreesLearner

        learner = GradientBoostedTreesLearner(
            label="target",
            num_trees=self.trees,
            growing_strategy="BEST_FIRST_GLOBAL",
            max_num_nodes=self.leaves,  # it counts leaves
            max_depth=-1,
            discretize_numerical_columns=True,
            early_stopping="NONE",
            validation_ratio=0.0,
            num_threads=self.n_threads,
        )
        self.model = learner.train(_with_texts(X).assign(target=y), verbose=0)
        return self

    def predict_proba(self, X: Any) -> Any:
        """Return the shares of both classes."""
        positive = self.model.predict(_with_texts(X), num_threads=self.n_threads)
        return np.column_stack([1.0 - positive, positive])

    def mean_leaves(self) -> float:
        """Return how many leaves trees have; in a binary tree one more than inner nodes."""
        trees = self.model.num_trees()
        return float((self.model.num_nodes() + trees) / (2.0 * trees))


class CatBoost(_Adapter):
    """CatBoost with trees that grow leaf by leaf, not its symmetric ones."""

    def fit(self, X: Any, y: Any) -> Self:
        """Learn."""
        from catboost import CatBoostClassifier

        frame = _with_texts(X)
        self.model = CatBoostClassifier(
            iterations=self.trees,
            grow_policy="Lossguide",
            max_leaves=self.leaves,
            depth=16,  # as deep as it goes: its own 6 has room for 64 leaves only
            thread_count=self.n_threads,
            random_seed=0,
            verbose=False,
            allow_writing_files=False,
        )
        self.model.fit(frame, y, cat_features=_texts(frame))
        return self

    def predict_proba(self, X: Any) -> Any:
        """Return the shares of both classes."""
        return self.model.predict_proba(_with_texts(X), thread_count=self.n_threads)

    def mean_leaves(self) -> float:
        """Return how many leaves trees have."""
        return float(np.mean(self.model.get_tree_leaf_counts()))


class AdaBoost(_Adapter):
    """scikit-learn's AdaBoost over its exact trees; categories are codes; always one thread."""

    def fit(self, X: Any, y: Any) -> Self:
        """Learn."""
        from sklearn.ensemble import AdaBoostClassifier
        from sklearn.tree import DecisionTreeClassifier

        tree = DecisionTreeClassifier(max_leaf_nodes=self.leaves, random_state=0)
        self.model = AdaBoostClassifier(tree, n_estimators=self.trees, random_state=0)
        self.model.fit(_with_codes(X), y)
        return self

    def predict_proba(self, X: Any) -> Any:
        """Return the shares of both classes."""
        return self.model.predict_proba(_with_codes(X))

    def mean_leaves(self) -> float:
        """Return how many leaves trees have."""
        return float(np.mean([tree.get_n_leaves() for tree in self.model.estimators_]))


OTHERS: dict[str, type[Ydf | CatBoost | AdaBoost]] = {
    "YDF": Ydf,
    "CatBoost": CatBoost,
    "AdaBoost": AdaBoost,
}
OTHER_PACKAGES = {"YDF": "ydf", "CatBoost": "catboost", "AdaBoost": "sklearn"}


def find_others() -> list[str]:
    """Return which of them are installed."""
    return [name for name, package in OTHER_PACKAGES.items() if find_spec(package)]


def _frame(X: Any) -> Any:
    if isinstance(X, pd.DataFrame):
        return X
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])


def _texts(frame: Any) -> list[str]:
    return [name for name in frame.columns if not pd.api.types.is_numeric_dtype(frame[name])]


def _with_texts(X: Any) -> Any:
    frame = _frame(X)
    return frame.assign(**{name: frame[name].astype(str) for name in _texts(frame)})


def _with_codes(X: Any) -> Any:
    frame = _frame(X)
    codes = {name: frame[name].cat.codes for name in _texts(frame)}
    return frame.assign(**codes).to_numpy(np.float64)
