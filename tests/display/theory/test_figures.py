"""Whole figures: legible, valid in each format, the same in every run, free of side effects."""

import itertools
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from matplotlib.text import Text

from horotree.display import FIGURES, isolines_figure, save_figure, write_figures

NAMES = list(FIGURES)


@pytest.fixture(scope="module")
def figures():
    return {name: draw() for name, draw in FIGURES.items()}


@pytest.fixture(scope="module")
def files(figures, tmp_path_factory):
    folder = tmp_path_factory.mktemp("figures")
    return {
        (name, suffix): save_figure(figure, folder / f"{name}.{suffix}")
        for name, figure in figures.items()
        for suffix in ("png", "svg", "pdf")
    }


def written_texts(figure):
    """Return the texts of a figure that are drawn, with their boxes in pixels."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text()]
    # Without the white box behind a label, whose corners may well touch another's.
    return [(text.get_text(), Text.get_window_extent(text, renderer)) for text in texts]


@pytest.mark.parametrize("name", NAMES)
def test_no_text_covers_another_and_all_lie_on_the_page(figures, name):
    texts = written_texts(figures[name])
    assert len(texts) > 10
    for (first, a), (second, b) in itertools.combinations(texts, 2):
        width = min(a.x1, b.x1) - max(a.x0, b.x0)
        height = min(a.y1, b.y1) - max(a.y0, b.y0)
        assert width <= 0.5 or height <= 1.5, f"{first!r} covers {second!r}"
    page = figures[name].bbox
    for text, box in texts:
        assert page.x0 <= box.x0, text
        assert box.x1 <= page.x1, text
        assert page.y0 <= box.y0, text
        assert box.y1 <= page.y1, text


def test_no_label_of_an_isoline_covers_another_isoline(figures):
    figure = figures["isolines"]
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    for ax in figure.axes:
        radii = [patch.radius for patch in ax.patches if isinstance(patch, Circle)]
        for label in (text for text in ax.texts if "|" in text.get_text()):
            box = ax.transData.inverted().transform_bbox(Text.get_window_extent(label, renderer))
            # The part of the box right above or below the center, where all circles are level.
            low, high = sorted(map(abs, (box.y0, box.y1)))
            own = abs(label.xy[1])
            assert not [r for r in radii if low < r < high and r != own], label.get_text()


@pytest.mark.parametrize(("name", "panels"), [("lift", 1), ("norm-map", 2), ("isolines", 4)])
def test_figures_have_their_panels_and_a_color_bar_where_there_are_curves(figures, name, panels):
    bars = 0 if name == "isolines" else 1
    assert len(figures[name].axes) == panels + bars


def test_color_bars_span_the_temperatures_drawn(figures):
    assert sorted(figures["lift"].axes[-1].get_ylim()) == [-1.0, 3.0]
    assert figures["norm-map"].axes[-1].get_ylim() == (0.0, 1.0)


def test_the_norm_map_states_what_the_erratum_corrects(figures):
    texts = [text.get_text() for text in figures["norm-map"].findobj(Text)]
    assert ".980 for $t$ = .7" in texts
    assert ".832 for $t$ = 0" in texts


def test_isolines_are_shown_at_the_temperatures_of_the_paper(figures):
    texts = [text.get_text() for text in figures["isolines"].findobj(Text)]
    names = [text for text in texts if text.startswith("$t$ = ")]
    assert names == ["$t$ = 1, the Poincaré disk", "$t$ = .6", "$t$ = .3", "$t$ = 0"]
    norms = [text[-4:] for text in texts if "at norm" in text]
    assert norms == [".998", ".930", ".851", ".775"]


def test_isolines_may_be_shown_at_other_temperatures():
    assert len(isolines_figure(temperatures=(0.9, 0.5, -1.0)).axes) == 3


@pytest.mark.parametrize("name", NAMES)
def test_png_is_valid_and_shows_lines_on_white(files, name, require):
    image = require("PIL.Image").open(files[name, "png"])
    assert image.width >= 1200
    pixels = np.asarray(image.convert("RGB"))
    assert (pixels[[0, 0, -1, -1], [0, -1, 0, -1]] == 255).all()
    assert 0.02 < (pixels < 250).any(axis=2).mean() < 0.3


@pytest.mark.parametrize("name", NAMES)
def test_svg_is_valid_and_holds_lines_and_pixels_for_color_bars_only(files, name):
    tree = ET.parse(files[name, "svg"])  # noqa: S314  our own file
    tags = [element.tag.rpartition("}")[2] for element in tree.iter()]
    assert tags[0] == "svg"
    assert tags.count("path") > 30
    assert tags.count("image") == (0 if name == "isolines" else 1)


@pytest.mark.parametrize("name", NAMES)
def test_pdf_is_one(files, name):
    content = files[name, "pdf"].read_bytes()
    assert content.startswith(b"%PDF-")
    assert content.rstrip().endswith(b"%%EOF")
    assert len(content) > 10_000


DRAW_ALL = """
import sys
from matplotlib import rcParams
def settings():  # but for the backend: to look at it is to load pyplot
    return {name: rcParams[name] for name in rcParams if name != "backend"}
before = settings()
from horotree.display import write_figures
list(write_figures(sys.argv[1], formats=["png", "svg", "pdf"]))
assert settings() == before, "rcParams are changed"
assert "matplotlib.pyplot" not in sys.modules, "pyplot is loaded"
"""


def test_two_runs_give_the_same_bytes_and_leave_no_trace_in_matplotlib(tmp_path):
    for seed in ("1", "2"):
        command = [sys.executable, "-W", "error", "-c", DRAW_ALL, str(tmp_path / seed)]
        subprocess.run(command, check=True, env=os.environ | {"PYTHONHASHSEED": seed})
    first, second = (sorted((tmp_path / seed).iterdir()) for seed in ("1", "2"))
    assert len(first) == 9
    assert [path.name for path in first] == [path.name for path in second]
    for a, b in zip(first, second, strict=True):
        assert a.read_bytes() == b.read_bytes(), a.name


def test_threads_give_the_same_files(files, tmp_path):
    def draw(i):
        name = NAMES[i % len(NAMES)]
        return name, save_figure(FIGURES[name](), tmp_path / f"{i}.svg")

    with ThreadPoolExecutor(3) as pool:
        for name, path in pool.map(draw, range(6)):
            assert path.read_bytes() == files[name, "svg"].read_bytes()


def test_figures_do_not_depend_on_a_users_lines_and_background(files, tmp_path):
    mine = {"lines.linewidth": 9.0, "axes.facecolor": "black", "axes.grid": True}
    for name, draw in FIGURES.items():
        with mpl.rc_context(mine):
            path = save_figure(draw(), tmp_path / f"{name}.svg")
        assert path.read_bytes() == files[name, "svg"].read_bytes(), name


def test_write_figures_makes_the_directory_and_yields_what_it_wrote(tmp_path):
    folder = tmp_path / "a" / "b"
    paths = list(write_figures(folder, formats=["svg"]))
    assert paths == [folder / f"{name}.svg" for name in NAMES]
    assert sorted(folder.iterdir()) == sorted(paths)


def test_save_figure_refuses_an_unknown_format(tmp_path):
    with pytest.raises(ValueError, match="bmpp"):
        save_figure(Figure(), tmp_path / "figure.bmpp")


def test_save_figure_needs_a_suffix_and_returns_what_it_wrote(tmp_path):
    with pytest.raises(ValueError, match=r"path must end in \.png"):
        save_figure(Figure(), tmp_path / "figure")
    assert list(tmp_path.iterdir()) == []
