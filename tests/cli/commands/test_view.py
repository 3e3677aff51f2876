"""`horotree view`: pictures and pages of models."""

import base64
import re
from dataclasses import replace
from pathlib import Path

import pytest
from sklearn.datasets import load_breast_cancer

from horotree import _screen as browser
from horotree import load, save
from horotree.cli.output import pictures
from horotree.display.disk.display import DiskDisplay
from horotree.display.ensemble.display import EnsembleDisplay
from horotree.trees import Ensemble, Model
from tests.cli.running import refused, run
from tests.viewer.payload.decoder import decode

BEGIN = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


def read_payload(page):
    """Return the header and the arrays that a page holds."""
    found = re.search(r'id="horotree-data"[^>]*>([^<]*)<', page)
    return decode(base64.b64decode(found[1]))


@pytest.fixture
def drawn(monkeypatch):
    """Record what was drawn, and draw it in little time."""
    calls = []

    def record(kind):
        draw = kind.from_estimator.__func__

        def from_estimator(cls, model, *data, **options):
            calls.append((cls, data, options))
            return draw(cls, model, *data, **options)

        monkeypatch.setattr(kind, "from_estimator", classmethod(from_estimator))

    record(DiskDisplay)
    record(EnsembleDisplay)
    monkeypatch.setattr(pictures, "DPI", 40.0)
    return calls


@pytest.mark.parametrize("suffix", BEGIN)
def test_a_picture_is_written_in_the_format_of_its_name(folder, tmp_path, suffix, drawn):
    path = tmp_path / f"tree{suffix}"
    done = run("view", folder / "few.horotree", "--output", path)
    assert (done.exit_code, done.stdout, done.stderr) == (0, f"{path}\n", "")
    assert path.read_bytes().startswith(BEGIN[suffix])
    ((kind, data, options),) = drawn
    assert (kind, data) == (DiskDisplay, (None, None))
    assert (options["tree"], options["t"]) == (0, "auto")


def test_tree_temperature_class_and_data_are_what_was_asked_for(folder, tmp_path, drawn):
    options = ["--tree", -1, "--t", 0.5, "--class", "2", "--center", "base", "-t", "kind"]
    options += ["--data", folder / "iris.csv", "-o", tmp_path / "a.png"]
    done = run("view", folder / "iris.horotree", *options)
    assert done.exit_code == 0, done.output
    ((_, (X, y), seen),) = drawn
    assert seen == {"tree": -1, "t": 0.5, "class_": 2, "center": "base"}
    assert X.shape == (150, 4)
    assert y.tolist() == [0] * 50 + [1] * 50 + [2] * 50


def test_all_trees_are_a_sheet(folder, tmp_path, drawn):
    done = run("view", folder / "few.horotree", "--tree", "all", "-o", tmp_path / "sheet.png")
    assert done.exit_code == 0, done.output
    ((kind, _, _),) = drawn
    assert kind is EnsembleDisplay


def test_a_page_holds_all_trees_and_what_held_out_data_say(folder, tmp_path, drawn):
    options = ["--data", folder / "test.csv", "-t", "diagnosis", "--no-open", "--center", "base"]
    path = tmp_path / "page.html"
    done = run("view", folder / "few.horotree", "--html", path, *options)
    assert (done.exit_code, done.stdout) == (0, f"{path}\n")
    assert drawn == []
    header, arrays = read_payload(path.read_text(encoding="utf-8"))
    assert header["nTrees"] == len(load(folder / "few.horotree").ensembles[0].trees)
    assert {"heldVerdictHalf", "heldVerdictBase", "rows"} <= set(arrays)
    assert header["center"] == "base"
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]


def test_a_center_that_is_none_is_refused(folder, tmp_path):
    done = run("view", folder / "few.horotree", "--center", "root", "-o", tmp_path / "a.png")
    assert done.exit_code == 2
    assert "--center must be one of auto, base, half, got 'root'" in done.stderr


def test_without_an_output_the_page_is_in_a_temporary_folder(folder, tmp_path, monkeypatch, drawn):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    done = run("view", folder / "few.horotree")
    page = Path(done.stdout.strip())
    assert page.name == "few.html"
    assert page.parent.parent == tmp_path
    assert done.stderr == "No browser was opened: open the page yourself.\n"
    assert [path.name for path in page.parent.iterdir()] == ["few.html"]


def test_names_of_features_and_classes_are_escaped_on_the_page(folder, tmp_path, drawn):
    model = load(folder / "few.horotree")
    names = ("<script>alert(1)</script>", *model.feature_names[1:])
    evil = replace(model, feature_names=names, classes=["<img src=x>", "&"])
    save(evil, tmp_path / "<b>.horotree")
    done = run("view", tmp_path / "<b>.horotree", "--html", tmp_path / "p.html", "--no-open")
    assert done.exit_code == 0, done.output
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert page.count("<script") == 2  # the data and the viewer
    assert "alert(1)" not in page
    assert "<b>" not in page
    assert "<img src=x" not in page
    header, _ = read_payload(page)
    assert header["features"][0] == "<script>alert(1)</script>"


@pytest.mark.parametrize(
    ("screen", "options", "n_opened"), [(True, [], 1), (True, ["--no-open"], 0), (False, [], 0)]
)
def test_the_browser_opens_where_there_is_a_screen(
    folder, tmp_path, monkeypatch, drawn, opened, screen, options, n_opened
):
    monkeypatch.setattr(browser, "has_screen", lambda: screen)
    done = run("view", folder / "few.horotree", "--html", tmp_path / "a b.html", *options)
    assert done.exit_code == 0
    assert opened == [(tmp_path / "a b.html").as_uri()] * n_opened


@pytest.mark.parametrize("error", [OSError("no"), ValueError("no")])
def test_a_browser_that_fails_is_no_error(tmp_path, monkeypatch, error):
    def fail(url):
        raise error

    monkeypatch.setattr("webbrowser.open", fail)
    monkeypatch.setattr(browser, "has_screen", lambda: True)
    assert browser.open_page(tmp_path / "x.html") is False


@pytest.mark.parametrize(("platform", "expected"), [("linux", False), ("darwin", True)])
def test_a_screen_is_looked_for(monkeypatch, platform, expected):
    monkeypatch.setattr("sys.platform", platform)
    assert browser.has_screen() is expected
    monkeypatch.setenv("DISPLAY", ":0")
    assert browser.has_screen() is True


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--tree", "3"], "--tree must be from 0 to 2, got 3."),
        (["--tree", "-4"], "--tree must be from 0 to 2, got -4."),
        (["--tree", "one"], "--tree must be a whole number, several as 0,5,9, or all, got 'one'."),
        (["--class", "odd"], "--class must be one of 'benign', 'malignant', got 'odd'."),
        (["--t", "warm"], "--t must be a number or auto, got 'warm'."),
        (["--t", "nan", "-o", "a.png"], "t must be finite"),
        (["--t", "1e9", "-o", "a.png"], "lower t"),
        (["--data", "x.csv"], "--data and --target belong together"),
        (["--target", "y"], "--data and --target belong together"),
        (["-o", "a.jpg"], "pictures are written as .png, .svg, .pdf, got 'a.jpg'"),
        (["-o", "nowhere/a.png"], "there is no folder 'nowhere'"),
        (["--html", "."], "'.' is a folder"),
    ],
)
def test_what_cannot_be_drawn_is_refused(folder, tmp_path, monkeypatch, options, reason):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert reason in refused("view", folder / "few.horotree", *options)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_existing_pictures_are_kept_unless_forced(folder, write, drawn):
    path = write("mine", "a.svg")
    assert "exists already" in refused("view", folder / "few.horotree", "-o", path)
    assert path.read_text() == "mine"
    assert run("view", folder / "few.horotree", "-o", path, "--force").exit_code == 0
    assert path.read_bytes().startswith(BEGIN[".svg"])


def test_a_model_without_trees_is_refused(tmp_path):
    empty = Model((Ensemble((), [], [], 0.5),), "logistic", [0, 1], ("x",), (None,), "float64")
    save(empty, tmp_path / "m")
    assert "has no trees to draw" in refused("view", tmp_path / "m", "-o", tmp_path / "a.png")


@pytest.mark.parametrize("ending", [".json", ".ubj"])
def test_a_model_file_of_xgboost_is_shown(require, tmp_path, ending):
    xgboost = require("xgboost")
    X, y = load_breast_cancer(return_X_y=True)
    path = tmp_path / f"foreign{ending}"
    xgboost.XGBClassifier(n_estimators=3, n_jobs=1).fit(X, y).save_model(path)
    done = run("view", path, "--html", tmp_path / "p.html", "--no-open")
    assert done.exit_code == 0, done.output
    header, _ = read_payload((tmp_path / "p.html").read_text(encoding="utf-8"))
    assert header["nTrees"] == 3
