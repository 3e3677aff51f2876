"""`horotree view --max-trees`: how many trees the page has."""

import pytest

from tests.cli.running import refused, run

from .test_view import read_payload


@pytest.mark.parametrize(("trees", "is_partial"), [("2", True), ("1", True), ("7", False)])
def test_so_many_trees_are_on_the_page(folder, tmp_path, trees, is_partial):
    page = tmp_path / "p.html"
    done = run("view", folder / "few.horotree", "--html", page, "--max-trees", trees, "--no-open")
    assert (done.exit_code, done.stderr) == (0, "")
    header, _ = read_payload(page.read_text(encoding="utf-8"))
    assert header["nTrees"] == min(int(trees), 3)
    assert (header["shown"] is not None) == is_partial


@pytest.mark.parametrize("trees", ["all", "auto"])
def test_a_small_model_is_on_the_page_whole(folder, tmp_path, trees):
    page = tmp_path / "p.html"
    assert run("view", folder / "few.horotree", "--html", page, "--max-trees", trees).exit_code == 0
    assert read_payload(page.read_text(encoding="utf-8"))[0]["shown"] is None


@pytest.mark.parametrize("trees", ["0", "-1", "some", "1.5", "²"])
def test_other_numbers_are_refused(folder, tmp_path, trees):
    line = refused(
        "view", folder / "few.horotree", "--html", tmp_path / "p.html", "--max-trees", trees
    )
    assert line.startswith("--max-trees must be a number from 1, all or auto")
