"""Monotonic trees in the Poincaré disk: each node at the distance of its confidence."""

from .embed import embed, embed_model
from .embedding import DiskEmbedding
from .quality import Quality

__all__ = ["DiskEmbedding", "Quality", "embed", "embed_model"]
