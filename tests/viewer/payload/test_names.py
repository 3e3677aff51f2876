"""Names and labels are shown as harmless text, and copied as rules write them."""

import datetime as dt
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.trees import Columns, Ensemble, Model
from horotree.trees.rules import one_line
from horotree.trees.rules.paths import Condition, Rule
from horotree.viewer import encode
from horotree.viewer.names import are_codes, rule_texts
from tests.factories import stump

from .decoder import decode

labels = st.one_of(
    st.text(max_size=6),
    st.integers(),
    st.booleans(),
    st.floats(allow_nan=False),
    st.text("\ud800\udfff\u2028\u202e\0\"'\\< \t", max_size=5),
)


@given(st.text() | st.text("\ud800\udfff\0\n\u2028\u202e"))
def test_displayed_names_print_and_are_valid_text(name):
    shown = one_line(name)
    assert shown
    assert shown.isprintable()
    assert shown.encode("utf-8", "strict").decode() == shown


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1))
def test_names_that_print_are_displayed_as_they_are(name):
    assert one_line(name) == name


@given(st.text(max_size=8), st.lists(labels, min_size=2, max_size=4, unique=True))
def test_texts_are_those_of_rules(name, known):
    columns = Columns((name, f"other {name}"), (None, tuple(known)))
    texts = rule_texts(columns) or {"features": [None, None], "labels": [None, [None] * len(known)]}
    text, pandas, sql = texts["features"][0] or words(one_line(name), '"')
    number = Rule((Condition(feature=0, high=1.0),))
    assert number.text(columns) == f"{text} <= 1"
    assert number.to_pandas(columns) == f"(df[{pandas}].astype('float64') <= 1)"
    assert attempt(number.to_sql, columns) == (None if sql is None else f"{sql} <= 1")
    category = Rule((Condition(feature=1, allowed=frozenset({0})),))
    other = texts["features"][1] or words(one_line(f"other {name}"), '"')
    if are_codes(tuple(known)):
        assert texts["labels"][1] is None or texts["labels"][1] == [None] * len(known)
        text = pandas = sql = "0"
    else:
        text, pandas, sql = texts["labels"][1][0] or words(one_line(known[0]), "'")
    assert category.text(columns) == f"{other[0]} = {text}"
    expected = category.to_pandas(columns)
    assert expected.endswith(f".isin([{pandas}])")
    written = attempt(category.to_sql, columns)
    both = sql is not None and other[2] is not None
    assert written == (f"{other[2]} IN ({sql})" if both else None)


def test_labels_that_have_no_code_have_none():
    (entry,) = rule_texts(Columns(("day",), ((dt.date(2020, 1, 2),),)))["labels"][0]
    assert entry == ("2020-01-02", None, None)


def test_plain_words_need_no_texts():
    assert rule_texts(Columns(("age", "a-b"), (None, ("Bern", "größe")))) is None


@given(st.lists(labels, min_size=1, unique=True))
def test_texts_are_valid_json(known):
    texts = rule_texts(Columns(("x",), (tuple(known),)))
    json.dumps(texts, ensure_ascii=False).encode("utf-8", "strict")


def words(shown, quote):
    return shown, f"'{shown}'", quote + shown + quote


def attempt(write, columns):
    try:
        return write(columns)
    except (TypeError, ValueError):
        return None


@pytest.mark.parametrize("label", [True, 7, 7.5, "7"])
def test_numbers_and_texts_that_look_alike_differ_in_rules(label):
    (entry,) = rule_texts(Columns(("x",), ((label,),)))["labels"][0]
    assert entry[1] == repr(label)


def test_a_page_does_not_list_codes():
    tree = stump([0.0, -1.0, 2.0], codes=[10**6])
    ensemble = Ensemble((tree,), leverage=[1.0], edge=[0.1], base_value=0.0)
    codes = tuple(range(10**6 + 1))
    model = Model((ensemble,), "logistic", ["no", "yes"], ("shop",), (codes,), "float64")
    header = decode(encode(model))[0]
    assert header["categories"] == [10**6 + 1]
    assert len(encode(model)) < 5_000
    assert rule_texts(Columns(("shop",), (codes,))) is None
    assert rule_texts(Columns(("shop",), ((0, 1, "others"),))) is not None
    assert not any(map(are_codes, [None, (), (0, True), (0.0, 1.0), (1, 2), ("0", "1")]))
