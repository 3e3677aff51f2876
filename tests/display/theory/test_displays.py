"""Displays of the theory draw what its painters draw, on given axes or in figures of their own."""

import itertools

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from horotree.display import draw_isolines, draw_lift
from horotree.display.theory.displays import IsolineDisplay, LiftDisplay
from horotree.display.theory.painters import LIFT_TEMPERATURES, POSTERIORS
from horotree.geometry.tself import norm_t


def check_legible(figure):
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text()]
    boxes = [(text.get_text(), Text.get_window_extent(text, renderer)) for text in texts]
    for text, box in boxes:
        assert figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1, text
        assert figure.bbox.y0 <= box.y0 <= box.y1 <= figure.bbox.y1, text
    for (first, a), (second, b) in itertools.combinations(boxes, 2):
        width = min(a.x1, b.x1) - max(a.x0, b.x0)
        height = min(a.y1, b.y1) - max(a.y0, b.y0)
        assert width <= 0.5 or height <= 1.5, f"{first!r} covers {second!r}"


def test_the_lift_has_one_line_a_temperature_as_its_painter_draws_them():
    display = LiftDisplay.from_temperatures([0.0, 0.5, 1.0])
    lines = draw_lift(Figure().subplots(), temperatures=[0.0, 0.5, 1.0])
    for drawn, expected in zip(display.lines_, lines, strict=True):
        np.testing.assert_array_equal(drawn.get_xydata(), expected.get_xydata())
    assert len(LiftDisplay().plot().lines_) == len(LIFT_TEMPERATURES)


def test_displays_draw_on_given_axes_and_nowhere_else():
    figure = Figure()
    first, second = figure.subplots(1, 2)
    lift = LiftDisplay.from_temperatures([1.0], ax=first)
    isolines = IsolineDisplay().plot(second, t=0.5)
    for display, ax in ((lift, first), (isolines, second)):
        assert display.ax_ is ax
        assert display.figure_ is figure
    assert figure.axes == [first, second]


def test_figures_of_their_own_are_legible():
    check_legible(LiftDisplay.from_temperatures().figure_)
    check_legible(LiftDisplay.from_temperatures([0.0, 1.0, 2.0]).figure_)
    for t in (1.0, 0.6, 0.0):
        check_legible(IsolineDisplay().plot(t=t).figure_)


def test_isolines_are_at_their_norms():
    display = IsolineDisplay([0.2, 0.9], emphasized=0.9).plot(t=0.3)
    ((low, high),) = display.isolines_
    assert low.radius == pytest.approx(float(norm_t(np.log(4.0), t=0.3)))
    assert high.radius == pytest.approx(float(norm_t(np.log(9.0), t=0.3)))
    assert high.get_linewidth() > low.get_linewidth()


def test_isolines_at_some_temperatures_are_a_disk_each():
    temperatures = (1.0, 0.4, 0.0)
    display = IsolineDisplay.from_temperatures(temperatures)
    assert display.ax_ is display.axes_[0]
    assert display.axes_ == display.figure_.axes
    for t, circles in zip(temperatures, display.isolines_, strict=True):
        expected = draw_isolines(Figure().subplots(), t=t)
        assert [circle.radius for circle in circles] == [circle.radius for circle in expected]
        assert len(circles) == len(POSTERIORS)


def test_plot_returns_the_display_and_may_be_called_again():
    display = IsolineDisplay()
    assert display.plot(t=1.0) is display
    first = display.figure_
    assert display.plot(t=0.0).figure_ is not first


def test_wrong_posteriors_and_temperatures_are_refused():
    with pytest.raises(ValueError, match="posteriors must be between 0 and 1"):
        IsolineDisplay([0.5, 1.0]).plot()
    with pytest.raises(ValueError, match="NaN"):
        LiftDisplay.from_temperatures([float("nan")])


def test_they_are_shown_and_saved_as_all_displays(tmp_path):
    display = LiftDisplay.from_temperatures([1.0])
    assert display._repr_png_().startswith(b"\x89PNG")
    assert display.save(tmp_path / "lift.svg").exists()
