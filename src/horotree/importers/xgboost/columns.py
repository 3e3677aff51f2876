"""The columns of an XGBoost document: names, and the labels of categories."""

import warnings
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree.importers.shared.documents import get, items
from horotree.importers.shared.forest import MAX_LABELS, as_numbers, code_labels

# Without labels a file has only the categories that are in sets, not their number. Other codes need
# labels, too, or they would count as missing: XGBoost sends them where codes outside of the set go.
# The least number of labels, and the most in addition to those needed.
MIN_CODES = 1024
MORE_CODES = 2**16


def read_names(learner: Any, n_features: int) -> tuple[str, ...] | None:
    """Return the features' names; None if the model has none."""
    names = items(learner.get("feature_names", []), "feature_names")
    if not names:
        return None
    if len(names) != n_features or not all(isinstance(name, str) for name in names):
        raise ValueError(
            f"feature_names must be {n_features} texts, got {len(names)} entries: the file is "
            "damaged."
        )
    return tuple(names)


def read_categories(learner: Any, largest: NDArray[np.int64]) -> tuple[tuple[Any, ...] | None, ...]:
    """Return the labels of the features, given the largest code of each in a set.

    They are those of the training table if the file has them, else the codes.
    """
    types = items(learner.get("feature_types", []), "feature_types")
    known = _read_labels(learner, len(largest))
    needed: list[int | None] = []
    for j, code in enumerate(largest.tolist()):
        is_category = code >= 0 or (j < len(types) and types[j] == "c")
        fits = len(known[j]) > code
        needed.append(code + 1 if is_category and not (known[j] and fits) else None)
    sizes = [None if n is None else _enough(n) for n in needed]
    if sum(n or 0 for n in sizes) > MAX_LABELS:  # better fewer labels than no model
        sizes = needed
    codes = code_labels(sizes)
    return tuple(
        codes[j] if sizes[j] is not None else (known[j] or None) for j in range(len(largest))
    )


def _enough(n: int) -> int:
    """Return a power of two, which is four times as many or more, within bounds."""
    wanted = max(MIN_CODES, 4 << max(n - 1, 0).bit_length())
    return min(wanted, n + MORE_CODES)


def _read_labels(learner: Any, n_features: int) -> list[tuple[Any, ...]]:
    """Return the labels that a file of version 3.1 or later has; empty where it has none."""
    booster = get(learner, "gradient_booster")
    model = get(booster.get("gbtree", booster), "model")
    cats = model.get("cats")
    encodings = items(cats.get("enc", []), "cats") if isinstance(cats, dict) else []
    if not encodings:
        return [()] * n_features
    if len(encodings) != n_features:
        raise ValueError(f"cats must have {n_features} entries, got {len(encodings)}.")
    return [_decode_labels(encoding) for encoding in encodings]


def _decode_labels(encoding: Any) -> tuple[Any, ...]:
    """Return numbers as they are; texts are bytes, one after the other, with their ends."""
    values = get(encoding, "values")
    if "offsets" not in encoding:
        return tuple(as_numbers(values, "the labels of cats", kind=_kind(values)).tolist())
    raw = as_numbers(values, "the labels of cats", kind="i")
    ends = as_numbers(encoding["offsets"], "the offsets of cats", kind="i")
    if len(ends) < 2:
        return ()
    if ends[0] < 0 or ends[-1] > len(raw) or (np.diff(ends) < 0).any():
        raise ValueError("the offsets of cats must increase up to its bytes: the file is damaged.")
    data = (raw & 0xFF).astype(np.uint8).tobytes()
    if not data.isascii():
        # XGBoost counts characters where it should count bytes (3.2): labels are cut in parts.
        warnings.warn(
            "labels of categories that are not ASCII are damaged in XGBoost's models: pass tables "
            "with the codes of this column, 0 for the first label, in place of labels.",
            UserWarning,
            stacklevel=2,
        )
        return ()
    text = data.decode("ascii")
    return tuple(text[a:b] for a, b in pairwise(ends.tolist()))


def _kind(values: Any) -> str:
    return "f" if np.asarray(values).dtype.kind == "f" else "i"
