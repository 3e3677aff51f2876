"""Placing and spacing nodes against the literal layout, and against what the kernels promise."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree import _native
from tests.embedding.checker import find_crossings
from tests.reference import layout

N_TRIES = 24
CIRCLE = 2.0 * math.pi

# How much farther out children are than their parents, and at most how far anything is: as much as
# doubles hold between near nodes next to the border, and what pictures are made of.
sizes = st.sampled_from([(1e-9, 3.7), (0.03, 3.7), (0.7, 3.7), (0.05, 15.0), (3.0, 15.0)])


@st.composite
def outlines(draw, *, max_nodes=30):
    """Draw a tree as the kernels take it: parents, drawn distances, needs and classes."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, (gain, most) = draw(st.integers(1, max_nodes)), draw(sizes)
    reach = draw(st.sampled_from([1, 3, max_nodes]))  # a chain, a thin tree, any tree
    parent = np.array([-1, *(rng.integers(max(0, v - reach), v) for v in range(1, n))], np.int32)
    drawn = np.empty(n)
    drawn[0] = draw(st.sampled_from([0.0, 1e-6, 0.3, 2.0]))
    for v in range(1, n):
        drawn[v] = drawn[parent[v]] + rng.choice([0.5, rng.uniform(0.2, 2.0)]) * gain
    drawn *= min(1.0, most / max(drawn.max(), 1e-300))
    return parent, drawn, rng.choice([1.0, rng.uniform(0.1, 9.0)], n), random_classes(rng, n)


def random_classes(rng, n):
    return (rng.random(n) < rng.choice([0.0, 0.5, 0.9])).astype(np.uint8)


def place(outline):
    angle = np.full(len(outline[0]), np.nan)
    _native.place_nodes(*outline, angle)
    return angle


def space(outline, gap, angle):
    spaced = angle.copy()
    _native.space_nodes(*outline, gap, N_TRIES, spaced)
    return spaced


def star(drawn, positive, *, need=None):
    """Return a root at the origin and its children."""
    n = len(drawn)
    parent = np.array([-1] + n * [0], np.int32)
    need = np.ones(n + 1) if need is None else np.array([1.0, *need])
    return parent, np.array([0.0, *drawn]), need, np.array([0, *positive], np.uint8)


def gap_and_close(drawn, angle, gap):
    """Return the smallest distance of two drawn nodes, and how many are within a gap."""
    points = np.tanh(0.5 * drawn) * np.exp(1j * angle)
    apart = np.abs(points[:, None] - points) + np.where(np.eye(len(points)), np.inf, 0.0)
    return apart.min(), int((apart.min(axis=1) < gap).sum())


@given(outlines())
def test_nodes_are_placed_as_by_the_literal_layout(outline):
    expected = layout.place_nodes(*(part.tolist() for part in outline))
    # What one node's rounding does to the directions of those below it grows with the circle.
    atol = 1e-12 * (1.0 + math.exp(outline[1].max()))
    np.testing.assert_allclose(place(outline), expected, rtol=0.0, atol=atol)


@given(outlines(), st.sampled_from([0.012, 0.1]))
def test_nodes_are_spaced_as_by_the_literal_layout(outline, gap):
    parent, drawn, *_ = outline
    angle = place(outline)
    spaced = space(outline, gap, angle)
    expected = np.array(layout.space_nodes(parent.tolist(), drawn.tolist(), gap, N_TRIES, angle))
    differ = np.abs(spaced - expected) > 1e-9
    if differ.any():
        # In a tree with symmetries two turns may be as good as each other, and rounding chooses.
        # Then the first node that differs, which is the last by number, gained as much by both.
        v, radius = np.flatnonzero(differ).max(), np.tanh(0.5 * drawn)
        step = min(layout.STEP * gap / radius[v], math.pi / N_TRIES)
        gained = []
        for turned in (spaced, expected):
            n_steps = (turned[v] - angle[v]) / step
            assert n_steps == pytest.approx(np.round(n_steps), abs=1e-6)
            gained.append(layout.nearest(v, radius, [*angle[:v], *turned[v:]]))
        assert gained[0] == pytest.approx(gained[1], rel=1e-9)
    assert find_crossings(drawn, spaced, parent) == []


@given(outlines(max_nodes=60), st.sampled_from([0.012, 0.05, 0.3]))
def test_spacing_brings_no_two_nodes_nearer_than_the_nearest_were(outline, gap):
    drawn, angle = outline[1], place(outline)
    before, _ = gap_and_close(drawn, angle, gap)
    after, _ = gap_and_close(drawn, space(outline, gap, angle), gap)
    assert after >= before - 1e-15


@given(outlines(max_nodes=60))
def test_spacing_leaves_alone_what_has_its_gap(outline):
    angle = place(outline)
    smallest, _ = gap_and_close(outline[1], angle, 0.0)
    np.testing.assert_array_equal(space(outline, 0.99 * smallest, angle), angle)


def test_spacing_takes_the_first_turn_that_makes_the_gap():
    """Two leaves a hair apart in distance and on one ray, far from everything else."""
    outline = star([1.0, 1.001], [1, 1])
    gap, radius = 0.1, math.tanh(0.5005)
    angle = space(outline, gap, np.array([0.0, 2.0, 2.0]))
    steps = (angle[2] - 2.0) / (0.35 * gap / radius)
    assert angle[:2].tolist() == [0.0, 2.0]
    assert steps == pytest.approx(3.0)
    assert gap_and_close(outline[1], angle, gap)[1] == 0


def test_spacing_does_not_pass_an_arc_over_another():
    """Node 2 has its gap nowhere but beyond the arc to node 4: it stays on its side."""
    parent = np.array([-1, 0, 0, 0, 3], np.int32)
    drawn = np.array([0.0, 2.0, 2.001, 1.0, 3.0])
    outline = parent, drawn, np.ones(5), np.ones(5, np.uint8)
    angle = np.array([0.0, 1.0, 1.0, 1.06, 1.06])
    spaced = space(outline, 0.4, angle)
    assert find_crossings(drawn, spaced, parent) == []
    assert gap_and_close(drawn, spaced, 0.4)[0] > gap_and_close(drawn, angle, 0.4)[0]


def test_children_of_the_first_class_go_first_and_gains_peak_in_the_middle():
    drawn = [1.0, 3.0, 2.0, 2.5, 1.5, 3.5]
    positive = [1, 0, 1, 0, 0, 1]
    order = np.argsort(place(star(drawn, positive))[1:])
    assert order.tolist() == [0, 2, 5, 1, 3, 4]


def test_equal_children_keep_their_order():
    assert np.argsort(place(star([2.0] * 9, [1] * 9))[1:]).tolist() == list(range(9))
    assert np.argsort(place(star([2.0] * 9, [0] * 9))[1:]).tolist() == list(range(9))


def test_the_class_of_a_child_is_that_of_most_leaves_below_it_else_its_own():
    # Node 1 is negative but has two positive leaves of three; node 2 has one of each, and is not.
    parent = np.array([-1, 0, 0, 1, 1, 1, 2, 2], np.int32)
    drawn = np.array([0.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 2.0])
    positive = np.array([0, 0, 0, 1, 1, 0, 1, 0], np.uint8)
    angle = place((parent, drawn, np.ones(8), positive))
    assert angle[1] < angle[2]
    mirrored = place((parent, drawn, np.ones(8), 1 - positive))
    assert mirrored[2] < mirrored[1]


def test_around_the_origin_nodes_are_in_the_middle_of_intervals_in_proportion_to_need():
    need = np.array([1.0, 2.0, 0.5, 4.5])
    angle = place(star([2.0] * 4, [1] * 4, need=need))
    end = np.cumsum(need) / need.sum() * CIRCLE
    np.testing.assert_allclose(angle[1:] + 0.5 * math.pi, end - 0.5 * CIRCLE * need / 8.0)


def test_a_node_needs_what_its_children_do():
    # Node 1 has four children, node 2 asks for as much itself.
    parent = np.array([-1, 0, 0, 1, 1, 1, 1], np.int32)
    drawn = np.array([0.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0])
    need = np.array([1.0, 1.0, 4.0, 1.0, 1.0, 1.0, 1.0])
    angle = place((parent, drawn, need, np.ones(7, np.uint8)))
    assert angle[2] - angle[1] == pytest.approx(math.pi)


@pytest.mark.parametrize("n", [0, 1])
def test_there_may_be_no_arcs(n):
    outline = np.full(n, -1, np.int32), np.ones(n), np.ones(n), np.ones(n, np.uint8)
    assert space(outline, 0.1, place(outline)).tolist() == n * [0.5 * math.pi]


def test_an_only_child_is_straight_outward_however_long_the_chain():
    n = 100_000
    outline = np.arange(-1, n - 1, dtype=np.int32), np.linspace(0.2, 3.6, n), np.ones(n)
    assert set(place((*outline, np.ones(n, np.uint8)))) == {0.5 * math.pi}


def test_outlines_that_are_none_are_refused():
    parent, drawn, need, positive = star([1.0, 2.0], [1, 0])
    for wrong in ([0, 0, 0], [-1, 2, 0], [-1, -1, 0], [-1, 1, 0]):
        outline = np.array(wrong, np.int32), drawn, need, positive
        with pytest.raises(ValueError, match="a parent must precede its children"):
            place(outline)
        with pytest.raises(ValueError, match="a parent must precede its children"):
            space(outline, 0.1, np.zeros(3))
    with pytest.raises(ValueError, match="must have the same length"):
        _native.place_nodes(parent, drawn, need, positive, np.zeros(2))
    with pytest.raises(ValueError, match="must have the same length"):
        _native.space_nodes(parent, drawn[:2].copy(), need, positive, 0.1, 3, np.zeros(3))
