"""The page is made of sections; what is missing is said; only times differ."""

from types import ModuleType

from experiments.page import listed, make_page, table
from experiments.results_table import read_table, write_table
from tests.experiments.made import quick_context


def module(name, order, text, times=None):
    made = ModuleType(name, f"What {name} shows.\n\nMore.")
    made.ORDER = order
    made.page = lambda results: text.format(read_table(results, name)[0]["error"])
    if times:
        made.times = lambda results: times
    return made


def test_sections_are_in_their_order_and_without_tables_they_say_so(tmp_path):
    context = quick_context(tmp_path)
    write_table(context, "b", [{"error": 0.5}])
    found = {
        "a": module("a", 2, "## A\n"),
        "b": module("b", 1, "## B\n\nerror {}\n", "| seconds |\n"),
        "c": ModuleType("c", "No section."),
    }
    text = make_page(found, context.results)
    heads = [line for line in text.splitlines() if line.startswith("#")]
    assert heads == ["# The paper, reproduced", "## B", "## What a shows", "## Times"]
    assert "\n## B\n\nerror 0.5\n" in text
    assert "\nNot made yet: `python -m experiments a --data DIR` makes it.\n" in text
    assert text.endswith("| seconds |\n")


def test_columns_of_numbers_are_flush_right():
    text = table(
        ["domain", "error", "ρ %"], [["a1", "**0.5** ± 0.1", "1 and 2"], ["name", "", "3"]]
    )
    assert text.splitlines()[1] == "| --- | --: | --: |"
    assert table(["a", "b"], []).splitlines()[1] == "| --: | --: |"


def test_words_are_listed_as_in_a_sentence():
    assert [listed(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "none",
        "a",
        "a and b",
        "a, b and c",
    ]
