"""Tables can be read again, and it is known what they were made with."""

import json

import pytest

from experiments.results_table import PROVENANCE, find_commit, read_table, write_table
from tests.experiments.made import quick_context

ROWS = [{"domain": "a, b", "error": 1 / 3, "n": 7}, {"domain": "ß", "error": 2e-9, "n": None}]


def test_a_table_comes_back_with_six_digits(tmp_path):
    context = quick_context(tmp_path)
    assert write_table(context, "tab-x", ROWS) == tmp_path / "results" / "tab-x.csv"
    lines = read_table(context.results, "tab-x")
    assert lines == [
        {"domain": "a, b", "error": "0.333333", "n": "7"},
        {"domain": "ß", "error": "2e-09", "n": ""},
    ]


def test_a_table_is_the_same_to_the_byte_when_written_again(tmp_path):
    context = quick_context(tmp_path)
    files = [context.results / "tab-x.csv", context.results / PROVENANCE]
    write_table(context, "tab-x", ROWS, seeds=[0])
    before = [path.read_bytes() for path in files]
    write_table(context, "tab-x", ROWS, seeds=[0])
    assert [path.read_bytes() for path in files] == before


def test_provenance_is_recorded_for_each_table(tmp_path):
    context = quick_context(tmp_path)
    write_table(context, "tab-x", ROWS, seeds=[0, 1])
    write_table(context, "tab-y", ROWS)
    records = json.loads((context.results / PROVENANCE).read_text("utf-8"))
    assert set(records) == {"tab-x", "tab-y"}
    assert records["tab-x"]["seeds"] == [0, 1]
    assert {"horotree", "numpy", "Python"} <= set(records["tab-x"]["versions"])
    assert set(records["tab-x"]["machine"]) == {"system", "cores", "processor"}
    assert records["tab-x"]["commit"] == find_commit()


def test_a_table_that_was_not_made_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_table(tmp_path, "tab-x")
