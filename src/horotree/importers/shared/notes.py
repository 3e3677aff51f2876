"""Notes on the values of imported models, shown below pictures."""

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


def margin_notes(rate: float | None, *, estimated: bool = False) -> tuple[str, ...]:
    """Return the notes of margins; warn if the model does not have its learning rate.

    With ``rate`` None the unit is 1.
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


def changed_rate_notes(low: float, high: float) -> tuple[str, ...]:
    """Return the notes of margins if each tree has its own learning rate."""
    return MARGINS, f"The learning rate changed during training: from {low:g} to {high:g}."
