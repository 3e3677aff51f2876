"""A single tree with scikit-learn's interface."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from horotree.training import Labeled, LocalTrainer, Plan, Task
from horotree.trees import Ensemble, Tree

from .base import TreeClassifier
from .caveats import check_scale, warn_without_trees
from .parameters import check_parameters, settings_of


class LogLossTreeClassifier(TreeClassifier):
    """A decision tree that minimizes the log-loss, with a prediction at every node.

    It has the tests of the first tree of a ``LogisticBoostClassifier`` with the same parameters.
    The score is the value of the leaf, so the probability of ``classes_[1]`` is its posterior.
    Posteriors are smoothed towards those of parents, which suits a single tree better than hosts.
    With more than two classes there is a tree for each class against the rest, and probabilities
    are normalized.

    Parameters
    ----------
    max_leaf_nodes : int, default=101
        The largest number of leaves (101 for the paper's 201 nodes). The heaviest leaf that is not
        pure is split next.
    max_depth : int or None, default=None
        The largest number of tests on a path; None for no limit.
    min_samples_leaf : int, default=1
        The smallest number of examples in a leaf.
    smoothing : float, default=20.0
        A pseudo-weight M: a node's posterior is (W⁺ + M p) / (W + M), where W⁺ and W are the
        weights in the node, 1/2 per example, and p is the posterior of its parent (1/2 above the
        root). So the parent counts as 2M examples. 0 needs ``pure_leaves="forbid"``.
    pure_leaves : {"allow", "forbid"}, default="allow"
        Whether a child of a test may hold one class only.
    as_drawn : bool, default=False
        Whether the confidence-monotonic version of the tree predicts: the last node on an example's
        path that is more confident than all before it. Then the picture is the exact predictor.
    max_bins : int or None, default=255
        The largest number of bins of a numeric column: one per distinct value, or quantiles if
        there are more. None: one per distinct value. Missing values have a bin of their own.
    max_features : int, float, "sqrt", "log2" or None, default=None
        How many features are drawn for each node: a number, a share, or None for all.
    categorical_features : "from_dtype", None or array_like, default="from_dtype"
        Which columns hold categories: those with a category dtype (pandas, polars), none, or those
        given by a mask, indices or names. A test sends any subset of categories left. Categories
        that were not in the training table are handled as missing values.
    class_weight : dict, "balanced" or None, default=None
        Factors of the weights of each class; "balanced" gives all classes the same total weight.
    n_jobs : int or None, default=None
        Threads: None is 1, or that of a joblib context; -1 is all cores that this process may use.
        Results are the same to the bit.
    random_state : int, RandomState or None, default=None
        The seed of ``max_features``.

    Attributes
    ----------
    tree_ : Tree
        The tree of two classes; else see ``model_.ensembles[k].trees[0]``.
    model_ : Model
        The tree or trees, and all that predictions need.
    classes_ : array
        The classes, sorted.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, if the training table had names.
    feature_importances_ : float64 array
        The share of each feature's tests in the gain of all tests; see
        ``horotree.trees.importance``.

    See Also
    --------
    LogisticBoostClassifier : Many trees.

    References
    ----------
    Paper, ecbr and ecbrReal. Its literal setting is ``smoothing=0, pure_leaves="forbid",
    max_bins=None``.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from horotree import LogLossTreeClassifier
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> classifier = LogLossTreeClassifier(max_leaf_nodes=4).fit(X, y)
    >>> classifier.tree_
    Tree(7 nodes, 4 leaves, depth 3)
    """

    def __init__(
        self,
        *,
        max_leaf_nodes: int = 101,
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        smoothing: float = 20.0,
        pure_leaves: str = "allow",
        as_drawn: bool = False,
        max_bins: int | None = 255,
        max_features: float | str | None = None,
        categorical_features: Any = "from_dtype",
        class_weight: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.smoothing = smoothing
        self.pure_leaves = pure_leaves
        self.as_drawn = as_drawn
        self.max_bins = max_bins
        self.max_features = max_features
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.random_state = random_state

    @property
    def tree_(self) -> Tree:
        """The tree, of two classes."""
        model = self.__dict__.get("model_")
        if model is None or len(model.ensembles) > 1:
            raise AttributeError(
                "tree_ needs a fit on two classes; with more, each has a tree of its own: "
                "model_.ensembles[k].trees[0]."
            )
        tree: Tree = model.ensembles[0].trees[0]
        return tree

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the tree; an error or interrupt leaves an earlier fit unchanged.

        Parameters
        ----------
        X : data frame or array_like of shape (n_samples, n_features)
            Numbers, with NaN for missing ones, and categories.
        y : array_like of shape (n_samples,)
            The classes, two or more.
        sample_weight : array_like of shape (n_samples,), optional
            The weight of each row; rows of weight 0 are left out.

        Returns
        -------
        self
        """
        check_parameters(self.get_params(deep=False))
        task, train = self._learn(X, y, sample_weight)
        plan = self._plan(task)
        grown = tuple(result.ensemble for result in LocalTrainer(train, plan).fit(plan))
        warn_without_trees(grown, task.classes)
        return self._keep(X, task, tuple(_alone(ensemble, train) for ensemble in grown))

    def _plan(self, task: Task) -> Plan:
        check_scale(task, self.smoothing)
        settings = settings_of(
            self.get_params(deep=False),
            len(task.columns.feature_names),
            self._random_seed(),
            n_estimators=1,
            learning_rate=1.0,
            weak_learner="monotonic" if self.as_drawn else "tree",
            shrink_to="parent",
        )
        return Plan(task.columns.n_categories, len(task.classes), settings)

    def apply(self, X: ArrayLike) -> NDArray[np.int32]:
        """Return the leaf of each row.

        Parameters
        ----------
        X : data frame or array_like of shape (n_samples, n_features)
            The columns of the training table.

        Returns
        -------
        int32 array of shape (n_samples,), or (n_samples, n_classes) for more than two classes
        """
        leaves = [leaf[:, 0] for leaf in self._leaves(X)]
        return leaves[0] if len(leaves) == 1 else np.stack(leaves, axis=-1)


def _alone(ensemble: Ensemble, examples: Labeled) -> Ensemble:
    """Return the tree with the leverage 1: scores are its values. A root if there is no tree."""
    if not ensemble.trees:
        root = _root(float(examples.weight.sum()) / 2.0, len(examples))
        return Ensemble((root,), np.ones(1), np.zeros(1), 0.0)
    return Ensemble(ensemble.trees, np.ones(1), ensemble.edge, 0.0)


def _root(weight: float, count: int) -> Tree:
    """Return a tree of one node of value 0."""
    return Tree(
        left=np.array([-1], np.int32),
        right=np.array([-1], np.int32),
        feature=np.array([-1], np.int32),
        threshold=np.zeros(1),
        missing_left=np.zeros(1, np.bool_),
        category_start=np.zeros(2, np.int32),
        category=np.empty(0, np.int32),
        value=np.zeros(1),
        output=np.zeros(1),
        weight=np.array([weight]),
        count=np.array([count], np.int64),
    )
