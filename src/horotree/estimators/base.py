"""What both classifiers share: reading tables, predicting, keeping a fit as a whole."""

from collections.abc import Iterator
from copy import copy
from itertools import zip_longest
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from horotree._checks import Floats, n_threads_of
from horotree.training import Labeled, Task
from horotree.trees import Columns, Ensemble, Model
from horotree.trees.importance import find_importance

from .inputs import read_task


class TreeClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc] # scikit-learn is untyped
    """A classifier with a ``model_``."""

    model_: Model

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

    def predict(self, X: ArrayLike) -> Any:
        """Return the most probable class of each row.

        Parameters
        ----------
        X : data frame or array_like of shape (n_samples, n_features)
            The columns of the training table.

        Returns
        -------
        array of shape (n_samples,)
        """
        return self._evaluate("predict", X)

    def predict_proba(self, X: ArrayLike) -> Any:
        """Return the probabilities of the classes: the sigmoid of the score.

        With more than two classes, the sigmoids of their scores, normalized.

        Parameters
        ----------
        X : data frame or array_like of shape (n_samples, n_features)
            The columns of the training table.

        Returns
        -------
        float64 array of shape (n_samples, n_classes)
            In the order of ``classes_``.
        """
        return self._evaluate("predict_proba", X)

    def decision_function(self, X: ArrayLike) -> Any:
        """Return the scores: log-odds of ``classes_[1]``, or of each class against the rest.

        Parameters
        ----------
        X : data frame or array_like of shape (n_samples, n_features)
            The columns of the training table.

        Returns
        -------
        float64 array of shape (n_samples,), or (n_samples, n_classes) for more than two classes
        """
        return self._evaluate("score", X)

    @property
    def feature_importances_(self) -> Floats:
        """The share of each feature's tests in the gain of all tests; they sum to 1.

        The gain of a test is by how much it lowered the log-loss of training, times the leverage of
        its tree; see ``horotree.trees.importance``.
        """
        check_is_fitted(self)
        return find_importance(self.model_).share.copy()

    def _evaluate(self, method: str, X: Any) -> Any:
        """Call a method of the model on a table."""
        return getattr(self._checked(X), method)(X, n_jobs=self.n_jobs)

    def _checked(self, X: Any) -> Model:
        """Return the model, if fitted and if a table has its columns."""
        check_is_fitted(self)
        self._check_columns(X)
        return self.model_

    def _check_columns(self, X: Any) -> None:
        """Raise unless a table has the number and names of the training table's columns."""
        # A table of one dimension is left to the model, whose message is better.
        is_table = len(getattr(X, "shape", (0, 0))) == 2
        validate_data(self, X, reset=False, skip_check_array=True, ensure_2d=is_table)

    def _leaves(self, X: Any) -> list[NDArray[np.int32]]:
        """Return per ensemble the leaf of each row (axis 0) in each tree (axis 1)."""
        model = self._checked(X)
        matrix, n_threads = model.to_matrix(X), n_threads_of(self.n_jobs)
        return [ensemble.apply(matrix, n_threads) for ensemble in model.ensembles]

    def _learn(
        self, X: Any, y: Any, sample_weight: Any, columns: Columns | None = None
    ) -> tuple[Task, Labeled]:
        """Check training data; the estimator does not change."""
        validate_data(copy(self), X, y, skip_check_array=True, ensure_2d=False)
        if columns is None:
            columns = Columns.learn(X, self.categorical_features)
        return read_task(columns, X, y, sample_weight, self.class_weight)

    def _random_seed(self) -> int:
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))

    def _keep(self, X: Any, task: Task, ensembles: tuple[Ensemble, ...], **others: Any) -> Self:
        """Replace all that an earlier fit left, in one assignment."""
        fresh = copy(self)
        validate_data(fresh, X, skip_check_array=True)  # sets the names, or deletes earlier ones
        model = Model(
            ensembles=ensembles,
            link="logistic" if len(ensembles) == 1 else "ovr",
            classes=task.classes,
            feature_names=task.columns.feature_names,
            categories=task.columns.categories,
            input_dtype="float64",
            has_names=task.columns.has_names,
        )
        self.__dict__ = {**vars(fresh), **others, "model_": model, "classes_": model.classes}
        return self


def staged_scores(ensembles: tuple[Ensemble, ...], X: Floats, n_threads: int) -> Iterator[Floats]:
    """Yield the scores after every tree; an ensemble with fewer trees stays at its last score."""
    last = [np.full(len(X), ensemble.base_value) for ensemble in ensembles]
    for scores in zip_longest(*(ensemble.staged_score(X, n_threads) for ensemble in ensembles)):
        last = [old if new is None else new for old, new in zip(last, scores, strict=True)]
        yield last[0] if len(last) == 1 else np.stack(last, axis=-1)
