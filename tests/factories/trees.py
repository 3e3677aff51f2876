"""Trees of which a test states what matters, and nothing else."""

import numpy as np

from horotree.trees import Tree


def make_tree(left, right, value=0.0, **others):
    """Return a tree: a number stands for all nodes, of tests only where there is one.

    ``sets`` are the categories that go left, a list a node. Nodes predict their value unless there
    is an ``output``; each has one row of weight 1.
    """
    left, right = np.asarray(left), np.asarray(right)
    n, inner = len(left), left >= 0
    sets = others.pop("sets", [[]] * n)
    fields = {
        "feature": 0,
        "threshold": 0.0,
        "missing_left": False,
        "output": value,
        "weight": 1.0,
        "count": 1,
    } | others
    for name, nothing in {"feature": -1, "threshold": 0.0, "missing_left": False}.items():
        if np.ndim(fields[name]) == 0:
            fields[name] = np.where(inner, fields[name], nothing)
    fields["value"] = value
    arrays = {name: np.broadcast_to(field, n) for name, field in fields.items()}
    return Tree(
        left=left,
        right=right,
        category_start=np.cumsum([0, *map(len, sets)]),
        category=np.array([code for codes in sets for code in codes], np.int32),
        **arrays,
    )


def leaf(value):
    """Return a tree of one node."""
    return make_tree([-1], [-1], value)


def stump(value=(0.0, -1.0, 1.0), *, codes=(), **others):
    """Return a tree with one test: whether column 0 is at most 1/2, or among these codes."""
    sets = [list(codes), [], []]
    return make_tree(
        [1, -1, -1],
        [2, -1, -1],
        value,
        **({"sets": sets, "threshold": 0.0 if codes else 0.5} | others),
    )


def balanced(depth, value=0.0):
    """Return a tree with 2**depth leaves, the last of its nodes."""
    nodes = np.arange(2 ** (depth + 1) - 1)
    inner = nodes < len(nodes) // 2
    left, right = (np.where(inner, 2 * nodes + side, -1) for side in (1, 2))
    return make_tree(left, right, value)


def random_shape(rng, n_leaves, *, split="any", swap=True):
    """Return the children of a tree: any leaf, the last or the oldest one is split again and again.

    Children may be on either side, unless they are not to be swapped.
    """
    left, right = np.full((2, 2 * n_leaves - 1), -1)
    leaves = [0]
    for first in range(1, 2 * n_leaves - 1, 2):
        place = (
            int(rng.integers(len(leaves))) if split == "any" else {"last": -1, "oldest": 0}[split]
        )
        node = leaves.pop(place)
        leaves += [first, first + 1]
        swapped = swap and rng.random() < 0.5
        left[node], right[node] = (first + 1, first) if swapped else (first, first + 1)
    return left, right
