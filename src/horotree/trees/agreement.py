"""How far a model agrees with its monotonic version, which is what pictures show of it."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from horotree._checks import Floats
from horotree._frozen import Frozen, freeze
from horotree.losses import log_loss, logistic_loss

from ._conversion import as_model
from ._labels import Places, find_places
from .ensemble import Ensemble
from .model import Model
from .monotonic_tree import find_hosts

# Where the text warns: fewer rows than this share with the same class, or a p-value below this.
LOW_AGREEMENT = 0.95
SIGNIFICANT = 0.05

# Rows whose leaves in all trees are held at once.
CHUNK = 10_000


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Agreement(Frozen):
    """How far a model and its monotonic version agree on data; prints as a short report.

    What concerns single trees has an array for each of the model's ensembles, in their order, with
    an entry a tree. What concerns labels is None if there were none.

    Parameters
    ----------
    n_rows : int
        The number of rows.
    same_class : float
        The share of rows for which both predict the same class.
    confidence_difference : float
        The mean absolute difference of confidence, the absolute score of an ensemble, over rows and
        ensembles. Scores that are class shares p (link "mean") have |2p - 1| in its place: the norm
        at which a confidence is drawn, finite also at p = 0 and 1.
    probability_difference : float
        The mean absolute difference of the probabilities of the classes, over rows and classes.
    tree_same_class : tuple of float64 array
        By tree, the share of rows for which its own class, by the sign of its output (or by half,
        if that is a share), is the same.
    rerouted : tuple of float64 array
        By tree, the share of rows whose leaf another node speaks for.
    error, monotonic_error : float or None
        The share of rows with a wrong class, of the model and of its monotonic version.
    log_loss, monotonic_log_loss : float or None
        The mean log-loss of both; infinite if a class without any probability occurs.
    p_value : float or None
        Of McNemar's exact test: how often rows on which just one of both is right would divide as
        unevenly as these, or more so, if each were as good as the other. 1 if there are none.

    See Also
    --------
    agreement : Compares a model with its monotonic version.
    """

    n_rows: int
    same_class: float
    confidence_difference: float
    probability_difference: float
    tree_same_class: tuple[Floats, ...]
    rerouted: tuple[Floats, ...]
    error: float | None = None
    monotonic_error: float | None = None
    log_loss: float | None = None
    monotonic_log_loss: float | None = None
    p_value: float | None = None

    def __hash__(self) -> int:
        return hash((self.n_rows, self.same_class, self.confidence_difference, self.p_value))

    def __repr__(self) -> str:
        lines = [
            f"Agreement of the model and its monotonic version on {self.n_rows} rows",
            f"  same class        {_percent(self.same_class)} of rows",
            f"  mean difference   {self._differences()}",
        ]
        same, rerouted = map(np.concatenate, (self.tree_same_class, self.rerouted))
        if len(same):
            lines.append(
                f"  in median trees   {_percent(float(np.median(same)))} of rows keep their class, "
                f"{_percent(float(np.median(rerouted)))} are rerouted"
            )
        if self.error is not None and self.monotonic_error is not None and self.p_value is not None:
            compared = _compare_errors(self.error, self.monotonic_error, self.p_value)
            lines += [
                f"  errors            {compared}",
                f"  log-losses        {self.log_loss:.4g} and {self.monotonic_log_loss:.4g}",
            ]
        return "\n".join([*lines, _verdict(self)])

    def _differences(self) -> str:
        confidence, probability = self.confidence_difference, self.probability_difference
        return f"{confidence:.3g} of confidence, {probability:.3g} of probability"


def agreement(model: Any, X: Any, y: Any = None, *, n_threads: int = 1) -> Agreement:
    """Compare a model with its monotonic version on data.

    Pictures show monotonic trees. Where these predict something else than the trees of the model,
    reading the picture misleads about the model: here is how often, and by how much. Leverages are
    the model's in both.

    Parameters
    ----------
    model : Model or estimator
        A model, or a fitted estimator of this package.
    X : data frame or array_like
        The columns of the training table, best of rows that were not trained on.
    y : array_like, optional
        The class of each row, for the errors and losses of both.
    n_threads : int
        Threads; the result does not depend on their number.

    Returns
    -------
    Agreement

    See Also
    --------
    horotree.trees.Model.monotonic : The monotonic version of a model.

    References
    ----------
    Paper, tab:dt-vs-mdt-XAI.

    Examples
    --------
    >>> from horotree.trees import Ensemble, Model, Tree
    >>> from horotree.trees.agreement import agreement
    >>> tree = Tree(
    ...     left=[1, -1, -1], right=[2, -1, -1], feature=[0, -1, -1], threshold=[0.5, 0.0, 0.0],
    ...     missing_left=[True, False, False], category_start=[0, 0, 0, 0], category=[],
    ...     value=[1.0, -0.5, 2.0], output=[1.0, -0.5, 2.0], weight=[3.0, 1.0, 2.0],
    ...     count=[6, 2, 4],
    ... )
    >>> ensemble = Ensemble((tree,), leverage=[1.0], edge=[0.1], base_value=0.0)
    >>> model = Model((ensemble,), "logistic", ["no", "yes"], ("size",), (None,), "float64")
    >>> agreement(model, [[0.2], [0.7], [0.8], [0.9]], ["no", "yes", "yes", "no"])
    Agreement of the model and its monotonic version on 4 rows
      same class        75.0 % of rows
      mean difference   0.125 of confidence, 0.0884 of probability
      in median trees   75.0 % of rows keep their class, 25.0 % are rerouted
      errors            25.0 % and 50.0 %: no significant difference (p = 1.00)
      log-losses        0.7137 and 0.9235
    Caution: 75.0 % of rows get the same class: pictures may mislead about the model.
    Boosted with weak_learner="monotonic", a model predicts as it is drawn.
    """
    plain = as_model(model)
    matrix = plain.to_matrix(X)
    if not len(matrix):
        raise ValueError("X must have rows to compare predictions on, got none: pass some.")
    own = None if y is None else find_places(y, plain.classes, len(matrix))
    coded = replace(plain, classes=np.arange(len(plain.classes)))  # it predicts places of classes
    drawn = coded.monotonic()
    scores = _score(coded, matrix, n_threads), _score(drawn, matrix, n_threads)
    places = coded.decide(scores[0]), coded.decide(scores[1])
    probabilities = coded.probabilities(scores[0]), coded.probabilities(scores[1])
    by_tree = [
        _compare_trees(*pair, matrix, _middle(coded), n_threads)
        for pair in zip(coded.ensembles, drawn.ensembles, strict=True)
    ]
    return Agreement(
        n_rows=len(matrix),
        same_class=float(np.mean(places[0] == places[1])),
        confidence_difference=_confidence_difference(coded, *scores),
        probability_difference=float(np.abs(probabilities[1] - probabilities[0]).mean()),
        tree_same_class=tuple(same for same, _ in by_tree),
        rerouted=tuple(rerouted for _, rerouted in by_tree),
        **({} if own is None else _judge(own, coded, scores, places)),
    )


def _middle(model: Model) -> float:
    """Return the score between two classes."""
    return 0.5 if model.link == "mean" else 0.0


def _score(model: Model, X: Floats, n_threads: int) -> Floats:
    """Return the scores of a matrix, as ``Model.score`` does those of a table."""
    scores = [ensemble.score(X, n_threads) for ensemble in model.ensembles]
    return scores[0] if len(scores) == 1 else np.stack(scores, axis=-1)


def _confidence_difference(model: Model, score: Floats, drawn_score: Floats) -> float:
    confidence, drawn = (np.abs(s - _middle(model)) for s in (score, drawn_score))
    scale = 2.0 if model.link == "mean" else 1.0  # |2p - 1|
    return scale * float(np.abs(drawn - confidence).mean())


def _compare_trees(
    ensemble: Ensemble, drawn: Ensemble, X: Floats, middle: float, n_threads: int
) -> tuple[Floats, Floats]:
    """Return by tree the share of rows that keep its class, and of those that are rerouted."""
    start = ensemble.forest.tree_start
    visits = np.zeros(start[-1], np.int64)  # the rows that end at each node of all trees
    for first in range(0, len(X), CHUNK):
        leaf = ensemble.apply(X[first : first + CHUNK], n_threads)
        visits += np.bincount((leaf + start[:-1]).ravel(), minlength=len(visits))
    same, rerouted = [], []
    for j, (tree, other) in enumerate(zip(ensemble.trees, drawn.trees, strict=True)):
        rows = visits[start[j] : start[j + 1]]
        host = find_hosts(tree.parent, tree.confidence)
        same.append(rows[(tree.output > middle) == (other.output > middle)].sum())
        rerouted.append(rows[host != np.arange(len(host))].sum())
    return freeze(np.array(same) / len(X)), freeze(np.array(rerouted) / len(X))


def _judge(
    own: Places, model: Model, scores: tuple[Floats, Floats], places: tuple[Places, Places]
) -> dict[str, float]:
    """Return errors and losses of both, and the p-value of McNemar's exact test."""
    from scipy.special import bdtr

    right, drawn_right = places[0] == own, places[1] == own
    n_only, n_only_drawn = np.sum(right & ~drawn_right), np.sum(drawn_right & ~right)
    n_apart = n_only + n_only_drawn
    tail = bdtr(min(n_only, n_only_drawn), n_apart, 0.5) if n_apart else 1.0
    return {
        "error": float(np.mean(~right)),
        "monotonic_error": float(np.mean(~drawn_right)),
        "log_loss": _loss(model, own, scores[0]),
        "monotonic_log_loss": _loss(model, own, scores[1]),
        "p_value": min(2.0 * float(tail), 1.0),  # both tails are alike
    }


def _loss(model: Model, own: Places, score: Floats) -> float:
    """Return the mean log-loss, from scores where probabilities may have been rounded to 0."""
    if model.link == "logistic":
        return logistic_loss(own == 1, score)
    if model.link == "mean":
        of_own = model.probabilities(score)[np.arange(len(own)), own]
        return log_loss(np.ones(len(own), np.bool_), of_own)
    log_share = score if model.link == "softmax" else -np.logaddexp(0.0, -score)
    of_own = np.take_along_axis(log_share, own[:, np.newaxis], axis=1)
    return float(np.logaddexp.reduce(log_share - of_own, axis=1).mean())


def _verdict(found: Agreement) -> str:
    """Say whether what pictures show holds for the model."""
    differences = found.confidence_difference, found.probability_difference
    if found.same_class == 1.0 and differences == (0.0, 0.0):
        return "On these rows the model predicts as it is drawn."
    same = f"{_percent(found.same_class)} of rows get the same class"
    errors_differ = found.p_value is not None and found.p_value < SIGNIFICANT
    if found.same_class >= LOW_AGREEMENT and not errors_differ:
        return f"{same}: what pictures show mostly holds for the model."
    also = ", and the errors differ" if errors_differ else ""
    return (
        f"Caution: {same}{also}: pictures may mislead about the model.\n"
        'Boosted with weak_learner="monotonic", a model predicts as it is drawn.'
    )


def _compare_errors(error: float, monotonic_error: float, p_value: float) -> str:
    """Say what both errors are, and whether chance explains their difference."""
    difference = "no significant difference"
    if p_value < SIGNIFICANT:
        word = "better" if monotonic_error < error else "worse"
        difference = f"the monotonic version is significantly {word}"
    p = "p < .001" if p_value < 0.001 else f"p = {p_value:.{3 if p_value < 0.1 else 2}f}"
    both = f"{_percent(error)} and {_percent(monotonic_error)}"
    return f"{both}: {difference} ({p.replace('0.', '.')})"


def _percent(share: float) -> str:
    """Return a share as text that says 0 or 100 only if it is."""
    text = f"{100.0 * share:.1f} %"
    if share < 1.0 and text == "100.0 %":
        return "almost 100 %"
    return "almost 0 %" if share > 0.0 and text == "0.0 %" else text
