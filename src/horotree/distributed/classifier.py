"""LogisticBoost on Dask collections."""

from copy import deepcopy
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from horotree._checks import check_number
from horotree.estimators import LogisticBoostClassifier
from horotree.estimators.caveats import warn_without_trees
from horotree.estimators.inputs import split_eval_set
from horotree.estimators.parameters import AUTO, check_parameters
from horotree.trees import Model

from .fit.cluster import Cluster, find_client
from .fit.driver import Driver
from .fit.messages import Job
from .fit.progress import Progress
from .partitions import is_collection, require_packages, split
from .predict import predict_later, weigh_right
from .ring.links import WorkerLostError

# The parameters that only this classifier has.
OWN = ("client", "n_restarts", "timeout")


class DaskLogisticBoostClassifier(LogisticBoostClassifier):
    """Boosted trees for the log-loss, on Dask collections.

    Workers bin their partitions with common cut points and store them. For each leaf that may be
    split they add their histograms, whose integer sums are exact. So the trees are those of
    ``LogisticBoostClassifier`` on all rows, to the bit, if the cut points are the same: with at
    most 131,072 rows, or if no column has more distinct values than ``max_bins`` and 4,096. Else
    cut points come from sketches (see ``cut_error_``). The interface follows LightGBM's
    ``DaskLGBMClassifier``. Parallel fits on the same workers take turns.

    ``predict``, ``predict_proba`` and ``decision_function`` take Dask collections, too, and then
    return a Dask array to be computed (for a list of delayed tables, a list of delayed arrays).

    Parameters
    ----------
    n_estimators : int, default=200
        The number of trees.
    client : distributed.Client or None, default=None
        The cluster; None for the current client.
    n_restarts : int, default=2
        How many times a fit continues from the last finished tree when a worker is lost.
    timeout : float, default=300.0
        Seconds to wait for a worker that does not answer, or for the first worker.
    **parameters
        Those of ``LogisticBoostClassifier``, with these differences: ``smoothing="auto"`` is
        refused; ``n_jobs`` is the number of threads of each worker (None: as many as Dask gives
        it); early stopping without an ``eval_set`` holds out other examples.

    Attributes
    ----------
    client_ : distributed.Client
        The client in use.
    cut_error_ : float
        How far, at most, the share of rows below a cut point is from its quantile; 0 if cut points
        are exact.
    workers_ : dict
        By the address of each worker of the last attempt: its ``rows``, the ``seconds`` it trained
        and those it waited for others, the ``bytes`` and number of ``sums`` over the workers, the
        number of ``decisions`` it sent or received, its ``memory`` at the end and at most.

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
        return {**super().__getstate__(), "client": None}  # connections cannot be pickled

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
        """Boost trees; an error or interrupt leaves an earlier fit unchanged.

        Parameters
        ----------
        X : dask DataFrame, dask array of shape (n_samples, n_features), or list of delayed tables
            The partitions. They are computed, binned on their workers, and released.
        y : dask Series, dask array of shape (n_samples,), or list of delayed arrays
            The classes, in the same partitions.
        sample_weight : the same as y, optional
            The weight of each row; rows of weight 0 are left out.
        eval_set : tuple, optional
            ``(X, y)`` or ``(X, y, sample_weight)`` for the validation loss and early stopping. Its
            rows stay in memory, 8 bytes per value.

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
            task = driver.survey(
                self.max_bins, self.class_weight, self.categorical_features, columns
            )
            if begun is not None:
                self._check_columns(task.empty_table)
            plan = self._plan(task, has_evaluation=eval_set is not None)
            job = Job(plan, self.n_jobs, task)
            with self._progress(plan, begun) as report:
                outcome = driver.fit(job, Progress(dict(enumerate(begun or ())), report))
        warn_without_trees(tuple(result.ensemble for result in outcome.results), task.classes)
        return self._keep_results(
            task.empty_table,
            task,
            plan,
            outcome.results,
            cut_error_=task.cut_error,
            workers_=outcome.workers,
        )

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
        if not is_collection(X):
            return float(super().score(X, y, sample_weight))
        import dask

        model = dask.delayed(self._checked_model(X), pure=False)
        sums = [
            dask.delayed(weigh_right)(model, p.X, p.y, p.weight) for p in split(X, y, sample_weight)
        ]
        cluster = Cluster(self.client_, float(self.timeout))
        try:
            right, total = np.sum(cluster.collect(cluster.compute(sums)), axis=0)
        except WorkerLostError as error:
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

    def _evaluate(self, method: str, X: Any) -> Any:
        """Predict later if X is a collection, else now."""
        if not is_collection(X):
            return super()._evaluate(method, X)
        return predict_later(self._checked_model(X), method, X)

    def _checked(self, X: Any) -> Model:
        if is_collection(X):
            raise TypeError(
                "this method works on tables in memory: use to_local() on each partition, with "
                "map_partitions or map_blocks."
            )
        return super()._checked(X)

    def _checked_model(self, X: Any) -> Model:
        """Return the model, if fitted and if a collection has its columns."""
        check_is_fitted(self)
        if isinstance(X, list | tuple):
            return self.model_  # workers will check its parts
        return super()._checked(X._meta if hasattr(X, "columns") else X)  # noqa: SLF001 - Dask's hook
