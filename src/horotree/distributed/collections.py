"""Dask collections as partitions: what to fit on, and predictions that wait to be computed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Partition:
    """The parts of X, y and the weights that belong together, not computed yet."""

    X: Any
    y: Any
    weight: Any  # None if there are none


def is_collection(value: Any) -> bool:
    """Tell whether a value is a Dask collection, or a list of delayed parts of one."""
    import dask

    return bool(dask.is_dask_collection(value)) or _is_delayed_list(value)


def split(X: Any, y: Any, sample_weight: Any = None) -> list[Partition]:
    """Return the partitions of a table, its labels and weights."""
    tables = _parts(X, "X", table=True)
    labels = _parts(_aligned(y, X, "y"), "y")
    weights: Sequence[Any] = [None] * len(tables)
    if sample_weight is not None:
        weights = _parts(_aligned(sample_weight, X, "sample_weight"), "sample_weight")
    for name, parts in (("y", labels), ("sample_weight", weights)):
        if len(parts) != len(tables):
            raise ValueError(
                f"X and {name} must have the same partitions, got {len(tables)} and {len(parts)}: "
                f"repartition or rechunk {name} as X is."
            )
    return [Partition(*parts) for parts in zip(tables, labels, weights, strict=True)]


def map_rows(X: Any, predict: Callable[[Any], Any], example: Any) -> Any:
    """Apply a function to the rows of each partition, later; ``example`` is what it gives for none.

    Returns
    -------
    dask array, or a list of delayed parts if X is one
    """
    import dask
    import dask.array as da

    waiting = dask.delayed(predict, pure=False)
    if _is_delayed_list(X):
        return [dask.delayed(_apply)(waiting, part) for part in X]
    if _is_array(X):
        X = _one_block_wide(X)
        options = (
            {"drop_axis": 1} if example.ndim == 1 else {"chunks": (X.chunks[0], example.shape[1:])}
        )
        return da.map_blocks(
            _apply_block, X, function=waiting, dtype=example.dtype, meta=example, **options
        )
    parts = [dask.delayed(_apply)(waiting, part) for part in X.to_delayed()]
    shape = (np.nan, *example.shape[1:])
    return da.concatenate(
        [da.from_delayed(part, shape, dtype=example.dtype, meta=example) for part in parts],
        allow_unknown_chunksizes=True,
    )


def _apply(predict: Callable[[Any], Any], rows: Any) -> Any:
    return predict(rows)


def _apply_block(rows: Any, function: Callable[[Any], Any]) -> Any:
    return function(rows)


def _is_delayed_list(value: Any) -> bool:
    from dask.delayed import Delayed

    return (
        isinstance(value, list | tuple)
        and len(value) > 0
        and all(isinstance(part, Delayed) for part in value)
    )


def _is_array(value: Any) -> bool:
    import dask.array as da

    return isinstance(value, da.Array)


def _one_block_wide(X: Any) -> Any:
    if X.ndim != 2:
        raise ValueError(
            f"X must have two dimensions, got shape {X.shape}: X.reshape(-1, 1) for one feature."
        )
    return X.rechunk({1: -1}) if X.numblocks[1] > 1 else X


def _aligned(values: Any, X: Any, name: str) -> Any:
    """Return labels or weights in the chunks of X, if both have chunks whose sizes are known."""
    if not (_is_array(values) and _is_array(X)):
        return values
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"{name} must have one dimension, got shape {values.shape}.")
    sizes, wanted = values.chunks[0], X.chunks[0]
    if np.isnan(sum(sizes)) or np.isnan(sum(wanted)) or sizes == wanted:
        return values
    if sum(sizes) != sum(wanted):
        raise ValueError(
            f"X and {name} must have one length, got {sum(wanted)} and {sum(sizes)} rows."
        )
    return values.rechunk((wanted,))


def _parts(values: Any, name: str, *, table: bool = False) -> list[Any]:
    if _is_delayed_list(values):
        return list(values)
    if not is_collection(values):
        raise TypeError(
            f"{name} must be a Dask DataFrame, Series or Array, or a list of delayed partitions, "
            f"got {type(values).__name__}: wrap it (dask.array.from_array, "
            "dask.dataframe.from_pandas), or use horotree.LogisticBoostClassifier."
        )
    if table and _is_array(values):
        values = _one_block_wide(values)
    if not hasattr(values, "to_delayed"):
        raise TypeError(
            f"{name} must be a Dask DataFrame, Series or Array, or a list of delayed partitions, "
            f"got {type(values).__name__}: convert it, or pass a list of its parts."
        )
    return list(np.asarray(values.to_delayed(), dtype=object).ravel())
