"""YDF's random forests and single trees: class shares at every node, averaged or as votes."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from horotree._checks import Floats
from horotree.importers.errors import UnsupportedModelError
from horotree.importers.formats.protobuf import Message
from horotree.importers.formats.protobuf_arrays import Ints, gather
from horotree.importers.shared.forest import RawForest
from horotree.importers.shared.notes import SHARES
from horotree.importers.shared.values import shares_to_values
from horotree.trees import Ensemble, levels

from .nodes import Flags, Nodes

# How well the weights of a node must add up to the sum in the file.
TOLERANCE = 1e-6

# By how much scores are moved off 1/2: more than rounding does, less than anyone sees.
NUDGE = 1e-10

# How many shares there may be, in addition to four a byte of the files: files that have votes only
# are small.
MAX_SHARES = 2**22

# How many trees there may be: one a tree and class.
MAX_TREES = 2**18


def read_shares(
    header: Message, nodes: Nodes, forest: RawForest, n_classes: int
) -> tuple[Sequence[Ensemble], str, tuple[str, ...], None]:
    """Return the ensembles of trees of class shares, the link, and the notes; no steps."""
    if not forest.n_trees:
        raise ValueError("a random forest must have a tree, got none: the file is damaged.")
    if forest.n_trees * n_classes > MAX_TREES:
        raise UnsupportedModelError(
            f"trees times classes may be up to {MAX_TREES}, got {forest.n_trees} times "
            f"{n_classes}: train fewer trees."
        )
    most = MAX_SHARES + 4 * len(nodes.conditions.data)
    if nodes.n * n_classes > most:
        raise UnsupportedModelError(
            f"nodes times classes may be up to {most}, got {nodes.n} times {n_classes}: train on "
            "fewer classes."
        )
    counts, top = _read_counts(nodes, forest, n_classes)
    votes = bool(header.whole(3, 1))
    leaf = forest.left < 0
    if votes and ((top[leaf] < 0) | (top[leaf] >= n_classes)).any():
        raise ValueError("a leaf must vote for a class, got another: the file is damaged.")
    weight = counts.sum(axis=1)
    plain = replace(forest, weight=np.where(leaf, weight, 0.0)).trees(np.ones(forest.n_trees))
    examples = _in_examples(weight, forest)
    drawn = [1] if n_classes == 2 else range(n_classes)
    before, after = _sums_of_others(counts)
    ensembles = []
    for k in drawn:
        others = before[:, k] + after[:, k]
        share, rest = counts[:, k] / (counts[:, k] + others), others / (counts[:, k] + others)
        value = shares_to_values(share, examples, rest)
        output = (top == k).astype(np.float64) if votes else share
        trees = tuple(
            replace(tree, value=value[a:b], output=output[a:b], weight=weight[a:b])
            for tree, a, b in zip(plain, forest.start[:-1], forest.start[1:], strict=True)
        )
        leverage = np.full(len(trees), _leverage(len(trees), n_classes, votes=votes))
        ensembles.append(Ensemble(trees, leverage, np.full(len(trees), np.nan), 0.0))
    return ensembles, "mean", (SHARES,), None


def _read_counts(nodes: Nodes, forest: RawForest, n_classes: int) -> tuple[Floats, Ints]:
    """Return the training weight of every class at every node, and the class it votes for.

    Files may omit fields that prediction does not need. A leaf without weights of classes gets its
    number of examples, at least one, all of the class that it votes for; an inner node gets the sum
    of its children.
    """
    top = nodes.classifier.wholes(1, 0) - 1  # class 0 is out of the dictionary
    has_top = nodes.classifier.find(1, 0) >= 0
    distribution = nodes.classifier.messages(2)
    known, start, end = distribution.spans(1)
    if ((end - start)[known] != 8 * (n_classes + 1)).any():
        raise ValueError(f"a node must have the weights of {n_classes} classes: damaged.")
    counts = np.zeros((nodes.n, n_classes))
    places = start[known, None] + 8 * np.arange(n_classes + 1)
    found = gather(nodes.conditions.data, places, "<f8")
    with np.errstate(over="ignore"):
        total = found.sum(axis=1)
    if not (np.isfinite(total).all() and (found >= 0.0).all()):
        raise ValueError("the weights of classes must be numbers from 0 on: the file is damaged.")
    if found[:, 0].any():
        raise UnsupportedModelError(
            "every training example must be of a class, got some out of the dictionary of the "
            "label: train with all classes in it (min_vocab_frequency=1)."
        )
    given = distribution.doubles(2)[known]
    if not (np.abs(given - total) <= TOLERANCE * total).all():
        raise ValueError("the sum of a node's weights must be theirs: the file is damaged.")
    counts[known] = found[:, 1:]
    known[known] = total > 0.0
    leaf = forest.left < 0
    votes_only = leaf & ~known
    if (votes_only & ~(has_top & (top >= 0) & (top < n_classes))).any():
        raise ValueError("every leaf must have weights of classes, or a vote: damaged.")
    at = np.flatnonzero(votes_only)
    counts[at, top[at]] = np.maximum(nodes.count[at], 1)
    _sum_up(counts, forest, known)
    top = np.where(has_top & nodes.has_classifier, top, counts.argmax(axis=1))
    return counts, top


def _sum_up(counts: Floats, forest: RawForest, known: Flags) -> None:
    """Set the counts of inner nodes without any: the sum of both branches."""
    unknown = (forest.left >= 0) & ~known
    if not unknown.any():
        return
    for level in levels(forest.left, forest.right):
        nodes = level[unknown[level]]
        counts[nodes] = counts[forest.left[nodes]] + counts[forest.right[nodes]]


def _sums_of_others(counts: Floats) -> tuple[Floats, Floats]:
    """Return the sums of the classes before and after each, without subtraction."""
    nothing = np.zeros((len(counts), 1))
    before = np.hstack([nothing, np.cumsum(counts[:, :-1], axis=1)])
    after = np.hstack([np.cumsum(counts[:, :0:-1], axis=1)[:, ::-1], nothing])
    return before, after


def _in_examples(weight: Floats, forest: RawForest) -> Floats:
    """Return weights in units of examples: those of a tree are scaled by its root's."""
    root = forest.start[:-1]
    count = np.where(forest.count[root] > 0, forest.count[root], weight[root])
    with np.errstate(over="ignore"):
        return weight * np.repeat(count / weight[root], np.diff(forest.start))


def _leverage(n_trees: int, n_classes: int, *, votes: bool) -> float:
    """Return the factor of each tree, which decides ties of two classes as YDF does.

    Half of the votes are common. YDF adds up float32 and takes the second class from 1/2 on; ours
    is the first at 1/2.
    """
    if n_classes > 2:
        return 1.0 / n_trees
    half = np.float32(0.5)
    if votes:
        half = np.cumsum(np.full(n_trees // 2 + 1, 1.0 / n_trees, np.float32))[n_trees // 2 - 1]
    return (1.0 + NUDGE if half >= np.float32(0.5) else 1.0 - NUDGE) / n_trees
