"""The help: how to read the picture, and keys; it opens and closes as dialogs do."""

import pytest

from horotree.viewer import view
from tests.viewer.browser.test_page import part, press, state
from tests.viewer.models import breast_cancer

FOCUSED = "document.activeElement.dataset.ht"


def painted(page):
    """Return how many colors the help's picture has."""
    return page.evaluate(
        """() => {
          const canvas = document.querySelector("[data-ht='reading']");
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          return new Set(new Uint32Array(data.buffer)).size;
        }"""
    )


def test_the_help_shows_how_to_read_the_picture(show):
    page = show(view(breast_cancer()[0]))
    press(page, "?")
    help_ = part(page, "help")
    assert help_.is_visible()
    assert painted(page) > 50
    text = help_.inner_text()
    for words in ("root", "border", "thick arc", "thin ring", "whole circle", "dotted", "gray"):
        assert words in text.lower()
    assert text.index("root") < text.index("Keys")


@pytest.mark.parametrize("close", ["Escape", "button", "outside"])
def test_the_help_closes_and_the_focus_returns(show, close):
    page = show(view(breast_cancer()[0]))
    part(page, "help-open").focus()
    press(page, "Enter")
    assert part(page, "help").is_visible()
    # Keys are the dialog's: nothing changes behind it.
    part(page, "help").locator("h3").first.click()
    press(page, "ArrowRight", "]", "e")
    assert (state(page, "tree"), state(page, "tab")) == (0, "tree")
    assert part(page, "help").is_visible()
    if close == "Escape":
        press(page, "Escape")
    elif close == "button":
        part(page, "help-close").click()
    else:
        page.mouse.click(8.0, 400.0)
    assert part(page, "help").is_hidden()
    assert page.evaluate(FOCUSED) == "help-open"
    part(page, "disk").focus()
    press(page, "?", "Escape", "]")
    assert page.evaluate(FOCUSED) == "disk"
    assert state(page, "tree") == 1


def test_the_help_fits_a_phone(show):
    page = show(
        view(breast_cancer()[0]),
        viewport={"width": 360, "height": 640},
        has_touch=True,
        is_mobile=True,
    )
    part(page, "help-open").tap()
    box = part(page, "help").bounding_box()
    assert box["x"] >= 0.0
    assert box["x"] + box["width"] <= 360.0
    assert box["y"] + box["height"] <= 640.0
    sizes = "(e) => [e.scrollWidth, e.clientWidth]"
    across, inside = part(page, "help").evaluate(sizes)
    assert across == inside
    close = part(page, "help-close").bounding_box()
    assert 0.0 <= close["y"] <= 100.0
    page.touchscreen.tap(4.0, 320.0)
    assert part(page, "help").is_hidden()
