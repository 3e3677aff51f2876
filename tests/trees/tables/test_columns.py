import datetime as dt
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from horotree._checks import as_matrix
from horotree.trees import Columns
from tests.trees.strategies import labels

NAN = float("nan")


def convert(table, categorical_features="from_dtype"):
    """Return a table as the matrix of its own columns."""
    return Columns.learn(table, categorical_features).to_matrix(table)


def same(a, b):
    return np.array_equal(np.asarray(a, float), np.asarray(b, float), equal_nan=True)


# --- numbers -------------------------------------------------------------------------------------


def test_a_contiguous_matrix_of_floats_is_not_copied():
    X = np.random.default_rng(0).normal(size=(5, 3))
    assert convert(X) is X


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float32", "float64"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_numbers_become_contiguous_floats(dtype, order):
    X = np.array([[0, 1, 1], [1, 0, 1]], dtype=dtype, order=order)
    matrix = convert(X)
    assert matrix.dtype == np.float64
    assert matrix.flags.c_contiguous
    assert same(matrix, X)
    assert same(convert(pd.DataFrame(X)), X)
    assert same(convert(X.tolist()), X)


@pytest.mark.parametrize("missing", [None, NAN, pd.NA, np.float32("nan")])
def test_what_is_missing_is_nan(missing):
    rows = np.array([[1, 2.5, True], [missing, 1, False]], dtype=object)
    expected = [[1.0, 2.5, 1.0], [NAN, 1.0, 0.0]]
    assert same(convert(rows), expected)
    assert same(convert(pd.DataFrame(rows)), expected)


def test_masked_entries_are_missing():
    X = np.ma.masked_array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
    assert same(convert(X), [[1.0, NAN], [3.0, 4.0]])


def test_columns_of_a_frame_may_have_any_numeric_dtype():
    frame = pd.DataFrame(
        {
            "a": pd.array([1, None], dtype="Int64"),
            "b": pd.array([True, None], dtype="boolean"),
            "c": pd.array([0.5, None], dtype="Float32"),
            "d": [True, False],
            "e": pd.arrays.SparseArray([0.0, 3.0]),
            "f": np.array([1, 2], np.int8),
            "g": pd.Categorical([4, 7]),
        }
    )
    expected = [[1, 1, 0.5, 1, 0, 1, 4], [NAN, NAN, NAN, 0, 3, 2, 7]]
    assert same(convert(frame, categorical_features=None), expected)


@pytest.mark.parametrize("infinity", [np.inf, -np.inf])
def test_infinite_values_are_refused_with_the_columns_name(infinity):
    with pytest.raises(ValueError, match="column 'x1' holds inf or -inf"):
        convert(np.array([[1.0, 2.0], [NAN, infinity]]))
    with pytest.raises(ValueError, match="column 'b' holds inf or -inf"):
        convert(pd.DataFrame({"a": [1.0], "b": [infinity], "c": pd.Categorical(["z"])}))


# --- categories ----------------------------------------------------------------------------------


def test_category_dtypes_are_categorical_and_keep_the_order_of_what_occurs():
    dtype = pd.CategoricalDtype(["low", "unused", "mid", "high"])
    frame = pd.DataFrame({"n": [1, 2, 3], "c": pd.Series(["high", None, "low"], dtype=dtype)})
    columns = Columns.learn(frame)
    assert columns.feature_names == ("n", "c")
    assert columns.categories == (None, ("low", "high"))
    assert columns.n_categories.tolist() == [0, 2]
    assert columns.n_categories.dtype == np.int32
    assert same(columns.to_matrix(frame), [[1, 1], [2, NAN], [3, 0]])


@pytest.mark.parametrize("spec", [["c"], [1], [False, True], np.array([1]), ("c",)])
@pytest.mark.parametrize("dtype", ["object", "str", "string", "category"])
def test_columns_are_made_categorical_by_name_index_or_mask(spec, dtype):
    frame = pd.DataFrame({"n": [1, 2, 3], "c": pd.Series(["b", None, "a"], dtype=dtype)})
    columns = Columns.learn(frame, spec)
    assert columns.categories == (None, ("a", "b"))
    assert same(columns.to_matrix(frame), [[1, 1], [2, NAN], [3, 0]])


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (np.array([3, -1, 3]), (-1, 3)),
        (np.array([0.5, NAN, -2.0]), (-2.0, 0.5)),
        (np.array([True, False, True]), (False, True)),
        (np.array(["b", "a", "b"]), ("a", "b")),
        (np.array([2, "a", 1.5], object), (2, "a", 1.5)),
        (np.array([None, NAN, pd.NA], object), ()),
        (np.array([np.int64(4), np.str_("x"), None], object), (4, "x")),
    ],
)
def test_labels_are_plain_sorted_or_as_they_come(column, expected):
    (found,) = Columns.learn(column[:, None], [0]).categories
    assert found == expected
    assert [type(label) for label in found] == [type(label) for label in expected]


def test_numbers_in_lists_stay_numbers_next_to_text():
    rows = [[1, "b"], [2.5, "a"]]
    assert Columns.learn(rows, [1]).categories == (None, ("a", "b"))
    assert same(convert(rows, [1]), [[1, 1], [2.5, 0]])


def test_labels_that_training_has_not_seen_are_missing():
    columns = Columns.learn(pd.DataFrame({"c": ["a", "b"]}), ["c"])
    for dtype in ("object", "str", "category"):
        new = pd.DataFrame({"c": pd.Series(["b", "new", None, "a"], dtype=dtype)})
        assert same(columns.to_matrix(new), [[1], [NAN], [NAN], [0]])


def test_a_column_without_any_label_takes_all_labels_for_missing():
    columns = Columns.learn(pd.DataFrame({"c": pd.Categorical([None, None])}))
    assert columns.categories == ((),)
    assert same(columns.to_matrix(pd.DataFrame({"c": ["a", "b"]})), [[NAN], [NAN]])


@given(st.lists(labels | st.none(), min_size=1, max_size=20))
def test_codes_lead_back_to_the_labels(entries):
    column = np.empty((len(entries), 1), object)
    column[:, 0] = entries
    columns = Columns.learn(column, [0])
    codes = columns.to_matrix(column)[:, 0]
    (found,) = columns.categories
    assert len(found) == len(set(entries) - {None})
    back = [None if np.isnan(code) else found[int(code)] for code in codes]
    assert back == entries


def test_numbers_of_any_width_are_the_same_label():
    columns = Columns.learn(np.array([[1], [2]], np.int8), [0])
    assert same(columns.to_matrix(np.array([[2.0], [1.0], [3.0]])), [[1], [0], [NAN]])


def test_text_where_numbers_were_labels_is_refused_and_the_reverse():
    columns = Columns.learn(np.array([[1], [2]]), [0])
    with pytest.raises(ValueError, match="column 'x0' must hold labels such as 1, got '1'"):
        columns.to_matrix(np.array([["1"], ["2"]]))
    columns = Columns.learn(np.array([["1"], ["2"]]), [0])
    with pytest.raises(ValueError, match="column 'x0' must hold labels such as '1', got 1"):
        columns.to_matrix(np.array([[1], [2]]))


@pytest.mark.parametrize(
    "spec", ["c", ["missing"], [2], [-1], [True], [[True, False]], [0.5], {"c": True}, 1]
)
def test_a_choice_of_columns_that_is_none_is_refused(spec):
    with pytest.raises(ValueError, match="categorical_features must be 'from_dtype', None, 2 bool"):
        Columns.learn(pd.DataFrame({"n": [1], "c": ["a"]}), spec)


def test_an_empty_choice_makes_nothing_categorical():
    assert Columns.learn(np.zeros((1, 2)), []).categories == (None, None)


# --- polars --------------------------------------------------------------------------------------


def test_polars_frames(require):
    pl = require("polars")
    frame = pl.DataFrame(
        {
            "n": [1, None, 3],
            "f": [0.5, NAN, None],
            "b": [True, False, None],
            "c": pl.Series(["y", None, "x"], dtype=pl.Categorical),
            "e": pl.Series(["y", "x", "y"], dtype=pl.Enum(["y", "unused", "x"])),
        }
    )
    columns = Columns.learn(frame)
    assert columns.feature_names == ("n", "f", "b", "c", "e")
    assert columns.categories == (None, None, None, ("x", "y"), ("y", "x"))
    expected = [[1, 0.5, 1, 1, 0], [NAN, NAN, 0, NAN, 1], [3, NAN, NAN, 0, 0]]
    assert same(columns.to_matrix(frame), expected)
    assert same(convert(frame.select("n", "f")), [[1, 0.5], [NAN, NAN], [3, NAN]])
    with pytest.raises(ValueError, match="column 's' holds text"):
        convert(pl.DataFrame({"s": ["a"]}))
    with pytest.raises(TypeError, match="column 'd' holds dates"):
        convert(pl.DataFrame({"d": [dt.date(2024, 1, 1)]}))
    with pytest.raises(TypeError, match=r"pass table.collect\(\)"):
        convert(frame.lazy())


def fake_polars():
    """Return stand-ins for polars' classes, with what is used of them."""

    class DataType:
        def __init__(self, categories=None):
            self.categories = None if categories is None else Series(categories)

        def base_type(self):
            return type(self)

    class Enum(DataType):
        pass

    class Categorical(DataType):
        pass

    class Series:
        def __init__(self, entries, dtype=None):
            self.entries, self.dtype = entries, dtype or DataType()

        def to_list(self):
            return list(self.entries)

        def to_numpy(self):
            return np.array(self.entries)

    class DataFrame:
        def __init__(self, data):
            self.data, self.columns = data, list(data)
            self.shape = (len(next(iter(data.values())).entries), len(data))

        def to_series(self, j):
            return self.data[self.columns[j]]

    class LazyFrame:
        pass

    for kind in (DataFrame, LazyFrame):
        kind.__module__ = "polars.dataframe.frame"
    return DataFrame, LazyFrame, Series, Enum, Categorical


def test_polars_frames_are_known_by_the_name_of_their_class():
    DataFrame, LazyFrame, Series, Enum, Categorical = fake_polars()
    frame = DataFrame(
        {
            "n": Series([1.0, NAN]),
            "c": Series(["y", "x"], Categorical()),
            "e": Series(["y", None], Enum(["y", "x"])),
        }
    )
    columns = Columns.learn(frame)
    assert columns.categories == (None, ("x", "y"), ("y",))
    assert same(columns.to_matrix(frame), [[1, 1, 0], [NAN, 0, NAN]])
    with pytest.raises(TypeError, match=r"pass table.collect\(\)"):
        convert(LazyFrame())


# --- names ---------------------------------------------------------------------------------------


def test_columns_without_string_names_are_numbered():
    assert Columns.learn(np.zeros((1, 2))).feature_names == ("x0", "x1")
    assert Columns.learn(pd.DataFrame(np.zeros((1, 2)))).feature_names == ("x0", "x1")


def test_columns_may_be_named_by_any_string():
    names = ["", " ", "π", "<script>", "\ud800", "a\nb", "x0"]
    frame = pd.DataFrame(np.zeros((1, 7)), columns=pd.Index(names, dtype=object))
    assert Columns.learn(frame).feature_names == tuple(names)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["b", "a"], "the order differs: 'b' in place of 'a'"),
        (["a", "c"], "unseen in training: 'c'; missing: 'b'"),
        (["a"], "missing: 'b'"),
        (["a", "b", "c", "d", "e", "f", "g", "h"], "unseen in training: 'c', .* 'g', ..."),
    ],
)
def test_other_names_or_orders_at_prediction_are_refused(names, message):
    columns = Columns.learn(pd.DataFrame({"a": [1], "b": [2]}))
    with pytest.raises(ValueError, match=f"not those of the training table .{message}"):
        columns.to_matrix(pd.DataFrame(np.zeros((1, len(names))), columns=names))


def test_names_are_compared_only_where_both_tables_have_some():
    named = Columns.learn(pd.DataFrame({"a": [1], "b": [2]}))
    assert same(named.to_matrix([[3, 4]]), [[3, 4]])
    numbered = Columns.learn([[1, 2]])
    assert same(numbered.to_matrix(pd.DataFrame({"a": [3], "b": [4]})), [[3, 4]])
    with pytest.raises(ValueError, match="order differs"):
        numbered.to_matrix(pd.DataFrame({"x1": [3], "x0": [4]}))
    with pytest.raises(ValueError, match="unseen in training: 'a'; missing: 'x0'"):
        numbered.to_matrix(pd.DataFrame({"a": [3], "x1": [4]}))


def test_another_number_of_columns_is_refused():
    columns = Columns.learn(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="has 2 features, but the model is expecting 3 features"):
        columns.to_matrix(np.zeros((2, 2)))


def test_equal_names_are_refused():
    with pytest.raises(ValueError, match="feature names must differ, got 'a' twice"):
        Columns.learn(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_names_that_are_strings_only_in_part_are_refused():
    with pytest.raises(TypeError, match="column names must all be strings, got 1"):
        Columns.learn(pd.DataFrame([[1, 2]], columns=["a", 1]))


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["object", "str", "string"])
def test_text_that_is_not_categorical_is_refused_with_the_fix(dtype):
    frame = pd.DataFrame({"n": [1, 2], "city": pd.Series([None, "Rome"], dtype=dtype)})
    for table in (frame, frame.astype({"city": "category"})):
        with pytest.raises(ValueError, match=r"'city' holds text \('Rome'\).*astype\('category'\)"):
            convert(table, categorical_features=None)
    for table in (frame.to_numpy(), frame.to_numpy().tolist(), np.array([["1", "Rome"]])):
        with pytest.raises(ValueError, match=r"holds text .* name it in categorical_features"):
            convert(table)


@pytest.mark.parametrize(
    ("table", "error", "message"),
    [
        (sp.csr_array(np.eye(2)), TypeError, r"sparse matrix is not supported.*toarray\(\)"),
        (sp.csr_matrix(np.eye(2)), TypeError, "sparse matrix is not supported"),
        (np.zeros(3), ValueError, r"two dimensions, got shape \(3,\). Reshape your data"),
        (np.zeros((1, 2, 3)), ValueError, "Reshape your data"),
        (5, ValueError, "Reshape your data"),
        (pd.Series([1, 2]), ValueError, "Reshape your data"),
        ([[1], [2, 3]], ValueError, "rows of one length"),
        (np.zeros((2, 2), complex), ValueError, "Complex data not supported: column 'x0'"),
        (np.zeros((2, 1), "M8[D]"), TypeError, "column 'x0' holds dates or times"),
        (np.zeros((2, 1), "m8[s]"), TypeError, "column 'x0' holds dates or times"),
        (np.array([[dt.date(2024, 1, 1)]], object), TypeError, "column 'x0' holds something"),
        (np.array([[{"a": 1}]], object), TypeError, "argument must be a string or a real number"),
        (np.array([[1 + 2j]], object), TypeError, "column 'x0' holds something"),
        (np.zeros((2, 2), [("a", float)]), TypeError, "structured array is not supported"),
        (np.empty((0, 3)), ValueError, r"0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1"),
        (np.empty((3, 0)), ValueError, r"0 feature\(s\) \(shape=\(3, 0\)\) while a minimum of 1"),
        (pd.DataFrame(index=[0]), ValueError, r"0 feature\(s\)"),
        (pd.DataFrame({"t": [pd.Timestamp(0)]}), TypeError, "column 't' holds dates or times"),
        (
            pd.DataFrame({"t": [pd.Timestamp(0, tz="UTC")]}),
            TypeError,
            "column 't' holds something that is not a number",
        ),
    ],
)
def test_what_is_no_table_of_numbers_is_refused(table, error, message):
    with pytest.raises(error, match=message):
        convert(table)


def test_entries_that_cannot_be_categories_are_refused():
    with pytest.raises(TypeError, match="column 'x0' holds something that cannot be a category"):
        convert(np.array([[{}]], object), [0])


def test_an_array_of_numbers_loads_neither_pandas_nor_scipy():
    code = (
        "import sys, numpy as np; from horotree.trees import Columns; X = np.zeros((2, 2));"
        "Columns.learn(X).to_matrix(X); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {module.split(".")[0] for module in done.stdout.split()}
    assert "horotree" in loaded
    assert not loaded & {"scipy", "sklearn", "matplotlib", "pandas", "polars"}


def test_a_blank_may_have_become_an_underscore():
    columns = Columns(("mean_radius", "size"), (None, None))
    table = pd.DataFrame({"mean radius": [1.0], "size": [2.0]})
    assert columns.to_matrix(table).tolist() == [[1.0, 2.0]]
    with pytest.raises(ValueError, match="unseen"):
        columns.to_matrix(table[["size", "mean radius"]])


def test_matrices_that_are_not_aligned_are_copied():
    data = np.arange(13.0).tobytes()
    skewed = np.frombuffer(data, np.float64, 12, offset=1).reshape(4, 3)
    assert not skewed.flags.aligned
    matrix = as_matrix(skewed)
    assert matrix.flags.aligned
    np.testing.assert_array_equal(matrix, skewed)
    aligned = np.ones((4, 3))
    assert as_matrix(aligned) is aligned
