"""Fingers and small windows: the page scrolls as one, two fingers move the disk, a tap tells."""

import numpy as np
import pytest

from horotree.viewer import view
from tests.viewer.browser.test_page import part, place_of, press, state
from tests.viewer.conftest import wait_for
from tests.viewer.models import breast_cancer, iris, mixed

PHONE = {"width": 400, "height": 800}
LYING = {"width": 800, "height": 400}
SMALL = {"width": 1024, "height": 700}
# A window of 1300 by 850 whose browser enlarges to 200 %.
ENLARGED = {"width": 650, "height": 425}
TOUCH = {"has_touch": True, "is_mobile": True}


class Fingers:
    """Fingers on a page, moved step by step."""

    def __init__(self, page):
        self.page, self.session = page, page.context.new_cdp_session(page)

    def send(self, kind, places):
        points = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(places)]
        event = {"type": kind, "touchPoints": points}
        self.session.send("Input.dispatchTouchEvent", event)

    def move(self, start, end, n_steps=8):
        """Put fingers at places, move them and take them away."""
        start, end = np.asarray(start, float), np.asarray(end, float)
        self.send("touchStart", start.tolist())
        for share in np.linspace(0.0, 1.0, n_steps + 1)[1:]:
            self.send("touchMove", (start + share * (end - start)).tolist())
            self.page.wait_for_timeout(16.0)
        self.send("touchEnd", [])
        self.page.wait_for_timeout(60.0)


def tap(page, row):
    """Tap a node that is in the window."""
    page.touchscreen.tap(*place_of(page, row))


def middle(page):
    box = part(page, "disk").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def scrolled(page):
    return page.evaluate("window.scrollY")


@pytest.mark.parametrize("size", [PHONE, LYING])
def test_one_finger_on_the_disk_scrolls_the_page(show, size):
    page = show(view(breast_cancer()[0]), viewport=size, **TOUCH)
    x, y = middle(page)
    y = min(y, 0.8 * size["height"])
    before = state(page, "pan")
    Fingers(page).move([(x, y)], [(x, y - 150.0)])
    assert scrolled(page) > 100.0
    assert state(page, "pan") == before
    assert state(page, "zoom") == 1.0
    assert state(page, "tapped") == -1


def test_two_fingers_move_and_enlarge_the_disk(show):
    page = show(view(breast_cancer()[0]), viewport=PHONE, **TOUCH)
    x, y = middle(page)
    fingers = Fingers(page)
    before = np.array(place_of(page, 0))
    fingers.move([(x - 40.0, y), (x + 40.0, y)], [(x - 10.0, y + 50.0), (x + 70.0, y + 50.0)])
    np.testing.assert_allclose(place_of(page, 0), np.add(before, (30.0, 50.0)), atol=1.0)
    assert abs(state(page, "zoom") - 1.0) < 0.02
    fingers.move([(x - 40.0, y), (x + 40.0, y)], [(x - 80.0, y), (x + 80.0, y)])
    assert abs(state(page, "zoom") - 2.0) < 0.05
    assert scrolled(page) == 0.0
    assert page.evaluate("visualViewport.scale") == 1.0
    assert state(page, "tapped") == -1


def test_where_nothing_scrolls_one_finger_moves_the_disk(show):
    page = show(view(breast_cancer()[0]), viewport=SMALL, has_touch=True)
    x, y = middle(page)
    before = np.array(place_of(page, 0))
    Fingers(page).move([(x, y)], [(x + 60.0, y + 30.0)])
    np.testing.assert_allclose(place_of(page, 0), np.add(before, (60.0, 30.0)), atol=1.0)


@pytest.mark.parametrize("size", [PHONE, LYING, SMALL])
def test_a_tap_brings_up_the_card_as_a_sheet(show, size):
    classifier, X, y = breast_cancer()
    page = show(view(classifier, X, y), viewport=size, **TOUCH)
    page.evaluate("document.querySelector(\"[data-ht='disk']\").scrollIntoView()")
    row = int(np.argmax([place_of(page, r)[1] for r in range(8)]))
    tap(page, row)
    assert state(page, "tapped") == row
    sheet = part(page, "sheet").bounding_box()
    assert sheet["x"] >= 0.0
    assert abs(sheet["y"] + sheet["height"] - size["height"]) < 1.5
    assert place_of(page, row)[1] < sheet["y"]  # its node is still seen
    text = part(page, "sheet").inner_text()
    part(page, "sheet-more").tap()
    assert part(page, "sheet").is_hidden()
    assert (state(page, "tab"), state(page, "selected")) == ("node", row)
    assert part(page, "node-head").inner_text().split()[0] == text.split()[0]
    head = part(page, "node-head").bounding_box()
    assert 0.0 <= head["y"] < size["height"]


def test_the_sheet_closes_by_its_button_by_a_tap_elsewhere_and_by_escape(show):
    page = show(view(breast_cancer()[0]), viewport=PHONE, **TOUCH)
    disk = part(page, "disk").bounding_box()
    closers = (
        lambda: part(page, "sheet-close").tap(),
        lambda: page.touchscreen.tap(disk["x"] + 6.0, disk["y"] + 6.0),
        lambda: part(page, "title").tap(),
        lambda: press(page, "Escape"),
    )
    for close in closers:
        tap(page, 1)
        assert part(page, "sheet").is_visible()
        part(page, "sheet").locator(".ht-rule").tap()
        assert part(page, "sheet").is_visible()
        close()
        assert part(page, "sheet").is_hidden()
        assert state(page, "selected") == -1
        page.evaluate("window.scrollTo(0, 0)")


def test_a_finger_that_scrolls_from_the_strip_of_trees_changes_no_tree(show):
    page = show(view(breast_cancer()[0]), viewport=PHONE, **TOUCH)
    box = part(page, "scrubber").bounding_box()
    x, y = box["x"] + 0.7 * box["width"], min(box["y"] + 20.0, 780.0)
    fingers = Fingers(page)
    fingers.move([(x, y)], [(x, y - 200.0)])
    assert scrolled(page) > 100.0
    assert state(page, "tree") == 0
    page.evaluate("window.scrollTo(0, 0)")
    fingers.move([(x - 100.0, y)], [(x, y)])
    assert state(page, "tree") == int(0.7 * 12)


# What scrolls in itself: the film sideways, code that is long, lists of a browser.
NESTED = """() => [...document.querySelectorAll('.horotree *')].filter((e) => {
  const { overflowY } = getComputedStyle(e);
  return ['auto', 'scroll'].includes(overflowY) && e.scrollHeight > e.clientHeight + 1;
}).map((e) => e.className)"""

OUTSIDE = """() => [...document.querySelectorAll(
    '.horotree button, .horotree select, .horotree input, .horotree textarea, .horotree [tabindex]'
  )].filter((e) => e.checkVisibility()).filter((e) => {
    e.scrollIntoView({ block: 'center' });
    const box = e.getBoundingClientRect();
    const inside = box.left >= -0.5 && box.right <= innerWidth + 0.5;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const top = document.elementFromPoint(x, y);
    return !inside || !(e.contains(top));
  }).map((e) => e.dataset.ht ?? e.className)"""


@pytest.mark.parametrize("size", [PHONE, {"width": 420, "height": 800}, LYING, ENLARGED, SMALL])
@pytest.mark.parametrize("make", [breast_cancer, iris, mixed])
def test_every_control_is_reached_and_nothing_is_cut_off(show, make, size):
    classifier, X, y = make()
    page = show(view(classifier, X, y, examples=X[:3]), viewport=size, **TOUCH)
    width = "[document.documentElement.scrollWidth, innerWidth]"
    for tab in ("example", "node", "tree"):
        part(page, f"tab-{tab}").tap()
        across, window = page.evaluate(width)
        assert across == window == size["width"]
        assert page.evaluate(OUTSIDE) == []
        if size is not SMALL:
            assert page.evaluate(NESTED) == []
    page.evaluate("window.scrollTo(0, 0)")
    disk, zoom = (part(page, name).bounding_box() for name in ("disk", "whole"))
    radius = min(disk["width"], disk["height"]) / 2 - 20.0
    assert radius >= 120.0
    corners = [
        (zoom["x"] + i * zoom["width"], zoom["y"] + j * zoom["height"])
        for i in (0, 1)
        for j in (0, 1)
    ]
    for corner in corners:
        assert np.hypot(*np.subtract(corner, middle(page))) > radius


@pytest.mark.parametrize("size", [PHONE, SMALL])
def test_long_names_of_classes_and_rows_do_not_push_controls_out(show, size):
    classifier, X, y = iris()
    names = {name: f"the class of flowers that botanists call {name}" for name in set(y)}
    seen = view(
        classifier,
        X,
        y,
        class_names=[names[name] for name in classifier.classes_],
        examples=X[:3].set_axis([f"a row with quite a long name, number {i}" for i in range(3)]),
        example_classes=y[:3],
    )
    page = show(seen, viewport=size, **TOUCH)
    for tab in ("example", "node", "tree"):
        part(page, f"tab-{tab}").tap()
        assert page.evaluate(OUTSIDE) == []


def test_a_window_that_is_turned_is_laid_out_again(show):
    page = show(view(breast_cancer()[0]), viewport=SMALL)
    tall = "document.documentElement.scrollHeight > innerHeight + 200"
    assert not page.evaluate(tall)
    page.set_viewport_size(PHONE)
    wait_for(page, tall)
    page.set_viewport_size(SMALL)
    wait_for(page, f"!({tall})")


def test_a_long_title_leaves_the_disk_its_height(show):
    title = "A title that is long " * 143
    for size in (PHONE, SMALL):
        page = show(view(breast_cancer()[0], title=title), viewport=size)
        box = part(page, "disk").bounding_box()
        assert box["height"] > 340.0
        assert box["y"] + box["height"] < size["height"]
        assert part(page, "title").text_content() == title
