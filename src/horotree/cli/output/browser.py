"""Showing a page, where there is somebody to look at it."""

import os
import sys
from pathlib import Path


def has_screen() -> bool:
    """Tell whether a browser could show itself: elsewhere some would fill the terminal."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_page(path: Path) -> bool:
    """Open a page in the browser if there is one; return whether it seems to have worked."""
    import webbrowser

    if not has_screen():
        return False
    try:
        return webbrowser.open(path.resolve().as_uri())
    except (OSError, ValueError, webbrowser.Error):
        return False
