"""What pictures say of the values of imported models."""

import warnings

# Trees of class shares: decision trees, forests, AdaBoost.
SHARES = "Confidence: the log-odds of the classes among a node's training examples."

# Gradient boosting.
MARGINS = (
    "Confidence: the mean margin of the leaves below a node, by training weight, in units of the "
    "learning rate."
)

UNCHECKED = (
    "The learning rate is the one that the model has now. The trees do not confirm it: it may have "
    "changed during training."
)

# Values from data, for either.
POSTERIORS = "Confidence: the log-odds of the classes among the given rows at a node."
ROUND_POSTERIORS = (
    "Confidence: the log-odds of the classes among the given rows at a node, by the boosting "
    "weights of its round."
)


def tell_margins(rate: float | None, *, estimated: bool = False) -> tuple[str, ...]:
    """Return what pictures say of margins; warn if the model does not have its learning rate.

    A ``rate`` of None: 1 is taken for want of anything better.
    """
    if rate is not None and not estimated:
        return (MARGINS,)
    known = "1 was taken" if rate is None else f"{rate:g} was estimated from the trees"
    warnings.warn(
        f"the model does not have its learning rate: {known}. Predictions do not depend on it, "
        "confidences in the picture are in units of it.",
        UserWarning,
        stacklevel=3,
    )
    return MARGINS, f"The model does not have its learning rate: {known}."


def tell_changed(low: float, high: float) -> tuple[str, ...]:
    """Return what pictures say of margins if every tree has a learning rate of its own."""
    return MARGINS, f"The learning rate changed during training: from {low:g} to {high:g}."
