"""One tree as it is drawn: nodes and arcs by distance and angle, and the texts at them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from horotree._checks import Floats
from horotree.embedding import DiskEmbedding, sample_arcs
from horotree.evaluation.segments import Segments
from horotree.evaluation.verdicts import HeldOut
from horotree.trees import Columns, path_rule
from horotree.trees.rules import Rule
from horotree.trees.tree import Flags, Ints

# With more nodes than this, arcs are too short for their bend to be seen.
MANY_NODES = 3_000


@dataclass(frozen=True, eq=False)
class Scene:
    """One tree as it is drawn: nodes, arcs and circles by distance and angle, with their texts.

    Distances are confidences. Painters draw a distance at ``norm_t(distance, t=t)``, for any t.
    Arrays have one entry per kept node, parents first; a *row* is an index into them.

    Parameters
    ----------
    embedding : DiskEmbedding
        The layout.
    columns : Columns
        The names in the rules.
    classes : tuple of str
        The names of the negative and the positive class.
    tree, n_trees : int
        The index of the tree in its ensemble, and the size of the ensemble.
    leverage_confidence : float
        Leverage times largest confidence, the inner circle; NaN for none.
    max_confidence : float
        The largest confidence of a leaf, the outer circle.
    held_out : HeldOut, optional
        The positions of the nodes by held-out data.
    notes : tuple of str
        Remarks on the values, as in ``Model``.
    center : {"half", "base"}
        The reference at the center: even odds, or the root of the tree.
    origin : float
        The value at the center: 0, or the root's.
    value_kind : {"share", "posterior", "margin"}
        What the values are, as in ``Model``.
    share : float64 array, optional
        The class share of each kept node, where values are logits of shares.
    segments : Segments, optional
        The rows of data at each node of the tree.
    base_rate : float
        The share of the positive class: in the data if there are some, else by the model.
    class_name : str, optional
        With more than two classes: the class of this tree.
    gaps : frozenset of int
        The features with missing values in the data.
    """

    embedding: DiskEmbedding
    columns: Columns
    classes: tuple[str, str]
    tree: int
    n_trees: int
    leverage_confidence: float
    max_confidence: float
    held_out: HeldOut | None = None
    notes: tuple[str, ...] = ()
    center: str = "half"
    origin: float = 0.0
    value_kind: str = "posterior"
    share: Floats | None = None
    segments: Segments | None = None
    base_rate: float = 0.5
    class_name: str | None = None
    gaps: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.embedding)

    @property
    def distance(self) -> Floats:
        """The distance of each node from the origin."""
        return self.embedding.distance

    @property
    def angle(self) -> Floats:
        """The angle of each node."""
        return self.embedding.angle

    @property
    def value(self) -> Floats:
        """The value of each node, counted from the center: its sign is the class."""
        return self.embedding.monotonic.value

    @property
    def positive(self) -> Flags:
        """Whether the node predicts the positive class; false for a value of 0."""
        return np.asarray(self.value > 0.0)

    @property
    def parent(self) -> Ints:
        """The row of each node's parent; -1 for the root."""
        return self.embedding.monotonic.parent

    @property
    def n_tests(self) -> Ints:
        """The number of tests on the arc from the parent."""
        return self.embedding.monotonic.n_tests

    @cached_property
    def n_tags(self) -> Ints:
        """The number of leaves of the tree that are rerouted to each node."""
        monotonic = self.embedding.monotonic
        rows = monotonic.row[monotonic.rerouted]
        return np.bincount(rows, minlength=len(self)).astype(np.int32)

    @cached_property
    def weight(self) -> Floats:
        """The share of the training weight at each node; NaN if unknown."""
        monotonic = self.embedding.monotonic
        weight = monotonic.tree.weight[monotonic.node]
        return np.asarray(weight / weight[0]) if weight[0] > 0.0 else np.full(len(self), np.nan)

    @cached_property
    def count(self) -> Ints:
        """The number of training examples at each node; -1 if unknown."""
        return np.asarray(self.embedding.monotonic.tree.count[self.embedding.node])

    @cached_property
    def worth(self) -> Floats:
        """How much of the model each node decides: rows times confidence.

        A node's own rows are those of the leaves that it hosts. The worth is 0 if less than
        half of the rows at the node are its own: its rule would describe mostly other nodes' rows.
        """
        monotonic = self.embedding.monotonic
        leaves = np.flatnonzero(monotonic.tree.is_leaf).astype(np.int32)
        rows = self._leaf_rows(leaves)
        own = np.bincount(monotonic.row[leaves], weights=rows, minlength=len(self))
        through = own.copy()
        for row in range(len(self) - 1, 0, -1):  # children come after their parent
            through[self.parent[row]] += through[row]
        return np.asarray(np.where(2.0 * own >= through, own * np.abs(self.value), 0.0))

    def _leaf_rows(self, leaves: Ints) -> Floats:
        """Return the rows at each leaf: of the data, else training examples, else weights."""
        tree = self.embedding.monotonic.tree
        if self.segments is not None:
            return self.segments.count[leaves].astype(np.float64)
        if (tree.count[leaves] >= 0).all():
            return tree.count[leaves].astype(np.float64)
        weight = tree.weight[leaves]
        return np.ones(len(leaves)) if np.isnan(weight).any() else weight

    def strongest(self, n: int) -> list[int]:
        """Return the rows of the n nodes of largest worth, the rarer class first.

        At most one node per path, and never the root, whose rule is "always". The class that is
        rarer by the base rate gets the larger half of the places, as far as it can fill them. (The
        root of a boosted tree does not show which class is rare: it fits a residual.)
        """
        order = [int(row) for row in np.argsort(-self.worth, kind="stable") if row > 0]
        order = [row for row in order if self.worth[row] > 0.0]
        is_rare = self.positive == (self.base_rate <= 0.5)
        rare, common = ([row for row in order if is_rare[row] == side] for side in (True, False))
        taken: set[int] = set()
        first = self._pick(rare, (n + 1) // 2, taken)
        second = self._pick(common, n - len(first), taken)
        first += self._pick(rare, n - len(first) - len(second), taken)
        return [*sorted(first, key=order.index), *second]

    def _pick(self, rows: list[int], n: int, taken: set[int]) -> list[int]:
        """Return the first n rows that share no path with each other or with those taken."""
        found: list[int] = []
        for row in rows:
            if len(found) >= n:
                break
            path = set(self._path(row))
            if not path & taken and not any(row in self._path(other) for other in taken):
                found.append(row)
                taken.add(row)
        return found

    def _path(self, row: int) -> list[int]:
        """Return the rows from this one up to the root's child."""
        path = []
        while row > 0:
            path.append(row)
            row = int(self.parent[row])
        return path

    @cached_property
    def arcs(self) -> tuple[Floats, Floats]:
        """Distances and angles of points on the arc from the parent to each node but the root."""
        return sample_arcs(self.embedding, 65 if len(self) <= MANY_NODES else 5)

    def shorter_rules(self, row: int) -> list[Rule]:
        """Return the rule of a node, then ever shorter versions of it.

        Features are dropped in the order of their last test on the path, the one nearest to the
        root first: rules of one tree have these in common.
        """
        monotonic = self.embedding.monotonic
        node = int(monotonic.node[row])
        conditions = path_rule(monotonic.tree, node).conditions
        order: list[int] = []  # features, by their last test on the path
        while node > 0:
            node = int(monotonic.tree.parent[node])
            feature = int(monotonic.tree.feature[node])
            order += [feature] if feature not in order else []
        kept = [set(order[:n]) for n in range(len(order), 0, -1)] or [set()]
        return [Rule(tuple(c for c in conditions if c.feature in some)) for some in kept]

    def rule(self, row: int, *, whole: bool = True, **options: Any) -> str:
        """Return the rule of a node as text, from the root or (not ``whole``) from its parent.

        Options are those of ``Rule.text``.
        """
        monotonic = self.embedding.monotonic
        above = self.parent[row]
        start = 0 if whole or above < 0 else int(monotonic.node[above])
        rule = path_rule(monotonic.tree, int(monotonic.node[row]), start)
        return rule.text(self.columns, **options)
