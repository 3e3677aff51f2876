"""What one feature must fulfill, and how several such conditions become one."""

import math
import operator
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from horotree._checks import Floats
from horotree.trees.tree import Flags

Codes = frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """What the value of one feature must fulfill.

    A known value must be above ``low``, at most ``high``, and as a category code one of ``allowed``
    (None if any will do) and none of ``excluded``. A tree does not know how many categories there
    are, so what does not go left at a set is known by what does. ``missing`` says whether a missing
    value (NaN) fulfills the condition.

    Examples
    --------
    >>> from horotree.trees.rules.paths import Condition
    >>> Condition(feature=0, low=3.0, missing=True).holds([2.0, 4.0, float("nan")]).tolist()
    [False, True, True]
    """

    feature: int
    low: float = -math.inf
    high: float = math.inf
    allowed: Codes | None = None
    excluded: Codes = frozenset()
    missing: bool = False

    def __post_init__(self) -> None:
        if operator.index(self.feature) < 0:
            raise ValueError(f"feature must be a column, 0 or more, got {self.feature!r}.")
        if math.isnan(self.low) or math.isnan(self.high):
            raise ValueError(
                f"low and high must be numbers, got {self.low!r} and {self.high!r}: an infinite "
                "one is no bound."
            )
        # One form for what is the same: one zero, and no codes to exclude where some are allowed.
        object.__setattr__(self, "low", self.low + 0.0)
        object.__setattr__(self, "high", self.high + 0.0)
        object.__setattr__(self, "excluded", frozenset(self.excluded))
        if self.allowed is not None:
            object.__setattr__(self, "allowed", frozenset(self.allowed) - self.excluded)
            object.__setattr__(self, "excluded", frozenset())

    def holds(self, x: ArrayLike) -> Flags:
        """Return which entries of a column fulfill the condition; NaN is missing."""
        values = np.asarray(x, dtype=np.float64)
        known = ~np.isnan(values)
        fulfilled = known.copy()
        if self.low > -math.inf:  # a value may be infinite, too: float32 overflows
            fulfilled &= values > self.low
        if self.high < math.inf:
            fulfilled &= values <= self.high
        if self.allowed is not None:
            fulfilled &= np.isin(values, _as_floats(self.allowed))
        if self.excluded:
            fulfilled &= ~np.isin(values, _as_floats(self.excluded))
        return np.asarray(fulfilled | ~known if self.missing else fulfilled)


def merge(conditions: Iterable[Condition]) -> tuple[Condition, ...]:
    """Return one condition a feature, in the order in which the features come first."""
    by_feature: dict[int, list[Condition]] = {}
    for condition in conditions:
        by_feature.setdefault(condition.feature, []).append(condition)
    return tuple(
        group[0] if len(group) == 1 else _intersect(group) for group in by_feature.values()
    )


def _intersect(group: list[Condition]) -> Condition:
    """Return the condition that holds where all of these do, on the same feature."""
    sets = [condition.allowed for condition in group if condition.allowed is not None]
    return Condition(
        feature=group[0].feature,
        low=max(condition.low for condition in group),
        high=min(condition.high for condition in group),
        allowed=frozenset.intersection(*sets) if sets else None,
        excluded=frozenset().union(*(condition.excluded for condition in group)),
        missing=all(condition.missing for condition in group),
    )


def _as_floats(codes: Codes) -> Floats:
    return np.fromiter(codes, np.float64, len(codes))
