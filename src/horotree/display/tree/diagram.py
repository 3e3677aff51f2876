"""The nodes of a decision tree or of its monotonic tree that are drawn, and the texts at them."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from horotree.display.text.lines import shorten_columns, write_rule
from horotree.trees import Columns, MonotonicTree, Tree
from horotree.trees.rules import path_rule
from horotree.trees.tree import Flags, Ints


@dataclass(frozen=True, slots=True)
class Diagram:
    """A tree to draw: lists with one entry per node, parents first, siblings from left to right."""

    node: list[int]  # the number in the decision tree
    parent: list[int]  # a row; -1 for the root
    level: list[int]  # tests of the decision tree above it
    n_tests: list[int]  # on the arc from the parent
    rule: list[list[str]]  # from the parent, a paragraph per condition
    tags: list[list[int]]  # hosted leaves that are drawn in the decision tree
    n_tags: list[int]  # all hosted leaves
    n_hidden: list[int]  # nodes below it that are not drawn
    value: list[float]
    is_faded: list[bool]  # left out by the monotonic tree
    ends: list[bool]  # left out with everything below

    def write_hidden(self, row: int) -> str:
        """Return the number of nodes below one that are not drawn, as text; empty for none."""
        return f"… {self.n_hidden[row]} below" if self.n_hidden[row] else ""


def choose_nodes(tree: Tree, max_nodes: int) -> list[int]:
    """Return the nodes to draw: at most ``max_nodes``, level by level, children always in pairs.

    The order is depth-first, left children first.
    """
    shown = {0}
    waiting = deque([0])
    while waiting and len(shown) + 2 <= max_nodes:
        node = waiting.popleft()
        if tree.left[node] >= 0:
            children = int(tree.left[node]), int(tree.right[node])
            shown.update(children)
            waiting.extend(children)
    ordered: list[int] = []
    stack = [0]
    while stack:
        node = stack.pop()
        ordered.append(node)
        if int(tree.left[node]) in shown:
            stack += [int(tree.right[node]), int(tree.left[node])]
    return ordered


def draw_tree(monotonic: MonotonicTree, columns: Columns, nodes: Sequence[int]) -> Diagram:
    """Return the diagram of a decision tree, restricted to the nodes of ``choose_nodes``."""
    tree = monotonic.tree
    above = _find_shown(tree, nodes)
    n_hidden = np.bincount(above, minlength=tree.n_nodes) - 1
    parents = [int(tree.parent[node]) for node in nodes]
    return Diagram(
        node=list(nodes),
        parent=_find_rows(nodes, parents),
        level=tree.depth[list(nodes)].tolist(),
        n_tests=[int(node > 0) for node in nodes],
        rule=_write_rules(tree, columns, nodes, parents),
        tags=[[] for _ in nodes],
        n_tags=[0] * len(nodes),
        n_hidden=n_hidden[list(nodes)].tolist(),
        value=tree.value[list(nodes)].tolist(),
        is_faded=(~monotonic.is_kept[list(nodes)]).tolist(),
        ends=_find_ends(monotonic)[list(nodes)].tolist(),
    )


def draw_monotonic(monotonic: MonotonicTree, columns: Columns, nodes: Sequence[int]) -> Diagram:
    """Return the diagram of the monotonic tree, restricted to these nodes of the decision tree."""
    tree, host = monotonic.tree, monotonic.host
    kept = [node for node in nodes if monotonic.is_kept[node]]
    parents = [int(host[tree.parent[node]]) if node else -1 for node in kept]
    above = _find_shown(tree, nodes)
    # A node that is kept but not drawn is below the host of the last node drawn on its path.
    n_hidden = np.bincount(host[above[monotonic.node]], minlength=tree.n_nodes)[kept]
    n_hidden -= np.bincount(host[above[kept]], minlength=tree.n_nodes)[kept]
    shown = set(nodes)
    tags = [[leaf for leaf in monotonic.tags(node).tolist() if leaf in shown] for node in kept]
    return Diagram(
        node=kept,
        parent=_find_rows(kept, parents),
        level=tree.depth[kept].tolist(),
        n_tests=monotonic.n_tests[monotonic.row[kept]].tolist(),
        rule=_write_rules(tree, columns, kept, parents),
        tags=tags,
        n_tags=np.bincount(host[monotonic.rerouted], minlength=tree.n_nodes)[kept].tolist(),
        n_hidden=n_hidden.tolist(),
        value=tree.value[kept].tolist(),
        is_faded=[False] * len(kept),
        ends=[False] * len(kept),
    )


def _find_rows(nodes: Sequence[int], wanted: Sequence[int]) -> list[int]:
    rows = {node: row for row, node in enumerate(nodes)}
    return [rows.get(node, -1) for node in wanted]


def _find_shown(tree: Tree, nodes: Sequence[int]) -> Ints:
    """Return for each node of a tree the last drawn node on its path."""
    above = np.maximum(tree.parent, 0)
    above[list(nodes)] = nodes
    # Each iteration doubles the number of levels.
    while not np.array_equal(above[above], above):
        above = above[above]
    return above


def _find_ends(monotonic: MonotonicTree) -> Flags:
    """Return which nodes are left out together with all nodes below them."""
    ends = ~monotonic.is_kept
    parent = monotonic.tree.parent
    above = monotonic.node
    while len(above):  # what is above a node that is kept leads to it
        above = np.unique(parent[above[above > 0]])
        above = above[ends[above]]
        ends[above] = False
    return ends


def _write_rules(
    tree: Tree, columns: Columns, nodes: Sequence[int], starts: Sequence[int]
) -> list[list[str]]:
    short = shorten_columns(columns)
    return [
        write_rule(path_rule(tree, node, start), short) if start >= 0 else []
        for node, start in zip(nodes, starts, strict=True)
    ]
