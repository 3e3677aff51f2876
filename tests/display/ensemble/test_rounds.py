"""Strips by round: what is drawn is what direct computation gives."""

from dataclasses import replace

import numpy as np
import pytest

from horotree.display.ensemble.display import EnsembleDisplay
from horotree.io import from_model
from horotree.losses import link
from horotree.trees import Ensemble
from tests.display.models import breast_cancer, model_of
from tests.display.pages import texts_of


@pytest.fixture(scope="module")
def display():
    return EnsembleDisplay.from_estimator(breast_cancer()[0])


def literal_confidences(tree):
    """Return the confidences of the nodes that are surer than all above them."""
    kept = []

    def walk(node, surest):
        confidence = abs(tree.value[node])
        if confidence > surest * (1.0 + 1e-12):
            kept.append(confidence)
            surest = confidence
        if tree.left[node] >= 0:
            walk(tree.left[node], surest)
            walk(tree.right[node], surest)

    walk(0, -1.0)
    return sorted(kept)


def literal_quantile(ordered, q):
    at = q * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])


def test_rounds_are_what_direct_computation_gives(display):
    ensemble, rounds = from_model(breast_cancer()[0]).ensembles[0], display.rounds_
    assert len(rounds) == len(ensemble.trees) == 30
    for j, tree in enumerate(ensemble.trees):
        confidences = literal_confidences(tree)
        assert rounds.n_kept[j] == len(confidences)
        assert rounds.n_nodes[j] == len(tree.value)
        expected = [literal_quantile(confidences, q) for q in (0.0, 0.1, 0.5, 0.9, 1.0)]
        np.testing.assert_allclose(rounds.quantiles[j], expected, rtol=1e-12)
        most = max(abs(tree.value[tree.left < 0]))
        assert rounds.leverage_confidence[j] == ensemble.leverage[j] * most
    np.testing.assert_array_equal(rounds.leverage, ensemble.leverage)
    np.testing.assert_array_equal(rounds.edge, ensemble.edge)


def test_strips_draw_the_rounds(display):
    upper, lower = display.artists_["leverage"], display.artists_["confidence"]
    rounds = display.rounds_
    for name in ("leverage", "leverage_confidence", "edge"):
        values, edges, _ = upper[name].get_data()
        np.testing.assert_array_equal(values, getattr(rounds, name))
        np.testing.assert_array_equal(edges, np.arange(31) - 0.5)
    for name, low, high in (("all", 0, 4), ("most", 1, 3)):
        values, _, baseline = lower[name].get_data()
        np.testing.assert_array_equal(values, rounds.quantiles[:, high])
        np.testing.assert_array_equal(baseline, rounds.quantiles[:, low])
    np.testing.assert_array_equal(lower["median"].get_data()[0], rounds.quantiles[:, 2])


def test_strips_share_their_rounds_and_show_all_of_their_numbers(display):
    upper, lower = display.axes_["leverage"], display.axes_["confidence"]
    assert upper.get_xlim() == lower.get_xlim() == (-0.5, 29.5)
    assert upper.get_xticks().tolist() == lower.get_xticks().tolist()
    assert upper.get_ylim()[0] <= 0.0
    assert upper.get_ylim()[1] >= display.rounds_.leverage_confidence.max()
    assert lower.get_ylim()[1] >= display.rounds_.quantiles.max()
    assert upper.get_position().x0 == lower.get_position().x0
    assert upper.get_position().x1 == lower.get_position().x1


def test_posteriors_are_written_at_the_heights_of_their_confidences(display):
    ax, labels = display.axes_["confidence"], display.artists_["confidence"]["posteriors"]
    assert [label.get_text() for label in labels][:1] == [".5"]
    assert len(labels) >= 4
    for label in labels:
        assert label.get_position()[1] == pytest.approx(link(float(label.get_text())))
    heights = [ax.transData.transform(label.get_position())[1] for label in labels]
    assert (np.diff(heights) >= 15.0).all()


def test_without_edges_there_is_no_line_for_them():
    display = EnsembleDisplay.from_estimator(model_of([0.5, -1.0, 2.0]))
    assert "edge" not in display.artists_["leverage"]
    assert not any("edge" in text for text in texts_of(display))


def test_trees_asked_for_are_drawn_and_marked_in_the_strip():
    display = EnsembleDisplay.from_estimator(
        breast_cancer()[0], tree=[3, -1, 0, 3, 29], max_trees=2
    )
    assert [scene.tree for scene in display.scenes_] == [0, 3, 29]
    assert "3 of 30 trees, marked below the axis" in texts_of(display)
    marks = display.artists_["confidence"]["drawn"].get_segments()
    assert [segment[0, 0] for segment in marks] == [0.0, 3.0, 29.0]


def test_a_forest_has_trees_but_no_rounds():
    model = model_of([0.0, -1.0, 1.0])
    (ensemble,) = model.ensembles
    tree = replace(ensemble.trees[0], output=ensemble.trees[0].posterior)
    forest = Ensemble((tree, tree), [0.5, 0.5], [np.nan, np.nan], 0.0)
    display = EnsembleDisplay.from_estimator(replace(model, ensembles=(forest,), link="mean"))
    assert display.axes_["confidence"].get_xlabel() == "tree"
    assert "The trees, in order" in texts_of(display)
