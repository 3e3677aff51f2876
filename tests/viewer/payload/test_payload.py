"""A payload holds the model, and nothing of the data but what it was told to hold."""

import base64
import dataclasses
import struct
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier

from horotree import held_out
from horotree.embedding import automatic_t, embed_model, largest_confidence
from horotree.evaluation.segments import segments
from horotree.io import from_model
from horotree.trees import Ensemble, Model, center_ensemble
from horotree.viewer import encode
from horotree.viewer.arrays import add_up, half, narrow, shown
from horotree.viewer.tables import CENTERS, VERDICTS
from tests.viewer.models import (
    HOSTILE,
    breast_cancer,
    hostile,
    iris,
    mixed,
    mixed_table,
    model_of,
    random_tree,
)
from tests.viewer.payload.decoder import blob_of, decode

# As objects: strings of pandas that Arrow keeps have no lone surrogates.
NAMES = pd.Index(["Ann", "B\ud800"], dtype=object)


def trees_of(model):
    return [tree for ensemble in model.ensembles for tree in ensemble.trees]


def joined(model, name):
    return np.concatenate([getattr(tree, name) for tree in trees_of(model)])


@pytest.mark.parametrize("make", [breast_cancer, iris, mixed])
def test_trees_come_back_as_they_were(make):
    model = make()[0].model_
    _, arrays = decode(encode(model))
    np.testing.assert_array_equal(arrays["left"], joined(model, "left"))
    np.testing.assert_array_equal(arrays["feature"], joined(model, "feature"))
    after = np.where(arrays["left"] >= 0, arrays["left"] + 1, -1)
    np.testing.assert_array_equal(arrays.get("right", after), joined(model, "right"))
    inner = joined(model, "left") >= 0
    np.testing.assert_array_equal(arrays["threshold"], joined(model, "threshold")[inner])
    np.testing.assert_array_equal(arrays["missingLeft"], joined(model, "missing_left"))
    leaf = joined(model, "left") < 0
    np.testing.assert_array_equal(arrays["count"], joined(model, "count")[leaf])
    np.testing.assert_array_equal(arrays["value"], joined(model, "value").astype(np.float32))
    ends = np.cumsum([0, *(tree.n_nodes for tree in trees_of(model))])
    np.testing.assert_array_equal(arrays["treeStart"], ends)
    assert "output" not in arrays  # it is the value in our own trees


def test_sets_of_categories_come_back_as_they_were():
    model = mixed()[0].model_
    _, arrays = decode(encode(model))
    starts, codes = arrays["categoryStart"], arrays["category"]
    assert len(codes)
    node = 0
    for tree in trees_of(model):
        for i in range(tree.n_nodes):
            expected = tree.category[tree.category_start[i] : tree.category_start[i + 1]]
            np.testing.assert_array_equal(codes[starts[node] : starts[node + 1]], expected)
            node += 1
    assert node + 1 == len(starts)


@pytest.mark.parametrize("make", [breast_cancer, iris])
def test_kept_nodes_have_the_angles_of_the_embedding(make):
    model = make()[0].model_
    header, arrays = decode(encode(model))
    for bit, (center, end) in enumerate(CENTERS.items()):
        layout = [e for part in embed_model(model, center=center) for e in part]
        kept = np.concatenate([embedding.monotonic.is_kept for embedding in layout])
        angle = np.concatenate([embedding.angle for embedding in layout])
        np.testing.assert_array_equal(arrays["kept"] >> bit & 1, kept)
        np.testing.assert_array_equal(arrays[f"angle{end}"], angle.astype(np.float32))
        drawn = [center_ensemble(ensemble, center) for ensemble in model.ensembles]
        assert header["layoutT"][center] == automatic_t(largest_confidence(*drawn))


def test_the_center_is_the_one_that_suits_the_model_unless_one_is_asked_for():
    model = breast_cancer()[0].model_
    rare = dataclasses.replace(breast_cancer_with_rare_classes(), classes=model.classes)
    for known, expected in ((model, "half"), (rare, "base")):
        header, _ = decode(encode(known))
        assert header["center"] == expected
        assert header["valueKind"] == known.value_kind
        for center in CENTERS:
            asked, arrays = decode(encode(known, center=center))
            assert asked["center"] == center
            assert {"angleHalf", "angleBase"} <= set(arrays)
    with pytest.raises(ValueError, match="center must be one of auto, base, half, got 'root'"):
        encode(model, center="root")


def breast_cancer_with_rare_classes():
    """Return the model after its trees were lowered, as if the second class were rare."""
    model = breast_cancer()[0].model_
    (ensemble,) = model.ensembles
    trees = [dataclasses.replace(t, value=t.value - 4.0, output=t.output) for t in ensemble.trees]
    return dataclasses.replace(model, ensembles=(dataclasses.replace(ensemble, trees=trees),))


def test_weights_are_shares_of_the_roots_at_leaves_where_they_add_up():
    model = breast_cancer()[0].model_
    _, arrays = decode(encode(model))
    expected = np.concatenate(
        [(tree.weight / tree.weight[0])[tree.is_leaf] for tree in trees_of(model)]
    )
    np.testing.assert_allclose(arrays["weight"], expected, rtol=2.0**-24)
    unknown = decode(encode(model_of(random_tree(4))))[1]
    assert np.isnan(unknown["weight"]).all()
    assert (unknown["count"] == -1).all()


def test_covers_are_exact_where_they_are_not_counts():
    X, y = load_breast_cancer(return_X_y=True)
    assert "cover" not in decode(encode(breast_cancer()[0]))[1]
    for weights, dtype in ((None, np.int16), ({0: 0.3, 1: 0.7}, np.float64)):
        # Bootstraps of weighted rows draw whole rows by their weights.
        forest = RandomForestClassifier(
            2, class_weight=weights, bootstrap=weights is None, random_state=0
        )
        model = from_model(forest.fit(X, y))
        header, arrays = decode(encode(model))
        assert header["cover"] == "weight"
        leaves = np.concatenate([tree.weight[tree.is_leaf] for tree in trees_of(model)])
        np.testing.assert_array_equal(arrays["cover"], leaves)
        assert arrays["cover"].dtype == dtype
    assert decode(encode(model_of(random_tree(4))))[0]["cover"] is None


def test_figures_of_trees_are_exact():
    model = breast_cancer()[0].model_
    (ensemble,) = model.ensembles
    _, arrays = decode(encode(model))
    for theirs, ours in {
        "leverage": ensemble.leverage,
        "edge": ensemble.edge,
        "maxConfidenceHalf": ensemble.max_confidence,
        "maxConfidenceBase": center_ensemble(ensemble, "base").max_confidence,
    }.items():
        np.testing.assert_array_equal(arrays[theirs], ours)
        assert arrays[theirs].dtype == np.float64


def test_what_leaves_add_is_there_if_it_is_not_what_is_drawn():
    model = breast_cancer()[0].model_.as_drawn()
    _, arrays = decode(encode(model))
    np.testing.assert_array_equal(arrays["output"], joined(model, "output").astype(np.float32))


def test_the_header_tells_classes_and_columns():
    classifier, X, _ = iris()
    header, _ = decode(encode(classifier, title="Iris"))
    assert header["version"] == 2
    assert header["title"] == "Iris"
    assert header["link"] == "ovr"
    assert header["classes"] == ["setosa", "versicolor", "virginica"]
    assert header["features"] == list(X.columns)
    assert header["categories"] == [None] * 4
    assert header["inputDtype"] == "float64"
    assert [e["positive"] for e in header["ensembles"]] == [0, 1, 2]
    assert header["ensembles"][1]["negative"] == "not versicolor"
    first = 0
    for told, ensemble in zip(header["ensembles"], classifier.model_.ensembles, strict=True):
        assert told["trees"] == [first, first + len(ensemble.trees)]
        assert told["baseValue"] == ensemble.base_value
        first += len(ensemble.trees)
    assert header["nTrees"] == first


def test_one_ensemble_is_for_the_second_of_two_classes():
    (told,) = decode(encode(breast_cancer()[0]))[0]["ensembles"]
    assert (told["positive"], told["negative"]) == (1, "0")


@pytest.mark.parametrize("make", [iris, mixed])
def test_held_out_figures_are_those_of_the_kept_nodes(make):
    classifier, X, y = make()
    header, arrays = decode(encode(classifier, X[::2], y[::2]))
    kept = arrays["kept"][arrays["kept"] > 0]
    widest = {"low_value": np.full(len(kept), np.inf), "high_value": np.full(len(kept), -np.inf)}
    for bit, (center, end) in enumerate(CENTERS.items()):
        truth = held_out(classifier, X[::2], y[::2], center=center)
        assert header["heldOut"][center] == f"Held-out data: {truth}."
        rows = np.flatnonzero(kept >> bit & 1)
        assert len(truth) == len(rows)
        np.testing.assert_allclose(arrays["heldValue"][rows], truth.value, rtol=2.0**-11)
        verdicts = arrays[f"heldVerdict{end}"]
        assert [VERDICTS[code] for code in verdicts] == truth.verdict.tolist()
        low, high = widest.values()
        low[rows] = np.minimum(low[rows], truth.low_value)
        high[rows] = np.maximum(high[rows], truth.high_value)
    np.testing.assert_allclose(arrays["heldLow"], widest["low_value"], rtol=2.0**-11)
    np.testing.assert_allclose(arrays["heldHigh"], widest["high_value"], rtol=2.0**-11)
    header, arrays = decode(encode(classifier))
    assert header["heldOut"] is None
    assert not {"heldValue", "rows"} & set(arrays)


@pytest.mark.parametrize("make", [iris, mixed])
def test_rows_are_those_that_end_at_leaves(make):
    classifier, X, y = make()
    _, arrays = decode(encode(classifier, X[::2], y[::2]))
    found = segments(classifier, X[::2], y[::2])
    leaf = arrays["left"] < 0
    np.testing.assert_array_equal(arrays["rows"], found.count[leaf])
    np.testing.assert_array_equal(arrays["positive"], found.positive[leaf])
    np.testing.assert_allclose(arrays["probability"], found.probability[leaf], rtol=2.0**-18)


def test_figures_that_do_not_add_up_are_kept_of_all_nodes():
    left, right = np.array([1, -1, -1]), np.array([2, -1, -1])
    assert add_up(np.array([5, 2, 3]), left, right).tolist() == [2, 3]
    assert add_up(np.array([6, 2, 3]), left, right).tolist() == [6, 2, 3]
    assert add_up(np.array([-1, -1, -1]), left, right).tolist() == [-1, -1, -1]
    assert np.isnan(add_up(np.full(3, np.nan), left, right)).tolist() == [True, True, True]


def test_examples_are_the_rows_that_the_model_reads():
    classifier, table, classes = mixed()
    chosen = table.iloc[5:9]
    header, arrays = decode(encode(classifier, examples=chosen, example_classes=classes[5:9]))
    expected = classifier.model_.to_matrix(chosen)
    np.testing.assert_array_equal(arrays["exampleX"].reshape(4, -1), expected)
    assert header["examples"] == {
        "n": 4,
        "labels": classes[5:9].tolist(),
        "names": ["row 5", "row 6", "row 7", "row 8"],
    }


@pytest.mark.parametrize(
    ("wrap", "names"),
    [
        (lambda rows: rows, ["row 0", "row 1"]),
        (lambda rows: rows.tolist(), ["row 0", "row 1"]),
        (lambda rows: pd.DataFrame(rows, index=NAMES), ["Ann", "B\\ud800"]),
    ],
)
def test_examples_are_named_by_their_index(wrap, names):
    rows = np.zeros((2, 9))
    header, _ = decode(encode(model_of(random_tree(4)), examples=wrap(rows)))
    assert header["examples"]["names"] == names
    assert header["examples"]["labels"] is None


def test_no_value_of_the_data_is_in_a_payload_but_thresholds():
    classifier, table, _ = mixed()
    unseen, more = mixed_table(seed=1)
    payload = encode(classifier, unseen, more)
    blob, (header, arrays) = blob_of(payload), decode(payload)
    text = repr(header)
    thresholds = set(arrays["threshold"].tolist())
    numbers = pd.concat([table, unseen])[["age", "income"]].to_numpy().ravel()
    for value in set(numbers[~np.isnan(numbers)].tolist()) - thresholds:
        assert struct.pack("<d", value) not in blob
        assert struct.pack("<f", value) not in blob
        assert repr(value) not in text
    assert {"heldValue", "threshold"} <= set(arrays)
    assert header["examples"] is None
    # The check can fail: with the rows as examples their values are there.
    told = blob_of(encode(classifier, examples=table.head(3)))
    assert struct.pack("<d", table.income[0]) in told


def test_hostile_names_become_harmless_texts():
    header, _ = decode(encode(hostile(), title="\ud800<b>\n"))
    assert header["title"] == "\\ud800<b>\\n"
    assert header["features"][:2] == list(HOSTILE[:2])  # text, as it is
    assert header["features"][3] == "line\\u2028separator\\u2029and\\nbreak"
    assert header["features"][4] == "lone \\ud800 surrogate"
    assert header["features"][5] == "\\u202eright to left"
    assert header["features"][6] == '""'
    assert header["categories"][-1] == header["features"]


@pytest.mark.parametrize(
    ("low", "high", "dtype"),
    [
        (0, 0, "i1"),
        (-1, 127, "i1"),
        (0, 255, "u1"),
        (-1, 128, "i2"),
        (0, 65535, "u2"),
        (-1, 65535, "i4"),
        (0, 2**32 - 1, "u4"),
        (-1, 2**32 - 1, "f8"),
    ],
)
def test_integers_are_as_narrow_as_they_fit(low, high, dtype):
    narrowed = narrow(np.array([low, high], np.int64))
    assert narrowed.dtype == np.dtype(dtype)
    assert narrowed.tolist() == [low, high]


@given(st.lists(st.floats(width=32, allow_subnormal=False), max_size=5))
def test_shown_figures_are_rounded_to_five_digits(values):
    exact = np.array([v for v in values if not 3e38 < abs(v) < np.inf])
    np.testing.assert_allclose(shown(exact), exact, rtol=2.0**-18)


@given(st.lists(st.floats(-1e4, 1e4) | st.sampled_from([np.inf, -np.inf, np.nan]), max_size=5))
def test_half_precision_keeps_three_digits(values):
    exact = np.array(values)
    size = np.abs(exact[np.isfinite(exact)]).max(initial=0.0)
    np.testing.assert_allclose(half(exact), exact, rtol=2.0**-11, atol=1e-5 * size + 1e-40)
    assert half(np.array([1e-9, -2e-9])).dtype == np.float32
    assert half(np.array([1e9, 1.0])).dtype == np.float32


@pytest.mark.parametrize("scale", [1e-60, 1e60])
def test_values_beyond_single_precision_keep_double(scale):
    tree = random_tree(4)
    tree = dataclasses.replace(tree, value=tree.value * scale)
    _, arrays = decode(encode(model_of(tree)))
    np.testing.assert_array_equal(arrays["value"], tree.value)


def test_thresholds_are_exact_in_the_narrowest_type():
    tree = random_tree(4)
    assert decode(encode(model_of(tree)))[1]["threshold"].dtype == np.float64
    inner = tree.left >= 0
    tree = dataclasses.replace(tree, threshold=np.where(inner, 0.5, 0.0))
    assert decode(encode(model_of(tree)))[1]["threshold"].dtype == np.float32


def test_a_class_without_trees_has_an_empty_range():
    empty = Ensemble((), [], [], -1.0)
    full = Ensemble((random_tree(4),), [1.0], [np.nan], 0.0)
    names = tuple(f"x{j}" for j in range(9))
    model = Model((empty, full, empty), "ovr", ["a", "b", "c"], names, (None,) * 9, "float64")
    header, _ = decode(encode(model))
    assert [told["trees"] for told in header["ensembles"]] == [[0, 0], [0, 1], [1, 1]]


def test_payloads_are_the_same_every_time():
    classifier, X, y = breast_cancer()
    assert encode(classifier, X, y) == encode(classifier, X, y)


@pytest.mark.clock
def test_two_hundred_trees_fit_in_the_page_and_are_encoded_at_once():
    model = model_of(*(random_tree(101, seed) for seed in range(200)))
    start = time.perf_counter()
    payload = encode(model)
    assert time.perf_counter() - start < 10.0  # one second is usual, on a quiet machine
    # All nodes are kept, values and thresholds are noise: no model is larger. The page has room for
    # 1.2 MB with the viewer, whose size the benchmark adds.
    assert len(base64.b64encode(payload)) < 1_000_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"X": [[0.0] * 9]}, "X and y belong together, got X only"),
        ({"y": ["no"]}, "X and y belong together, got y only"),
        ({"example_classes": ["no"]}, "got no examples"),
        ({"examples": np.zeros((0, 9))}, "examples must be 1 to 1,000 rows"),
        ({"examples": np.zeros((1001, 9))}, "got 1,001"),
        ({"examples": np.zeros((1, 9)), "example_classes": ["maybe"]}, "must hold classes"),
    ],
)
def test_what_cannot_be_shown_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        encode(model_of(random_tree(4)), **arguments)


def test_a_model_without_trees_is_refused():
    with pytest.raises(ValueError, match="no trees to show"):
        encode(model_of())
