"""Folders of YDF, written by hand: every condition, format and refusal, without YDF."""

import numpy as np
import pytest

from horotree.importers import UnsupportedModelError
from horotree.importers.shared import forest as shared_forest
from horotree.importers.ydf import reader
from tests.importers.formats.protobuf_writer import (
    asks,
    bin_higher,
    boosting,
    categories,
    codes,
    column,
    contains,
    contains_bitmap,
    double,
    doubles,
    forest,
    higher,
    is_missing,
    is_true,
    leaf,
    save,
    shares,
    single,
    singles,
    text,
    whole,
)

pytestmark = pytest.mark.filterwarnings("ignore:the model does not have its learning rate")

NUMBER = column(1, "x")
TEXT = column(4, "s", categories(["a", "b", "c", "d"]))
BINS = column(9, "x", text(5, double(1, 0.7)), text(8, singles(1, [0.5, 2.0])))
TWICE = text(
    6, whole(2, 2) + b"".join(text(7, text(1, x) + text(2, whole(1, x == "c"))) for x in "abc")
)
NO, YES = 0.5 - 1.0, 0.5 + 2.0  # the score before the first tree is 1/2


def stump(tmp_path, columns, at, condition, *, missing=False):
    """Return a model of one question: yes adds 2 to the score, no takes 1 away."""
    records = [asks(at, condition, missing=missing), leaf(-1.0), leaf(2.0)]
    return reader.convert_file(save(tmp_path, boosting(records, columns)))


@pytest.mark.parametrize("s", [-1.5, 0.0, 0.1, 1e-40, 3e38])
@pytest.mark.parametrize("missing", [False, True])
def test_numbers_from_the_threshold_on_are_higher(tmp_path, s, missing):
    model = stump(tmp_path, [NUMBER], 1, higher(s), missing=missing)
    s = np.float32(s)
    below, above = np.nextafter(s, np.float32([-np.inf, np.inf]))
    rows = np.array([s, below, above, s + 0.0, np.nan], np.float64)[:, None]
    assert model.score(rows).tolist() == [YES, NO, YES, YES, YES if missing else NO]
    # What is rounded to the threshold is not below it.
    near = np.nextafter(np.float64(s), [-np.inf, np.inf])[:, None]
    assert model.score(near).tolist() == [YES, YES]


@pytest.mark.parametrize("missing", [False, True])
def test_booleans_are_true_or_not(tmp_path, missing):
    model = stump(tmp_path, [column(7, "x")], 1, is_true(), missing=missing)
    rows = np.array([[0.0], [1.0], [np.nan]])
    assert model.score(rows).tolist() == [NO, YES, YES if missing else NO]


@pytest.mark.parametrize("t", [0, 1, 2, 3])
def test_bins_start_at_their_bounds(tmp_path, t):
    bounds = np.array([-1.0, 0.5, 2.0])
    binned = column(9, "x", text(8, singles(1, bounds)))
    model = stump(tmp_path, [binned], 1, bin_higher(t))
    values = np.array([-9.0, -1.0, 0.0, 0.5, 1.0, 2.0, 9.0, np.nextafter(np.float32(2.0), -9.0)])
    expected = np.where(np.searchsorted(bounds, values, side="right") >= t, YES, NO)
    assert model.score(values[:, None]).tolist() == expected.tolist()


@pytest.mark.parametrize("write", [contains, contains_bitmap])
@pytest.mark.parametrize("elements", [[], [1], [2, 4], [1, 2, 3, 4]])
@pytest.mark.parametrize("missing", [False, True])
def test_categories_are_in_the_set_or_not(tmp_path, write, elements, missing):
    # Missing values go where labels out of the dictionary go: where category 0 goes.
    elements = [0, *elements] if missing else elements
    model = stump(tmp_path, [TEXT], 1, write(elements), missing=missing)
    assert model.categories == (("a", "b", "c", "d"),)
    expected = [YES if j in elements else NO for j in (1, 2, 3, 4, 0, 0)]
    rows = np.array([["a"], ["b"], ["c"], ["d"], ["other"], [None]], object)
    assert model.score(rows).tolist() == expected


@pytest.mark.parametrize("elements", [[2], [0, 2]])
def test_a_label_out_of_the_dictionary_is_not_missing_where_ydf_says_so(tmp_path, elements):
    with pytest.warns(UserWarning, match=r"not in its dictionary.*'s'.*'<OOD>'"):
        model = stump(tmp_path, [TEXT], 1, contains(elements), missing=0 not in elements)
    assert model.categories == (("<OOD>", "a", "b", "c", "d"),)
    rows = np.array([["<OOD>"], ["a"], ["b"], [None], ["other"]], object)
    other = YES if 0 in elements else NO
    as_missing = NO if 0 in elements else YES
    assert model.score(rows).tolist() == [other, NO, YES, as_missing, as_missing]


def test_codes_are_their_own_labels(tmp_path):
    model = stump(tmp_path, [column(4, "k", codes(4))], 1, contains_bitmap([0, 3]), missing=False)
    assert model.categories == ((0, 1, 2, 3),)
    rows = np.array([[0.0], [1.0], [2.0], [3.0], [-1.0], [np.nan]])
    assert model.score(rows).tolist() == [YES, NO, NO, YES, NO, NO]


@pytest.mark.parametrize(
    ("dtype", "labels", "expected"),
    [
        (3, ["7", "-2"], (7, -2)),
        (3, ["7", "x"], ("7", "x")),
        (3, ["7", "07"], ("7", "07")),
        (12, ["false", "true"], (False, True)),
        (13, ["1", "2"], ("1", "2")),
    ],
)
def test_labels_and_classes_are_of_the_type_that_they_had(tmp_path, dtype, labels, expected):
    own = column(4, "k", categories(labels, dtype))
    label = column(4, "y", categories(labels, dtype))
    records = [asks(1, contains([2])), leaf(-1.0), leaf(2.0)]
    model = reader.convert_file(save(tmp_path, boosting(records, [own], label=label)))
    assert model.categories == (expected,)
    assert tuple(model.classes.tolist()) == expected
    assert model.predict(np.array([[x] for x in expected], object)).tolist() == list(expected)


def test_codes_that_were_made_one_larger(tmp_path):
    label = column(4, "y", codes(3, offset=True))
    own = column(4, "k", codes(4, offset=True))
    records = [asks(1, contains([3])), leaf(-1.0), leaf(2.0)]
    model = reader.convert_file(save(tmp_path, boosting(records, [own], label=label)))
    assert model.classes.tolist() == [0, 1]
    assert model.score(np.array([[0.0], [1.0], [2.0]])).tolist() == [NO, NO, YES]


@pytest.mark.parametrize("kind", [1, 4, 7, 9])
@pytest.mark.filterwarnings("ignore:this model does not treat labels")
def test_what_is_missing_can_be_asked(tmp_path, kind):
    about = {4: TEXT}.get(kind, column(kind, "x"))
    model = stump(tmp_path, [about], 1, is_missing())
    some = "a" if kind == 4 else 1.0
    assert model.score(np.array([[some], [None]], object)).tolist() == [NO, YES]


def test_children_are_found_in_preorder(tmp_path):
    x, z = column(1, "x"), column(1, "z")
    first = [asks(1, higher(0.0)), asks(2, higher(1.0)), leaf(1.0), leaf(2.0), leaf(4.0)]
    second = [asks(2, higher(5.0)), leaf(10.0), asks(1, higher(3.0)), leaf(20.0), leaf(40.0)]
    records = [*first, leaf(100.0), *second]
    rows = np.array([[-1.0, 0.0], [-1.0, 3.0], [1.0, 0.0], [1.0, 9.0], [4.0, 9.0]])
    expected = [111.5, 112.5, 114.5, 124.5, 144.5]
    files = boosting(records, [x, z], n_trees=3)
    model = reader.convert_file(save(tmp_path / "one", files))
    assert model.score(rows).tolist() == expected
    assert [tree.n_nodes for tree in model.ensembles[0].trees] == [5, 1, 5]
    for name, more in (
        ("shards", {"shards": [records[:2], records[2:7], records[7:]]}),
        ("prefix", {"prefix": "my_"}),
        ("gzip", {"compressed": True, "format": "BLOB_SEQUENCE_GZIP"}),
    ):
        files = boosting(records, [x, z], n_trees=3, **more)
        path = save(tmp_path / name, files)
        assert reader.matches_folder(path)
        assert reader.convert_file(path) == model


def test_values_are_means_of_leaves_by_weight(tmp_path):
    records = [asks(1, higher(0.0)), leaf(-1.0, 3.0), leaf(2.0, 1.0)]
    tree = reader.convert_file(save(tmp_path, boosting(records, [NUMBER]))).ensembles[0].trees[0]
    assert tree.value.tolist() == [-0.25, -1.0, 2.0]
    assert tree.weight.tolist() == [4.0, 3.0, 1.0]
    assert tree.count.tolist() == [-1, 3, 1]


@pytest.mark.parametrize("votes", [False, True])
def test_shares_and_votes(tmp_path, votes):
    root = shares([6.0, 4.0], 1) + asks(1, higher(0.0))
    files = forest([root, shares([5.0, 0.0], 1), shares([1.0, 4.0], 2)], [NUMBER], votes=votes)
    model = reader.convert_file(save(tmp_path, files))
    tree = model.ensembles[0].trees[0]
    logits = [np.log(4.0 / 6.0), -np.log(11.0), np.log(4.0)]  # a pure node of 5: log(2 * 5 + 1)
    np.testing.assert_allclose(tree.value, logits, rtol=1e-14)
    assert tree.output.tolist() == ([0.0, 0.0, 1.0] if votes else [0.4, 0.0, 0.8])
    assert tree.weight.tolist() == tree.count.tolist() == [10.0, 5.0, 5.0]
    assert model.predict([[-1.0], [1.0]]).tolist() == ["no", "yes"]


def test_nodes_without_shares_have_those_below(tmp_path):
    vote = text(1, whole(1, 2))
    inner = asks(1, higher(0.0))
    records = [inner, asks(1, higher(-1.0)), shares([5.0, 1.0], 1), shares([2.0, 1.0], 1), vote]
    model = reader.convert_file(save(tmp_path, forest(records, [NUMBER])))
    tree = model.ensembles[0].trees[0]
    assert tree.weight.tolist() == [10.0, 9.0, 6.0, 3.0, 1.0]
    np.testing.assert_allclose(tree.posterior[:2], [0.3, 2.0 / 9.0], rtol=1e-14)
    assert tree.output.tolist() == [0.0, 0.0, 0.0, 0.0, 1.0]


OBLIQUE = text(7, singles(2, [1.0]))
VECTORS = text(8, b"")
STUMP = [asks(1, higher(0.0)), leaf(-1.0), leaf(2.0)]


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        (boosting([asks(1, OBLIQUE), *STUMP[1:]], [NUMBER]), "oblique.*AXIS_ALIGNED"),
        (boosting([asks(1, VECTORS), *STUMP[1:]], [NUMBER]), "sequence of vectors"),
        (boosting([asks(1, text(9, b"")), *STUMP[1:]], [NUMBER]), "later YDF"),
        (boosting(STUMP, [column(5, "tags")]), "sets of categories in column 'tags'"),
        (boosting(STUMP, [column(11, "v")]), "sequences of vectors"),
        (boosting(STUMP, [column(99, "v")]), "another type"),
        (boosting(STUMP, [NUMBER], task=2), "regression"),
        (boosting(STUMP, [NUMBER], task=3), "ranking"),
        (boosting(STUMP, [NUMBER], task=4), "uplift"),
        (boosting(STUMP, [NUMBER], task=6), "anomaly"),
        (boosting(STUMP, [NUMBER], task=7), "survival"),
        (boosting(STUMP, [NUMBER], task=99), "unknown task"),
        (boosting(STUMP, [NUMBER], loss=2), "SQUARED_ERROR"),
        (boosting(STUMP, [NUMBER], loss=0), "own"),
        (boosting(STUMP, [NUMBER], name="ISOLATION_FOREST"), "ISOLATION_FOREST"),
        (boosting(STUMP, [NUMBER], format="TFE_RECORDIO"), "save it anew"),
        (boosting(STUMP, [NUMBER], label=column(4, "y", categories(["no"]))), "classes, got 1"),
        (boosting(STUMP, [NUMBER], label=column(4, "y", codes(2**19))), "classes, got 524287"),
        (boosting(STUMP, [column(4, "k", codes(2**31))]), "categories, got 2147483648"),
        (
            forest([text(1, text(2, doubles(1, [1.0, 2.0, 3.0])))], [NUMBER]),
            "out of the dictionary",
        ),
    ],
)
def test_what_cannot_be_shown_is_refused_with_a_reason(tmp_path, files, reason):
    with pytest.raises(UnsupportedModelError, match=reason):
        reader.convert_file(save(tmp_path, files))


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        (boosting(STUMP[:2], [NUMBER]), "whole trees"),
        (boosting([*STUMP, STUMP[1]], [NUMBER]), "whole trees"),
        (boosting(STUMP, [NUMBER], n_trees=2), "whole trees"),
        (boosting(STUMP, [NUMBER], n_trees=-1), "whole trees"),
        (boosting(STUMP, [TEXT]), "does not go with column 's'"),
        (boosting([asks(9, higher(0.0)), *STUMP[1:]], [NUMBER]), "one of 2 columns"),
        (boosting([asks(-1, higher(0.0)), *STUMP[1:]], [NUMBER]), "one of 2 columns"),
        (boosting([asks(1, b""), *STUMP[1:]], [NUMBER]), "one condition"),
        (boosting([asks(1, higher(0.0) * 2), *STUMP[1:]], [NUMBER]), "one condition"),
        (boosting([asks(1, higher(np.nan)), *STUMP[1:]], [NUMBER]), "NaN"),
        (boosting([asks(1, contains([5])), *STUMP[1:]], [TEXT]), "categories of its column"),
        (boosting([asks(1, contains([-1])), *STUMP[1:]], [TEXT]), "categories of its column"),
        (boosting([asks(1, contains([2, 1])), *STUMP[1:]], [TEXT]), "must increase"),
        (boosting([asks(1, contains([1, 1])), *STUMP[1:]], [TEXT]), "must increase"),
        (boosting([asks(0, contains([1])), *STUMP[1:]], [NUMBER]), "features, got -1"),
        (boosting([STUMP[0], leaf(np.inf), STUMP[2]], [NUMBER]), "finite"),
        (boosting([STUMP[0], shares([1.0, 2.0], 1), STUMP[2]], [NUMBER]), "must have a value"),
        (boosting([STUMP[0], leaf(1.0, -1.0), STUMP[2]], [NUMBER]), "weight"),
        (boosting([STUMP[0], b"", STUMP[2]], [NUMBER]), "has 0 bytes"),
        (boosting(STUMP, [NUMBER], base=[0.5, 0.5]), "initial predictions"),
        (boosting(STUMP, [NUMBER], base=[np.nan]), "finite"),
        (boosting(STUMP, [NUMBER], loss=3, base=[0.0, 0.0]), "2 trees a round"),
        (boosting(STUMP, [NUMBER], label=NUMBER), "label"),
        (boosting(STUMP, [column(9, "x", text(8, singles(1, [1.0, 0.0])))]), "bins"),
        (boosting(STUMP, [NUMBER, NUMBER]), "'x' twice"),
        (boosting([asks(1, bin_higher(3)), *STUMP[1:]], [BINS]), "of its bins"),
        (boosting([asks(1, bin_higher(-1)), *STUMP[1:]], [BINS]), "of its bins"),
        (boosting([asks(1, bin_higher(1)), *STUMP[1:]], [BINS]), "where its mean goes"),
        (boosting([asks(1, bin_higher(2), missing=True), *STUMP[1:]], [BINS]), "its mean goes"),
        (boosting([STUMP[0] + STUMP[0], *STUMP[1:]], [NUMBER]), "there once"),
        (boosting([STUMP[0], leaf(1.0) + leaf(2.0), STUMP[2]], [NUMBER]), "there once"),
        (boosting(STUMP, [column(4, "x", TWICE)]), "labels for its 2 categories"),
        (forest([text(1, text(2, doubles(1, [0.0, 1.0, 2.0]) + double(2, 4.0)))], [NUMBER]), "sum"),
        (forest([], [NUMBER], n_trees=0), "must have a tree"),
        (forest([leaf(1.0)], [NUMBER]), "or a vote"),
        (forest([shares([1.0], 1)], [NUMBER]), "weights of 2 classes"),
        (forest([shares([1.0, -2.0], 1)], [NUMBER]), "from 0 on"),
        (forest([shares([1.0, 2.0], 3)], [NUMBER]), "vote for a class"),
        (forest([text(1, whole(1, 3))], [NUMBER]), "or a vote"),
    ],
)
def test_damaged_folders_are_refused(tmp_path, files, reason):
    with pytest.raises(ValueError, match=reason):
        reader.convert_file(save(tmp_path, files))


def test_folders_without_a_model_or_with_two(tmp_path):
    assert not reader.matches_folder(tmp_path)
    assert not reader.matches_folder(tmp_path / "nothing")
    with pytest.raises(ValueError, match="has not both"):
        reader.convert_file(tmp_path)
    save(tmp_path, boosting(STUMP, [NUMBER], prefix="a_"))
    assert reader.matches_folder(tmp_path)
    (tmp_path / "a_nodes-00000-of-00001").unlink()
    with pytest.raises(ValueError, match="a_nodes-00000-of-00001"):
        reader.convert_file(tmp_path)
    save(tmp_path, boosting(STUMP, [NUMBER], prefix="b_"))
    with pytest.raises(ValueError, match=r"several.*'a_', 'b_'"):
        reader.convert_file(tmp_path)


@pytest.mark.parametrize("rate", [0.1, 0.02, 0.3, 1.0])
@pytest.mark.parametrize(("l2", "l1"), [(0.0, 0.0), (2.0, 0.0), (0.5, 1.0)])
def test_the_learning_rate_is_read_off_the_first_tree(tmp_path, recwarn, rate, l2, l1):
    gradients = [-9.0, 4.0, 7.5, -2.5, 3.0, 8.0]
    weights = [20.0, 13.0, 31.0, 7.0, 18.0, 26.0]
    posterior = 1.0 / (1.0 + np.exp(-0.5))
    leaves = []
    for gradient, weight in zip(gradients, weights, strict=True):
        hessian = weight * posterior * (1.0 - posterior)
        value = rate * np.sign(gradient) * (abs(gradient) - l1) / (hessian + l2)
        known = text(2, double(1, gradient) + double(3, weight))
        leaves.append(text(2, single(1, value) + known))
    records = [part for j in range(5) for part in (asks(1, higher(float(-j))), leaves[j])]
    files = boosting([*records, leaves[5]], [NUMBER])
    # negative branches come first: a chain to the right
    model = reader.convert_file(save(tmp_path, files))
    assert model.ensembles[0].leverage.tolist() == [rate]
    assert not len(recwarn)


def test_deep_chains_are_read_or_refused(tmp_path, monkeypatch):
    n = 2000
    records = [part for j in range(n) for part in (asks(1, higher(float(j))), leaf(float(j)))]
    files = boosting([*records, leaf(-1.0)], [NUMBER])
    model = reader.convert_file(save(tmp_path, files))
    assert model.score([[0.5], [n + 1.0]]).tolist() == [1.5, -0.5]
    monkeypatch.setattr(shared_forest, "MAX_DEPTH", 512)
    with pytest.raises(UnsupportedModelError, match="512 levels"):
        reader.convert_file(tmp_path)
