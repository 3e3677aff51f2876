"""The splits of a tree of LightGBM, as ours."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.importers.errors import UnsupportedModelError
from horotree.importers.shared.documents import whole
from horotree.importers.shared.forest import LARGEST, MAX_CODES, Codes, check_codes, set_places

from .text import Fields, floats, whole_numbers

# LightGBM's kZeroThreshold, a float: numbers up to it count as 0.
ZERO = float(np.float32(1e-35))
BELOW_ZERO = float(np.nextafter(-ZERO, -np.inf))

# The arrays of a tree.
DTYPES: dict[str, type[Any]] = {
    "left": np.int64,
    "right": np.int64,
    "feature": np.int64,
    "threshold": np.float64,
    "missing_left": np.bool_,
    "set_size": np.int64,
    "codes": np.int32,
    "output": np.float64,
    "weight": np.float64,
    "count": np.int64,
}

# decision_type: two flags, and two bits for the kind of missing values.
CATEGORICAL, DEFAULT_LEFT = 1, 2
MISSING_NONE, MISSING_ZERO, MISSING_NAN = 0, 1, 2


def read_splits(fields: Fields, n: int) -> dict[str, NDArray[Any]]:
    """Return the n inner nodes of a tree: the arrays of a RawForest, but LightGBM's children."""
    if n == 0:  # their fields are empty or left out
        names = ("left", "right", "feature", "threshold", "missing_left", "set_size", "codes")
        return {name: np.empty(0, DTYPES[name]) for name in names}
    kind = whole_numbers(fields, "decision_type", n)
    by_set = (kind & CATEGORICAL) != 0
    given = floats(fields, "threshold", n)
    threshold, missing_left = _numeric_tests(np.where(by_set, 0.0, given), kind, ~by_set)
    set_size = np.zeros(n, np.int64)
    codes: Codes = np.empty(0, np.int32)
    if by_set.any():
        set_size, codes = _read_sets(fields, given, by_set)
        # A set without codes sends everything right; any set sends missing values right.
        threshold[by_set & (set_size == 0)] = -LARGEST
        missing_left &= ~by_set
    return {
        "left": whole_numbers(fields, "left_child", n),
        "right": whole_numbers(fields, "right_child", n),
        "feature": whole_numbers(fields, "split_feature", n),
        "threshold": threshold,
        "missing_left": missing_left,
        "set_size": set_size,
        "codes": codes,
    }


def _numeric_tests(
    s: Floats, kind: NDArray[np.int64], numeric: NDArray[np.bool_]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return thresholds, and where missing values go, for all that LightGBM takes for missing.

    Numbers next to 0 go where 0 goes. If zeros are missing and go against the test, left though
    the threshold is below them or right though it is above, no single threshold does it.
    """
    missing, default_left = (kind >> 2) & 3, (kind & DEFAULT_LEFT) != 0
    if np.isnan(s).any() or (missing > MISSING_NAN).any():
        raise ValueError("threshold and decision_type must be valid: the file is damaged.")
    near = np.abs(s) <= ZERO
    zero_left = np.where(missing == MISSING_ZERO, default_left, s >= 0.0)
    against = numeric & ~near & (zero_left != (s > 0.0))
    if against.any():
        raise UnsupportedModelError(
            "missing values must be NaN, got a split that sends zeros as missing values to one "
            "side and the numbers around them to the other: train with zero_as_missing=False."
        )
    threshold = np.where(near, np.where(zero_left, ZERO, BELOW_ZERO), s)
    return threshold, np.where(missing == MISSING_NAN, default_left, zero_left)


def _read_sets(
    fields: Fields, threshold: Floats, by_set: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], Codes]:
    """Return the size of each node's set, and the codes: bits of 32-bit words."""
    n_sets = whole(fields.get("num_cat"), "num_cat")
    words = whole_numbers(fields, "cat_threshold", None)
    ends = whole_numbers(fields, "cat_boundaries", None)
    good = len(ends) == n_sets + 1 and ends[0] == 0 and ends[-1] == len(words)
    if not good or (np.diff(ends) < 0).any() or ((words < 0) | (words >= 2**32)).any():
        raise ValueError("cat_boundaries must cut cat_threshold in parts: the file is damaged.")
    which = threshold[by_set]
    in_range = (which >= 0) & (which < n_sets)  # False for NaN
    if not in_range.all() or len(np.unique(which)) < len(which) or (which % 1.0).any():
        raise ValueError("every split by categories must have its own set: the file is damaged.")
    word, bits = np.flatnonzero(words), words[words != 0].astype("<u4")
    check_codes(int.from_bytes(bits.tobytes(), "little").bit_count())  # before there is one
    owner = np.searchsorted(ends, word, side="right") - 1
    first = 32 * (word - ends[owner])
    if first.max(initial=0) >= MAX_CODES:
        raise UnsupportedModelError(
            f"category codes must be from 0 to {MAX_CODES - 1}, got {int(first.max())} or more: "
            "train on fewer categories, or on hashed ones."
        )
    is_in = np.unpackbits(bits.view(np.uint8), bitorder="little")
    size = np.bincount(owner, is_in.reshape(-1, 32).sum(axis=1), n_sets).astype(np.int64)
    # Codes are many: all that is done with them is done in 32 bits.
    bit = np.flatnonzero(is_in).astype(np.int32)
    code = first.astype(np.int32)[bit >> 5] + (bit & 31)
    chosen = which.astype(np.int64)
    set_size = np.zeros(len(threshold), np.int64)
    set_size[by_set] = size[chosen]
    return set_size, code[set_places(size, chosen)]
