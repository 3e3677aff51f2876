"""Rules as text, pandas and SQL: the same rows as ``Rule.holds``, and nothing of names is run."""

import ast
import datetime as dt
import enum
import itertools
import math
import re
import sqlite3

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from horotree.trees import Columns
from horotree.trees.rules.paths import Condition, Rule, path_rule
from tests.trees.strategies import POOL, generators, labels, names, numbers, random_tree

NAN = float("nan")
INF = math.inf
CITIES = ("Bern", "Oslo", "Paris", "Rome")
LARGEST = float(np.finfo(np.float64).max)
COLUMNS = Columns(("age", "city", "smoker"), (None, CITIES, (False, True)))

HOSTILE_NAMES = [
    'x" OR 1=1 --',
    '"]; DROP TABLE t; --',
    "x'] | True | df['x",
    "select",
    "a;b",
    "/* c */",
    "%s ? :x $1",
    "\\",
    "ÿ π 😀",
    "line\nbreak",
    "`[{",
]
HOSTILE_LABELS = [
    "'); DROP TABLE t;--",
    "' OR '1'='1",
    "\\' OR 1=1 --",
    "'] or True or ['",
    '"',
    "NULL",
    "",
    "\n",
    "1",
    "true",
]


def age(**fields):
    return Rule((Condition(feature=0, **fields),))


def city(**fields):
    return Rule((Condition(feature=1, **fields),))


# --- for people ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (Rule(), "always"),
        (age(high=7.0), "age <= 7"),
        (age(low=3.2), "age > 3.2"),
        (age(low=3.2, high=7.0), "3.2 < age <= 7"),
        (age(high=7.0, missing=True), "age <= 7 (or missing)"),
        (age(low=3.2, high=7.0, missing=True), "3.2 < age <= 7 (or missing)"),
        (age(low=-2.0, high=-0.0), "-2 < age <= 0"),
        (age(), "age is known"),
        (age(missing=True), "always"),
        (age(low=7.0, high=7.0, missing=True), "age is missing"),
        # The largest number parts what is missing from what is known.
        (age(high=LARGEST), "age is known"),
        (age(low=7.5, high=LARGEST), "age > 7.5"),
        (age(high=LARGEST, missing=True), "always"),
        (age(low=LARGEST, missing=True), "age is missing"),
        (age(low=7.0, high=3.2), "never"),
        (city(allowed={0}), "city = Bern"),
        (city(excluded={0}), "city != Bern"),
        (city(excluded={0}, missing=True), "city != Bern (or missing)"),
        (city(allowed={0, 3}), "city in {Bern, Rome}"),
        (city(excluded={0, 3}), "city in {Oslo, Paris}"),
        (city(excluded={3, 0}, missing=True), "city in {Oslo, Paris} (or missing)"),
        (city(allowed={0, 1, 3}), "city != Paris"),
        (city(allowed=()), "never"),
        (city(allowed=(), missing=True), "city is missing"),
        (city(allowed={0, 1, 2, 3}), "city is known"),
        (city(allowed={0, 1, 2, 3}, missing=True), "always"),
        (city(low=0.5), "city != Bern"),  # some models compare codes with numbers
        (city(low=0.5, high=2.0, excluded={1}), "city = Paris"),
        (Rule((Condition(feature=2, allowed={1}),)), "smoker = True"),
        (age(high=7.0, missing=True) & city(allowed={0}), "age <= 7 (or missing) and city = Bern"),
        (city(allowed={0}) & age(low=3.2) & age(high=7.0), "city = Bern and 3.2 < age <= 7"),
        (city(allowed=range(4), missing=True) & age(low=3.2), "age > 3.2"),
        (city(allowed=()) & age(low=3.2), "never"),
    ],
)
def test_rules_read_as_expected(rule, expected):
    assert rule.text(COLUMNS) == expected


def test_missing_values_need_not_be_mentioned():
    rule = age(high=7.0, missing=True) & city(excluded={0}, missing=True)
    assert rule.text(COLUMNS, show_missing=False) == "age <= 7 and city != Bern"
    only_missing = age(low=7.0, high=7.0, missing=True)
    assert only_missing.text(COLUMNS, show_missing=False) == "age is missing"


@pytest.mark.parametrize(
    ("low", "high", "digits", "expected"),
    [
        (-INF, 2.4500000477, 4, "x <= 2.45"),
        (-INF, 2.4499999881, 4, "x < 2.45"),
        (2.4499999881, INF, 4, "x >= 2.45"),
        (0.99996, 2.00004, 4, "1 <= x <= 2"),
        (-INF, 2011.5, 4, "x <= 2011.5"),
        (-INF, 123456.789, 4, "x < 123456.8"),
        (-INF, np.nextafter(2012.0, 0.0), 4, "x < 2012"),
        (-INF, float(np.nextafter(np.float32(2012), np.float32(0))), 4, "x < 2012"),
        (-5e-324, INF, 4, "x >= 0"),
        (-INF, -(2.0**-149), 4, "x < 0"),
        (-INF, 5e-324, 4, "x <= 5e-324"),
        (3.20001, 3.20004, 4, "3.20001 < x <= 3.20004"),
        (3.20001, 3.20004, 5, "3.20001 < x <= 3.20004"),
        (3.2, 3.2000000000000006, 4, "3.2 < x < 3.200000000000001"),
        (3.2, 3.2000000000000006, None, "3.2 < x <= 3.2000000000000006"),
        (0.1 + 0.2, INF, None, "x > 0.30000000000000004"),
        (0.1 + 0.2, INF, 1, "x > 0.3"),
        (-1.7976931348623157e308, 1.7976931348623155e308, 4, None),
        (-INF, 1.23456789e-7, 3, "x <= 1.23e-07"),
        (-INF, 1.23456789e20, 3, "x <= 1.23e+20"),
        (-INF, 1e15, 4, "x <= 1000000000000000"),
        (-INF, 1e300, None, "x <= 1e+300"),
        (-INF, 31.41592653589793, 17, "x <= 31.41592653589793"),
    ],
)
def test_bounds_are_as_short_as_they_may_be(low, high, digits, expected):
    text = Rule((Condition(feature=0, low=low, high=high),)).text(
        Columns(("x",), (None,)), digits=digits
    )
    assert text == (expected or f"{low!r} < x <= {high!r}")


# The largest number is no bound: it parts what is missing from what is known.
bounds = (st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from(POOL.tolist())).filter(
    lambda x: x != LARGEST
)


@given(bounds, bounds, st.integers(1, 17))
@example(0.3, 0.1 + 0.2, 4)
@example(-5e-324, 5e-324, 4)
def test_what_a_text_says_is_true_of_the_numbers_that_it_shows(a, b, digits):
    low, high = sorted((a, b))
    assume(low < high)
    condition = Condition(feature=0, low=low, high=high)
    text = Rule((condition,)).text(Columns(("x",), (None,)), digits=digits)
    shown = re.fullmatch(r"(\S+) (<=?) x (<=?) (\S+)", text)
    first, second = float(shown[1]), float(shown[4])
    assert first < second
    assert condition.holds([first, second]).tolist() == [shown[2] == "<=", shown[3] == "<="]
    for bound, number in ((low, first), (high, second)):
        assert math.isclose(bound, number, rel_tol=0.5 * 10 ** (1 - digits), abs_tol=2.0**-149)


@given(bounds)
def test_exact_bounds_lead_back_to_the_number(bound):
    text = age(high=bound).text(COLUMNS, digits=None)
    assert float(text.removeprefix("age <= ")) == bound


@pytest.mark.parametrize(
    ("n", "allowed", "max_labels", "expected"),
    [
        (40, range(5), 5, "c in {l0, l1, l2, l3, l4}"),
        (40, range(17), 5, "c in {l0, l1, l2, l3, l4, ... 12 more}"),
        (40, range(17, 40), 2, "c not in {l0, l1, ... 15 more}"),
        (40, range(2), 1, "c in {l0, ... 1 more}"),
        (4, range(2), None, "c in {l0, l1}"),
        (8, range(2, 8), None, "c not in {l0, l1}"),
    ],
)
def test_long_sets_are_shortened_in_text_and_only_there(n, allowed, max_labels, expected):
    columns = Columns(("c",), (tuple(f"l{i}" for i in range(n)),))
    rule = Rule((Condition(feature=0, allowed=allowed),))
    assert rule.text(columns, max_labels=max_labels) == expected
    for text in (rule.to_pandas(columns), rule.to_sql(columns)):
        assert re.findall(r"'(l\d+)'", text) == [f"l{i}" for i in allowed]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("age", "age"),
        ("hours-per-week", "hours-per-week"),
        ("a.b_c/d", "a.b_c/d"),
        ("1stFlrSF", "1stFlrSF"),
        ("größe", "größe"),
        ("किताब", "किताब"),
        ("petal length (cm)", '"petal length (cm)"'),
        ("", '""'),
        (" ", '" "'),
        ("-x", '"-x"'),
        ("x-", '"x-"'),
        ("a<b", '"a<b"'),
        ("a, b}", '"a, b}"'),
        ("7", '"7"'),
        ("1e5", '"1e5"'),
        ("nan", '"nan"'),
        ("and", '"and"'),
        ("Missing", '"Missing"'),
        ("N/A", '"N/A"'),
        ('say "hi" \\', r'"say \"hi\" \\"'),
        ("two\nlines\t\x00", r'"two\nlines\t\x00"'),
        ("\u202egnp.exe", r'"\u202egnp.exe"'),
        ("zero\u200bwidth", r'"zero\u200bwidth"'),
        ("filler\u3164", r'"filler\u3164"'),
        ("\ud800", r'"\ud800"'),
        ("nb\xa0space", r'"nb\xa0space"'),
        ("\u2028", r'"\u2028"'),
        ("😀", '"😀"'),
    ],
)
def test_names_and_labels_are_shown_so_that_they_cannot_mislead(name, expected):
    assert age(low=1.0).text(Columns((name,), (None,))) == f"{expected} > 1"
    columns = Columns(("c",), ((name, "other"),))
    assert Rule((Condition(feature=0, allowed={0}),)).text(columns) == f"c = {expected}"


@given(st.text(st.characters()) | names)
@example("a\\nb")
def test_a_shown_name_is_one_printable_line_and_leads_back_to_the_name(name):
    text = age(low=1.0).text(Columns((name,), (None,)))
    assert text.isprintable()
    shown = text.removesuffix(" > 1")
    assert (ast.literal_eval(shown) if shown.startswith('"') else shown) == name


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        (7, "7"),
        (-7, "-7"),
        (1.0, "1.0"),
        (True, "True"),
        (np.int64(4), "4"),
        (np.float64(0.5), "0.5"),
        (np.str_("a"), "a"),
        (dt.date(2024, 1, 2), "2024-01-02"),
        (pd.Timestamp("2024-01-02"), '"2024-01-02 00:00:00"'),
        (("a", 1), "\"('a', 1)\""),
        (b"a", "\"b'a'\""),
        (None, '"None"'),
    ],
)
def test_labels_of_all_types_are_shown(label, expected):
    columns = Columns(("c",), ((label, "other"),))
    assert Rule((Condition(feature=0, allowed={0}),)).text(columns) == f"c = {expected}"


def test_numbers_of_digits_and_labels_that_are_none_are_refused():
    with pytest.raises(ValueError, match="digits must be 1 or more, or None, got 0"):
        Rule().text(COLUMNS, digits=0)
    with pytest.raises(ValueError, match="max_labels must be 1 or more, or None, got 0"):
        Rule().text(COLUMNS, max_labels=0)


# --- for pandas ----------------------------------------------------------------------------------


def mask(text, df):
    """Evaluate a mask with the frame, two types, and nothing else."""
    found = eval(text, {"__builtins__": {"object": object, "float": float}}, {"df": df})  # noqa: S307  the claim
    assert found.dtype == np.bool_ or found.dtype == pd.BooleanDtype()
    assert not pd.isna(found).any()
    return np.asarray(found, dtype=bool)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (Rule(), "df.index.isin(df.index)"),
        (age(low=2.0, high=1.0), "~df.index.isin(df.index)"),
        (age(high=7.0), "(df['age'].astype('float64') <= 7)"),
        (age(low=0.1), "(df['age'].astype('float64') > 0.1)"),
        (
            age(low=0.1, high=7.0),
            "df['age'].astype('float64').between(0.1, 7, inclusive='right')",
        ),
        (age(), "df['age'].astype('float64').notna()"),
        (age(low=1.0, high=1.0, missing=True), "df['age'].astype('float64').isna()"),
        (city(allowed={0, 3}), "df['city'].isin(['Bern', 'Rome'])"),
        (city(allowed={0, 3}, missing=True), "~df['city'].isin(['Oslo', 'Paris'])"),
        (city(allowed={0}) & age(low=0.1), None),
        (
            Rule((Condition(feature=2, allowed={1}),)),
            "df['smoker'].astype(object).isin([True])",
        ),
    ],
)
def test_masks_read_as_expected(rule, expected):
    both = "df['city'].isin(['Bern']) & (df['age'].astype('float64') > 0.1)"
    assert rule.to_pandas(COLUMNS) == (expected or both)


def numeric_column(rng, n):
    """Return a column of numbers with missing ones, in some dtype that to_matrix takes."""
    values = numbers(rng, n)
    is_missing = rng.random(n) < 0.25
    kind = rng.choice(
        ["float64", "float32", "object", "Float64", "Float32", "Int64", "int8", "boolean"]
    )
    if kind in ("float32", "Float32"):
        values[abs(values) > 1e30] = 0.1
    if kind in ("Int64", "int8", "boolean"):
        values = rng.integers(0, 2 if kind == "boolean" else 4, n)
    if kind == "int8":
        return pd.Series(values.astype(kind))
    entries = [None if gone else x for gone, x in zip(is_missing, values.tolist(), strict=True)]
    if kind == "boolean":
        entries = [None if x is None else bool(x) for x in entries]
    column = pd.Series(entries, dtype=kind)
    if rng.random() < 0.2:
        column = column.astype("category")
    return column


def labeled_column(rng, n, known, unseen):
    """Return a column of known, unseen and missing labels, in some dtype that holds them."""
    pool = [*known, *unseen[:3], None, NAN, pd.NA]
    entries = [pool[place] for place in rng.integers(0, len(pool), n)]
    column = pd.Series(entries, dtype=object)
    found = [x for x in entries if not pd.isna(x)]
    # Strings that Arrow keeps for pandas have no lone surrogates, nor what they are compared with.
    texts = [x for x in (*known, *found) if isinstance(x, str)]
    whole = not any("\ud800" <= c <= "\udfff" for text in texts for c in text)
    kind = rng.choice(["object", "category", "string", "str", "Int64", "Float64", "boolean"])
    if kind == "category" and whole:
        same = len(set(map(type, found))) == 1
        index = pd.Index([*dict.fromkeys(found)], dtype=None if same else object)
        return column.astype(pd.CategoricalDtype(index))
    holds = {
        "object": True,
        "Int64": all(type(x) is int and abs(x) < 2**63 for x in found),
        "Float64": all(type(x) is float for x in found),
        "boolean": all(type(x) is bool for x in found),
    }
    text = whole and all(isinstance(x, str) for x in found)
    return column.astype(kind) if holds.get(kind, text) else column


several = st.one_of(
    st.lists(kind, min_size=1, max_size=8, unique=True)
    for kind in (
        labels,
        names,
        st.sampled_from(HOSTILE_LABELS),
        st.integers(-3, 3),
        st.sampled_from([2**53, 2**53 + 1, 2**53 + 2, 2.0**53, 0.5]),
        st.sampled_from([2**63 - 1, 2**63, 2**64 - 1, 2.0**63]),
        st.floats(allow_nan=False),
        st.booleans(),
    )
)


@st.composite
def frames(draw):
    """Draw columns, a data frame of them and the rule of a leaf."""
    rng = draw(generators)
    drawn = draw(st.lists(st.none() | several, min_size=1, max_size=3))
    known = [None if some is None else tuple(some[: (len(some) + 1) // 2]) for some in drawn]
    feature_names = draw(
        st.lists(
            names | st.sampled_from(HOSTILE_NAMES),
            min_size=len(known),
            max_size=len(known),
            unique=True,
        )
    )
    columns = Columns(tuple(feature_names), tuple(known))
    data = [
        numeric_column(rng, 12)
        if some is None
        else labeled_column(rng, 12, some, every[len(some) :])
        for some, every in zip(known, drawn, strict=True)
    ]
    df = pd.concat(data, axis=1)
    df.columns = pd.Index(feature_names, dtype=object)
    tree = random_tree(rng, columns.n_categories, draw(st.integers(1, 6)))
    return columns, df, [path_rule(tree, leaf) for leaf in np.flatnonzero(tree.is_leaf)]


@given(frames())
def test_masks_agree_with_the_rules_on_data_frames_of_all_dtypes(drawn):
    columns, df, rules = drawn
    try:
        X = columns.to_matrix(df)
    except ValueError as error:
        assert "must hold labels such as" in str(error)  # noqa: PT017  text for numbers
        assume(False)
    for rule in rules:
        assert np.array_equal(mask(rule.to_pandas(columns), df), rule.holds(X))


def test_masks_agree_where_pandas_would_round_the_bound_to_the_columns_dtype():
    df = pd.DataFrame({"age": np.array([0.1, 0.3], np.float32)})
    columns = Columns.learn(df)
    rule = age(low=0.1, high=0.3)
    assert rule.holds(columns.to_matrix(df)).tolist() == [True, False]
    assert mask(rule.to_pandas(columns), df).tolist() == [True, False]
    assert (df["age"] > 0.1).tolist() == [False, True]


@pytest.mark.parametrize("dtype", ["int64", "Int64", "uint64", "object", "category"])
@pytest.mark.parametrize("known", [(2**53 + 1, 0.5), (2**53, "a"), (2**53 + 2, 2**63), (True, 7)])
def test_masks_agree_where_pandas_would_take_long_whole_numbers_for_floats(dtype, known):
    df = pd.DataFrame({"c": pd.Series([1, 2**53, 2**53 + 1, 2**53 + 2]).astype(dtype)})
    columns = Columns(("c",), (known,))
    for fields in ({"allowed": {0}}, {"allowed": {1}, "missing": True}, {"allowed": {0, 1}}):
        rule = Rule((Condition(feature=0, **fields),))
        expected = rule.holds(columns.to_matrix(df))
        assert np.array_equal(mask(rule.to_pandas(columns), df), expected)


@pytest.mark.parametrize(
    "index",
    [
        pd.Index(["b", "b", None]),
        pd.MultiIndex.from_tuples([(1, 2), (1, NAN), (1, 2)]),
        pd.DatetimeIndex(["2024-01-01", None, "2024-01-01"]),
    ],
)
def test_masks_do_not_depend_on_the_index(index):
    df = pd.DataFrame({"age": [1.0, 9.0, NAN]}, index=index)
    columns = Columns.learn(df)
    assert mask(Rule().to_pandas(columns), df).all()
    assert not mask(age(low=1.0, high=1.0).to_pandas(columns), df).any()
    assert df[mask(age(high=7.0, missing=True).to_pandas(columns), df)].index.equals(index[[0, 2]])


def test_infinite_labels_have_a_form_in_python():
    columns = Columns(("c",), ((INF, -INF, 1.0),))
    df = pd.DataFrame({"c": [1.0, INF, -INF, NAN]})
    rule = Rule((Condition(feature=0, allowed={0, 1}),))
    assert mask(rule.to_pandas(columns), df).tolist() == [False, True, True, False]


def test_the_frame_may_have_another_name_that_is_one():
    assert age(low=1.0).to_pandas(COLUMNS, frame="data") == "(data['age'].astype('float64') > 1)"
    for frame in ("", "1x", "a b", "a.b", "df;import os", "lambda", "None"):
        with pytest.raises(ValueError, match="frame must be the name of a Python variable, got"):
            Rule().to_pandas(COLUMNS, frame=frame)


class Color(str, enum.Enum):  # noqa: UP042  a label that is shown as something else
    RED = "red"


class Loud(str):
    __slots__ = ()

    def __repr__(self):
        return "__import__('os').abort()"

    __str__ = __repr__


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        (Color.RED, "'red'"),
        (Loud("quiet"), "'quiet'"),
        (np.float64(0.5), "0.5"),
        (np.int64(4), "4"),
        (np.bool_(True), "True"),
        (enum.IntEnum("Size", ["SMALL"]).SMALL, "1"),
    ],
)
def test_labels_of_other_types_are_taken_for_what_they_are(label, expected):
    columns = Columns((Loud("name"),), ((label, "other"),))
    rule = Rule((Condition(feature=0, allowed={0}),))
    assert rule.to_pandas(columns).endswith(f".isin([{expected}])")
    assert rule.to_pandas(columns).startswith("df['name']")
    expected = "TRUE" if expected == "True" else expected
    assert rule.to_sql(columns) == f'"name" IN ({expected})'
    assert rule.text(columns) == f"name = {expected.strip(chr(39)).replace('TRUE', 'True')}"


@pytest.mark.parametrize("label", [dt.date(2024, 1, 2), b"a", ("a", 1), None, 1j])
def test_labels_that_have_no_form_are_refused_by_name(label):
    columns = Columns(("c",), ((label, "other"),))
    rule = Rule((Condition(feature=0, allowed={0}),))
    for write in (rule.to_pandas, rule.to_sql):
        message = f"the label {re.escape(repr(label))} of feature 'c' is a {type(label).__name__}"
        with pytest.raises(TypeError, match=message):
            write(columns)
    # What is not written need not have a form.
    other = Rule((Condition(feature=0, allowed={1}),))
    assert other.to_sql(columns) == "\"c\" IN ('other')"


# --- for SQL -------------------------------------------------------------------------------------


def select(condition, columns, rows):
    """Return for which rows of an SQLite table a condition is true."""
    with sqlite3.connect(":memory:") as base:
        listed = ", ".join('"' + name.replace('"', '""') + '"' for name in columns.feature_names)
        base.execute(f"CREATE TABLE t (number_of_row INTEGER, {listed})")
        slots = ", ".join("?" * (len(columns.feature_names) + 1))
        numbered = [(i, *row) for i, row in enumerate(rows)]
        base.executemany(f"INSERT INTO t VALUES ({slots})", numbered)  # noqa: S608  the test
        found = base.execute(f"SELECT number_of_row FROM t WHERE {condition}").fetchall()  # noqa: S608  the test
        assert base.execute("SELECT count(*) FROM t").fetchone() == (len(rows),)
    base.close()
    holds = np.zeros(len(rows), bool)
    holds[[i for (i,) in found]] = True
    return holds


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (Rule(), "1 = 1"),
        (age(low=2.0, high=1.0), "1 = 0"),
        (age(high=7.0), '"age" <= 7'),
        (age(low=-1e-5, high=1e22), '"age" > -1e-05 AND "age" <= 1e+22'),
        (age(low=0.1, missing=True), '("age" > 0.1 OR "age" IS NULL)'),
        (age(low=0.1, high=7.0, missing=True), '(("age" > 0.1 AND "age" <= 7) OR "age" IS NULL)'),
        (age(), '"age" IS NOT NULL'),
        (age(low=1.0, high=1.0, missing=True), '"age" IS NULL'),
        (city(allowed={0, 3}), "\"city\" IN ('Bern', 'Rome')"),
        (city(excluded={0}, missing=True), '("city" NOT IN (\'Bern\') OR "city" IS NULL)'),
        (Rule((Condition(feature=2, allowed={1}),)), '"smoker" IN (TRUE)'),
        (city(allowed={0}) & age(low=0.1), '"city" IN (\'Bern\') AND "age" > 0.1'),
    ],
)
def test_conditions_in_sql_read_as_expected(rule, expected):
    assert rule.to_sql(COLUMNS) == expected


sql_texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
sql_names = (sql_texts.filter(bool) | st.sampled_from(HOSTILE_NAMES)).filter(
    lambda name: name.lower() != "number_of_row"
)
sql_labels = st.one_of(
    st.lists(kind, min_size=1, max_size=8, unique=True)
    for kind in (
        sql_texts,
        st.sampled_from(HOSTILE_LABELS),
        st.integers(-(2**53), 2**53),
        st.floats(-1e6, 1e6).filter(lambda x: x == 0.0 or abs(x) > 1e-6),
        st.booleans(),
        st.one_of(sql_texts, st.integers(-2, 2), st.sampled_from([0.5, True])),
    )
)


@st.composite
def bases(draw):
    """Draw columns, rows for a data base and the rules of a tree's leaves."""
    rng = draw(generators)
    drawn = draw(st.lists(st.none() | sql_labels, min_size=1, max_size=3))
    known = [None if some is None else tuple(some[: (len(some) + 1) // 2]) for some in drawn]
    feature_names = draw(
        st.lists(
            sql_names, min_size=len(known), max_size=len(known), unique_by=lambda name: name.lower()
        )
    )
    columns = Columns(tuple(feature_names), tuple(known))
    data = []
    for every in drawn:
        pool = numbers(rng, 12).tolist() if every is None else [*every]
        pool += [None] * (1 + len(pool) // 4)
        data.append([pool[place] for place in rng.integers(0, len(pool), 12)])
    tree = random_tree(rng, columns.n_categories, draw(st.integers(1, 6)))
    rules = [path_rule(tree, leaf) for leaf in np.flatnonzero(tree.is_leaf)]
    return columns, list(zip(*data, strict=True)), rules


@given(bases())
def test_conditions_in_sql_agree_with_the_rules_in_sqlite(drawn):
    columns, rows, rules = drawn
    X = np.empty((len(rows), len(columns.feature_names)))
    for j, some in enumerate(columns.categories):
        code = {label: k for k, label in enumerate(some or ())}
        for i, row in enumerate(rows):
            x = row[j] if some is None else code.get(row[j])
            X[i, j] = np.nan if x is None else x
    for rule in rules:
        assert np.array_equal(select(rule.to_sql(columns), columns, rows), rule.holds(X))


@pytest.mark.parametrize("name", HOSTILE_NAMES)
@pytest.mark.parametrize("missing", [False, True])
def test_nothing_in_a_name_or_label_is_run(name, missing):
    columns = Columns((name, "n"), (tuple(HOSTILE_LABELS), None))
    rows = [(label, 1.0) for label in [*HOSTILE_LABELS, "unseen", None]]
    df = pd.DataFrame(rows, columns=pd.Index(columns.feature_names, dtype=object))
    for place in range(len(HOSTILE_LABELS)):
        rule = Rule((Condition(feature=0, allowed={place}, missing=missing),))
        expected = [i == place or (missing and i >= len(HOSTILE_LABELS)) for i in range(len(rows))]
        assert rule.holds(columns.to_matrix(df)).tolist() == expected
        assert mask(rule.to_pandas(columns), df).tolist() == expected
        assert select(rule.to_sql(columns), columns, rows).tolist() == expected


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_text_that_sql_cannot_hold_is_refused(text):
    rule = Rule((Condition(feature=0, low=1.0),))
    with pytest.raises(ValueError, match="NUL character or a lone surrogate, which SQL cannot"):
        rule.to_sql(Columns((text,), (None,)))
    rule = Rule((Condition(feature=0, allowed={0}),))
    with pytest.raises(ValueError, match="of feature 'c', holds a NUL character or a lone surr"):
        rule.to_sql(Columns(("c",), ((text, "other"),)))


def test_names_and_numbers_that_sql_does_not_have_are_refused():
    with pytest.raises(ValueError, match="SQL has no empty names"):
        Rule((Condition(feature=0, low=1.0),)).to_sql(Columns(("",), (None,)))
    rule = Rule((Condition(feature=0, allowed={0}),))
    with pytest.raises(ValueError, match="the label inf of feature 'c' has no form"):
        rule.to_sql(Columns(("c",), ((INF, 1.0),)))


# --- models that round to float32 ----------------------------------------------------------------

MAX32 = float(np.finfo(np.float32).max)


def near(bound):
    """Return float64 numbers around the places where rounding to float32 changes the side."""
    with np.errstate(over="ignore"):
        middle = np.float32(bound)
        ends = np.unique([np.nextafter(middle, np.float32(end)) for end in (-INF, INF)] + [middle])
        grid = np.unique(np.clip(ends.astype(float), -(2.0**128), 2.0**128))
        points = np.concatenate([grid, (grid[1:] + grid[:-1]) / 2.0, [bound, -1e300, 0.0, 1e300]])
        around = [np.nextafter(points, -INF), points, np.nextafter(points, INF)]
        x = np.unique(np.concatenate(around))
        return x, x.astype(np.float32).astype(float)


@given(
    bounds
    | st.floats(width=32, allow_nan=False, allow_infinity=False)
    | st.floats(-4e38, 4e38)
    | st.floats(-1e-37, 1e-37)
)
@example(MAX32)
@example(-MAX32)
@example(2.0**128 - 2.0**103)
@example(np.nextafter(2.0**128 - 2.0**103, 0.0))
@example(-(2.0**-149))
@example(2.0**-150)
@example(0.0)
@example(1.0)
@example(float(np.nextafter(np.float32(1), np.float32(2))))
def test_bounds_for_float32_models_send_numbers_where_their_rounding_goes(bound):
    x, rounded = near(bound)
    df = pd.DataFrame({"age": x})
    for rule in (age(high=bound), age(low=bound), age(low=bound, missing=True)):
        text = rule.to_pandas(COLUMNS, input_dtype="float32")
        assert np.array_equal(mask(text, df), rule.holds(rounded[:, None]))


def test_the_same_bounds_are_in_sql():
    columns = Columns(("age",), (None,))
    for bound in (0.1, 1.0, 3.3, float(np.float32(0.1)), 16777217.0):
        x, rounded = near(bound)
        rule = age(low=bound)
        found = select(
            rule.to_sql(columns, input_dtype="float32"), columns, [(v,) for v in x.tolist()]
        )
        assert np.array_equal(found, rule.holds(rounded[:, None]))


def test_an_interval_without_float32_numbers_has_no_rows():
    rule = age(low=0.1, high=np.nextafter(0.1, 1.0))
    assert rule.to_sql(COLUMNS) != "1 = 0"
    assert rule.to_sql(COLUMNS, input_dtype="float32") == "1 = 0"
    for write, kind in itertools.product((rule.to_sql, rule.to_pandas), ("float16", "f4", None)):
        with pytest.raises(
            ValueError, match=f"input_dtype must be float64 or float32, got {kind!r}"
        ):
            write(COLUMNS, input_dtype=kind)
