"""Whoever can reach the ports of workers, but has no key, cannot run code or change a tree."""

import pickle
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from horotree import LogisticBoostClassifier
from horotree.distributed import DaskLogisticBoostClassifier
from horotree.distributed.fit.attempt import Attempt
from tests.distributed.conftest import start, wait_until
from tests.distributed.data import arrays

from .stranger import Evil, listening

SETTINGS = {"n_estimators": 5, "max_leaf_nodes": 4}


@pytest.fixture
def client(dask_packages):
    with start(dask_packages, 3) as client:
        yield client


def small():
    """Return two columns of four values: a stranger knows the size of their histograms."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, (600, 2)).astype(float)
    return X, (X[:, 0] + rng.normal(size=600) > 1.5).astype(int)


def fit(client, **options):
    X, y = small()
    model = DaskLogisticBoostClassifier(**SETTINGS | {"timeout": 30.0} | options, client=client)
    return model.fit(*arrays(200, X, y))


@pytest.fixture
def stranger(request, client, pids, tmp_path, require):
    """Start a stranger who knows all ports but those of a fit; return its marker and its notes."""
    require("xgboost")
    marker, found = tmp_path / "marker", tmp_path / "found"
    known = ",".join(str(port) for _, port in listening(pids))
    words = [request.param, str(marker), str(found), known, ",".join(map(str, pids))]
    path = Path(__file__).with_name("stranger.py")
    with subprocess.Popen([sys.executable, str(path), *words], stdin=subprocess.PIPE) as process:
        wait_until(found.exists)
        yield marker, found
        process.stdin.close()
        process.wait(30)


def test_the_payload_of_the_stranger_runs_where_it_is_unpickled(tmp_path):
    path = tmp_path / "marker"
    pickle.loads(pickle.dumps(Evil(str(path))))  # noqa: S301 - else the next test proves nothing
    assert path.exists()


@pytest.mark.parametrize("stranger", ["joins", "sends"], indirect=True)
def test_a_stranger_at_every_port_runs_no_code_and_changes_no_tree(client, stranger, monkeypatch):
    """The workers wait for the last one for as long as the stranger needs to try everything."""
    marker, found = stranger
    train = Attempt._train

    def wait_and_train(self, *args):
        time.sleep(4.0)
        return train(self, *args)

    monkeypatch.setattr(Attempt, "_train", wait_and_train)
    try:
        fitted = fit(client)
    finally:
        assert not marker.exists()
    notes = found.read_text().splitlines()
    assert sum(line.endswith(" found") for line in notes) == 3  # one port of each worker
    assert not any(line.endswith(" joined") for line in notes)
    assert fitted.model_ == LogisticBoostClassifier(**SETTINGS).fit(*small()).model_
    assert len(fitted.workers_) == 3


def test_on_a_cluster_with_certificates_workers_use_them(dask_packages, require):
    require("cryptography")
    security = dask_packages.Security.temporary()
    with start(dask_packages, 2, security=security) as client:
        assert all(address.startswith("tls://127.0.0.1:") for address in client.nthreads())
        fitted = fit(client)
    assert fitted.model_ == LogisticBoostClassifier(**SETTINGS).fit(*small()).model_
    assert len(fitted.workers_) == 2


def test_workers_listen_where_dask_does_and_no_longer_than_until_they_have_met(
    client, pids, when, monkeypatch
):
    before = listening(pids)
    train, seen = Attempt._train, {}

    def look_and_train(self, *args):
        seen["before they meet"] = listening(pids) - before
        return train(self, *args)

    monkeypatch.setattr(Attempt, "_train", look_and_train)
    when(2, lambda: seen.__setitem__("while trees grow", listening(pids) - before))
    fit(client, n_estimators=50)
    assert [host for host, _ in seen["before they meet"]] == ["127.0.0.1"] * 3
    assert seen["while trees grow"] == set()
    wait_until(lambda: listening(pids) == before)


def test_a_fit_that_fails_before_workers_have_met_leaves_nobody_listening(
    client, pids, monkeypatch
):
    before = listening(pids)

    def fail(self, *args):
        assert len(listening(pids) - before) == 3
        raise OSError("no more")

    monkeypatch.setattr(Attempt, "_train", fail)
    with pytest.raises(OSError, match="no more"):
        fit(client)
    wait_until(lambda: listening(pids) == before)
