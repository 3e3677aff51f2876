"""A view shows itself wherever it is."""

import base64
import doctest
import sys
import types
import webbrowser
from pathlib import Path

import pytest

from horotree.viewer import page, view
from horotree.viewer import widget as widget_module
from horotree.viewer.view import MAX_PICTURED
from tests.viewer.models import breast_cancer, iris, model_of, random_tree
from tests.viewer.payload.decoder import decode

WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.fixture
def no_anywidget(monkeypatch):
    widget_module._find_class.cache_clear()
    monkeypatch.setitem(sys.modules, "anywidget", None)
    yield
    widget_module._find_class.cache_clear()


@pytest.fixture
def shell(monkeypatch):
    """Pretend that IPython runs, with this shell; what it displays is listed."""
    shown = []

    def pretend(instance):
        package = types.SimpleNamespace(
            get_ipython=lambda: instance,
            display=types.SimpleNamespace(display=shown.append),
            version_info=(9, 0),  # matplotlib looks at it
        )
        monkeypatch.setitem(sys.modules, "IPython", package)
        return shown

    return pretend


def test_the_page_is_written_whole_or_not_at_all(tmp_path):
    seen = view(breast_cancer()[0], title="Größe")
    path = tmp_path / "model.html"
    assert seen.write_html(str(path)) == path
    assert path.read_text(encoding="utf-8") == seen.html
    seen.write_html(path)  # replaced
    assert [file.name for file in tmp_path.iterdir()] == ["model.html"]


def test_a_failed_write_leaves_nothing_and_says_so(tmp_path):
    seen = view(breast_cancer()[0])
    (tmp_path / "taken").mkdir()
    with pytest.raises(OSError, match="taken"):
        seen.write_html(tmp_path / "taken")
    with pytest.raises(FileNotFoundError):
        seen.write_html(tmp_path / "missing" / "model.html")
    assert [file.name for file in tmp_path.iterdir()] == ["taken"]


def test_links_are_followed(tmp_path):
    seen = view(breast_cancer()[0])
    target = tmp_path / "real.html"
    target.write_text("old")
    (tmp_path / "link.html").symlink_to(target)
    seen.write_html(tmp_path / "link.html")
    assert (tmp_path / "link.html").is_symlink()
    assert target.read_text(encoding="utf-8") == seen.html


def test_estimators_and_models_are_shown_alike():
    classifier, X, y = breast_cancer()
    assert view(classifier, X, y).payload == view(classifier.model_, X, y).payload
    with pytest.raises(ValueError, match="Supported are"):
        view(object())


def test_examples_reach_the_page():
    classifier, X, y = iris()
    seen = view(classifier, examples=X[:2], example_classes=y[:2])
    assert decode(seen.payload)[0]["examples"]["n"] == 2


def test_a_notebook_gets_the_widget(require, shell):
    require("anywidget")
    shell(types.SimpleNamespace(kernel=None))
    seen = view(breast_cancer()[0])
    bundle, _ = seen._repr_mimebundle_(include=None, exclude=None)
    assert bundle[WIDGET]["model_id"] == seen.widget.model_id
    assert "text/html" not in bundle
    assert bundle["text/plain"] == repr(seen)


def test_a_notebook_without_anywidget_gets_a_frame(no_anywidget, shell):
    shell(types.SimpleNamespace(kernel=None))
    bundle, metadata = view(breast_cancer()[0])._repr_mimebundle_()
    assert (
        '<iframe title="Tree model" sandbox="allow-scripts allow-downloads"' in bundle["text/html"]
    )
    assert metadata == {}
    assert base64.b64decode(bundle["image/png"]).startswith(b"\x89PNG")


def test_large_trees_are_not_drawn_for_those_who_see_no_html(no_anywidget):
    large = model_of(random_tree(MAX_PICTURED // 2 + 1))
    bundle, _ = view(large)._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}


def test_a_terminal_gets_a_line(shell):
    shell(types.SimpleNamespace())
    bundle, _ = view(breast_cancer()[0])._repr_mimebundle_()
    assert bundle == {"text/plain": "View(12 trees; show() opens it, write_html(path) writes it)"}


def test_a_view_shows_itself_in_the_notebook(shell):
    shown = shell(types.SimpleNamespace(kernel=None))
    seen = view(breast_cancer()[0])
    seen.show()
    assert shown == [seen]


def test_a_view_opens_a_browser_where_there_is_a_screen(monkeypatch, tmp_path):
    opened = []
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or True)
    seen = view(breast_cancer()[0])
    seen.show()
    (file,) = tmp_path.rglob("*.html")
    assert opened == [file.as_uri()]
    assert file.read_text(encoding="utf-8") == seen.html
    assert file.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("screen", [":0", ""])
def test_where_no_page_can_be_opened_a_warning_says_what_to_do(monkeypatch, tmp_path, screen):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", screen)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(webbrowser, "open", lambda address: False)
    with pytest.warns(UserWarning, match="write_html"):
        view(breast_cancer()[0]).show()


def test_the_widget_holds_the_payload_and_the_viewer(require):
    require("anywidget")
    seen = view(breast_cancer()[0])
    assert seen.widget is seen.widget
    assert seen.widget.data == seen.payload
    module = str(seen.widget._esm)
    assert "viewer.mount(" in module
    assert module.rstrip().endswith("export default { render };")


def test_without_anywidget_the_widget_says_how_to_get_it(no_anywidget):
    with pytest.raises(ImportError, match=r"pip install 'horotree\[widget\]'"):
        _ = view(breast_cancer()[0]).widget


def test_a_missing_viewer_is_explained(monkeypatch, tmp_path):
    page.read_script.cache_clear()
    monkeypatch.setattr(page, "files", lambda package: tmp_path)
    with pytest.raises(FileNotFoundError, match="npm run build"):
        page.read_script()


def test_the_examples_of_the_page_about_the_viewer_run():
    text = Path(__file__).parents[2] / "docs" / "viewer.md"
    results = doctest.testfile(str(text), module_relative=False)
    assert results.attempted >= 5
    assert results.failed == 0
