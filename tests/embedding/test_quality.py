"""Figures of quality are what they are said to be; crossings are those that whole numbers find."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.embedding import DiskEmbedding
from horotree.embedding.quality import LayoutQuality, measure, summarize
from horotree.embedding.sarkar import place_sarkar
from horotree.geometry import polar, tself
from horotree.trees import monotonic
from tests.embedding.checker import find_crossings, klein_points
from tests.embedding.samples import (
    generators,
    make_tree,
    monotonic_trees,
    path,
    random_monotonic,
    scatter,
)
from tests.reference import geometry as reference

temperatures = st.sampled_from([0.0, 0.5, 1.0])


def embedding_of(distance, angle, parent):
    """Return an embedding of a tree with these parents; confidences are depths."""
    left, right, value, place = [-1], [-1], [0.0], [0]
    for node in range(1, len(parent)):
        at = place[parent[node]]
        while left[at] >= 0:  # go on below the child that ties
            at = right[at]
        left[at], right[at] = len(left), len(left) + 1
        place.append(len(left))
        left += [-1, -1]
        right += [-1, -1]
        value += [value[at] + 1.0, value[at]]
    monotonic_tree = monotonic(make_tree(left, right, value))
    assert monotonic_tree.node.tolist() == place
    return DiskEmbedding(monotonic_tree, np.asarray(distance), np.asarray(angle), 1.0)


# Distances, angles and parents by node, and the pairs of arcs that meet, by their outer nodes.
CONFIGURATIONS = {
    "two rays": ([0.0, 1.0, 2.0], [0.0, 0.0, 1.0], [-1, 0, 0], []),
    "a path": ([0.1, 1.0, 2.0], [0.0, 0.0, 0.0], [-1, 0, 1], []),
    "one ray twice": ([0.1, 1.0, 2.0], [0.7, 0.7, 0.7], [-1, 0, 0], [(1, 2)]),
    "a path there and back": ([1.0, 2.0, 3.0], [0.0, 0.3, 0.0], [-1, 0, 1], []),
    "back over its own arc": ([0.2, 3.0, 1.0], [0.7, 0.7, 0.7], [-1, 0, 1], [(1, 2)]),
    "a plain crossing": (
        [0.0, 1.0, 1.0, 3.0, 3.0], [0, 0, 1, 0.7, 0.3], [-1, 0, 0, 1, 2], [(3, 4)]
    ),
    "three crossings": (
        [0.0, 1.0, 1.0, 2.0, 2.0], [0, 0, 1, 1.5, -0.5], [-1, 0, 0, 1, 2], [(1, 4), (2, 3), (3, 4)]
    ),
    "chords that almost meet": (
        [0.0, 5.0, 5.0, 5.5, 5.5], [0, 0, 1, 0.4999, 0.5001], [-1, 0, 0, 1, 2], []
    ),
    "chords that just meet": (
        [0.0, 5.0, 5.0, 5.5, 5.5], [0, 0, 1, 0.5001, 0.4999], [-1, 0, 0, 1, 2], [(3, 4)]
    ),
    "a node on an arc": (
        [0.0, 2.0, 1.0, 3.0], [0.5, 0.5, 0.5, 1.5], [-1, 0, 0, 2], [(1, 2), (1, 3)]
    ),
    "two nodes at one place": (
        [0.0, 1.0, 1.0, 2.0, 2.0], [0, 0, 1, 0.5, 0.5], [-1, 0, 0, 1, 2], [(3, 4)]
    ),
    "near the border": (
        [0.0, 30.0, 30.0, 31.0, 31.0], [0, 0, 1e-9, 6e-10, 4e-10], [-1, 0, 0, 1, 2], [(3, 4)]
    ),
    "near the border, apart": (
        [0.0, 30.0, 30.0, 31.0, 31.0], [0, 0, 1e-9, 4e-10, 6e-10], [-1, 0, 0, 1, 2], []
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_known_crossings_are_found_by_both(name):
    distance, angle, parent, pairs = CONFIGURATIONS[name]
    for turn in (0.0, 1.0, -2.5):
        turned = np.array(angle) + turn
        if name.startswith("near"):
            turned = np.array(angle)  # such small angles are lost in larger ones
        assert find_crossings(distance, turned, parent) == pairs
        assert measure(embedding_of(distance, turned, parent)).crossings == len(pairs)


def test_the_checkers_points_are_those_of_the_klein_disk():
    rng = np.random.default_rng(0)
    distance, angle = rng.exponential(3.0, 30), rng.uniform(-7.0, 7.0, 30)
    points = klein_points(distance, angle)
    for one, two, three in itertools.islice(itertools.combinations(range(30), 3), 0, None, 7):
        (x1, y1), (x2, y2), (x3, y3) = (points[i] for i in (one, two, three))
        side = (x2 - x1) * (y3 - y1) - (y2 - y1) * (x3 - x1)
        expected, _ = reference.orientation([(distance[i], angle[i]) for i in (one, two, three)])
        assert np.sign(side) == np.sign(float(expected))


@given(monotonic_trees(max_leaves=30, largest=350.0), generators, temperatures)
def test_crossings_of_bad_embeddings_are_those_of_the_checker(monotonic_tree, rng, t):
    embedding = scatter(rng, monotonic_tree, t=t)
    expected = find_crossings(embedding.drawn(), embedding.angle, monotonic_tree.parent)
    assert measure(embedding).crossings == len(expected)


@given(monotonic_trees(max_leaves=40, largest=350.0), st.booleans())
def test_crossings_of_the_papers_placement_are_those_of_the_checker(monotonic_tree, normalize):
    embedding = place_sarkar(monotonic_tree, normalize=normalize)
    expected = find_crossings(embedding.distance, embedding.angle, monotonic_tree.parent)
    assert measure(embedding).crossings == len(expected)


def test_crossings_of_many_nodes_are_counted_in_pieces():
    rng = np.random.default_rng(3)
    embedding = scatter(rng, random_monotonic(rng, 800, keep=1.0, gain=0.3))
    assert len(embedding) == 1599
    counted = measure(embedding).crossings
    assert counted == _count_plainly(embedding) > 100_000


def _count_plainly(embedding):
    """Count proper crossings, one arc against all after it."""
    a, theta, parent = embedding.distance, embedding.angle, embedding.monotonic.parent
    nodes, count = np.arange(len(a)), 0

    def side(i, j, k):
        return np.sign(polar.orientation(a[i], theta[i], a[j], theta[j], a[k], theta[k]))

    for node in range(1, len(a)):
        others = nodes[node + 1 :]
        up = parent[node]
        common = (parent[others] == up) | (parent[others] == node) | (others == up)
        others = others[~common]
        apart = side(up, node, others) * side(up, node, parent[others])
        across = side(parent[others], others, node) * side(parent[others], others, up)
        count += int(((apart < 0) & (across < 0)).sum())
    return count


@given(monotonic_trees(), generators, temperatures)
def test_the_error_is_the_mean_relative_error_of_distances(monotonic_tree, rng, t):
    confidence = monotonic_tree.confidence
    distance = confidence * rng.uniform(0.5, 1.5, len(confidence))
    embedding = DiskEmbedding(monotonic_tree, distance, np.zeros(len(distance)), t)
    terms = [abs((c - d) / c) for c, d in zip(confidence, distance, strict=True) if c > 0.0]
    expected = math.fsum(terms) / len(terms) if terms else math.nan
    assert _error(embedding) == pytest.approx(expected, rel=1e-12, nan_ok=True)


def _error(embedding):
    return measure(embedding).error


def test_an_exact_embedding_has_error_0_and_a_root_without_confidence_is_left_out():
    monotonic_tree = path([0.0, 1.0, 2.0])
    for distance, error in (([0.0, 1.0, 2.0], 0.0), ([5.0, 1.5, 2.0], 0.25)):
        embedding = DiskEmbedding(monotonic_tree, np.array(distance), np.zeros(3), 1.0)
        assert _error(embedding) == error
    assert math.isnan(_error(place_sarkar(path([0.0]))))


@given(monotonic_trees(largest=20.0), generators, temperatures)
def test_the_excess_is_that_of_geodesics_over_differences_of_drawn_distances(
    monotonic_tree, rng, t
):
    embedding = scatter(rng, monotonic_tree, t=t)
    quality = measure(embedding)
    radius, excess = embedding.drawn(), []
    for node in range(1, len(embedding)):
        up = int(monotonic_tree.parent[node])
        length = reference.distance(
            radius[up], embedding.angle[up], radius[node], embedding.angle[node]
        )
        excess.append(float(length - (radius[node] - radius[up])))
    assert quality.mean_excess == pytest.approx(np.mean(excess) if excess else 0.0, abs=1e-12)
    assert quality.max_excess == pytest.approx(max(excess, default=0.0), abs=1e-12)


@given(monotonic_trees(largest=9.0))
def test_the_papers_placement_has_no_excess(monotonic_tree):
    quality = measure(place_sarkar(monotonic_tree))
    assert abs(quality.mean_excess) <= max(quality.max_excess, 1e-10)
    assert quality.max_excess < 1e-10


@given(monotonic_trees(), generators, temperatures, st.sampled_from([50.0, 1000.0]))
def test_separation_is_in_pixels_of_the_picture(monotonic_tree, rng, t, size):
    embedding = scatter(rng, monotonic_tree)
    quality = measure(embedding, t=t, size=size)
    assert (quality.t, quality.size, quality.n_nodes) == (t, size, len(monotonic_tree))
    radius = 0.5 * size * tself.norm_t(embedding.distance, t=t)
    points = radius * np.exp(1j * embedding.angle)
    apart = np.abs(points[:, None] - points)
    np.fill_diagonal(apart, np.inf)
    nearest = apart.min(axis=1)
    assert quality.separation == pytest.approx(nearest.min(), abs=1e-9)
    assert quality.n_close in ((nearest < 6.0 - 1e-9).sum(), (nearest < 6.0 + 1e-9).sum())


def test_a_single_node_is_far_from_all_others():
    quality = measure(place_sarkar(path([0.5])))
    expected = LayoutQuality(1, 0.0, 0, 0.0, 0.0, math.inf, 0, 1.0, 1000.0)
    assert quality == expected
    assert quality == place_sarkar(path([0.5])).quality()


def test_the_picture_changes_separation_only():
    embedding = place_sarkar(random_monotonic(np.random.default_rng(2), 40))
    at, other = measure(embedding), measure(embedding, t=0.0, size=600.0)
    assert at.separation != other.separation
    same = replace(other, separation=at.separation, n_close=at.n_close, t=at.t, size=at.size)
    assert same == at


def test_a_quality_reads_as_a_line():
    text = str(LayoutQuality(25, 0.106, 85, 0.0, 0.0, 1.42, 8, 1.0, 1000.0))
    assert "\n" not in text
    for part in ("25 nodes", "10.6 %", "85 crossings", "1.42 px", "t = 1"):
        assert part in text


def test_a_summary_has_medians_and_the_worst():
    qualities = [
        LayoutQuality(5, error, crossings, 0.1, 0.2, separation, 3, 1.0, 1000.0)
        for error, crossings, separation in [(0.1, 4, 9.0), (math.nan, 0, 2.0), (0.3, 1, 5.0)]
    ]
    found = summarize(qualities)
    assert found["error"] == (pytest.approx(0.2), 0.3)
    assert found["crossings"] == (1.0, 4.0)
    assert found["separation"] == (5.0, 2.0)
    assert math.isnan(summarize([qualities[1]])["error"][0])
    with pytest.raises(ValueError, match="must not be empty"):
        summarize([])


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"size": 0.0}, ValueError, "size must be positive, got 0.0"),
        ({"size": "large"}, TypeError, "size must be a real number"),
        ({"t": math.inf}, ValueError, "t must be finite"),
        ({"t": 2.0}, ValueError, "distance must be below"),
    ],
)
def test_what_cannot_be_measured_is_refused(options, error, text):
    with pytest.raises(error, match=text):
        measure(place_sarkar(path([0.5, 3.0])), **options)
