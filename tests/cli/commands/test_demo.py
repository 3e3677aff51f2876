"""`horotree demo`: everything it writes, and what it leaves alone."""

import pytest

from horotree import LogisticBoostClassifier, load
from horotree import _screen as browser
from horotree.cli.commands import demo
from horotree.cli.output import pictures
from horotree.display import FIGURES
from tests.cli.running import refused, run, run_outside

FILES = {
    "viewer.html",
    "index.html",
    "disk.png",
    "disk.svg",
    "disk-t1.png",
    "disk-t1.svg",
    "held-out.png",
    "ensemble.png",
    "breast-cancer.horotree",
}


@pytest.fixture
def fast(monkeypatch):
    """Train few trees, and draw them coarsely."""
    fit = LogisticBoostClassifier.fit

    def fit_few(self, X, y):
        return fit(self.set_params(n_estimators=3), X, y)

    monkeypatch.setattr(LogisticBoostClassifier, "fit", fit_few)
    monkeypatch.setattr(pictures, "DPI", 40.0)


def test_the_demo_as_users_run_it(tmp_path):
    done = run_outside("demo", "--no-open", cwd=tmp_path, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert {path.name for path in (tmp_path / "horotree-demo").iterdir()} == FILES
    report, strongest, paths = done.stdout.split("\n\n")
    assert "same class" in report
    assert "error  " in report
    assert strongest.startswith("strongest trees")
    assert paths.splitlines()[:2] == ["horotree-demo/viewer.html", "horotree-demo/index.html"]
    assert 'id="horotree-data"' in (tmp_path / "horotree-demo" / "viewer.html").read_text("utf-8")
    assert {path.removeprefix("horotree-demo/") for path in paths.splitlines()} == FILES
    page = (tmp_path / "horotree-demo" / "index.html").read_text(encoding="utf-8")
    assert page.count("data:image/png;base64,") == 4
    assert '<a href="viewer.html">' in page
    assert report.splitlines()[0] in page
    pictures = [tmp_path / "horotree-demo" / name for name in ("disk.png", "disk-t1.png")]
    assert pictures[0].read_bytes() != pictures[1].read_bytes()  # this model needs another t than 1
    assert (
        len(load(tmp_path / "horotree-demo" / "breast-cancer.horotree").ensembles[0].trees) == 200
    )


def test_the_demo_may_run_twice(tmp_path, fast):
    for _ in range(2):
        done = run("demo", "--output", tmp_path / "deep" / "again", "-q")
        assert (done.exit_code, done.stderr) == (0, "")
    assert {path.name for path in (tmp_path / "deep" / "again").iterdir()} == FILES


def test_the_browser_opens_the_page(tmp_path, fast, monkeypatch, opened):
    monkeypatch.setattr(demo, "_write", lambda *_: [tmp_path / "index.html"])
    assert "No browser was opened" in run("demo", "-o", tmp_path).stderr
    monkeypatch.setattr(browser, "has_screen", lambda: True)
    run("demo", "-o", tmp_path, "--no-open")
    assert opened == []
    run("demo", "-o", tmp_path)
    assert opened == [(tmp_path / "index.html").as_uri()]


def test_the_theory_is_drawn_on_request(tmp_path, fast, monkeypatch):
    monkeypatch.setattr(demo, "_write", lambda *_: [tmp_path / "index.html"])
    done = run("demo", "-o", tmp_path, "--theory", "--no-open")
    assert done.exit_code == 0, done.output
    files = {f"{name}.{suffix}" for name in FIGURES for suffix in ("png", "svg")}
    assert {path.name for path in (tmp_path / "theory").iterdir()} == files
    assert str(tmp_path / "theory" / "lift.svg") in done.stdout.splitlines()


@pytest.mark.parametrize("name", ["index.html", "disk.png"])
def test_files_of_others_are_left_alone(write, name):
    path = write("mine", name)
    line = refused("demo", "-o", path.parent)
    assert line.endswith("is not from an earlier demo: choose another folder with --output.")
    assert [file.read_text() for file in path.parent.iterdir()] == ["mine"]


@pytest.mark.parametrize("below", [".", "deeper"])
def test_an_unwritable_folder_is_one_readable_line(tmp_path, below):
    file = tmp_path / "file"
    file.touch()
    assert f"cannot write into '{file / below}': " in refused("demo", "--output", file / below)
