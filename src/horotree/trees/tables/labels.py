"""Labels of rows and classes: found among those of a model, and of bounded length."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.intp]

# NumPy keeps texts at the length of the longest: a long one among many would take their product.
MAX_CLASS_TEXT = 2**22

# What pictures have room for, by far.
MAX_NOTES, MAX_NOTE_TEXT = 64, 2**16


def find_places(y: Any, classes: NDArray[Any], n_rows: int) -> Places:
    """Return the place of each label among the classes."""
    place_of = {label: place for place, label in enumerate(classes.tolist())}
    if getattr(y, "ndim", 1) != 1:
        raise ValueError(f"y must be one column of labels, got {y.ndim} dimensions: pass one.")
    try:
        labels = y.tolist() if hasattr(y, "tolist") else [*y]
        places = np.array([place_of.get(label, -1) for label in labels], np.intp)
    except TypeError as error:
        raise TypeError(f"y must be a list of labels, one a row, got other ({error}).") from error
    if len(labels) != n_rows:
        raise ValueError(
            f"X and y must have one length, got {n_rows} rows and {len(labels)} labels: pass the "
            "label of every row."
        )
    if (places < 0).any():
        import pandas as pd

        row = int(np.argmin(places))
        if pd.api.types.is_scalar(labels[row]) and pd.isna(labels[row]):
            raise ValueError(
                f"y must have a label in every row, got {labels[row]!r} in row {row}: leave out "
                "the rows without a label."
            )
        raise ValueError(
            f"y must hold classes of the model, which are {classes.tolist()}, got {labels[row]!r} "
            f"in row {row}: leave such rows out, or pass labels as they were in training."
        )
    return places


def check_class_texts(classes: Sequence[Any]) -> None:
    """Raise if classes, as an array of texts, would take much more memory than they do."""
    longest = max((len(label) for label in classes if isinstance(label, str)), default=0)
    if len(classes) * longest > MAX_CLASS_TEXT:
        raise ValueError(
            f"{len(classes)} classes may be texts of {MAX_CLASS_TEXT // len(classes)} characters, "
            f"got {longest}: train on shorter ones."
        )


def check_notes(notes: tuple[str, ...]) -> None:
    """Raise unless these are some sentences: every picture writes all of them."""
    if not all(isinstance(note, str) for note in notes):
        raise TypeError(f"notes must be strings, got {notes!r}.")
    if not all(map(str.isprintable, notes)):
        raise ValueError("notes must be sentences, got control characters in one: leave them out.")
    if len(notes) > MAX_NOTES or sum(map(len, notes)) > MAX_NOTE_TEXT:
        raise ValueError(
            f"notes may be {MAX_NOTES} texts of {MAX_NOTE_TEXT} characters together, got "
            f"{len(notes)} of {sum(map(len, notes))}: shorten them."
        )
