"""Tree models of other libraries as Models: with the same predictions, and with values to draw.

No foreign library is loaded here. Its objects are recognized by their class, its files by their
first bytes; pickles are never opened.
"""

import importlib
import os
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from horotree.trees import Model

from .errors import UnknownModelError, UnsupportedModelError
from .shared.documents import check_file
from .shared.posteriors import recompute

__all__ = [
    "UnknownModelError",
    "UnsupportedModelError",
    "find_library",
    "import_model",
    "recompute",
]

# Libraries whose subclasses count as theirs, too.
_LIBRARIES = ("xgboost", "lightgbm", "catboost", "ydf")
_FILES = ("catboost", "xgboost", "lightgbm")

# How much of a file is looked at to recognize its format.
_HEAD = 4096

# How files that need pickle start: pickles themselves, and archives of them (joblib, PyTorch).
_PICKLES = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05", b"PK\x03\x04", b"\x78\x9c")


def import_model(model: Any) -> Model:
    """Return a fitted classifier, or a model file or folder, of another library as a Model."""
    return _read_file(model) if isinstance(model, str | os.PathLike) else _read_object(model)


def _read_object(model: Any) -> Model:
    inner, names = _load("sklearn").unwrap(model)
    held = getattr(inner, "model_", None)
    if isinstance(held, Model):  # in a pipeline or a search
        return _rename(held, names)
    library = find_library(inner)
    if library is not None:
        # scikit-learn's own classifiers are read with the pipeline around them.
        return _rename(_load(library).convert(model if library == "sklearn" else inner), names)
    if isinstance(model, type):
        raise UnsupportedModelError(
            f"model must be a fitted model, got the class {model.__name__}: pass an object of it."
        )
    if type(model).__module__.partition(".")[0] == "horotree" and hasattr(model, "fit"):
        raise ValueError(
            f"model must be fitted, got a {type(model).__name__} that is not: call its fit first."
        )
    kind = f"{type(model).__module__}.{type(model).__qualname__}"
    raise UnknownModelError(f"model must be of a supported library, got a {kind}.")


def find_library(model: object) -> str | None:
    """Return the library that a model's class is from, supported or not; None if not known.

    A class that inherits from one of scikit-learn may predict differently: only its own count.
    """
    packages = [kind.__module__.partition(".")[0] for kind in type(model).__mro__]
    if packages[0] == "sklearn":
        return "sklearn"
    return next((name for name in _LIBRARIES if name in packages), None)


def _rename(model: Model, names: tuple[str, ...] | None) -> Model:
    """Return a model with the names that a pipeline gave its columns, if it has none of its own."""
    if names is None or model.has_names or len(names) != len(model.feature_names):
        return model
    return replace(model, feature_names=names, has_names=True)


def _read_file(model: str | os.PathLike[str]) -> Model:
    if not os.fspath(model):
        raise ValueError("model must be a fitted model or the path of a file, got an empty text.")
    path = Path(model)
    if path.is_dir():
        ydf = _load("ydf")
        if ydf.matches_folder(path):
            imported: Model = ydf.convert_file(path)
            return imported
        raise UnknownModelError(f"{path} is not a folder with a model of a known format.")
    check_file(path)
    with path.open("rb") as file:
        head = file.read(_HEAD)
    for name in _FILES:
        library = _load(name)
        if library.matches_file(head):
            found: Model = library.convert_file(path)
            return found
    if head.startswith(_PICKLES):
        raise UnsupportedModelError(
            f"{path} looks like a pickle or an archive, which could run any code when it is "
            "opened: if you trust it, load it in Python, and pass the object, or write it with "
            "horotree.save(horotree.from_model(object), path)."
        )
    raise UnknownModelError(f"{path} is not a model file of a known format.")


def _load(name: str) -> ModuleType:
    return importlib.import_module(f"{__name__}.{name}.reader")
