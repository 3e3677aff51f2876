"""The base of `Segments` and `HeldOut`: tables with one row per node of some trees."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from horotree._checks import Floats
from horotree._frozen import Frozen, as_array, freeze
from horotree.io import from_model
from horotree.trees import Model, path_rule
from horotree.trees.tree import Ints


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NodeTable(Frozen):
    """Read-only arrays with one entry per node; the order is by ensemble, tree and node."""

    ensemble: Ints
    tree: Ints
    node: Ints

    # The arrays of the table and their types, and the function that makes it.
    FIELDS: ClassVar[dict[str, type[np.generic]]] = {}
    MADE_BY: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for name, dtype in self.FIELDS.items():
            values = getattr(self, name)
            is_text = dtype is np.str_
            array = np.array(values, dtype) if is_text else as_array(values, name, dtype)
            object.__setattr__(self, name, freeze(array))
        lengths = {name: np.shape(getattr(self, name)) for name in self.FIELDS}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"all fields must have one entry a node, got shapes {lengths}.")

    def __len__(self) -> int:
        return len(self.node)

    def of(self, tree: int, ensemble: int = 0) -> Self:
        """Return the rows of one tree, given its index and that of its ensemble."""
        rows = np.flatnonzero((self.tree == tree) & (self.ensemble == ensemble))
        if not len(rows):
            raise ValueError(
                f"there are no nodes of tree {tree} of ensemble {ensemble}: pass one that "
                f"{self.MADE_BY} was called for."
            )
        return replace(self, **{name: getattr(self, name)[rows] for name in self.FIELDS})

    def _to_frame(self, names: Sequence[str], model: Any, value: Floats | None = None) -> Any:
        """Return columns as a data frame; with a model also the class and the rule of each node.

        The model must have nodes of these values, if they are given.
        """
        import pandas as pd

        frame = pd.DataFrame({name: getattr(self, name) for name in names})
        if model is not None:
            known = from_model(model)
            rules = list(self._rules(known, value))
            labels = known.classes[list(known.targets)]
            frame.insert(1, "class", labels[self.ensemble])
            frame.insert(4, "rule", rules)
        return frame

    def _rules(self, model: Model, value: Floats | None) -> Iterator[str]:
        for row, (k, j, node) in enumerate(zip(self.ensemble, self.tree, self.node, strict=True)):
            trees = model.ensembles[k].trees if k < len(model.ensembles) else ()
            known = j < len(trees) and node < trees[j].n_nodes
            if not known or (value is not None and trees[j].value[node] != value[row]):
                raise ValueError(
                    f"model must be what {self.MADE_BY} was called with, got one with another "
                    f"node {node} of tree {j} of ensemble {k}, or none: pass the same."
                )
            yield path_rule(trees[j], int(node)).text(model.columns)
