"""Texts on a drawn tree: how wide they are, broken into lines, and the names in them shortened."""

import functools
import unicodedata
from collections.abc import Sequence
from typing import Any

from matplotlib import font_manager

from horotree.trees import Columns
from horotree.trees.rules import Rule

from . import style
from .fonts import families, printable, shorten

# Names and labels longer than this are cut in their middle.
NAME_LENGTH = 26
LABEL_LENGTH = 14
# So many labels of a set are written.
N_LABELS = 2

# Texts are measured at this size, large enough for the rounding of letters not to matter.
_POINTS = 100.0
_OPERATORS = frozenset({"<", "<=", ">", ">=", "=", "!=", "in", "is"})


def measure(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of one line of text, in inches.

    Parameters
    ----------
    text : str
        Without characters that no font has: see ``printable``.
    size : float
        In points.
    bold : bool
        Whether the text is bold.

    Returns
    -------
    float

    Examples
    --------
    >>> from horotree.display.tree_texts import measure
    >>> measure("mmm", 8.0) > 2.0 * measure("iii", 8.0)
    True
    """
    return size / _POINTS * _measure(text, bold=bold)


@functools.lru_cache(maxsize=4096)
def _measure(text: str, *, bold: bool) -> float:
    font = font_manager.get_font(_paths(bold=bold))
    font.set_size(_POINTS, 72.0)
    font.set_text(text)
    return float(font.get_width_height()[0]) / 64.0 / 72.0


@functools.cache
def _paths(*, bold: bool) -> list[str]:
    weight = "bold" if bold else "normal"
    return [
        str(font_manager.findfont(font_manager.FontProperties(family=[name], weight=weight)))
        for name in families()
    ]


def wrap(text: str, width: float, size: float, *, max_lines: int = 100) -> list[str]:
    """Break a text into lines no wider than so many inches; what is left over becomes "…".

    It is broken between words, within one only if it is wider than a line: scripts without spaces
    are broken anywhere. A sign such as ``<=`` stays with what it compares with.

    Parameters
    ----------
    text : str
        One paragraph.
    width : float
        In inches.
    size : float
        Of the letters, in points.
    max_lines : int
        The most lines.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from horotree.display.tree_texts import wrap
    >>> wrap("capital_gain <= 5095", 0.8, 7.5)
    ['capital_gain', '<= 5095']
    """
    lines: list[str] = []
    line = ""
    for word in _words(text):
        longer = f"{line} {word}" if line else word
        if measure(longer, size) <= width:
            line = longer
            continue
        pieces = _cut(word, width, size)
        lines += [line, *pieces[:-1]] if line else pieces[:-1]
        line = pieces[-1]
    lines.append(line)
    if len(lines) <= max_lines:
        return lines
    return [*lines[: max_lines - 1], _end(lines[max_lines - 1], width, size)]


def _words(text: str) -> list[str]:
    """Return the words of a text, signs together with what follows them."""
    words: list[str] = []
    sign = ""
    for word in text.split():
        if word in _OPERATORS and not sign:
            sign = word
        else:
            words.append(f"{sign} {word}" if sign else word)
            sign = ""
    return [*words, sign] if sign else words


def _cut(word: str, width: float, size: float) -> list[str]:
    """Cut a word into pieces that fit, but never before a mark that belongs to a letter."""
    pieces = [""]
    for character in word:
        joined = unicodedata.category(character) in {"Mn", "Me", "Mc", "Cf"}
        if joined or not pieces[-1] or measure(pieces[-1] + character, size) <= width:
            pieces[-1] += character
        else:
            pieces.append(character)
    return pieces


def _end(line: str, width: float, size: float) -> str:
    """Return a line with "…" at its end, which may take the place of letters."""
    while line and measure(f"{line} …", size) > width:
        line = line[:-1]
    return f"{line} …".strip()


def shorten_columns(columns: Columns) -> Columns:
    """Return columns whose names and labels are short, and still differ.

    Parameters
    ----------
    columns : Columns
        With any names.

    Returns
    -------
    Columns

    Examples
    --------
    >>> from horotree.display.tree_texts import shorten_columns
    >>> from horotree.trees import Columns
    >>> columns = Columns(("the number of days since the last visit", "age"), (None, None))
    >>> shorten_columns(columns).feature_names
    ('the number of da…ast visit', 'age')
    """
    categories = tuple(
        None if labels is None else tuple(_shorten_all(labels, LABEL_LENGTH))
        for labels in columns.categories
    )
    return Columns(tuple(_shorten_all(columns.feature_names, NAME_LENGTH)), categories)


def _shorten_all(names: Sequence[Any], length: int) -> list[Any]:
    """Shorten texts; where two would become equal, they get a number."""
    taken = {name for name in names if not isinstance(name, str) or len(name) <= length}
    shortened: list[Any] = []
    for name in names:
        short = name
        if isinstance(name, str) and len(name) > length:
            short, n = shorten(name, length), 1
            while short in taken:
                n += 1
                short = f"{shorten(name, length - len(str(n)) - 1)}~{n}"
            taken.add(short)
        shortened.append(short)
    return shortened


def write_rule(rule: Rule, columns: Columns) -> list[str]:
    """Return a rule as paragraphs, one a condition, that together are its text.

    Parameters
    ----------
    rule : Rule
        What to write.
    columns : Columns
        The names, short.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from horotree.display.tree_texts import write_rule
    >>> from horotree.trees import Columns
    >>> from horotree.trees.rules import Condition, Rule
    >>> columns = Columns(("age", "hours"), (None, None))
    >>> rule = Rule((Condition(feature=0, high=41.0), Condition(feature=1, low=9.0)))
    >>> write_rule(rule, columns)
    ['age <= 41', 'and hours > 9']
    """
    texts = [
        Rule((condition,)).text(columns, max_labels=N_LABELS, show_missing=False)
        for condition in rule.conditions
    ]
    if "never" in texts:
        return ["never"]
    texts = [printable(text) for text in texts if text != "always"] or ["always"]
    return [texts[0], *(f"and {text}" for text in texts[1:])]


def write_value(value: float) -> str:
    """Write a value with two decimals, or two digits, and always its sign: that is its class.

    Parameters
    ----------
    value : float
        Finite.

    Returns
    -------
    str

    Examples
    --------
    >>> from horotree.display.tree_texts import write_value
    >>> [write_value(value) for value in (-1.2345, 0.5, 0.00789, 1234.5, 0.0)]
    ['−1.23', '+.50', '+.0079', '+1.23e+03', '0']
    """
    if 0.1 <= abs(value) < 999.995:
        text = style.plain_number(value, digits=2)
    else:
        text = style.plain_number(float(f"{value:.{2 if abs(value) < 0.1 else 3}g}"))
    return f"+{text}" if value > 0.0 else text
