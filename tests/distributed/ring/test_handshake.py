"""Machines find each other among strangers; threads play machines."""

import pickle
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from types import SimpleNamespace

import numpy as np
import pytest

from horotree.distributed.ring import handshake
from horotree.distributed.ring.handshake import NONCE, PROOF, RANK, connect, partners
from horotree.distributed.ring.links import WorkerLostError
from horotree.distributed.ring.listener import Listener
from horotree.distributed.ring.ring import Ring, Traffic

from .stranger import Evil

KEY = b"k" * 32


@pytest.fixture
def plain(require):
    """Return a worker without encryption."""
    security = require("distributed").Security()
    return SimpleNamespace(address="tcp://127.0.0.1:1", security=security)


@pytest.fixture
def encrypted(require):
    """Return a worker with a certificate that was made for the test."""
    require("cryptography")
    security = require("distributed").Security.temporary()
    return SimpleNamespace(address="tls://127.0.0.1:1", security=security)


def add_up(listeners, addresses=None, *, keys=None, timeout=20.0, n_sums=50):
    """Return the sums of all machines, or their errors."""
    n = len(listeners)
    addresses = addresses or [listener.address for listener in listeners]
    x = np.arange(1_000)

    def run(rank):
        key = KEY if keys is None else keys[rank]
        try:
            links = connect(listeners[rank], addresses, rank, key, timeout, lambda: None)
            with closing(links):
                ring = Ring(links, rank, n, Traffic())
                for _ in range(n_sums):
                    total = ring.sums(x + rank)
                return total
        except Exception as error:  # noqa: BLE001 - the test looks at it
            return error

    with ThreadPoolExecutor(n) as pool:
        return list(pool.map(run, range(n)))


def assert_right(results):
    n = len(results)
    for total in results:
        np.testing.assert_array_equal(total, n * np.arange(1_000) + sum(range(n)))


@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_any_number_of_machines_meet(plain, n):
    assert_right(add_up([Listener(plain) for _ in range(n)]))
    for rank in range(n):  # each expects those that expect it
        assert all(rank in partners(other, n) for other in partners(rank, n))


class Strangers:
    """Connect to an address again and again, send something, and wait or leave."""

    def __init__(self, address, messages):
        self._address, self._messages = address, messages
        self.n_met, self._ended = 0, threading.Event()
        self._threads = [threading.Thread(target=self._run, args=(i,)) for i in range(8)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _run(self, i):
        while not self._ended.is_set():
            with suppress(OSError), socket.create_connection(self._address, 1.0) as connection:
                self.n_met += 1
                connection.sendall(self._messages[i % len(self._messages)])
                connection.settimeout(1.0 if i % 2 else 0.01)
                connection.recv(1_000)
                connection.recv(1_000)
            self._ended.wait(0.002)


def test_strangers_who_come_first_and_send_anything_change_nothing(plain, tmp_path):
    marker = tmp_path / "marker"
    payload = pickle.dumps(Evil(str(marker)))
    rank = (1).to_bytes(RANK, "little")
    messages = [b"", b"GET /", payload, rank + bytes(NONCE + PROOF), bytes(10**6), b"\xff" * 68]
    listeners = [Listener(plain) for _ in range(3)]
    with Strangers(listeners[0].address, messages) as strangers:
        time.sleep(0.3)
        assert_right(add_up(listeners))
    assert strangers.n_met >= 8
    assert not marker.exists()


def test_silent_strangers_before_a_machine_do_not_make_it_give_up(plain, monkeypatch):
    """Else it would come again, behind others that have come meanwhile."""
    listeners = [Listener(plain) for _ in range(2)]
    monkeypatch.setattr(handshake, "PATIENCE", 0.3)
    monkeypatch.setattr(handshake, "GUESTS", 1)
    enter, entered = handshake._Handshake._prove_as_guest, []

    def count_and_enter(self, *args):
        entered.append(args)
        return enter(self, *args)

    monkeypatch.setattr(handshake._Handshake, "_prove_as_guest", count_and_enter)
    with ExitStack() as stack:
        for _ in range(5):
            stack.enter_context(socket.create_connection(listeners[0].address))
        begin = time.monotonic()
        assert_right(add_up(listeners))
    assert time.monotonic() - begin >= 5 * 0.3
    assert len(entered) == 1


def test_who_has_another_key_does_not_come_in_and_is_told_as_missing(plain):
    listeners = [Listener(plain) for _ in range(2)]
    first, second = add_up(listeners, keys=[KEY, b"x" * 32], timeout=1.0)
    assert "no connection to other workers for 1 s (127.0.0.1)" in str(first)
    for error in (first, second):  # which may notice that the first has given up
        assert isinstance(error, WorkerLostError)


class Relay:
    """Someone between two machines, who notes what passes and may change it."""

    def __init__(self, address, change=lambda n, data: data):
        self._to, self._change = address, change
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = self._listener.getsockname()
        self.seen = bytearray()  # what the guest has said
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with suppress(OSError):
            while True:
                guest, _ = self._listener.accept()
                host = socket.create_connection(self._to)
                for pair in ((guest, host, True), (host, guest, False)):
                    threading.Thread(target=self._pass, args=pair, daemon=True).start()

    def _pass(self, source, sink, is_guest):
        n = 0
        with suppress(OSError), source, sink:
            while data := source.recv(10_000):
                if is_guest:
                    self.seen += data
                    data = self._change(n, data)
                n += len(data)
                sink.sendall(data)

    def close(self):
        self._listener.close()


def relayed(worker, change=lambda n, data: data):
    """Return what two machines make of it when someone is between them, and who that was."""
    listeners = [Listener(worker) for _ in range(2)]
    with closing(Relay(listeners[0].address, change)) as relay:
        return add_up(listeners, [relay.address, listeners[1].address], timeout=5.0), relay


def test_what_was_heard_in_one_fit_is_of_no_use_in_another_with_the_same_key(plain):
    results, relay = relayed(plain)
    assert_right(results)
    heard = bytes(relay.seen)
    assert len(heard) > 50 * 4_000
    listeners = [Listener(plain) for _ in range(2)]
    with Strangers(listeners[0].address, [heard]) as strangers:
        time.sleep(0.3)
        assert_right(add_up(listeners))
    assert strangers.n_met >= 8


@pytest.mark.parametrize("place", [RANK + NONCE + PROOF, 10_000, 100_001])
def test_a_bit_that_is_changed_on_its_way_is_an_error(plain, place):
    def flip(n, data):
        if n <= place < n + len(data):
            data = bytearray(data)
            data[place - n] ^= 0x80
        return bytes(data)

    results, _ = relayed(plain, flip)
    assert "changed on its way" in str(results[0])
    assert all(isinstance(error, WorkerLostError) for error in results)


def test_on_an_encrypted_cluster_the_ring_is_encrypted(encrypted, plain):
    results, relay = relayed(encrypted)
    assert_right(results)
    sent = np.arange(1_000) + 1  # by the second machine
    assert sent[:500].tobytes() not in relay.seen
    results, relay = relayed(plain)
    assert sent[:500].tobytes() in relay.seen


def test_on_an_encrypted_cluster_who_has_no_certificate_stays_out(encrypted, plain, monkeypatch):
    for name in ("PATIENCE", "TURN"):
        monkeypatch.setattr(handshake, name, 0.5)
    for error in add_up([Listener(encrypted), Listener(plain)], timeout=1.5):
        assert isinstance(error, WorkerLostError)
    listeners = [Listener(encrypted) for _ in range(2)]
    with Strangers(listeners[0].address, [b"", b"\x16\x03\x01", bytes(1_000)]):
        time.sleep(0.3)
        assert_right(add_up(listeners))


def test_a_machine_that_has_gone_is_noticed_at_once(plain):
    listeners = [Listener(plain) for _ in range(2)]
    address = listeners[0].address
    listeners[0].close()
    begin = time.monotonic()
    with pytest.raises(WorkerLostError, match=r"worker 127\.0\.0\.1 has left"):
        connect(listeners[1], [address, listeners[1].address], 1, KEY, 60.0, lambda: None)
    assert time.monotonic() - begin < 30.0
