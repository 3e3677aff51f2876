"""Partitions as workers store them: binned, with labels, weights, and odds after earlier trees."""

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

from .messages import Checkpoint, Job

# Rows whose leaves are in memory at a time.
BLOCK = 2**13


@dataclass(frozen=True, slots=True, eq=False)
class BinnedPart:
    """The examples of a partition, in the order of its rows."""

    words: NDArray[np.uint64]  # packed bins
    y: NDArray[Any]  # the index of each class
    weight: Floats
    odds: dict[int, Floats]  # by place of an ensemble, exp(-y F) after the trees so far
    validation: Labeled

    def __len__(self) -> int:
        return len(self.y)


def read(job: Job, table: Any, y: Any, weight: Any) -> Labeled:
    """Return the examples of a partition that have a positive weight."""
    task = job.task
    if open_table(table).shape[0] == 0:  # its columns do not matter
        X = np.empty((0, len(task.columns.feature_names)))
        return Labeled(X, np.empty(0, np.intp), np.empty(0))
    X = task.columns.to_matrix(table)
    labels, weight = as_labels(y, len(X)), as_weights(weight, len(X))
    counts = weight > 0.0
    index = index_labels(labels[counts], task.classes)
    weight = weight[counts] * task.factors[index]
    return Labeled(X if counts.all() else np.ascontiguousarray(X[counts]), index, weight)


def bin_part(job: Job, rows: Labeled, is_held_out: NDArray[np.bool_], n_threads: int) -> BinnedPart:
    """Bin the examples that are not held out for validation."""
    validation = rows.take(is_held_out)
    rows = rows.take(~is_held_out) if len(validation) else rows
    every_row = np.arange(len(rows), dtype=np.uint32)
    binning, targets = job.task.binning, job.plan.targets
    return BinnedPart(
        words=binning.pack(rows.X, every_row, one_each(binning.n_bins), n_threads=n_threads),
        y=rows.y.astype(np.min_scalar_type(job.plan.n_classes)),
        weight=rows.weight,
        odds={
            place: odds_after(start, rows.X, rows.y == targets[place], n_threads)
            for place, start in job.starts.items()
        },
        validation=validation,
    )


def odds_after(start: Checkpoint, X: Floats, positive: NDArray[np.bool_], n_threads: int) -> Floats:
    """Return the odds exp(-y F) as boosting left them, to the bit: multiplied tree by tree."""
    ensemble = start.ensemble
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


def join_words(parts: list[BinnedPart], positive: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Return the packed bins of all parts, the negative class first.

    Each part is dropped from the list when it is copied, so that there are never two copies of more
    than one part.
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
    """Return where the examples of some partitions are among all: pairs of begin and size.

    The order is that of one machine: the negative class first, each class in the order of
    partitions. ``by_class`` has the number of examples per partition and class.
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
