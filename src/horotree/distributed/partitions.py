"""Dask collections as partitions of X, y and the weights."""

import importlib
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Partition:
    """The parts of X, y and the weights with the same rows, not computed yet."""

    X: Any
    y: Any
    weight: Any  # None if there are none


def require_packages() -> None:
    """Raise unless the packages of the extra are installed; say how to get them."""
    for name in ("dask", "distributed"):
        try:
            importlib.import_module(name)
        except ImportError as error:
            raise ImportError(
                f"horotree.distributed needs {name}, which is not installed: "
                'pip install "horotree[dask]".'
            ) from error


def is_collection(value: Any) -> bool:
    """Return whether a value is a Dask collection, or a list of delayed parts of one."""
    if "dask" not in sys.modules:
        return False
    import dask

    return bool(dask.is_dask_collection(value)) or is_delayed_list(value)


def split(X: Any, y: Any, sample_weight: Any = None) -> list[Partition]:
    """Return the partitions of a table, its labels and weights."""
    tables = _parts(X, "X", table=True)
    labels = _parts(_aligned(y, X, "y"), "y")
    weights: list[Any] = [None] * len(tables)
    if sample_weight is not None:
        weights = _parts(_aligned(sample_weight, X, "sample_weight"), "sample_weight")
    for name, parts in (("y", labels), ("sample_weight", weights)):
        if len(parts) != len(tables):
            raise ValueError(
                f"X and {name} must have the same partitions, got {len(tables)} and {len(parts)}: "
                f"repartition or rechunk {name} as X is."
            )
    return [Partition(*parts) for parts in zip(tables, labels, weights, strict=True)]


def is_delayed_list(value: Any) -> bool:
    """Return whether a value is a list of delayed parts."""
    from dask.delayed import Delayed

    return (
        isinstance(value, list | tuple)
        and len(value) > 0
        and all(isinstance(part, Delayed) for part in value)
    )


def is_array(value: Any) -> bool:
    """Return whether a value is a Dask array."""
    import dask.array as da

    return isinstance(value, da.Array)


def one_block_wide(X: Any) -> Any:
    """Return a table in blocks that hold whole rows."""
    if X.ndim != 2:
        raise ValueError(
            f"X must have two dimensions, got shape {X.shape}: X.reshape(-1, 1) for one feature."
        )
    return X.rechunk({1: -1}) if X.numblocks[1] > 1 else X


def _aligned(values: Any, X: Any, name: str) -> Any:
    """Return labels or weights in the chunks of X, if both have chunks whose sizes are known."""
    if not (is_array(values) and is_array(X)):
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
    if is_delayed_list(values):
        return list(values)
    if not is_collection(values):
        raise TypeError(
            f"{name} must be a Dask DataFrame, Series or Array, or a list of delayed partitions, "
            f"got {type(values).__name__}: wrap it (dask.array.from_array, "
            "dask.dataframe.from_pandas), or use horotree.LogisticBoostClassifier."
        )
    if table and is_array(values):
        values = one_block_wide(values)
    if not hasattr(values, "to_delayed"):
        raise TypeError(
            f"{name} must be a Dask DataFrame, Series or Array, or a list of delayed partitions, "
            f"got {type(values).__name__}: convert it, or pass a list of its parts."
        )
    return list(np.asarray(values.to_delayed(), dtype=object).ravel())
