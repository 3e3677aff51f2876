"""A fit that cannot go on ends and says why; one that is stopped leaves nothing behind."""

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from horotree.distributed import DaskLogisticBoostClassifier
from horotree.distributed.fit.cluster import Cluster
from horotree.distributed.fit.tasks import StoredPart
from horotree.distributed.ring.links import WorkerLostError

from .conftest import wait_until, wait_until_idle
from .data import arrays, delayed, numbers

SMALL = {"n_estimators": 3, "max_leaf_nodes": 8}
NOBODY = "tcp://127.0.0.1:9"


def fit(client, data=None, **options):
    X, y, _ = numbers(500)
    model = DaskLogisticBoostClassifier(**SMALL | {"timeout": 60.0} | options, client=client)
    return model.fit(*data or arrays(100, X, y))


def test_an_interrupted_fit_stops_the_workers_though_its_error_is_kept(client, when):
    main = threading.main_thread().ident
    when(2, lambda: signal.pthread_kill(main, signal.SIGINT))
    with pytest.raises(KeyboardInterrupt) as error:
        fit(client, n_estimators=100_000)
    wait_until_idle(client)
    wait_until(lambda: not client.futures)
    assert error.tb is not None  # holds all that the fit had made


def test_a_client_that_is_closed_in_the_middle_is_told_and_the_workers_stop(client, when):
    import distributed

    own = distributed.Client(client.scheduler.address, set_as_default=False)
    when(2, lambda: threading.Thread(target=own.close).start())
    with pytest.raises(RuntimeError, match="was closed"):
        fit(own, n_estimators=100_000)
    wait_until_idle(client)


# With so little patience, a machine that is busy may seem to have lost a worker.
impatient = pytest.mark.filterwarnings("ignore:the fit has lost a worker:RuntimeWarning")
STUCK = "tasks wait, but nothing has run for 1 seconds|no answer from"


@impatient
def test_partitions_that_nobody_may_compute_are_given_up(client):
    X, y, _ = numbers(500)
    dX, dy = arrays(100, X, y)
    stuck = client.persist(dX, workers=[NOBODY], allow_other_workers=False)
    with (
        pytest.warns(RuntimeWarning, match="continues before the first tree, on 3 worker"),
        pytest.raises(RuntimeError, match=STUCK),
    ):
        fit(client, (stuck, dy), timeout=1.0, n_restarts=1)
    del stuck
    fitted = fit(client, (dX, dy), timeout=1.0, n_restarts=9)  # the same keys begin anew
    stuck = client.persist(dX, workers=[NOBODY], allow_other_workers=False)
    with pytest.raises(RuntimeError, match=STUCK):
        fitted.score(stuck, dy)


@impatient
def test_workers_that_are_busy_with_something_else_are_waited_for(client):
    others = client.map(time.sleep, [2.5] * 3, pure=False)
    assert fit(client, timeout=1.0, n_restarts=9).n_estimators_ == 3
    assert [future.status for future in others] == ["finished"] * 3


def test_fits_at_a_time_take_turns(client):
    expected = fit(client).model_
    with ThreadPoolExecutor(3) as pool:
        fitted = list(pool.map(lambda _: fit(client, n_restarts=0), range(3)))
    assert [each.model_ for each in fitted] == [expected] * 3


def test_a_failed_fit_holds_nothing_though_its_error_is_kept(client):
    X, y, _ = numbers(200)
    parts, labels = delayed([100, 100], X, y)
    with pytest.raises(ValueError, match="partition 1: X and y must have one length") as error:
        fit(client, (parts, [labels[0], labels[1][:-1]]))
    wait_until(lambda: not client.futures)
    assert error.tb is not None


def test_what_a_user_holds_is_not_released(client):
    X, y, _ = numbers(500)
    dX, dy = (client.persist(v) for v in arrays(100, X, y))
    fit(client, (dX, dy))
    states = {future.status for future in client.futures_of([dX, dy])}
    assert states == {"finished"}
    np.testing.assert_array_equal(dX.compute(), X)


def test_cancelled_tasks_and_tasks_that_fail_are_told_apart(client):
    import dask

    def fail():
        raise OSError("no such file")

    cluster = Cluster(client, 60.0)
    with pytest.raises(OSError, match="no such file"):
        cluster.collect(cluster.compute([dask.delayed(fail)()]))
    waiting = cluster.compute([dask.delayed(time.sleep)(1.0)])
    client.cancel(waiting)
    with pytest.raises(WorkerLostError, match="a task was cancelled"):
        cluster.collect(waiting)


def test_what_was_taken_is_not_there_twice():
    kept = StoredPart(None, 3, "rows")
    assert kept.part == kept.take() == "rows"
    with pytest.raises(WorkerLostError, match="partition 3 was taken before"):
        kept.take()
