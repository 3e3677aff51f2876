"""The experiments run by name and draw the paper's figures; the documents' pictures are theirs."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from experiments.__main__ import find_experiments, main
from tests.experiments.made import write_domain
from tests.pictures import MOST, TILE, changed_tiles

ROOT = Path(__file__).parents[1]
DRAWN = {name: module for name, module in find_experiments().items() if not hasattr(module, "run")}
PICTURES = sorted((ROOT / "docs" / "images").glob("*.png"))
LABELS = {
    "fig-dt-vs-mdt": "fig:dt-vs-mdt",
    "fig-isolines": "tab:isolines-t-self",
    "fig-lift": "fig:logtexp",
    "fig-norm-map": "fig:rtorprime",
    "fig-how-to-read": "fig:hyperbolicsum",
    "fig-sarkar": "fig:sarkar",
    "tab-domains": "t-s-uci",
    "tab-dt-vs-mdt": "tab:dt-vs-mdt-XAI",
}


def test_figures_and_tables_of_the_paper_have_experiments_with_their_labels():
    found = find_experiments()
    assert {name: found[name].LABEL for name in LABELS} == LABELS


def test_every_experiment_says_what_it_shows_and_can_be_run():
    for name, module in find_experiments().items():
        assert module.__doc__.partition("\n")[0].endswith("."), name
        assert hasattr(module, "draw") or hasattr(module, "run"), name
        assert hasattr(module, "page") == hasattr(module, "ORDER"), name


@pytest.mark.parametrize("name", DRAWN)
def test_a_figure_without_data_draws_something(name):
    assert DRAWN[name].draw().axes


def test_list_has_one_line_an_experiment(capsys):
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(find_experiments())
    for name, label in LABELS.items():
        assert any(line.split()[:2] == [name, label] for line in lines)


def test_one_experiment_writes_its_figure_and_prints_where(tmp_path, capsys):
    assert main(["fig-lift", "--output", str(tmp_path / "new")]) == 0
    paths = [tmp_path / "new" / f"fig-lift.{suffix}" for suffix in ("png", "svg")]
    assert capsys.readouterr().out.splitlines() == [str(path) for path in paths]
    assert sorted((tmp_path / "new").iterdir()) == paths


def test_one_table_is_made_of_a_folder(tmp_path, capsys):
    write_domain(tmp_path / "data", "german")
    command = ["tab-domains", "--data", str(tmp_path / "data"), "--offline", "--quick"]
    assert main([*command, "--output", str(tmp_path / "new")]) == 0
    path = tmp_path / "new" / "quick" / "results" / "tab-domains.csv"
    assert capsys.readouterr().out.splitlines() == [str(path)]
    assert "german" in path.read_text("utf-8")


def test_they_run_from_the_root_of_the_repository():
    command = [sys.executable, "-m", "experiments", "list"]
    run = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    assert "fig-lift" in run.stdout


def test_all_of_some_run_and_those_without_data_say_so(tmp_path, capsys, monkeypatch):
    names = ("fig-lift", "tab-domains", "tab-dt-vs-mdt")
    some = {name: module for name, module in find_experiments().items() if name in names}
    monkeypatch.setattr("experiments.__main__.find_experiments", lambda: some)
    command = ["all", "--quick", "--offline", "--format", "pdf", "--output", str(tmp_path)]
    assert main(command) == 1
    captured = capsys.readouterr()
    quick = tmp_path / "quick"
    paths = [quick / "fig-lift.pdf", quick / "results" / "tab-domains.csv"]
    paths += [quick / "results" / "reproduction.md"]
    assert captured.out.splitlines() == [str(path) for path in paths]
    assert all(path.is_file() for path in paths)
    last = captured.err.splitlines()[-1]
    assert last.startswith("Error: tab-dt-vs-mdt: data not available: none of the paper's domains")


def test_data_that_are_not_there_are_one_readable_line(tmp_path, capsys):
    assert main(["tab-dt-vs-mdt", "--data", str(tmp_path / "none")]) == 1
    assert main(["tab-dt-vs-mdt", "--offline", "--output", str(tmp_path)]) == 1
    first, *_, last = capsys.readouterr().err.splitlines()
    assert first.startswith("Error: there is no folder ")
    assert last.startswith("Error: data not available: ")


def test_an_unwritable_directory_is_one_readable_line(tmp_path, capsys):
    file = tmp_path / "file"
    file.touch()
    assert main(["fig-lift", "--output", str(file)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    assert line.startswith(f"Error: cannot write into {file}: ")


def test_an_unknown_name_is_refused_and_the_known_ones_named(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["fig-nothing"])
    assert stop.value.code == 2
    assert "fig-isolines" in capsys.readouterr().err


def test_the_page_is_what_the_results_in_the_repository_make():
    results, page = ROOT / "experiments" / "results", ROOT / "docs" / "reproduction.md"
    made = importlib.import_module("experiments.page").make_page(find_experiments(), results)
    assert made == page.read_text("utf-8")
    assert "Not made yet" not in made


def test_the_documents_show_these_pictures_and_no_others():
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    shown = re.findall(
        r"\]\((?:docs/)?images/([^)]+)\)", "".join(p.read_text("utf-8") for p in pages)
    )
    assert {path.name for path in PICTURES} == set(shown)
    assert sum(path.stat().st_size for path in PICTURES) < 6_000_000


@pytest.mark.parametrize(
    "picture", [path for path in PICTURES if path.stem in DRAWN], ids=lambda path: path.stem
)
def test_a_picture_of_the_documents_is_small_and_what_its_experiment_draws(picture, tmp_path):
    image = importlib.import_module("PIL.Image")
    assert picture.stat().st_size < 400_000
    assert main([picture.stem, "--format", "png", "--dpi", "110", "--output", str(tmp_path)]) == 0
    drawn, kept = (
        np.asarray(image.open(path).convert("L"), dtype=float)
        for path in (tmp_path / picture.name, picture)
    )
    assert changed_tiles(drawn, kept) == []


@pytest.mark.parametrize(
    "picture", [path for path in PICTURES if path.stem in DRAWN], ids=lambda path: path.stem
)
def test_a_tile_that_vanishes_from_a_picture_is_noticed(picture):
    """So is a third of it, which the mean over all pixels may not show."""
    kept = np.asarray(importlib.import_module("PIL.Image").open(picture).convert("L"), dtype=float)
    rows, columns = (n // TILE * TILE for n in kept.shape)
    ink = 255.0 - kept[:rows, :columns].reshape(rows // TILE, TILE, -1, TILE).mean(axis=(1, 3))
    inked = np.argwhere(ink > MOST)
    assert len(inked) > 20
    for i, j in inked[:: max(1, len(inked) // 20)]:
        drawn = kept.copy()
        drawn[i * TILE : (i + 1) * TILE, j * TILE : (j + 1) * TILE] = 255.0
        assert [(row, column) for row, column, _ in changed_tiles(drawn, kept)] == [(i, j)]
