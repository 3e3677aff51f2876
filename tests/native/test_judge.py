"""What a grown tree predicts and is worth, against NumPy and, to the last digits, mpmath."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree._native import _core
from horotree.trees import find_hosts, find_leverage
from horotree.trees.tree import TOLERANCE
from tests.factories import random_shape

seeds = st.integers(0, 2**32 - 1)


def random_tree(rng, n_inner):
    """Return the parent of each node of a random binary tree, parents first."""
    children = random_shape(rng, n_inner + 1)
    parent = np.full(2 * n_inner + 1, -1, np.int32)
    for side in children:
        parent[side[side >= 0]] = np.flatnonzero(side >= 0)
    return parent


def judge(parent, negative, positive, smoothing, *, unit=1.0, to_host=True, **changes):
    """Return the five rows by node, the edge and the leverage."""
    out = np.full((5, len(parent)), np.nan)
    rules = {"monotonic": False, "tolerance": TOLERANCE, "least_rest": 0.0, "learning_rate": 1.0}
    weights = (np.asarray(weight, np.int64) for weight in (negative, positive))
    found = _core.judge_tree(
        np.asarray(parent, np.int32),
        *weights,
        unit=unit,
        smoothing=smoothing,
        to_host=to_host,
        **(rules | changes),
        out=out,
    )
    return out, *found


def values(*args, **options):
    return judge(*args, **options)[0][0]


def is_leaf(parent):
    return ~np.isin(np.arange(len(parent)), parent)


def exact_posteriors(parent, negative, positive, smoothing, target):
    """Return posteriors, each shrunk towards that of the target of its parent."""
    negative, positive = negative.tolist(), positive.tolist()
    with mp.workdps(150):
        exact = []
        for v, p in enumerate(parent):
            above = exact[target[p]] if p >= 0 else mp.mpf(1) / 2
            exact.append(
                (mp.mpf(positive[v]) + mp.mpf(smoothing) * above)
                / (mp.mpf(positive[v]) + mp.mpf(negative[v]) + mp.mpf(smoothing))
            )
        return exact


def weights_by_node(rng, parent, scale):
    """Draw integer weights of the leaves, some pure, and sum them upwards."""
    weights = np.exp(rng.normal(size=(2, len(parent))) * scale).clip(max=2.0**20)
    weights = np.ceil(2.0**20 * weights).astype(np.int64)
    weights *= is_leaf(parent) * (rng.random(weights.shape) < 0.7)
    for v in range(len(parent) - 1, 0, -1):
        weights[:, parent[v]] += weights[:, v]
    return weights


@given(seeds, st.booleans())
def test_values_are_logits_of_posteriors_shrunk_towards_the_parent_or_its_host(seed, to_host):
    rng = np.random.default_rng(seed)
    parent = random_tree(rng, int(rng.integers(0, 20)))
    negative, positive = weights_by_node(rng, parent, rng.choice([0.5, 5.0, 20.0]))
    smoothing = float(np.exp(rng.normal() * 5 + 14))
    value = values(parent, negative, positive, smoothing, to_host=to_host)
    depth = [0]
    for p in parent[1:]:
        depth.append(depth[p] + 1)
    nodes = np.arange(len(parent))
    target = find_hosts(parent, np.abs(value)) if to_host else nodes
    exact = exact_posteriors(parent, negative, positive, smoothing, target)
    with mp.workdps(150):
        for v, p in enumerate(exact):
            ulps = 2.0**-52 * 4 * (1 + depth[v])
            assert abs(value[v] - mp.log(p / (1 - p))) <= ulps * (1 + abs(value[v]))


@given(seeds, st.booleans())
def test_a_tree_is_judged_by_its_leaves(seed, monotonic):
    rng = np.random.default_rng(seed)
    parent = random_tree(rng, int(rng.integers(1, 20)))
    negative, positive = weights_by_node(rng, parent, 2.0)
    negative[0] += 1  # else all weights may be zero
    changes = {"unit": 2.0**-20, "monotonic": monotonic, "learning_rate": 0.3}
    out, edge, leverage = judge(parent, negative, positive, 1.0, **changes)
    value, output, weight, *factors = out
    np.testing.assert_array_equal(weight, (negative + positive) * 2.0**-20)
    host = find_hosts(parent, np.abs(value)) if monotonic else np.arange(len(parent))
    np.testing.assert_array_equal(output, value[host])
    leaf = is_leaf(parent)
    if weight[leaf].any():
        expected = find_leverage(value[leaf], output[leaf], weight[leaf])
        assert (edge, leverage) == (expected[0], 0.3 * expected[1])
        step = leverage * output
        np.testing.assert_allclose(factors, np.exp([step, -step]), rtol=1e-15)
        again = np.empty((2, len(step)))
        _core.step_factors(step, again)
        np.testing.assert_array_equal(factors, again)


def test_the_value_of_a_very_pure_leaf_keeps_its_digits():
    # 1 - p is 5e-26: a value made of the posterior alone would be infinite.
    value = values([-1], [0], [2**40], 1e-5, unit=1e20 / 2**40)
    with mp.workdps(50):
        expected = mp.log((mp.mpf(1e20) + mp.mpf(1e-5) / 2) / (mp.mpf(1e-5) / 2))
    assert value[0] == pytest.approx(float(expected), rel=1e-15)


def test_swapping_the_classes_swaps_the_sign_of_every_value():
    rng = np.random.default_rng(0)
    parent = random_tree(rng, 30)
    negative, positive = weights_by_node(rng, parent, 3.0)
    value = values(parent, negative, positive, 2e6)
    swapped = values(parent, positive, negative, 2e6)
    np.testing.assert_allclose(swapped, -value, rtol=1e-13, atol=1e-15)


def test_without_smoothing_values_are_the_logits_of_the_weights():
    rng = np.random.default_rng(1)
    parent = random_tree(rng, 10)
    negative, positive = rng.integers(1, 1_000, (2, len(parent)))
    value = values(parent, negative, positive, 0.0)
    np.testing.assert_allclose(value, np.log(positive / negative), rtol=1e-14, atol=1e-15)


@given(seeds, st.booleans())
def test_the_most_confident_node_is_a_leaf(seed, to_host):
    rng = np.random.default_rng(seed)
    parent = random_tree(rng, int(rng.integers(1, 20)))
    negative, positive = weights_by_node(rng, parent, 2.0)
    smoothing = float(np.exp(rng.normal() * 3 + 14))
    confidence = np.abs(values(parent, negative, positive, smoothing, to_host=to_host))
    leaf = is_leaf(parent)
    assert confidence[leaf].max() >= confidence[~leaf].max() * (1 - 1e-12)


@given(seeds)
def test_hosts_have_the_same_value_whatever_is_not_kept(seed):
    """A value of a kept node depends on the weights of kept nodes alone."""
    rng = np.random.default_rng(seed)
    parent = random_tree(rng, int(rng.integers(1, 20)))
    negative, positive = weights_by_node(rng, parent, 2.0)
    value = values(parent, negative, positive, 5e6)
    host = find_hosts(parent, np.abs(value))
    kept = np.flatnonzero(host == np.arange(len(parent)))
    row = np.cumsum(host == np.arange(len(parent))) - 1
    among = np.where(parent[kept] < 0, -1, row[host[np.maximum(parent[kept], 0)]])
    alone = values(among, negative[kept], positive[kept], 5e6, to_host=False)
    np.testing.assert_array_equal(alone, value[kept])


def test_a_child_before_its_parent_is_refused():
    with pytest.raises(ValueError, match="precede"):
        judge([1, -1], [1, 1], [1, 1], 1.0)


def test_node_arrays_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="same length"):
        judge([-1, 0], [1], [1, 1], 1.0)


@pytest.mark.parametrize(
    "out", [np.zeros((5, 2), np.float32), np.zeros((5, 4))[:, ::2], np.zeros((5, 2), np.int64)]
)
def test_an_output_that_would_be_copied_is_refused(out):
    # Written to a copy, the results would be lost without a word.
    with pytest.raises(TypeError):
        _core.judge_tree(
            np.array([-1, 0], np.int32),
            np.ones(2, np.int64),
            np.ones(2, np.int64),
            unit=1.0,
            smoothing=1.0,
            to_host=True,
            monotonic=False,
            tolerance=0.0,
            least_rest=0.0,
            learning_rate=1.0,
            out=out,
        )
