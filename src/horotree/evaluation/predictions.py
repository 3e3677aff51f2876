"""Predictions for rows with known classes, from which all measures of quality are computed."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from horotree._checks import Floats, n_threads_of
from horotree._frozen import Frozen, as_array, freeze
from horotree.io import from_model
from horotree.trees import Model
from horotree.trees.rules import one_line
from horotree.trees.tables import Places, find_places

from .rows import Rows, read_rows

# The tolerance of the sum of a row's probabilities.
TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Predictions(Frozen):
    """The class of each row, and what a model predicts for it.

    ``place`` is the index of each row's class in ``classes``, and ``decided`` that of the class
    that the model predicts; ``probability`` has a column a class. ``loss`` is the log-loss: minus
    the logarithm of the probability of the row's class. Texts use ``class_names``, by default the
    labels.
    """

    classes: NDArray[Any]
    place: NDArray[np.int64]
    probability: Floats
    loss: Floats
    decided: NDArray[np.int64]
    class_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", freeze(np.array(self.classes)))
        names = tuple(map(one_line, self.class_names or self.classes.tolist()))
        object.__setattr__(self, "class_names", names)
        for name in ("place", "decided"):
            object.__setattr__(self, name, freeze(as_array(getattr(self, name), name, np.int64)))
        for name in ("probability", "loss"):
            object.__setattr__(self, name, freeze(np.array(getattr(self, name), np.float64)))
        _check(self)

    def __hash__(self) -> int:
        return hash((self.place.tobytes(), self.loss.tobytes()))

    def __repr__(self) -> str:
        return f"Predictions({len(self)} rows, {len(self.classes)} classes)"

    def __len__(self) -> int:
        return len(self.place)

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """The number of rows of each class."""
        return freeze(np.bincount(self.place, minlength=len(self.classes)).astype(np.int64))

    @cached_property
    def is_wrong(self) -> NDArray[np.bool_]:
        """Whether the predicted class is wrong."""
        return freeze(self.decided != self.place)

    @cached_property
    def squares(self) -> Floats:
        """The Brier score of each row: squared differences of probabilities from 0 or 1.

        For two classes that of the second one, for more the sum over all.
        """
        if len(self.classes) == 2:
            return freeze(np.square(self.probability[:, 1] - self.place))
        off = self.probability - np.eye(len(self.classes))[self.place]
        return freeze(np.square(off).sum(axis=1))


def predict_rows(model: Any, X: Any, y: Any, *, n_jobs: int | None = None) -> Predictions:
    """Return the predictions of a model for the rows of a table; parameters as in ``quality``.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from horotree import LogisticBoostClassifier
    >>> from horotree.evaluation.predictions import predict_rows
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> predict_rows(LogisticBoostClassifier(n_estimators=5).fit(X, y), X, y)
    Predictions(569 rows, 2 classes)
    """
    known = from_model(model)
    rows = read_rows(known, X, y, "judge predictions by")
    return predict_at(known, rows, n_threads=n_threads_of(n_jobs))


def predict_at(model: Model, rows: Rows, *, n_threads: int = 1) -> Predictions:
    """Return what ``predict_rows`` does, for rows as the model reads them."""
    return from_scores(model, score_matrix(model, rows.X, n_threads), rows.place)


def from_scores(model: Model, score: Floats, place: Places) -> Predictions:
    """Return predictions, given scores and the indices of the rows' classes.

    Losses are computed from scores: they are finite where a probability is rounded to 0.
    """
    probability = model.probabilities(score)
    loss = _losses(model.link, score, probability, place)
    decided = decide_places(model, score)
    own = place.astype(np.int64)
    return Predictions(model.classes, own, probability, loss, decided, model.class_names)


def decide_places(model: Model, score: Floats) -> NDArray[np.int64]:
    """Return the indices of the predicted classes, given scores."""
    if score.ndim == 2:
        return np.asarray(score.argmax(axis=1), np.int64)
    return np.asarray(score > (0.5 if model.link == "mean" else 0.0), np.int64)


def score_matrix(model: Model, X: Floats, n_threads: int = 1) -> Floats:
    """Return the scores of a matrix, as ``Model.score`` does those of a table."""
    scores = [ensemble.score(X, n_threads) for ensemble in model.ensembles]
    return scores[0] if len(scores) == 1 else np.stack(scores, axis=-1)


def from_probabilities(probability: ArrayLike, y: Any, classes: ArrayLike) -> Predictions:
    """Return the predictions of any classifier, given probabilities in the order of ``classes``.

    The predicted class is the most probable one, the first of equals.

    Examples
    --------
    >>> from horotree.evaluation.predictions import from_probabilities
    >>> from_probabilities([[0.9, 0.1], [0.4, 0.6]], ["no", "yes"], ["no", "yes"]).loss.round(3)
    array([0.105, 0.511])
    """
    labels, p = np.asarray(classes), np.asarray(probability, np.float64)
    if p.ndim != 2 or p.shape[1] != len(labels):
        raise ValueError(
            f"probability must have a column for each of the {len(labels)} classes, got shape "
            f"{p.shape}: pass what predict_proba returns."
        )
    place = find_places(y, labels, len(p))
    off = (p < 0.0).any(axis=1) | (np.abs(p.sum(axis=1) - 1.0) > TOLERANCE)
    if off.any():
        row = int(np.argmax(off))
        raise ValueError(
            f"the probabilities of a row must be 0 or more and sum to 1, got {p[row].tolist()} in "
            f"row {row}: pass what predict_proba returns."
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = -np.log(p[np.arange(len(p)), place])
    return Predictions(labels, place.astype(np.int64), p, loss, p.argmax(axis=1))


def _losses(link: str, score: Floats, probability: Floats, place: Places) -> Floats:
    """Return -log of the probability of each row's class, from the score where that is better."""
    if link == "logistic":
        return np.asarray(np.logaddexp(0.0, np.where(place == 1, -score, score)))
    rows = np.arange(len(place))
    if link == "mean":
        with np.errstate(divide="ignore"):
            return np.asarray(-np.log(probability[rows, place]))
    # exp(log_share), normalized; the largest is subtracted first, since scores may be huge.
    log_share = score if link == "softmax" else -np.logaddexp(0.0, -score)
    log_share = log_share - log_share.max(axis=1, keepdims=True)
    return np.asarray(np.logaddexp.reduce(log_share, axis=1) - log_share[rows, place])


def _check(predictions: Predictions) -> None:
    p = predictions.probability
    if not len(p):
        raise ValueError("there must be rows to judge predictions by, got none: pass some.")
    unknown = ~np.isfinite(p).all(axis=1) | np.isnan(predictions.loss)
    if unknown.any():
        row = int(np.argmax(unknown))
        raise ValueError(
            f"probabilities must be numbers, got {p[row].tolist()} in row {row}: a model that "
            "gives none for some rows cannot be judged on them; leave them out."
        )
