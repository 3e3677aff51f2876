"""One thread or all: the faster of the two goes on, and both are tried now and then."""

import numpy as np
import pytest

from horotree.training import Settings, induction
from horotree.training.pace import PERIOD, RUN, Pace

from .samples import Data


def follow(pace, seconds, n_trees):
    """Return what was chosen for each tree; ``seconds`` are those of one thread and of all."""
    chosen = []
    for _ in range(n_trees):
        chosen.append(pace.together())
        pace.add(seconds[chosen[-1]])
    return chosen


@pytest.mark.parametrize("seconds", [(2.0, 1.0), (1.0, 2.0)])
def test_the_faster_goes_on(seconds):
    chosen = follow(Pace(), seconds, 3 * PERIOD)
    faster = seconds[1] < seconds[0]
    slow = [n for n, together in enumerate(chosen) if together != faster]
    assert len(slow) == 3 * RUN
    assert all(n % PERIOD < 2 * RUN for n in slow)
    assert chosen[-1] == faster


def test_what_changes_is_noticed():
    pace = Pace()
    assert all(follow(pace, (2.0, 1.0), PERIOD)[2 * RUN :])
    assert not any(follow(pace, (1.0, 2.0), PERIOD)[2 * RUN :])
    assert all(follow(pace, (2.0, 1.0), PERIOD)[2 * RUN :])


@pytest.mark.parametrize("place", range(2 * RUN))
@pytest.mark.parametrize("seconds", [(1.5, 1.0), (1.0, 1.5)])
def test_one_tree_that_is_interrupted_does_not_mislead(seconds, place):
    pace = Pace()
    follow(pace, seconds, place)
    pace.add(10.0)
    follow(pace, seconds, 2 * RUN - 1 - place)
    assert pace.together() == (seconds[1] < seconds[0])


@pytest.mark.parametrize("seconds", [(1.1, 1.0), (1.0, 1.1)])
def test_the_first_tree_after_a_change_does_not_count(seconds):
    """One thread then finds rows in the cache of another core: in turn it would always lose."""
    pace, before = Pace(), None
    for _ in range(2 * PERIOD + 2 * RUN):
        together = pace.together()
        is_cold = before is not None and before > together
        pace.add(seconds[together] * (1.2 if is_cold else 1.0))
        before = together
    assert pace.together() == (seconds[1] < seconds[0])


def test_trees_that_are_alike_are_told_together():
    one_by_one, together = Pace(), Pace()
    for _ in range(3):
        chosen = follow(one_by_one, (1.0, 2.0), PERIOD)
        again = []
        while len(again) < PERIOD:
            n = together.n_alike()
            again += [together.together()] * n
            together.add(n * (2.0 if again[-1] else 1.0), n)
        assert again == chosen


@pytest.mark.parametrize(("n_rows", "n_threads"), [(400, 3), (400, 1), (induction.MANY_VALUES, 3)])
def test_small_tables_are_grown_at_this_pace_by_several_threads(monkeypatch, n_rows, n_threads):
    told = []

    def boost_trees(**options):
        told.append((options["n_threads"], options["n_rounds"]))
        return kernel(**options)

    kernel = induction._native.boost_trees
    monkeypatch.setattr(induction._native, "boost_trees", boost_trees)
    rng = np.random.default_rng(0)
    X = rng.integers(0, 9, (n_rows, 3)).astype(np.float64)
    positive = X[:, 0] + rng.normal(size=n_rows) > 4.0
    data = Data(X, positive, np.ones(n_rows), np.zeros(3, np.int32))
    data.boost(Settings(n_estimators=2 * RUN, max_leaf_nodes=4, n_threads=n_threads))
    has_pace = n_rows == 400 and n_threads > 1
    tries = [(3, 1)] * RUN + [(1, 1)] * RUN
    assert told == (tries if has_pace else [(n_threads, 2 * RUN)])
