"""The columns of LightGBM's text: which have categories, and their labels."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree.importers.shared.forest import MAX_CODES, code_labels

from .text import ModelText


def read_categories(
    text: ModelText, largest: NDArray[np.int64]
) -> tuple[tuple[Any, ...] | None, ...]:
    """Return the labels of the features, given the largest code of each in a set.

    They are those of the training data frame if the file has them, else the codes. A label that is
    not among them is missing in our models, and goes right as it does in LightGBM.
    """
    infos = text.header.get("feature_infos", "").split()
    seen = [_largest_code(info) for info in infos] + [-1] * (len(largest) - len(infos))
    codes = np.maximum(largest, np.array(seen[: len(largest)], np.int64))
    columns = _labeled_columns(text, np.flatnonzero(codes >= 0).tolist(), len(largest))
    labels: dict[int, Any] = dict(zip(columns, text.labels, strict=True)) if columns else {}
    for j, known in labels.items():
        if len(known) <= largest[j]:
            raise ValueError(
                f"pandas_categorical must have a label for code {int(largest[j])} of feature {j}, "
                f"got {len(known)}: the file is damaged."
            )
    sizes = [None if code < 0 or j in labels else code + 1 for j, code in enumerate(codes.tolist())]
    plain = code_labels(sizes)
    return tuple(tuple(labels[j]) if j in labels else plain[j] for j in range(len(largest)))


def _largest_code(info: str) -> int:
    """Return the largest category that a feature's information lists; -1 for a numeric one."""
    if info.startswith("[") or info == "none":
        return -1
    try:
        code = max(map(int, info.split(":")))
    except ValueError:
        return -1
    return code if code < MAX_CODES else -1


def _labeled_columns(text: ModelText, with_codes: list[int], n_features: int) -> list[int]:
    """Return which features the lists of labels belong to; none if that is not known."""
    n = len(text.labels)
    if n == 0:
        return []
    given = text.parameters.get("categorical_feature", "").split(",")
    if all(number.isascii() and number.isdigit() and len(number) < 10 for number in given):
        listed = sorted(set(map(int, given)))
        if len(listed) == n and listed[-1] < n_features:
            return listed
    if len(with_codes) == n:
        return with_codes
    warnings.warn(
        f"the model has labels of {n} columns, but {len(with_codes)} features with categories: "
        "pass tables with codes, 0 for the first label, in place of labels.",
        UserWarning,
        stacklevel=2,
    )
    return []
