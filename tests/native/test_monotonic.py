"""Hosts against the line of NumPy in the kernel's docstring."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree._native import _core

seeds = st.integers(0, 2**32 - 1)


def hosts(parent, confidence, tolerance=1e-12):
    host = np.full(len(parent), -7, np.int32)
    _core.monotonic_hosts(np.array(parent, np.int32), np.array(confidence), tolerance, host)
    return host


def slow_hosts(parent, confidence, tolerance):
    host = np.arange(len(parent))
    for v, p in enumerate(parent):
        if p >= 0:
            h = host[p]
            host[v] = v if confidence[v] > confidence[h] * (1.0 + tolerance) else h
    return host


@given(seeds)
def test_hosts_are_those_of_numpy(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(0, 60))
    parent = np.array([rng.integers(-1, v) if v else -1 for v in range(n)], np.int32)
    confidence = rng.choice([0.0, 0.5, 1.0, 3.0, 1e300, 5e-324, rng.exponential()], n)
    tolerance = float(rng.choice([0.0, 1e-12, 0.5]))
    expected = slow_hosts(parent, confidence, tolerance)
    np.testing.assert_array_equal(hosts(parent, confidence, tolerance), expected)


def test_a_tie_within_the_tolerance_is_no_rise():
    confidence = [2.0, 2.0 * (1 + 1e-13), 2.0 * (1 + 3e-12), 2.0]
    assert hosts([-1, 0, 0, 0], confidence).tolist() == [0, 0, 2, 0]
    assert hosts([-1, 0, 0, 0], confidence, tolerance=0.0).tolist() == [0, 1, 2, 0]


def test_small_steps_add_up_from_the_host_not_from_the_parent():
    """Each node is within the tolerance of its parent, but not for long of its host."""
    confidence = 1.0 + 6e-13 * np.arange(5)
    assert hosts([-1, 0, 1, 2, 3], confidence).tolist() == [0, 0, 2, 2, 4]


def test_hosts_are_not_looked_for_across_roots():
    assert hosts([-1, 0, -1, 2], [5.0, 1.0, 1.0, 2.0]).tolist() == [0, 0, 2, 3]


def test_a_chain_as_long_as_memory_is_no_problem():
    n = 1_000_000
    confidence = np.arange(n) % 1000 * 1.0
    host = hosts(np.arange(-1, n - 1), confidence)
    np.testing.assert_array_equal(host, np.minimum(np.arange(n), 999))


def test_what_is_refused():
    with pytest.raises(ValueError, match="all three arrays must have the same length"):
        hosts([-1, 0], [1.0])
    for parent in ([0], [-1, 1], [-1, 2, 0]):
        with pytest.raises(ValueError, match="a parent must precede its children"):
            hosts(parent, np.ones(len(parent)))
    with pytest.raises(TypeError):
        _core.monotonic_hosts(np.zeros(1, np.int64), np.ones(1), 0.0, np.zeros(1, np.int32))
    with pytest.raises(TypeError):
        _core.monotonic_hosts(-np.ones(1, np.int32), np.ones(1), 0.0, np.zeros(1))
