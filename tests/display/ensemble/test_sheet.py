"""Small disks: what is drawn is where the scenes say."""

from dataclasses import replace

import matplotlib as mpl
import numpy as np
import pytest

from horotree.display.disk.painter import place
from horotree.display.ensemble import sheet
from horotree.display.ensemble.display import EnsembleDisplay
from horotree.geometry.tself import norm_t
from horotree.trees import Ensemble
from tests.display.models import breast_cancer, model_of
from tests.display.pages import many, places_of, texts_of


@pytest.fixture(scope="module")
def display():
    return EnsembleDisplay.from_estimator(breast_cancer()[0])


@pytest.fixture(scope="module")
def enlarged():
    return EnsembleDisplay.from_estimator(breast_cancer()[0], scale="own")


@pytest.mark.parametrize("which", ["display", "enlarged"])
def test_arcs_end_at_the_places_of_their_nodes(which, request):
    display = request.getfixturevalue(which)
    paths = iter(display.artists_["sheet"]["arcs"].get_paths())
    for i, scene in enumerate(display.scenes_):
        places = places_of(display, i)
        for row in range(1, len(scene)):
            points = next(paths).vertices
            np.testing.assert_allclose(points[0], places[scene.parent[row]], atol=1e-12)
            np.testing.assert_allclose(points[-1], places[row], atol=1e-12)
    assert next(paths, None) is None


def test_arcs_follow_the_scenes_to_a_hair(display):
    paths = iter(display.artists_["sheet"]["arcs"].get_paths())
    radius = display.sheet_.radius
    n_bent = 0
    for i, scene in enumerate(display.scenes_):
        curves = display.sheet_.centers[i] + radius * place(display.lens_, *scene.arcs)
        for curve, path in zip(curves, paths, strict=False):
            points = path.vertices
            n_bent += len(points) > 2
            # each point of the fine curve is near a piece of the coarse one
            start, along = points[:-1], np.diff(points, axis=0)
            gap = curve[:, None] - start
            share = (gap * along).sum(axis=2) / np.maximum((along**2).sum(axis=1), 1e-30)
            nearest = start + np.clip(share, 0.0, 1.0)[..., None] * along
            far = np.hypot(*np.moveaxis(curve[:, None] - nearest, 2, 0)).min(axis=1).max()
            assert far < 0.003  # inches: half a pixel
    assert n_bent > 30


@pytest.mark.parametrize("which", ["display", "enlarged"])
def test_nodes_and_roots_are_at_their_places_in_their_class(which, request):
    display = request.getfixturevalue(which)
    artists = display.artists_["sheet"]
    places = [places_of(display, i) for i in range(len(display.scenes_))]
    value = np.concatenate([scene.value for scene in display.scenes_])
    for name, here in (("negative", value < 0.0), ("positive", value > 0.0)):
        assert here.any()
        np.testing.assert_allclose(artists[name].get_offsets(), np.concatenate(places)[here])
    assert len(artists["neutral"].get_offsets()) == (value == 0.0).sum()
    np.testing.assert_allclose(artists["roots"].get_offsets(), [where[0] for where in places])


@pytest.mark.parametrize("which", ["display", "enlarged"])
def test_circles_of_leverage_have_their_radius(which, request):
    display = request.getfixturevalue(which)
    circles = display.artists_["sheet"]["leverage"]
    np.testing.assert_allclose(circles.get_offsets(), display.sheet_.centers)
    norm = norm_t(display.rounds_.leverage_confidence, t=display.lens_.t)
    expected = display.sheet_.radius * norm * display.factors_
    np.testing.assert_allclose(circles.get_widths(), 2.0 * expected)
    np.testing.assert_allclose(circles.get_heights(), 2.0 * expected)


def test_all_disks_are_of_one_temperature_and_scale(display):
    assert len({scene.embedding.t for scene in display.scenes_}) == 1
    assert (display.factors_ == 1.0).all()
    disks = display.artists_["sheet"]["disks"]
    np.testing.assert_allclose(disks.get_widths(), 2.0 * display.sheet_.radius)
    isolines = display.artists_["sheet"]["isolines"]
    assert len(isolines.get_offsets()) in (30, 60)
    widths = isolines.get_widths().reshape(30, -1)
    assert (widths == widths[0]).all()


def test_own_scale_brings_the_outermost_node_to_nine_tenths_and_writes_the_factor(enlarged):
    radius, factors = enlarged.sheet_.radius, enlarged.factors_
    assert factors[0] == 1.0
    assert factors.max() > 3.0
    for i in np.flatnonzero(factors > 1.0):
        gap = np.hypot(*(places_of(enlarged, i) - enlarged.sheet_.centers[i]).T)
        assert gap.max() == pytest.approx(0.9 * radius)
    zooms = [text for text in texts_of(enlarged) if text.startswith(" ×")]
    expected = [factor for factor in factors if factor > 1.0]
    assert zooms == [f" ×{factor:.{0 if factor >= 9.95 else 1}f}" for factor in expected]
    assert any("enlarged to its own nodes" in text for text in texts_of(enlarged))


def test_trees_that_are_all_near_the_center_are_enlarged_together():
    display = EnsembleDisplay.from_estimator(breast_cancer()[0], tree=range(20, 30))
    assert len(np.unique(display.factors_)) == 1
    assert display.factors_[0] > 1.8
    assert any(
        f"every disk is enlarged {display.factors_[0]:.3g} times" in text
        for text in texts_of(display)
    )
    assert not any(" ×" in text for text in texts_of(display))


def test_nodes_stay_in_their_disks(display, enlarged):
    for drawn in (display, enlarged):
        for i, center in enumerate(drawn.sheet_.centers):
            gap = np.hypot(*(places_of(drawn, i) - center).T)
            assert gap.max() <= drawn.sheet_.radius


def test_short_arcs_are_left_out_only_where_there_are_many_and_the_page_says_so(monkeypatch):
    model = breast_cancer()[0]
    whole = EnsembleDisplay.from_estimator(model)
    assert not any("Simplified" in text for text in texts_of(whole))
    assert not whole.artists_["sheet"]["arcs"].get_rasterized()
    monkeypatch.setattr(sheet, "MANY_ARCS", 100)
    monkeypatch.setattr(sheet, "SHORT", 0.05)
    display = EnsembleDisplay.from_estimator(model)
    ends = [path.vertices for path in whole.artists_["sheet"]["arcs"].get_paths()]
    length = np.array([np.hypot(*(points[-1] - points[0])) for points in ends])
    n_short = int((length < 0.05).sum())
    assert 0 < n_short < len(length)
    assert len(display.artists_["sheet"]["arcs"].get_paths()) == len(length) - n_short
    assert f"Simplified: {n_short} arcs too short to be seen are left out." in texts_of(display)
    assert display.artists_["sheet"]["arcs"].get_rasterized()
    nodes = [display.artists_["sheet"][name] for name in ("negative", "positive", "neutral")]
    assert sum(len(part.get_offsets()) for part in nodes) == sum(map(len, display.scenes_))


def test_small_disks_have_numbers_before_their_rows_only():
    display = EnsembleDisplay.from_estimator(many(breast_cancer()[0], 90), columns=40)
    assert not display.sheet_.is_labeled
    labels = [label.get_text() for label in display.artists_["sheet"]["labels"]]
    assert labels == ["0", "40", "80"]
    assert not any("±" in text for text in texts_of(display))


@pytest.mark.parametrize("values", [[1.0], [0.0], [0.0, 0.0, 0.0], [0.0, 1.0, 200.0]])
@pytest.mark.parametrize("scale", ["common", "own"])
def test_trees_of_one_node_or_no_or_much_confidence_are_drawn(values, scale):
    display = EnsembleDisplay.from_estimator(model_of(values), scale=scale)
    nodes = [display.artists_["sheet"][name] for name in ("negative", "positive", "neutral")]
    points = np.concatenate([part.get_offsets() for part in nodes])
    assert len(points) == len(display.scenes_[0])
    assert np.isfinite(points).all()
    assert np.isfinite(display.factors_).all()
    assert display._repr_png_().startswith(b"\x89PNG")
    assert "One tree" in texts_of(display)


def test_a_circle_of_leverage_outside_of_the_disk_as_it_is_cut_is_left_out():
    model = model_of([0.0, 0.1, -0.2])
    (ensemble,) = model.ensembles
    heavy = Ensemble(ensemble.trees, [4.0], ensemble.edge, 0.0)
    display = EnsembleDisplay.from_estimator(replace(model, ensembles=(heavy,)))
    assert display.factors_[0] > 1.8
    assert len(display.artists_["sheet"]["leverage"].get_offsets()) == 0
    assert "±.80" in texts_of(display)


@pytest.mark.parametrize("colors", ["safe", "paper", "gray", ("#112233", "#445566")])
def test_nodes_have_the_colors_asked_for(colors):
    display = EnsembleDisplay.from_estimator(breast_cancer()[0], max_trees=2, colors=colors)
    for name, color in zip(("negative", "positive"), display.lens_.colors, strict=True):
        face = display.artists_["sheet"][name].get_facecolor()
        np.testing.assert_allclose(face, [mpl.colors.to_rgba(color)])
