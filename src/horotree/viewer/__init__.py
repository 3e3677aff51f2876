"""The interactive viewer: one HTML file that needs no network, and a notebook widget."""

from .payload import encode
from .view import View, view

__all__ = ["View", "encode", "view"]
