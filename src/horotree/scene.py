"""What to draw of one tree, in polar coordinates: for any t, for every painter."""

import operator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from horotree._checks import Floats
from horotree.embedding import DiskEmbedding, automatic_t, embed, largest_confidence, sample_arcs
from horotree.evaluation.held_out import held_out
from horotree.evaluation.segments import Segments, segments
from horotree.evaluation.verdicts import HeldOut
from horotree.io import from_model
from horotree.losses import inverse_link
from horotree.trees import (
    Columns,
    Model,
    base_rates,
    center_ensemble,
    find_center,
    monotonic,
    origin_of,
    path_rule,
)
from horotree.trees.choice import TreeChoice, find_trees
from horotree.trees.rules import Rule
from horotree.trees.tree import Flags, Ints, Tree

# With more nodes than this, arcs are too short for their bend to be seen.
MANY_NODES = 3_000


@dataclass(frozen=True, eq=False)
class Scene:
    """One tree as it is drawn: nodes, arcs and circles by distance and angle, with their texts.

    Distances are confidences: painters draw them at ``norm_t(distance, t=t)`` for the t they like.
    What follows has one entry a kept node, parents first.

    Parameters
    ----------
    embedding : DiskEmbedding
        Where the nodes are.
    columns : Columns
        The names in the rules.
    classes : tuple of str
        The names of the negative and the positive class.
    tree, n_trees : int
        Which tree of how many, from 0.
    leverage_confidence : float
        Leverage times largest confidence: the inner circle; NaN for none.
    max_confidence : float
        The largest confidence of a leaf: the outer circle.
    held_out : HeldOut, optional
        Where data kept apart put the nodes.
    notes : tuple of str
        What to say of the values, as in ``Model``.
    center : {"half", "base"}
        What is at the center: even odds, or what the tree says of all, its root.
    origin : float
        The value that is there: 0, or the root's.
    value_kind : {"share", "posterior", "margin"}
        What values are, as in ``Model``.
    share : float64 array, optional
        The class share of each kept node, where values are logits of shares.
    segments : Segments, optional
        The rows of data that come by at each node of the tree.
    base_rate : float
        The share of the positive class: of the rows of data, or else as the model has it.
    class_name : str, optional
        Of more than two classes the one that the tree is about.
    gaps : frozenset of int
        The features of which rows of the data have missing values.
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
        """How far from the origin the nodes are."""
        return self.embedding.distance

    @property
    def angle(self) -> Floats:
        """The angles of the nodes."""
        return self.embedding.angle

    @property
    def value(self) -> Floats:
        """The values of the nodes, from the center: the sign is the class."""
        return self.embedding.monotonic.value

    @property
    def positive(self) -> Flags:
        """Whether a node says the positive class; one without confidence says neither."""
        return np.asarray(self.value > 0.0)

    @property
    def parent(self) -> Ints:
        """Where the parent of each node is; -1 for the root."""
        return self.embedding.monotonic.parent

    @property
    def n_tests(self) -> Ints:
        """The tests on the arc from the parent."""
        return self.embedding.monotonic.n_tests

    @cached_property
    def n_tags(self) -> Ints:
        """The leaves of the tree that are rerouted to each node."""
        monotonic = self.embedding.monotonic
        rows = monotonic.row[monotonic.rerouted]
        return np.bincount(rows, minlength=len(self)).astype(np.int32)

    @cached_property
    def weight(self) -> Floats:
        """The share of the training weight that came by; NaN if unknown."""
        monotonic = self.embedding.monotonic
        weight = monotonic.tree.weight[monotonic.node]
        return np.asarray(weight / weight[0]) if weight[0] > 0.0 else np.full(len(self), np.nan)

    @cached_property
    def count(self) -> Ints:
        """The training examples that came by at each node; -1 if unknown."""
        monotonic = self.embedding.monotonic
        return np.asarray(monotonic.tree.count[monotonic.node])

    @cached_property
    def worth(self) -> Floats:
        """How much of the model a node decides: rows times contribution.

        The rows whose leaf it speaks for, of the data or else of the training, times its
        confidence; 0 if others speak for most of the rows that come by, whom its rule would name,
        too.
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
        """Return how many rows end at each leaf: of the data, of the training, or by weight."""
        tree = self.embedding.monotonic.tree
        if self.segments is not None:
            return self.segments.count[leaves].astype(np.float64)
        if (tree.count[leaves] >= 0).all():
            return tree.count[leaves].astype(np.float64)
        weight = tree.weight[leaves]
        return np.ones(len(leaves)) if np.isnan(weight).any() else weight

    def strongest(self, n: int) -> list[int]:
        """Return the nodes that decide most: of both classes, those of the rarer one first.

        Of two nodes on one path at most one is chosen, and never the root, whose rule is "always".
        The rarer class, by the base rate, gets the larger half of the places that it can fill: a
        root of a boosted tree says what the trees before it left over, and not which class is rare.

        Parameters
        ----------
        n : int
            How many at most.

        Returns
        -------
        list of int
            Their places among the kept.
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
        """Return the rows from the root's child down to this one."""
        path = []
        while row > 0:
            path.append(row)
            row = int(self.parent[row])
        return path

    @cached_property
    def arcs(self) -> tuple[Floats, Floats]:
        """Points on the arc to each node but the root, from its parent: distances and angles."""
        return sample_arcs(self.embedding, 65 if len(self) <= MANY_NODES else 5)

    def shorter_rules(self, row: int) -> list[Rule]:
        """Return the rule that leads to a node, and what of it to write where there is less room.

        The tests that come first on the way go first: they are what the rules of a tree share.
        """
        monotonic = self.embedding.monotonic
        node = int(monotonic.node[row])
        conditions = path_rule(monotonic.tree, node).conditions
        order: list[int] = []  # features, by their last test on the way
        while node > 0:
            node = int(monotonic.tree.parent[node])
            feature = int(monotonic.tree.feature[node])
            order += [feature] if feature not in order else []
        kept = [set(order[:n]) for n in range(len(order), 0, -1)] or [set()]
        return [Rule(tuple(c for c in conditions if c.feature in some)) for some in kept]

    def rule(self, row: int, *, whole: bool = True, **options: Any) -> str:
        """Return what leads to a node, from the root or (not ``whole``) from its parent.

        Parameters
        ----------
        row : int
            The node's place among the kept.
        whole : bool
            Whether from the root.
        **options
            For ``Rule.text``.

        Returns
        -------
        str
        """
        monotonic = self.embedding.monotonic
        above = self.parent[row]
        start = 0 if whole or above < 0 else int(monotonic.node[above])
        rule = path_rule(monotonic.tree, int(monotonic.node[row]), start)
        return rule.text(self.columns, **options)


def find_scenes(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    tree: TreeChoice = "all",
    class_: Any = None,
    center: str = "auto",
    method: str = "exact",
    t: float | str = "auto",
    **options: Any,
) -> list[Scene]:
    """Return the scenes of a model's trees, embedded at one temperature.

    Parameters
    ----------
    model : object
        The trees: anything that ``from_model`` understands.
    X, y : table and classes, optional
        Data that were not used in training, for the held-out positions of nodes.
    tree : int, sequence of int or "all"
        Which trees, from 0, negative from the last.
    class_ : object, optional
        Of a model with an ensemble a class, whose; the first if not given.
    center, method, t, **options
        As in ``embed_model``.

    Returns
    -------
    list of Scene
    """
    if (X is None) != (y is None):
        raise ValueError("X and y belong together, got only one of them: pass both, or neither.")
    known = from_model(model)
    k = known.find_ensemble(class_)
    seen_from = find_center(known, center)
    drawn = [center_ensemble(ensemble, seen_from) for ensemble in known.ensembles]
    ensemble = drawn[k]
    if not ensemble.trees:
        raise ValueError("the model has no trees to draw: nothing could be learned from its data.")
    chosen = find_trees(tree, len(ensemble.trees))
    if method == "exact" and t == "auto":
        t = automatic_t(largest_confidence(*drawn))
    label = known.classes.tolist()[k]  # the other ensembles may have fewer trees
    asked = {"tree": chosen, "class_": label}
    truth = None if X is None else held_out(known, X, y, center=seen_from, **asked)
    rows = None if X is None else segments(known, X, y, **asked)
    gaps = frozenset() if X is None else find_gaps(known, X)
    base_rate = float(base_rates(known)[k]) if rows is None else float(rows.share[0])
    return [
        Scene(
            embedding=embed(monotonic(ensemble.trees[j]), method, t=t, **options),
            columns=known.columns,
            classes=_class_names(known, k),
            tree=j,
            n_trees=len(ensemble.trees),
            # Leverage times confidence means something where confidences are added.
            leverage_confidence=(
                np.nan if known.link == "mean" else float(ensemble.leverage_confidence[j])
            ),
            max_confidence=float(ensemble.max_confidence[j]),
            held_out=None if truth is None else truth.of(j, k),
            notes=known.notes,
            center=seen_from,
            origin=origin_of(known.ensembles[k].trees[j], seen_from),
            value_kind=known.value_kind,
            share=_shares(known, ensemble.trees[j]),
            segments=None if rows is None else rows.of(j, k),
            base_rate=base_rate,
            gaps=gaps,
            class_name=None if len(known.ensembles) == 1 else known.class_names[k],
        )
        for j in chosen
    ]


def find_gaps(model: Model, X: Any) -> frozenset[int]:
    """Return the features of which some row has no value that the model knows.

    Rules must say of these what missing values do, or a reader who counts gets other rows.
    """
    return frozenset(np.flatnonzero(np.isnan(model.to_matrix(X)).any(axis=0)).tolist())


def find_scene(model: Any, X: Any = None, y: Any = None, *, tree: int, **options: Any) -> Scene:
    """Return the scene of one tree; all else as in ``find_scenes``."""
    try:
        place = operator.index(tree)
    except TypeError:
        raise TypeError(
            f"tree must be one whole number, got {tree!r}: 0 is the first, -1 the last."
        ) from None
    (scene,) = find_scenes(model, X, y, tree=place, **options)
    return scene


def _shares(model: Model, tree: Tree) -> Floats | None:
    """Return the class shares of the nodes that are drawn, where values are logits of shares."""
    if model.value_kind != "share":
        return None
    output = tree.output[monotonic(tree).node]
    return np.asarray(output if model.link == "mean" else inverse_link(output))


def _class_names(model: Model, k: int) -> tuple[str, str]:
    """Return the names of the negative and the positive class of an ensemble."""
    names = model.class_names
    if len(model.ensembles) == 1:
        return names[0], names[1]
    return f"not {names[k]}", names[k]
