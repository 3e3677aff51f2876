"""The reader of numbers in texts gives what Python's own float and int give."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.importers.shared.number_lists import read_floats, read_whole

NUMBERS = st.floats(allow_nan=False).flatmap(
    lambda x: st.sampled_from([repr(x), f"{x:.17g}", f"{x:.5e}", f"{x:g}".upper()])
)
ODD = st.text(st.sampled_from("0123456789.eE+-_xinfatyINFAN ,\t\0²٣é"), max_size=12)


def split(text, separator):
    return text.split() if separator == " " else text.split(separator)


@given(st.lists(NUMBERS, max_size=20), st.sampled_from([" ", "  ", " \t\n", ",", " , "]))
def test_numbers_are_those_of_float_to_the_last_bit(texts, between):
    separator = "," if "," in between else " "
    numbers = read_floats(between.join(texts), separator)
    assert numbers is not None
    expected = np.array([float(text) for text in texts])
    np.testing.assert_array_equal(numbers.view(np.int64), expected.view(np.int64))


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=20), st.sampled_from([" ", ","]))
def test_whole_numbers_are_those_of_int(numbers, separator):
    text = separator.join(map(str, numbers))
    np.testing.assert_array_equal(read_whole(text, separator), np.array(numbers, np.int64))


@given(ODD, st.sampled_from([" ", ","]))
def test_nothing_else_is_read_than_float_reads(text, separator):
    numbers = read_floats(text, separator)
    if numbers is not None and text.strip():
        parts = [part.strip(" \t\n\r") for part in split(text, separator)]
        assert parts, text
        np.testing.assert_array_equal(numbers, [float(part) for part in parts])


@pytest.mark.parametrize(
    "text",
    ["1e400", "-1e400", "1e-400", "5e-324", "2.4703282292062327e-324", "1" * 400, "+1", "-0"],
)
def test_numbers_at_the_ends_of_the_range_are_those_of_float(text):
    numbers = read_floats(text)
    assert numbers is not None
    assert numbers.view(np.int64)[0] == np.float64(float(text)).view(np.int64)


@pytest.mark.parametrize(
    "text", ["1,,2", ",1", "1,", "1 2", "1,2;", "1,x", "0x1", "1\0", "1_0", "\ud800"]
)
def test_what_is_not_just_numbers_is_refused(text):
    assert read_floats(text, ",") is None
    assert read_whole(text, ",") is None


@pytest.mark.parametrize("text", ["9223372036854775808", "1.0", "1e3", "- 1", "--1", "+1"])
def test_what_is_no_whole_number_of_64_bits_is_refused(text):
    assert read_whole(text) is None
