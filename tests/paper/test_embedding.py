"""Section 5 of the paper: monotonic trees and their embedding, named by label."""

import itertools

import numpy as np
import pytest

from horotree.display import DiskDisplay
from horotree.embedding import embed
from horotree.geometry import polar, tself
from horotree.tempered import log_t
from horotree.training import Settings
from horotree.trees import Ensemble, Model, monotonic, path_rule
from tests.factories import make_tree
from tests.reference.monotonic import depth, link_nodes, made_by_algorithm, made_by_hosts
from tests.reference.monotonic import monotonic as create_mdt
from tests.training.samples import boost_table
from tests.trees.oracle import leaf_of, path_to

# Unsmoothed posteriors are the paper's: no leaf may be pure then.
LITERAL = Settings(
    n_estimators=5, max_leaf_nodes=31, smoothing=0.0, learning_rate=1.0, pure_leaves="forbid"
)


def problem(n=500, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    positive = X[:, 0] + X[:, 1] ** 2 + rng.normal(size=n) > 1
    return np.ascontiguousarray(X), positive


def learn(seed=0):
    """Return rows and the trees that boosting learns from them."""
    X, positive = problem(seed=seed)
    kinds = np.zeros(X.shape[1], np.int32)
    return X, boost_table(X, positive, np.ones(len(X)), n_categories=kinds, settings=LITERAL)


@pytest.mark.parametrize("seed", range(2))
def test_defMDT(seed):
    """Tests on arcs, a prediction at nodes, rising confidence, and the bottommost node predicts."""
    X, ensemble = learn(seed)
    for tree in ensemble.trees:
        kept = monotonic(tree)
        assert 1 < len(kept) < tree.n_nodes
        outgoing = {}
        for node, row in zip(kept.node[1:].tolist(), kept.parent[1:].tolist(), strict=True):
            start = int(kept.node[row])
            outgoing.setdefault(start, []).append((node, path_rule(tree, node, start).holds(X)))
            assert abs(tree.value[node]) > abs(tree.value[start])
        for arcs in outgoing.values():
            assert not any((a & b).any() for (_, a), (_, b) in itertools.combinations(arcs, 2))
        alone = Ensemble((tree,), [1.0], [0.0], 0.0).as_drawn().score(X)
        for i in range(0, len(X), 10):
            node = 0
            while reached := [child for child, holds in outgoing.get(node, []) if holds[i]]:
                (node,) = reached
            assert alone[i] == tree.value[node]


@pytest.mark.parametrize("seed", range(3))
def test_alg_initsampling(seed):
    """One integer a node is all of Algorithm 1: its nodes, its arcs with their tests, its tags."""
    _, ensemble = learn(seed)
    for tree in ensemble.trees:
        made = made_by_algorithm(tree)
        assert made_by_hosts(monotonic(tree)) == made
        assert any(len(tests) > 1 for _, tests, _ in made.values())
        assert any(tags for _, _, tags in made.values())


@pytest.mark.parametrize("seed", range(2))
def test_thm_invariant_M(seed):
    """H'(x) is predicted by the deepest node of the strictly rising subsequence on x's path."""
    X, ensemble = learn(seed)
    names = tuple("abcd")
    model = Model((ensemble,), "logistic", [0, 1], names, (None,) * 4, "float64").as_drawn()
    score = model.score(X)
    for i in range(0, len(X), 10):
        expected = 0.0
        for tree, leverage in zip(ensemble.trees, ensemble.leverage, strict=True):
            deepest, *rest = path_to(tree, leaf_of(tree, X[i]))
            for node in rest:
                if tree.confidence[node] > tree.confidence[deepest] * (1.0 + 1e-12):
                    deepest = node
            expected += leverage * tree.value[deepest]
        assert score[i] == expected


# A tree that the caption fits, by node: left and right child, and value.
FIGURE = {
    0: (1, 2, 0.1),
    1: (-1, -1, -0.5),
    2: (3, 4, 0.8),
    3: (5, 6, 1.5),
    4: (7, 8, -0.9),
    5: (-1, -1, 1.1),
    6: (9, 10, 0.7),
    7: (-1, -1, -2.5),
    8: (11, 12, -1.0),
    9: (-1, -1, -0.4),
    10: (-1, -1, 2.2),
    11: (-1, -1, 0.9),
    12: (-1, -1, -1.7),
}


def draw_figure():
    left, right, value = map(list, zip(*FIGURE.values(), strict=True))
    return make_tree(left, right, value)


def test_fig_dt_vs_mdt():
    """What the caption says of leaves 5, 9, 11, of node 6, of the arc from 3 to 10, of depths."""
    tree = draw_figure()
    kept = monotonic(tree)
    tags = {int(node): kept.tags(node).tolist() for node in kept.node if len(kept.tags(node))}
    assert tags == {3: [5, 9], 8: [11]}
    assert set(range(13)) - set(kept.node.tolist()) == {5, 6, 9, 11}
    assert abs(tree.value[6]) < abs(tree.value[3])  # worse than its parent: it disappears
    place = kept.node.tolist().index(10)
    assert kept.node[kept.parent[place]] == 3
    assert kept.n_tests.tolist() == [2 if node == 10 else int(node > 0) for node in kept.node]
    n_children = np.bincount(kept.parent[1:], minlength=len(kept))
    assert kept.node[n_children == 1].tolist() == [3, 8]  # some nodes have outdegree 1
    root = link_nodes(tree.left, tree.right, tree.posterior.tolist())
    assert depth(root) == depth(create_mdt(root)) == 4


def test_errorEmbed():
    """The mean relative error of distances: by hand for the paper's placement, 0 for ours."""
    _, ensemble = learn()
    for tree in ensemble.trees:
        kept = monotonic(tree)
        by_hand = [
            abs(abs(tree.value[node]) - distance) / abs(tree.value[node])
            for node, distance in zip(kept.node, embed(kept, "sarkar").distance, strict=True)
        ]
        assert embed(kept, "sarkar").quality().error == pytest.approx(np.mean(by_hand))
        assert embed(kept).quality().error == 0.0


@pytest.mark.parametrize("t", [1.0, 0.7, 0.0])
def test_defCANOLOGBT1(t):
    """In the t-self, log_t((1 + r) / (1 - r)) of a node's drawn norm is its confidence."""
    _, ensemble = learn()
    embedding = embed(monotonic(ensemble.trees[0]))
    norm = tself.norm_t(embedding.distance, t=t)
    found = log_t((1.0 + norm) / (1.0 - norm), t=t)
    np.testing.assert_allclose(found, embedding.monotonic.confidence, rtol=1e-9)


def test_sarkar_mod():
    """Lengths of arcs are differences of confidence; a node's share of its fan grows by leaves."""
    _, ensemble = learn()
    for tree in ensemble.trees:
        kept = monotonic(tree)
        embedding = embed(kept, "sarkar")
        child, parent = np.arange(1, len(kept)), kept.parent[1:]
        length = polar.distance(
            embedding.distance[child],
            embedding.angle[child],
            embedding.distance[parent],
            embedding.angle[parent],
        )
        np.testing.assert_allclose(
            length, np.diff([kept.confidence[parent], kept.confidence[child]], axis=0)[0], rtol=1e-9
        )
        assert embedding.distance[0] == kept.confidence[0]
        assert embedding.angle[0] == -np.pi / 2


def test_fig_hyperbolicsum():
    """The picture has all that the annotated figure of the paper has."""
    _, ensemble = learn()
    names = tuple("abcd")
    model = Model((ensemble,), "logistic", ["no", "yes"], names, (None,) * 4, "float64")
    display = DiskDisplay.from_estimator(model, tree=2)
    assert len(display.leverage_) == 2
    assert len(display.arcs_.get_segments()) == len(display.scene) - 1
    assert display.isolines_
    written = " ".join(text.get_text() for ax in display.figure_.axes for text in ax.texts)
    assert "ρ" in written
