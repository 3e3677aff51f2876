"""The pictures that commands draw, and what to say beside them."""

import tempfile
from pathlib import Path
from typing import Any

from horotree.cli.errors import refusals

SUFFIXES = (".png", ".svg", ".pdf")

# Pixels an inch of pictures in pages and of files.
DPI = 150.0

HOW_TO_READ = (
    "Each point is a node of the tree. Its distance from the center is its confidence: near the "
    "border a node is almost sure of its class, which its color tells; at the center it guesses. "
    "Gray circles join equal posteriors. Lines lead from the root, in a ring, to what further "
    "tests find out."
)
SHEET = (
    "Every tree of the model at the same scale. The first trees tell the classes apart; later ones "
    "mend what is left, and draw to the center."
)
HELD_OUT = (
    "Each node, and beside it on the same ray where rows that the model was not trained on would "
    "put it. Where the whole interval is elsewhere, the tree has learned what does not hold."
)


def draw_tree(model: Any, X: Any = None, y: Any = None, **options: Any) -> Any:
    """Return the display of one tree; options as in ``DiskDisplay.from_estimator``."""
    from horotree.display import DiskDisplay

    with refusals(ValueError):
        return DiskDisplay.from_estimator(model, X, y, **options)


def draw_sheet(model: Any, **options: Any) -> Any:
    """Return the display of all trees; options as in ``EnsembleDisplay.from_estimator``."""
    from horotree.display import EnsembleDisplay

    with refusals(ValueError):
        return EnsembleDisplay.from_estimator(model, **options)


def to_bytes(display: Any, suffix: str) -> bytes:
    """Return a picture as the bytes of a file with this suffix."""
    with tempfile.TemporaryDirectory(prefix="horotree-") as folder:
        path = Path(folder) / f"picture{suffix}"
        display.save(path, dpi=DPI)
        return path.read_bytes()
