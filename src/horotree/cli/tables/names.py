"""Names of classes and features on the command line."""

import csv
from collections.abc import Mapping
from typing import Any

from horotree.cli.errors import UserError, listed, quoted


def read_names(
    text: str | None, option: str, known: Mapping[str, Any]
) -> dict[Any, str] | list[str] | None:
    """Read "0=stays,1=leaves" or "stays,leaves"; double quotes are for names with commas.

    Examples
    --------
    >>> from horotree.cli.tables.names import read_names
    >>> read_names("0=stays,1=leaves", "--class-names", {"0": 0, "1": 1})
    {0: 'stays', 1: 'leaves'}
    >>> read_names("<=50K=low,>50K=high", "--class-names", {"<=50K": "<=50K", ">50K": ">50K"})
    {'<=50K': 'low', '>50K': 'high'}
    >>> read_names('"stays, for now",leaves', "--class-names", {"0": 0, "1": 1})
    ['stays, for now', 'leaves']
    """
    if text is None:
        return None
    try:
        (parts,) = csv.reader([text], strict=True, skipinitialspace=True)
    except (csv.Error, ValueError) as error:
        raise UserError(f"{option} must be names between commas, got {quoted(text)}.") from error
    words = [_find_word(part, known) for part in parts]
    if not any(word is not None for word in words):
        return parts
    if None in words:
        other = parts[words.index(None)]
        raise UserError(
            f"{option} must have names as OLD=NEW or without OLD, got {quoted(other)} among "
            f"others: OLD is one of {listed(known, 8)}."
        )
    return {
        known[word]: part[len(word) + 1 :] for word, part in zip(words, parts, strict=True) if word
    }


def _find_word(part: str, known: Mapping[str, Any]) -> str | None:
    """Return the known word that a part begins with, before "=": the longest, as in "<=5=few"."""
    found = [word for word in known if part.startswith(f"{word}=")]
    return max(found, key=len, default=None)
