"""The page about training and the example keep their promises."""

import doctest
import re
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_code_of_the_page_runs_and_prints_what_it_says():
    results = doctest.testfile(str(ROOT / "docs" / "training.md"), module_relative=False)
    assert results.attempted > 10
    assert results.failed == 0


def test_the_page_names_every_parameter():
    from horotree import LogisticBoostClassifier

    page = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    for name in LogisticBoostClassifier().get_params():
        assert re.search(rf"\b{name}\b", page), name


def test_the_example_runs(capsys):
    runpy.run_path(str(ROOT / "examples" / "train.py"), run_name="__main__")
    shown = capsys.readouterr().out
    assert shown.count("log-loss") == 4
    assert "the same to the bit: True" in shown
