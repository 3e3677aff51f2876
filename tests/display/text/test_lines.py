"""Texts on trees: measured as drawn, broken without loss, and short names that still differ."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from horotree.display.text.fonts import families, printable
from horotree.display.text.lines import (
    LABEL_LENGTH,
    NAME_LENGTH,
    measure,
    shorten_columns,
    wrap,
    write_rule,
)
from horotree.display.text.numbers import write_value
from horotree.trees import Columns
from horotree.trees.rules.paths import Condition, Rule, path_rule
from tests.trees.strategies import models, names

SENTENCES = ['"worst concave points" <= 0.1358', "city in {Bern, Rome, ... 3 more}", "größe > 3"]
words = st.text(st.characters(codec="ascii", categories=["L", "N", "P"]), min_size=1, max_size=9)
texts = st.lists(words, max_size=8).map(" ".join) | names.map(printable)


@pytest.mark.parametrize("text", SENTENCES)
@pytest.mark.parametrize("bold", [False, True])
def test_measured_widths_are_those_that_are_drawn(text, bold):
    figure = Figure(dpi=600.0)
    renderer = FigureCanvasAgg(figure).get_renderer()
    weight = "bold" if bold else "normal"
    drawn = figure.text(0.0, 0.0, text, size=8.0, weight=weight, family=list(families()))
    width = drawn.get_window_extent(renderer).width / 600.0
    assert measure(text, 8.0, bold=bold) == pytest.approx(width, rel=0.02)


@given(texts, st.floats(0.3, 3.0))
def test_lines_hold_the_whole_text_and_fit(text, width):
    lines = wrap(text, width, 8.0)
    assert "".join("".join(lines).split()) == "".join(text.split())
    for line in lines:
        assert len(line) <= 1 or line.startswith("\\") or measure(line, 8.0) <= width


@given(texts, st.floats(0.5, 3.0), st.integers(1, 3))
def test_what_is_too_long_ends_with_dots_and_still_fits(text, width, max_lines):
    whole, lines = wrap(text, width, 8.0), wrap(text, width, 8.0, max_lines=max_lines)
    if len(whole) <= max_lines:
        assert lines == whole
    else:
        assert len(lines) == max_lines
        assert lines[-1].endswith("…")
        assert measure(lines[-1], 8.0) <= width


@pytest.mark.parametrize("width", np.linspace(0.6, 1.6, 21))
def test_what_is_too_long_ends_before_a_number_not_within(width):
    (line,) = wrap("age <= 48151 and height > 62342 and x", width, 7.5, max_lines=1)
    assert {*line.split()} <= {"age", "<=", "48151", "and", "height", ">", "62342", "x", "…"}


def test_signs_stay_with_what_they_compare_with():
    assert wrap("capital_gain <= 5095", 0.8, 7.5) == ["capital_gain", "<= 5095"]
    assert wrap("workclass not in {Private, ... 3 more}", 0.9, 7.5) == [
        "workclass",
        "not in {Private,",
        "... 3 more}",
    ]


def test_long_words_are_cut_after_a_mark_and_never_before_an_accent_or_in_an_escape():
    assert wrap("other_payment_plans", 0.9, 7.5) == ["other_payment_", "plans"]
    accented = "e\u0301" * 30
    assert not any(line.startswith("\u0301") for line in wrap(accented, 0.5, 8.0))
    escaped = r"\u4e2d" * 8
    assert all(len(line) % 6 == 0 for line in wrap(escaped, 0.8, 8.0))


@given(st.lists(st.text("ab", max_size=40) | names, min_size=1, max_size=30, unique=True))
def test_short_names_differ_as_the_names_do(long):
    columns = Columns(tuple(long), (None,) * (len(long) - 1) + (tuple(long),))
    short = shorten_columns(columns)  # refuses names or labels that are equal
    assert max(map(len, short.feature_names)) <= NAME_LENGTH
    assert max(map(len, short.categories[-1])) <= LABEL_LENGTH
    for name, kept in zip(long, short.feature_names, strict=True):
        assert kept == name or len(name) > NAME_LENGTH


def test_names_that_differ_late_are_shortened_to_what_they_differ_by():
    long = tuple(f"the number of days since the {what} visit at home" for what in ("last", "first"))
    short = shorten_columns(Columns(long, (None, None)))
    assert short.feature_names == (
        "…ce the last visit at home",
        "…e the first visit at home",
    )


def test_thousands_of_labels_that_are_cut_alike_take_no_time():
    labels = tuple(f"{i}, then the same for all of them"[::-1] for i in range(5000))
    (short,) = shorten_columns(Columns(("city",), (labels,))).categories
    assert len(set(short)) == 5000


@given(models())
def test_paragraphs_are_together_the_text_of_the_rule(model):
    columns = shorten_columns(model.columns)
    for tree in (tree for ensemble in model.ensembles for tree in ensemble.trees):
        for node in range(tree.n_nodes):
            rule = path_rule(tree, node)
            written = " ".join(write_rule(rule, columns))
            options = {"show_missing": False}
            expected = {rule.text(columns, max_labels=k, **options) for k in (2, 3)}
            if len(expected) == 1:
                assert written == printable(expected.pop())


def test_one_label_more_is_written_rather_than_that_there_is_one_more():
    columns = Columns(("city",), (tuple("abcdefgh"),))

    def written(n):
        return write_rule(Rule((Condition(feature=0, allowed=frozenset(range(n))),)), columns)

    assert written(3) == ["city in {a, b, c}"]
    assert written(4) == ["city in {a, b, ... 2 more}"]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_values_have_their_sign_and_are_short(value):
    text = write_value(value)
    assert text[0] == ("−" if value < 0.0 else "+" if value > 0.0 else "0")
    assert len(text) <= 10
    if value:
        read = float(text.replace("−", "-"))
        assert np.sign(read) == np.sign(value)
        assert abs(read) == np.inf or read == pytest.approx(value, rel=0.06)  # 1.8e+308
