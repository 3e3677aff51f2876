"""One cluster of three worker processes for all tests, and what ends its workers."""

import contextlib
import os
import signal
import time

import pytest


@pytest.fixture(scope="session")
def _running():
    """Hold the cluster and client that run, if any; end them at last."""
    stack = contextlib.ExitStack()
    with stack:
        yield stack, []


@pytest.fixture
def any_client(require, _running):
    """Return a client when at least so many of its three workers are there."""
    for name in ("dask.array", "dask.dataframe", "xgboost"):
        require(name)
    distributed = require("distributed")
    stack, started = _running

    def start():
        cluster = distributed.LocalCluster(
            n_workers=3,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            memory_limit=None,
            silence_logs=50,
        )
        stack.enter_context(cluster)
        started[:] = [stack.enter_context(distributed.Client(cluster))]

    def wait(n):
        if not started:
            start()
        try:
            started[0].wait_for_workers(n, timeout=15)
        except (TimeoutError, distributed.TimeoutError):  # not every nanny brings a worker back
            stack.close()
            start()
            started[0].wait_for_workers(n, timeout=60)
        return started[0]

    return wait


@pytest.fixture
def client(any_client):
    """Return a client of three workers, of which none is missing."""
    return any_client(3)


@pytest.fixture
def n_workers(client, monkeypatch):
    """Let fits use only the first so many workers."""
    from horotree.distributed import _driver

    whole = _driver.workers_of

    def limit(n):
        monkeypatch.setattr(_driver, "workers_of", lambda client: whole(client)[:n])

    return limit


@pytest.fixture
def strike(client, monkeypatch):
    """Do something to a worker's process, or anything else, when the nth tree is there."""
    from horotree.distributed._progress import Progress

    hear, seen = Progress.hear, []
    pids = client.run(os.getpid)
    actions = {}

    def hear_and_act(self, event):
        hear(self, event)
        seen.append(None)
        if len(seen) in actions:
            actions.pop(len(seen))()

    monkeypatch.setattr(Progress, "hear", hear_and_act)

    def strike(tree, rank=0, action=None):
        """Ranks are in the order of addresses."""
        pid = pids[sorted(pids)[rank]]
        actions[tree] = action or (lambda: os.kill(pid, signal.SIGKILL))

    return strike


@pytest.fixture
def pids(client):
    """Return the process of each worker, in the order of ranks."""
    found = client.run(os.getpid)
    return [found[address] for address in sorted(found)]


def wait_until(condition, seconds=20.0):
    """Wait for a condition."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)
