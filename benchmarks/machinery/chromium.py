"""A real browser: the distribution's Chromium, driven by Playwright."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# No screen, no graphics card, and nothing of its own to ask the network for.
ARGUMENTS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    "--no-sandbox",
)


def find_chromium() -> str | None:
    """Return the path of an installed Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def start_chromium() -> Iterator[Any]:
    """Start Chromium; Playwright must be installed.

    Yields
    ------
    playwright.sync_api.Browser
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), headless=True, args=list(ARGUMENTS)
        )
        try:
            yield browser
        finally:
            browser.close()
