"""From a model and a choice of class, trees and center to the scenes that both renderers draw."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np

from horotree._checks import Floats, check_temperature
from horotree.embedding import (
    DiskEmbedding,
    automatic_t,
    can_place,
    embed_trees,
    largest_confidence,
)
from horotree.evaluation.held_out import held_out_at
from horotree.evaluation.rows import Chosen, Rows, read_rows_if_given
from horotree.evaluation.segments import Segments, segments_at
from horotree.evaluation.verdicts import HeldOut
from horotree.io import from_model
from horotree.losses import inverse_link
from horotree.trees import (
    Ensemble,
    Model,
    Tree,
    base_rates,
    center_ensemble,
    find_center,
    origin_of,
)
from horotree.trees.choice import TreeChoice, find_tree, find_trees

from .scene import Scene


@dataclass(frozen=True, eq=False)
class Scenes(Sequence[Scene]):
    """Trees of a model, drawn around one center at one temperature: a sequence of `Scene`.

    The order is ensemble after ensemble, tree after tree.
    """

    model: Model
    trees: Chosen  # indices of trees by the index of their ensemble
    center: str  # "half" or "base"
    ensembles: tuple[Ensemble, ...]  # all of the model, with values counted from the center
    embeddings: tuple[DiskEmbedding, ...]  # one per tree
    rows: Rows | None = None  # data that were not used in training

    def __len__(self) -> int:
        return len(self.embeddings)

    @overload
    def __getitem__(self, index: int) -> Scene: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Scene]: ...
    def __getitem__(self, index: int | slice) -> Scene | Sequence[Scene]:
        return self._scenes[index]

    @property
    def t(self) -> float:
        """The temperature of all layouts."""
        return self.embeddings[0].t

    @cached_property
    def held_out(self) -> HeldOut | None:
        """The positions of the nodes by the data; None without."""
        if self.rows is None:
            return None
        return held_out_at(self.model, self.rows, self.trees, center=self.center)

    @cached_property
    def segments(self) -> Segments | None:
        """The rows of the data at each node; None without."""
        return None if self.rows is None else segments_at(self.model, self.rows, self.trees)

    @cached_property
    def gaps(self) -> frozenset[int]:
        """The features with missing or unknown values in some row of the data.

        Rules must say where missing values go, else a reader who counts gets other rows.
        """
        if self.rows is None:
            return frozenset()
        return frozenset(np.flatnonzero(np.isnan(self.rows.X).any(axis=0)).tolist())

    @cached_property
    def _scenes(self) -> list[Scene]:
        places = [(k, j) for k, chosen in self.trees.items() for j in chosen]
        rates = base_rates(self.model)
        return [
            self._scene(k, j, embedding, float(rates[k]))
            for (k, j), embedding in zip(places, self.embeddings, strict=True)
        ]

    def _scene(self, k: int, j: int, embedding: DiskEmbedding, rate: float) -> Scene:
        model, ensemble = self.model, self.ensembles[k]
        segments = None if self.segments is None else self.segments.of(j, k)
        # Leverage times confidence is an addend of the score only where confidences are added.
        adds = model.link != "mean"
        return Scene(
            embedding=embedding,
            columns=model.columns,
            classes=class_pair(model, k),
            tree=j,
            n_trees=len(ensemble.trees),
            leverage_confidence=float(ensemble.leverage_confidence[j]) if adds else np.nan,
            max_confidence=float(ensemble.max_confidence[j]),
            held_out=None if self.held_out is None else self.held_out.of(j, k),
            notes=model.notes,
            center=self.center,
            origin=origin_of(model.ensembles[k].trees[j], self.center),
            value_kind=model.value_kind,
            share=_shares(model, embedding),
            segments=segments,
            base_rate=rate if segments is None else float(segments.share[0]),
            class_name=None if len(model.ensembles) == 1 else model.class_names[k],
            gaps=self.gaps,
        )


def lay_out(
    model: Model,
    trees: Chosen,
    rows: Rows | None = None,
    *,
    center: str,
    t: float | str = "auto",
    method: str = "exact",
    report: Callable[[], None] | None = None,
    **options: Any,
) -> Scenes:
    """Lay out trees of a model, each once; parameters as in ``Scenes`` and ``embed_model``.

    The arcs are geodesics at temperature t. "auto" suits all trees of the model, so that pictures
    compare, "chosen" these trees. A number at which the exact layout cannot draw these trees is
    replaced by that of "auto".
    """
    ensembles = tuple(center_ensemble(ensemble, center) for ensemble in model.ensembles)
    drawn = [ensembles[k].trees[j] for k, chosen in trees.items() for j in chosen]
    if method == "exact":
        t = _find_t(ensembles, drawn, t)
    embeddings = embed_trees(drawn, method, t=t, report=report, **options)
    return Scenes(model, trees, center, ensembles, tuple(embeddings), rows)


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
) -> Scenes:
    """Return the scenes of trees of one ensemble, laid out at one temperature.

    The model is anything that ``from_model`` takes. X and y are data that were not used in
    training, for the held-out positions of nodes. ``tree`` is an index from 0, a sequence of
    indices, or "all"; negative ones count from the last. With more than two classes, ``class_`` is
    the class of the trees (default: the first). ``center`` and ``method`` are as in
    ``embed_model``, ``t`` is as in ``lay_out``, and the options are those of ``embed``.
    """
    known = from_model(model)
    k, n_trees = _find_ensemble(known, class_)
    rows = read_rows_if_given(known, X, y, "hold nodes against")
    center = find_center(known, center)
    chosen = {k: find_trees(tree, n_trees)}
    return lay_out(known, chosen, rows, center=center, t=t, method=method, **options)


def find_scene(model: Any, X: Any = None, y: Any = None, *, tree: int, **options: Any) -> Scene:
    """Return the scene of one tree; all else as in ``find_scenes``."""
    known = from_model(model)
    _, j = choose_tree(known, tree, options.get("class_"))
    return find_scenes(known, X, y, tree=j, **options)[0]


def choose_tree(model: Model, tree: int, class_: Any = None) -> tuple[int, int]:
    """Return the indices of an ensemble and of one tree in it; arguments as in ``find_scenes``."""
    k, n_trees = _find_ensemble(model, class_)
    return k, find_tree(tree, n_trees)


def class_pair(model: Model, k: int) -> tuple[str, str]:
    """Return the names of the negative and the positive class of ensemble k."""
    names = model.class_names
    if len(model.ensembles) == 1:
        return names[0], names[1]
    return f"not {names[k]}", names[k]


def _find_ensemble(model: Model, class_: Any) -> tuple[int, int]:
    """Return the index of an ensemble that has trees, and their number."""
    k = model.find_ensemble(class_)
    n_trees = len(model.ensembles[k].trees)
    if not n_trees:
        raise ValueError("the model has no trees to draw: nothing could be learned from its data.")
    return k, n_trees


def _find_t(ensembles: Sequence[Ensemble], drawn: Sequence[Tree], t: float | str) -> float:
    """Return the temperature of the exact layout, as ``lay_out`` describes."""
    largest = max((float(tree.confidence.max()) for tree in drawn), default=0.0)
    if t == "chosen":
        return automatic_t(largest)
    if t != "auto" and can_place(largest, t=check_temperature(t)):
        return float(t)
    return automatic_t(largest_confidence(*ensembles))


def _shares(model: Model, embedding: DiskEmbedding) -> Floats | None:
    """Return the class shares of the kept nodes, where values are logits of shares."""
    if model.value_kind != "share":
        return None
    output = embedding.monotonic.tree.output[embedding.node]
    return np.asarray(output if model.link == "mean" else inverse_link(output))
