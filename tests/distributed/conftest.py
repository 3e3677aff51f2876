"""Clusters of worker processes, what ends their workers, and what ends a test that hangs."""

import contextlib
import os
import signal
import time

import pytest

# Seconds that a test may take, many times what it needs. Seconds in which this process was stopped
# from outside do not count.
PATIENCE = 240


@pytest.fixture(autouse=True)
def _no_test_hangs():
    """Raise in a test that takes too long, wherever it waits, and again if it goes on waiting."""
    if not hasattr(signal, "SIGALRM"):  # Windows has none
        yield
        return
    seconds = 0

    def tick(*_):
        nonlocal seconds
        seconds += 1
        if seconds >= PATIENCE:
            seconds -= 10
            raise TimeoutError(f"the test has not ended after {PATIENCE} seconds")

    before = signal.signal(signal.SIGALRM, tick)
    signal.setitimer(signal.ITIMER_REAL, 1.0, 1.0)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def start(distributed, n_workers, **options):
    """Start workers, and a client."""
    cluster = distributed.LocalCluster(
        n_workers=n_workers,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address=":0",
        memory_limit=None,
        silence_logs=50,
        **options,
    )
    with cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture
def dask_packages(require):
    """Return the package distributed, if all that is needed is there."""
    preload = ["dask.array", "dask.dataframe", "horotree.distributed.fit.tasks"]
    for name in preload:
        require(name)
    distributed = require("distributed")
    # Workers are forked from a process that has imported everything: a fraction of the time.
    require("dask").config.set({"distributed.worker.multiprocessing-method": "forkserver"})
    distributed.utils.get_mp_context().set_forkserver_preload(["distributed", *preload])
    return distributed


@pytest.fixture(scope="session")
def _shared():
    """Hold the client that all tests share, when it has started; end it at last."""
    with contextlib.ExitStack() as stack:
        yield stack, []


@pytest.fixture
def client(dask_packages, _shared):
    """Return the client of three workers that live as long as all tests."""
    stack, started = _shared
    if not started:
        started.append(stack.enter_context(start(dask_packages, 3)))
    return started[0]


@pytest.fixture
def n_workers(client, monkeypatch):
    """Let fits use only the first so many workers."""
    from horotree.distributed.fit.cluster import Cluster

    whole = Cluster.workers

    def limit(n):
        monkeypatch.setattr(Cluster, "workers", lambda self: whole(self)[:n])

    return limit


@pytest.fixture
def pids(client):
    """Return the process of each worker, in the order of ranks: that of addresses."""
    found = client.run(os.getpid)
    return [found[address] for address in sorted(found)]


@pytest.fixture
def when(monkeypatch):
    """Do something when the nth tree is there."""
    from horotree.distributed.fit.progress import Progress

    hear, seen, actions = Progress.hear, [], {}

    def hear_and_act(self, *args):
        hear(self, *args)
        seen.append(None)
        if len(seen) in actions:
            actions.pop(len(seen))()

    monkeypatch.setattr(Progress, "hear", hear_and_act)
    return actions.__setitem__


def wait_until(condition, seconds=60.0):
    """Wait for a condition."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def wait_until_idle(client):
    """Wait until no worker runs anything."""

    def is_idle(dask_worker):
        return dask_worker.state.executing_count == 0

    wait_until(lambda: all(client.run(is_idle).values()))
