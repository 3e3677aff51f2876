"""Where a picture or a page can be shown: notebooks, and screens with a browser."""

import contextlib
import os
import sys
from pathlib import Path
from typing import Any


def find_shell() -> Any | None:
    """Return IPython's shell if there is one; the shell of a notebook has a kernel."""
    package = sys.modules.get("IPython")
    return None if package is None else package.get_ipython()


def in_notebook() -> bool:
    """Tell whether this code runs in a notebook."""
    return hasattr(find_shell(), "kernel")


def has_screen() -> bool:
    """Tell whether a browser can open a window: elsewhere some would fill the terminal."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_page(path: Path) -> bool:
    """Open a page in the browser if there is one; return whether it seems to have worked."""
    import webbrowser

    if has_screen():
        with contextlib.suppress(OSError, ValueError, webbrowser.Error):
            return webbrowser.open(path.resolve().as_uri())
    return False
