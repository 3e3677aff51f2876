"""The experiments run by name and draw the paper's figures; the documents' pictures are theirs."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from experiments.__main__ import find_experiments, main

ROOT = Path(__file__).parents[1]
PICTURES = sorted((ROOT / "docs" / "images").glob("fig-*.png"))
LABELS = {
    "fig-dt-vs-mdt": "fig:dt-vs-mdt",
    "fig-isolines": "tab:isolines-t-self",
    "fig-lift": "fig:logtexp",
    "fig-norm-map": "fig:rtorprime",
    "fig-reading": "fig:hyperbolicsum",
    "fig-sarkar": "fig:sarkar",
}


def test_figures_of_the_paper_have_experiments_with_their_labels():
    found = find_experiments()
    assert {name: found[name].LABEL for name in LABELS} == LABELS


def test_every_experiment_says_what_it_draws():
    for name, module in find_experiments().items():
        assert module.__doc__.endswith("."), name
        assert module.draw().axes, name


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


def test_all_of_them_run_from_the_root_of_the_repository(tmp_path):
    command = [sys.executable, "-m", "experiments", "all", "--format", "pdf", "--output", tmp_path]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    assert {path.stem for path in tmp_path.iterdir()} == set(find_experiments())


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


def test_the_documents_show_these_pictures_and_no_others():
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    shown = re.findall(
        r"\]\((?:docs/)?images/([^)]+)\)", "".join(p.read_text("utf-8") for p in pages)
    )
    assert {path.name for path in PICTURES} | {"gallery.png", "viewer.png"} == set(shown)


@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: path.stem)
def test_a_picture_of_the_documents_is_small_and_what_its_experiment_draws(picture, tmp_path):
    image = importlib.import_module("PIL.Image")
    assert picture.stat().st_size < 400_000
    assert main([picture.stem, "--format", "png", "--dpi", "110", "--output", str(tmp_path)]) == 0
    drawn, kept = (
        np.asarray(image.open(path).convert("L"), dtype=float)
        for path in (tmp_path / picture.name, picture)
    )
    assert drawn.shape == kept.shape
    # Other versions of matplotlib may set letters a little differently.
    assert np.abs(drawn - kept).mean() < 2.0
