"""The agreement of a model with its monotonic version, which is what pictures show."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats, n_threads_of
from horotree._frozen import Frozen, freeze
from horotree.io import from_model
from horotree.trees import Ensemble, Model, center_ensemble, find_center
from horotree.trees.forest import tree_starts
from horotree.trees.rules import one_line
from horotree.trees.tables import Places, find_places

from . import agreement_texts as texts
from .comparison import Comparison, compare_predictions
from .predictions import decide_places, from_scores, score_matrix
from .quality import Quality, measure
from .rows import read_matrix

# Rows whose leaves in all trees are in memory at once.
CHUNK = 10_000

# The most rows that pages and pictures compare.
MAX_COMPARED = 10_000


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Agreement(Frozen):
    """The agreement of a model and its monotonic version on data; prints as a short report.

    Arrays on single trees come in a tuple with one array per ensemble, with an entry per tree.
    Fields on labels are None if there were none.

    Parameters
    ----------
    n_rows : int
        The number of rows that were compared.
    n_given : int
        The number of rows that were given.
    center : {"base", "half"}
        The center of the pictures of this version.
    class_names : tuple of str
        The names of the classes.
    same_class : float
        The share of rows for which both predict the same class.
    called, called_as_drawn, called_by_both : int64 array
        For each class the rows that the model assigns to it, that its monotonic version does, and
        that both do.
    confidence_difference : float
        The mean absolute difference of confidence, the absolute score of an ensemble, over rows and
        ensembles. Scores that are class shares p (link "mean") have |2p - 1| in its place: the norm
        at which a confidence is drawn, finite also at p = 0 and 1.
    probability_difference : float
        The mean absolute difference of the probabilities of the classes, over rows and classes.
    tree_same_class : tuple of float64 array
        The share of rows for which the tree's own class, by the sign of its output (by half, if
        that is a share), is the same.
    rerouted : tuple of float64 array
        The share of rows that end at a leaf with another host, by tree.
    quality : Quality or None
        The quality of the model on these rows.
    comparison : Comparison or None
        The model (A) compared with its monotonic version (B): AUC, losses and errors, paired.

    See Also
    --------
    agreement : Compares a model with its monotonic version.
    """

    n_rows: int
    n_given: int
    center: str
    class_names: tuple[str, ...]
    same_class: float
    called: NDArray[np.int64]
    called_as_drawn: NDArray[np.int64]
    called_by_both: NDArray[np.int64]
    confidence_difference: float
    probability_difference: float
    tree_same_class: tuple[Floats, ...]
    rerouted: tuple[Floats, ...]
    quality: Quality | None = None
    comparison: Comparison | None = None

    def __hash__(self) -> int:
        return hash((self.n_rows, self.same_class, self.confidence_difference))

    def __repr__(self) -> str:
        return texts.report(self)

    @property
    def error(self) -> float | None:
        """The error of the model: the share of rows with a wrong class."""
        return None if self.comparison is None else self.comparison.error.a

    @property
    def monotonic_error(self) -> float | None:
        """The error of its monotonic version."""
        return None if self.comparison is None else self.comparison.error.b

    @property
    def log_loss(self) -> float | None:
        """The mean log-loss of the model; infinite if a class of probability 0 occurs."""
        return None if self.comparison is None else self.comparison.log_loss.a

    @property
    def monotonic_log_loss(self) -> float | None:
        """The mean log-loss of its monotonic version."""
        return None if self.comparison is None else self.comparison.log_loss.b

    @cached_property
    def caution(self) -> str:
        """Why pictures may mislead about the model, in one sentence with numbers; else empty."""
        return texts.caution(self)

    def sentence(self, kind: str = "") -> str:
        """Return the caution with the number of rows, as pages and pictures print it; else empty.

        ``kind`` is the word for the rows, as in "held-out".
        """
        return texts.sentence(self, kind)


def agreement(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    center: str = "auto",
    max_rows: int | None = None,
    n_jobs: int | None = None,
) -> Agreement:
    """Compare a model with its monotonic version on data.

    Pictures show monotonic trees. A picture misleads where these predict differently from the
    trees of the model. Leverages are the model's in both.

    Parameters
    ----------
    model : Model, estimator, or what ``from_model`` takes
        The model.
    X : data frame or array_like
        The columns of the training table, best of rows that were not trained on.
    y : array_like, optional
        The class of each row, for AUC, losses and errors of both.
    center : {"auto", "base", "half"}
        The center of the pictures, as in ``DiskDisplay``, which determines the drawn nodes.
        ``Model.as_drawn``, which predicts, is the version of "half".
    max_rows : int, optional
        Compare at most this number of rows, evenly spread over those given.
    n_jobs : int, optional
        Threads, -1 for all cores, as in scikit-learn; the result does not depend on their number.

    Returns
    -------
    Agreement

    See Also
    --------
    horotree.trees.Model.as_drawn : The monotonic version of a model.

    References
    ----------
    Paper, tab:dt-vs-mdt-XAI.

    Examples
    --------
    >>> from horotree.evaluation.agreement import agreement
    >>> from horotree.trees import Ensemble, Model, Tree
    >>> tree = Tree(
    ...     left=[1, -1, -1], right=[2, -1, -1], feature=[0, -1, -1], threshold=[0.5, 0.0, 0.0],
    ...     missing_left=[True, False, False], category_start=[0, 0, 0, 0], category=[],
    ...     value=[1.0, -0.5, 2.0], output=[1.0, -0.5, 2.0], weight=[3.0, 1.0, 2.0],
    ...     count=[6, 2, 4],
    ... )
    >>> ensemble = Ensemble((tree,), leverage=[1.0], edge=[0.1], base_value=0.0)
    >>> model = Model((ensemble,), "logistic", ["no", "yes"], ("size",), (None,), "float64")
    >>> X, y = [[0.2], [0.7], [0.8], [0.9]], ["no", "yes", "yes", "no"]
    >>> agreement(model, X, y, center="half")
    Agreement of the model and what pictures show of it, on 4 rows
      same class        75.0 % of rows
      called no         1 row by the model, 0 as drawn, 0 by both
      called yes        3 rows by the model, 4 as drawn, 3 by both
      mean difference   0.125 of confidence, 0.0884 of probability
      in median trees   75.0 % of rows keep their class, 25.0 % are rerouted
      AUC               0.750 and 0.750 as drawn: the same
      log-loss          0.7137 and 0.9235 as drawn: no clear difference (-0.4579 to +0.8775)
      error             25.0 % and 50.0 % as drawn: no clear difference (-38.32 % to +71.65 %)
    Caution: pictures may mislead about the model: 75.0 % of rows get the same class.
    Boosted with weak_learner="monotonic", a model predicts as it is drawn.
    """
    known = from_model(model)
    matrix = read_matrix(known, X, "compare predictions on")
    own = None if y is None else find_places(y, known.classes, len(matrix))
    center = find_center(known, center)
    options: dict[str, Any] = {"max_rows": max_rows, "n_threads": n_threads_of(n_jobs)}
    return agreement_at(known, matrix, own, center=center, **options)


def agreement_at(
    plain: Model,
    matrix: Floats,
    own: Places | None,
    *,
    center: str,
    max_rows: int | None = None,
    n_threads: int = 1,
) -> Agreement:
    """Return what ``agreement`` finds, for rows as the model reads them and their classes."""
    n_given = len(matrix)
    if max_rows is not None and max_rows < n_given:
        chosen = spread(n_given, max_rows)
        matrix, own = matrix[chosen], None if own is None else own[chosen]
    drawn = draw(plain, center)
    scores = score_matrix(plain, matrix, n_threads), score_matrix(drawn, matrix, n_threads)
    called, as_drawn = (decide_places(plain, score) for score in scores)
    difference = plain.probabilities(scores[1]) - plain.probabilities(scores[0])
    by_tree = [
        _compare_trees(*pair, matrix, _middle(plain), n_threads)
        for pair in zip(plain.ensembles, drawn.ensembles, strict=True)
    ]
    judged = None if own is None else [from_scores(plain, score, own) for score in scores]
    n_classes = len(plain.classes)
    return Agreement(
        n_rows=len(matrix),
        n_given=n_given,
        center=center,
        class_names=tuple(map(one_line, plain.class_names)),
        same_class=float(np.mean(called == as_drawn)),
        called=_count(called, n_classes),
        called_as_drawn=_count(as_drawn, n_classes),
        called_by_both=_count(called[called == as_drawn], n_classes),
        confidence_difference=_confidence_difference(plain, *scores),
        probability_difference=float(np.abs(difference).mean()),
        tree_same_class=tuple(same for same, _ in by_tree),
        rerouted=tuple(rerouted for _, rerouted in by_tree),
        quality=None if judged is None else measure(judged[0]),
        comparison=None if judged is None else compare_predictions(*judged),
    )


def spread(n_rows: int, n: int) -> NDArray[np.intp]:
    """Return the indices of ``n`` rows, evenly spread over all."""
    if n < 1:
        raise ValueError(f"max_rows must be 1 or more, got {n!r}: leave it out for all rows.")
    return (np.arange(n) * n_rows // n).astype(np.intp)


def draw(model: Model, center: str) -> Model:
    """Return the model that predicts as its trees are drawn around a center."""
    ensembles = [center_ensemble(ensemble, center).as_drawn() for ensemble in model.ensembles]
    return replace(model, ensembles=tuple(ensembles))


def _count(places: NDArray[np.int64], n_classes: int) -> NDArray[np.int64]:
    return freeze(np.bincount(places, minlength=n_classes).astype(np.int64))


def _middle(model: Model) -> float:
    """Return the score between two classes."""
    return 0.5 if model.link == "mean" else 0.0


def _confidence_difference(model: Model, score: Floats, drawn_score: Floats) -> float:
    confidence, drawn = (np.abs(s - _middle(model)) for s in (score, drawn_score))
    scale = 2.0 if model.link == "mean" else 1.0  # |2p - 1|
    return scale * float(np.abs(drawn - confidence).mean())


def _compare_trees(
    ensemble: Ensemble, drawn: Ensemble, X: Floats, middle: float, n_threads: int
) -> tuple[Floats, Floats]:
    """Return for each tree the share of rows that keep its class, and of those rerouted."""
    start = tree_starts(ensemble.trees)
    visits = np.zeros(start[-1], np.int64)  # the rows that end at each node of all trees
    for first in range(0, len(X), CHUNK):
        leaf = ensemble.apply(X[first : first + CHUNK], n_threads)
        visits += np.bincount((leaf + start[:-1]).ravel(), minlength=len(visits))
    same, rerouted = [], []
    for j, (tree, other) in enumerate(zip(ensemble.trees, drawn.trees, strict=True)):
        rows = visits[start[j] : start[j + 1]]
        # The drawn tree has the values of the picture, and so its hosts.
        same.append(rows[(tree.output > middle) == (other.output > middle)].sum())
        rerouted.append(rows[other.host != np.arange(len(rows))].sum())
    return freeze(np.array(same) / len(X)), freeze(np.array(rerouted) / len(X))
