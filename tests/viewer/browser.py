"""A real browser: the distribution's Chromium, driven by Playwright."""

import shutil

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


def find_chromium():
    """Return the path of an installed Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def launch(playwright, *more):
    """Start a browser."""
    return playwright.chromium.launch(
        executable_path=find_chromium(), headless=True, args=[*ARGUMENTS, *more]
    )
