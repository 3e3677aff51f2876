"""A browser for the tests that need one, and pages in it that are watched."""

import contextlib
import os
import time

import pytest

from benchmarks.machinery.chromium import find_chromium, start_chromium


@pytest.fixture(scope="module")
def _browsers():
    """Hold what is started, and end it with the module: its event loop must not meet others'."""
    with contextlib.ExitStack() as stack:
        yield stack, []


@pytest.fixture
def chromium(require):
    """Skip without Playwright or Chromium; under HOROTREE_REQUIRE=all they must be there."""
    require("playwright.sync_api")
    if find_chromium() is None:
        reason = "Chromium is not installed"
        if os.environ.get("HOROTREE_REQUIRE") == "all":
            pytest.fail(f"HOROTREE_REQUIRE=all, but {reason}")
        pytest.skip(reason)


@pytest.fixture
def browser(chromium, _browsers):
    """Return Chromium, started once a module."""
    stack, started = _browsers
    if not started:
        started.append(stack.enter_context(start_chromium()))
    return started[0]


def wait_for(page, condition):
    """Wait for a condition in a page; Playwright's own way would need eval, which is refused."""
    end = time.monotonic() + 20.0
    while not page.evaluate(condition):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(20.0)


class Watched:
    """What a page must not do: log errors, ask the network, open dialogs."""

    def __init__(self, page):
        self.errors, self.requests, self.dialogs = [], [], []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._on_console)
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("dialog", self._on_dialog)

    def _on_console(self, message):
        if message.type in {"error", "warning"}:
            self.errors.append(message.text)

    def _on_dialog(self, dialog):
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def check(self, *expected):
        assert self.errors == []
        assert self.dialogs == []
        assert [url for url in self.requests if not url.startswith("blob:file:")] == [*expected]


@pytest.fixture
def show(browser, tmp_path):
    """Open views from files; at the end no page may have logged, asked or loaded anything."""
    opened = []

    def show(seen, **options):
        path = seen.write_html(tmp_path / f"page{len(opened)}.html")
        options = {"viewport": {"width": 1300, "height": 850}, **options}
        context = browser.new_context(reduced_motion="reduce", accept_downloads=True, **options)
        page = context.new_page()
        opened.append((context, Watched(page), path.as_uri()))
        page.goto(path.as_uri())
        wait_for(page, "globalThis.horotree?.stats?.firstPaint > 0")
        return page

    yield show
    for context, watched, address in opened:
        context.close()
        watched.check(address)
