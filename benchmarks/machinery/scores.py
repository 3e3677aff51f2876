"""How good posteriors are: error, log-loss, AUC, calibration; and whether errors differ."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest
from sklearn.metrics import log_loss, roc_auc_score

N_BINS = 15
LEVEL = 0.05

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Scores:
    """Quality on examples not seen in training.

    Parameters
    ----------
    error : float
        Share of wrong predictions.
    error_deviation : float
        Standard deviation of the folds' errors (n - 1); NaN if there is only one.
    log_loss : float
        Mean of -log of the true class's posterior.
    auc : float
        Area under the ROC curve, the folds' mean.
    calibration : float
        Mean distance of the posterior from the class's share, in 15 bins of equal mass.
    """

    error: float
    error_deviation: float
    log_loss: float
    auc: float
    calibration: float


def evaluate(labels: Sequence[Labels], posteriors: Sequence[Floats]) -> Scores:
    """Return the scores of posteriors, given fold by fold."""
    y, posterior = np.concatenate(labels), np.concatenate(posteriors)
    pairs = list(zip(labels, posteriors, strict=True))
    errors = [float(np.mean(is_wrong(*pair))) for pair in pairs]
    return Scores(
        error=float(np.mean(is_wrong(y, posterior))),
        error_deviation=float(np.std(errors, ddof=1)) if len(errors) > 1 else float("nan"),
        log_loss=float(log_loss(y, posterior)),
        auc=float(np.mean([roc_auc_score(*pair) for pair in pairs])),
        # Over all folds at once: one fold of a small set would have bins of two or three.
        calibration=calibration_error(y, posterior),
    )


@dataclass(frozen=True, slots=True)
class MonotonicScores:
    """Quality of the monotonic trees of a model; NaN if it has none.

    Parameters
    ----------
    monotonic_error, monotonic_log_loss : float
        With the leverages of the trees.
    refitted_error, refitted_log_loss : float
        With the leverages that boosting would have given the monotonic trees.
    p_monotonic_worse : float
        The p-value that the monotonic trees, leverages unchanged, have more errors than the trees.
    kept : float
        The share of a tree's nodes that its monotonic tree has.
    """

    monotonic_error: float = float("nan")
    monotonic_log_loss: float = float("nan")
    refitted_error: float = float("nan")
    refitted_log_loss: float = float("nan")
    p_monotonic_worse: float = float("nan")
    kept: float = float("nan")


def evaluate_monotonic(
    labels: Sequence[Labels],
    posteriors: Sequence[Floats],
    monotonic: Sequence[Floats],
    refitted: Sequence[Floats],
    *,
    kept: float,
) -> MonotonicScores:
    """Return the scores of the monotonic trees' posteriors, given fold by fold with the trees'."""
    y = np.concatenate(labels)
    unchanged, changed = np.concatenate(monotonic), np.concatenate(refitted)
    wrong = is_wrong(y, unchanged)
    return MonotonicScores(
        monotonic_error=float(np.mean(wrong)),
        monotonic_log_loss=float(log_loss(y, unchanged)),
        refitted_error=float(np.mean(is_wrong(y, changed))),
        refitted_log_loss=float(log_loss(y, changed)),
        p_monotonic_worse=worse_by_chance(wrong, is_wrong(y, np.concatenate(posteriors))),
        kept=kept,
    )


def is_wrong(y: Labels, posterior: Floats) -> NDArray[np.bool_]:
    """Return which predictions, positive above 1/2, are wrong."""
    return np.asarray((posterior > 0.5) != (y == 1))


def calibration_error(y: Labels, posterior: Floats) -> float:
    """Return the mean of |sum over a bin of (posterior - y)|, by example, bins of equal mass."""
    excess = (posterior - y)[np.argsort(posterior, kind="stable")]
    return float(sum(abs(part.sum()) for part in np.array_split(excess, N_BINS)) / len(y))


def worse_by_chance(wrong: NDArray[np.bool_], other: NDArray[np.bool_]) -> float:
    """Return the p-value of McNemar's exact test, one-sided, that ``wrong`` has more errors.

    It looks at the examples that exactly one of the two gets wrong: were both equally good, each
    of these would be a toss of a fair coin.
    """
    alone, other_alone = int(np.sum(wrong & ~other)), int(np.sum(other & ~wrong))
    if alone + other_alone == 0:
        return 1.0
    return float(binomtest(alone, alone + other_alone, alternative="greater").pvalue)
