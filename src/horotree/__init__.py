"""See what a tree model knows.

A tree is a table of nodes, each with a real-valued prediction; the picture puts each node
at a hyperbolic distance from the center equal to its confidence.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import geometry, tempered

__version__ = "0.1.0"

# Public names load on first use (PEP 562), so that `import horotree.tempered` costs NumPy only.
_SUBMODULES = ("geometry", "tempered")

__all__ = ["__version__", "geometry", "tempered"]


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
