"""What reports on stdout say of how good models are."""

from typing import TYPE_CHECKING

from horotree.cli.errors import quoted

from .texts import percent

if TYPE_CHECKING:
    from horotree.evaluation.quality import Quality


def auc_text(auc: float | None) -> str:
    """Return an AUC as text, a dash if there is none."""
    return "-" if auc is None else f"{auc:.3f}"


def chance_text(quality: "Quality") -> str:
    """Return the AUC of what ranks no row above another, a dash if there is none."""
    return auc_text(None if quality.auc is None else 0.5)


def explain_no_model(quality: "Quality") -> str:
    """Say what the figures without a model are."""
    label = quality.class_names[quality.majority]
    share = percent(float(quality.base_rates[quality.majority]))
    return (
        f"No model: probabilities are the shares of the classes here, and all rows are called "
        f"{quoted(label)}, which {share} are."
    )
