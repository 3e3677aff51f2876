"""Covers are counts in boosting, weights in forests, and nothing where neither is known."""

import dataclasses

import numpy as np
import pytest

from horotree.trees import Ensemble, Model, Steps
from horotree.viewer.covers import find_cover, leaf_covers
from tests.factories import stump

STUMP = stump([0.5, 0.25, 0.75], missing_left=True, weight=[3.0, 2.0, 1.0], count=[6, 4, 2])
NO_WEIGHT = dataclasses.replace(STUMP, weight=np.full(3, np.nan))
NO_COUNT = dataclasses.replace(STUMP, count=np.full(3, -1))


def model_of(*trees, link="logistic"):
    n = len(trees)
    ensemble = Ensemble(trees, np.full(n, 1.0 / max(n, 1)), np.full(n, np.nan), 0.0)
    return Model((ensemble,), link, ["no", "yes"], ("size",), (None,), "float64")


@pytest.mark.parametrize(
    ("trees", "link", "expected"),
    [
        ([STUMP], "logistic", "count"),
        ([STUMP], "mean", "weight"),
        ([NO_WEIGHT], "mean", "count"),
        ([NO_COUNT], "logistic", "weight"),
        ([STUMP, NO_COUNT], "logistic", "weight"),
        ([NO_WEIGHT, NO_COUNT], "logistic", None),
        ([dataclasses.replace(NO_COUNT, weight=np.zeros(3))], "logistic", None),
        ([], "logistic", "count"),
    ],
)
def test_all_trees_have_the_same_kind_of_cover(trees, link, expected):
    assert find_cover(model_of(*trees, link=link)) == expected


@pytest.mark.parametrize(("weights", "expected"), [("rows", "weight"), ("hessians", "count")])
def test_weights_of_boosting_are_covers_if_they_are_of_rows(weights, expected):
    model = dataclasses.replace(model_of(STUMP), value_kind="margin", steps=Steps(weights=weights))
    assert find_cover(model) == expected


def test_covers_are_those_of_leaves_in_the_order_of_nodes():
    model = model_of(STUMP, STUMP)
    assert leaf_covers(model, "count").tolist() == [4.0, 2.0, 4.0, 2.0]
    assert leaf_covers(model, "weight").tolist() == [2.0, 1.0, 2.0, 1.0]
