"""Conditions with their names and labels, and written out for people.

Names and labels come from tables of others: they become text by ``shown`` alone.
"""

import dataclasses
import math
import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from horotree.trees.tables.columns import Columns

from .conditions import Condition

_LARGEST = float(np.finfo(np.float64).max)

# Words that mean something in a text, or to many readers: as names they are quoted.
_WORDS = re.compile(
    "always|and|false|in|is|known|missing|n/a|na|never|none|not|null|or|true", re.IGNORECASE
)
# Marks that names often have inside and that mean nothing in a text.
_MARKS = str.maketrans("-./", "___")
# What Python takes for printable although nothing, or nothing of its own, is seen.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)


@dataclasses.dataclass(frozen=True, slots=True)
class Part:
    """A condition with its names: bounds for numbers, labels that fulfill it or not for others."""

    feature: int
    name: str
    low: float
    high: float
    inside: tuple[Any, ...]
    outside: tuple[Any, ...]
    is_numeric: bool
    missing: bool

    @property
    def takes_all(self) -> bool:
        """Whether every known value fulfills it."""
        if self.is_numeric:
            return self.low == -math.inf and self.high == math.inf
        return not self.outside

    @property
    def takes_none(self) -> bool:
        """Whether no known value fulfills it."""
        return self.low >= self.high if self.is_numeric else not self.inside


def as_text(
    conditions: Sequence[Condition],
    columns: Columns,
    digits: int | None,
    max_labels: int | None,
    *,
    show_missing: bool | Collection[int],
) -> str:
    """Return ``Rule.text``."""
    for name, given in (("digits", digits), ("max_labels", max_labels)):
        if given is not None and given < 1:
            raise ValueError(f"{name} must be 1 or more, or None, got {given!r}.")

    def write(part: Part) -> str:
        name = shown(part.name)
        if part.takes_none:
            return f"{name} is missing"
        if part.takes_all:
            return f"{name} is known"
        if part.is_numeric:
            text = _shown_interval(name, part.low, part.high, digits)
        else:
            text = _shown_set(name, part.inside, part.outside, max_labels)
        is_shown = show_missing if isinstance(show_missing, bool) else part.feature in show_missing
        return f"{text} (or missing)" if part.missing and is_shown else text

    plain_ones = [_without_largest(condition) for condition in conditions]
    return join(plain_ones, columns, write, glue=" and ", always="always", never="never")


def _without_largest(condition: Condition) -> Condition:
    """Return a condition without the largest number, by which a tree parts missing from known."""
    if condition.high == _LARGEST:
        return dataclasses.replace(condition, high=math.inf)
    if condition.low == _LARGEST and condition.missing:
        return dataclasses.replace(condition, high=_LARGEST)  # no number at all
    return condition


def join(
    conditions: Sequence[Condition],
    columns: Columns,
    write: Callable[[Part], str],
    *,
    glue: str,
    always: str,
    never: str,
) -> str:
    """Write what is not void; one condition that cannot be fulfilled is enough for ``never``."""
    parts = [_name(condition, columns) for condition in conditions]
    parts = [part for part in parts if not (part.takes_all and part.missing)]
    if any(part.takes_none and not part.missing for part in parts):
        return never
    return glue.join(map(write, parts)) or always


def _name(condition: Condition, columns: Columns) -> Part:
    """Return a condition with the names and labels of its column."""
    feature, low, high = condition.feature, condition.low, condition.high
    if feature >= len(columns.feature_names):
        raise ValueError(
            f"the rule tests feature {feature}, but there are only {len(columns.feature_names)} "
            "names: pass the columns of the rule's model."
        )
    name, labels = columns.feature_names[feature], columns.categories[feature]
    allowed, excluded = condition.allowed, condition.excluded
    n_labels = 0 if labels is None else len(labels)
    largest = max((*(allowed or ()), *excluded), default=-1)
    if largest >= n_labels or (labels is None and allowed is not None):
        raise ValueError(
            f"the rule tests categories of feature {name!r} up to code {largest}, which has "
            f"{n_labels} of them: pass the columns of the rule's model."
        )
    inside: list[Any] = []
    outside: list[Any] = []
    for code, label in enumerate(labels or ()):
        # A test may compare codes with a threshold, too.
        fulfills = low < code <= high and code not in excluded
        fulfills &= allowed is None or code in allowed
        (inside if fulfills else outside).append(label)
    labelled = tuple(inside), tuple(outside)
    return Part(feature, name, low, high, *labelled, labels is None, condition.missing)


def plain(label: Any) -> Any:
    """Return a label as Python's own string, number or boolean, if it is one."""
    label = label.item() if isinstance(label, np.generic) else label
    if isinstance(label, bool):
        return label
    # Of a subclass, which may show itself as anything, what it is.
    if isinstance(label, str):
        return str.__str__(label)
    if isinstance(label, int):
        return int.__int__(label)
    return float.__float__(label) if isinstance(label, float) else label


def number(x: float) -> str:
    """Return the shortest text that means exactly this number."""
    return repr(x).removesuffix(".0")


def shown(label: Any) -> str:
    """Return a name or label in one line; in quotes if it could be taken for something else."""
    label = plain(label)
    if isinstance(label, int | float):
        return repr(label)
    text = label if isinstance(label, str) else str(label)
    if _is_clear(text):
        return text
    return '"' + "".join(map(_shown_character, text)) + '"'


def _is_clear(text: str) -> bool:
    if not text or text[0] in "-./" or text[-1] in "-./" or _WORDS.fullmatch(text):
        return False
    if not f"_{text.translate(_MARKS)}".isidentifier() or _INVISIBLE.search(text):
        return False
    try:
        float(text)
    except ValueError:
        return text.isprintable()
    return False  # the text "7" is not the number 7


def one_line(label: Any) -> str:
    """Return a name or label in one line, without quotes; an empty text is two quotes."""
    label = plain(label)
    text = label if isinstance(label, str) else str(label)
    if text.isprintable() and not _INVISIBLE.search(text):  # nearly all: there may be a million
        return text or '""'
    return "".join(c if c in '"\\' else _shown_character(c) for c in text) or '""'


def _shown_character(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if character.isprintable() and not _INVISIBLE.match(character):
        return character
    return character.encode("unicode_escape").decode("ascii")


def _shown_interval(name: str, low: float, high: float, digits: int | None) -> str:
    """Write an interval; the sign says on which side a rounded bound itself is."""
    shown_low, shown_high = _round_both(low, high, digits)
    at_most = f"{'<' if shown_high > high else '<='} {number(shown_high)}"
    if low == -math.inf:
        return f"{name} {at_most}"
    is_in = shown_low > low
    if high == math.inf:
        return f"{name} {'>=' if is_in else '>'} {number(shown_low)}"
    return f"{number(shown_low)} {'<=' if is_in else '<'} {name} {at_most}"


def _round_both(low: float, high: float, digits: int | None) -> tuple[float, float]:
    """Round two bounds with as many digits as they need to stay different."""
    for n in range(digits or 17, 17):
        rounded = to_digits(low, n), to_digits(high, n)
        if rounded[0] < rounded[1]:
            return rounded
    return low, high


def to_digits(x: float, digits: int) -> float:
    """Round to significant digits, but not before the first decimal."""
    if not math.isfinite(x):
        return x
    if -(2.0**-149) <= x < 0.0:
        return 0.0  # the number before 0, in float32 or float64: what is at most that is below 0
    before = len(str(int(abs(x)))) if abs(x) < 1e16 else 0
    rounded = float(f"{x:.{max(digits, before + 1)}g}")
    return rounded if math.isfinite(rounded) else x


def _shown_set(
    name: str, inside: tuple[Any, ...], outside: tuple[Any, ...], max_labels: int | None
) -> str:
    """Write the shorter of the two sets of labels."""
    few, equal, among = (
        (inside, "=", "in") if len(inside) <= len(outside) else (outside, "!=", "not in")
    )
    if len(few) == 1:
        return f"{name} {equal} {shown(few[0])}"
    listed = [shown(label) for label in few[:max_labels]]
    if len(few) > len(listed):
        listed.append(f"... {len(few) - len(listed)} more")
    return f"{name} {among} {{{', '.join(listed)}}}"
