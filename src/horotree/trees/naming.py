"""Names of classes and features where they are shown."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .model import Model
from .tables.frames import open_table, rename_table

Names = Mapping[Any, str] | Sequence[str]


def rename(
    model: Model,
    *,
    class_names: Names | None = None,
    feature_names: Names | None = None,
    table: Any = None,
) -> Model:
    """Return a model with other names of classes and features.

    Labels stay what they are: y, ``class_`` and predictions hold classes, not their names. Features
    get new names in every respect: rules are written with them, to be copied into pandas or SQL,
    too, and tables with columns of these names are read.

    Parameters
    ----------
    model : Model
        The model.
    class_names : mapping or sequence of str, optional
        Names by label, not necessarily of all; or one a class, in the order of ``classes``.
    feature_names : mapping or sequence of str, optional
        Names by present name, not necessarily of all; or one a feature, in their order.
    table : data frame or array_like, optional
        Where the columns had no names in training, features get those of this table,
        in its order, if it has as many and they have names. Names of training stay.

    Returns
    -------
    Model

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from horotree import LogisticBoostClassifier
    >>> from horotree.trees import rename
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> classifier = LogisticBoostClassifier(n_estimators=2).fit(X.to_numpy(), y)
    >>> classifier.model_.feature_names[:2], classifier.model_.class_names
    (('x0', 'x1'), ('0', '1'))
    >>> model = rename(classifier.model_, class_names={0: "malignant", 1: "benign"}, table=X)
    >>> model.feature_names[:2], model.class_names
    (('mean radius', 'mean texture'), ('malignant', 'benign'))
    >>> bool((model.predict(X) == y).mean() > 0.8)
    True
    """
    if class_names is not None:
        labels = model.classes.tolist()
        model = replace(
            model, class_names=_find(class_names, labels, model.class_names, "class_names")
        )
    if feature_names is not None:
        old = model.feature_names
        names = _find(feature_names, old, old, "feature_names")
        if names == old:
            return model
        note = "Features are called as asked for, by their position."
        return replace(model, feature_names=names, has_names=True, notes=(*model.notes, note))
    names = () if table is None or model.has_names else open_table(table).names or ()
    same = len(names) == len(model.feature_names)
    if not same or not set(names).isdisjoint(model.feature_names):
        return model  # as it is, or in another order, which is refused when the table is read
    note = (
        "The model does not name its features: they are called as the columns of the given rows, "
        "by position."
    )
    return replace(model, feature_names=names, has_names=True, notes=(*model.notes, note))


def rename_with_tables(
    model: Model,
    *tables: Any,
    class_names: Names | None = None,
    feature_names: Names | None = None,
) -> tuple[Model, *tuple[Any, ...]]:
    """Return the renamed model (see ``rename``), and tables with the columns that it reads.

    Tables are rows for the model or for the renamed one, or None; the first one may give names.
    Columns with the names of the model's features get those of the renamed model.
    """
    names = {"class_names": class_names, "feature_names": feature_names}
    first = next((table for table in tables if table is not None), None)
    renamed = rename(model, **names, table=first)
    return renamed, *(_follow(table, model, renamed) for table in tables)


def _follow(table: Any, before: Model, after: Model) -> Any:
    if table is None or before.feature_names == after.feature_names:
        return table
    names = open_table(table).names
    if names is None or not before.columns.are_names(names):
        return table
    return rename_table(table, after.feature_names)


def _find(names: Names, known: Sequence[Any], present: Sequence[str], what: str) -> tuple[str, ...]:
    """Return one name a label or feature, checked."""
    kind = {"class_names": "class", "feature_names": "feature"}[what]
    if isinstance(names, str | bytes):
        raise TypeError(f"{what} must be a list or mapping of texts, got {names!r}: put it in [].")
    if isinstance(names, Mapping):
        unknown = [label for label in names if label not in known]
        if unknown:
            raise ValueError(
                f"{what} must name a {kind} of the model, got {unknown[0]!r}: it has "
                f"{_listed(known)}."
            )
        found = [names.get(label, name) for label, name in zip(known, present, strict=True)]
    else:
        found = list(names)
        if len(found) != len(known):
            raise ValueError(
                f"{what} must have one name a {kind}, got {len(found)} for {len(known)}: "
                f"{_listed(known)}, in this order."
            )
    _check(found, what)
    return tuple(map(str, found))


def _check(names: Sequence[Any], what: str) -> None:
    """Raise unless all names are texts to show, and all different."""
    seen: set[str] = set()
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{what} must be texts, got {name!r}: convert it with str.")
        if not name.strip():
            raise ValueError(f"{what} must not be empty, got {name!r}: pass a text to show.")
        if name in seen:
            raise ValueError(f"{what} must differ, got {name!r} twice: rename one.")
        seen.add(name)


def _listed(known: Sequence[Any]) -> str:
    shown = ", ".join(map(repr, known[:8]))
    return shown if len(known) <= 8 else f"{shown} and {len(known) - 8} more"
