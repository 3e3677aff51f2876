"""Two models on the same rows: differences of AUC, losses and errors, with intervals."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from horotree._checks import Floats
from horotree._frozen import Frozen

from .auc import find_auc, t_quantile, variance_of
from .predictions import Predictions, predict_rows
from .texts import percent, rows

# The reason where there is no interval since nothing varies.
ALIKE = "all rows differ alike, which does not say how others would"


@dataclass(frozen=True, slots=True)
class Difference:
    """A measure of two models on the same rows, and its difference.

    Parameters
    ----------
    name : str
        The measure: "AUC", "log-loss", "Brier score" or "error".
    a, b : float or None
        The measure of each model.
    low, high : float or None
        The 95 % interval of ``b - a``, for other rows sampled like these.
    reason : str
        Why there is no measure or no interval, if there is none.
    """

    name: str
    a: float | None
    b: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""

    @property
    def difference(self) -> float | None:
        """The measure of b minus that of a."""
        if self.a is None or self.b is None or np.isinf(self.a) or np.isinf(self.b):
            return None
        return self.b - self.a

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes 0, as by chance for one in twenty equal pairs."""
        return self.low is not None and self.high is not None and not self.low <= 0.0 <= self.high

    @property
    def better(self) -> str:
        """The clearly better model, "a" or "b"; an empty text if none is."""
        if not self.is_clear or self.low is None:
            return ""
        return "b" if (self.low > 0.0) == (self.name == "AUC") else "a"

    def __str__(self) -> str:
        if self.a is None or self.b is None:
            return f"{self.name} not defined: {self.reason}"
        both = f"{self.name} {' and '.join(self.texts())}"
        if self.low is None or self.high is None:
            return f"{both}; no interval of the difference: {self.reason}"
        if self.low == self.high == 0.0:
            return f"{both}: the same on these rows"
        verdict = f"{self.better.upper()} is better" if self.is_clear else "no clear difference"
        return f"{both}: {verdict} (95 % interval of B - A: {self.interval()})"

    def texts(self) -> list[str]:
        """Return both measures as texts."""
        return ["not defined" if value is None else self._text(value) for value in (self.a, self.b)]

    def interval(self) -> str:
        """Return the interval of the difference as text."""
        if self.low is None or self.high is None:
            return "not defined"
        return f"{self._text(self.low, sign='+')} to {self._text(self.high, sign='+')}"

    def _text(self, value: float, sign: str = "") -> str:
        if self.name != "error":
            return f"{value:{sign}.{3 if self.name == 'AUC' else 4}f}"
        return f"{100.0 * value:{sign}.2f} %" if sign else f"{percent(value)} %"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison(Frozen):
    """Two models, A and B, on the same rows; ``str`` of it is a line per measure.

    Parameters
    ----------
    n_rows : int
        The number of rows.
    auc, log_loss, brier, error : Difference
        Each with an interval of its own: with several measures, the chance that one of equal
        models differs is larger than one in twenty.
    same_class : float
        The share of rows for which both predict the same class.
    probability_difference : float
        The mean absolute difference of the probabilities, over rows and classes.
    """

    n_rows: int
    auc: Difference
    log_loss: Difference
    brier: Difference
    error: Difference
    same_class: float
    probability_difference: float

    def __hash__(self) -> int:
        return hash((self.n_rows, self.auc, self.log_loss, self.error))

    def __repr__(self) -> str:
        return "\n".join([f"A and B on {rows(self.n_rows)}", *map(str, self.measures)])

    @property
    def measures(self) -> tuple[Difference, ...]:
        """AUC, log-loss, Brier score and error."""
        return self.auc, self.log_loss, self.brier, self.error


def comparison(a: Any, b: Any, X: Any, y: Any, *, n_jobs: int | None = None) -> Comparison:
    """Compare two models on the same rows.

    Parameters
    ----------
    a, b : Model, estimator, or what ``from_model`` takes
        The models, of the same classes.
    X : data frame or array_like
        Rows that neither was trained on, else the one that was looks better.
    y : array_like
        The class of each row.
    n_jobs : int, optional
        Threads, -1 for all cores, as in scikit-learn; the result does not depend on their number.

    Returns
    -------
    Comparison

    See Also
    --------
    horotree.evaluation.quality.quality : One model.

    Notes
    -----
    All is paired, row by row. AUCs use DeLong's covariance, log-losses and Brier scores Student's
    interval of the mean difference, errors the adjusted Wald interval of Bonett and Price (2012),
    which adds one row to each side.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from horotree import LogisticBoostClassifier
    >>> from horotree.evaluation.comparison import comparison
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> one, two = (
    ...     LogisticBoostClassifier(n_estimators=n).fit(X[200:], y[200:]) for n in (1, 20)
    ... )
    >>> comparison(one, two, X[:200], y[:200]).log_loss.better
    'b'
    """
    both = [predict_rows(model, X, y, n_jobs=n_jobs) for model in (a, b)]
    return compare_predictions(both[0], both[1])


def compare_predictions(a: Predictions, b: Predictions) -> Comparison:
    """Compare the predictions of two models for the same rows; classes may be in another order."""
    b = _reorder(b, a)
    return Comparison(
        n_rows=len(a),
        auc=_compare_auc(a, b),
        log_loss=_compare_means("log-loss", a.loss, b.loss),
        brier=_compare_means("Brier score", a.squares, b.squares),
        error=_compare_errors(a, b),
        same_class=float(np.mean(a.decided == b.decided)),
        probability_difference=float(np.abs(a.probability - b.probability).mean()),
    )


def _reorder(b: Predictions, a: Predictions) -> Predictions:
    """Return predictions with their classes in the order of others."""
    names, wanted = b.classes.tolist(), a.classes.tolist()
    if set(names) != set(wanted):
        raise ValueError(f"both models must have the same classes, got {wanted} and {names}.")
    order = np.array([names.index(label) for label in wanted])
    place = np.argsort(order)
    moved = place[b.place], place[b.decided]
    if len(a) != len(b) or (moved[0] != a.place).any():
        raise ValueError("both predictions must be of the same rows, in one order, got others.")
    p = b.probability[:, order]
    return Predictions(a.classes, moved[0], p, b.loss, moved[1], a.class_names)


def _compare_auc(a: Predictions, b: Predictions) -> Difference:
    of_a, of_b = find_auc(a), find_auc(b)
    name = "AUC"
    if of_a.value is None or of_b.value is None:
        return Difference(name, None, None, reason=of_a.reason)
    contribution = of_b.contribution - of_a.contribution
    difference = of_b.value - of_a.value
    variance, freedom = variance_of(contribution, a)
    if np.isnan(variance):
        reason = "a class has a single row"
        return Difference(name, of_a.value, of_b.value, reason=reason)
    if variance == 0.0 and difference != 0.0:
        return Difference(name, of_a.value, of_b.value, reason=ALIKE)
    reach = t_quantile(freedom) * np.sqrt(variance) if variance else 0.0
    return Difference(
        name, of_a.value, of_b.value, float(difference - reach), float(difference + reach)
    )


def _compare_means(name: str, a: Floats, b: Floats) -> Difference:
    """Return the difference of means with Student's interval."""
    means = float(a.mean()), float(b.mean())
    if np.isinf(means).any():
        reason = "a loss is infinite: a model gives a row's class no probability at all"
        return Difference(name, *means, reason=reason)
    if len(a) < 2:
        return Difference(name, *means, reason="there is one row only")
    off = b - a
    if off.any() and (off == off[0]).all():
        return Difference(name, *means, reason=ALIKE)
    largest = float(np.abs(off).max()) or 1.0  # squares of large losses would be too large
    deviation = largest * (off / largest).std(ddof=1)
    reach = t_quantile(len(off) - 1.0) * deviation / np.sqrt(len(off))
    center = float(off.mean())
    return Difference(name, *means, float(center - reach), float(center + reach))


def _compare_errors(a: Predictions, b: Predictions) -> Difference:
    """Return the difference of errors, from the rows that only one of both gets wrong."""
    n = len(a)
    n_a = int(np.sum(a.is_wrong & ~b.is_wrong))
    n_b = int(np.sum(b.is_wrong & ~a.is_wrong))
    errors = float(a.is_wrong.mean()), float(b.is_wrong.mean())
    # One row is added to each side, so that the interval without such rows is not a point.
    p_a, p_b = (n_a + 1.0) / (n + 2.0), (n_b + 1.0) / (n + 2.0)
    center = p_b - p_a
    reach = t_quantile(float("inf")) * np.sqrt((p_a + p_b - center * center) / (n + 2.0))
    return Difference(
        "error", *errors, max(float(center - reach), -1.0), min(float(center + reach), 1.0)
    )
