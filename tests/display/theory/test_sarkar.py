"""The schematic of Sarkar's step shows what it says: angles, lengths, sectors, a reflection."""

import itertools
import math

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from matplotlib.text import Text

from horotree.display import save_figure
from horotree.display.theory.sarkar import (
    FAN,
    GAINS,
    LEAVES,
    NODE,
    draw_step,
    reflect,
    sarkar_figure,
)
from horotree.geometry import poincare

points = st.builds(poincare.from_polar, st.floats(0.0, 6.0), st.floats(-math.pi, math.pi))
nodes = st.builds(poincare.from_polar, st.floats(0.1, 6.0), st.floats(-math.pi, math.pi))
both = pytest.mark.parametrize("reflected", [False, True])


def arcs_of(**options):
    """Return the points of the arc to the parent and of those to the children, from a."""
    lines = draw_step(Figure().subplots(), **options)
    return [np.column_stack(line.get_data()) for line in lines]


def angles_at_a(arcs):
    """Return the directions in which arcs leave a, from that of the parent on."""
    start = [poincare.log_map(arc[0], arc[1]) for arc in arcs]
    angles = np.arctan2([v[1] for v in start], [v[0] for v in start])
    return (angles - angles[0]) % (2.0 * math.pi)


def lengths(arcs):
    return np.array([poincare.distance(arc[0], arc[-1]) for arc in arcs])


@given(points, points, nodes)
def test_a_reflection_swaps_node_and_origin_keeps_distances_and_undoes_itself(x, y, node):
    origin = np.zeros(2)
    np.testing.assert_allclose(reflect(origin, node), node, atol=1e-12)
    np.testing.assert_allclose(reflect(node, node), origin, atol=1e-12)
    one, two = reflect(np.array([x, y]), node)
    before, after = poincare.distance(x, y), poincare.distance(one, two)
    assert after == pytest.approx(before, abs=1e-6)
    np.testing.assert_allclose(reflect(one, node), x, atol=1e-8)


@both
@pytest.mark.parametrize("modified", [False, True])
def test_arcs_are_geodesics_from_a(modified, reflected):
    a = poincare.from_polar(*NODE) if reflected else np.zeros(2)
    for arc in arcs_of(modified=modified, reflected=reflected):
        np.testing.assert_allclose(arc[0], a, atol=1e-12)
        parts = sum(poincare.distance(p, q) for p, q in itertools.pairwise(arc))
        assert parts == pytest.approx(poincare.distance(arc[0], arc[-1]), rel=1e-12)


@both
def test_sarkars_arcs_have_equal_angles_and_lengths(reflected):
    arcs = arcs_of(reflected=reflected)
    angles = np.sort(angles_at_a(arcs))
    np.testing.assert_allclose(angles, np.arange(4) * 0.5 * math.pi, atol=1e-9)
    np.testing.assert_allclose(lengths(arcs), lengths(arcs)[0], rtol=1e-12)


@both
def test_the_papers_arcs_are_as_long_as_the_gain_of_confidence(reflected):
    arcs = arcs_of(modified=True, reflected=reflected)
    np.testing.assert_allclose(lengths(arcs[1:]), GAINS, rtol=1e-12)
    assert len(set(GAINS)) == len(GAINS)


@both
def test_the_papers_children_are_in_the_middle_of_sectors_by_leaves_away_from_the_parent(reflected):
    angles = angles_at_a(arcs_of(modified=True, reflected=reflected))[1:]
    if reflected:  # a reflection turns directions around
        angles = 2.0 * math.pi - angles
    share = np.array(LEAVES) / sum(LEAVES)
    middle = np.cumsum(share) - 0.5 * share
    np.testing.assert_allclose(angles, math.pi + FAN * (middle - 0.5), atol=1e-9)


@both
def test_sectors_are_tinted_and_fill_the_fan(reflected):
    ax = Figure().subplots()
    draw_step(ax, modified=True, reflected=reflected)
    sectors = [patch for patch in ax.patches if isinstance(patch, Polygon)]
    assert len(sectors) == len(LEAVES)
    tints = [sector.get_facecolor() for sector in sectors]
    assert all(one != two for one, two in itertools.pairwise(tints))
    if not reflected:
        areas = [polygon_area(sector.get_xy()) for sector in sectors]
        np.testing.assert_allclose(areas, 0.5 * FAN * np.array(LEAVES) / sum(LEAVES), rtol=1e-3)


def polygon_area(corners):
    x, y = corners.T
    return 0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))


@both
def test_the_mirror_is_as_far_from_a_as_from_the_origin(reflected):
    ax = Figure().subplots()
    draw_step(ax, reflected=reflected)
    a = poincare.from_polar(*NODE)
    mirrors = [line for line in ax.lines if np.ptp(line.get_xdata()) > 1.5]
    assert len(mirrors) == 1
    inner = np.column_stack(mirrors[0].get_data())[100:160]
    apart = poincare.distance(inner, np.zeros(2)) - poincare.distance(inner, a)
    np.testing.assert_allclose(apart, 0.0, atol=1e-9)


def test_no_text_covers_another_and_all_lie_on_the_page():
    figure = sarkar_figure()
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text()]
    boxes = [Text.get_window_extent(text, renderer) for text in texts]
    assert len(boxes) > 15
    for one, two in itertools.combinations(boxes, 2):
        assert not one.overlaps(two)
    for box in boxes:
        assert figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0 <= box.y1 <= figure.bbox.y1


def test_two_runs_give_the_same_bytes_whatever_a_users_lines_are(tmp_path):
    first = save_figure(sarkar_figure(), tmp_path / "first.svg").read_bytes()
    mine = {"lines.linewidth": 9.0, "lines.markeredgewidth": 7.0, "axes.facecolor": "black"}
    with mpl.rc_context(mine):
        second = save_figure(sarkar_figure(), tmp_path / "second.svg").read_bytes()
    assert first == second
