"""The disk shows each node at its confidence, with all that a reader needs."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import RandomForestClassifier

from horotree import LogisticBoostClassifier
from horotree.display import DiskDisplay
from horotree.display.disk.painter import NEUTRAL, arc_widths
from horotree.display.style import BLUE, VERMILION
from horotree.embedding import embed
from horotree.evaluation.texts import percent
from horotree.geometry.tself import norm_t
from horotree.losses import link
from horotree.trees import Ensemble, monotonic
from tests.display.models import breast_cancer, digits, drifted, model_of
from tests.trees.strategies import random_tree


def new_axes(size=6.0):
    return Figure(figsize=(size, size)).add_axes((0, 0, 1, 1))


def node_points(display):
    """Return the places of the marks of nodes, and the color of each."""
    marks = display.nodes_[1:-1]
    points = np.concatenate([mark.get_offsets() for mark in marks])
    colors = [to_hex(mark.get_facecolor()[0]) for mark in marks for _ in mark.get_offsets()]
    return points, colors


def texts(display):
    return [t.get_text() for ax in display.figure_.axes for t in ax.texts]


@pytest.mark.parametrize("t", [1.0, 0.5, 0.0, "auto"])
def test_nodes_are_drawn_at_their_confidence(t):
    display = DiskDisplay.from_estimator(breast_cancer()[0], tree=1, t=t)
    tree = display.scene.embedding.monotonic
    points, _ = node_points(display)
    norm = norm_t(tree.confidence, t=display.lens_.t)
    np.testing.assert_allclose(np.sort(np.hypot(*points.T)), np.sort(norm), rtol=1e-12, atol=1e-12)


def test_arcs_run_from_parents_to_children_and_widen_with_their_tests():
    display = DiskDisplay.from_estimator(breast_cancer()[0], ax=new_axes())
    scene = display.scene
    place = norm_t(scene.distance, t=display.lens_.t)[:, None] * np.stack(
        [np.cos(scene.angle), np.sin(scene.angle)], axis=1
    )
    segments = display.arcs_.get_segments()
    assert len(segments) == len(scene) - 1
    for row, segment in enumerate(segments, start=1):
        np.testing.assert_allclose(segment[0], place[scene.parent[row]], atol=1e-12)
        np.testing.assert_allclose(segment[-1], place[row], atol=1e-12)
    order = np.argsort(scene.n_tests[1:], kind="stable")
    assert (np.diff(np.asarray(display.arcs_.get_linewidths())[order]) >= 0.0).all()


def test_arcs_of_very_many_tests_are_not_wider_than_those_of_many():
    one, many, very_many = arc_widths(np.array([1.0, 20.0, 1e6]), 1.0)
    assert one < many == very_many < 3.0


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.5, "50.0"), (0.0217, "2.17"), (0.9977, "99.8"), (0.99996, "> 99.99"), (1.0, "100")],
)
def test_percentages_have_digits_enough_not_to_say_100(share, text):
    assert percent(share) == text


def test_marks_tell_the_classes_apart_by_color_and_by_shape():
    display = DiskDisplay.from_estimator(breast_cancer()[0])
    _, colors = node_points(display)
    assert len(set(colors)) == 2
    negative, positive = display.nodes_[1:3]
    assert len(negative.get_paths()[0]) != len(positive.get_paths()[0])
    assert len(negative.get_offsets()) == (~display.scene.positive).sum()


def test_a_node_that_knows_nothing_has_the_color_of_no_class():
    _, colors = node_points(DiskDisplay.from_estimator(model_of([0.0, 1.0, -2.0])))
    assert sorted(colors) == sorted([NEUTRAL, VERMILION, BLUE])


def test_leverage_circles_have_the_radii_of_their_confidences():
    classifier = breast_cancer()[0]
    display = DiskDisplay.from_estimator(classifier, tree=3)
    (ensemble,) = classifier.model_.ensembles
    for circle, confidence in zip(
        display.leverage_,
        (ensemble.leverage_confidence[3], ensemble.max_confidence[3]),
        strict=True,
    ):
        assert circle.radius == pytest.approx(float(norm_t(confidence, t=display.lens_.t)))


@pytest.mark.parametrize("t", [1.0, 0.3])
def test_isolines_have_the_radii_of_their_posteriors(t):
    display = DiskDisplay.from_estimator(breast_cancer()[0], t=t)
    assert any(isoline.emphasized for isoline, _ in display.isolines_)
    for isoline, circle in display.isolines_:
        assert circle.radius == pytest.approx(float(norm_t(link(_read(isoline.texts[1])), t=t)))


def _read(text):
    return 1.0 - float(text[2:].replace("−", "-")) if text.startswith("1−") else float(text)


def test_isolines_are_labeled_for_both_classes():
    written = texts(DiskDisplay.from_estimator(breast_cancer()[0]))
    assert ".1" in written
    assert ".9" in written


@pytest.mark.parametrize("dpi", [50, 72, 90, 110, 150])
def test_the_bar_between_the_classes_of_an_isoline_is_seen_at_any_resolution(dpi):
    display = DiskDisplay.from_estimator(breast_cancer()[0])
    bars = [text for text in display.figure_.findobj(Text) if text.get_text() == "|"]
    assert len(bars) >= 3
    display.figure_.set_dpi(dpi)
    canvas = FigureCanvasAgg(display.figure_)
    canvas.draw()
    drawn = np.asarray(canvas.buffer_rgba())[..., :3].min(axis=2)
    for bar in bars:
        x, y = bar.get_transform().transform(bar.get_position())
        row, column = round(len(drawn) - y), int(x)
        assert drawn[row, column - 1 : column + 2].min() < 225


def test_late_trees_are_enlarged_and_shown_in_the_whole_disk():
    display = DiskDisplay(DiskDisplay.from_estimator(breast_cancer()[0]).scene)
    small = model_of([0.01, 0.05, -0.1])
    display = DiskDisplay.from_estimator(small)
    assert display.lens_.extent < 0.1
    assert display.ax_.get_xlim()[1] == pytest.approx(display.lens_.extent)
    assert any("enlarged" in text for text in texts(display))
    assert len(display.isolines_) > 0
    assert all(circle.radius < display.lens_.extent for _, circle in display.isolines_)
    whole = DiskDisplay.from_estimator(small, extent=1.0)
    assert whole.ax_.get_xlim() == (-1.0, 1.0)
    assert not any("enlarged" in text for text in texts(whole))


def test_the_key_says_which_tree_how_many_nodes_and_the_error():
    display = DiskDisplay.from_estimator(breast_cancer()[0], tree=-1)
    written = " ".join(texts(display))
    assert "Tree 29 of 0–29" in written
    assert f"{len(display.scene)} of its" in written
    assert "ρ = 0" in written


def test_given_axes_get_the_disk_alone():
    ax = new_axes()
    display = DiskDisplay.from_estimator(breast_cancer()[0], ax=ax)
    assert display.ax_ is ax
    assert ax.figure.axes == [ax]


def test_the_numbered_nodes_are_those_that_decide_most():
    scene = DiskDisplay.from_estimator(breast_cancer()[0]).scene
    tree = scene.embedding.monotonic.tree
    host = scene.embedding.monotonic.host
    leaves = np.flatnonzero(tree.is_leaf)

    def below(leaf, node):
        while leaf > node:
            leaf = tree.parent[leaf]
        return leaf == node

    for row, node in enumerate(scene.embedding.node):
        own = sum(tree.count[leaf] for leaf in leaves if host[leaf] == node)
        through = sum(tree.count[leaf] for leaf in leaves if below(leaf, node))
        decides = own * tree.confidence[node] if 2 * own >= through else 0.0
        assert scene.worth[row] == pytest.approx(decides)
    told = scene.strongest(7)
    assert 0 not in told
    assert {bool(scene.positive[row]) for row in told} == {True, False}
    for positive in (True, False):
        worth = [scene.worth[row] for row in told if scene.positive[row] == positive]
        assert worth == sorted(worth, reverse=True)

    def path(row):
        return {row, *(path(scene.parent[row]) if row else ())}

    for row in told:
        assert path(row) & set(told) == {row}, "two rules on one branch"


def test_a_class_of_many_is_chosen_by_its_label():
    display = DiskDisplay.from_estimator(digits(), class_=3)
    title = f"Tree 0 of 0–{display.scene.n_trees - 1} for 3"
    assert title in texts(display)
    assert display.scene.classes == ("not 3", "3")
    with pytest.raises(ValueError, match="class_ must be one of"):
        DiskDisplay.from_estimator(digits(), class_=11)


def test_held_out_data_that_agree_with_nothing_pull_nodes_to_the_center():
    classifier, X, y = breast_cancer()
    display = DiskDisplay.from_estimator(classifier, *drifted(X, y), tree=0)
    truth = display.scene.held_out
    assert np.isin(truth.verdict, ["weaker", "flipped"]).sum() >= 2
    rays, bars = display.held_out_
    assert len(rays.get_segments()) == len(bars.get_segments()) == (truth.verdict != "none").sum()
    assert any("less sure" in text for text in texts(display))


def test_held_out_ticks_lie_on_the_rays_of_their_nodes():
    classifier, X, y = breast_cancer()
    display = DiskDisplay.from_estimator(classifier, X, y, tree=0)
    scene = display.scene
    rows = np.flatnonzero(scene.held_out.verdict != "none")
    for row, segment in zip(rows, display.held_out_[0].get_segments(), strict=True):
        across = segment @ np.array([-np.sin(scene.angle[row]), np.cos(scene.angle[row])])
        np.testing.assert_allclose(across, 0.0, atol=1e-12)
        assert (np.hypot(*segment.T) <= 1.0 + 1e-12).all()


@pytest.mark.parametrize("values", [[0.0], [2.0], [0.0, 1.0, -2.0], [1.0, 0.5, -0.25], [700.0]])
def test_the_smallest_trees_and_extreme_confidences_are_drawn(values, tmp_path):
    display = DiskDisplay.from_estimator(model_of(values))
    assert display.save(tmp_path / "disk.png", dpi=40).stat().st_size > 1000


@pytest.mark.parametrize(
    "name", ["年齢 > 3", "$x^2$", "a\nb", "\ud800", "x" * 300, "W" * 60, "\u202eabc", ""]
)
def test_any_name_is_drawn_as_it_is_and_fits(name, tmp_path):
    model = model_of([0.1, 1.0, -2.0], names=(name,), classes=(name + "0", name + "1"))
    display = DiskDisplay.from_estimator(model)
    display.save(tmp_path / "disk.svg")
    renderer = FigureCanvasAgg(display.figure_).get_renderer()
    _, key = display.figure_.axes
    ends = [text.get_window_extent(renderer).x1 for text in key.texts]
    assert max(ends) <= display.figure_.bbox.x1


@pytest.mark.parametrize("t", [1.0, 0.0])
@pytest.mark.parametrize("tree", [13, 21, 26])
def test_labels_of_isolines_and_of_nodes_do_not_overlap(tree, t):
    display = DiskDisplay.from_estimator(breast_cancer()[0], tree=tree, t=t)
    renderer = FigureCanvasAgg(display.figure_).get_renderer()
    written = [text for text in display.ax_.texts if "enlarged" not in text.get_text()]
    numbers = [text for text in written if text.get_weight() == "bold"]
    boxes = [text.get_window_extent(renderer) for text in written if text not in numbers]
    isolines = [Bbox.union(boxes[i : i + 3]) for i in range(0, len(boxes), 3)]  # low, bar, high
    assert len(numbers) > 2
    assert len(isolines) > 1
    all_boxes = [*isolines, *(text.get_window_extent(renderer) for text in numbers)]
    assert not any(one.overlaps(two) for one, two in itertools.combinations(all_boxes, 2))


def test_circles_of_leverage_that_are_out_of_sight_are_not_painted():
    display = DiskDisplay.from_estimator(model_of([0.1, 1.0, -2.0]), extent=1e-6)
    assert display.leverage_ == []


def test_colors_may_be_numbers():
    display = DiskDisplay.from_estimator(
        model_of([0.1, 1.0, -2.0]), colors=[(1.0, 0.0, 0.0), (0.0, 0.0, 1.0)]
    )
    assert sorted(node_points(display)[1]) == ["#0000ff", "#0000ff", "#ff0000"]


def test_an_embedding_of_a_tree_with_categories_needs_no_columns():
    rng = np.random.default_rng(0)
    tree = random_tree(rng, [3, 3], 20)
    assert len(tree.category)
    display = DiskDisplay.from_embedding(embed(monotonic(tree)))
    assert any("x0" in text or "x1" in text for text in texts(display))


def test_ensembles_of_different_lengths_are_held_against_data_one_by_one():
    X, y = load_iris(return_X_y=True)
    model = LogisticBoostClassifier(n_estimators=6, max_leaf_nodes=4).fit(X, y).model_
    long, *others = model.ensembles
    short = [Ensemble(e.trees[:1], e.leverage[:1], e.edge[:1], e.base_value) for e in others]
    display = DiskDisplay.from_estimator(replace(model, ensembles=(long, *short)), X, y, tree=-1)
    assert (display.scene.held_out.tree == len(long.trees) - 1).all()
    assert (display.scene.held_out.ensemble == 0).all()


def test_an_embedding_by_the_papers_placement_shows_its_error():
    tree = monotonic(breast_cancer()[0].model_.ensembles[0].trees[0])
    display = DiskDisplay.from_embedding(embed(tree, "sarkar"))
    assert any("ρ = " in text and "%" in text for text in texts(display))


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_two_runs_write_the_same_file(suffix, tmp_path):
    first, second = (
        DiskDisplay.from_estimator(breast_cancer()[0]).save(tmp_path / f"{i}.{suffix}", dpi=50)
        for i in range(2)
    )
    assert first.read_bytes() == second.read_bytes()


def test_a_notebook_shows_the_picture():
    display = DiskDisplay.from_estimator(breast_cancer()[0])
    assert display._repr_png_().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tree": 30}, "tree must be from 0 to 29"),
        ({"class_": "benign"}, r"class_ must be one of \[0, 1\]"),
        ({"y": [0, 1]}, "X and y belong together"),
        ({"X": [[0.0]]}, "X and y belong together"),
        ({"extent": 0.0}, "extent must be positive"),
        ({"colors": "pink"}, "colors must be one of"),
        ({"t": float("nan")}, "t must be finite"),
    ],
)
def test_wrong_arguments_are_told(options, message):
    with pytest.raises(ValueError, match=message):
        DiskDisplay.from_estimator(breast_cancer()[0], **options)


def test_a_temperature_above_1_leaves_out_what_it_does_not_reach():
    display = DiskDisplay.from_estimator(model_of([0.1, 1.0, -2.0]), t=1.3)
    assert 0.999 not in [p for p, _ in display.isolines_]
    with pytest.raises(ValueError, match="lower t"):
        DiskDisplay.from_estimator(model_of([0.1, 1.0, -9.0]), t=1.3)


def test_what_is_no_model_is_refused():
    with pytest.raises(ValueError, match="Supported are"):
        DiskDisplay.from_estimator(object())


def test_models_of_other_libraries_are_drawn():
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(3, random_state=0).fit(X, y)
    display = DiskDisplay.from_estimator(forest, X, y, tree=1)
    assert len(display.leverage_) == 1  # no circle of leverage: a forest takes means


@pytest.mark.parametrize("tree", [None, [0, 1], 1.5, "0"])
def test_a_disk_is_of_one_tree(tree):
    with pytest.raises(TypeError, match="tree must be one whole number"):
        DiskDisplay.from_estimator(breast_cancer()[0], tree=tree)
