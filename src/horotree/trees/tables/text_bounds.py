"""How much text a model may have in places where it would take far more memory than its file."""

from collections.abc import Sequence
from typing import Any

# NumPy keeps texts at the length of the longest: a long one among many would take their product.
MAX_CLASS_TEXT = 2**22

# What pictures have room for, by far.
MAX_NOTES, MAX_NOTE_TEXT = 64, 2**16


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
