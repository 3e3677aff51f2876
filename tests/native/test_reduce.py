"""The seam where histograms are summed: rows on several machines grow the tree of all rows."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .problems import (
    Table,
    assert_same_tree,
    bin_table,
    draw_large,
    draw_problem,
    grow_problem,
    grow_tree,
)

seeds = st.integers(0, 2**32 - 1)


class Machines:
    """Sums histograms over threads that play machines: ``reduce(k)`` is the callback of the kth."""

    def __init__(self, n):
        self.parts = [None] * n
        self.barrier = threading.Barrier(n, timeout=30)

    def reduce(self, k):
        def reduce(histogram):
            self.parts[k] = histogram.copy()
            self.barrier.wait()
            histogram[:] = sum(self.parts)
            self.barrier.wait()

        return reduce


def grow_on_machines(problem, machine, n_machines, **rules):
    """Grow at the same time on the rows of each machine; return the trees."""
    table = bin_table(problem)  # of all rows: machines agree on the bins beforehand
    machines = Machines(n_machines)

    def run(k):
        rows = machine == k
        part = Table(table.bins[rows], table.n_bins, table.missing, table.categorical)
        n_negative = int((~problem.positive[rows]).sum())
        reduce = machines.reduce(k)
        return grow_tree(part, problem.weights[rows], n_negative, reduce=reduce, **rules)

    with ThreadPoolExecutor(n_machines) as pool:
        return list(pool.map(run, range(n_machines)))


def check_machines(problem, machine, n_machines, **rules):
    whole = grow_problem(problem, **rules)
    parts = grow_on_machines(problem, machine, n_machines, **rules)
    np.testing.assert_array_equal(sum(part["count"] for part in parts), whole["count"])
    leaf = np.empty_like(whole["leaf"])
    for k, part in enumerate(parts):
        leaf[machine == k] = part["leaf"]
    for part in parts:
        assert_same_tree(part | {"count": whole["count"], "leaf": leaf}, whole)


@given(seeds)
def test_a_reduce_that_does_nothing_changes_nothing(seed):
    problem = draw_problem(np.random.default_rng(seed), max_rows=200)
    assert_same_tree(grow_problem(problem, reduce=lambda _histogram: None), grow_problem(problem))


@given(seeds)
def test_machines_grow_the_tree_of_all_rows(seed):
    rng = np.random.default_rng(seed)
    problem = draw_problem(rng, max_rows=200)
    n_machines = int(rng.integers(2, 4))
    machine = rng.integers(0, n_machines, len(problem.X))
    check_machines(
        problem,
        machine,
        n_machines,
        min_samples_leaf=int(rng.choice([1, 3])),
        n_histograms=int(rng.choice([3, 400])),
    )


def test_machines_grow_the_tree_of_all_rows_of_a_large_table():
    problem = draw_large(10_000, 20)
    machine = np.random.default_rng(0).integers(0, 2, len(problem.X))
    check_machines(problem, machine, 2, n_threads=2)


@pytest.mark.parametrize("alone", ["nothing", "one class"])
def test_a_machine_may_have_nothing_or_one_class(alone):
    problem = draw_problem(np.random.default_rng(12), max_rows=200)
    machine = np.zeros(len(problem.X), int) if alone == "nothing" else problem.positive.astype(int)
    check_machines(problem, machine, 2)


def test_reduce_sees_the_weights_of_each_class_by_bin():
    problem = draw_large(1_000, 3)
    table = bin_table(problem)
    seen = []
    grow_problem(problem, max_leaf_nodes=2, reduce=lambda histogram: seen.append(histogram.copy()))
    expected = [
        np.bincount(
            table.bins[problem.positive == of, f],
            problem.weights[problem.positive == of],
            table.n_bins[f],
        )
        for of in (False, True)
        for f in range(3)
    ]
    np.testing.assert_array_equal(seen[0], np.concatenate(expected))


def test_reduce_sees_counts_when_leaves_must_be_large():
    problem = draw_large(1_000, 3)
    table = bin_table(problem)
    seen = []
    grow_problem(
        problem, min_samples_leaf=2, reduce=lambda histogram: seen.append(histogram.copy())
    )
    counts = [np.bincount(table.bins[:, f], minlength=table.n_bins[f]) for f in range(3)]
    np.testing.assert_array_equal(seen[0][2 * table.n_bins.sum() :], np.concatenate(counts))


@pytest.mark.parametrize("at_call", [1, 5])
def test_an_error_in_reduce_is_raised_and_leaves_everything_usable(at_call):
    problem = draw_large(3_000, 10)
    calls = []

    def fail(_histogram):
        calls.append(None)
        if len(calls) == at_call:
            raise RuntimeError("the network is down")

    with pytest.raises(RuntimeError, match="the network is down"):
        grow_problem(problem, reduce=fail, n_threads=2)
    assert len(calls) == at_call
    assert_same_tree(grow_problem(problem, n_threads=2), grow_problem(problem))


def share_first(machines):
    """Return callbacks that put the first machine's decision in place of all others'."""

    def callback(k):
        def decide(decision):
            machines.parts[k] = decision.copy()
            machines.barrier.wait()
            decision[:] = machines.parts[0]
            machines.barrier.wait()

        return decide

    return callback


def test_the_first_machine_decides_where_others_would_choose_another_split():
    problem = draw_large(2_000, 6, seed=3)
    table, n_negative = bin_table(problem), int((~problem.positive).sum())
    nothing = np.zeros(0, np.int32), 0
    empty = Table(table.bins[:0], table.n_bins, table.missing, table.categorical)
    machines = Machines(2)
    decide = share_first(machines)
    bounds = np.cumsum(table.n_bins)[:-1]

    def turn_around(histogram):
        """Sum, and turn the second machine's bins around: it will find other splits."""
        machines.reduce(1)(histogram)
        for side in np.split(histogram, 2):
            for bins in np.split(side, bounds):
                bins[:] = bins[::-1].copy()

    whole = grow_tree(table, problem.weights, n_negative)
    with ThreadPoolExecutor(2) as pool:
        rules = {"reduce": machines.reduce(0), "decide": decide(0)}
        first = pool.submit(grow_tree, table, problem.weights, n_negative, **rules)
        rules = {"reduce": turn_around, "decide": decide(1)}
        second = pool.submit(grow_tree, empty, *nothing, **rules)
        assert_same_tree(first.result(), whole)
        assert second.result()["count"].sum() == 0
        for name in ("left", "feature", "bin", "missing_left", "left_bins", "negative", "positive"):
            np.testing.assert_array_equal(second.result()[name], whole[name])


@pytest.mark.parametrize("entry", [(0, 6), (1, 10**9), (1, -5)])
def test_a_decision_that_no_machine_can_have_taken_is_refused(entry):
    problem = draw_large(500, 6, seed=3)
    place, number = entry

    def decide(decision):
        decision[0] = 0  # a feature of numbers
        decision[place] = number

    rules = {"reduce": lambda histogram: None, "decide": decide}
    with pytest.raises(ValueError, match="impossible split"):
        grow_problem(problem, **rules)
