"""The texts of names and labels in rules, as the viewer copies them."""

from typing import Any

from horotree.trees import Columns
from horotree.trees.rules import one_line, plain, python_literal, quoted, shown, sql_literal

# A name or label in rules: as text, for pandas and for SQL; None where it cannot be written.
Texts = tuple[str, str | None, str | None]


def rule_texts(columns: Columns) -> dict[str, Any] | None:
    """Return the texts of names and labels in rules; None if all are written as displayed.

    ``features`` has an entry per feature, ``labels`` a list of entries per feature, or None for
    numbers and for codes, which are written as numbers. An entry has the three texts. It is None
    for plain words: written as displayed, in single quotes for pandas, in double (a name) or single
    ones (a label) for SQL.

    Examples
    --------
    >>> from horotree.trees import Columns
    >>> from horotree.viewer.names import rule_texts
    >>> rule_texts(Columns(("age", "city"), (None, ("Bern", "Rome"))))
    >>> rule_texts(Columns(("age", "sh oe"), (None, (41, "Bern"))))["features"]
    [None, ('"sh oe"', "'sh oe'", '"sh oe"')]
    >>> rule_texts(Columns(("age", "sh oe"), (None, (41, "Bern"))))["labels"]
    [None, [('41', '41', '41'), None]]
    """
    features = [_unless_plain(name, _name_texts(name), '"') for name in columns.feature_names]
    labels = [
        None
        if known is None or are_codes(known)
        else [_unless_plain(label, _label_texts(label, name), "'") for label in known]
        for name, known in zip(columns.feature_names, columns.categories, strict=True)
    ]
    if not any(features) and not any(any(known) for known in labels if known is not None):
        return None
    return {"features": features, "labels": labels}


def are_codes(labels: tuple[Any, ...] | None) -> bool:
    """Tell whether labels are 0, 1, 2, ...: a page has only their number.

    Files of models without labels may contain a single large code.
    """
    if not labels or labels != tuple(range(len(labels))):
        return False
    return all(type(label) is int for label in labels)  # True and 1.0 equal 1, and are others


def _unless_plain(label: Any, texts: Texts, quote: str) -> Texts | None:
    line = one_line(label)
    return None if texts == (line, f"'{line}'", quote + line + quote) else texts


def _name_texts(name: str) -> Texts:
    return shown(name), repr(plain(name)), _or_none(quoted, name, '"', name)


def _label_texts(label: Any, name: str) -> Texts:
    literal = _or_none(python_literal, plain(label), name)
    return shown(label), literal, _or_none(sql_literal, label, name)


def _or_none(write: Any, *arguments: Any) -> str | None:
    """Return the written text, or None if it cannot be written."""
    try:
        return str(write(*arguments))
    except (TypeError, ValueError):
        return None
