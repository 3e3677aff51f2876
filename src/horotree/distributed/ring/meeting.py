"""How the machines of a fit find each other: strangers may knock, but have not the key."""

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

from .links import Link, Links, Shortener
from .listener import Address, Listener
from .lost import LostError

# Seconds that a guest has to prove who it is, and how many may try at a time; and how long it waits
# for its turn, which is longer, so that silent strangers before it cannot make it give up.
PATIENCE = 5.0
GUESTS = 64
TURN = 60.0

# Seconds between two looks at who has come, and before another try to connect.
PULSE = 0.02
AGAIN = 0.2

# Bytes of a number that is used once, of a proof, and of a rank.
NONCE, PROOF, RANK = 32, 32, 4


def meet(
    listener: Listener,
    addresses: Sequence[Address],
    rank: int,
    key: bytes,
    timeout: float,
    check: Callable[[], None],
) -> Links:
    """Return connections to the neighbors on the ring and to the first machine, or from it to all.

    Parameters
    ----------
    listener : Listener
        Of this machine.
    addresses : sequence of tuple
        Of the listeners of all, by rank.
    rank : int
        The place of this machine.
    key : bytes
        What all machines of this fit know, and nobody else.
    timeout : float
        Seconds to wait for others.
    check : callable
        Called while waiting; raises if nobody waits for the result any more.
    """
    meeting = _Meeting(listener, addresses, rank, key)
    try:
        meeting.wait(timeout, check)
    except BaseException:
        meeting.leave()
        raise
    finally:
        listener.close()
    return Links(meeting.links, timeout, check)


def partners(rank: int, n_machines: int) -> set[int]:
    """Return the machines that one exchanges numbers with."""
    if rank == 0:
        return set(range(1, n_machines))
    return {0, rank - 1, (rank + 1) % n_machines} - {rank}


class _Meeting:
    """Machines connect to their partners of lower rank, and let in those of higher rank."""

    def __init__(
        self, listener: Listener, addresses: Sequence[Address], rank: int, key: bytes
    ) -> None:
        self._listener, self._addresses, self._rank, self._key = listener, addresses, rank, key
        self._partners = partners(rank, len(addresses))
        self._shorten = Shortener(self._code(b"shorten", b""))
        self._slots = threading.BoundedSemaphore(GUESTS)
        self._lock = threading.Lock()
        self._is_over = False
        self._error: LostError | None = None
        self.links: dict[int, Link] = {}

    def wait(self, timeout: float, check: Callable[[], None]) -> None:
        """Return when all partners are there."""
        deadline = time.monotonic() + timeout
        for other in self._partners:
            if other < self._rank:
                threading.Thread(target=self._visit, args=(other,), daemon=True).start()
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
                told = ", ".join(str(self._addresses[other][0]) for other in sorted(missing))
                raise LostError(f"other workers have not come for {timeout:g} s ({told})")
            self._look_out()

    def leave(self) -> None:
        """Close what is open."""
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
        if before is not None:  # it has tried again, and does not know of the first
            before.connection.close()

    def _look_out(self) -> None:
        """Let a guest try, in a thread of its own: others need not wait for one that is silent."""
        if not self._slots.acquire(blocking=False):
            time.sleep(PULSE)
            return
        try:
            guest, _ = self._listener.socket.accept()
        except OSError:  # nobody, as a rule
            self._slots.release()
            return
        threading.Thread(target=self._greet, args=(guest,), daemon=True).start()

    def _greet(self, guest: socket.socket) -> None:
        """Keep a guest that has the key, and close the connection of any other."""
        context = self._listener.accepting
        try:
            with suppress(OSError, ValueError), _Talk(guest, context, "host") as talk:
                self._keep(*self._admit(talk))
        finally:
            self._slots.release()

    def _admit(self, talk: "_Talk") -> tuple[int, Link]:
        """Return the rank of a guest that has the key, and the connection."""
        mine = secrets.token_bytes(NONCE)
        talk.send(mine)
        answer = talk.receive(RANK + NONCE + PROOF)
        other = int.from_bytes(answer[:RANK], "little")
        said = answer[: RANK + NONCE] + self._rank.to_bytes(RANK, "little") + mine
        if not hmac.compare_digest(answer[RANK + NONCE :], self._code(b"guest", said)):
            raise ValueError("a stranger")
        if other <= self._rank or other not in self._partners:
            raise ValueError("no partner")
        talk.send(self._code(b"host", said))
        keys = self._code(b"from host", said), self._code(b"from guest", said)
        return other, Link(talk.connection, *keys, self._shorten)

    def _visit(self, other: int) -> None:
        """Connect to a machine, and try again as long as something is there."""
        while not self._is_over:
            try:
                connection = socket.create_connection(self._addresses[other], PATIENCE)
            except ConnectionRefusedError:
                self._error = LostError(f"worker {self._addresses[other][0]} has left")
                return
            except OSError:
                time.sleep(AGAIN)
                continue
            with (
                suppress(OSError, ValueError),
                _Talk(connection, self._listener.connecting, "guest") as talk,
            ):
                self._keep(other, self._enter(other, talk))
                return
            time.sleep(AGAIN)

    def _enter(self, other: int, talk: "_Talk") -> Link:
        """Return the connection to a host that has the key, too."""
        theirs, mine = talk.receive(NONCE), secrets.token_bytes(NONCE)
        begin = self._rank.to_bytes(RANK, "little") + mine
        said = begin + other.to_bytes(RANK, "little") + theirs
        talk.send(begin + self._code(b"guest", said))
        if not hmac.compare_digest(talk.receive(PROOF), self._code(b"host", said)):
            raise ValueError("a stranger")
        keys = self._code(b"from guest", said), self._code(b"from host", said)
        return Link(talk.connection, *keys, self._shorten)

    def _code(self, use: bytes, said: bytes) -> bytes:
        """Return what only a machine of this fit can know of what was said."""
        said = use + b":" + said
        return hashlib.blake2b(said, key=self._key, digest_size=PROOF).digest()


class _Talk:
    """The first words over a connection, which must end soon; it is closed if they fail."""

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
