"""The exact layout keeps what it promises, on any tree: distances, no crossings, gaps, shares."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import cKDTree

from horotree import _native
from horotree.embedding import embed
from horotree.embedding.exact import GAP, LEAST_NORM, MAX_DRAWN, MAX_LOOKS, N_TRIES, place_exact
from horotree.geometry import polar
from horotree.trees import monotonic
from tests.embedding.checker import find_crossings
from tests.embedding.samples import (
    LARGEST,
    generators,
    make_tree,
    monotonic_trees,
    path,
    random_monotonic,
    random_tree,
    with_values,
)
from tests.reference import layout
from tests.trees.strategies import random_tree as random_table

BUDGETS = ["leaves", "weight", "both"]

options = st.fixed_dictionaries({"budget": st.sampled_from(BUDGETS), "spacing": st.booleans()})
# The automatic t draws within distance 3.66; t = 1 draws a confidence at itself.
temperatures = st.sampled_from(["auto", 1.0, 0.0, -2.0])


def crossings(embedding):
    return find_crossings(embedding.drawn(), embedding.angle, embedding.monotonic.parent)


def arcs(embedding):
    """Return distance and angle of the parents and of the children."""
    drawn, angle, parent = embedding.drawn(), embedding.angle, embedding.monotonic.parent[1:]
    return drawn[parent], angle[parent], drawn[1:], angle[1:]


def flat_tree(values):
    """Return the monotonic tree of a root with confidence 0 and children of these values."""
    n = len(values)
    left, right = np.full(2 * n - 1, -1), np.full(2 * n - 1, -1)
    inner = np.arange(0, 2 * n - 2, 2)
    left[inner], right[inner] = inner + 1, inner + 2
    value = np.zeros(2 * n - 1)
    value[[*range(1, 2 * n - 1, 2), 2 * n - 2]] = values
    return with_values(make_tree(left, right, value), value)


def near_ties(rng, n_leaves, *, root, shape="any"):
    """Return a monotonic tree in which confidences differ by parts in 1e12."""
    tree = random_tree(rng, n_leaves, shape=shape)
    confidence = np.full(tree.n_nodes, float(root))
    for node, parent in enumerate(tree.parent.tolist()):
        if node:
            tied = rng.random() < 0.3
            confidence[node] = confidence[parent] * (1.0 + (0.0 if tied else 1.05e-12))
    return with_values(tree, confidence)


def two_fans(root, gain, n_other, n_below):
    """Return a root with children that are a hair farther, the first with children like that."""
    links, value, spare = {}, [-root], 0

    def split(node, *children):
        """Give a node two children of these values, and return their numbers."""
        value.extend(children)
        links[node] = len(value) - 2, len(value) - 1
        return links[node]

    near, far = -(root + gain), -(root + 2.0 * gain)
    head, spare = split(0, near, -root if n_other > 1 else near)
    for i in range(n_other - 1):  # nodes that tie with the root only pass on
        _, spare = split(spare, near, -root if i < n_other - 2 else near)
    for i in range(n_below - 1):
        _, head = split(head, far, near if i < n_below - 2 else far)
    left, right = ([links.get(node, (-1, -1))[k] for node in range(len(value))] for k in (0, 1))
    return with_values(make_tree(left, right, value), value)


@given(monotonic_trees(), options)
def test_distance_is_confidence_to_the_last_bit(monotonic_tree, options):
    embedding = embed(monotonic_tree, **options)
    assert embedding.monotonic is monotonic_tree
    assert embedding.distance.tobytes() == monotonic_tree.confidence.tobytes()
    known = monotonic_tree.confidence.max() > 0.0
    assert embedding.quality().error == 0.0 or not known


@given(monotonic_trees(), options)
def test_no_arcs_cross(monotonic_tree, options):
    assert crossings(embed(monotonic_tree, **options)) == []


@given(monotonic_trees(largest=0.99 * MAX_DRAWN), temperatures, options)
def test_no_arcs_cross_at_other_temperatures(monotonic_tree, t, options):
    embedding = embed(monotonic_tree, t=t, **options)
    assert t in ("auto", embedding.t)
    assert crossings(embedding) == []


@given(generators, st.integers(2, 60), st.sampled_from([3.0, 700.0]), st.booleans())
def test_no_arcs_cross_where_confidences_differ_by_parts_in_1e12(rng, n_leaves, root, spacing):
    monotonic_tree = near_ties(rng, n_leaves, root=root)
    assert crossings(embed(monotonic_tree, spacing=spacing)) == []


@pytest.mark.parametrize(
    ("root", "gain", "n_other", "n_below", "t"),
    [
        (700.0, 1.05e-12 * 700.0, 2, 24, "auto"),
        (300.0, 1.05e-12 * 300.0, 2, 28, "auto"),
        (14.0, 1e-4, 1, 6, 1.0),
        (10.0, 1e-8, 3, 7, 1.0),
    ],
)
def test_a_node_that_sees_its_interval_all_around_is_straight_outward(
    root, gain, n_other, n_below, t
):
    """What else is allowed is less than doubles tell apart."""
    monotonic_tree = two_fans(root, gain, n_other, n_below)
    assert len(monotonic_tree) == 2 + n_other + n_below
    assert crossings(embed(monotonic_tree, t=t, spacing=False)) == []
    assert crossings(embed(monotonic_tree, t=t)) == []


@pytest.mark.parametrize("shape", ["any", "even", "chain"])
def test_large_trees_have_no_crossings(shape):
    monotonic_tree = random_monotonic(np.random.default_rng(7), 600, shape=shape, gain=0.2)
    assert len(monotonic_tree) > 500
    assert crossings(embed(monotonic_tree)) == []
    assert embed(monotonic_tree).quality().crossings == 0


@given(monotonic_trees(), options)
def test_arcs_end_farther_out_than_they_start(monotonic_tree, options):
    start, _, end, _ = arcs(embed(monotonic_tree, **options))
    assert (end > start).all()


@given(monotonic_trees(), options)
def test_the_excess_of_an_arc_is_bounded_by_its_direction(monotonic_tree, options):
    embedding = embed(monotonic_tree, **options)
    start, start_angle, end, end_angle = arcs(embedding)
    direction = polar.direction(start, start_angle, end, end_angle)
    excess = polar.distance(start, start_angle, end, end_angle) - (end - start)
    bound = -2.0 * np.log(np.maximum(np.cos(0.5 * direction), 1e-300))
    assert (excess >= -1e-12).all()
    np.testing.assert_array_less(excess, bound * (1.0 + 1e-9) + 1e-9)


@given(monotonic_trees(), options)
def test_two_runs_give_the_same_bits(monotonic_tree, options):
    first, second = (embed(monotonic_tree, **options) for _ in range(2))
    assert first == second
    assert first.angle.tobytes() == second.angle.tobytes()


@given(monotonic_trees(), st.sampled_from(BUDGETS))
def test_spacing_keeps_distances_and_separates(monotonic_tree, budget):
    plain, spaced = (embed(monotonic_tree, budget=budget, spacing=on) for on in (False, True))
    assert plain.distance.tobytes() == spaced.distance.tobytes()
    assert plain.t == spaced.t
    assert spaced.quality().separation >= plain.quality().separation - 1e-9


def test_spacing_separates_what_is_crowded():
    """Half of the leaves gain next to nothing: they are drawn upon their parents."""
    rng = np.random.default_rng(0)
    tree = random_tree(rng, 30)
    confidence = np.full(tree.n_nodes, 1.0)
    for node, parent in enumerate(tree.parent.tolist()):
        if node:
            confidence[node] = confidence[parent] + rng.choice([0.001, 0.5])
    monotonic_tree = with_values(tree, confidence)
    plain, spaced = (embed(monotonic_tree, spacing=on).quality() for on in (False, True))
    assert spaced.crossings == 0
    assert spaced.separation > 2.0 * plain.separation
    assert spaced.n_close < 0.7 * plain.n_close


def test_the_gap_is_six_pixels_of_a_thousand():
    assert GAP * 500.0 == 6.0


@pytest.mark.parametrize(("n_leaves", "n_tries"), [(350, 24), (700, 6), (1_700, 1), (1_716, 0)])
def test_spacing_of_large_trees_looks_at_so_many_nodes_at_most(monkeypatch, n_leaves, n_tries):
    """Each of n nodes looks at n others a try."""
    asked = []
    monkeypatch.setattr(_native, "space_nodes", lambda *given: asked.append(given[-2]))
    n = len(embed(random_monotonic(np.random.default_rng(1), n_leaves, keep=1.0)))
    assert asked == ([n_tries] if n_tries else [])
    assert n_tries * n**2 <= MAX_LOOKS
    assert n_tries in (N_TRIES, MAX_LOOKS // n**2)


def test_large_trees_have_gaps_where_there_is_room_and_no_crossings():
    monotonic_tree = random_monotonic(np.random.default_rng(3), 700, gain=0.2)
    assert len(monotonic_tree) > 1_000

    def near(embedding):
        norm = np.tanh(0.5 * embedding.drawn())
        points = np.stack([norm * np.cos(embedding.angle), norm * np.sin(embedding.angle)], axis=1)
        return int((cKDTree(points).query(points, k=2)[0][:, 1] < GAP).sum())

    spaced = embed(monotonic_tree)
    assert near(spaced) < near(embed(monotonic_tree, spacing=False))
    assert spaced.quality().crossings == 0


def best_smallest_arc(monotonic_tree, norm):
    """Return the largest m for which nested intervals with ``norm · width >= m`` exist."""
    from scipy.optimize import linprog

    n, parent = len(monotonic_tree), monotonic_tree.parent
    # Unknowns are the widths and m, which is to be large.
    wide_enough = np.column_stack([-np.diag(norm), np.ones(n)])
    nested = np.zeros((n, n + 1))
    for node in range(1, n):
        nested[parent[node], node] = 1.0
    nested[~monotonic_tree.is_leaf, np.flatnonzero(~monotonic_tree.is_leaf)] = -1.0
    found = linprog(
        np.append(np.zeros(n), -1.0),
        A_ub=np.vstack([wide_enough, nested]),
        b_ub=np.zeros(2 * n),
        A_eq=np.eye(1, n + 1),
        b_eq=[2.0 * math.pi],
    )
    return found.x[-1]


@given(monotonic_trees(max_leaves=12, largest=6.0))
def test_no_nested_intervals_have_a_larger_smallest_arc_on_the_screen(monotonic_tree):
    drawn = embed(monotonic_tree).drawn()
    norm = np.maximum(np.tanh(0.5 * drawn), LEAST_NORM)
    positive = monotonic_tree.value > 0.0
    outline = monotonic_tree.parent.tolist(), drawn.tolist(), 1.0 / norm, positive
    width = np.array([float(high - low) for low, high in layout.intervals(*outline)])
    best = best_smallest_arc(monotonic_tree, norm)
    assert (norm * width).min() == pytest.approx(best, rel=1e-6)
    # The intervals are those of the layout under test.
    placed = place_exact(monotonic_tree, t=embed(monotonic_tree).t, spacing=False)
    expected = layout.place_nodes(*outline)
    np.testing.assert_allclose(placed.angle, expected, rtol=0.0, atol=1e-9)


def three_leaves(weight):
    """Return a root at the origin with three equal leaves of these weights."""
    tree = flat_tree([2.0, 2.0, 2.0]).tree
    return monotonic(replace(tree, weight=[sum(weight), weight[0], 1.0, *weight[1:]]))


@pytest.mark.parametrize(("budget", "share"), [("leaves", 0.0), ("both", 0.5), ("weight", 0.9)])
def test_budgets_deal_the_circle_by_leaves_and_by_weight(budget, share):
    weight = np.array([6.0, 1.0, 1.0])
    angle = embed(three_leaves(weight), budget=budget, spacing=False).angle[1:]
    part = (1.0 - share) / 3.0 + share * weight / 8.0
    middle = np.cumsum(part) - 0.5 * part
    np.testing.assert_allclose(angle, 2.0 * math.pi * middle - 0.5 * math.pi)


@pytest.mark.parametrize("budget", BUDGETS)
def test_a_node_of_no_weight_has_its_place(budget):
    embedding = embed(three_leaves(np.array([1.0, 0.0, 0.0])), budget=budget)
    assert crossings(embedding) == []
    assert embedding.quality().separation > 20.0


@pytest.mark.parametrize("unknown", [[np.nan, 1.0, 1.0], [0.0, 0.0, 0.0]])
def test_a_budget_by_weight_needs_weights(unknown):
    monotonic_tree = three_leaves(np.array(unknown))
    for budget in ("weight", "both"):
        with pytest.raises(ValueError, match=f"budget='{budget}' needs .*: pass budget='leaves'"):
            embed(monotonic_tree, budget=budget)
    assert crossings(embed(monotonic_tree)) == []


def test_an_unknown_budget_is_refused():
    with pytest.raises(ValueError, match="budget must be one of leaves, both, weight, got 'area'"):
        embed(three_leaves(np.ones(3)), budget="area")


def test_positive_children_go_first_by_rising_gain_then_negative_ones_by_falling_gain():
    values = np.array([-3.0, 1.0, -1.0, 3.0, 2.0, -2.0])
    embedding = embed(flat_tree(values))
    order = np.argsort(embedding.angle[1:])
    assert embedding.monotonic.value[1:][order].tolist() == [1.0, 2.0, 3.0, -3.0, -2.0, -1.0]


@given(generators, st.integers(1, 40))
def test_trees_as_they_come_with_categories_and_unknown_weights(rng, n_leaves):
    tree = random_table(rng, [0, 3], n_leaves)
    embedding = embed(monotonic(tree))
    assert crossings(embedding) == []
    assert embedding.distance.tobytes() == embedding.monotonic.confidence.tobytes()


def test_a_root_with_confidence_0_is_at_the_origin():
    embedding = embed(flat_tree([1.0, -2.0, 3.0]))
    assert embedding.distance[0] == 0.0
    assert crossings(embedding) == []
    quality = embedding.quality()
    assert (quality.error, quality.crossings) == (0.0, 0)
    assert quality.max_excess < 1e-12  # from the origin, all arcs are radii


@pytest.mark.parametrize("value", [0.0, -1.5, LARGEST])
def test_a_single_node(value):
    embedding = embed(with_values(make_tree([-1], [-1], [0.0]), [value]))
    assert embedding.distance.tolist() == [abs(value)]
    assert embedding.angle.tolist() == [0.5 * math.pi]


def test_a_root_that_all_below_it_tie_with_is_alone():
    tree = random_tree(np.random.default_rng(0), 20)
    signs = np.where(np.arange(tree.n_nodes) % 3 == 0, -1.0, 1.0)
    assert len(embed(with_values(tree, 2.0 * signs))) == 1


def test_a_chain_of_5000_nodes():
    chain = path(np.linspace(0.1, 9.0, 5_000))
    assert len(chain) == 5_000
    plain = embed(chain, spacing=False)
    assert set(plain.angle) == {0.5 * math.pi}
    comb = random_monotonic(np.random.default_rng(3), 2_500, shape="chain", gain=0.003, keep=1.0)
    assert len(comb) == 4_999
    assert embed(comb, spacing=False).quality().crossings == 0


def test_a_star_with_many_children():
    values = np.random.default_rng(0).normal(0.0, 2.0, 700)
    embedding = embed(flat_tree(values))
    assert len(embedding) == 701
    assert crossings(embedding) == []


def test_confidences_to_the_limit_of_a_logit():
    monotonic_tree = random_monotonic(np.random.default_rng(4), 80, root=1.0, gain=150.0)
    assert monotonic_tree.confidence.max() == LARGEST
    embedding = embed(monotonic_tree)
    assert embedding.distance.max() == LARGEST
    assert embedding.drawn().max() == pytest.approx(2.0 * math.atanh(0.95))
    assert crossings(embedding) == []


def test_a_temperature_that_draws_too_far_out_is_refused():
    chain = path([1.0, 15.0, 15.5])
    with pytest.raises(ValueError, match=r'at most 15, got 15.5: lower t, or pass t="auto"'):
        embed(chain, t=1.0)
    assert embed(chain, t=0.9).drawn().max() < MAX_DRAWN
    assert embed(path([1.0, 15.0]), t=1.0).drawn().max() == MAX_DRAWN
    with pytest.raises(ValueError, match=r"below 1/\(t-1\)"):
        embed(chain, t=1.5)


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_a_value_that_is_not_finite_is_refused_by_the_tree_which_names_the_node(value):
    with pytest.raises(ValueError, match=r"value must be finite, got .* at node 2"):
        make_tree([1, -1, -1], [2, -1, -1], [0.0, 1.0, value])
