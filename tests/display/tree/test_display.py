"""A tree beside its monotonic tree: what is drawn is what they are, and it can be read."""

import itertools
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.patches import PathPatch
from matplotlib.text import Text
from sklearn.datasets import load_breast_cancer, load_digits

from horotree import LogisticBoostClassifier, LogLossTreeClassifier
from horotree.display.disk.painter import SCHEMES
from horotree.display.tree.diagram import choose_nodes
from horotree.display.tree.display import TreeDisplay
from horotree.trees import Columns, path_rule
from tests.trees.strategies import chain, models, random_tree, trees

SIZES = (0, 0, 9)
COLUMNS = Columns(
    ("age", "the number of days since the last visit", "city"),
    (None, None, tuple(f"the town of {name}" for name in "ABCDEFGHI")),
)


def breast_cancer(max_leaf_nodes, **options):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return LogLossTreeClassifier(max_leaf_nodes=max_leaf_nodes, **options).fit(X, y)


@pytest.fixture(scope="module")
def display():
    return TreeDisplay.from_estimator(breast_cancer(12))


def draw_random(n_leaves, *, seed=0, columns=COLUMNS, **options):
    tree = random_tree(np.random.default_rng(seed), SIZES, n_leaves)
    return TreeDisplay.from_tree(tree, columns, **options)


def find_texts(figure):
    """Return the texts of a figure with their boxes in pixels."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text()]
    return [(text.get_text(), text.get_window_extent(renderer)) for text in texts]


def check_legible(display):
    texts = find_texts(display.figure_)
    for (first, a), (second, b) in itertools.combinations(texts, 2):
        width = min(a.x1, b.x1) - max(a.x0, b.x0)
        height = min(a.y1, b.y1) - max(a.y0, b.y0)
        assert width <= 0.5 or height <= 2.5, f"{first!r} covers {second!r}"
    page = display.figure_.bbox
    for text, box in texts:
        assert page.x0 <= box.x0 <= box.x1 <= page.x1, text
        assert page.y0 <= box.y0 <= box.y1 <= page.y1, text
    for ax, boxes in zip(display.axes_, display.boxes_, strict=True):
        for box in boxes.values():
            node = ax.transData.transform_bbox(box.get_path().get_extents())
            check_inside_or_apart(node, texts)
        ends = [box.get_path().get_extents() for box in boxes.values()]
        for a, b in itertools.combinations(ends, 2):
            apart = a.x1 < b.x0 or b.x1 < a.x0 or a.y1 < b.y0 or b.y1 < a.y0
            assert apart, "two nodes overlap"


def check_inside_or_apart(node, texts):
    for text, box in texts:
        width = min(node.x1, box.x1) - max(node.x0, box.x0)
        height = min(node.y1, box.y1) - max(node.y0, box.y0)
        if width > 0.5 and height > 2.5:
            assert node.x0 < box.x0 < box.x1 < node.x1, text
            assert node.y0 < box.y0 < box.y1 < node.y1, text


def written(ax):
    return [text.get_text() for text in ax.texts]


def place(box):
    extents = box.get_path().get_extents()
    return 0.5 * (extents.x0 + extents.x1), extents.y0


def test_the_nodes_are_those_of_the_tree_and_of_its_monotonic_tree(display):
    kept = display.monotonic
    assert sorted(display.boxes_[0]) == list(range(kept.tree.n_nodes))
    assert sorted(display.boxes_[1]) == kept.node.tolist()
    for ax, boxes in zip(display.axes_, display.boxes_, strict=True):
        numbers = {text for text in written(ax) if text.startswith("#")}
        assert {f"#{node}" for node in boxes} <= numbers


def test_a_node_is_at_the_same_height_on_both_sides_and_deeper_than_its_parent(display):
    kept = display.monotonic
    for node in kept.node.tolist():
        assert place(display.boxes_[0][node])[1] == place(display.boxes_[1][node])[1]
    for child, above in enumerate(kept.tree.parent.tolist()):
        if above >= 0:
            assert place(display.boxes_[0][child])[1] > place(display.boxes_[0][above])[1]


def test_left_children_are_left_of_right_ones(display):
    tree = display.monotonic.tree
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        left, right = (display.boxes_[0][int(child[node])] for child in (tree.left, tree.right))
        assert place(left)[0] < place(display.boxes_[0][node])[0] < place(right)[0]


def test_colors_and_shapes_are_classes_and_what_is_left_out_is_dashed(display):
    kept = display.monotonic
    corners = {}
    for node, box in display.boxes_[0].items():
        positive = bool(kept.tree.value[node] > 0.0)
        corners.setdefault(positive, set()).add(len(box.get_path().vertices))
        color = SCHEMES["safe"][positive]
        assert (to_hex(box.get_edgecolor()) == color) == bool(kept.is_kept[node])
        assert (box.get_linestyle() in ("-", "solid")) == bool(kept.is_kept[node])
    assert corners[True].isdisjoint(corners[False])


def test_widths_of_arcs_are_in_proportion_to_their_tests(display):
    kept = display.monotonic
    widths = {node: arc.get_linewidth() for node, arc in display.arcs_[1].items()}
    assert sorted(widths) == kept.node[1:].tolist()
    assert kept.n_tests.max() == 3
    for node, n_tests in zip(kept.node[1:].tolist(), kept.n_tests[1:].tolist(), strict=True):
        assert widths[node] == pytest.approx(n_tests * display.arcs_[0][node].get_linewidth())


def test_arcs_lead_from_box_to_box(display):
    kept = display.monotonic
    for side, parent in ((0, kept.tree.parent), (1, kept.host[kept.tree.parent])):
        for node, arc in display.arcs_[side].items():
            points = arc.get_path().vertices
            x, y = place(display.boxes_[side][int(parent[node])])
            assert points[0] == pytest.approx((x, y + 0.36))
            assert points[-1] == pytest.approx(place(display.boxes_[side][node]))


def test_arcs_have_the_rules_of_the_paths(display):
    kept = display.monotonic
    columns = display.columns
    for side, parent in ((0, kept.tree.parent), (1, kept.host[kept.tree.parent])):
        lines = written(display.axes_[side])
        for node in list(display.boxes_[side])[1:]:
            rule = path_rule(kept.tree, node, int(parent[node]))
            text = rule.text(columns, show_missing=False)
            assert is_written(text, lines), text


def is_written(text, lines):
    """Tell whether a text is there, broken into lines."""
    parts = text
    while parts:
        line = next((line for line in lines if parts.startswith(line)), None)
        if line is None:
            return False
        parts = parts[len(line) :].lstrip()
    return True


def test_rerouted_leaves_are_tags_of_their_hosts(display):
    kept = display.monotonic
    ax = display.axes_[1]
    tags = [text for text in ax.texts if " " in text.get_text() or text.get_size() == 7.0]
    for node in kept.node.tolist():
        leaves = [f"#{leaf}" for leaf in kept.tags(node).tolist()]
        x, y = place(display.boxes_[1][node])
        below = [
            text.get_text().split()
            for text in tags
            if text.get_position()[0] == pytest.approx(x)
            and y + 0.36 < text.get_position()[1] < y + 0.36 + 0.4
            and text.get_text().startswith("#")
        ]
        assert [tag for line in below for tag in line] == leaves


def test_the_picture_tells_how_to_read_it(display):
    texts = " ".join(text for text, _ in find_texts(display.figure_))
    for words in ("size is the confidence", "says 0", "says 1", "left out", "23 nodes", "9 nodes"):
        assert words in texts
    assert "surer and surer" in texts


@pytest.mark.parametrize("n_leaves", [1, 2, 3, 6, 8, 20, 32])
def test_no_text_covers_another_and_all_are_on_the_page(n_leaves):
    check_legible(draw_random(n_leaves, seed=n_leaves))


@pytest.mark.parametrize("dpi", [60.0, 100.0, 200.0])
def test_letters_do_not_touch_at_any_resolution(dpi):
    display = TreeDisplay.from_estimator(breast_cancer(8))
    display.figure_.set_dpi(dpi)
    check_legible(display)


@given(models(links=("logistic",)))
@settings(max_examples=10)
def test_any_names_labels_and_classes_can_be_drawn(model):
    if model.ensembles[0].trees:
        check_legible(TreeDisplay.from_estimator(model))


@pytest.mark.parametrize(
    "name",
    [
        "$x^2$ and \\frac",
        "特征值的平均数" * 4,
        "\u202eabc",
        "שלום" * 9,
        "a\nb\tc",
        "w" * 300,
        "\ud800",
    ],
)
def test_any_script_can_be_drawn(name, tmp_path):
    columns = Columns((name, "b", "c"), (None, None, tuple(f"{name}{i}" for i in range(9))))
    display = draw_random(5, seed=2, columns=columns, classes=(name, f"not {name}"))
    check_legible(display)
    display.save(tmp_path / "tree.svg")


def test_one_node_is_a_tree():
    display = draw_random(1)
    assert [list(boxes) for boxes in display.boxes_] == [[0], [0]]
    assert display.arcs_ == ({}, {})
    assert written(display.axes_[0])[:2] == ["Decision tree", "1 node"]


def test_trees_without_names_get_some_also_for_categories():
    display = TreeDisplay.from_tree(random_tree(np.random.default_rng(5), SIZES, 8))
    lines = " ".join(written(display.axes_[0]))
    assert "x2 in {" in lines or "x2 = " in lines
    assert "x0 <" in lines or "x1 <" in lines


@given(trees(max_leaves=30))
def test_nodes_are_chosen_level_by_level_and_in_pairs(tree):
    for max_nodes in (1, 2, 7, tree.n_nodes):
        nodes = choose_nodes(tree, max_nodes)
        assert len(nodes) == min(tree.n_nodes, max_nodes - (max_nodes + 1) % 2)
        hidden = sorted(set(range(tree.n_nodes)) - set(nodes))
        for node in hidden:
            assert tree.depth[node] >= tree.depth[nodes].max()
        for node in nodes[1:]:
            above = tree.parent[node]
            assert nodes.index(above) < nodes.index(node)
            assert {int(tree.left[above]), int(tree.right[above])} <= set(nodes)


@pytest.mark.parametrize("max_nodes", [1, 2, 31])
def test_of_large_trees_the_upper_levels_are_drawn_and_the_others_counted(max_nodes):
    display = draw_random(100, seed=3, max_nodes=max_nodes)
    kept = display.monotonic
    n_drawn = max_nodes - (max_nodes + 1) % 2
    assert len(display.boxes_[0]) == n_drawn
    check_legible(display)
    for side, n in ((0, kept.tree.n_nodes), (1, len(kept))):
        lines = written(display.axes_[side])
        assert f"{len(display.boxes_[side])} of its {n} nodes: the uppermost" in lines[1]
        below = [line.split()[1] for line in lines if line.startswith("… ")]
        assert sum(map(int, below)) == n - len(display.boxes_[side])


def test_tags_of_leaves_that_are_not_drawn_are_counted():
    display = draw_random(100, seed=3, max_nodes=7)
    kept = display.monotonic
    shown = np.isin(kept.rerouted, list(display.boxes_[0]))
    hosted = np.isin(kept.host[kept.rerouted], list(display.boxes_[1]))
    lines = [word for line in written(display.axes_[1]) for word in line.split()]
    counted = [int(word[1:]) for word in lines if word[:1] == "+" and word[1:].isdigit()]
    assert sum(counted) == (hosted & ~shown).sum()


def test_tests_that_have_no_room_are_left_out_from_the_bottom_and_the_picture_says_so():
    tree = random_tree(np.random.default_rng(1), SIZES, 200)
    display = TreeDisplay.from_tree(tree, COLUMNS, max_nodes=127)
    lines = written(display.axes_[0])
    assert any("no room" in line for line in lines)
    check_legible(display)


def test_a_wide_pair_of_trees_is_drawn_one_below_the_other():
    narrow, wide = draw_random(6), draw_random(100, max_nodes=127)
    for display, beside in ((narrow, True), (wide, False)):
        first, second = (ax.get_position() for ax in display.axes_)
        assert (first.x1 <= second.x0) == beside
        assert (second.y1 <= first.y0) != beside


def test_a_chain_deeper_than_any_recursion_is_drawn():
    rng = np.random.default_rng(0)
    tree = chain(rng.normal(size=4001), rng)
    assert len(TreeDisplay.from_tree(tree, max_nodes=31).boxes_[0]) == 31


@pytest.mark.clock
def test_a_hundred_thousand_nodes_take_seconds():
    rng = np.random.default_rng(0)
    tree = random_tree(rng, SIZES, 50_000)
    start = time.perf_counter()
    TreeDisplay.from_tree(tree)
    assert time.perf_counter() - start < 10.0


def test_a_class_of_many_has_its_ensemble():
    X, y = load_digits(return_X_y=True)
    classifier = LogisticBoostClassifier(n_estimators=2, max_leaf_nodes=4).fit(X, y)
    display = TreeDisplay.from_estimator(classifier, tree=-1, class_=3)
    assert display.classes == ("not 3", "3")
    texts = [text for text, _ in find_texts(display.figure_)]
    assert "Tree 1 of 0–1, and its monotonic tree" in texts
    assert "says not 3" in texts


@pytest.mark.parametrize("colors", ["paper", "gray", ("#112233", "#445566")])
def test_colors_may_be_chosen(colors):
    display = TreeDisplay.from_estimator(breast_cancer(3), colors=colors)
    expected = SCHEMES[colors] if isinstance(colors, str) else colors
    edges = {to_hex(box.get_edgecolor()) for box in display.boxes_[1].values()}
    assert edges == set(expected)


def test_plot_again_draws_anew():
    display = TreeDisplay.from_estimator(breast_cancer(6))
    first = display.figure_
    assert display.plot(max_nodes=3) is display
    assert display.figure_ is not first
    assert len(display.boxes_[0]) == 3


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"max_nodes": 0}, "max_nodes must be 1 or more, got 0"),
        ({"colors": "rainbow"}, "safe, paper, gray"),
        ({"tree": 1}, "tree must be from 0 to 0, got 1"),
    ],
)
def test_wrong_options_are_refused(options, match):
    with pytest.raises(ValueError, match=match):
        TreeDisplay.from_estimator(breast_cancer(2), **options)


def test_nothing_is_drawn_of_what_is_not_there():
    stump = TreeDisplay.from_estimator(breast_cancer(2))
    texts = " ".join(text for text, _ in find_texts(stump.figure_))
    assert "left out" not in texts.partition("Decision tree")[2]
    assert "tests: here" not in texts
    assert isinstance(next(iter(stump.boxes_[0].values())), PathPatch)


DRAW = """
import sys
from matplotlib import rcParams
def settings():  # but for the backend: to look at it is to load pyplot
    return {name: rcParams[name] for name in rcParams if name != "backend"}
before = settings()
import numpy as np
from horotree.display.tree.display import TreeDisplay
from tests.trees.strategies import random_tree
display = TreeDisplay.from_tree(random_tree(np.random.default_rng(1), (0, 0), 8))
for suffix in ("png", "svg", "pdf"):
    display.save(f"{sys.argv[1]}.{suffix}")
assert display._repr_png_().startswith(b"\\x89PNG")
assert settings() == before, "rcParams are changed"
assert "matplotlib.pyplot" not in sys.modules, "pyplot is loaded"
"""


def test_two_runs_give_the_same_bytes_and_leave_no_trace_in_matplotlib(tmp_path):
    for seed in ("1", "2"):
        command = [sys.executable, "-W", "error", "-c", DRAW, str(tmp_path / seed)]
        subprocess.run(command, check=True, env=os.environ | {"PYTHONHASHSEED": seed})
    for suffix in ("png", "svg", "pdf"):
        first, second = (tmp_path / f"{seed}.{suffix}" for seed in ("1", "2"))
        assert first.read_bytes() == second.read_bytes()
    root = ET.parse(tmp_path / "1.svg").getroot()  # noqa: S314  our own file
    assert root.tag.endswith("svg")


def test_the_monotonic_tree_drawn_is_monotonic():
    display = draw_random(12, seed=4)
    kept = display.monotonic
    for node in display.arcs_[1]:
        above = kept.host[kept.tree.parent[node]]
        assert kept.tree.confidence[node] > kept.tree.confidence[above]
