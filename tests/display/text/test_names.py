"""Names that are shortened can still be told apart."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.display.text.names import shorten, shorten_all

pieces = st.lists(
    st.sampled_from(["visits", "_", " ", "3", "12", "é", "of the person"]), max_size=30
)
names = st.builds("".join, pieces) | st.text(max_size=60)


def test_long_texts_keep_both_ends():
    assert shorten("short", 10) == "short"
    assert shorten("a" * 20 + "b" * 20, 10) == "aaaaaa…bbb"
    assert len(shorten("x" * 99, 17)) == 17


@given(st.lists(names, max_size=40), st.integers(8, 40))
def test_different_names_stay_different_and_equal_ones_equal(names, length):
    short = shorten_all(names, length)
    assert len(set(short)) == len(set(names))
    assert len(set(zip(names, short, strict=True))) == len(set(names))
    assert all(len(text) <= length for text in short)
    assert all(text == name for name, text in zip(names, short, strict=True) if len(name) <= length)


@given(names.filter(lambda text: len(text) > 30), names.filter(lambda text: len(text) > 30))
def test_the_parts_that_are_left_stand_in_the_name_in_their_order(start, end):
    long = [f"{start}{middle}{end}" for middle in ("one", "another")]
    for name, text in zip(long, shorten_all(long, 20), strict=True):
        if "~" in text:
            continue
        place = 0
        for part in text.split("…"):
            assert part in name[place:]
            place = name.index(part, place) + len(part)


def test_what_differs_in_the_middle_at_the_end_and_in_both_is_left():
    visits = [
        f"average number of visits in the last {months} months before the date ({where})"
        for months in (3, 12)
        for where in ("at home", "abroad")
    ]
    for name, text in zip(visits, shorten_all(visits, 30), strict=True):
        assert ("12 months" if "12" in name else "3 months") in text
        assert ("home)" if "home" in name else "abroad)") in text
        assert "~" not in text
    classes = ["the customer will have defaulted", "the customer will have not defaulted"]
    assert shorten_all(classes, 24) == ["…mer will have defaulted", "…will have not defaulted"]


@pytest.mark.clock
def test_thousands_of_names_take_no_time():
    start = time.perf_counter()
    short = shorten_all(
        [f"a column with a long name, number {i}, of them" for i in range(5000)], 26
    )
    assert len(set(short)) == 5000
    assert time.perf_counter() - start < 10.0
