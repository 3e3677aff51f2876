"""Tables and labels as models read them."""

from .columns import Columns, default_names, has_default_names
from .frames import factorize, is_category, open_table
from .labels import Places, check_class_texts, find_places

__all__ = [
    "Columns",
    "Places",
    "check_class_texts",
    "default_names",
    "factorize",
    "find_places",
    "has_default_names",
    "is_category",
    "open_table",
]
