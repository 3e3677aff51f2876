"""The quality of a new model, next to that of no model, and a warning if it is no better."""

from typing import TYPE_CHECKING, Any

from horotree.cli.errors import refusals

from .messages import Messages
from .texts import aligned, auc_text, chance_text, explain_no_model, number, percent

if TYPE_CHECKING:
    from horotree.evaluation.quality import Quality

Part = tuple[Any, Any]


def report(classifier: Any, parts: dict[str, Part], messages: Messages) -> str:
    """Return a table of a model's quality by part ("training", "test"); warn if it is no better."""
    from horotree import quality

    model, n_jobs = classifier.model_, classifier.n_jobs
    with refusals(ValueError, TypeError):
        found = {name: quality(model, *part, n_jobs=n_jobs) for name, part in parts.items()}
    name, last = list(found.items())[-1]
    rows: list[tuple[str, ...]] = [("", "rows", "AUC", "log-loss", "error")]
    rows += [_row(part, q.n_rows, q.auc, q.log_loss, q.error) for part, q in found.items()]
    if name == "test" and classifier.weak_learner != "monotonic":
        rows.append(_as_drawn(model, parts[name], n_jobs))
    guess = chance_text(last), f"{last.base_log_loss:.4f}", percent(last.base_error)
    rows.append((f"{name}, no model", number(last.n_rows), *guess))
    _warn(last, name, messages)
    lines = [aligned(rows), "", *_explain(last, name)]
    return "\n".join(lines)


def _row(
    name: str, n_rows: int, auc: float | None, log_loss: float, error: float
) -> tuple[str, ...]:
    return name, number(n_rows), auc_text(auc), f"{log_loss:.4f}", percent(error)


def _as_drawn(model: Any, part: Part, n_jobs: int | None) -> tuple[str, ...]:
    """Return the figures of the model as it is drawn."""
    from horotree import agreement

    found = agreement(model, *part, n_jobs=n_jobs)
    shown = ["-"] * 3
    if (both := found.comparison) is not None:
        shown = [measure.texts()[1] for measure in (both.auc, both.log_loss, both.error)]
    return "test, as drawn", number(found.n_rows), *shown


def _explain(quality: "Quality", name: str) -> list[str]:
    """Return the interval of the AUC, and what the figures without a model are."""
    if quality.auc is None:
        return [f"AUC is not defined: {quality.reason}.", explain_no_model(quality)]
    what = (
        "AUC" if len(quality.class_names) == 2 else "AUC, the mean of each class against the rest,"
    )
    ends = f"{quality.auc_low:.3f} to {quality.auc_high:.3f}"
    return [f"{what} on {name} rows: 95 % interval {ends}.", explain_no_model(quality)]


def _warn(quality: "Quality", name: str, messages: Messages) -> None:
    """Warn if a model is useless, and note in what else it is no better than a guess."""
    cautions = " ".join(quality.cautions())
    is_unsure = quality.auc_low is None or quality.auc_low <= 0.5
    if quality.log_loss < quality.base_log_loss:
        if cautions:
            messages.note(f"of the {name} rows: {cautions}")
    elif is_unsure:
        messages.warn(f"on the {name} rows this model is no better than no model. {cautions}")
    else:
        messages.warn(f"of the {name} rows: {cautions}")
