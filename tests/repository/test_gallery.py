"""The gallery shows a model of each library, made by the three lines it shows."""

import doctest

import pytest

from examples import gallery
from tests.repository.test_texts import ROOT, blocks, read


def test_a_card_for_every_library(require, tmp_path, recwarn):
    for module, _, _ in gallery.LIBRARIES:
        require(module)
    gallery.main(tmp_path)
    page = (tmp_path / "gallery.html").read_text(encoding="utf-8")
    assert page.count("<article>") == page.count("data:image/png") == 5
    assert "not installed" not in page
    for module, name, show in gallery.LIBRARIES:
        assert f"<h2>{name}</h2>" in page
        assert (tmp_path / f"{module}.html").stat().st_size > 50_000
        lines = gallery.lines_of(show).splitlines()
        assert len(lines) == 3
        assert all(len(line) < 100 for line in lines)


def test_a_library_that_is_missing_is_named(tmp_path):
    card = gallery.make_card(tmp_path, "no_such_library", "None", lambda: None)
    assert "pip install no_such_library" in card


def test_the_three_lines_of_the_readme_run(require):
    require("xgboost")
    (code,) = [block for block in blocks("README.md", "python") if "xgboost" in block]
    assert len(list(filter(None, code.splitlines()))) == 3
    y, y_test = (labels == "malignant" for labels in (gallery.y, gallery.y_test))
    names = {"X_train": gallery.X, "y_train": y, "X_test": gallery.X_test, "y_test": y_test}
    exec(code, names)  # noqa: S102 - our own text
    assert "XGBClassifier" in repr(names["model"])


ROWS = [line.split("|") for line in read("docs/importers.md").splitlines() if "::test_" in line]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[2].strip()[:40])
def test_the_tests_in_the_table_of_supported_models_exist(row):
    file, _, name = row[4].strip(" `").partition("::")
    assert f"def {name}(" in read(f"tests/importers/{file}")


def test_the_table_names_what_the_error_says_is_supported():
    from horotree.importers.errors import SUPPORTED

    page = read("docs/importers.md")
    for name in ("XGBClassifier", "LGBMClassifier", "CatBoostClassifier", ".ubj", ".cbm", ".txt"):
        assert name in SUPPORTED
        assert f"`{name}`" in page
    assert len(ROWS) >= 20


def test_the_code_of_the_page_runs():
    page = str(ROOT / "docs" / "importers.md")
    results = doctest.testfile(page, module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0
