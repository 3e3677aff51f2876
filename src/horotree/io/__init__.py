"""Whatever a user holds becomes a Model; models are written to files, and read again."""

import os
import stat
from pathlib import Path
from typing import Any

from horotree._files import whole_file
from horotree.importers import import_model, recompute
from horotree.trees import Model

from .file_format import MAGIC, FileFormatError, from_bytes, read_whole, to_bytes

__all__ = ["FileFormatError", "from_model", "load", "save"]


def from_model(model: Any, X: Any = None, y: Any = None) -> Model:
    """Return a tree model as a Model, which can be drawn: what every function does with its model.

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
        having transformed the table. Of a search it is the best estimator. Also a Model, which is
        returned as it is, a fitted estimator of horotree, or a file that ``save`` wrote.
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
    >>> from horotree import from_model
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
    found = getattr(model, "model_", model)  # of an estimator
    if not isinstance(found, Model):
        found = load(model) if _is_own_file(model) else import_model(model)
    return found if X is None else recompute(found, X, y)


def _is_own_file(model: Any) -> bool:
    """Return whether this is the path of a file that ``save`` wrote."""
    if not isinstance(model, str | os.PathLike) or not Path(model).is_file():
        return False
    with Path(model).open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def save(model: Any, path: str | os.PathLike[str], *, replace: bool = True) -> None:
    """Write a model to a file, all of it or nothing.

    The new content appears at once, when it is on the disk: a crash leaves the old file as it was.

    Parameters
    ----------
    model : Model, estimator, or what ``from_model`` takes
        What to save. Classes and labels of categories may be strings, whole numbers, floats and
        booleans; they keep their types.
    path : str or path
        Where; any name.
    replace : bool
        Whether an existing file is replaced; if not, there is a FileExistsError, also where another
        process makes the file at the same time.

    See Also
    --------
    load : The inverse.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from horotree.io import load, save
    >>> from horotree.trees import Ensemble, Model, Steps
    >>> model = Model((Ensemble((), [], [], 0.5),), "logistic", [0, 1], ("x",), (None,), "float64")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model, pathlib.Path(folder) / "model.horotree")
    ...     load(pathlib.Path(folder) / "model.horotree") == model
    True
    """
    content = to_bytes(from_model(model))
    with whole_file(path, replace=replace) as file:
        file.write(content)


def load(path: str | os.PathLike[str]) -> Model:
    """Read a model that ``save`` wrote; its scores are the same to the bit.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    Model

    Raises
    ------
    FileFormatError
        If the file is something else, damaged, incomplete, or of a newer version.

    See Also
    --------
    save : The inverse, with an example.
    """
    if not stat.S_ISREG(Path(path).stat().st_mode):  # to open a pipe might wait forever
        raise FileFormatError(f"{os.fspath(path)}: this is not a file, but a folder or a pipe.")
    with Path(path).open("rb") as file:
        try:
            return from_bytes(*read_whole(file))
        except FileFormatError as error:
            raise FileFormatError(f"{os.fspath(path)}: {error}") from error.__cause__
