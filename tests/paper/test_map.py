"""docs/paper.md maps every label of the paper to code and tests that exist."""

import importlib
import re
from pathlib import Path

import pytest

PAPER_TESTS = Path(__file__).parent
ROOT = PAPER_TESTS.parents[1]
PAGE = (ROOT / "docs" / "paper.md").read_text(encoding="utf-8")
LABELS = (PAPER_TESTS / "labels.txt").read_text(encoding="utf-8").split()
CODE = re.compile(r"`([^`]+)`")

# label -> (in horotree, test), from the rows of four columns
ROWS = {
    match[1]: (match[2], match[3])
    for match in re.finditer(r"^\| `([^`]+)` \|[^|]*\|([^|]*)\|([^|]*)\|$", PAGE, re.MULTILINE)
}


def functions_in(path):
    return set(re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))


def test_every_label_has_a_row_and_every_row_a_label():
    assert sorted(ROWS) == sorted(LABELS)
    assert len(LABELS) == len(set(LABELS))


@pytest.mark.parametrize("label", LABELS)
def test_what_a_row_names_exists(label):
    code, tests = ROWS[label]
    for name in CODE.findall(code):
        module, _, attribute = name.rpartition(".")
        target = importlib.import_module(f"horotree.{module}")
        assert hasattr(target, attribute) or importlib.import_module(f"horotree.{name}")
    for name in CODE.findall(tests):
        file, _, function = name.partition("::")
        path = ROOT / file if file.startswith("tests/") else PAPER_TESTS / file
        assert path.exists()
        assert not function or function in functions_in(path)
    assert CODE.findall(tests) or tests.strip() in {"–", "later"}
    assert (code.strip() == "later") == (tests.strip() == "later")


def test_every_paper_test_is_on_the_page():
    for file in ("test_calculus.py", "test_distortions.py", "test_models.py", "test_embedding.py"):
        for name in functions_in(PAPER_TESTS / file):
            base = name.split("__")[0]
            assert f"{file}::{base}" in PAGE, name


def test_every_erratum_has_its_test():
    listed = set(re.findall(r"`(test_erratum_\w+)`", PAGE))
    written = {name for name in functions_in(PAPER_TESTS / "test_errata.py") if "_erratum_" in name}
    assert listed == written
