"""Monotonic trees in the Poincaré disk: each node at the distance of its confidence."""

from .embedding import DiskEmbedding

__all__ = ["DiskEmbedding"]
