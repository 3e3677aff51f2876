"""Predictions for the rows of Dask collections, computed on the workers."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from horotree._checks import Floats
from horotree.trees import Model

from .partitions import is_array, is_delayed_list, one_block_wide


def predict_later(model: Model, method: str, X: Any) -> Any:
    """Return the lazy predictions of a method of the model: a dask array, or a list for a list."""
    import dask
    import dask.array as da

    function = dask.delayed(partial(_call, model, method), pure=False)
    empty = _empty_result(model, method)
    if is_delayed_list(X):
        return [dask.delayed(_apply)(function, part) for part in X]
    if is_array(X):
        X = one_block_wide(X)
        options = (
            {"drop_axis": 1} if empty.ndim == 1 else {"chunks": (X.chunks[0], empty.shape[1:])}
        )
        return da.map_blocks(
            _apply_block, X, function=function, dtype=empty.dtype, meta=empty, **options
        )
    parts = [dask.delayed(_apply)(function, part) for part in X.to_delayed()]
    shape = (np.nan, *empty.shape[1:])
    return da.concatenate(
        [da.from_delayed(part, shape, dtype=empty.dtype, meta=empty) for part in parts],
        allow_unknown_chunksizes=True,
    )


def weigh_right(model: Model, table: Any, y: Any, weight: Any) -> Floats:
    """Return the weight of the rows whose class is predicted, and of all rows."""
    predicted = model.predict(table, n_jobs=1)
    weights = np.ones(len(predicted)) if weight is None else np.asarray(weight, np.float64)
    return np.array([weights[predicted == np.asarray(y).ravel()].sum(), weights.sum()])


def _call(model: Model, method: str, rows: Any) -> Any:
    """Call a method of the model on one thread: Dask runs several tasks at a time."""
    return getattr(model, method)(rows, n_jobs=1)


def _empty_result(model: Model, method: str) -> Any:
    """Return what a method of the model gives for no rows."""
    if method == "predict":
        return np.empty(0, model.classes.dtype)
    if method == "score" and len(model.classes) == 2:
        return np.empty(0)
    return np.empty((0, len(model.classes)))


def _apply(function: Callable[[Any], Any], rows: Any) -> Any:
    return function(rows)


def _apply_block(rows: Any, function: Callable[[Any], Any]) -> Any:
    return function(rows)
