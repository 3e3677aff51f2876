"""What held-out data say of a model's nodes: a table, the verdicts, and the words for them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree._frozen import Frozen, as_array, freeze
from horotree.io import from_model
from horotree.losses import inverse_link
from horotree.trees import Model, path_rule
from horotree.trees.tree import Flags, Ints

# What can be said of a node, and how the summary says it: of one, and of more.
VERDICTS = {
    "agrees": ("agrees with these rows", "agree with these rows"),
    "flipped": ("leans the other way", "lean the other way"),
    "weaker": ("is less sure than it seems", "are less sure than they seem"),
    "stronger": ("is surer than it seems", "are surer than they seem"),
    "few": ("has too few rows to tell", "have too few rows to tell"),
    "none": ("has no rows", "have no rows"),
    "unknown": ("is on a scale that is not known", "are on a scale that is not known"),
}
# The same seen from the root, where nodes say by how much they differ from it, and no class.
_FROM_ROOT = {
    "flipped": ("belongs on the other side of the root", "belong on the other side of the root"),
    "weaker": ("belongs nearer to the root", "belong nearer to the root"),
    "stronger": ("belongs farther from the root", "belong farther from the root"),
}
DIFFERS = ("flipped", "weaker", "stronger")

# The least difference that matters, in probability: a smaller one is no news, however sure it is.
MATTERS = 0.01

# An interval of probabilities that is wider says nothing about what it holds.
WIDE = 0.5

FIELDS: dict[str, type[np.generic]] = {
    "ensemble": np.int32,
    "tree": np.int32,
    "node": np.int32,
    "count": np.int64,
    "effective_count": np.float64,
    "trained_value": np.float64,
    "value": np.float64,
    "low_value": np.float64,
    "high_value": np.float64,
    "difference": np.float64,
}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class HeldOut(Frozen):
    """Kept nodes, and where held-out data put them: read-only arrays with one entry a node.

    Values are logits of posteriors, infinite at posteriors 0 and 1; without examples they are NaN,
    all but the trained one. As posteriors they are ``trained``, ``posterior``, ``low`` and
    ``high``.

    Parameters
    ----------
    ensemble, tree, node : int32 array
        Which ensemble, which tree of it, which node of that.
    count : int64 array
        The examples that came by.
    effective_count : float64 array
        How many examples of one weight would be worth as much: ``(Σw)² / Σw²``.
    trained_value : float64 array
        The node's value.
    value : float64 array
        Its value by the held-out data.
    low_value, high_value : float64 array
        The ends of the interval of that.
    difference : float64 array
        The probability by the held-out data less the trained one; see ``held_out``.
    verdict : array of str
        One of agrees, flipped, weaker, stronger, few, none and unknown; see ``held_out``.
    value_kind : str
        What the values are, as ``Model`` has it: margins have no posteriors.
    center : {"half", "base"}
        What verdicts are seen from: even odds, or the root.

    See Also
    --------
    held_out : Finds them.
    """

    ensemble: Ints
    tree: Ints
    node: Ints
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

    def __post_init__(self) -> None:
        for name, dtype in FIELDS.items():
            array = freeze(as_array(getattr(self, name), name, dtype))
            object.__setattr__(self, name, array)
        verdict = freeze(np.array(self.verdict, np.str_))
        object.__setattr__(self, "verdict", verdict)
        lengths = {name: np.shape(getattr(self, name)) for name in (*FIELDS, "verdict")}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"all fields must have one entry a node, got shapes {lengths}.")
        if not np.isin(verdict, list(VERDICTS)).all():
            known = ", ".join(VERDICTS)
            raise ValueError(f"verdicts must be among {known}, got {np.unique(verdict).tolist()}.")

    def __hash__(self) -> int:
        return hash((self.tree.tobytes(), self.node.tobytes(), self.count.tobytes()))

    def __len__(self) -> int:
        return len(self.node)

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
        told = [
            f"{number[name]} {words[name][number[name] != 1]}"
            for name in VERDICTS
            if number[name] and name != "agrees"
        ]
        if any(number[name] for name in DIFFERS):
            n = sum(number[name] > 0 for name in DIFFERS)
            told[n - 1] += f" (beyond chance, and by {100.0 * MATTERS:g} percentage point or more)"
        agree = VERDICTS["agrees"][number["agrees"] != 1]
        return ", ".join([f"{number['agrees']} of {len(self)} nodes {agree}", *told])

    def _numbers(self) -> dict[str, int]:
        return {name: int(np.count_nonzero(self.verdict == name)) for name in VERDICTS}

    @cached_property
    def trained(self) -> Floats:
        """The posterior of each node."""
        return freeze(to_posterior(self.trained_value))

    @cached_property
    def posterior(self) -> Floats:
        """The posterior of each node by the held-out data; NaN without examples."""
        return freeze(to_posterior(self.value))

    @cached_property
    def low(self) -> Floats:
        """The low end of the interval of the held-out posterior; NaN without examples."""
        return freeze(to_posterior(self.low_value))

    @cached_property
    def high(self) -> Floats:
        """The high end of the interval of the held-out posterior; NaN without examples."""
        return freeze(to_posterior(self.high_value))

    def of(self, tree: int, ensemble: int = 0) -> "HeldOut":
        """Return the part about one tree; its rows are those of the monotonic tree.

        Parameters
        ----------
        tree : int
            Which tree, from 0.
        ensemble : int
            Of which ensemble, from 0.

        Returns
        -------
        HeldOut
        """
        rows = np.flatnonzero((self.tree == tree) & (self.ensemble == ensemble))
        if not len(rows):
            raise ValueError(
                f"there are no nodes of tree {tree} of ensemble {ensemble}: pass one that "
                "held_out was called for."
            )
        names = (*FIELDS, "verdict")
        return replace(self, **{name: getattr(self, name)[rows] for name in names})

    def to_frame(self, model: Any = None) -> Any:
        """Return a data frame with a row a node.

        Parameters
        ----------
        model : Model or estimator, optional
            What ``held_out`` was called with, for two columns more: the positive class of each
            ensemble, and the rule that leads to each node.

        Returns
        -------
        pandas.DataFrame
            With the columns ensemble, class, tree, node, rule, count, effective_count, trained,
            posterior, low, high, difference and verdict. Of margins, which are no logits of
            posteriors, it has trained_value, value, low_value and high_value in place of these.
        """
        import pandas as pd

        where = ("ensemble", "tree", "node", "count", "effective_count")
        values = ("trained", "posterior", "low", "high")
        if self.value_kind == "margin":
            values = ("trained_value", "value", "low_value", "high_value")
        names = (*where, *values, "difference", "verdict")
        frame = pd.DataFrame({name: getattr(self, name) for name in names})
        if model is not None:
            known = from_model(model)
            rules = list(_rules(self, known))  # raises if it is another model
            labels = known.classes[list(known.targets)]
            frame.insert(1, "class", labels[self.ensemble])
            frame.insert(4, "rule", rules)
        return frame


def judge(values: tuple[Floats, Floats, Floats], matters: Flags, width: Floats) -> NDArray[np.str_]:
    """Return what intervals of values say of the trained values.

    Parameters
    ----------
    values : tuple of float64 array
        The trained values of nodes, and the ends of their intervals, NaN if nothing is known; all
        counted from the center.
    matters : bool array
        Whether nodes differ from the data by enough to be told.
    width : float64 array
        How wide intervals are, in probability.

    Returns
    -------
    array of str
        As ``held_out`` describes them.
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
    """Tell which values are outside of intervals by more than rounding; none if one is NaN."""
    slack = 1e-9 * np.maximum(np.abs(trained), 1.0)
    return np.asarray((trained < low - slack) | (trained > high + slack))


def to_posterior(value: Floats) -> Floats:
    """Return the posteriors of values, NaN of NaN.

    Parameters
    ----------
    value : float64 array
        Logits, also infinite.

    Returns
    -------
    float64 array
    """
    known = ~np.isnan(value)
    posterior = np.full(len(value), np.nan)
    posterior[known] = inverse_link(value[known])
    return posterior


def _rules(found: HeldOut, model: Model) -> Iterator[str]:
    """Yield the rules that lead to nodes, for people to read."""
    rows = zip(found.ensemble, found.tree, found.node, found.trained_value, strict=True)
    for k, j, node, value in rows:
        trees = model.ensembles[k].trees if k < len(model.ensembles) else ()
        if j >= len(trees) or node >= trees[j].n_nodes or trees[j].value[node] != value:
            raise ValueError(
                f"model must be what held_out was called with, got one with another node {node} "
                f"of tree {j} of ensemble {k}, or none: pass the same."
            )
        yield path_rule(trees[j], int(node)).text(model.columns)
