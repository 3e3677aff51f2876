"""Fingerprints of pages in a real browser: what is drawn and written, also after some keys."""

import re
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.machinery.chromium import find_chromium, start_chromium
from horotree import view

from .hashes import Prints
from .tables import table

WINDOWS: dict[str, dict[str, Any]] = {
    "wide": {"viewport": {"width": 1300, "height": 850}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True},
}

# What is seen of which models: with data and rows to follow, or alone.
PAGES = {
    "boost mixed": True,
    "boost mixed4": True,
    "boost rare": False,
    "forest breast_cancer": True,
    "boosting breast_cancer": False,
}

# Milliseconds between looks at a page, and how many looks must be the same: small pictures of trees
# are drawn, and answers about a row are searched, when the browser has nothing else to do.
PAUSE = 100.0
N_SAME, N_MOST = 3, 60

# Screenshots are not compared: a browser does not always draw the edges of elements alike. What
# scripts draw is, to the pixel, and where all that has no parts is, and how it looks.
CANVASES = "[...document.querySelectorAll('canvas')].filter((e) => e.width && e.checkVisibility())"
DRAWN = CANVASES + ".map((e) => [e.closest('[data-ht]')?.dataset.ht ?? '', e.toDataURL()])"
LOOKS = """[...document.querySelectorAll('#horotree *')]
  .filter((e) => !e.childElementCount && e.checkVisibility())
  .map((e) => {
    const [box, style] = [e.getBoundingClientRect(), getComputedStyle(e)];
    const looks = [style.color, style.backgroundColor, style.fontSize, style.fontWeight];
    return [box.x, box.y, box.width, box.height, ...looks];
  })"""
NAMES = """[...document.querySelectorAll('[data-ht]')]
  .filter((e) => e.checkVisibility()).map((e) => e.dataset.ht)"""


def print_all(prints: Prints, found: dict[str, Any]) -> None:
    """Add the fingerprints of pages, if there is a browser."""
    if find_spec("playwright") is None or find_chromium() is None:
        return
    if prints.only and not any("browser".startswith(o.split("/")[0]) for o in prints.only):
        return
    with start_chromium() as browser, tempfile.TemporaryDirectory() as folder:
        for name, has_data in PAGES.items():
            data = table(name.split()[1])
            rows = (data.X_test, data.y_test) if has_data else ()
            options = {"examples": data.X_test[:4]} if has_data else {}
            path = view(found[name], *rows, **options).write_html(Path(folder) / "page.html")
            for window, size in WINDOWS.items():
                prints.run(f"browser/{window}/{name}", _look, browser, path, size)


def _look(prints: Prints, name: str, browser: Any, path: Path, window: dict[str, Any]) -> None:
    context = browser.new_context(reduced_motion="reduce", accept_downloads=True, **window)
    try:
        page = context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(path.as_uri())
        page.locator("[data-ht='disk']").wait_for()
        for step, act in STEPS.items():
            with prints.group(f"{name}/{step}"):
                act(page)
                _add(prints, f"{name}/{step}", page)
        prints.add(f"{name}/errors", errors)
        with prints.group(f"{name}/exported"):
            _export(prints, f"{name}/exported", page, path.with_suffix(".svg"))
    finally:
        context.close()


def _add(prints: Prints, name: str, page: Any) -> None:
    """Add what a page shows now."""
    canvases: dict[str, list[str]] = {}
    pictures, layout = _settle(page)
    for part, drawn in pictures:
        canvases.setdefault(part or "others", []).append(drawn)
    prints.add_each(f"{name}/canvas", canvases)
    prints.add(f"{name}/layout", layout)
    prints.add(f"{name}/text", page.locator("#horotree").inner_text())
    prints.add(f"{name}/state", page.evaluate("globalThis.horotree.viewers[0].state"))
    prints.add(f"{name}/parts", sorted(page.evaluate(NAMES)))


def _settle(page: Any) -> tuple[list[list[str]], list[Any]]:
    """Return what is drawn on a page and how it is laid out, when both change no more."""
    looks: list[Any] = []
    while len(looks) < N_SAME or (len(looks) < N_MOST and looks[-N_SAME:] != N_SAME * looks[-1:]):
        page.wait_for_timeout(PAUSE)
        looks.append((page.evaluate(DRAWN), page.evaluate(LOOKS)))
    return looks[-1]


def _export(prints: Prints, name: str, page: Any, path: Path) -> None:
    """Add the picture that a page exports, also without its texts."""
    page.keyboard.press("Escape")
    with page.expect_download() as download:
        _part(page, "export-svg").click()
    download.value.save_as(path)
    svg = path.read_text(encoding="utf-8")
    prints.add(f"{name}/svg", svg)
    prints.add(f"{name}/svg without texts", re.sub("<(text|title|desc)[ >].*?</\\1>", "", svg))


def _part(page: Any, name: str) -> Any:
    return page.locator(f"[data-ht='{name}']")


def _press(*keys: str) -> Callable[[Any], None]:
    def act(page: Any) -> None:
        for key in keys:
            page.keyboard.press(key)

    return act


def _on_disk(*keys: str) -> Callable[[Any], None]:
    def act(page: Any) -> None:
        _part(page, "disk").focus()
        _press(*keys)(page)

    return act


def _click(name: str) -> Callable[[Any], None]:
    return lambda page: _part(page, name).click()


def _choose(name: str, choice: Any) -> Callable[[Any], None]:
    def act(page: Any) -> None:
        if _part(page, name).is_visible():  # some are only where there is something to choose
            _part(page, name).select_option(**choice)

    return act


def _hover(page: Any) -> None:
    page.mouse.move(*_place(page, 3))


def _place(page: Any, row: int) -> tuple[float, float]:
    """Return where a node is in the window."""
    box = _part(page, "disk").bounding_box()
    x, y = page.evaluate(f"globalThis.horotree.viewers[0].placeOf({row})")
    return box["x"] + x, box["y"] + y


STEPS: dict[str, Callable[[Any], None]] = {
    "opened": lambda page: page.wait_for_timeout(PAUSE),
    "hovered": _hover,
    "third tree": _press("]", "]"),
    "other class": _choose("class", {"index": 1}),
    "node": _on_disk("ArrowDown", "ArrowDown", "Enter"),
    "zoomed": _on_disk("+", "+"),
    "fitted": _on_disk("0", "f"),
    "t": lambda page: _part(page, "t-slider").fill("0.4"),
    "base": _choose("center", {"value": "base"}),
    "half": _choose("center", {"value": "half"}),
    "paper": _choose("scheme", {"value": "paper"}),
    "dark": _choose("theme", {"value": "dark"}),
    "no isolines": _choose("isolines", {"value": "none"}),
    "tree tab": _click("tab-tree"),
    "example tab": _click("tab-example"),
    "example": _choose("example-choice", {"index": 1}),
    "last tree": _press("End"),
    "help": _click("help-open"),
}
