"""What turns a table into the scores of ensembles, and those into classes."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from horotree._checks import Floats, check_number, n_threads_of
from horotree._frozen import Frozen, freeze

from .choice import TreeChoice, find_trees
from .ensemble import Ensemble
from .forest import join_field
from .links import LINKS
from .steps import Steps
from .tables.columns import Columns
from .tables.labels import check_notes
from .tree import Tree

# What rounding may put a mean of shares outside [0, 1].
TOLERANCE = 1e-9

# What the values of nodes are logits of: see Model.
VALUE_KINDS = ("share", "posterior", "margin")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Model(Frozen):
    """Ensembles, the link from their scores to classes, and the columns they read.

    Parameters
    ----------
    ensembles : tuple of Ensemble
        One, whose score is for the second of two classes, or one a class.
    link : {"logistic", "ovr", "softmax", "mean"}
        How scores become probabilities: the sigmoid of the one score; a sigmoid a class, normalized
        (one versus the rest); exponentials, normalized; or scores that are class shares already.
    classes : array
        The classes: booleans, numbers, strings or objects, all different.
    feature_names : tuple of str
        The columns' names, all different.
    categories : tuple
        Per column None if it is numeric, else a tuple: the label of each code 0, 1, ...
    input_dtype : {"float64", "float32"}
        What columns are rounded to before they are compared; float32 as some libraries do.
    notes : tuple of str
        What pictures must say of the values, if they are not those of horotree's own training:
        what confidence means, what was estimated. Sentences.
    value_kind : {"share", "posterior", "margin"}, optional
        What the values of nodes are: logits of class shares that can be counted, of posteriors
        under the weights of a boosting round, or margins of boosting in units of the learning
        rate. If not given, shares for the link "mean" and else posteriors.
    steps : Steps, optional
        How the leaves of margins were set, if it is known. Without it data cannot be held against
        them (see ``held_out``).
    vote_weight : float, optional
        Of trees that vote (AdaBoost), the sum of the weights of their votes, from which those of
        the rows in training follow; 0 if they do not. Not of other models.
    class_names : tuple of str, optional
        The names of the classes where they are shown; the classes as texts if not given. y
        and predictions hold the classes themselves.
    has_names : bool, optional
        Whether the columns had ``feature_names`` in training, as in ``Columns``.

    Examples
    --------
    >>> from horotree.trees import Ensemble, Model, Tree
    >>> tree = Tree(
    ...     left=[1, -1, -1], right=[2, -1, -1], feature=[0, -1, -1], threshold=[0.5, 0.0, 0.0],
    ...     missing_left=[True, False, False], category_start=[0, 0, 0, 0], category=[],
    ...     value=[0.0, -1.0, 2.0], output=[0.0, -1.0, 2.0], weight=[3.0, 2.0, 1.0],
    ...     count=[6, 4, 2],
    ... )
    >>> ensemble = Ensemble((tree,), leverage=[0.5], edge=[0.1], base_value=0.0)
    >>> model = Model((ensemble,), "logistic", ["no", "yes"], ("size",), (None,), "float64")
    >>> model.score([[0.2], [0.7]]).tolist()
    [-0.5, 1.0]
    >>> model.predict([[0.2], [0.7]]).tolist()
    ['no', 'yes']
    """

    ensembles: tuple[Ensemble, ...]
    link: str
    classes: NDArray[Any]
    feature_names: tuple[str, ...]
    categories: tuple[tuple[Any, ...] | None, ...]
    input_dtype: str
    notes: tuple[str, ...] = ()
    value_kind: str = ""
    class_names: tuple[str, ...] = ()
    has_names: bool | None = None
    steps: Steps | None = None
    vote_weight: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "ensembles", tuple(self.ensembles))
        object.__setattr__(self, "classes", freeze(_as_classes(self.classes)))
        object.__setattr__(self, "feature_names", tuple(self.feature_names))
        categories = tuple(x if x is None else tuple(x) for x in self.categories)
        object.__setattr__(self, "categories", categories)
        if self.input_dtype not in ("float64", "float32"):
            raise ValueError(f"input_dtype must be float64 or float32, got {self.input_dtype!r}.")
        object.__setattr__(self, "notes", tuple(self.notes))
        check_notes(self.notes)
        kind = self.value_kind or default_value_kind(self.link)
        if kind not in VALUE_KINDS:
            raise ValueError(f"value_kind must be one of {', '.join(VALUE_KINDS)}, got {kind!r}.")
        object.__setattr__(self, "value_kind", kind)
        object.__setattr__(self, "class_names", _names_of(self.classes, self.class_names))
        object.__setattr__(self, "has_names", self.columns.has_names)
        if self.steps is not None and kind != "margin":
            raise ValueError(
                f"steps are for values of kind margin, got kind {kind}: leave them out."
            )
        if self.vote_weight is not None:
            weight = check_number(self.vote_weight, "vote_weight")
            if weight < 0.0 or kind != "posterior":
                raise ValueError(
                    "vote_weight must be 0 or more, of values of kind posterior, got "
                    f"{weight!r} of kind {kind}."
                )
            object.__setattr__(self, "vote_weight", weight)
        _check_numbers_of(self)
        _check_features(self)
        if self.link == "mean":
            for ensemble in self.ensembles:
                _check_shares(ensemble)

    def __hash__(self) -> int:
        return hash((self.ensembles, self.link, self.feature_names))

    def __repr__(self) -> str:
        return (
            f"Model({len(self.classes)} classes, {len(self.feature_names)} features, "
            f"{len(self.trees)} trees, {self.link})"
        )

    @property
    def trees(self) -> tuple[Tree, ...]:
        """The trees of all ensembles, one ensemble after the other."""
        return tuple(tree for ensemble in self.ensembles for tree in ensemble.trees)

    @cached_property
    def columns(self) -> Columns:
        """What is known of the columns."""
        return Columns(self.feature_names, self.categories, self.has_names)

    @property
    def targets(self) -> tuple[int, ...]:
        """For each ensemble, the place of its positive class: what its score is for.

        Two classes may have one ensemble, for the second; else there is one for each class.
        """
        return (1,) if len(self.ensembles) == 1 else tuple(range(len(self.classes)))

    def find_ensemble(self, class_: Any = None) -> int:
        """Return which ensemble is about a class: if None the first; two classes have one."""
        classes = self.classes.tolist()
        if class_ is None:
            return 0
        if class_ not in classes:
            raise ValueError(f"class_ must be one of {classes}, got {class_!r}.")
        return int(classes.index(class_)) if len(self.ensembles) > 1 else 0

    def select(self, class_: Any = None, tree: TreeChoice = "all") -> dict[int, list[int]]:
        """Return the trees that ``class_`` and ``tree`` ask for, by ensemble.

        Parameters
        ----------
        class_ : object, optional
            The class whose ensemble to use; all ensembles if not given. Two classes may have one
            ensemble, which is about both.
        tree : int, sequence of int or "all"
            Trees by their number from 0, negative numbers from the last.

        Returns
        -------
        dict of int to list of int

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from horotree import LogisticBoostClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> model = LogisticBoostClassifier(n_estimators=3).fit(X, y).model_
        >>> model.select(tree=-1), model.select(class_=2)
        ({0: [2], 1: [2], 2: [2]}, {2: [0, 1, 2]})
        """
        chosen = range(len(self.ensembles)) if class_ is None else [self.find_ensemble(class_)]
        return {k: find_trees(tree, len(self.ensembles[k].trees)) for k in chosen}

    def to_matrix(self, table: Any) -> Floats:
        """Return a table as the matrix that the ensembles read; see ``Columns.to_matrix``."""
        X = self.columns.to_matrix(table)
        if self.input_dtype == "float32":
            with np.errstate(over="ignore"):  # beyond every threshold, as in the other library
                X = X.astype(np.float32).astype(np.float64)
        return X

    def score(self, table: Any, *, n_jobs: int | None = None) -> Floats:
        """Score the rows of a table.

        Parameters
        ----------
        table : data frame or array_like
            The columns of the training table.
        n_jobs : int, optional
            Threads, -1 for all cores; the scores do not depend on their number.

        Returns
        -------
        float64 array of shape (n_rows,), or (n_rows, n_classes) if there is an ensemble a class
        """
        X = self.to_matrix(table)
        n_threads = n_threads_of(n_jobs)
        scores = [ensemble.score(X, n_threads) for ensemble in self.ensembles]
        return scores[0] if len(scores) == 1 else np.stack(scores, axis=-1)

    def predict_proba(self, table: Any, *, n_jobs: int | None = None) -> Floats:
        """Return the probabilities of the classes; arguments as ``score``.

        Returns
        -------
        float64 array of shape (n_rows, n_classes)
        """
        return self.probabilities(self.score(table, n_jobs=n_jobs))

    def predict(self, table: Any, *, n_jobs: int | None = None) -> NDArray[Any]:
        """Return the most probable classes, the first of equals; arguments as ``score``.

        Returns
        -------
        array of shape (n_rows,)
        """
        return self.decide(self.score(table, n_jobs=n_jobs))

    def as_drawn(self, *, refit_leverage: bool = False, evaluate: str = "leaf") -> "Model":
        """Return the model whose trees predict by their monotonic versions: as they are drawn.

        In each tree, an example adds the output of the host of its leaf: of the last node on its
        path that is more confident than all before it.

        Parameters
        ----------
        refit_leverage : bool
            Whether to give each tree the leverage that boosting would have given its monotonic
            version on the same weights; else leverages stay. Not for models that average shares.
        evaluate : {"leaf", "inner"}
            "inner" never looks at the leaf that ends a path. It is not the monotonic tree: it is
            there to reproduce published figures that were computed so.

        Returns
        -------
        Model

        See Also
        --------
        horotree.agreement : How far both models agree on data.

        References
        ----------
        Paper, defMDT and thm-invariant-M.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from horotree import LogisticBoostClassifier
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> model = LogisticBoostClassifier(n_estimators=10).fit(X, y).model_
        >>> bool((model.predict(X) == model.as_drawn().predict(X)).mean() > 0.9)
        True
        """
        if refit_leverage and self.link == "mean":
            raise ValueError(
                "refit_leverage=True is for boosted trees, got a model that averages class shares: "
                "leave it out."
            )
        ensembles = tuple(
            ensemble.as_drawn(refit_leverage=refit_leverage, evaluate=evaluate)
            for ensemble in self.ensembles
        )
        return replace(self, ensembles=ensembles)

    def probabilities(self, score: Floats) -> Floats:
        """Return the probabilities of the classes from scores: what the link says."""
        return LINKS[self.link](score)

    def decide(self, score: Floats) -> NDArray[Any]:
        """Return the most probable classes from scores, the first of equals."""
        if score.ndim == 2:
            return np.asarray(self.classes[score.argmax(axis=1)])
        middle = 0.5 if self.link == "mean" else 0.0
        return np.asarray(self.classes[(score > middle).astype(np.intp)])


def default_value_kind(link: str) -> str:
    """Return what the values of nodes are if nothing else is said: see ``Model``."""
    return "share" if link == "mean" else "posterior"


def _as_classes(classes: ArrayLike) -> NDArray[Any]:
    array = np.array(classes)
    if array.ndim != 1 or len(array) < 2:
        raise ValueError(f"classes must be a list of two or more, got shape {array.shape}.")
    if array.dtype.kind not in "biufUO":
        raise TypeError(
            f"classes must be booleans, numbers, strings or objects, got dtype {array.dtype}: "
            "convert them, e.g. with astype(object) or astype(str)."
        )
    if len(set(array.tolist())) < len(array):
        raise ValueError(f"classes must differ, got {array.tolist()!r}.")
    return array


def _names_of(classes: NDArray[Any], names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of classes; raise unless each has one."""
    found = tuple(names) or tuple(str(label) for label in classes.tolist())
    if len(found) != len(classes) or not all(isinstance(name, str) for name in found):
        raise ValueError(f"class_names must be {len(classes)} texts, one a class, got {found!r}.")
    return found


def _check_numbers_of(model: Model) -> None:
    """Raise unless there are as many ensembles as the link and the classes ask for."""
    if model.link not in LINKS:
        raise ValueError(f"link must be one of {', '.join(LINKS)}, got {model.link!r}.")
    n_ensembles, n_classes = len(model.ensembles), len(model.classes)
    one = model.link in ("logistic", "mean") and n_classes == 2
    many = model.link != "logistic"
    if not (one and n_ensembles == 1) and not (many and n_ensembles == n_classes):
        raise ValueError(
            f"link {model.link!r} with {n_classes} classes does not go with {n_ensembles} "
            "ensembles: pass one for two classes (logistic, mean) or one a class."
        )


def _check_features(model: Model) -> None:
    """Raise unless every test is of a known feature, and every set of its known categories.

    On the trees themselves, before anything is made as large as a feature or a code in them says.
    """
    n_categories = model.columns.n_categories
    trees = model.trees
    largest = int(join_field(trees, "feature").max(initial=-1))
    if largest >= len(n_categories):
        raise ValueError(
            f"the trees test feature {largest}, but there are only {len(n_categories)} feature "
            "names: pass a name for every column."
        )
    for tree in (tree for tree in trees if len(tree.category)):
        ends = tree.category_start[1:]
        by_set = np.flatnonzero(ends > tree.category_start[:-1])
        code, feature = tree.category[ends[by_set] - 1], tree.feature[by_set]
        unknown = np.flatnonzero(code >= n_categories[feature])
        if len(unknown):
            j = unknown[0]
            raise ValueError(
                f"the trees send code {int(code[j])} of feature "
                f"{model.feature_names[feature[j]]!r} left, but it has "
                f"{int(n_categories[feature[j]])} categories: pass the label of every code."
            )


def _check_shares(ensemble: Ensemble) -> None:
    """Raise unless all possible scores are within [0, 1]."""
    low = high = ensemble.base_value
    for leverage, tree in zip(ensemble.leverage, ensemble.trees, strict=True):
        shares = leverage * tree.output[tree.is_leaf]
        low, high = low + shares.min(), high + shares.max()
    if low < -TOLERANCE or high > 1.0 + TOLERANCE:
        raise ValueError(
            f"link 'mean' needs scores within [0, 1], got trees that reach from {low} to {high}: "
            "pass outputs that are class shares and leverages that sum to 1."
        )
