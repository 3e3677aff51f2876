"""Authenticated connections between the machines of a fit; they carry numbers only.

Both sides know the length of a message beforehand. It ends with an authentication code under a key
of the connection. Nothing that arrives is used before its code was checked, and then as numbers.
"""

import hashlib
import hmac
import select
import selectors
import socket
import ssl
import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np

Buffer = bytes | memoryview

# Bytes of an authentication code, and of the longest message that is not shortened for it.
TAG = 16
SHORT = 512

# Seconds between two calls of ``check`` while waiting.
PULSE = 0.2

# Windows has no poll; elsewhere it takes any number of files, and needs no setup.
_Selector = selectors.PollSelector if hasattr(select, "poll") else selectors.SelectSelector


class WorkerLostError(RuntimeError):
    """A worker has left, or the fit was cancelled: an attempt may be worth a second try."""


class Shortener:
    """A universal hash of a long message: two words, faster than a cryptographic digest.

    The words are sums of products with secret numbers, modulo 2^64: of the 8-byte words of the
    message, and of their upper halves. If two messages differ in a lower half, their first sums are
    equal with a probability of at most 2^-33; if they differ in upper halves only, their second
    sums. The secret numbers come from ``key``, and the sums are never sent.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._factors = self._upper = np.empty(0, np.uint64)

    def __call__(self, message: Buffer) -> Buffer:
        """Return the two words, or the message itself if it is short."""
        if len(message) <= SHORT:
            return message
        words = np.frombuffer(message, np.uint64)
        if len(words) > len(self._factors):
            n_bytes = 8 << (len(words) - 1).bit_length()  # longer ones begin with the same
            self._factors = np.frombuffer(hashlib.shake_256(self._key).digest(n_bytes), np.uint64)
            self._upper = np.empty_like(self._factors)
        factors, upper = self._factors[: len(words)], self._upper[: len(words)]
        np.right_shift(words, 32, out=upper)
        sums = [np.einsum("i,i", factors, part) for part in (words, upper)]
        return np.array(sums).tobytes()  # einsum is faster than a product of integers


class Link:
    """A connection to another machine of the fit, after the handshake.

    ``sends`` and ``receives`` are the keys of the two directions; ``shorten`` is the same on both
    sides.
    """

    def __init__(
        self, connection: socket.socket, sends: bytes, receives: bytes, shorten: Shortener
    ) -> None:
        connection.setblocking(False)
        self.connection = connection
        self._sends, self._receives, self._shorten = sends, receives, shorten
        self._n_sent = self._n_received = 0
        self._space = bytearray()

    def space(self, size: int) -> memoryview:
        """Return the buffer for a message of this size and its code: the same every time."""
        if len(self._space) < size + TAG:
            self._space = bytearray(size + TAG)
        return memoryview(self._space)[: size + TAG]

    def seal(self, message: Buffer) -> bytes:
        """Return the code of a message, to be sent after it."""
        self._n_sent += 1
        return self._code(self._sends, self._n_sent, message)

    def open(self, sealed: Buffer) -> memoryview:
        """Check the code of a message; return the message without it."""
        self._n_received += 1
        message = memoryview(sealed)[:-TAG]
        code = self._code(self._receives, self._n_received, message)
        if not hmac.compare_digest(code, bytes(sealed[-TAG:])):
            raise WorkerLostError("a message of another worker was changed on its way")
        return message

    def _code(self, key: bytes, place: int, message: Buffer) -> bytes:
        """Return the code of the nth message in one direction; it is valid in no other place."""
        content = b"".join((place.to_bytes(8, "little"), self._shorten(message)))
        return hashlib.blake2b(content, key=key, digest_size=TAG).digest()


class Links:
    """The connections of a machine to others, by rank.

    Waits end after ``timeout`` seconds, or when ``check`` raises since the fit was canceled.
    """

    def __init__(
        self, links: Mapping[int, Link], timeout: float, check: Callable[[], None]
    ) -> None:
        self._links = links
        self._timeout = timeout
        self._check = check

    def swap(
        self, messages: Mapping[int, Buffer], sizes: Mapping[int, int]
    ) -> dict[int, memoryview]:
        """Send messages by rank, and at the same time receive those of these sizes by rank.

        The result is valid until the next call. Buffers are used again: with Dask's settings of the
        allocator, the system could take back their memory after every message.
        """
        received = {rank: self._links[rank].space(size) for rank, size in sizes.items()}
        flows = [_send(self._links[rank], message) for rank, message in messages.items()]
        flows += [_receive(self._links[rank], buffer) for rank, buffer in received.items()]
        deadline = time.monotonic() + self._timeout
        while waiting := {flow: event for flow in flows if (event := flow.go_on())}:
            flows = list(waiting)
            self._wait(waiting, deadline)
        return {rank: self._links[rank].open(buffer) for rank, buffer in received.items()}

    def _wait(self, waiting: Mapping["_Flow", int], deadline: float) -> None:
        """Wait until some message can move."""
        events: dict[socket.socket, int] = {}
        for flow, event in waiting.items():
            events[flow.connection] = events.get(flow.connection, 0) | event
        with _Selector() as selector:
            for connection, event in events.items():
                selector.register(connection, event)
            while not selector.select(PULSE):
                self._check()
                if time.monotonic() > deadline:
                    raise WorkerLostError(
                        f"another worker has not answered for {self._timeout:g} s"
                    )

    def close(self) -> None:
        """Close all connections."""
        for link in self._links.values():
            link.connection.close()


class _Flow:
    """A message on its way.

    ``move`` sends or receives what is possible now and returns the number of bytes; ``event`` is
    what to wait for if it is not ready.
    """

    def __init__(
        self, link: Link, parts: Sequence[Buffer], move: Callable[[memoryview], int], event: int
    ) -> None:
        self.connection = link.connection
        self._parts = [memoryview(part) for part in parts if len(part)]
        self._move, self._event = move, event

    def go_on(self) -> int:
        """Move all that is possible now; return the event to wait for, 0 if the message is done."""
        while self._parts:
            try:
                n = self._move(self._parts[0])
            except BlockingIOError:
                return self._event
            except ssl.SSLWantReadError:  # also while sending
                return selectors.EVENT_READ
            except ssl.SSLWantWriteError:
                return selectors.EVENT_WRITE
            except OSError as error:
                raise WorkerLostError(f"another worker has left ({error})") from None
            if n == 0:
                raise WorkerLostError("another worker has left (it has closed the connection)")
            self._parts[0] = self._parts[0][n:]
            if not self._parts[0]:
                del self._parts[0]
        return 0


def _send(link: Link, message: Buffer) -> _Flow:
    parts = (message, link.seal(message))
    return _Flow(link, parts, link.connection.send, selectors.EVENT_WRITE)


def _receive(link: Link, buffer: Buffer) -> _Flow:
    return _Flow(link, (buffer,), link.connection.recv_into, selectors.EVENT_READ)
