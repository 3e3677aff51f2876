"""The quality of a model on given rows, beside predictions without a model."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._frozen import Frozen, freeze

from .auc import find_auc
from .calibration import Calibration, calibrate
from .predictions import Predictions, predict_rows
from .texts import percent, rows

# The most classes that are listed in a text.
MAX_LISTED = 4


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Quality(Frozen):
    """The quality of a model on given rows; ``str`` of it is one line.

    All rows count the same. The *base rates* are the shares of the classes among the rows. The
    losses of always predicting them are the least of any constant prediction.

    Parameters
    ----------
    class_names : tuple of str
        The names of the classes.
    counts : int64 array
        The rows of each class.
    auc, auc_low, auc_high : float or None
        The area under the ROC curve and its 95 % interval: for two classes that of the second
        one; for more the mean over the classes that occur, each against the rest. None if all
        rows are of one class.
    log_loss, base_log_loss : float
        The mean log-loss (natural logarithms) of the model, and of the base rates. That of the
        model is infinite if it gives a row's class the probability 0.
    brier, base_brier : float
        The mean Brier score of both: the squared difference of the second class's probability from
        0 or 1; for more than two classes the sum over all classes.
    error, base_error : float
        The share of rows with a wrong class, of the model, and of always predicting the majority.
    called : int64 array
        The rows that the model assigns to each class.
    calibration : tuple of Calibration
        Of the second of two classes, or of each of more: ten groups of rows by the probability of
        the class. The text counts the groups whose exact 95 % interval of the share contains the
        mean probability; for a calibrated model these are 19 of 20.
    reason : str
        Why there is no AUC, if there is none.

    See Also
    --------
    quality : Measures it.
    """

    class_names: tuple[str, ...]
    counts: NDArray[np.int64]
    auc: float | None
    auc_low: float | None
    auc_high: float | None
    log_loss: float
    base_log_loss: float
    brier: float
    base_brier: float
    error: float
    base_error: float
    called: NDArray[np.int64]
    calibration: tuple[Calibration, ...]
    reason: str = ""

    def __hash__(self) -> int:
        return hash((self.counts.tobytes(), self.auc, self.log_loss))

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.counts.sum())

    @property
    def base_rates(self) -> NDArray[np.float64]:
        """The share of each class among the rows."""
        return np.asarray(self.counts / self.n_rows)

    @property
    def majority(self) -> int:
        """The index of the most frequent class, the first of equals."""
        return int(self.counts.argmax())

    def __repr__(self) -> str:
        return "; ".join(self.parts())

    def parts(self, kind: str = "") -> list[str]:
        """Return the parts of the text, one per measure.

        ``kind`` is the word for the rows, as in "held-out".
        """
        most = self.class_names[self.majority]
        loss = "infinite" if np.isinf(self.log_loss) else f"{self.log_loss:.4f}"
        return [
            f"{rows(self.n_rows, kind)}, {self._base_text()}",
            self._auc_text(),
            f"log-loss {loss} (base rate: {self.base_log_loss:.4f})",
            f"Brier score {self.brier:.4f} (base rate: {self.base_brier:.4f})",
            f"error {percent(self.error)} % (always {most}: {percent(self.base_error)} %)",
            self._calibration_text(),
        ]

    def cautions(self) -> list[str]:
        """Return sentences on measures in which the model is no better than a constant guess.

        They describe these rows and are not tests.
        """
        found = []
        most = self.class_names[self.majority]
        if self.auc_low is not None and self.auc_low <= 0.5:
            found.append("It is not clear that it ranks these rows better than chance would.")
        if np.isinf(self.log_loss):
            found.append("Its log-loss is infinite: it gives the class of some row no probability.")
        elif self.log_loss >= self.base_log_loss:
            found.append("Its probabilities are no better than always saying the base rate.")
        if self.error >= self.base_error:
            found.append(f"Its classes are no better than always saying {most}.")
        never = [k for k in np.flatnonzero(self.counts) if not self.called[k]]
        if never:
            names = ", ".join(self.class_names[k] for k in never[:MAX_LISTED])
            more = f" and {len(never) - MAX_LISTED} more" if len(never) > MAX_LISTED else ""
            found.append(f"It calls no row {names}{more}.")
        return found

    def _base_text(self) -> str:
        rates = self.base_rates
        if len(rates) == 2:
            return f"{percent(rates[1])} % of class {self.class_names[1]}"
        named = self.class_names
        if len(rates) <= MAX_LISTED:
            shares = (f"{percent(p)} % {name}" for p, name in zip(rates, named, strict=True))
            return ", ".join(shares)
        most = self.majority
        return f"{len(rates)} classes, most often {named[most]} ({percent(rates[most])} %)"

    def _auc_text(self) -> str:
        if self.auc is None:
            return f"AUC not defined: {self.reason}"
        name = "AUC" if len(self.class_names) == 2 else "mean AUC of each class against the rest"
        return f"{name} {self.auc:.3f} (95 % interval {self.auc_low:.3f} to {self.auc_high:.3f})"

    def _calibration_text(self) -> str:
        agree = sum(part.n_agree for part in self.calibration)
        total = sum(map(len, self.calibration))
        groups = "group" if total == 1 else "groups"
        return f"calibrated in {agree} of {total} {groups}"


def quality(model: Any, X: Any, y: Any, *, n_jobs: int | None = None) -> Quality:
    """Measure the quality of a model on rows.

    Parameters
    ----------
    model : Model, estimator, or what ``from_model`` takes
        The model.
    X : data frame or array_like
        The columns of the training table: on rows that were trained on, most models look better
        than they are.
    y : array_like
        The class of each row.
    n_jobs : int, optional
        Threads, -1 for all cores, as in scikit-learn; the result does not depend on their number.

    Returns
    -------
    Quality

    See Also
    --------
    horotree.evaluation.comparison.comparison : Two models on the same rows.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson, Comparing the areas under two or more correlated receiver
    operating characteristic curves, Biometrics 1988. Newcombe, Confidence intervals for an effect
    size measure based on the Mann-Whitney statistic, Statistics in Medicine 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from horotree import LogisticBoostClassifier
    >>> from horotree.evaluation.quality import quality
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> classifier = LogisticBoostClassifier(n_estimators=5).fit(X[100:], y[100:])
    >>> found = quality(classifier, X[:100], y[:100])
    >>> found.parts()[:2]
    ['100 rows, 35.0 % of class 1', 'AUC 0.991 (95 % interval 0.939 to 0.999)']
    """
    return measure(predict_rows(model, X, y, n_jobs=n_jobs))


def measure(predictions: Predictions) -> Quality:
    """Return the quality of predictions."""
    counts, found = predictions.counts, find_auc(predictions)
    base = counts / len(predictions)
    ranked = [1] if len(counts) == 2 else range(len(counts))
    some = base[base > 0.0]
    return Quality(
        class_names=predictions.class_names,
        counts=counts,
        auc=found.value,
        auc_low=found.low,
        auc_high=found.high,
        log_loss=float(predictions.loss.mean()),
        base_log_loss=float(-(some * np.log(some)).sum()) + 0.0,
        brier=float(predictions.squares.mean()),
        # A row of class k has 1 - 2 b_k + Σ b²; halved for two classes.
        base_brier=float((1.0 - np.square(base).sum()) * (0.5 if len(base) == 2 else 1.0)),
        error=float(predictions.is_wrong.mean()),
        base_error=float((len(predictions) - counts.max()) / len(predictions)),
        called=freeze(np.bincount(predictions.decided, minlength=len(counts)).astype(np.int64)),
        calibration=tuple(
            calibrate(predictions.probability[:, k], predictions.place == k) for k in ranked
        ),
        reason=found.reason,
    )
