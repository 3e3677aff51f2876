"""Trees of one test show both branches, in pictures and on pages, also where room is little."""

import itertools

import numpy as np
import pytest

from horotree import DiskDisplay, LogisticBoostClassifier
from horotree.scene import find_scenes
from horotree.viewer import view
from tests.viewer.browser.test_page import part, place_of, state

# Fulfilled when what was changed is on the screen.
DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def stumps(limit):
    """Return a classifier of trees with one test, for a class that is rarer with a high limit."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    y = X[:, 0] + 0.3 * rng.normal(size=400) > limit
    return LogisticBoostClassifier(n_estimators=3, max_leaf_nodes=2).fit(X, y)


@pytest.mark.parametrize("limit", [0.0, 0.3, 0.6, -0.6])
@pytest.mark.parametrize("width", [400, 1300])
def test_both_branches_are_drawn_and_listed_on_the_page(show, limit, width):
    page = show(view(stumps(limit)), viewport={"width": width, "height": 800})
    part(page, "t-slider").fill("1")
    assert state(page, "t") == 1
    for tree in range(3):
        part(page, "scrubber").focus()
        page.keyboard.press("Home")
        for _ in range(tree):
            page.keyboard.press("ArrowRight")
        page.evaluate(DRAWN)
        assert state(page, "tree") == tree
        places = [np.array(place_of(page, row)) for row in range(3)]
        assert all(np.hypot(*(a - b)) > 8.0 for a, b in itertools.combinations(places, 2))
        rules = part(page, "strongest").locator(".ht-rule").all_inner_texts()
        assert len(rules) == 2
        assert {"<" in rule for rule in rules} == {True, False}


@pytest.mark.parametrize("limit", [0.0, 0.6, -0.6])
def test_both_branches_are_drawn_and_listed_in_the_picture(limit):
    classifier = stumps(limit)
    for scene in find_scenes(classifier):
        display = DiskDisplay.from_estimator(classifier, tree=scene.tree, t=1.0)
        assert len(scene) == 3
        rules = {scene.rule(row, show_missing=False) for row in (1, 2)}
        texts = {text.get_text() for ax in display.figure_.axes for text in ax.texts}
        assert rules <= texts


def test_from_even_odds_a_branch_that_is_less_sure_is_a_ring_of_the_root(show):
    model = stumps(0.6).model_
    sizes = [len(scene) for scene in find_scenes(model, center="half")]
    assert min(sizes) == 2
    page = show(view(model, center="half"))
    tree = sizes.index(2)
    for _ in range(tree):
        page.keyboard.press("]")
    part(page, "disk").focus()
    page.keyboard.press("Home")
    assert "speaks for 1 less sure leaf below it" in part(page, "tooltip").inner_text()


def test_the_slider_is_seen_in_forced_colors(show):
    page = show(view(stumps(0.0)), forced_colors="active", viewport={"width": 400, "height": 800})
    slider = part(page, "t-slider")
    assert slider.evaluate("(e) => getComputedStyle(e).forcedColorAdjust") == "none"
    box = slider.bounding_box()
    clip = {"x": box["x"], "y": box["y"], "width": 0.5 * box["width"], "height": box["height"]}
    with_track = page.screenshot(clip=clip)
    slider.evaluate("(e) => { e.style.visibility = 'hidden'; }")
    assert page.screenshot(clip=clip) != with_track
