"""Experiments get the domain that they name, or are told that it is not there."""

import pytest
from matplotlib.figure import Figure

from experiments.context import Context, MissingDataError
from tests.experiments.made import quick_context


def test_a_domain_comes_from_the_folder(tmp_path):
    context = quick_context(tmp_path, "german", "qsar")
    german, qsar = context.domain("german"), context.domain("qsar")
    assert german.X["kind"].dtype == "category"
    assert qsar.X.shape == (90, 3)
    assert set(german.y) == {0, 1}


def test_a_domain_that_is_not_there_is_named_with_what_to_do(tmp_path):
    with pytest.raises(MissingDataError, match=r"qsar.*--data DIR.*qsar\.csv\.gz"):
        quick_context(tmp_path, "german").domain("qsar")
    with pytest.raises(FileNotFoundError, match="OpenML is not known to have twitter"):
        Context().domain("twitter")


def test_domains_are_those_that_are_there_and_the_others_are_told(tmp_path, capsys):
    found = quick_context(tmp_path, "german").domains(["twitter", "german", "hardware"])
    assert [dataset.name for dataset in found] == ["german"]
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(";")[0].split()[-1] for line in lines] == ["twitter", "hardware"]


def test_figures_go_where_they_belong(tmp_path):
    context = quick_context(tmp_path)
    figure = Figure(figsize=(1.0, 1.0))
    assert context.save(figure, "a") == [tmp_path / "output" / "a.png"]
    paths = context.save(figure, "b", on_page=True)
    assert paths == [tmp_path / "output" / "b.png", tmp_path / "images" / "b.png"]
    assert all(path.is_file() for path in paths)
