"""LogisticBoost on Dask collections."""

from collections.abc import Callable
from copy import deepcopy
from functools import partial
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from horotree._checks import check_number
from horotree.estimators import LogisticBoostClassifier
from horotree.estimators.base import check_columns
from horotree.estimators.caveats import check_scale, warn_without_trees
from horotree.estimators.inputs import split_eval_set
from horotree.estimators.parameters import AUTO, check_parameters
from horotree.trees import Model

from .classifier_steps import (
    call_model,
    count_right,
    example_of,
    has_dask,
    make_stand_in,
    require_packages,
    tell_workers,
)
from .collections import is_collection, map_rows, split
from .fit.cluster import Cluster, find_client
from .fit.driver import Driver
from .fit.plan import Job
from .fit.progress import Progress
from .ring.lost import LostError

# The parameters that only this classifier has.
OWN = ("client", "n_restarts", "timeout")


class DaskLogisticBoostClassifier(LogisticBoostClassifier):
    """Boosted trees for the log-loss, on collections that are spread over the workers of a cluster.

    Workers bin their partitions with common cuts and keep them. For each leaf that may be split
    they add up their histograms, whole numbers whose sums are exact: so the trees are those of
    ``LogisticBoostClassifier`` on all rows, to the bit, if the cuts are. They are if there are at
    most 131,072 rows, or if no column has more distinct values than ``max_bins`` and 4,096; else
    cuts come from sketches (see ``cut_error_``). Follows the conventions of LightGBM's
    ``DaskLGBMClassifier``. Fits at a time take turns if they use the same workers.

    Parameters
    ----------
    n_estimators : int, default=200
        The number of trees.
    client : distributed.Client or None, default=None
        The cluster; None for the current client.
    n_restarts : int, default=2
        How many times a fit goes on, after the last finished tree, when a worker is lost.
    timeout : float, default=300.0
        Seconds that workers wait for another one that does not answer, and the client for the first
        worker.
    **parameters
        All others of ``LogisticBoostClassifier``, with the same meaning but for these:
        ``smoothing="auto"`` is refused; ``n_jobs`` counts the threads of each worker, None is as
        many as Dask gives it; early stopping without an ``eval_set`` keeps other examples apart.

    Attributes
    ----------
    client_ : distributed.Client
        The client in use.
    cut_error_ : float
        A bound: the share of rows on a side of a cut is not further from its quantile. 0 if cuts
        are exact.
    workers_ : dict
        By the address of each worker that took part to the end: its rows, the seconds it trained
        and waited for others, the bytes and number of sums, the number of decisions that it
        took part in, its memory as training ended and at most.

    Other attributes are those of ``LogisticBoostClassifier``.

    See Also
    --------
    horotree.LogisticBoostClassifier : On one machine.
    """

    workers_: dict[str, dict[str, Any]]
    cut_error_: float

    def __init__(
        self,
        n_estimators: int = 200,
        *,
        client: Any = None,
        n_restarts: int = 2,
        timeout: float = 300.0,
        **parameters: Any,
    ) -> None:
        super().__init__(n_estimators, **parameters)
        self.client = client
        self.n_restarts = n_restarts
        self.timeout = timeout

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return sorted([*LogisticBoostClassifier._get_param_names(), *OWN])  # noqa: SLF001 - scikit-learn's hook

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "client": None}  # a connection cannot be pickled

    def __sklearn_clone__(self) -> "DaskLogisticBoostClassifier":
        parameters = self.get_params(deep=False)
        client = parameters.pop("client")
        return type(self)(**deepcopy(parameters), client=client)

    @property
    def client_(self) -> Any:
        """The client in use."""
        require_packages()
        return find_client(self.client)

    def fit(self, X: Any, y: Any, sample_weight: Any = None, eval_set: Any = None) -> Self:
        """Boost trees; if this fails or is interrupted, an earlier fit stays as it was.

        Parameters
        ----------
        X : dask DataFrame, dask array of shape (n_samples, n_features), or list of delayed tables
            The partitions. They are computed, binned where they then are, and released.
        y : dask Series, dask array of shape (n_samples,), or list of delayed arrays
            The classes, in the same partitions.
        sample_weight : the same as y, optional
            What each row counts; 0 is as if it were not there.
        eval_set : tuple, optional
            ``(X, y)`` or ``(X, y, sample_weight)`` for the validation loss and early stopping. Rows
            are kept as they are, 8 bytes a value.

        Returns
        -------
        self
        """
        client = self.client_
        self._check()
        train = split(X, y, sample_weight)
        evaluation = [] if eval_set is None else split(*split_eval_set(eval_set))
        begun = self._begun()
        columns = None if begun is None else self.model_.columns
        with Driver(client, train, evaluation, float(self.timeout), self.n_restarts) as driver:
            agreement = driver.survey(
                self.max_bins, self.class_weight, self.categorical_features, columns
            )
            task, table = agreement.task, make_stand_in(agreement)
            check_scale(task, self.smoothing)
            if begun is not None:
                check_columns(self, table)
            plan = self._plan(task, has_evaluation=eval_set is not None)
            job = Job("", b"", plan, self.n_jobs, agreement)
            with self._progress(plan, begun) as report:
                outcome = driver.fit(job, Progress(dict(enumerate(begun or ())), report))
        warn_without_trees(tuple(result.ensemble for result in outcome.results), task.classes)
        return self._keep_results(
            table,
            task,
            plan,
            outcome.results,
            cut_error_=agreement.error,
            workers_=tell_workers(outcome),
        )

    def predict(self, X: Any) -> Any:
        """Return the most probable class of each row, to be computed.

        Parameters
        ----------
        X : dask DataFrame, dask array, list of delayed tables, or a table in memory
            The columns of the training table.

        Returns
        -------
        dask array of shape (n_samples,)
            A list of delayed arrays if X is a list, and an array if X is in memory.
        """
        return self._later(X, "predict", super().predict)

    def predict_proba(self, X: Any) -> Any:
        """Return the probabilities of the classes, to be computed.

        Parameters
        ----------
        X : dask DataFrame, dask array, list of delayed tables, or a table in memory
            The columns of the training table.

        Returns
        -------
        dask array of shape (n_samples, n_classes)
            A list of delayed arrays if X is a list, and an array if X is in memory.
        """
        return self._later(X, "predict_proba", super().predict_proba)

    def decision_function(self, X: Any) -> Any:
        """Return the scores, to be computed: log-odds of the class, or of each against the rest.

        Parameters
        ----------
        X : dask DataFrame, dask array, list of delayed tables, or a table in memory
            The columns of the training table.

        Returns
        -------
        dask array of shape (n_samples,), or (n_samples, n_classes) for more than two classes
            A list of delayed arrays if X is a list, and an array if X is in memory.
        """
        return self._later(X, "score", super().decision_function)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows (or of their weight) whose class is predicted.

        Parameters
        ----------
        X, y, sample_weight
            As in ``fit``, or in memory.

        Returns
        -------
        float
        """
        if not has_dask() or not is_collection(X):
            return float(super().score(X, y, sample_weight))
        import dask

        model = dask.delayed(self._checked_model(X), pure=False)
        sums = [
            dask.delayed(count_right)(model, p.X, p.y, p.weight) for p in split(X, y, sample_weight)
        ]
        cluster = Cluster(self.client_, float(self.timeout))
        try:
            right, total = np.sum(cluster.collect(cluster.compute(sums)), axis=0)
        except LostError as error:
            raise RuntimeError(f"a worker was lost ({error}): call score again.") from error
        finally:
            cluster.release()
        return float(right / total)

    def to_local(self) -> LogisticBoostClassifier:
        """Return the same classifier without the cluster, fitted if this one is."""
        parameters = self.get_params(deep=False)
        local = LogisticBoostClassifier(
            **{name: value for name, value in parameters.items() if name not in OWN}
        )
        own = {*parameters, "workers_", "cut_error_"}
        for name, value in vars(self).items():
            if name not in own:
                setattr(local, name, value)
        return local

    def _check(self) -> None:
        parameters = self.get_params(deep=False)
        check_parameters({name: v for name, v in parameters.items() if name not in OWN})
        if self.smoothing == AUTO:
            raise ValueError(
                "smoothing='auto' is not available on a cluster: choose it on a sample, with "
                "LogisticBoostClassifier(smoothing='auto'), and pass its smoothing_ and "
                "learning_rate_."
            )
        if not isinstance(self.n_restarts, int) or self.n_restarts < 0:
            raise ValueError(f"n_restarts must be 0 or more, got {self.n_restarts!r}.")
        if check_number(self.timeout, "timeout") < 1.0:
            raise ValueError(f"timeout must be at least 1 second, got {self.timeout!r}.")

    def _later(self, X: Any, what: str, now: Callable[[Any], Any]) -> Any:
        """Predict later if X is a collection, else now."""
        if not has_dask() or not is_collection(X):
            return now(X)
        model = self._checked_model(X)
        return map_rows(X, partial(call_model, model, what), example_of(model, what))

    def _checked(self, X: Any) -> Model:
        if has_dask() and is_collection(X):
            raise TypeError(
                "this works on tables in memory: use to_local() on each partition, with "
                "map_partitions or map_blocks."
            )
        return super()._checked(X)

    def _checked_model(self, X: Any) -> Model:
        """Return the model if it is there and can read a collection with this one's names."""
        check_is_fitted(self)
        if isinstance(X, list | tuple):
            return self.model_  # workers will check its parts
        return super()._checked(X._meta if hasattr(X, "columns") else X)  # noqa: SLF001 - Dask's hook
