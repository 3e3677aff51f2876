"""How the workers of a fit connect: both sides of a connection prove that they have the key."""

import hashlib
import hmac
import secrets
import socket
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Self

from .links import Link, Links, Shortener, WorkerLostError
from .listener import Address, Listener

# Seconds in which the connecting side must prove that it has the key, and how many may try at a
# time. It waits longer for its turn, so that silent connections before it cannot make it give up.
PATIENCE = 5.0
GUESTS = 64
TURN = 60.0

# Seconds between two checks for a new connection, and before another try to connect.
PULSE = 0.02
AGAIN = 0.2

# Bytes of a random number, of a proof, and of a rank.
NONCE, PROOF, RANK = 32, 32, 4


def connect(
    listener: Listener,
    addresses: Sequence[Address],
    rank: int,
    key: bytes,
    timeout: float,
    check: Callable[[], None],
) -> Links:
    """Return connections to the neighbors on the ring, and between the first machine and all.

    ``addresses`` are those of all listeners, by rank, and ``key`` is the secret of this attempt.
    Waits end after ``timeout`` seconds, or when ``check`` raises since the fit was canceled.
    """
    handshake = _Handshake(listener, addresses, rank, key)
    try:
        handshake.wait(timeout, check)
    except BaseException:
        handshake.abort()
        raise
    finally:
        listener.close()
    return Links(handshake.links, timeout, check)


def partners(rank: int, n_machines: int) -> set[int]:
    """Return the machines that one exchanges numbers with."""
    if rank == 0:
        return set(range(1, n_machines))
    return {0, rank - 1, (rank + 1) % n_machines} - {rank}


class _Handshake:
    """Machines connect to their partners of lower rank, and accept those of higher rank."""

    def __init__(
        self, listener: Listener, addresses: Sequence[Address], rank: int, key: bytes
    ) -> None:
        self._listener, self._addresses, self._rank, self._key = listener, addresses, rank, key
        self._partners = partners(rank, len(addresses))
        self._shorten = Shortener(self._code(b"shorten", b""))
        self._slots = threading.BoundedSemaphore(GUESTS)
        self._lock = threading.Lock()
        self._is_over = False
        self._error: WorkerLostError | None = None
        self.links: dict[int, Link] = {}

    def wait(self, timeout: float, check: Callable[[], None]) -> None:
        """Return when all partners are connected."""
        deadline = time.monotonic() + timeout
        for other in self._partners:
            if other < self._rank:
                threading.Thread(target=self._dial, args=(other,), daemon=True).start()
        while True:
            with self._lock:
                missing = self._partners - self.links.keys()
                self._is_over = not missing
            if not missing:
                return
            check()
            if self._error is not None:
                raise self._error
            if time.monotonic() > deadline:
                hosts = ", ".join(str(self._addresses[other][0]) for other in sorted(missing))
                raise WorkerLostError(f"no connection to other workers for {timeout:g} s ({hosts})")
            self._accept()

    def abort(self) -> None:
        """Close all connections."""
        with self._lock:
            self._is_over = True
            for link in self.links.values():
                link.connection.close()

    def _keep(self, other: int, link: Link) -> None:
        with self._lock:
            if self._is_over:
                link.connection.close()
                return
            before = self.links.get(other)
            self.links[other] = link
        if before is not None:  # the partner has tried again, and does not know of the first
            before.connection.close()

    def _accept(self) -> None:
        """Let a connection try, in a thread of its own: a silent one must not delay others."""
        if not self._slots.acquire(blocking=False):
            time.sleep(PULSE)
            return
        try:
            guest, _ = self._listener.socket.accept()
        except OSError:  # nobody, as a rule
            self._slots.release()
            return
        threading.Thread(target=self._serve, args=(guest,), daemon=True).start()

    def _serve(self, guest: socket.socket) -> None:
        """Keep a connection from a machine that has the key; close any other."""
        context = self._listener.accepting
        try:
            with suppress(OSError, ValueError), _Channel(guest, context, "host") as channel:
                self._keep(*self._prove_as_host(channel))
        finally:
            self._slots.release()

    def _prove_as_host(self, channel: "_Channel") -> tuple[int, Link]:
        """Return the rank of the connecting machine, if it has the key, and the connection."""
        mine = secrets.token_bytes(NONCE)
        channel.send(mine)
        answer = channel.receive(RANK + NONCE + PROOF)
        other = int.from_bytes(answer[:RANK], "little")
        said = answer[: RANK + NONCE] + self._rank.to_bytes(RANK, "little") + mine
        if not hmac.compare_digest(answer[RANK + NONCE :], self._code(b"guest", said)):
            raise ValueError("a stranger")
        if other <= self._rank or other not in self._partners:
            raise ValueError("no partner")
        channel.send(self._code(b"host", said))
        keys = self._code(b"from host", said), self._code(b"from guest", said)
        return other, Link(channel.connection, *keys, self._shorten)

    def _dial(self, other: int) -> None:
        """Connect to a machine; try again as long as something listens there."""
        while not self._is_over:
            try:
                connection = socket.create_connection(self._addresses[other], PATIENCE)
            except ConnectionRefusedError:
                self._error = WorkerLostError(f"worker {self._addresses[other][0]} has left")
                return
            except OSError:
                time.sleep(AGAIN)
                continue
            with (
                suppress(OSError, ValueError),
                _Channel(connection, self._listener.connecting, "guest") as channel,
            ):
                self._keep(other, self._prove_as_guest(other, channel))
                return
            time.sleep(AGAIN)

    def _prove_as_guest(self, other: int, channel: "_Channel") -> Link:
        """Return the connection to a listening machine, if it has the key."""
        theirs, mine = channel.receive(NONCE), secrets.token_bytes(NONCE)
        begin = self._rank.to_bytes(RANK, "little") + mine
        said = begin + other.to_bytes(RANK, "little") + theirs
        channel.send(begin + self._code(b"guest", said))
        if not hmac.compare_digest(channel.receive(PROOF), self._code(b"host", said)):
            raise ValueError("a stranger")
        keys = self._code(b"from guest", said), self._code(b"from host", said)
        return Link(channel.connection, *keys, self._shorten)

    def _code(self, use: bytes, said: bytes) -> bytes:
        """Return a code of what was said that only machines with the key can compute."""
        return hashlib.blake2b(use + b":" + said, key=self._key, digest_size=PROOF).digest()


class _Channel:
    """A new connection, with a time limit for the handshake; closed if that fails."""

    def __init__(
        self, connection: socket.socket, context: ssl.SSLContext | None, side: str
    ) -> None:
        patience = PATIENCE if side == "host" else TURN
        self._deadline = time.monotonic() + patience
        self.connection = connection
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.settimeout(patience)
            if context is not None:
                self.connection = context.wrap_socket(connection, server_side=side == "host")
        except (OSError, ValueError):
            connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.connection.close()

    def send(self, message: bytes) -> None:
        self.connection.sendall(message)

    def receive(self, size: int) -> bytes:
        """Return so many bytes."""
        message = b""
        while len(message) < size:
            left = self._deadline - time.monotonic()
            if left <= 0.0:
                raise TimeoutError("too slow")
            self.connection.settimeout(left)
            more = self.connection.recv(size - len(message))
            if not more:
                raise ConnectionError("closed")
            message += more
        return message
