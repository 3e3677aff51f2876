"""See what a tree model knows.

A tree is a table of nodes, each with a real-valued prediction; the picture puts each node
at a hyperbolic distance from the center equal to its confidence.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import geometry, tempered
    from .display.disk.display import DiskDisplay
    from .display.ensemble.display import EnsembleDisplay
    from .display.tree.display import TreeDisplay
    from .embedding.embed import embed, embed_model
    from .estimators import LogisticBoostClassifier, LogLossTreeClassifier
    from .evaluation.agreement import agreement
    from .evaluation.comparison import comparison
    from .evaluation.held_out import held_out
    from .evaluation.quality import quality
    from .io import from_model, load, save
    from .trees.model import Model
    from .trees.monotonic_tree import monotonic
    from .viewer.view import view

__version__ = "0.1.0"

# Public names load on first use (PEP 562), so that `import horotree.tempered` costs NumPy only.
_SUBMODULES = ("geometry", "tempered")
_HOMES = {
    "DiskDisplay": "display",
    "EnsembleDisplay": "display",
    "LogLossTreeClassifier": "estimators",
    "LogisticBoostClassifier": "estimators",
    "Model": "trees",
    "TreeDisplay": "display",
    "agreement": "evaluation.agreement",
    "comparison": "evaluation.comparison",
    "embed": "embedding",
    "embed_model": "embedding",
    "from_model": "io",
    "held_out": "evaluation.held_out",
    "load": "io",
    "monotonic": "trees",
    "quality": "evaluation.quality",
    "save": "io",
    "view": "viewer",
}

__all__ = [
    "DiskDisplay",
    "EnsembleDisplay",
    "LogLossTreeClassifier",
    "LogisticBoostClassifier",
    "Model",
    "TreeDisplay",
    "__version__",
    "agreement",
    "comparison",
    "embed",
    "embed_model",
    "from_model",
    "geometry",
    "held_out",
    "load",
    "monotonic",
    "quality",
    "save",
    "tempered",
    "view",
]


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _HOMES:
        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
