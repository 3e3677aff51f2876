"""The data specification of YDF: columns, the labels of their categories, and the classes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree.importers.errors import UnsupportedModelError
from horotree.importers.formats.protobuf import Message
from horotree.importers.shared.forest import MAX_CODES, code_labels
from horotree.trees.tables import check_class_texts

# ColumnType: those that a table can have, and what others are.
NUMERICAL, CATEGORICAL, BOOLEAN, DISCRETIZED = 1, 4, 7, 9
OTHER_TYPES = {
    0: "unknown",
    2: "sets of numbers",
    3: "lists of numbers",
    5: "sets of categories",
    6: "lists of categories",
    8: "texts",
    10: "hashes",
    11: "sequences of vectors",
}

# DType: of what kind the column was in training.
_WHOLE_TYPES = range(1, 9)
_BOOL_TYPE = 12

# Category 0 is for everything that is not in the dictionary.
OUT_OF_DICTIONARY = "<OOD>"

_MAX_COLUMNS = 2**20
_MAX_CLASSES = 2**14


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column: its type, and its categories or the bounds of its bins if known.

    ``missing_bin`` is the bin of the mean, which missing values have; None if it is not known.
    """

    name: str
    kind: int
    n_categories: int
    labels: tuple[Any, ...] | None
    bounds: NDArray[np.float64]
    missing_bin: int | None = None


def read_columns(spec: Message) -> list[Column]:
    """Return all columns of the training table."""
    columns = spec.chunks(1)
    if len(columns) > _MAX_COLUMNS:
        raise UnsupportedModelError(
            f"a table may have up to {_MAX_COLUMNS} columns, got {len(columns)}."
        )
    return [_read_column(Message(column)) for column in columns]


def _read_column(column: Message) -> Column:
    kind, name = column.whole(1), column.text(2)
    n_categories, labels = 0, None
    if kind == CATEGORICAL:
        categorical = column.message(6)
        n_categories = categorical.whole(2)
        if not 0 <= n_categories <= MAX_CODES:
            raise UnsupportedModelError(
                f"column {name!r} may have up to {MAX_CODES} categories, got {n_categories}: "
                "train with a smaller max_vocab_count."
            )
        if not categorical.whole(5):
            labels = _read_labels(categorical, n_categories, column.whole(12), name)
        elif categorical.whole(8):  # values were made one larger, for category 0 is not theirs
            labels = (OUT_OF_DICTIONARY, *range(n_categories - 1))
    bounds = np.array(column.message(8).floats(1), np.float64)
    if np.isnan(bounds).any() or (np.diff(bounds) < 0.0).any():
        raise ValueError(f"the bins of column {name!r} must increase: the file is damaged.")
    mean = b"".join(column.message(5).chunks(1)[-1:])  # a double
    missing_bin = None
    if len(mean) == 8:
        missing_bin = int(np.searchsorted(bounds, np.frombuffer(mean, "<f8")[0], "right"))
    return Column(name, kind, n_categories, labels, bounds, missing_bin)


def _read_labels(categorical: Message, n: int, dtype: int, name: str) -> tuple[Any, ...]:
    """Return the label of each category, as it was in the training table."""
    texts: dict[int, str] = {}
    items = categorical.chunks(7)
    for item in map(Message, items):
        texts[item.message(2).whole(1)] = item.text(1)
    if len(texts) != n or len(items) != n or not all(0 <= code < n for code in texts):
        raise ValueError(
            f"column {name!r} must have labels for its {n} categories, got {len(texts)}: the file "
            "is damaged."
        )
    found = [texts[code] for code in range(n)]
    if dtype == _BOOL_TYPE and set(found[1:]) <= {"false", "true"}:
        return (*found[:1], *(text == "true" for text in found[1:]))
    if dtype in _WHOLE_TYPES and all(map(_is_whole, found[1:])):
        return (*found[:1], *map(int, found[1:]))
    return tuple(found)


def _is_whole(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= 18 and str(int(text)) == text


def read_features(columns: list[Column], header: Message) -> list[int]:
    """Return which columns the model reads, in its order."""
    features = header.wholes(5)
    for j in features:
        if not 0 <= j < len(columns):
            raise ValueError(
                f"a feature must be one of {len(columns)} columns, got {j}: the file is damaged."
            )
        kind = columns[j].kind
        if kind not in (NUMERICAL, CATEGORICAL, BOOLEAN, DISCRETIZED):
            raise UnsupportedModelError(
                "features must be numbers, booleans or categories, got "
                f"{OTHER_TYPES.get(kind, 'another type')} in column {columns[j].name!r}: train "
                "without it."
            )
    if len(set(features)) < len(features):
        raise ValueError("the features of a model must differ: the file is damaged.")
    return features


def read_categories(columns: list[Column], kept: list[bool]) -> list[tuple[Any, ...] | None]:
    """Return the labels of each column, None for numbers.

    Columns that had codes in training have them as labels. Category 0 of a dictionary has a label
    only if it is kept.
    """
    sizes = [column.n_categories if column.kind == CATEGORICAL else None for column in columns]
    labels: list[tuple[Any, ...] | None] = []
    for column, codes, all_of_them in zip(columns, code_labels(sizes), kept, strict=True):
        known = column.labels
        labels.append(codes if known is None else known if all_of_them else known[1:])
    return labels


def read_classes(columns: list[Column], header: Message) -> NDArray[Any]:
    """Return the classes in the order of YDF.

    They are texts, whole numbers or booleans, as they were in training.
    """
    place = header.whole(3)
    if not 0 <= place < len(columns) or columns[place].kind != CATEGORICAL:
        raise ValueError(f"the label must be a column of categories, got {place}: damaged.")
    label = columns[place]
    n_classes = label.n_categories - 1
    if not 2 <= n_classes <= _MAX_CLASSES:
        raise UnsupportedModelError(
            f"a model must have 2 to {_MAX_CLASSES} classes, got {n_classes}: train it on others."
        )
    known = label.labels or tuple(range(label.n_categories))
    check_class_texts(known[1:])
    return np.array(known[1:])
