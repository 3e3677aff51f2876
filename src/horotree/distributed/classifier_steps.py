"""Small steps of the classifier: what it needs, what it makes of results, what workers call."""

import importlib
import sys
from typing import Any

import numpy as np

from horotree.trees import Model

from .fit.attempt import Outcome
from .fit.survey import Agreement


def require_packages() -> None:
    """Raise unless what the extra brings is there, and say how to get it."""
    for name in ("dask", "distributed"):
        try:
            importlib.import_module(name)
        except ImportError as error:
            raise ImportError(
                f"horotree.distributed needs {name}, which is not installed: "
                'pip install "horotree[dask]".'
            ) from error


def has_dask() -> bool:
    """Tell whether anything can be a collection."""
    return "dask" in sys.modules


def make_stand_in(agreement: Agreement) -> Any:
    """Return a table with the columns of the collection, for what wants to see names."""
    import pandas as pd

    names = agreement.task.columns.feature_names
    return pd.DataFrame(columns=list(names)) if agreement.has_names else np.empty((1, len(names)))


def tell_workers(outcome: Outcome) -> dict[str, dict[str, Any]]:
    """Return what each worker had and took."""
    return {
        worker: {
            "rows": outcome.rows[worker],
            "seconds": report.seconds,
            "seconds_waiting": report.traffic.seconds,
            "bytes": report.traffic.n_bytes,
            "sums": report.traffic.n_sums,
            "decisions": report.traffic.n_decisions,
            "memory": report.memory["now"],
            "peak_memory": report.memory["peak"],
        }
        for worker, report in outcome.reports.items()
    }


def call_model(model: Model, what: str, rows: Any) -> Any:
    """Call a method of the model, on one thread: Dask has its own."""
    return getattr(model, what)(rows, 1)


def example_of(model: Model, what: str) -> Any:
    """Return what a method of the model gives for no rows."""
    n_classes = len(model.classes)
    if what == "predict":
        return np.empty(0, model.classes.dtype)
    if what == "score" and n_classes == 2:
        return np.empty(0)
    return np.empty((0, n_classes))


def count_right(model: Model, table: Any, y: Any, weight: Any) -> Any:
    """Return the weight of the rows whose class is predicted, and of all."""
    predicted = model.predict(table, 1)
    weights = np.ones(len(predicted)) if weight is None else np.asarray(weight, np.float64)
    return np.array([weights[predicted == np.asarray(y).ravel()].sum(), weights.sum()])
