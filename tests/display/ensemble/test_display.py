"""The page of an ensemble says what it is, in every order, format and script."""

import itertools
from dataclasses import replace

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from horotree.display.ensemble import page
from horotree.display.ensemble.display import EnsembleDisplay
from horotree.display.ensemble.rounds import find_rounds
from horotree.display.text.numbers import short_number
from horotree.io import from_model
from horotree.scene import find_scenes
from horotree.trees import Ensemble, center_ensemble
from tests.display.models import breast_cancer, digits, model_of
from tests.display.pages import many, places_of, texts_of


@pytest.fixture(scope="module")
def display():
    return EnsembleDisplay.from_estimator(breast_cancer()[0])


@pytest.mark.parametrize("n", [1, 30, 200])
def test_a_page_has_few_axes_and_collections_however_many_trees(n):
    display = EnsembleDisplay.from_estimator(many(breast_cancer()[0], n), max_trees=200)
    assert set(display.axes_) == {"page", "leverage", "confidence", "sheet"}
    assert len(display.figure_.axes) == 4
    assert len(display.axes_["sheet"].collections) == 8
    assert len(display.artists_["sheet"]["disks"].get_offsets()) == n


def test_boosting_order_is_by_round_and_each_disk_tells_its_round_and_leverage(display):
    assert [scene.tree for scene in display.scenes_] == list(range(30))
    labels = [label.get_text() for label in display.artists_["sheet"]["labels"]]
    assert labels[::2] == [str(j) for j in range(30)]
    added = display.rounds_.leverage_confidence
    assert labels[1::2] == [f"±{short_number(x)}" for x in added]
    assert "The trees, by round" in texts_of(display)


def test_leverage_order_is_the_strongest_first():
    display = EnsembleDisplay.from_estimator(breast_cancer()[0], order="leverage")
    order = [scene.tree for scene in display.scenes_]
    assert sorted(order) == list(range(30))
    assert order != list(range(30))
    assert (np.diff(display.rounds_.leverage_confidence[order]) <= 0.0).all()
    labels = [label.get_text() for label in display.artists_["sheet"]["labels"]]
    assert labels[::2] == [str(j) for j in order]
    assert "The trees, the strongest first" in texts_of(display)


def test_a_page_can_be_drawn_again_in_another_order(display):
    again = EnsembleDisplay(display.scenes, display.rounds_).plot(order="leverage")
    (root,) = again.artists_["sheet"]["roots"].get_offsets()[:1]
    np.testing.assert_allclose(root, places_of(again, 0)[0])


def test_more_trees_than_fit_are_thinned_and_the_page_says_so():
    display = EnsembleDisplay.from_estimator(breast_cancer()[0], max_trees=7)
    assert [scene.tree for scene in display.scenes_] == [0, 5, 10, 15, 20, 25, 29]
    assert "every 5th of 30 trees, and the last" in texts_of(display)
    assert len(display.rounds_) == 30
    assert "drawn" not in display.artists_["confidence"]


def test_one_tree_may_be_asked_for_by_its_number():
    display = EnsembleDisplay.from_estimator(breast_cancer()[0], tree=4)
    assert [scene.tree for scene in display.scenes_] == [4]


def test_the_header_names_class_trees_and_temperature():
    display = EnsembleDisplay.from_estimator(digits(), class_=3)
    texts = texts_of(display)
    assert "2 trees for class 3" in texts
    assert {"more 3", "more not 3"} <= set(texts)  # than the root: a class of ten is rare
    t = f"{display.lens_.t:.2f}".lstrip("0")
    assert any(text.startswith(f"one temperature, t = {t} ") for text in texts)
    expected = find_scenes(digits(), class_=3)
    for scene, other in zip(display.scenes_, expected, strict=True):
        np.testing.assert_array_equal(scene.distance, other.distance)
    quantiles = find_rounds(center_ensemble(from_model(digits()).ensembles[3], "base")).quantiles
    np.testing.assert_array_equal(display.rounds_.quantiles, quantiles)


def test_the_header_counts_the_nodes(display):
    kept = sum(len(scene) for scene in display.scenes_)
    nodes = sum(len(tree.value) for tree in from_model(breast_cancer()[0]).ensembles[0].trees)
    assert any(f"{kept:,} of {nodes:,} nodes" in text for text in texts_of(display))


def test_trees_are_laid_out_at_the_temperature_asked_for_where_that_can_be():
    model = breast_cancer()[0]
    asked = EnsembleDisplay.from_estimator(model, t=0.5, max_trees=3)
    assert {scene.embedding.t for scene in asked.scenes_} == {0.5}
    assert asked.lens_.t == 0.5
    sure = model_of([0.0, 1.0, 40.0])  # at t = 1 too far out for the exact layout
    drawn = EnsembleDisplay.from_estimator(sure, t=1.0)
    assert drawn.scenes_[0].embedding.t < 1.0
    assert drawn.lens_.t == 1.0


def test_a_tree_against_the_others_has_a_circle_and_its_place_by_size():
    model = many(breast_cancer()[0], 4)
    (ensemble,) = model.ensembles
    leverage = ensemble.leverage * [1.0, 1.0, -3.0, 1.0]
    turned = Ensemble(ensemble.trees, leverage, ensemble.edge, 0.0)
    display = EnsembleDisplay.from_estimator(replace(model, ensembles=(turned,)), order="leverage")
    assert display.scenes_[0].tree == 2
    assert display.axes_["leverage"].get_ylim()[0] < leverage[2] * ensemble.max_confidence[2]
    assert len(display.artists_["sheet"]["leverage"].get_offsets()) == 4


@pytest.mark.parametrize(
    "name", ["$\\frac{1$", "中文类别", "a\nb\tc", "x" * 300, "\u202eabc", "\ufffe"]
)
def test_class_names_are_written_as_they_are_whatever_they_are(name):
    model = model_of([0.0, -1.0, 1.0], classes=(name, "other"))
    display = EnsembleDisplay.from_estimator(model)
    assert display._repr_png_().startswith(b"\x89PNG")
    says = [text for text in texts_of(display) if text.startswith("says ")]
    assert len(says) == 2
    assert all("\n" not in text for text in says)
    if name.startswith("$"):
        assert f"says {name}" in says


def test_the_name_of_a_class_of_many_is_written_as_it_is():
    model = from_model(digits())
    hostile = replace(model, classes=["$\\frac{", *map(str, range(9))], class_names=())
    display = EnsembleDisplay.from_estimator(hostile)
    assert "2 trees for class $\\frac{" in texts_of(display)
    assert display._repr_png_().startswith(b"\x89PNG")


def options():
    return [
        {},
        {"scale": "own"},
        {"order": "leverage", "columns": 12},
        {"tree": [0, 1, 7, 29]},
        {"tree": 0},
        {"columns": 40},
    ]


@pytest.mark.parametrize("option", options(), ids=str)
def test_no_text_covers_another_and_all_lie_on_the_page(option):
    figure = EnsembleDisplay.from_estimator(breast_cancer()[0], **option).figure_
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    texts = [
        text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()
    ]
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in texts]
    assert len(boxes) > 20
    for (first, a), (second, b) in itertools.combinations(boxes, 2):
        width = min(a.x1, b.x1) - max(a.x0, b.x0)
        height = min(a.y1, b.y1) - max(a.y0, b.y0)
        assert width <= 0.5 or height <= 1.5, f"{first!r} covers {second!r}"
    for text, box in boxes:
        assert figure.bbox.x0 <= box.x0, text
        assert box.x1 <= figure.bbox.x1, text
        assert figure.bbox.y0 <= box.y0, text
        assert box.y1 <= figure.bbox.y1, text


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_two_pages_are_the_same_to_the_byte(tmp_path, suffix):
    files = []
    for name in ("first", "second"):
        display = EnsembleDisplay.from_estimator(breast_cancer()[0], max_trees=10)
        files.append(display.save(tmp_path / f"{name}.{suffix}", dpi=60).read_bytes())
    assert files[0] == files[1]
    assert len(files[0]) > 10_000


def test_pages_leave_the_settings_of_matplotlib_alone_and_do_not_depend_on_them(tmp_path):
    before = dict(mpl.rcParams)
    display = EnsembleDisplay.from_estimator(breast_cancer()[0], max_trees=5)
    expected = display.save(tmp_path / "expected.png", dpi=60).read_bytes()
    assert dict(mpl.rcParams) == before
    mine = {"axes.grid": True, "lines.linewidth": 7.0, "lines.markersize": 20.0}
    with mpl.rc_context(mine):
        display = EnsembleDisplay.from_estimator(breast_cancer()[0], max_trees=5)
        assert display.save(tmp_path / "mine.png", dpi=60).read_bytes() == expected


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"order": "size"}, "order must be 'boosting' or 'leverage', got 'size'"),
        ({"scale": "log"}, "scale must be 'common' or 'own', got 'log'"),
        ({"columns": 0}, "columns must be at least 1, got 0"),
        ({"max_trees": 1}, "max_trees must be at least 2, the first and the last, got 1"),
        ({"tree": []}, "there must be a tree to draw, got none"),
        ({"tree": [30]}, "tree must be from 0 to 29, got 30"),
        ({"colors": "pink"}, "colors must be one of"),
    ],
)
def test_wrong_options_are_refused_with_what_to_do(option, message):
    with pytest.raises(ValueError, match=message):
        EnsembleDisplay.from_estimator(breast_cancer()[0], **option)


def test_an_unknown_class_is_refused():
    with pytest.raises(ValueError, match="class_ must be one of"):
        EnsembleDisplay.from_estimator(digits(), class_=11)


def test_a_model_without_trees_is_refused():
    model = from_model(breast_cancer()[0])
    empty = replace(model, ensembles=(Ensemble((), [], [], 0.0),))
    with pytest.raises(ValueError, match="no trees to draw"):
        EnsembleDisplay.from_estimator(empty)


def test_the_parts_of_the_page_add_up(display):
    width, height = display.figure_.get_size_inches()
    assert width == page.WIDTH
    box = display.axes_["sheet"].get_position()
    assert box.height * height == pytest.approx(display.sheet_.height)
    # an inch across is an inch up: circles are round
    scale = display.axes_["sheet"].transData.transform([[0.0, 0.0], [1.0, 1.0]])
    np.testing.assert_allclose(np.diff(scale, axis=0)[0], display.figure_.dpi)
