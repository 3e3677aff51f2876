"""CatBoost's JSON files, with numbers of 17 digits: enough for every bit."""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.importers.errors import UnsupportedModelError
from horotree.importers.shared.documents import get, items, parse_json, whole
from horotree.importers.shared.forest import as_numbers

from .contents import (
    CatFeature,
    Contents,
    FloatFeature,
    Skeleton,
    as_document,
    check_size,
    make_borders,
    refuse_features,
)
from .trees import grow_symmetric, read_flat, read_nested

# The keys of a document, one of which comes first.
_FIRST = re.compile(
    rb'\s*\{\s*"(ctr_data|features_info|model_info|oblivious_trees|scale_and_bias|trees)"\s*:'
)

_REFUSED = {"ctrs": "ctr", "text_features": "text", "embedding_features": "embedding"}
_REFUSED |= {"estimated_features": "estimated"}


def starts_well(head: bytes) -> bool:
    """Tell by its first bytes whether a file is JSON of CatBoost."""
    return _FIRST.match(head) is not None


def parse(text: str) -> Contents:
    """Read what ``save_model`` writes with format="json"; raise ValueError if it is not that."""
    document = parse_json(text, "the file")
    features = as_document({"features_info": get(document, "features_info")}, "features_info")
    for key, kind in _REFUSED.items():
        if features.get(key):
            raise refuse_features(kind)
    skeleton, values, weights = _read_trees(document)
    scale, bias = _read_scale(document.get("scale_and_bias"), values.shape[1])
    return Contents(
        floats=[_read_float(each) for each in _entries(features, "float_features")],
        cats=_read_cats(features),
        skeleton=skeleton,
        values=values,
        weights=weights,
        scale=scale,
        bias=bias,
        info=as_document(document, "model_info"),
    )


def _entries(features: dict[str, Any], key: str) -> list[Any]:
    return items(features.get(key) or [], key)


def _read_trees(document: dict[str, Any]) -> tuple[Skeleton, Floats, Floats]:
    """Return the trees, and the values (a column a class) and the weights of their leaves."""
    if "oblivious_trees" in document:
        trees = items(document["oblivious_trees"] or [], "oblivious_trees")
        sizes, splits, leaves, masses = read_flat(trees)
        flat = as_numbers(leaves, "leaf_values")
        n_leaves = sum(2 ** min(size, 64) for size in sizes.tolist())
        n_classes = max(len(flat) // max(n_leaves, 1), 1)
        numbers = as_numbers(splits, "split_index", kind="i")
        skeleton = grow_symmetric(sizes, numbers, len(flat), n_classes)
        values = flat.reshape(-1, n_classes)
    else:
        trees = items(get(document, "trees") or [], "trees")
        skeleton, leaves, masses = read_nested(trees)
        values = _stack(leaves)
        check_size(len(trees), len(skeleton.left), values.shape[1])
    return skeleton, values, _read_weights(masses)


def _stack(leaves: list[Any]) -> Floats:
    """Return the values of leaves, of which each is a number or a list of them."""
    rows = [leaf if isinstance(leaf, list) else [leaf] for leaf in leaves]
    n_classes = max(len(rows[0]), 1) if rows else 1
    if any(len(row) != n_classes for row in rows):
        raise ValueError("all leaves must have as many values: the file is damaged.")
    return as_numbers([x for row in rows for x in row], "value").reshape(-1, n_classes)


def _read_weights(masses: list[Any]) -> Floats:
    """Return the weights of leaves; none if one is not there."""
    if any(mass is None for mass in masses):
        return np.empty(0)
    return as_numbers(masses, "leaf_weights")


def _read_scale(value: Any, n_classes: int) -> tuple[float, NDArray[np.float64]]:
    """Return scale and bias; old files have one bias, older ones none."""
    if value is None:
        return 1.0, np.zeros(n_classes)
    pair = items(value, "scale_and_bias")
    if len(pair) != 2:
        raise ValueError(f"scale_and_bias must be two, got {len(pair)}: the file is damaged.")
    given = pair[1] if isinstance(pair[1], list) else [pair[1]] * n_classes
    bias = as_numbers(given, "the bias")
    if given is not pair[1] and bias.any():
        raise UnsupportedModelError(
            "the bias must be a list, got one number, which CatBoost itself no longer reads: save "
            "the model with the ending .cbm in the CatBoost that wrote it."
        )
    return float(as_numbers([pair[0]], "the scale")[0]), bias


def _name(feature: Any) -> str:
    for key in ("feature_id", "feature_name"):
        name = feature.get(key)
        if isinstance(name, str) and name:
            return name
    return ""


def _place(feature: Any) -> int:
    return whole(get(feature, "flat_feature_index"), "flat_feature_index", 0, 2**20)


def _read_float(feature: Any) -> FloatFeature:
    place, name = _place(feature), _name(feature)
    borders = as_numbers(items(feature.get("borders") or [], "borders"), "borders")
    as_true = feature.get("has_nans") is True and feature.get("nan_value_treatment") == "AsTrue"
    return FloatFeature(place, name, make_borders(borders, name or str(place)), not as_true)


def _read_cats(features: dict[str, Any]) -> list[CatFeature]:
    """Return the columns of categories, with the labels of a pool that was saved with the model."""
    known = {}
    for pair in _entries(features, "cat_features_hash"):
        number, label = whole(get(pair, "hash"), "hash", -(2**31), 2**32 - 1), get(pair, "value")
        if isinstance(label, str):
            known[number % 2**32] = label
    found = []
    for feature in _entries(features, "categorical_features"):
        place = _place(feature)
        hashes = as_numbers(items(feature.get("values") or [], "values"), "values", kind="i")
        labels = items(feature.get("string_values") or [], "string_values")
        if not labels:
            labels = [known.get(number % 2**32) for number in hashes.tolist()]
        texts = tuple(label for label in labels if isinstance(label, str))
        found.append(CatFeature(place, _name(feature), hashes, texts))
    return found
