"""Held-out positions of nodes: the table, the verdicts, and their words."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree._frozen import freeze
from horotree.losses import inverse_link
from horotree.trees.tree import Flags

from .node_table import NodeTable

# The verdicts on a node, and their words in the summary: for one node, and for more.
VERDICTS = {
    "agrees": ("agrees with these rows", "agree with these rows"),
    "flipped": ("leans the other way", "lean the other way"),
    "weaker": ("is less sure than it seems", "are less sure than they seem"),
    "stronger": ("is surer than it seems", "are surer than they seem"),
    "few": ("has too few rows to tell", "have too few rows to tell"),
    "none": ("has no rows", "have no rows"),
    "unknown": ("is on a scale that is not known", "are on a scale that is not known"),
}
# With the root at the center, values are differences from the root and not classes.
_FROM_ROOT = {
    "flipped": ("belongs on the other side of the root", "belong on the other side of the root"),
    "weaker": ("belongs nearer to the root", "belong nearer to the root"),
    "stronger": ("belongs farther from the root", "belong farther from the root"),
}
DIFFERS = ("flipped", "weaker", "stronger")

# The least difference in probability that counts: smaller ones get no verdict, however certain.
MATTERS = 0.01

# An interval of probabilities wider than this does not determine a verdict.
WIDE = 0.5


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class HeldOut(NodeTable):
    """Kept nodes and their positions by held-out data: read-only arrays, one entry per node.

    Values are logits of posteriors, infinite for the posteriors 0 and 1. Without rows all but the
    trained value are NaN. As posteriors they are ``trained``, ``posterior``, ``low`` and ``high``.

    Parameters
    ----------
    ensemble, tree, node : int32 array
        The indices of the node, of its tree and of its ensemble.
    count : int64 array
        The rows at the node.
    effective_count : float64 array
        The number of equally weighted rows of the same information: ``(Σw)² / Σw²``.
    trained_value : float64 array
        The node's value.
    value : float64 array
        Its value by the held-out data.
    low_value, high_value : float64 array
        The ends of the interval of that value.
    difference : float64 array
        The probability by the held-out data minus the trained one; see ``held_out``.
    verdict : array of str
        One of agrees, flipped, weaker, stronger, few, none and unknown; see ``held_out``.
    value_kind : str
        What the values are, as in ``Model``: margins have no posteriors.
    center : {"half", "base"}
        The reference of the verdicts: even odds, or the root.

    See Also
    --------
    held_out : Finds them.
    """

    count: NDArray[np.int64]
    effective_count: Floats
    trained_value: Floats
    value: Floats
    low_value: Floats
    high_value: Floats
    difference: Floats
    verdict: NDArray[np.str_]
    value_kind: str = "posterior"
    center: str = "half"

    FIELDS: ClassVar[dict[str, type[np.generic]]] = {
        **dict.fromkeys(("ensemble", "tree", "node"), np.int32),
        "count": np.int64,
        "effective_count": np.float64,
        **dict.fromkeys(("trained_value", "value", "low_value", "high_value"), np.float64),
        "difference": np.float64,
        "verdict": np.str_,
    }
    MADE_BY: ClassVar[str] = "held_out"

    def __post_init__(self) -> None:
        NodeTable.__post_init__(self)
        if not np.isin(self.verdict, list(VERDICTS)).all():
            known, got = ", ".join(VERDICTS), np.unique(self.verdict).tolist()
            raise ValueError(f"verdicts must be among {known}, got {got}.")

    def __hash__(self) -> int:
        return hash((self.tree.tobytes(), self.node.tobytes(), self.count.tobytes()))

    def __repr__(self) -> str:
        number = self._numbers()
        parts = [f"{number[name]} {name}" for name in VERDICTS if number[name]]
        return f"HeldOut({len(self)} nodes: {', '.join(parts)})"

    def __str__(self) -> str:
        number = self._numbers()
        if number["unknown"] and number["unknown"] + number["none"] == len(self):
            unknown = "set its leaves" if self.value_kind == "margin" else "weighted its rows"
            return (
                f"none of {len(self)} nodes is compared with these rows, for how the model's "
                f"training {unknown} is not known"
            )
        words = VERDICTS if self.center == "half" else VERDICTS | _FROM_ROOT
        parts = [
            f"{number[name]} {words[name][number[name] != 1]}"
            for name in VERDICTS
            if number[name] and name != "agrees"
        ]
        if any(number[name] for name in DIFFERS):
            n = sum(number[name] > 0 for name in DIFFERS)
            parts[n - 1] += f" (beyond chance, and by {100.0 * MATTERS:g} percentage point or more)"
        agree = VERDICTS["agrees"][number["agrees"] != 1]
        return ", ".join([f"{number['agrees']} of {len(self)} nodes {agree}", *parts])

    def _numbers(self) -> dict[str, int]:
        return {name: int(np.count_nonzero(self.verdict == name)) for name in VERDICTS}

    @cached_property
    def trained(self) -> Floats:
        """The posterior of each node."""
        return freeze(to_posterior(self.trained_value))

    @cached_property
    def posterior(self) -> Floats:
        """The posterior of each node by the held-out data; NaN without rows."""
        return freeze(to_posterior(self.value))

    @cached_property
    def low(self) -> Floats:
        """The low end of the interval of the held-out posterior; NaN without rows."""
        return freeze(to_posterior(self.low_value))

    @cached_property
    def high(self) -> Floats:
        """The high end of the interval of the held-out posterior; NaN without rows."""
        return freeze(to_posterior(self.high_value))

    def to_frame(self, model: Any = None) -> Any:
        """Return a data frame with a row per node; given the model, also with its class and rule.

        The columns are ensemble, class, tree, node, rule, count, effective_count, trained,
        posterior, low, high, difference and verdict. Margins, which are not logits of posteriors,
        have trained_value, value, low_value and high_value instead.
        """
        where = ("ensemble", "tree", "node", "count", "effective_count")
        values = ("trained", "posterior", "low", "high")
        if self.value_kind == "margin":
            values = ("trained_value", "value", "low_value", "high_value")
        return self._to_frame((*where, *values, "difference", "verdict"), model, self.trained_value)


def judge(values: tuple[Floats, Floats, Floats], matters: Flags, width: Floats) -> NDArray[np.str_]:
    """Return the verdicts on trained values, as ``held_out`` describes them.

    ``values`` are the trained values and the ends of their intervals, NaN if unknown, counted from
    the center; ``matters`` is which differences are large enough, and ``width`` is that of the
    intervals in probability.
    """
    trained, low, high = values
    # As if all trained values were positive. One of 0 has no side: what excludes it is stronger.
    near = np.where(trained < 0.0, -high, low)
    far = np.where(trained < 0.0, -low, high)
    confidence = np.abs(trained)
    has_side = confidence > 0.0
    tests: dict[str, Flags] = {
        "none": np.isnan(low),
        "flipped": matters & has_side & (far < 0.0),
        "weaker": matters & has_side & (far < confidence),
        "stronger": matters & ((near > confidence) | (far < 0.0)),
        "few": width > WIDE,
    }
    return np.select(list(tests.values()), list(tests), "agrees")


def is_outside(trained: Floats, low: Floats, high: Floats) -> Flags:
    """Tell which values are outside of intervals by more than rounding; false for NaN."""
    slack = 1e-9 * np.maximum(np.abs(trained), 1.0)
    return np.asarray((trained < low - slack) | (trained > high + slack))


def to_posterior(value: Floats) -> Floats:
    """Return the posteriors of values, which may be infinite; NaN for NaN."""
    known = ~np.isnan(value)
    posterior = np.full(len(value), np.nan)
    posterior[known] = inverse_link(value[known])
    return posterior
