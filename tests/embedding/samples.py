"""Trees to embed: random shapes and confidences, and the extreme ones.

Built with the kept nodes in view: most confidences increase along paths, some tie or fall.
"""

import numpy as np
from hypothesis import strategies as st

from horotree.embedding import DiskEmbedding
from horotree.trees import monotonic
from tests.factories import make_tree, random_shape

# The largest confidence that the logit of a double can have.
LARGEST = 745.0

generators = st.integers(0, 2**32 - 1).map(np.random.default_rng)
shapes = st.sampled_from(["any", "chain", "even"])
# How much more confident a child is than its parent: nearly equal, as in real trees, far.
gains = st.sampled_from([1e-9, 0.05, 0.7, 5.0, 60.0])


@st.composite
def monotonic_trees(draw, *, max_leaves=40, largest=LARGEST):
    """Draw a monotonic tree with confidences up to ``largest``; one in four roots has none."""
    rng = draw(generators)
    tree = random_tree(rng, draw(st.integers(1, max_leaves)), shape=draw(shapes))
    root = draw(st.sampled_from([0.0, 1e-6, 0.3, 4.0]))
    return with_gains(rng, tree, root=root, gain=draw(gains), largest=largest)


def random_monotonic(rng, n_leaves, *, shape="any", root=0.3, gain=0.7, keep=0.8, largest=LARGEST):
    """Return a monotonic tree of a tree with so many leaves."""
    tree = random_tree(rng, n_leaves, shape=shape)
    return with_gains(rng, tree, root=root, gain=gain, keep=keep, largest=largest)


def with_gains(rng, tree, *, root, gain, keep=0.8, largest=LARGEST):
    """Return the monotonic tree after giving children more confidence, with probability ``keep``.

    The others tie with their parents, or are less confident.
    """
    size = rng.exponential(gain, tree.n_nodes)
    size = np.where(rng.random(tree.n_nodes) < keep, size, -rng.choice([0.0, 0.4]) * size)
    confidence = np.empty(tree.n_nodes)
    confidence[0] = root
    parent = tree.parent.tolist()
    for node in range(1, tree.n_nodes):
        confidence[node] = abs(confidence[parent[node]] + size[node])
    confidence *= min(1.0, largest / max(confidence.max(), 1e-300))
    return with_values(tree, confidence * rng.choice([-1.0, 1.0], tree.n_nodes))


def with_values(tree, value):
    """Return the monotonic tree after replacing all values."""
    return monotonic(make_tree(tree.left, tree.right, value))


def random_tree(rng, n_leaves, *, shape="any"):
    """Return a tree in which any leaf, the last one or the oldest one is split, over and over."""
    split = {"any": "any", "chain": "last", "even": "oldest"}[shape]
    return make_tree(*random_shape(rng, n_leaves, split=split))


def path(confidences):
    """Return the monotonic tree of a chain: each node's other child ties with it."""
    n = len(confidences)
    left = np.full(2 * n - 1, -1)
    left[: 2 * n - 2 : 2] = np.arange(2, 2 * n, 2)
    right = np.full(2 * n - 1, -1)
    right[: 2 * n - 2 : 2] = np.arange(1, 2 * n - 1, 2)
    value = np.repeat(np.asarray(confidences, np.float64), 2)[: 2 * n - 1]
    return with_values(make_tree(left, right, np.zeros(2 * n - 1)), value)


def scatter(rng, monotonic_tree, *, t=1.0):
    """Return an embedding that knows no order: angles at random, some of them equal."""
    n = len(monotonic_tree)
    angle = rng.uniform(-7.0, 7.0, n)
    angle = np.where(rng.random(n) < 0.2, rng.choice(angle, n), angle)
    return DiskEmbedding(monotonic_tree, monotonic_tree.confidence, angle, t)
