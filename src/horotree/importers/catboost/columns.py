"""The columns of a model of CatBoost: names, labels, and the splits of trees as tests of them.

A split by a number holds iff ``float32(x) > border``: what does not hold goes left, as with us. A
split by a category holds iff its hash is the split's: the category goes left, all else right.
"""

import re
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.importers.errors import UnsupportedModelError
from horotree.importers.shared.forest import RawForest, join_ranges

from .contents import CatFeature, Contents, FloatFeature

# Columns that a file does not list; CatBoost lists those that it ignores, too.
MAX_UNLISTED = 2**16

_WHOLE = re.compile(r"-?[1-9][0-9]{0,17}|0")


@dataclass(frozen=True, slots=True, eq=False)
class _Splits:
    """What each split tests: a column, and a border or a set of codes."""

    feature: NDArray[np.int64]
    threshold: Floats
    missing_left: NDArray[np.bool_]
    first_code: NDArray[np.int64]
    n_codes: NDArray[np.int64]


def read_columns(contents: Contents) -> tuple[tuple[str, ...], tuple[tuple[Any, ...] | None, ...]]:
    """Return names and labels of the columns: their numbers as names if they have none."""
    listed: list[FloatFeature | CatFeature] = [*contents.floats, *contents.cats]
    places = [feature.place for feature in listed]
    n = max(places, default=-1) + 1
    if len(set(places)) < len(places) or n > len(places) + MAX_UNLISTED:
        raise ValueError("every feature must be a column of its own: the file is damaged.")
    names = [str(j) for j in range(n)]
    categories: list[tuple[Any, ...] | None] = [None] * n
    for feature in listed:
        names[feature.place] = feature.name or names[feature.place]
    for cat in contents.cats:
        categories[cat.place] = tuple(label for each in _labels(cat) for label in each)
    return tuple(names), tuple(categories)


def _labels(cat: CatFeature) -> list[tuple[Any, ...]]:
    """Return the labels of each hash: CatBoost takes numbers for their text, so either is meant."""
    return [(label, int(label)) if _WHOLE.fullmatch(label) else (label,) for label in cat.labels]


def build_forest(contents: Contents) -> RawForest:
    """Return the trees with the tests of their nodes; outputs are the numbers of leaves."""
    skeleton, splits = contents.skeleton, _number_splits(contents)
    inner = skeleton.left >= 0
    split = skeleton.split[inner]
    outside = (split < 0) | (split >= len(splits.feature))
    if outside.any():
        raise ValueError(
            f"a split must be one of {len(splits.feature)}, got {split[outside][0]}: the file is "
            "damaged."
        )
    n_codes = _spread(splits.n_codes[split], inner, 0)
    by_set = n_codes > 0
    first = splits.first_code[skeleton.split[by_set]]
    leaf = np.maximum(skeleton.leaf, 0)
    return RawForest(
        start=skeleton.start,
        left=np.where(by_set, skeleton.right, skeleton.left),
        right=np.where(by_set, skeleton.left, skeleton.right),
        feature=_spread(splits.feature[split], inner, -1),
        threshold=_spread(splits.threshold[split], inner, 0.0),
        missing_left=_spread(splits.missing_left[split], inner, False),
        set_size=n_codes,
        codes=join_ranges(first, n_codes[by_set]),
        output=leaf.astype(np.float64),
        weight=np.where(inner, 0.0, contents.weights[leaf]),
        count=np.full(len(inner), -1, np.int64),
    )


def _spread(values: NDArray[Any], inner: NDArray[np.bool_], other: Any) -> NDArray[Any]:
    """Return the values of inner nodes at their places, and another elsewhere."""
    full = np.full(len(inner), other, values.dtype)
    full[inner] = values
    return full


def _number_splits(contents: Contents) -> _Splits:
    """Return all splits as CatBoost numbers them: all borders, then all hashes."""
    sizes = [len(feature.borders) for feature in contents.floats]
    n_hashes = [len(cat.hashes) for cat in contents.cats]
    unlabeled = [cat for cat in contents.cats if len(cat.labels) < len(cat.hashes)]
    if unlabeled:
        raise UnsupportedModelError(
            "splits by categories must have their labels, got only hashes of feature "
            f"{unlabeled[0].name or unlabeled[0].place!r}: save the model with its labels, "
            "save_model(path, format='json', pool=Pool(X, cat_features=...)), and pass the path; "
            "or train on columns that are one-hot encoded."
        )
    n_codes = [len(labels) for cat in contents.cats for labels in _labels(cat)]
    first = []
    for cat in contents.cats:
        first += [0, *accumulate(len(labels) for labels in _labels(cat))][: len(cat.hashes)]
    zeros, total = np.zeros(sum(sizes), np.int64), sum(n_hashes)
    places = [feature.place for feature in contents.floats] + [cat.place for cat in contents.cats]
    return _Splits(
        feature=np.repeat(np.array(places, np.int64), sizes + n_hashes),
        threshold=np.concatenate(
            [np.empty(0), *(feature.borders for feature in contents.floats), np.zeros(total)]
        ),
        missing_left=np.concatenate(
            [
                np.repeat(np.array([f.missing_left for f in contents.floats], np.bool_), sizes),
                np.zeros(total, np.bool_),
            ]
        ),
        first_code=np.concatenate([zeros, np.array(first, np.int64)]),
        n_codes=np.concatenate([zeros, np.array(n_codes, np.int64)]),
    )
