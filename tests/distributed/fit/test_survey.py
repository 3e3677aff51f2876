"""What partitions hold together: the same as one table with all their rows."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horotree.distributed.fit.survey import join_surveys, make_task, survey
from horotree.training import find_bins
from horotree.trees import Columns
from tests.distributed.data import table


def look(parts, labels=None, weights=None, *, categorical_features="from_dtype", groups=1):
    """Survey parts, join them in groups, and join these."""
    labels = labels or [np.arange(len(part)) % 2 for part in parts]
    weights = weights or [None] * len(parts)
    found = [
        survey(i, *part, categorical_features=categorical_features, exact=True)
        for i, part in enumerate(zip(parts, labels, weights, strict=True))
    ]
    size = -(-len(found) // groups)
    joined = [join_surveys(found[i : i + size], exact=True) for i in range(0, len(found), size)]
    return join_surveys(joined, exact=True)


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 3))
def test_partitions_agree_on_what_one_machine_finds(seed, groups):
    rng = np.random.default_rng(seed)
    frame, y = table(60, seed=seed)
    weight = rng.choice([0.0, 1.0, 2.5], len(y))
    if len(np.unique(y[weight > 0])) < 2:
        return
    ends = np.sort(rng.integers(0, 61, 4))
    pieces = [np.arange(a, b) for a, b in zip([0, *ends], [*ends, 60], strict=True)]
    whole = look(
        [frame.iloc[rows] for rows in pieces],
        [y.iloc[rows] for rows in pieces],
        [weight[rows] for rows in pieces],
        groups=groups,
    )
    task = make_task(whole, 255, None)
    columns = Columns.learn(frame)  # labels of rows without a weight, too
    assert task.columns == columns
    assert task.n_examples == np.count_nonzero(weight)
    np.testing.assert_array_equal(task.classes, np.unique(y[weight > 0]))
    X = np.ascontiguousarray(columns.to_matrix(frame)[weight > 0])
    expected = find_bins(X, columns.n_categories, 255)
    for name in ("cuts", "cut_start", "n_bins", "missing", "categorical"):
        np.testing.assert_array_equal(getattr(task.binning, name), getattr(expected, name))


def test_labels_have_the_order_of_the_dtype_if_all_partitions_have_the_same():
    dtype = pd.CategoricalDtype(["z", "unused", "a", "m"])
    parts = [
        pd.DataFrame({"c": pd.Series(list(labels), dtype=dtype)}) for labels in ("am", "zz", "ma")
    ]
    assert look(parts).labels[0].seen == ("z", "a", "m")


def test_labels_are_sorted_if_partitions_have_other_categories():
    parts = [pd.DataFrame({"c": pd.Categorical(list(labels))}) for labels in ("zm", "ba", "mm")]
    for groups in (1, 2, 3):
        assert look(parts, groups=groups).labels[0].seen == ("a", "b", "m", "z")


def test_labels_that_cannot_be_compared_stay_in_the_order_of_partitions():
    parts = [np.array([[1], ["b"]], object), np.array([["a"], [1]], object)]
    labels = look(parts, categorical_features=[0]).labels[0].seen
    assert labels == (1, "b", "a")


def test_a_partition_with_other_columns_is_named():
    parts = [pd.DataFrame({"a": [1.0, 2.0], "b": [1.0, 2.0]}), pd.DataFrame({"a": [1.0, 2.0]})]
    with pytest.raises(ValueError, match=r"partition 1 has 1 columns \('a'\), and partition 0 has"):
        look(parts)
    parts[1] = pd.DataFrame({"b": [1.0, 2.0], "a": [1.0, 2.0]})
    with pytest.raises(ValueError, match="in one order"):
        look(parts)


def test_a_column_must_be_of_one_kind():
    parts = [pd.DataFrame({"a": [1.0, 2.0]}), pd.DataFrame({"a": pd.Categorical(["x", "y"])})]
    with pytest.raises(ValueError, match="'a' holds numbers in partition 0, but categories in"):
        look(parts)


def test_labels_must_be_of_one_type():
    X = np.zeros((2, 1))
    with pytest.raises(TypeError, match="text in some partitions and numbers in others"):
        look([X, X], [np.array([0, 1]), np.array(["a", "b"])])


def test_what_is_wrong_in_a_partition_is_told_with_its_number():
    X = np.zeros((2, 1))
    with pytest.raises(ValueError, match="partition 1: y contains NaN"):
        look([X, X], [np.array([0, 1]), np.array([0.0, np.nan])])
    with pytest.raises(ValueError, match=r"partition 0: .* got 2 rows and 3 labels"):
        look([X], [np.array([0, 1, 1])])
    with pytest.raises(ValueError, match="partition 1: sample_weight must be finite"):
        look([X, X], weights=[None, np.array([1.0, -1.0])])
    with pytest.raises(ValueError, match="partition 0: Unknown label type: continuous"):
        look([X], [np.array([0.5, 1.25])])


def test_partitions_without_rows_or_weights_do_not_count():
    X = np.arange(4.0).reshape(4, 1)
    empty = np.empty((0, 1))
    zero = np.full((4, 1), 9.0)
    y = np.array([0, 1, 0, 1])
    whole = look([empty, X, zero], [y[:0], y, np.full(4, 7)], [None, None, np.zeros(4)])
    assert whole.classes.tolist() == [0, 1]
    np.testing.assert_array_equal(whole.sketches[0].values, X[:, 0])
    assert look([empty], [y[:0]]) is None
