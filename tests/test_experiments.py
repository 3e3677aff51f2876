"""The experiments run by name and draw the paper's figures; the README's picture is theirs."""

import importlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from experiments.__main__ import find_experiments, main

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "images" / "fig-readme.png"
LABELS = {
    "fig-lift": "fig:logtexp",
    "fig-norm-map": "fig:rtorprime",
    "fig-isolines": "tab:isolines-t-self",
}


def test_each_figure_of_sections_3_and_4_has_an_experiment_with_its_label():
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


def test_the_picture_of_the_readme_is_small_and_what_its_experiment_draws(tmp_path):
    image = importlib.import_module("PIL.Image")
    assert PICTURE.stat().st_size < 200_000
    arguments = ["fig-readme", "--format", "png", "--dpi", "150", "--output", str(tmp_path)]
    assert main(arguments) == 0
    drawn, kept = (
        np.asarray(image.open(path).convert("L"), dtype=float)
        for path in (tmp_path / "fig-readme.png", PICTURE)
    )
    assert drawn.shape == kept.shape
    # Other versions of matplotlib may set letters a little differently.
    assert np.abs(drawn - kept).mean() < 2.0
