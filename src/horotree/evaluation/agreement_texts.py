"""The texts of `Agreement`: a report, and a caution in one sentence."""

from typing import TYPE_CHECKING

import numpy as np

from horotree._checks import Floats

from .comparison import Difference
from .texts import percent, rows

if TYPE_CHECKING:
    from .agreement import Agreement

# A smaller share of rows with the same class, of all rows or those of one class, is a caution.
LOW_AGREEMENT = 0.95

# A clear difference of AUC, log-loss or error matters if it is this part or more of the model's
# gain over a guess: an AUC of 1/2, the base rate, the majority.
MATTERS = 0.05

# The most classes that are listed.
MAX_LISTED = 4


def report(found: "Agreement") -> str:
    """Return all figures, a line each, and a conclusion."""
    on = f"{rows(found.n_rows)}"
    if found.n_rows < found.n_given:
        on += f", evenly spread over {found.n_given:,}"
    lines = [
        f"Agreement of the model and what pictures show of it, on {on}",
        f"  same class        {percent(found.same_class)} % of rows",
        *(f"  {_called(found, k)}" for k in _listed(found)),
        f"  mean difference   {_differences(found)}",
    ]
    same, rerouted = map(np.concatenate, (found.tree_same_class, found.rerouted))
    if len(same):
        lines.append(
            f"  in median trees   {percent(float(np.median(same)))} % of rows keep their class, "
            f"{percent(float(np.median(rerouted)))} % are rerouted"
        )
    if found.comparison is not None:
        measures = (found.comparison.auc, found.comparison.log_loss, found.comparison.error)
        lines += [f"  {measure.name:<17} {_both(measure)}" for measure in measures]
    return "\n".join([*lines, *_verdict(found)])


def caution(found: "Agreement") -> str:
    """Return why pictures may mislead, in one sentence; empty if they do not."""
    reasons = []
    if found.same_class < LOW_AGREEMENT:
        reasons.append(f"{percent(found.same_class)} % of rows get the same class")
    else:
        # A rare class may differ although most rows agree.
        reasons += [_hidden(found, k) for k in _disagreeing(found)[:MAX_LISTED]]
    if found.comparison is not None and found.quality is not None:
        quality, compared = found.quality, found.comparison
        gains = (
            (compared.auc, None if quality.auc is None else quality.auc - 0.5),
            (compared.log_loss, quality.base_log_loss - quality.log_loss),
            (compared.error, quality.base_error - quality.error),
        )
        reasons += [_figures(measure) for measure, gain in gains if _matters(measure, gain)]
    if not reasons:
        return ""
    return f"pictures may mislead about the model: {'; '.join(reasons)}."


def sentence(found: "Agreement", kind: str) -> str:
    """Return the caution with the number of rows; empty if there is none."""
    if not found.caution:
        return ""
    on = rows(found.n_given, kind)
    if found.n_rows < found.n_given:
        on = f"{found.n_rows:,} of the {on}"
    return f"Caution: {found.caution[:-1]} (on {on})."


def _verdict(found: "Agreement") -> list[str]:
    if found.caution:
        lines = [f"Caution: {found.caution}"]
        if found.center == "half":
            lines.append('Boosted with weak_learner="monotonic", a model predicts as it is drawn.')
        return lines
    if found.confidence_difference == found.probability_difference == 0.0:
        return ["On these rows the model predicts as it is drawn."]
    also = "" if found.comparison is None else ", and as drawn it is as good"
    same = f"{percent(found.same_class)} % of rows get the same class, 95 % or more of each class"
    return [f"{same}{also}: what pictures show mostly holds for the model."]


def _matters(measure: Difference, gain: float | None) -> bool:
    """Tell whether a measure differs clearly, and by enough."""
    if measure.difference is None or gain is None:
        return measure.b is not None and bool(np.isinf(measure.b)) and measure.b != measure.a
    return measure.is_clear and abs(measure.difference) >= MATTERS * max(gain, 0.0)


def _figures(measure: Difference) -> str:
    a, b = measure.texts()
    return f"{measure.name} {a}, as drawn {b}"


def _both(measure: Difference) -> str:
    if measure.a is None or measure.b is None:
        return f"not defined: {measure.reason}"
    a, b = measure.texts()
    both = f"{a} and {b} as drawn"
    if measure.low is None:
        return f"{both}: no interval of the difference: {measure.reason}"
    if measure.low == measure.high == 0.0:
        return f"{both}: the same"
    verdict = f"clearly {'better' if measure.better == 'b' else 'worse'}"
    return (
        f"{both}: {verdict if measure.is_clear else 'no clear difference'} ({measure.interval()})"
    )


def _differences(found: "Agreement") -> str:
    confidence, probability = found.confidence_difference, found.probability_difference
    return f"{confidence:.3g} of confidence, {probability:.3g} of probability"


def _shares(found: "Agreement") -> Floats:
    """Return for each class the share of its rows that both assign to it; NaN if neither does.

    It is the share among the rows of the model, or of the drawn version if these are more.
    """
    most = np.maximum(found.called, found.called_as_drawn)
    shares = np.full(len(most), np.nan)
    np.divide(found.called_by_both, most, out=shares, where=most > 0)
    return shares


def _disagreeing(found: "Agreement") -> list[int]:
    """Return the classes with too small a share, the worst first."""
    shares = _shares(found)
    order = np.argsort(np.where(np.isnan(shares), 1.0, shares), kind="stable")
    return [int(k) for k in order if shares[k] < LOW_AGREEMENT]


def _listed(found: "Agreement") -> list[int]:
    n = len(found.class_names)
    return list(range(n)) if n <= MAX_LISTED else _disagreeing(found)[:MAX_LISTED]


def _called(found: "Agreement", k: int) -> str:
    name = f"called {found.class_names[k]}"
    model, drawn, both = _calls(found, k)
    return f"{name:<17} {rows(model)} by the model, {drawn:,} as drawn, {both:,} by both"


def _hidden(found: "Agreement", k: int) -> str:
    """Return how many rows each version assigns to a class."""
    name = found.class_names[k]
    model, drawn, both = _calls(found, k)
    return f"it calls {rows(model)} {name}, as drawn it calls {drawn:,}, {both:,} of them the same"


def _calls(found: "Agreement", k: int) -> tuple[int, int, int]:
    model, drawn, both = (found.called, found.called_as_drawn, found.called_by_both)
    return int(model[k]), int(drawn[k]), int(both[k])
