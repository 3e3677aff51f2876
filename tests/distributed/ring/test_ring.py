"""The machines of a fit over real connections: threads play workers."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from horotree.distributed.fit.parts import find_segments
from horotree.distributed.ring.handshake import connect
from horotree.distributed.ring.links import WorkerLostError
from horotree.distributed.ring.listener import Listener
from horotree.distributed.ring.ring import Ring, Traffic
from horotree.training import Examples, boost, find_bins
from horotree.training.lanes import one_each
from tests.training.samples import SMALL, draw, draw_large

KEY = bytes(range(32))
FINAL = replace(SMALL, subsample=0.7, max_features=2, n_estimators=4)


@pytest.fixture
def together(require):
    """Run a function with the ring of each of so many machines; return results or errors."""
    security = require("distributed").Security()

    def together(n_machines, function, timeout=20):
        worker = SimpleNamespace(address="tcp://127.0.0.1:1", security=security)
        listeners = [Listener(worker) for _ in range(n_machines)]
        addresses = [listener.address for listener in listeners]

        def run(rank):
            try:
                links = connect(listeners[rank], addresses, rank, KEY, timeout, lambda: None)
                with closing(links):
                    return function(rank, Ring(links, rank, n_machines, Traffic()))
            except Exception as error:  # noqa: BLE001 - the test looks at it
                return error

        with ThreadPoolExecutor(n_machines) as pool:
            return list(pool.map(run, range(n_machines)))

    return together


def boost_together(together, data, settings, machine):
    """Boost on machines that hold some rows each; return what each has."""
    binning = find_bins(np.ascontiguousarray(data.X), data.n_categories, settings.max_bins)
    n_machines = int(machine.max()) + 1
    order = np.argsort(machine, kind="stable")
    y = data.positive.astype(int)
    by_class = np.stack([np.bincount(y[machine == k], minlength=2) for k in range(n_machines)])

    def run(rank, ring):
        part = data.take(machine == rank)
        X = np.ascontiguousarray(part.X)
        examples = Examples(X, part.positive, binning, one_each(binning.n_bins), n_threads=1)
        ring.segments = find_segments(by_class, [rank], 1)
        amount = part.sample_weight[examples.order]
        return boost(examples, amount, settings=settings, machines=ring)

    return data.take(order).boost(settings, binning=binning), together(n_machines, run)


@pytest.mark.parametrize("seed", range(12))
def test_machines_boost_the_trees_of_one_with_all_rows(together, seed):
    rng = np.random.default_rng(seed)
    data = draw(seed, max_rows=300)
    if seed % 3 == 0:  # so that the heaviest example sets the scale for others far below it
        data.sample_weight *= 10.0 ** rng.uniform(-6, 6, len(data.X))
    machine = rng.integers(0, 2 + seed % 2, len(data.X))
    settings = replace(FINAL, min_samples_leaf=1 + seed % 4, max_features=1 + seed % 2)
    whole, parts = boost_together(together, data, settings, machine)
    for part in parts:
        assert part == whole


def test_a_machine_may_have_one_class_or_nothing(together):
    data = draw_large(400)
    for machine in (data.positive.astype(int), np.where(data.positive, 2, 0)):
        whole, parts = boost_together(together, data, SMALL, machine)
        for part in parts:
            assert part == whole


def test_sums_are_exact_and_what_is_sent_is_noted(together):
    big = 2**61 + 1

    def run(rank, ring):
        sums = ring.sums(np.array([big, rank]))
        return sums.tolist(), ring.total(5), ring.common_unit(0.25 * rank), ring._traffic

    for sums, total, unit, traffic in together(3, run):
        assert sums == [3 * big, 3]
        assert total == 15
        assert unit == 0.5
        assert (traffic.n_bytes, traffic.n_sums, traffic.n_decisions) == (16 + 8 + 8, 3, 0)
        assert traffic.seconds > 0.0


def test_when_one_fails_the_others_notice_at_once(together):
    def run(rank, ring):
        for j in range(50):
            if rank == 1 and j == 20:
                raise ValueError("out of luck")
            ring.total(1)

    start = time.monotonic()
    first, second, third = together(3, run)
    assert time.monotonic() - start < 15
    assert isinstance(second, ValueError)
    for error in (first, third):
        assert isinstance(error, WorkerLostError)
        assert "another worker has left" in str(error)


def test_who_does_not_answer_is_waited_for_until_the_timeout(together):
    done = threading.Event()

    def run(rank, ring):
        ring.total(1)
        if rank == 1:
            done.wait(20)
            return None
        try:
            return ring.total(1)
        finally:
            done.set()

    start = time.monotonic()
    error, _ = together(2, run, timeout=2)
    assert isinstance(error, WorkerLostError)
    assert time.monotonic() - start < 15


def test_numbers_are_summed_and_the_first_machine_decides(together):
    def run(rank, ring):
        counts, decision = np.array([2, rank]), np.array([rank, 7 - rank])
        ring.reduce(counts)
        ring.decide(decision)
        return counts.tolist(), decision.tolist()

    assert together(3, run) == [([6, 3], [0, 7])] * 3


def test_machines_that_round_differently_follow_the_first(together):
    """Were the others to decide for themselves, each would grow a tree of its own."""
    data = draw_large(600)
    binning = find_bins(data.X, data.n_categories, 255)

    def run(rank, ring):
        part = data.take(np.arange(600) % 2 == rank)
        X, lanes = np.ascontiguousarray(part.X), one_each(binning.n_bins)
        examples = Examples(X, part.positive, binning, lanes, n_threads=1)
        decide = ring.decide

        def decide_otherwise(decision):
            decision[0] -= rank  # another feature, or no split at all
            decide(decision)

        ring.decide = decide_otherwise
        amount = part.sample_weight[examples.order]
        return boost(examples, amount, settings=SMALL, machines=ring)

    order = np.argsort(np.arange(600) % 2, kind="stable")
    whole = data.take(order).boost(SMALL, binning=binning)
    for part in together(2, run):
        assert part == whole
