"""What users hold, a model or an estimator that has one, as a Model."""

from typing import Any

from .model import Model


def as_model(model: Any) -> Model:
    """Return a Model as it is, and of a fitted estimator its ``model_``.

    Parameters
    ----------
    model : Model or estimator
        Anything with a ``model_`` that is a Model is such an estimator.

    Returns
    -------
    Model

    Examples
    --------
    >>> from horotree.trees import Ensemble, Model
    >>> from horotree.trees.conversion import as_model
    >>> model = Model((Ensemble((), [], [], 0.5),), "logistic", [0, 1], ("x",), (None,), "float64")
    >>> as_model(model) is model
    True
    """
    found = model if isinstance(model, Model) else getattr(model, "model_", None)
    if not isinstance(found, Model):
        got = f"the class {model.__name__}" if isinstance(model, type) else type(model).__name__
        raise TypeError(
            f"model must be a horotree Model or a fitted horotree estimator, got {got} without a "
            "Model in model_: fit it first, or pass what horotree.load or, for models of other "
            "libraries, horotree.from_model returned."
        )
    return found
