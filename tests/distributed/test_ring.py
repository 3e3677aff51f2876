"""The machines of a fit over the real collective: threads play workers."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from horotree.distributed._caller import Caller, LostError
from horotree.distributed._parts import find_segments
from horotree.distributed._ring import Ring, Traffic, joined
from horotree.training import Examples, boost_examples, find_bins
from horotree.training.lanes import one_each
from tests.training.samples import SMALL, draw, draw_large

KEY = bytes(range(32))
FINAL = replace(SMALL, subsample=0.7, max_features=2, n_estimators=4)


@pytest.fixture
def together(require):
    """Run a function with the ring of each of so many machines; return results or errors."""
    require("xgboost")
    from xgboost.tracker import RabitTracker

    def together(n_machines, function, timeout=20):
        tracker = RabitTracker(
            n_workers=n_machines, host_ip="127.0.0.1", sortby="task", timeout=timeout
        )
        tracker.start()
        where = tracker.worker_args()

        def run(rank):
            try:
                with joined(where, rank, timeout, lambda: None) as caller:
                    return function(rank, Ring(caller, rank, KEY, Traffic()))
            except Exception as error:  # noqa: BLE001 - the test looks at it
                return error

        with ThreadPoolExecutor(n_machines) as pool:
            results = list(pool.map(run, range(n_machines)))
        tracker.free()
        return results

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
        return boost_examples(examples, amount, settings=settings, machines=ring)

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
        assert part.ensemble == whole.ensemble
        np.testing.assert_array_equal(part.importance, whole.importance)


def test_a_machine_may_have_one_class_or_nothing(together):
    data = draw_large(400)
    for machine in (data.positive.astype(int), np.where(data.positive, 2, 0)):
        whole, parts = boost_together(together, data, SMALL, machine)
        for part in parts:
            assert part.ensemble == whole.ensemble


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
        assert isinstance(error, LostError)
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
    assert isinstance(error, LostError)
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
        return boost_examples(examples, amount, settings=SMALL, machines=ring)

    order = np.argsort(np.arange(600) % 2, kind="stable")
    whole = data.take(order).boost(SMALL, binning=binning)
    for part in together(2, run):
        assert part.ensemble == whole.ensemble


def test_a_call_that_never_ends_is_left_behind(require):
    require("xgboost")
    forever = threading.Event()
    caller = Caller(lambda: None, timeout=0.1)
    with pytest.raises(LostError, match=r"has not answered for 0\.1 s"):
        caller(forever.wait)
    assert caller.is_stuck

    def give_up():
        raise RuntimeError("nobody waits")

    with pytest.raises(RuntimeError, match="nobody waits"):
        Caller(give_up, timeout=60.0)(forever.wait)
    forever.set()
    assert Caller(give_up, timeout=60.0)(divmod, 7, 2) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        Caller(give_up, timeout=60.0)(divmod, 7, 0)


@pytest.mark.parametrize("received", [[0, 0, 0, 0], [1, 2, 3, 0], [3, 2, 1, 7]])
def test_a_decision_that_is_not_what_the_first_has_sent_is_a_loss(require, received):
    """XGBoost leaves numbers out where a machine dies meanwhile; a stranger may send any."""
    require("xgboost")
    ring = Ring(lambda function, *args: function(*args), 1, KEY, Traffic())
    ring._collective = SimpleNamespace(
        allreduce=lambda *_: np.array(received), Op=SimpleNamespace(SUM=2)
    )
    with pytest.raises(LostError, match="a decision has not come"):
        ring.decide(np.zeros(3, np.int64))


def test_a_decision_that_is_sent_again_is_a_loss(together):
    def run(rank, ring):
        if rank == 0:
            checksum = ring._checksum
            seen = []
            ring._checksum = lambda numbers: seen.append(checksum(numbers)) or seen[0]
        ring.decide(np.array([7]))
        ring.decide(np.array([7]))

    _, second = together(2, run)
    assert isinstance(second, LostError)
    assert "a decision has not come" in str(second)


def test_a_tree_is_kept_only_if_all_sums_before_it_were_right(together):
    """While a machine dies XGBoost may give a wrong sum; it says so when the next one is made."""
    data = draw_large(600)
    binning = find_bins(data.X, data.n_categories, 255)

    def run(rank, ring):
        part = data.take(np.arange(600) % 2 == rank)
        X, lanes = np.ascontiguousarray(part.X), one_each(binning.n_bins)
        examples = Examples(X, part.positive, binning, lanes, n_threads=1)
        kept = []

        def follow(j, *_):
            ring.sums(np.array([1.0]))  # as the validation loss is
            if rank == 1 and j == 2:
                raise ValueError("out of luck")

        with pytest.raises(ValueError if rank == 1 else LostError):
            boost_examples(
                examples,
                part.sample_weight[examples.order],
                settings=SMALL,
                machines=ring,
                on_round=follow,
                keep=lambda j, *_: kept.append(j),
            )
        return kept

    assert together(2, run) == [[0, 1], [0, 1]]
