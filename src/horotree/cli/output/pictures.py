"""The pictures that commands draw, and their captions."""

import tempfile
from pathlib import Path
from typing import Any

from horotree.cli.errors import refusals

SUFFIXES = (".png", ".svg", ".pdf")

# Pixels per inch of pictures in pages and files.
DPI = 150.0

HOW_TO_READ = (
    "Each point is a node of the tree. Its distance from the center is its confidence: near the "
    "border a node is almost sure of its class, which its color shows; at the center it guesses. "
    "Gray circles are lines of equal posteriors. Arcs lead from the root, marked by a ring, to "
    "the nodes after further tests."
)
SHEET = (
    "Every tree of the model at the same scale. The first trees separate the classes; later ones "
    "correct the remaining errors, closer to the center."
)
HELD_OUT = (
    "Each node, and on the same ray the position that rows not used in training would give it. "
    "Where the whole interval is elsewhere, the tree has learned something that does not hold."
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
