"""Partitions as workers keep them: binned, with labels, weights, and odds where trees are there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree import _native
from horotree._checks import Floats
from horotree.estimators.inputs import as_labels, as_weights, index_labels
from horotree.training import Labeled
from horotree.training.induction import negatives_first
from horotree.training.lanes import one_each
from horotree.trees.tables import open_table

from .plan import Job, Start

# Rows whose leaves are kept at a time, when trees that are there are followed.
BLOCK = 2**13


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Examples of a partition.

    Parameters
    ----------
    words : uint64 array
        Packed bins, in the order of the rows.
    y : integer array
        The index of each class.
    amount : float64 array
        What each example counts.
    odds : dict
        By place of an ensemble, exp(-y F) of each example after the trees that are there.
    apart : Labeled
        Examples that are kept apart for validation.
    """

    words: NDArray[np.uint64]
    y: NDArray[Any]
    amount: Floats
    odds: dict[int, Floats]
    apart: Labeled

    def __len__(self) -> int:
        return len(self.y)


def read(job: Job, table: Any, y: Any, weight: Any) -> Labeled:
    """Return the examples of a partition that have a weight."""
    agreement = job.agreement
    if open_table(table).shape[0] == 0:  # its columns do not matter
        X = np.empty((0, len(agreement.task.columns.feature_names)))
        return Labeled(X, np.empty(0, np.intp), np.empty(0))
    X = agreement.task.columns.to_matrix(table)
    labels, weight = as_labels(y, len(X)), as_weights(weight, len(X))
    counts = weight > 0.0
    index = index_labels(labels[counts], agreement.task.classes)
    amount = weight[counts] * agreement.task.factors[index]
    return Labeled(X if counts.all() else np.ascontiguousarray(X[counts]), index, amount)


def make_part(job: Job, rows: Labeled, apart: NDArray[np.bool_], n_threads: int) -> Part:
    """Bin the examples that are not kept apart."""
    kept = rows.take(apart)
    rows = rows.take(~apart) if len(kept) else rows
    every_row = np.arange(len(rows), dtype=np.uint32)
    binning = job.agreement.binning
    targets = job.plan.targets
    return Part(
        words=binning.pack(rows.X, every_row, one_each(binning.n_bins), n_threads=n_threads),
        y=rows.y.astype(np.min_scalar_type(job.plan.n_classes)),
        amount=rows.weight,
        odds={
            place: follow(start, rows.X, rows.y == targets[place], n_threads)
            for place, start in job.starts.items()
        },
        apart=kept,
    )


def follow(start: Start, X: Floats, positive: NDArray[np.bool_], n_threads: int) -> Floats:
    """Return the odds exp(-y F) as boosting left them, to the bit: multiplied tree by tree."""
    ensemble = start.boosted
    order = negatives_first(positive)
    odds = np.ones(len(order))
    for begin in range(0, len(order), BLOCK):
        rows = order[begin : begin + BLOCK]
        leaf = ensemble.apply(np.ascontiguousarray(X[rows]), n_threads)
        n_negative = int(np.count_nonzero(~positive[rows]))
        for j, (minus, plus) in enumerate(start.factors):
            own = np.ascontiguousarray(leaf[:, j])
            block = odds[begin : begin + BLOCK]
            _native.update_odds(own, n_negative, minus, plus, 1, block)
    in_rows = np.empty_like(odds)
    in_rows[order] = odds
    return in_rows


def join_words(parts: list[Part], positive: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Return the bins of all parts, the negative class first; parts leave the list as they go in.

    So there are never two copies of more than one part.
    """
    n_negative = int(np.count_nonzero(~positive))
    words = np.empty((parts[0].words.shape[0], len(positive)), np.uint64)
    places, first = [0, n_negative], 0
    while parts:
        part = parts.pop(0)
        mine = positive[first : first + len(part)]
        first += len(part)
        for side, rows in enumerate((~mine, mine)):
            begin = places[side]
            places[side] += int(np.count_nonzero(rows))
            for group, source in zip(words, part.words, strict=True):
                group[begin : places[side]] = source[rows]
    return words


def find_segments(
    by_class: NDArray[np.int64], mine: Sequence[int], target: int
) -> list[tuple[int, int]]:
    """Return where the examples of some partitions stand among all, and how many follow there.

    The order is that of one machine: the negative class first, each class in the order of
    partitions. ``by_class`` tells how many examples of each class each partition has.
    """
    positive = by_class[:, target]
    negative = by_class.sum(axis=1) - positive
    begin = np.stack(
        [np.cumsum(negative) - negative, negative.sum() + np.cumsum(positive) - positive]
    )
    size = np.stack([negative, positive])
    segments: list[tuple[int, int]] = []
    for side in (0, 1):
        for part in mine:
            at, n = int(begin[side, part]), int(size[side, part])
            if segments and sum(segments[-1]) == at:
                segments[-1] = (segments[-1][0], segments[-1][1] + n)
            else:
                segments.append((at, n))
    return segments
