"""What displays share: pictures are shown where they can be, and saved anywhere."""

import sys
import types

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure

from horotree.display import base
from horotree.display.base import FigureDisplay, find_colors, find_figure


class OneLine(FigureDisplay):
    def plot(self, ax=None):
        ax = Figure().subplots() if ax is None else ax
        ax.plot([0.0, 1.0])
        self.figure_ = find_figure(ax)
        return self


@pytest.fixture
def shown(monkeypatch):
    """Pretend that there is a screen, and record what is on it when pyplot shows."""
    seen = []
    monkeypatch.setattr(base, "_opens_windows", lambda: True)
    managers = lambda: [plt.figure(number).canvas.manager for number in plt.get_fignums()]
    look = lambda: seen.append([manager.canvas.figure for manager in managers()])
    monkeypatch.setattr(plt, "show", look)
    yield seen
    plt.close("all")


def test_without_a_screen_a_warning_says_how_to_save():
    with pytest.warns(UserWarning, match=r"(?i)no screen.*'agg'.*display\.save\('picture\.png'\)"):
        OneLine().plot().show()
    assert plt.get_fignums() == []


def test_a_window_shows_the_figure_and_is_forgotten_when_it_is_closed(shown, tmp_path):
    display = OneLine().plot()
    canvas = display.figure_.canvas
    display.show()
    display.show()
    assert shown == [[display.figure_], [display.figure_]]
    assert plt.get_fignums() == []
    assert display.figure_.canvas is canvas
    assert display.save(tmp_path / "a.png").stat().st_size > 1000


def test_in_an_interactive_session_the_window_stays(shown):
    display = OneLine().plot()
    with plt.ion():
        display.show()
    assert shown == [[display.figure_]]
    assert len(plt.get_fignums()) == 1


def test_a_figure_of_pyplot_is_shown_in_its_own_window(shown):
    figure, ax = plt.subplots()
    OneLine().plot(ax).show()
    assert shown == [[figure]]
    assert plt.get_fignums() == [figure.number]


def test_a_notebook_shows_the_picture_itself(monkeypatch):
    shell = types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace(kernel=None))
    displayed = []
    monkeypatch.setitem(sys.modules, "IPython", shell)
    pages = types.SimpleNamespace(display=displayed.append)
    monkeypatch.setitem(sys.modules, "IPython.display", pages)
    display = OneLine().plot()
    display.show()
    assert displayed == [display]
    assert display._repr_png_().startswith(b"\x89PNG")


@pytest.mark.parametrize(("framework", "expected"), [("qt", True), (None, False)])
def test_backends_with_a_framework_open_windows(monkeypatch, framework, expected):
    canvas = types.SimpleNamespace(required_interactive_framework=framework)
    backend = types.SimpleNamespace(FigureCanvas=canvas)
    monkeypatch.setitem(sys.modules, "a_backend", backend)
    monkeypatch.setattr(mpl, "get_backend", lambda: "module://a_backend")
    assert base._opens_windows() is expected


@pytest.mark.parametrize(
    ("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_pictures_are_saved_by_their_suffix(tmp_path, suffix, start):
    path = OneLine().plot().save(tmp_path / f"a.{suffix}")
    assert path.read_bytes().startswith(start)


def test_resolution_can_be_chosen(tmp_path, require):
    image = require("PIL.Image")
    path = OneLine().plot().save(tmp_path / "a.png", dpi=50.0)
    with image.open(path) as picture:
        assert picture.width == 320


def test_before_it_is_drawn_there_is_nothing_to_show_or_save(tmp_path):
    display = OneLine()
    assert display._repr_png_() is None
    for use in (display.show, lambda: display.save(tmp_path / "a.png")):
        with pytest.raises(AttributeError, match=r"OneLine has drawn nothing yet: call its plot"):
            use()


def test_the_figure_of_axes_is_found_also_in_parts_of_parts():
    figure = Figure()
    part = figure.subfigures(1, 2)[1].subfigures(2, 1)[0]
    assert find_figure(figure.subplots()) is figure
    assert find_figure(part.subplots()) is figure


def test_colors_are_a_scheme_or_two():
    assert find_colors(("red", "blue")) == ("red", "blue")
    assert find_colors([(1.0, 0.0, 0.0), "blue"]) == ("#ff0000ff", "blue")
    for wrong in ("x", ("red",), ("red", "nocolor"), ("r", "g", "b"), None):
        with pytest.raises(ValueError, match="one of safe, paper, gray, or two colors, got "):
            find_colors(wrong)
