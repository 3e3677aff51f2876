"""LogisticBoost with scikit-learn's interface."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from copy import deepcopy
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from horotree._checks import Floats, n_threads_of
from horotree.training import (
    LocalTrainer,
    Plan,
    Report,
    Task,
    Trained,
    choose_smoothing,
    hold_out,
    n_inner_fits,
    stack_losses,
)
from horotree.trees import Ensemble

from .base import TreeClassifier, staged_scores
from .caveats import check_scale, warn_without_trees
from .inputs import read_validation
from .parameters import AUTO, check_parameters, settings_of
from .progress import progress_bar

# early_stopping="auto" stops early with more examples than this.
MANY_EXAMPLES = 10_000

# Parameters that a warm start may not change: trees before and after would not fit together.
FIXED = ("smoothing", "weak_learner", "class_weight", "categorical_features")


class LogisticBoostClassifier(TreeClassifier):
    """Boosted trees for the log-loss; the leverage of each tree follows from its edge.

    Tree j is grown on the weights w = sigmoid(-y F(x)), with the score F of the trees before it.
    Its leverage is α = log((1+r)/(1-r)) / R, where R is its largest confidence and r its edge. The
    score is F = learning_rate · Σ α_j H_j(x), and the probability of ``classes_[1]`` is sigmoid(F).
    With more than two classes there is an ensemble for each class against the rest, and
    probabilities are normalized.

    Parameters
    ----------
    n_estimators : int, default=200
        The number of trees (of each class if there are more than two). There are fewer if boosting
        stops early, or if a tree has no edge: then nothing is left to learn.
    max_leaf_nodes : int, default=101
        The largest number of leaves (101 for the paper's 201 nodes). The heaviest leaf that is not
        pure is split next.
    max_depth : int or None, default=None
        The largest number of tests on a path; None for no limit.
    min_samples_leaf : int, default=1
        The smallest number of examples in a leaf.
    learning_rate : float, default=0.5
        A factor of every leverage.
    smoothing : float or "auto", default=100.0
        A pseudo-weight M: a node's posterior is (W⁺ + M p) / (W + M), where W⁺ and W are the
        weights in the node and p is the posterior of its parent's host: the last node above that is
        more confident than all before it (1/2 above the root). The unit is an example of weight 1
        whose prediction is completely wrong, so weights of another scale need another M. 0 needs
        ``pure_leaves="forbid"``. "auto" chooses M and the learning rate by the log-loss on held-out
        examples, and ignores ``learning_rate``.
    pure_leaves : {"allow", "forbid"}, default="allow"
        Whether a child of a test may hold one class only.
    weak_learner : {"tree", "monotonic"}, default="tree"
        What is boosted: trees, or their confidence-monotonic versions, where the last node on an
        example's path that is more confident than all before it predicts. With "monotonic" the
        pictures are the exact predictors. Boosting ends when a monotonic tree has no edge under its
        smoothed posteriors, which can be earlier than for the trees themselves.
    max_bins : int or None, default=255
        The largest number of bins of a numeric column: one per distinct value, or quantiles if
        there are more. None: one per distinct value. Missing values have a bin of their own.
    max_features : int, float, "sqrt", "log2" or None, default=None
        How many features are drawn for each node: a number, a share, or None for all.
    subsample : float, default=1.0
        The share of examples that are drawn for each tree.
    categorical_features : "from_dtype", None or array_like, default="from_dtype"
        Which columns hold categories: those with a category dtype (pandas, polars), none, or those
        given by a mask, indices or names. A test sends any subset of categories left. Categories
        that were not in the training table are handled as missing values.
    class_weight : dict, "balanced" or None, default=None
        Factors of the weights of each class; "balanced" gives all classes the same total weight.
    early_stopping : bool or "auto", default=False
        Whether to stop when the validation log-loss has not fallen for ``n_iter_no_change`` trees,
        and keep the trees up to its least value. "auto" does so with an ``eval_set``, or with more
        than 10,000 rows.
    validation_fraction : float, default=0.1
        The share of each class that early stopping holds out if there is no ``eval_set``.
    n_iter_no_change : int, default=10
        How many trees early stopping waits for a lower loss.
    warm_start : bool, default=False
        Whether another ``fit`` adds trees to those of the fit before.
    n_jobs : int or None, default=None
        Threads: None is 1, or that of a joblib context; -1 is all cores that this process may use.
        Results are the same to the bit.
    random_state : int, RandomState or None, default=None
        The seed of ``max_features``, ``subsample`` and the held-out examples.
    verbose : int, default=0
        1 or more for a progress bar on stderr, with the loss of validation or else of training.

    Attributes
    ----------
    model_ : Model
        The trees, and all that predictions need.
    classes_ : array
        The classes, sorted.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, if the training table had names.
    n_estimators_ : int
        The number of trees; with more than two classes, of the largest ensemble.
    feature_importances_ : float64 array
        The share of each feature's tests in the gain of all tests, each times the leverage of its
        tree; see ``horotree.trees.importance``.
    smoothing_, learning_rate_ : float
        The values in use; chosen if ``smoothing="auto"``.
    validation_loss_ : float64 array, or None without validation
        The validation log-loss after 0, 1, ... trees, including trees that early stopping dropped.
        With more than two classes, a column for each against the rest, with NaN after its end.

    See Also
    --------
    LogLossTreeClassifier : One tree.

    References
    ----------
    Paper, alg-logisticboost. Its literal setting is ``smoothing=0, learning_rate=1,
    pure_leaves="forbid", max_bins=None``.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from horotree import LogisticBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> classifier = LogisticBoostClassifier(n_estimators=20, max_leaf_nodes=8).fit(X, y)
    >>> classifier.n_estimators_, classifier.score(X, y) > 0.95
    (20, True)
    """

    def __init__(
        self,
        n_estimators: int = 200,
        *,
        max_leaf_nodes: int = 101,
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        learning_rate: float = 0.5,
        smoothing: float | str = 100.0,
        pure_leaves: str = "allow",
        weak_learner: str = "tree",
        max_bins: int | None = 255,
        max_features: float | str | None = None,
        subsample: float = 1.0,
        categorical_features: Any = "from_dtype",
        class_weight: Any = None,
        early_stopping: bool | str = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 10,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.learning_rate = learning_rate
        self.smoothing = smoothing
        self.pure_leaves = pure_leaves
        self.weak_learner = weak_learner
        self.max_bins = max_bins
        self.max_features = max_features
        self.subsample = subsample
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        eval_set: Any = None,
    ) -> Self:
        """Boost trees; an error or interrupt leaves an earlier fit unchanged.

        Parameters
        ----------
        X : data frame or array_like of shape (n_samples, n_features)
            Numbers, with NaN for missing ones, and categories.
        y : array_like of shape (n_samples,)
            The classes, two or more.
        sample_weight : array_like of shape (n_samples,), optional
            The weight of each row; rows of weight 0 are left out.
        eval_set : tuple, optional
            ``(X, y)`` or ``(X, y, sample_weight)`` for the validation loss and early stopping.

        Returns
        -------
        self
        """
        check_parameters(self.get_params(deep=False))
        begun = self._begun()
        if begun is not None:
            self._check_columns(X)
        columns = None if begun is None else self.model_.columns
        task, train = self._learn(X, y, sample_weight, columns)
        plan = self._plan(task, has_evaluation=eval_set is not None)
        validation = read_validation(task, eval_set)
        if plan.fraction:
            held_out = hold_out(train.y, plan.fraction, seed=plan.settings.seed)
            train, validation = train.take(~held_out), train.take(held_out)
        if self.smoothing == AUTO and begun is None:
            n_trees = plan.n_trees * n_inner_fits(len(train))
            with progress_bar("Choosing smoothing", n_trees, shown=self.verbose > 0) as report:
                plan = replace(plan, settings=choose_smoothing(train, plan, report))
        with self._progress(plan, begun) as report:
            results = LocalTrainer(train, plan).fit(plan, validation, begun, report)
        warn_without_trees(tuple(result.ensemble for result in results), task.classes)
        return self._keep_results(X, task, plan, results)

    def staged_decision_function(self, X: ArrayLike) -> Iterator[Floats]:
        """Yield the scores after the first tree, the first two, and so on.

        Parameters
        ----------
        X : data frame or array_like of shape (n_samples, n_features)
            The columns of the training table.

        Yields
        ------
        float64 array of shape (n_samples,), or (n_samples, n_classes) for more than two classes
        """
        model = self._checked(X)
        yield from staged_scores(model.ensembles, model.to_matrix(X), n_threads_of(self.n_jobs))

    def staged_predict_proba(self, X: ArrayLike) -> Iterator[Floats]:
        """Yield the probabilities of the classes after the first tree, the first two, and so on.

        Parameters
        ----------
        X : data frame or array_like of shape (n_samples, n_features)
            The columns of the training table.

        Yields
        ------
        float64 array of shape (n_samples, n_classes)
        """
        for score in self.staged_decision_function(X):
            yield self.model_.probabilities(score)

    def staged_predict(self, X: ArrayLike) -> Iterator[NDArray[Any]]:
        """Yield the most probable classes after the first tree, the first two, and so on.

        Parameters
        ----------
        X : data frame or array_like of shape (n_samples, n_features)
            The columns of the training table.

        Yields
        ------
        array of shape (n_samples,)
        """
        for score in self.staged_decision_function(X):
            yield self.model_.decide(score)

    def apply(self, X: ArrayLike) -> NDArray[np.int32]:
        """Return the leaf of each row in each tree.

        Parameters
        ----------
        X : data frame or array_like of shape (n_samples, n_features)
            The columns of the training table.

        Returns
        -------
        int32 array of shape (n_samples, n_estimators_)
            With more than two classes, of shape (n_samples, n_estimators_, n_classes), and -1 where
            an ensemble has fewer trees.
        """
        leaves = self._leaves(X)
        if len(leaves) == 1:
            return leaves[0]
        longest = max(leaf.shape[1] for leaf in leaves)
        padded = [
            np.pad(leaf, ((0, 0), (0, longest - leaf.shape[1])), constant_values=-1)
            for leaf in leaves
        ]
        return np.stack(padded, axis=-1)

    def _begun(self) -> tuple[Ensemble, ...] | None:
        """Return the ensembles that a warm start continues, None without one."""
        if not (self.warm_start and hasattr(self, "model_")):
            return None
        for name, earlier in self._fixed.items():
            if not _same(getattr(self, name), earlier):
                raise ValueError(
                    f"a warm start cannot change {name}, got {getattr(self, name)!r} after "
                    f"{earlier!r}: set it back, or warm_start=False for a new fit."
                )
        if self.n_estimators < self.n_estimators_:
            raise ValueError(
                f"n_estimators={self.n_estimators} must not be below the {self.n_estimators_} "
                "trees of the earlier fit: raise it, or set warm_start=False."
            )
        return self.model_.ensembles

    def _plan(self, task: Task, *, has_evaluation: bool) -> Plan:
        """Return how to fit; a warm start keeps the seed and the chosen smoothing."""
        check_scale(task, self.smoothing)
        parameters, chosen = self.get_params(deep=False), {}
        is_warm = self.warm_start and hasattr(self, "model_")
        if is_warm and not np.array_equal(task.classes, self.model_.classes):
            raise ValueError(
                "a warm start needs the classes of the earlier fit, "
                f"{self.model_.classes.tolist()}, got {task.classes.tolist()}: set "
                "warm_start=False for a new fit."
            )
        if is_warm and self.smoothing == AUTO:
            chosen = {"smoothing": self.smoothing_, "learning_rate": self.learning_rate_}
        seed = self._seed if is_warm else self._random_seed()
        stops = self.early_stopping
        if stops == AUTO:
            stops = has_evaluation or task.n_examples > MANY_EXAMPLES
        return Plan(
            n_categories=task.columns.n_categories,
            n_classes=len(task.classes),
            settings=settings_of(parameters, len(task.columns.feature_names), seed, **chosen),
            patience=int(self.n_iter_no_change) if stops else None,
            fraction=float(self.validation_fraction) if stops and not has_evaluation else 0.0,
            validates=bool(stops or has_evaluation),
        )

    def _progress(
        self, plan: Plan, begun: tuple[Ensemble, ...] | None
    ) -> AbstractContextManager[Report | None]:
        n_trees = plan.n_trees - sum(len(ensemble.trees) for ensemble in begun or ())
        return progress_bar("Boosting", n_trees, shown=self.verbose > 0)

    def _keep_results(
        self, X: Any, task: Task, plan: Plan, results: Sequence[Trained], **others: Any
    ) -> Self:
        ensembles = tuple(result.ensemble for result in results)
        return self._keep(
            X,
            task,
            ensembles,
            n_estimators_=max(len(ensemble.trees) for ensemble in ensembles),
            smoothing_=plan.settings.smoothing,
            learning_rate_=plan.settings.learning_rate,
            validation_loss_=stack_losses(results),
            _seed=plan.settings.seed,
            _fixed=deepcopy({name: getattr(self, name) for name in FIXED}),
            **others,
        )


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, str | dict | None) or isinstance(b, str | dict | None):
        return bool(type(a) is type(b) and a == b)
    return bool(np.array_equal(a, b))
