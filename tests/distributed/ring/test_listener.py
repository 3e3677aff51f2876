"""Workers listen where Dask does, and as encrypted as Dask is."""

from contextlib import closing
from types import SimpleNamespace

import pytest

from horotree.distributed.ring.listener import Listener


def test_an_encrypted_cluster_whose_worker_has_no_certificate_is_refused(require):
    security = require("distributed").Security(require_encryption=True)
    for address in ("tls://127.0.0.1:1", "tcp://127.0.0.1:1"):
        worker = SimpleNamespace(address=address, security=security)
        with pytest.raises(
            RuntimeError, match=r"has no certificate.*give its Security tls_ca_file"
        ):
            Listener(worker)


def test_it_listens_where_dask_is_reached_and_else_where_dask_listens(require):
    security = require("distributed").Security()
    plain = SimpleNamespace(address="tcp://127.0.0.1:1", security=security)
    with closing(Listener(plain)) as listener:
        assert listener.socket.getsockname()[0] == "127.0.0.1"
        assert listener.address == listener.socket.getsockname()
    for reached in ("tcp://192.0.2.1:1", "tcp://localhost:1"):  # not an address of this machine
        worker = SimpleNamespace(
            address=reached, listen_address="tcp://127.0.0.1:1", security=plain.security
        )
        with closing(Listener(worker)) as listener:
            assert listener.socket.getsockname()[0] == "127.0.0.1"
            assert listener.address[0] == reached[6:-2]
