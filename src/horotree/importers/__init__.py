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

from horotree.trees import Model, as_model

from .errors import UnknownModelError, UnsupportedModelError
from .shared.documents import check_file
from .shared.posteriors import recompute

__all__ = ["UnknownModelError", "UnsupportedModelError", "from_model"]

_LIBRARIES = ("sklearn", "xgboost", "lightgbm", "catboost", "ydf")
_FILES = ("catboost", "xgboost", "lightgbm")
_FOLDERS = ("ydf",)

# How much of a file is looked at to recognize its format.
_HEAD = 4096

# How files that need pickle start: pickles themselves, and archives of them (joblib, PyTorch).
_PICKLES = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05", b"PK\x03\x04", b"\x78\x9c")


def from_model(model: Any, X: Any = None, y: Any = None) -> Model:
    """Return a tree model of another library as a Model, which can be drawn.

    The Model predicts what the other library does. Each node has a value, which is what is drawn:

    - Trees of class shares (decision trees, forests, AdaBoost): the logit of the node's share. A
      pure node of weight W is given half an example of either class, so its confidence is
      ``log(2 W + 1)``.
    - Gradient boosting: the mean of the leaves below the node, by their training weight, divided by
      the learning rate, which is the leverage of each tree.

    Two classes make one ensemble, for the second of them; more make one a class.

    Parameters
    ----------
    model : object, str or path
        A fitted classifier of scikit-learn, XGBoost, LightGBM, CatBoost or YDF, a model file of
        XGBoost, LightGBM or CatBoost, or a model folder of YDF. Of a scikit-learn Pipeline it
        is the last step: the Model takes what the steps before it return, ``pipeline[:-1]``
        having transformed the table. Of a search it is the best estimator. A Model and horotree's
        own estimators give the Model they hold.
    X, y : data frame or array_like and array_like, optional
        Rows, as the Model takes them, and their classes. With them the values of nodes are the
        logits of the posteriors that these rows have there, smoothed as above, and weights and
        counts are theirs; in boosted trees rows have the weights of the round, as in ``held_out``.
        A node without any row is drawn as its parent is. Predictions do not change.

    Returns
    -------
    Model

    Raises
    ------
    UnsupportedModelError
        For regressors, rankers and others that cannot be drawn.
    UnknownModelError
        For objects and files of other libraries; it lists what is supported, and is an
        UnsupportedModelError, too.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.ensemble import GradientBoostingClassifier
    >>> from horotree.importers import from_model
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> foreign = GradientBoostingClassifier(n_estimators=5, random_state=0).fit(X, y)
    >>> model = from_model(foreign)
    >>> model
    Model(2 classes, 30 features, 5 trees, logistic)
    >>> bool((model.predict(X) == foreign.predict(X)).all())
    True
    """
    if (X is None) != (y is None):
        given = "X" if y is None else "y"
        raise TypeError(f"X and y go together, got {given} only: pass both, or none.")
    found = _read_file(model) if isinstance(model, str | os.PathLike) else _read_object(model)
    return found if X is None else recompute(found, X, y)


def _read_object(model: Any) -> Model:
    if isinstance(model, Model) or isinstance(getattr(model, "model_", None), Model):
        return as_model(model)
    inner, names = _load("sklearn").unwrap(model)
    for name in _LIBRARIES:
        library = _load(name)
        # scikit-learn's own classifiers are read with the pipeline around them.
        chosen = model if name == "sklearn" else inner
        if library.matches(chosen) and (name != "sklearn" or library.matches(inner)):
            return _rename(_checked(library.convert(chosen)), names)
    if isinstance(model, type):
        raise UnsupportedModelError(
            f"model must be a fitted model, got the class {model.__name__}: pass an object of it."
        )
    if type(model).__module__.partition(".")[0] == "horotree":
        raise ValueError(
            f"model must be fitted, got a {type(model).__name__} that is not: call its fit first."
        )
    kind = f"{type(model).__module__}.{type(model).__qualname__}"
    raise UnknownModelError(f"model must be of a supported library, got a {kind}.")


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
        return _read_folder(path)
    check_file(path)
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if head.startswith(b"HOROTREE"):
        raise ValueError(f"{path} is a file of horotree's own: open it with horotree.load.")
    for name in _FILES:
        library = _load(name)
        if library.matches_file(path, head):
            return _checked(library.convert_file(path))
    if head.startswith(_PICKLES):
        raise UnsupportedModelError(
            f"{path} looks like a pickle or an archive, which could run any code when it is "
            "opened: if you trust it, load it in Python, and pass the object, or write it with "
            "horotree.save(horotree.from_model(object), path)."
        )
    raise UnknownModelError(f"{path} is not a model file of a known format.")


def _read_folder(path: Path) -> Model:
    for name in _FOLDERS:
        library = _load(name)
        if library.matches_file(path, b""):
            return _checked(library.convert_file(path))
    raise UnknownModelError(f"{path} is not a folder with a model of a known format.")


def _checked(model: Any) -> Model:
    if not isinstance(model, Model):
        raise TypeError(f"an importer must return a Model, got a {type(model).__name__}.")
    return model


def _load(name: str) -> ModuleType:
    return importlib.import_module(f"{__name__}.{name}.reader")
