"""A scene holds what is drawn, for any t."""

import importlib

import numpy as np
import pytest
from sklearn.datasets import load_iris

from horotree import DiskDisplay, EnsembleDisplay, LogisticBoostClassifier, view
from horotree.display import TreeDisplay
from horotree.embedding import automatic_t
from horotree.scene import find_scenes
from tests.display.models import breast_cancer, digits, model_of


def test_all_trees_of_a_model_are_embedded_at_one_temperature():
    scenes = find_scenes(breast_cancer()[0])
    assert [scene.tree for scene in scenes] == list(range(30))
    assert len({scene.embedding.t for scene in scenes}) == 1


def test_all_classes_of_a_model_are_drawn_at_one_temperature():
    iris = load_iris(return_X_y=True)
    classifier = LogisticBoostClassifier(n_estimators=2, smoothing=0.01, learning_rate=1).fit(*iris)
    scenes = [find_scenes(classifier, class_=k) for k in range(3)]
    farthest = [max(scene.distance.max() for scene in some) for some in scenes]
    assert len({automatic_t(confidence) for confidence in farthest}) > 1
    assert {scene.embedding.t for some in scenes for scene in some} == {automatic_t(max(farthest))}


def test_tags_count_the_rerouted_leaves_of_each_node():
    for scene in find_scenes(breast_cancer()[0], tree=[0, 5, -1]):
        tree = scene.embedding.monotonic
        expected = [len(tree.tags(node)) for node in tree.node]
        assert scene.n_tags.tolist() == expected
        assert scene.n_tags.sum() == len(tree.rerouted)


def test_rules_lead_from_the_root_or_from_the_parent():
    (scene,) = find_scenes(model_of([0.1, 1.0, -0.05, 2.0, -3.0]), tree=0)
    assert [scene.rule(row, show_missing=False) for row in range(len(scene))] == [
        "always",
        "x <= 0",
        "0 < x <= 1",
        "x > 1",
    ]
    assert scene.rule(3, whole=False, show_missing=False) == "x > 1"


def test_weights_are_shares_of_the_roots():
    (scene,) = find_scenes(breast_cancer()[0], tree=2)
    assert scene.weight[0] == 1.0
    assert ((scene.weight > 0.0) & (scene.weight <= 1.0)).all()


def test_arcs_start_at_parents_and_end_at_children():
    (scene,) = find_scenes(breast_cancer()[0], tree=0)
    distance, angle = scene.arcs
    np.testing.assert_array_equal(distance[:, 0], scene.distance[scene.parent[1:]])
    np.testing.assert_array_equal(distance[:, -1], scene.distance[1:])
    np.testing.assert_array_equal(angle[:, -1], scene.angle[1:])


def test_each_class_of_many_has_its_trees():
    scenes = find_scenes(digits(), class_=9)
    assert all(scene.classes == ("not 9", "9") for scene in scenes)
    assert find_scenes(digits())[0].classes == ("not 0", "0")


def test_held_out_rows_are_those_of_the_kept_nodes():
    classifier, X, y = breast_cancer()
    for scene in find_scenes(classifier, X, y, tree=[0, 7]):
        np.testing.assert_array_equal(scene.held_out.node, scene.embedding.node)
        assert (scene.held_out.tree == scene.tree).all()


@pytest.mark.parametrize("tree", [99, [0, -31]])
def test_trees_that_are_not_there_are_refused(tree):
    with pytest.raises(ValueError, match="tree must be from 0 to 29"):
        find_scenes(breast_cancer()[0], tree=tree)


@pytest.fixture
def layouts(monkeypatch):
    """Return a list that gets every tree that is laid out."""
    module = importlib.import_module("horotree.embedding.embed")
    place_exact, found = module.place_exact, []

    def place(monotonic, **options):
        found.append(monotonic.tree)
        return place_exact(monotonic, **options)

    monkeypatch.setattr(module, "place_exact", place)
    return found


@pytest.mark.parametrize(
    ("draw", "n"),
    [
        (DiskDisplay.from_estimator, 1),
        (lambda *given: DiskDisplay.from_estimator(*given, tree=3, t=0.5), 1),
        (lambda *given: EnsembleDisplay.from_estimator(*given, t=0.5), 30),
        (lambda *given: TreeDisplay.from_estimator(given[0]), 0),
        (lambda *given: view(*given, max_trees=4), 2 * 4),
    ],
)
def test_each_tree_is_laid_out_once_per_call_and_center(layouts, draw, n):
    draw(*breast_cancer())
    assert len(layouts) == n


def test_a_temperature_that_the_layout_cannot_draw_is_replaced_by_the_automatic_one():
    model = model_of([0.1, 1.0, -0.05, 20.0, -3.0])
    assert find_scenes(model, t=0.5).t == 0.5
    assert find_scenes(model, t=1.0).t == find_scenes(model).t < 1.0
