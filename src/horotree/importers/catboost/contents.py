"""The contents of a model file: one form for both of CatBoost's formats."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.importers.errors import UnsupportedModelError
from horotree.importers.shared.documents import parse_json

# What all classes have together. So many nodes take two gigabytes.
MAX_NODES = 2**23
MAX_TREES = 2**20
MAX_SCORES = 2**14

# CatBoost grows symmetric trees up to depth 16.
MAX_SYMMETRIC_DEPTH = 24


@dataclass(frozen=True, slots=True, eq=False)
class FloatFeature:
    """A column of numbers: its place in the table, its name or "", and its borders."""

    place: int
    name: str
    borders: Floats
    missing_left: bool


@dataclass(frozen=True, slots=True, eq=False)
class CatFeature:
    """A column of categories: its place, its name or "", and the hashes that splits compare with.

    Labels are those of the hashes; empty if the file does not have them.
    """

    place: int
    name: str
    hashes: NDArray[np.int64]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Skeleton:
    """The nodes of all trees, without their numbers.

    Children are counted through all trees, and are -1 at leaves. Split is the number of an inner
    node's split among all splits, leaf the number of a leaf among all leaves; -1 elsewhere. The
    right child is where CatBoost goes if the split's condition holds.
    """

    start: NDArray[np.int64]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    split: NDArray[np.int64]
    leaf: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """A model: splits are numbered through all borders, then through all hashes.

    The columns ``cats`` with splits are in the order of their splits. ``values`` has a row a leaf,
    and a column a score: one for two classes, else one a class. A score is the sum of its leaves
    times ``scale``, plus its ``bias``. ``weights`` are those of training, NaN if the file has none.
    ``info`` describes the training, as text or documents.
    """

    floats: list[FloatFeature]
    cats: list[CatFeature]
    skeleton: Skeleton
    values: Floats
    weights: Floats
    scale: float
    bias: Floats
    info: dict[str, Any]

    def __post_init__(self) -> None:
        n_leaves, n_scores = self.values.shape
        weights = self.weights if len(self.weights) else np.full(n_leaves, np.nan)
        # Of the many NaNs the one that warns of nothing.
        object.__setattr__(self, "weights", np.where(np.isnan(weights), np.nan, weights))
        if len(self.weights) != n_leaves or len(self.bias) != n_scores:
            raise ValueError(
                f"there must be weights of {n_leaves} leaves and {n_scores} biases, got "
                f"{len(self.weights)} and {len(self.bias)}: the file is damaged."
            )
        if not np.isfinite([self.scale, *self.bias]).all():
            raise ValueError(
                f"scale and bias must be finite, got {self.scale} and {self.bias}: the file is "
                "damaged."
            )


def as_document(info: dict[str, Any], name: str) -> dict[str, Any]:
    """Return what the model's information has under a name; files have it as text, too."""
    value = info.get(name)
    if isinstance(value, str):
        value = parse_json(value, name) if value.strip() else None
    return value if isinstance(value, dict) else {}


def make_borders(borders: NDArray[Any], name: str) -> Floats:
    """Return the borders of a feature as float32 numbers; raise unless they increase."""
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = np.asarray(borders, np.float64).astype(np.float32).astype(np.float64)
    if not np.isfinite(rounded).all() or (np.diff(rounded) < 0.0).any():
        raise ValueError(f"the borders of feature {name!r} must increase: the file is damaged.")
    return rounded


def check_size(n_trees: int, n_nodes: int, n_scores: int) -> None:
    """Raise if there are too many nodes or trees."""
    for n, most, what in ((n_nodes, MAX_NODES, "nodes"), (n_trees, MAX_TREES, "trees")):
        if n * n_scores > most or n_scores > MAX_SCORES:
            raise UnsupportedModelError(
                f"a model may have up to {most} {what} and {MAX_SCORES} classes, got {n} {what} "
                f"for each of {n_scores} scores: train fewer or shallower trees."
            )


def refuse_features(kind: str) -> UnsupportedModelError:
    """Return the error for a model whose trees test more than the columns of its table."""
    fix = {
        "ctr": "set one_hot_max_size to the number of categories or more, or train on columns that "
        "are one-hot encoded",
        "text": "train on numbers made from the text",
        "embedding": "train on the embedding's entries as columns",
        "estimated": "train on numbers made from texts and embeddings",
    }[kind]
    got = {
        "ctr": "statistics of the target by category (CTR)",
        "text": "text features",
        "embedding": "embedding features",
        "estimated": "features estimated from texts or embeddings",
    }[kind]
    return UnsupportedModelError(f"trees must test columns of the table, got {got}: {fix}.")
