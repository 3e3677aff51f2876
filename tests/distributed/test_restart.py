"""Workers die: the fit goes on from the last finished tree, or says why it cannot."""

import os
import signal
import threading

import numpy as np
import pytest

from horotree import LogisticBoostClassifier
from horotree.distributed import DaskLogisticBoostClassifier, _driver

from .conftest import wait_until
from .data import arrays, numbers

SETTINGS = {"n_estimators": 12, "max_leaf_nodes": 12, "subsample": 0.8, "random_state": 1}


@pytest.fixture
def client(any_client):
    """Return a client of two workers or more: those that were killed come back meanwhile."""
    return any_client(2)


@pytest.fixture(scope="module")
def expected():
    X, y, weight = numbers(2_000)
    return LogisticBoostClassifier(**SETTINGS).fit(X, y, weight)


def fit(client, **options):
    X, y, weight = numbers(2_000)
    model = DaskLogisticBoostClassifier(**SETTINGS | {"timeout": 20.0} | options, client=client)
    return model.fit(*arrays(250, X, y, weight))


def assert_same(fitted, expected):
    assert fitted.model_ == expected.model_
    np.testing.assert_array_equal(fitted._importance, expected._importance)
    assert sum(told["rows"] for told in fitted.workers_.values()) == 2_000


def test_workers_that_are_killed_in_the_middle_cost_no_tree(client, strike, expected):
    strike(3, rank=0)  # where the others meet
    strike(8, rank=1)
    with pytest.warns(RuntimeWarning, match=r"lost a worker .* goes on after \d+ trees, on"):
        fitted = fit(client)
    assert_same(fitted, expected)


def test_the_only_worker_may_die_too(client, strike, n_workers, expected):
    n_workers(1)
    strike(4, rank=0)
    with pytest.warns(RuntimeWarning, match="the scheduler has lost"):
        fitted = fit(client)
    assert_same(fitted, expected)


def test_a_worker_that_dies_while_it_bins_is_replaced(client, pids, monkeypatch, expected):
    submit, killed = client.submit, []

    def submit_and_kill(function, *args, **options):
        future = submit(function, *args, **options)
        if function.__name__ == "load" and not killed:
            killed.append(True)
            os.kill(pids[2], signal.SIGKILL)
        return future

    monkeypatch.setattr(client, "submit", submit_and_kill)
    with pytest.warns(RuntimeWarning, match="goes on after 0 trees"):
        fitted = fit(client)
    assert_same(fitted, expected)


def test_one_that_dies_before_all_have_met_is_noticed_and_restarts_are_counted(
    client, pids, monkeypatch
):
    start = _driver.Driver._submit_training

    def kill_and_start(self, *args, **options):
        os.kill(pids[1], signal.SIGKILL)
        return start(self, *args, **options)

    monkeypatch.setattr(_driver.Driver, "_submit_training", kill_and_start)
    with pytest.raises(RuntimeError, match="lost a worker, after 0 trees, and may not start again"):
        fit(client, n_restarts=0)


def test_an_interrupted_fit_stops_the_workers(client, strike):
    main = threading.main_thread().ident
    strike(2, action=lambda: signal.pthread_kill(main, signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        fit(client, n_estimators=2_000)

    def is_idle(dask_worker):
        return dask_worker.state.executing_count == 0

    wait_until(lambda: all(client.run(is_idle).values()))


def test_a_client_that_is_closed_in_the_middle_is_told_and_the_workers_stop(client, strike):
    import distributed

    own = distributed.Client(client.scheduler.address, set_as_default=False)
    strike(2, action=lambda: threading.Thread(target=own.close).start())
    with pytest.raises(RuntimeError, match="was closed"):
        fit(own, n_estimators=2_000)

    def is_idle(dask_worker):
        return dask_worker.state.executing_count == 0

    wait_until(lambda: all(client.run(is_idle).values()))
