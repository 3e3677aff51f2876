"""Threads, processes and signals."""

import os
import signal
import threading
import time

import joblib
import numpy as np
import pytest

from horotree import LogisticBoostClassifier
from horotree._checks import n_threads_of

from .data import numbers


def small(**parameters):
    return LogisticBoostClassifier(5, **({"max_leaf_nodes": 20} | parameters))


@pytest.fixture(scope="module")
def data():
    return numbers(20_000, 10, n_classes=3)


def test_results_do_not_depend_on_the_number_of_threads(data):
    X, y = data
    options = {"subsample": 0.8, "max_features": 5, "random_state": 0}
    first = small(n_jobs=1, **options).fit(X, y)
    for n_jobs in (2, 3, 8, -1):
        other = small(n_jobs=n_jobs, **options).fit(X, y)
        assert other.model_ == first.model_
        np.testing.assert_array_equal(other.feature_importances_, first.feature_importances_)
        np.testing.assert_array_equal(other.decision_function(X), first.decision_function(X))


def test_threads_of_python_may_fit_at_once(data):
    X, y = data
    fits = [joblib.delayed(small(n_jobs=2).fit)(X, y == k % 3) for k in range(6)]
    together = joblib.Parallel(3, backend="threading")(fits)
    for k, fitted in enumerate(together):
        assert fitted.model_ == small().fit(X, y == k % 3).model_


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_processes_fit_the_same(data):
    X, y = data
    first = small(n_jobs=2).fit(X, y)  # the pool of threads is there before the fork
    fits = [joblib.delayed(small(n_jobs=n_jobs).fit)(X, y) for n_jobs in (1, 2)]
    for fitted in joblib.Parallel(2, backend="multiprocessing")(fits):
        assert fitted.model_ == first.model_


def test_threads_are_what_joblib_says(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    cores = joblib.cpu_count()
    assert (n_threads_of(None), n_threads_of(3), n_threads_of(-1)) == (1, 3, cores)
    assert n_threads_of(-2) == max(1, cores - 1)
    assert n_threads_of(-1000) == 1
    with joblib.parallel_config(backend="threading", n_jobs=3):
        assert n_threads_of(None) == 3


def test_within_a_worker_all_cores_are_its_share(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # what joblib sets in its workers
    assert (n_threads_of(-1), n_threads_of(None), n_threads_of(3)) == (1, 1, 3)
    monkeypatch.setenv("OMP_NUM_THREADS", "many")
    assert n_threads_of(-1) == joblib.cpu_count()


def test_workers_of_joblib_share_the_cores():
    with joblib.parallel_config(backend="loky", inner_max_num_threads=1):
        shares = joblib.Parallel(2)(joblib.delayed(n_threads_of)(-1) for _ in range(2))
    assert shares == [1, 1]


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX systems")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interrupt_stops_a_fit_within_a_second(data, n_jobs):
    X, y = data
    estimator = small(n_jobs=n_jobs).fit(X[:100], y[:100])
    before = estimator.model_
    estimator.set_params(n_estimators=100_000)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        estimator.fit(X, y)
    assert time.monotonic() - begin < 1.3
    assert estimator.model_ is before
    assert estimator.set_params(n_estimators=2).fit(X, y).n_estimators_ == 2
