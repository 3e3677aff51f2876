"""Texts on a drawn tree: their widths, line breaks, and shortened names."""

import functools
import re
import unicodedata
from collections.abc import Collection, Sequence
from typing import Any

from matplotlib import font_manager

from horotree.display.text.fonts import families, printable
from horotree.display.text.names import shorten_all
from horotree.trees import Columns
from horotree.trees.rules import Rule

# Names and labels longer than this are cut in their middle.
NAME_LENGTH = 26
LABEL_LENGTH = 14
# The most labels of a set that are written.
N_LABELS = 2

# The size at which texts are measured: rounding to pixels is negligible.
_POINTS = 100.0
_SIGNS = frozenset({"<", "<=", ">", ">=", "=", "!=", "in", "is", "not", "..."})
# The parts of a long word: an escaped code point, or a character.
_ATOMS = re.compile(r"\\u[0-9a-f]{4}|\\U[0-9a-f]{8}|\\x[0-9a-f]{2}|.", re.DOTALL)
_JOINED = frozenset({"Mn", "Me", "Mc", "Cf"})
_SEAMS = "_-./ "


def measure(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a line of text in inches; ``size`` is in points.

    The text must have no character without a font: see ``printable``.
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
    """Break a text into at most ``max_lines`` lines of this width in inches; "…" replaces the rest.

    Lines break between words, within a word only if it is wider than a line, as in scripts without
    spaces. A sign such as ``<=`` stays with its right operand. ``size`` is in points.
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


def wrap_rule(
    rules: Sequence[Rule],
    columns: Columns,
    width: float,
    size: float,
    *,
    max_lines: int,
    gaps: Collection[int] = (),
) -> list[str]:
    """Break the first of the rules that fits into at most ``max_lines`` lines; the last one is cut.

    The rules are ever shorter versions of one. It must say of the features with gaps where missing
    values go.
    """
    for n, rule in enumerate(rules):
        text = rule.text(columns, show_missing=gaps)
        lines = wrap(printable(f"… and {text}" if n else text), width, size)
        if len(lines) <= max_lines:
            return lines
    return wrap(" ".join(lines), width, size, max_lines=max_lines)


def _words(text: str) -> list[str]:
    """Return the words of a text, with signs attached to the word after them."""
    words: list[str] = []
    sign = ""
    for word in text.split():
        if word in _SIGNS:
            sign = f"{sign} {word}".strip()
        elif words and (word == "and" or words[-1].startswith("... ")):
            words[-1] += f" {word}"
        else:
            words.append(f"{sign} {word}".strip())
            sign = ""
    return [*words, sign] if sign else words


def _cut(word: str, width: float, size: float) -> list[str]:
    """Cut a word into pieces that fit, preferably after a mark such as ``_``."""
    pieces = [""]
    for atom in _ATOMS.findall(word):
        joined = unicodedata.category(atom[0]) in _JOINED
        if joined or not pieces[-1] or measure(pieces[-1] + atom, size) <= width:
            pieces[-1] += atom
            continue
        seam = 1 + max(pieces[-1].rfind(mark) for mark in _SEAMS)
        seam = seam if 2 * seam > len(pieces[-1]) else len(pieces[-1])
        pieces[-1:] = [pieces[-1][:seam].rstrip(), pieces[-1][seam:] + atom]
    return pieces


def _end(line: str, width: float, size: float) -> str:
    """Replace the last words of a line by "…": a number must not lose digits."""
    while line and measure(f"{line} …", size) > width:
        shorter, _, _ = line.rpartition(" ")
        line = shorter or line[:-1]
    return f"{line} …".strip()


def shorten_columns(columns: Columns, length: int = NAME_LENGTH) -> Columns:
    """Return columns with distinct names of at most ``length`` characters, and short labels."""
    categories = tuple(
        None if labels is None else _shorten_texts(labels, LABEL_LENGTH)
        for labels in columns.categories
    )
    return Columns(_shorten_texts(columns.feature_names, length), categories)


def _shorten_texts(names: Sequence[Any], length: int) -> tuple[Any, ...]:
    """Shorten the names that are texts: labels may be numbers."""
    texts = [name for name in names if isinstance(name, str)]
    short = dict(zip(texts, shorten_all(texts, length), strict=True))
    return tuple(short[name] if isinstance(name, str) else name for name in names)


def write_rule(rule: Rule, columns: Columns) -> list[str]:
    """Return a rule as paragraphs, one per condition.

    Examples
    --------
    >>> from horotree.display.text.lines import write_rule
    >>> from horotree.trees import Columns
    >>> from horotree.trees.rules.paths import Condition, Rule
    >>> columns = Columns(("age", "hours"), (None, None))
    >>> rule = Rule((Condition(feature=0, high=41.0), Condition(feature=1, low=9.0)))
    >>> write_rule(rule, columns)
    ['age <= 41 and', 'hours > 9']
    """
    texts = [_write_condition(Rule((condition,)), columns) for condition in rule.conditions]
    if "never" in texts:
        return ["never"]
    texts = [printable(text) for text in texts if text != "always"] or ["always"]
    return [*(f"{text} and" for text in texts[:-1]), texts[-1]]


def _write_condition(rule: Rule, columns: Columns) -> str:
    """Write a condition, with one label more rather than "1 more"."""
    whole = rule.text(columns, max_labels=None, show_missing=False)
    if whole == rule.text(columns, max_labels=N_LABELS + 1, show_missing=False):
        return whole
    return rule.text(columns, max_labels=N_LABELS, show_missing=False)
