"""From tables to training data, and to the columns that a given model reads."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from horotree.cli.errors import UserError, listed, quoted
from horotree.cli.output.messages import Messages
from horotree.trees import Model

from .files import FileTable
from .numeric import check_finite, is_text, numbers_if_all_are, only_numbers, to_numbers

# A text column with a larger share of numbers was perhaps meant as numbers; one with a larger
# share of distinct labels identifies rows.
MOSTLY = 0.5
IDENTIFYING = 0.9

# With more classes than this share of rows, a target does not hold classes.
MOST_CLASSES = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class TrainingRows:
    """Training rows: features, the names of the categorical ones, and classes."""

    X: Any
    y: NDArray[Any]
    categorical: list[str]


def read_examples(
    table: FileTable,
    target: str,
    *,
    categorical: list[str],
    drop: list[str],
    drop_missing_target: bool,
    messages: Messages,
) -> TrainingRows:
    """Read training data; text becomes categories, with a note."""
    if target not in table.columns:
        raise UserError(table.missing([target], "the --target"))
    chosen = table.find(categorical, "named by --categorical")
    dropped = table.find(drop, "named by --drop")
    for option, names in (("--categorical", chosen), ("--drop", dropped)):
        if target in names:
            raise UserError(f"{quoted(target)} is the --target: leave it out of {option}.")
    names = [name for name in table.columns if name != target and name not in dropped]
    if not names:
        raise UserError(f"no column is left besides the target {quoted(target)}: keep some.")
    frame = table.read(tuple(chosen))
    if frame[target].isna().any():
        frame = _with_target(frame, target, drop=drop_missing_target, messages=messages)
    y = as_labels(frame[target], target)
    _check_classes(y, target)
    columns = {n: frame[n] if n in chosen else numbers_if_all_are(frame[n]) for n in names}
    text = [n for n in names if n not in chosen and is_text(columns[n])]
    _note_text({n: columns[n] for n in text}, messages)
    for name in [n for n in names if n not in chosen and n not in text]:
        check_finite(columns[name], name, table.name)
    return TrainingRows(pd.DataFrame(columns), y, [n for n in names if n in chosen or n in text])


def read_features(table: FileTable, model: Model, messages: Messages) -> Any:
    """Read the columns that a model was trained on, by name, in any order."""
    _note_unused(table, model, None, messages)
    return _take_features(table, table.read(_labeled(model)), model, messages)


def read_labeled(
    table: FileTable, model: Model, target: str, messages: Messages
) -> tuple[Any, Any]:
    """Read the columns that a model was trained on, and the class of each row."""
    if target not in table.columns:
        raise UserError(table.missing([target], "the --target"))
    _note_unused(table, model, target, messages)
    text = _labeled(model)
    if isinstance(model.classes.tolist()[0], str):
        text = (*text, target)
    frame = table.read(text)
    if frame[target].isna().any():
        frame = _with_target(frame, target, drop=False, messages=messages)
    y = as_labels(frame[target], target)
    classes = model.classes.tolist()
    unknown = [label for label in dict.fromkeys(y.tolist()) if label not in set(classes)]
    if unknown:
        raise UserError(
            f"the target {quoted(target)} holds {quoted(unknown[0])}, which is no class of the "
            f"model: its classes are {listed(classes, 8)}."
        )
    return _take_features(table, frame, model, messages), y


def as_labels(column: Any, name: str) -> NDArray[Any]:
    """Return a column without missing entries as classes: whole numbers, booleans or text."""
    labels = np.array(column.tolist())
    if labels.dtype.kind == "f":
        whole = labels == np.floor(labels)
        if not whole.all():
            raise UserError(
                f"the target {quoted(name)} holds numbers such as {labels[~whole][0]:g}, not "
                "classes: name another --target, or make classes of it."
            )
        if np.abs(labels).max() < 2.0**53:
            labels = labels.astype(np.int64)  # whole numbers, some of which were missing
    if labels.dtype.kind == "O" and all(isinstance(label, int) for label in labels):
        labels = labels.astype(str)  # of more than 64 bits: names, not numbers
    if labels.dtype.kind not in "biufU":
        raise UserError(
            f"the target {quoted(name)} holds {column.dtype}, not classes: name another --target."
        )
    return labels


def _with_target(frame: Any, target: str, *, drop: bool, messages: Messages) -> Any:
    """Return the rows with a class; raise if rows may not be left out, or none remains."""
    missing = frame[target].isna()
    number = f"{missing.sum()} of {len(frame)} rows have no entry in {quoted(target)}"
    if missing.all():
        raise UserError(f"{number}: name another --target.")
    if not drop:
        raise UserError(f"{number}: fill them in, or leave them out (fit: --drop-missing-target).")
    messages.note(f"{number} and are left out.")
    return frame[~missing]


def _check_classes(y: NDArray[Any], target: str) -> None:
    classes = np.unique(y)
    if len(classes) < 2:
        raise UserError(
            f"the target {quoted(target)} has only one class, {quoted(classes[0])}: there is "
            "nothing to learn; add rows of another."
        )
    if len(classes) > max(2, MOST_CLASSES * len(y)):
        raise UserError(
            f"the target {quoted(target)} has {len(classes)} different values in {len(y)} rows, "
            "too many for classes: name another --target."
        )


def _note_text(columns: dict[str, Any], messages: Messages) -> None:
    """Note which columns became categories, and which of them look wrong."""
    if columns:
        messages.note(f"text is read as categories: {listed(columns, 10)}.")
    for name, column in columns.items():
        known = column.dropna().astype(str)
        numbers = to_numbers(known)
        share = float(numbers.notna().mean()) if len(known) else 0.0
        if share > MOSTLY:
            other = known[numbers.isna()].iloc[0]
            messages.note(
                f"{quoted(name)} would be numbers but for entries such as {quoted(other)}: make "
                "these empty if they mean that there is none."
            )
        elif len(known) > 20 and known.nunique() > IDENTIFYING * len(known):
            messages.note(
                f"{quoted(name)} is different in almost every row, so nothing can be learned from "
                "it: leave it out with --drop."
            )


def _labeled(model: Model) -> tuple[str, ...]:
    """Return the features whose labels are text, even if it looks like numbers."""
    return tuple(
        name
        for name, labels in zip(model.feature_names, model.categories, strict=True)
        if labels and isinstance(labels[0], str)
    )


def _note_unused(table: FileTable, model: Model, target: str | None, messages: Messages) -> None:
    """Raise if a feature is missing; note unused columns."""
    missing = [name for name in model.feature_names if name not in table.columns]
    if missing:
        noun = "a feature" if len(missing) == 1 else "features"
        raise UserError(table.missing(missing, f"{noun} of the model"))
    extra = [c for c in table.columns if c not in model.feature_names and c != target]
    if extra:
        messages.note(f"not used, for the model has no such feature: {listed(extra)}.")


def _take_features(table: FileTable, frame: Any, model: Model, messages: Messages) -> Any:
    columns = {}
    for name, labels in zip(model.feature_names, model.categories, strict=True):
        column = frame[name]
        if labels is None:
            columns[name] = only_numbers(column, name, table.name)
            continue
        columns[name] = column
        known = set(labels)
        unseen = [x for x in column.dropna().unique().tolist() if x not in known]
        if unseen:
            messages.note(
                f"{quoted(name)} holds labels that training did not have, and which count as "
                f"missing: {listed(unseen)}."
            )
    return pd.DataFrame(columns)
