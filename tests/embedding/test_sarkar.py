"""The paper's placement is what its recipe says, to the last digits, at any confidence."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.embedding.sarkar import place_sarkar
from horotree.geometry import polar
from horotree.trees import monotonic
from tests.embedding.samples import (
    LARGEST,
    make_tree,
    monotonic_trees,
    path,
    random_monotonic,
)
from tests.reference import embedding as reference

OPTIONS = [{}, {"normalize": True}]


def compare(monotonic_tree, **options):
    """Return the largest errors of distances (relative beyond 1) and of angles."""
    embedding = place_sarkar(monotonic_tree, **options)
    if "fan" in options:
        options["fan_half_turns"] = options.pop("fan") / math.pi
    found = reference.place_sarkar(monotonic_tree, **options)
    expected = [found[node] for node in monotonic_tree.node.tolist()]
    distance = np.array([float(d) for d, _ in expected])
    turned = embedding.angle - np.array([float(theta) for _, theta in expected])
    error = np.abs(embedding.distance - distance) / np.maximum(1.0, distance)
    return error.max(), np.abs(np.sin(0.5 * turned)).max()


@given(monotonic_trees(max_leaves=25, largest=40.0), st.sampled_from(OPTIONS))
def test_it_is_the_literal_recipe_with_complex_numbers(monotonic_tree, options):
    distance_error, angle_error = compare(monotonic_tree, **options)
    assert distance_error < 1e-12
    assert angle_error < 1e-12


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("shape", ["any", "even"])
def test_larger_trees_are_the_literal_recipe(shape, options):
    rng = np.random.default_rng(len(shape))
    monotonic_tree = random_monotonic(rng, 60, shape=shape, gain=3.0, largest=40.0)
    assert len(monotonic_tree) > 60
    assert max(compare(monotonic_tree, **options)) < 1e-12


@pytest.mark.parametrize(
    "options", [{"fan": 0.7}, {"fan": 2.0 * math.pi}, {"narrowing": 0.5}, {"narrowing": 1.0}]
)
def test_fan_and_narrowing_are_those_of_the_recipe(options):
    monotonic_tree = random_monotonic(np.random.default_rng(1), 15)
    default = place_sarkar(monotonic_tree)
    assert not np.allclose(place_sarkar(monotonic_tree, **options).angle, default.angle)
    assert max(compare(monotonic_tree, **options)) < 1e-12


@given(monotonic_trees(), st.sampled_from(OPTIONS))
def test_arcs_are_as_long_as_the_gain_in_confidence(monotonic_tree, options):
    embedding = place_sarkar(monotonic_tree, **options)
    assert embedding.t == 1.0
    assert embedding.monotonic is monotonic_tree
    parent = monotonic_tree.parent[1:]
    gain = monotonic_tree.confidence[1:] - monotonic_tree.confidence[parent]
    distance, angle = embedding.distance, embedding.angle
    length = polar.distance(distance[parent], angle[parent], distance[1:], angle[1:])
    # An angle is known to 1e-15 or so, which is far where the circle is long.
    noise = 1e-14 * np.exp(np.minimum(distance[1:], 40.0))
    near = distance[1:] < 25.0
    np.testing.assert_array_less(np.abs(length - gain)[near], (1e-12 + noise)[near])
    # The triangle inequality, here and at the origin.
    np.testing.assert_array_less(distance, monotonic_tree.confidence * (1.0 + 1e-12) + 1e-300)


@given(monotonic_trees(largest=LARGEST), st.sampled_from(OPTIONS))
def test_nothing_overflows_or_gets_lost(monotonic_tree, options):
    embedding = place_sarkar(monotonic_tree, **options)
    assert np.isfinite(embedding.distance).all()
    assert np.isfinite(embedding.angle).all()
    again = place_sarkar(monotonic_tree, **options)
    assert again == embedding


@pytest.mark.parametrize("confidence", [30.0, 300.0, LARGEST])
def test_distances_stay_accurate_where_coordinates_end(confidence):
    rng = np.random.default_rng(int(confidence))
    monotonic_tree = random_monotonic(rng, 12, root=0.4, gain=1e3, keep=1.0, largest=confidence)
    assert monotonic_tree.confidence.max() == confidence
    assert max(compare(monotonic_tree)) < 1e-12


def test_a_single_node_and_ties_stay_below_the_center():
    for value in ([0.7], [-0.7, 0.7, 0.1]):
        left, right = ([-1], [-1]) if len(value) == 1 else ([1, -1, -1], [2, -1, -1])
        embedding = place_sarkar(monotonic(make_tree(left, right, value)))
        assert embedding.distance.tolist() == [0.7]
        assert embedding.angle.tolist() == [-0.5 * math.pi]


def test_a_root_at_the_center_has_the_fan_of_one_just_below():
    value = np.array([0.0, 1.0, -2.0, 3.0, 1.5, 2.5, 4.0])
    tree = make_tree([1, 3, 5, -1, -1, -1, -1], [2, 4, 6, -1, -1, -1, -1], value)
    at, below = (place_sarkar(monotonic(_with_root(tree, root))) for root in (0.0, 1e-9))
    assert at.distance[0] == 0.0
    np.testing.assert_allclose(at.distance, below.distance, rtol=0, atol=1e-8)
    np.testing.assert_allclose(at.angle, below.angle, rtol=0, atol=1e-8)
    assert max(compare(at.monotonic)) < 1e-14


def _with_root(tree, value):
    return make_tree(tree.left, tree.right, [value, *tree.value[1:]])


def two_paths(root, gain):
    """Return a tree whose literal sectors end in the parent's direction.

    Two children with one leaf below each: the second's sector is the half plane around the
    direction of the root's parent, the origin.
    """
    far = root + gain
    value = [root, root + 0.5, far, root + 1.5, root, far + 0.75, far]
    return monotonic(make_tree([1, 3, 5, -1, -1, -1, -1], [2, 4, 6, -1, -1, -1, -1], value))


@pytest.mark.parametrize("root", [0.25, 5.0, 20.0, 40.0, 700.0])
@pytest.mark.parametrize("share", [0.5, 0.96875, 1.0, 1.0625])
def test_a_child_straight_towards_the_center_is_on_the_diameter(root, share):
    embedding = place_sarkar(two_paths(root, root * share))
    assert embedding.distance[2] == pytest.approx(root * abs(1.0 - share), rel=1e-14)
    side = 1.0 if share > 1.0 else -1.0
    assert math.sin(embedding.angle[2]) == pytest.approx(side, abs=1e-15)
    if share == 1.0:  # what comes next starts at the origin
        assert embedding.distance[4] == 0.75


def test_sectors_are_clockwise_and_drift_unless_normalized():
    # Children with 0, 1 and 0 leaves below: 1, 2 and 1 units of a third of the fan, or of a fourth.
    value = [1.0, 2.0, 0.5, 2.0, 2.0, 3.0, 0.0]
    tree = make_tree([1, -1, 3, 5, -1, -1, -1], [2, -1, 4, 6, -1, -1, -1], value)
    monotonic_tree = monotonic(tree)
    assert monotonic_tree.node.tolist() == [0, 1, 3, 4, 5]
    for options, middles in (({}, [-1 / 3, 1 / 6, 2 / 3]), (OPTIONS[1], [-3 / 8, 0.0, 3 / 8])):
        embedding = place_sarkar(monotonic_tree, **options)
        (a, *distance), (alpha, *angle) = embedding.distance[:4], embedding.angle[:4]
        found = polar.direction(a, alpha, distance, angle)
        np.testing.assert_allclose(found, -math.pi * np.array(middles), rtol=0, atol=1e-14)


@pytest.mark.parametrize("options", OPTIONS)
def test_long_chains_need_no_stack(options):
    embedding = place_sarkar(path(np.linspace(0.1, LARGEST, 5000)), **options)
    assert len(embedding) == 5000
    assert np.isfinite(embedding.distance).all()
    if options:  # sectors that fit keep a chain on its ray
        np.testing.assert_allclose(embedding.distance, embedding.monotonic.confidence, rtol=1e-12)
        np.testing.assert_allclose(embedding.angle, -0.5 * math.pi, rtol=0, atol=1e-12)


def test_to_normalize_lessens_the_error():
    rng = np.random.default_rng(0)
    trees = [random_monotonic(rng, 30) for _ in range(50)]
    literal, normalized = (
        np.mean([place_sarkar(tree, **options).quality().error for tree in trees])
        for options in OPTIONS
    )
    assert 0.01 < normalized < 0.8 * literal


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"fan": 0.0}, ValueError, "fan must be above 0 and at most 2π: it is in radians, got 0.0"),
        ({"fan": 180.0}, ValueError, "it is in radians, got 180.0"),
        ({"narrowing": 1.5}, ValueError, "narrowing must be above 0 and at most 1"),
        ({"narrowing": math.nan}, ValueError, "narrowing must be finite"),
        ({"fan": "π"}, TypeError, "fan must be a real number"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, error, text):
    with pytest.raises(error, match=text):
        place_sarkar(path([0.5, 1.0]), **options)
