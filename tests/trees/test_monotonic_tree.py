"""Monotonic trees against Algorithm 1 to the letter, and what their definition promises."""

import itertools
import math
import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.losses import link
from horotree.trees import MonotonicTree, find_hosts, monotonic
from horotree.trees.rules.paths import path_rule
from tests.factories import leaf, make_tree, stump
from tests.reference.monotonic import made_by_algorithm, made_by_hosts
from tests.trees import oracle
from tests.trees.strategies import (
    chain,
    generators,
    matrices,
    n_categories,
    random_tied_tree,
    random_tree,
    tied_trees,
    trees,
)

trees_and_rows = n_categories.flatmap(lambda sizes: st.tuples(tied_trees(sizes), matrices(sizes)))


# --- Algorithm 1 ----------------------------------------------------------------------------------


@given(generators)
def test_nodes_arcs_and_tags_are_those_of_the_algorithm(rng):
    for _ in range(25):  # thousands of trees in all
        tree = random_tied_tree(rng, [0, 0, 3], int(rng.integers(1, 13)))
        assert made_by_hosts(monotonic(tree)) == made_by_algorithm(tree)


@given(generators)
def test_without_ties_too(rng):
    tree = random_tree(rng, [0], 40)
    assert made_by_hosts(monotonic(tree)) == made_by_algorithm(tree)


@given(st.lists(st.floats(-750.0, 750.0), min_size=3, max_size=3))
def test_stumps(value):
    tree = stump(value)
    confidence = sorted(abs(v) for v in value)
    # not the trap of the tolerance, which has its own test
    if all(a == b or b > a * (1.0 + 1e-9) for a, b in itertools.pairwise(confidence)):
        assert made_by_hosts(monotonic(tree)) == made_by_algorithm(tree)


@pytest.mark.parametrize("value", [0.0, -2.0, 745.0])
def test_a_single_node_speaks_for_itself(value):
    kept = monotonic(leaf(value))
    assert made_by_hosts(kept) == made_by_algorithm(kept.tree) == {0: (-1, [], [])}
    assert kept.host.tolist() == kept.node.tolist() == [0]
    assert kept.parent.tolist() == [-1]
    assert kept.is_leaf.tolist() == [True]
    assert kept.rerouted.tolist() == []


def test_a_root_that_knows_nothing_is_kept_and_hosts_what_knows_nothing():
    kept = monotonic(stump([0.0, 0.0, -1e-300]))
    assert kept.host.tolist() == [0, 0, 2]
    assert kept.tags(0).tolist() == [1]


N_INNER = 5_000


@pytest.mark.parametrize("order", ["rising", "falling", "tied", "random"])
def test_chains_of_thousands_of_nodes(order):
    rng = np.random.default_rng(4)
    n = 2 * N_INNER + 1
    confidence = {
        "rising": np.arange(1.0, n + 1),
        "falling": np.arange(n, 0.0, -1.0),
        "tied": np.full(n, 1.0),
        "random": rng.choice(np.arange(1.0, 300.0), n),
    }[order]
    tree = chain(confidence * rng.choice([-1.0, 1.0], n), rng)
    kept = monotonic(tree)
    assert made_by_hosts(kept) == made_by_algorithm(tree)
    assert tree.depth.max() == N_INNER
    n_kept = {"rising": [n], "falling": [1], "tied": [1], "random": range(2, 600)}
    assert len(kept) in n_kept[order]


# --- ties -----------------------------------------------------------------------------------------


ROUTES = [
    lambda p: float(link(float(p))),
    lambda p: -float(link(float(1 - p))),
    lambda p: -float(link(1.0 - float(p))),
    lambda p: math.log(p.numerator) - math.log(p.denominator - p.numerator),
    lambda p: math.log(30 * p.numerator / (30 * (p.denominator - p.numerator))),
    lambda p: math.log(float(p) / (1.0 - float(p))),
    lambda p: 2.0 * math.atanh(2.0 * float(p) - 1.0),
    lambda p: float(np.log(np.float64(p)) - np.log1p(-np.float64(p))),
]
POSTERIORS = [Fraction(k, n) for n in (2, 3, 7, 10) for k in range(1, n)]


@given(generators)
def test_a_tie_is_one_however_the_value_was_computed(rng):
    tree = random_tree(rng, [0], int(rng.integers(2, 13)))
    posteriors = [POSTERIORS[i] for i in rng.integers(len(POSTERIORS), size=tree.n_nodes)]
    value = [ROUTES[rng.integers(len(ROUTES))](p) for p in posteriors]
    tree = replace(tree, value=value)
    assert made_by_hosts(monotonic(tree)) == made_by_algorithm(tree, posteriors)


def test_ties_that_floating_point_breaks():
    assert 1 - 0.7 != 0.3
    assert abs(math.log(0.3 / 0.7)) != abs(math.log(0.7 / (1 - 0.7)))
    values = [math.log(3 / 7), math.log(0.3) - math.log(1 - 0.3), -math.log(70 / 30)]
    values.append(float(np.nextafter(values[0], -1.0)))  # more confident by the last bit
    for root, child in itertools.product(values, values):
        assert len(monotonic(stump([root, child, -child]))) == 1


def test_the_tolerance_is_a_share_of_the_confidence():
    for scale in (1e-300, 1e-9, 1.0, 700.0):
        above = scale * (1.0 + 2e-12)
        within = scale * (1.0 + 5e-13)
        assert monotonic(stump([scale, -above, within])).host.tolist() == [0, 1, 0]


# --- what the definition promises -----------------------------------------------------------------


@given(trees() | tied_trees(max_leaves=40))
def test_confidence_increases_strictly_along_every_arc(tree):
    kept = monotonic(tree)
    assert (kept.confidence[1:] > kept.confidence[kept.parent[1:]]).all()
    assert (kept.parent[1:] < np.arange(1, len(kept))).all()
    assert kept.node[0] == 0
    assert len(kept) <= tree.n_nodes
    for v in range(tree.n_nodes):  # along the whole path, not only from the host above
        confidence = tree.confidence[oracle.path_to(tree, v)]
        if kept.is_kept[v] and v:
            assert confidence[-1] > confidence[:-1].max()
        host = oracle.path_to(tree, v).index(kept.host[v])
        assert confidence.max() <= confidence[host] * (1.0 + 1e-12)


@given(trees_and_rows)
def test_a_kept_node_is_reached_by_the_rows_for_which_its_rule_holds(drawn):
    tree, X = drawn
    paths = [oracle.path_to(tree, oracle.leaf_of(tree, row)) for row in X]
    for node in monotonic(tree).node.tolist():
        assert path_rule(tree, node).holds(X).tolist() == [node in path for path in paths]


@given(trees_and_rows)
def test_tests_of_sibling_arcs_exclude_each_other_and_lead_to_the_host(drawn):
    tree, X = drawn
    kept = monotonic(tree)
    arcs = {}
    for node, row in zip(kept.node[1:].tolist(), kept.parent[1:], strict=True):
        start = int(kept.node[row])
        arcs.setdefault(start, []).append((node, path_rule(tree, node, start=start).holds(X)))
    for outgoing in arcs.values():  # for any row, also one that does not reach it
        assert (np.sum([holds for _, holds in outgoing], axis=0) <= 1).all()
    for i, row in enumerate(X):
        node = 0
        while following := [child for child, holds in arcs.get(node, []) if holds[i]]:
            (node,) = following
        assert node == kept.host[oracle.leaf_of(tree, row)]


@given(tied_trees(max_leaves=30))
def test_tests_of_sibling_arcs_part_at_one_node(tree):
    made = made_by_algorithm(tree)
    for (_, a), (_, b) in itertools.combinations(made.items(), 2):
        if a[0] == b[0] and a[1] and b[1]:
            one, other = next(pair for pair in zip(a[1], b[1], strict=False) if pair[0] != pair[1])
            assert one[0] == other[0]
            assert {one[1], other[1]} == {"left", "right"}


@given(tied_trees(max_leaves=30))
def test_every_rerouted_leaf_is_the_tag_of_one_kept_node(tree):
    kept = monotonic(tree)
    tags = [int(tag) for node in kept.node for tag in kept.tags(node)]
    assert sorted(tags) == kept.rerouted.tolist()
    assert set(tags) == {v for v in range(tree.n_nodes) if tree.left[v] < 0 and kept.host[v] != v}
    for v in set(range(tree.n_nodes)) - set(kept.node.tolist()):
        assert kept.tags(v).tolist() == []


def prune(tree, cut):
    """Return the tree whose nodes ``cut`` are leaves, and the former numbers of its nodes."""
    gone = np.zeros(tree.n_nodes, bool)
    for v in range(1, tree.n_nodes):
        gone[v] = gone[tree.parent[v]] or tree.parent[v] in cut
    old = np.flatnonzero(~gone)
    is_inner = (tree.left[old] >= 0) & ~np.isin(old, list(cut))
    new = np.cumsum(~gone) - 1
    sets = [
        tree.category[tree.category_start[v] : tree.category_start[v + 1]] if inner else []
        for v, inner in zip(old, is_inner, strict=True)
    ]
    pruned = make_tree(
        np.where(is_inner, new[tree.left[old]], -1),
        np.where(is_inner, new[tree.right[old]], -1),
        tree.value[old],
        feature=np.where(is_inner, tree.feature[old], -1),
        threshold=np.where(is_inner, tree.threshold[old], 0.0),
        missing_left=tree.missing_left[old],
        sets=sets,
        output=tree.output[old],
        weight=tree.weight[old],
        count=tree.count[old],
    )
    return pruned, old


@given(tied_trees(max_leaves=30), generators)
def test_the_monotonic_tree_of_a_pruning_is_a_subtree(tree, rng):
    inner = np.flatnonzero(~tree.is_leaf)
    cut = set(inner[rng.random(len(inner)) < 0.2].tolist())
    pruned, old = prune(tree, cut)
    small, whole = monotonic(pruned), monotonic(tree)
    np.testing.assert_array_equal(old[small.host], whole.host[old])
    assert set(old[small.node]) == set(whole.node) & set(old)
    for node, row in zip(small.node[1:], small.parent[1:], strict=True):
        place = np.flatnonzero(whole.node == old[node])[0]
        assert whole.node[whole.parent[place]] == old[small.node[row]]


@given(generators, st.integers(1, 20))
def test_where_posteriors_are_means_of_children_the_most_confident_node_is_a_leaf(rng, n_leaves):
    tree = random_tree(rng, [0], n_leaves)
    counts = np.where(tree.is_leaf, rng.integers(1, 50, (2, tree.n_nodes)), 0)
    for v in range(tree.n_nodes - 1, 0, -1):
        counts[:, tree.parent[v]] += counts[:, v]
    kept = monotonic(replace(tree, value=np.log(counts[1]) - np.log(counts[0])))
    largest = kept.tree.confidence[tree.is_leaf].max()
    np.testing.assert_allclose(kept.confidence.max(), largest, rtol=1e-12)
    # A leaf of the monotonic tree is one of the tree, unless all below it tie with it.
    for node in kept.node[kept.is_leaf & ~tree.is_leaf[kept.node]]:
        below = [v for v in range(tree.n_nodes) if node in oracle.path_to(tree, v)]
        shares = {Fraction(int(counts[1, v]), int(counts[:, v].sum())) for v in below}
        assert len(shares) == 1


# --- the noun -------------------------------------------------------------------------------------


def test_the_parts_of_a_small_tree():
    tree = replace(
        random_tree(np.random.default_rng(0), [0], 4), value=[1.0, -0.5, 2.0, -1.0, 3.0, 1.0, -2.0]
    )
    kept = monotonic(tree)
    host = []
    for v in range(7):
        above = 0 if v == 0 else host[tree.parent[v]]
        host.append(v if abs(tree.value[v]) > abs(tree.value[above]) else above)
    assert kept.host.tolist() == host
    assert kept.is_kept.tolist() == [host[v] == v for v in range(7)]
    assert kept.node.tolist() == sorted(set(host))
    assert [kept.node[i] for i in kept.row] == host
    np.testing.assert_array_equal(kept.value, tree.value[kept.node])
    np.testing.assert_array_equal(kept.confidence, tree.confidence[kept.node])
    inner = {int(p) for p in kept.parent} - {-1}
    assert kept.is_leaf.tolist() == [i not in inner for i in range(len(kept))]
    assert repr(kept) == f"MonotonicTree({len(kept)} of 7 nodes)"


@given(tied_trees(), tied_trees())
def test_equality_pickles_and_read_only_arrays(a, b):
    one, other = monotonic(a), monotonic(b)
    back = pickle.loads(pickle.dumps(one))  # noqa: S301 - bytes of our own
    assert back == one
    assert hash(back) == hash(one)
    assert (one == other) == (a == b)
    for name in ("host", "is_kept", "node", "row", "parent", "n_tests", "is_leaf", "value",
                 "confidence", "rerouted"):  # fmt: skip
        array = getattr(one, name)
        assert not array.flags.writeable
        if array.dtype.kind == "i":
            assert array.dtype == np.int32
    with pytest.raises(AttributeError):
        one.tree = a


def test_hosts_are_those_of_the_tree():
    tree = stump([1.0, 0.5, 0.5])
    assert MonotonicTree(tree) == monotonic(tree)
    assert monotonic(tree).host is tree.host
    assert tree.host.tolist() == [0, 0, 0]


def test_other_trees_are_refused():
    with pytest.raises(TypeError, match="tree must be a horotree tree, got a str"):
        MonotonicTree("tree")


def test_hosts_of_lists():
    hosts = find_hosts([-1, 0, 0, 2], [1.0, 2.0, 1.0, 3])
    assert hosts.tolist() == [0, 1, 0, 3]
    assert hosts.dtype == np.int32
