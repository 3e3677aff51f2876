"""Statements on a node: shares of rows that can be counted, and its vote."""

import numpy as np

from horotree.display.text.numbers import write_value
from horotree.evaluation.segments import Segments
from horotree.evaluation.texts import percent
from horotree.scene import Scene


def tree_name(tree: int, n_trees: int) -> str:
    """Return which tree it is and which there are, all counted from 0 as in Python.

    Examples
    --------
    >>> from horotree.display.text.nodes import tree_name
    >>> tree_name(3, 200), tree_name(0, 1)
    ('Tree 3 of 0–199', 'Tree')
    """
    return f"Tree {tree:,} of 0–{n_trees - 1:,}" if n_trees > 1 else "Tree"


def describe(scene: Scene, row: int) -> list[str]:
    """Return one or two lines on the rows at a node, without the name of its class.

    With data: the number of rows, the share of the class with its exact 95 % interval, its ratio to
    the base rate, and the model's mean probability. Without: the training rows, and the class share
    if values are shares, else the step in the score's log-odds.
    """
    if scene.segments is not None:
        return _describe_data(scene, scene.segments, row)
    rows = int(scene.count[row])
    count = f" of {_rows(rows, 'training')}{_weighed(scene)}" if rows >= 0 else ""
    if scene.share is not None:
        share = float(scene.share[row])
        return [f"{percent(share if scene.positive[row] else 1.0 - share)} %{count}"]
    more = f"  ·  {_rows(rows, 'training')}" if rows >= 0 else ""
    return [f"this tree's vote {write_value(float(scene.value[row]))}{more}"]


def _describe_data(scene: Scene, found: Segments, row: int) -> list[str]:
    node = int(scene.embedding.monotonic.node[row])
    count = int(found.count[node])
    if not count:
        return ["no held-out rows"]
    own = bool(scene.positive[row])
    share, low, high = (float(x[node]) for x in (found.share, found.low, found.high))
    probability, base = float(found.probability[node]), float(found.share[0])
    if not own:
        share, low, high = 1.0 - share, 1.0 - high, 1.0 - low
        probability, base = 1.0 - probability, 1.0 - base
    lift = f"{_times(share / base)} the base rate; " if base > 0.0 else ""
    return [
        f"{percent(share)} % of {_rows(count, 'held-out')} ({percent(low)} to {percent(high)} %)",
        f"{lift}the model says {percent(probability)} %",
    ]


def _weighed(scene: Scene) -> str:
    """Return a remark if training rows had different weights, as in bootstraps."""
    tree = scene.embedding.monotonic.tree
    if not tree.weight[0] > 0.0:
        return ""
    gap = np.abs(tree.weight / tree.weight[0] - tree.count / tree.count[0])
    return ", as weighed" if (gap > 1e-6).any() else ""


def _rows(count: int, kind: str) -> str:
    return f"{count:,} {kind} row{'' if count == 1 else 's'}"


def _times(ratio: float) -> str:
    return f"{ratio:.2g} ×" if ratio < 9.95 else f"{ratio:,.0f} ×"
