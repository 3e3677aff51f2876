"""Monotonic trees in the Poincaré disk: each node at the distance of its confidence."""

from .arcs import sample_arcs
from .embed import automatic_t, embed, embed_model, embed_trees, largest_confidence
from .embedding import DiskEmbedding
from .exact import can_place
from .quality import LayoutQuality

__all__ = [
    "DiskEmbedding",
    "LayoutQuality",
    "automatic_t",
    "can_place",
    "embed",
    "embed_model",
    "embed_trees",
    "largest_confidence",
    "sample_arcs",
]
