"""Workers die: the fit goes on from the last finished tree, or says why it cannot.

Each test has a cluster of its own: what was killed may or may not come back.
"""

import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

from horotree import LogisticBoostClassifier
from horotree.distributed import DaskLogisticBoostClassifier
from horotree.distributed.fit import cluster
from horotree.distributed.fit.attempt import Attempt
from horotree.distributed.fit.messages import NewEnsemble
from horotree.distributed.fit.progress import Progress
from horotree.distributed.ring.links import WorkerLostError

from .conftest import start
from .data import arrays, numbers

SETTINGS = {"n_estimators": 12, "max_leaf_nodes": 12, "subsample": 0.8, "random_state": 1}


@pytest.fixture
def client(dask_packages):
    with start(dask_packages, 2) as client:
        yield client


@pytest.fixture(scope="module")
def expected():
    X, y, weight = numbers(2_000)
    return LogisticBoostClassifier(**SETTINGS).fit(X, y, weight)


def fit(client, **options):
    X, y, weight = numbers(2_000)
    model = DaskLogisticBoostClassifier(**SETTINGS | {"timeout": 60.0} | options, client=client)
    return model.fit(*arrays(250, X, y, weight))


def kill(pid):
    return lambda: os.kill(pid, signal.SIGKILL)


def assert_same(fitted, expected):
    assert fitted.model_ == expected.model_
    assert sum(report["rows"] for report in fitted.workers_.values()) == 2_000


def test_workers_that_are_killed_in_the_middle_cost_no_tree(client, pids, when, expected):
    when(3, kill(pids[0]))  # where the others meet
    when(8, kill(pids[1]))
    with pytest.warns(RuntimeWarning, match="the fit has lost a worker") as caught:
        fitted = fit(client)
    assert len(caught) == 2
    assert_same(fitted, expected)


STOPPING = {"max_leaf_nodes": 12, "n_estimators": 30, "n_iter_no_change": 2, "random_state": 1}


def fit_three(client, **options):
    """Fit three classes, each until its validation loss stops falling."""
    X, y, weight = numbers(1_500, 3)
    model = DaskLogisticBoostClassifier(**STOPPING, early_stopping=True, client=client, **options)
    other, labels, _ = numbers(500, 3, seed=1)
    labels[::2] = np.random.default_rng(0).permutation(labels[::2])  # so that it stops early
    return model.fit(*arrays(250, X, y, weight), eval_set=tuple(arrays(250, other, labels)))


@pytest.mark.parametrize("drops", [False, True])
def test_ensembles_that_are_done_or_under_way_are_what_they_would_have_been(
    client, pids, monkeypatch, drops
):
    """A worker dies in the second class; or before the client hears that the first is done."""
    undisturbed = fit_three(client)
    assert undisturbed.n_estimators_ < STOPPING["n_estimators"]
    hear, ensembles, killed = Progress.hear, [], []

    def hear_and_kill(self, attempt, event):
        news = pickle.loads(event[1])  # noqa: S301 - from our own worker
        ensembles.append(isinstance(news, NewEnsemble))
        if not killed and (ensembles[-1] if drops else sum(ensembles) == 1 and news.place == 1):
            killed.append(os.kill(pids[0], signal.SIGKILL))
            if drops:
                return
        hear(self, attempt, event)

    monkeypatch.setattr(Progress, "hear", hear_and_kill)
    with pytest.warns(RuntimeWarning, match="the fit has lost a worker"):
        fitted = fit_three(client)
    assert fitted.model_ == undisturbed.model_
    np.testing.assert_array_equal(fitted.validation_loss_, undisturbed.validation_loss_)


def test_the_only_worker_may_die_too(client, pids, when, n_workers, expected):
    n_workers(1)
    when(4, kill(pids[0]))
    with pytest.warns(RuntimeWarning, match="the fit has lost a worker"):
        fitted = fit(client)
    assert_same(fitted, expected)


def test_a_worker_that_dies_while_it_bins_is_replaced(client, pids, monkeypatch, expected):
    submit, killed = client.submit, []

    def submit_and_kill(function, *args, **options):
        future = submit(function, *args, **options)
        if function.__name__ == "load" and not killed:
            killed.append(True)
            os.kill(pids[1], signal.SIGKILL)
        return future

    monkeypatch.setattr(client, "submit", submit_and_kill)
    with pytest.warns(RuntimeWarning, match="continues after 0 trees"):
        fitted = fit(client)
    assert_same(fitted, expected)


def test_one_that_dies_before_all_have_met_is_noticed_and_restarts_are_counted(
    client, pids, monkeypatch
):
    train = Attempt._train

    def kill_and_train(self, *args):
        os.kill(pids[1], signal.SIGKILL)
        return train(self, *args)

    monkeypatch.setattr(Attempt, "_train", kill_and_train)
    with pytest.raises(RuntimeError, match="lost a worker, after 0 trees, and has no restart left"):
        fit(client, n_restarts=0)


def test_a_worker_that_freezes_is_left_behind(client, pids, when, monkeypatch, expected):
    monkeypatch.setattr(cluster, "ANSWER", 2.0)
    when(4, lambda: os.kill(pids[1], signal.SIGSTOP))
    try:
        with pytest.warns(RuntimeWarning, match="the fit has lost a worker"):
            # A slow machine may seem to freeze, too.
            fitted = fit(client, timeout=3.0, n_restarts=9)
    finally:
        os.kill(pids[1], signal.SIGCONT)
    assert_same(fitted, expected)


def test_a_later_fit_does_not_wait_for_workers_that_an_earlier_one_has_lost(client, pids):
    """Dask keeps with a key where it may run, and both fits have the same keys."""
    X = arrays(250, numbers(2_000)[0])[0].to_delayed().ravel().tolist()
    ours = cluster.Cluster(client, 60.0)
    first = min(client.nthreads())
    held = ours.compute(X, [first])
    ours.collect(held)
    assert {address for holders in ours.holders(held) for address in holders} == {first}
    os.kill(pids[0], signal.SIGKILL)
    assert len(ours.collect(ours.compute(X))) == 8


def test_a_result_that_is_lost_with_its_worker_is_not_waited_for(client, pids):
    ours = cluster.Cluster(client, 600.0)
    first = min(client.nthreads())
    done = [ours.submit(abs, -1, to=[first])]
    assert ours.collect(done, [first]) == [1]
    os.kill(pids[0], signal.SIGKILL)
    with pytest.raises(WorkerLostError, match="the scheduler has lost"):
        ours.collect(done, [first])


def test_a_scheduler_that_goes_is_told(client, when):
    when(2, lambda: threading.Thread(target=client.cluster.close).start())
    with pytest.raises(RuntimeError, match="lost its scheduler, or was closed"):
        fit(client, n_estimators=2_000)


def test_no_worker_at_all_is_told(client):
    client.retire_workers(sorted(client.nthreads()))
    begin = time.monotonic()
    with pytest.raises(TimeoutError, match="has had no worker for 1 seconds: start some"):
        fit(client, timeout=1.0)
    assert time.monotonic() - begin < 60
