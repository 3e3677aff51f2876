"""Rows of data as a model reads them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from horotree._checks import Floats
from horotree.trees import Model
from horotree.trees.tables import Places, find_places

# Indices of trees, by the index of their ensemble.
Chosen = Mapping[int, Sequence[int]]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Rows of a table: the matrix that a model reads, and the index of each row's class."""

    X: Floats
    place: Places

    def __len__(self) -> int:
        return len(self.X)


def read_rows(model: Model, X: Any, y: Any, purpose: str) -> Rows:
    """Return the rows of a table with their classes; raise if there are none."""
    matrix = read_matrix(model, X, purpose)
    return Rows(matrix, find_places(y, model.classes, len(matrix)))


def read_rows_if_given(model: Model, X: Any, y: Any, purpose: str) -> Rows | None:
    """Return the rows of a table, or None without X and y; raise if only one is given."""
    if (X is None) != (y is None):
        given, other = ("X", "y") if y is None else ("y", "X")
        raise ValueError(f"X and y belong together, got {given} only: pass {other}, too.")
    return None if X is None else read_rows(model, X, y, purpose)


def read_matrix(model: Model, X: Any, purpose: str) -> Floats:
    """Return a table as the matrix that a model reads; raise if it has no rows."""
    matrix = model.to_matrix(X)
    if not len(matrix):
        raise ValueError(f"X must have rows to {purpose}, got none: pass some.")
    return matrix
