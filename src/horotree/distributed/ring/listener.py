"""Where a worker listens for the others of its fit: Dask's address, Dask's certificates."""

import socket
import ssl
from typing import Any

Address = tuple[str, int]

# How many connections may wait to be accepted, and the seconds of one call of accept.
BACKLOG = 64
LOOK = 0.02


class Listener:
    """Where the other machines of a fit connect to this one; closed before the first tree.

    It listens on the address of the Dask worker on which this runs, and on no other; encrypted if
    the worker is, with its certificates.
    """

    def __init__(self, worker: Any) -> None:
        from distributed.comm import get_address_host

        self.accepting, self.connecting = _contexts(worker)
        host = get_address_host(worker.address)
        try:
            self.socket = _bind(host)
        except OSError:  # others use a name, or an address that is not the machine's own
            self.socket = _bind(get_address_host(worker.listen_address))
        self.address: Address = host, self.socket.getsockname()[1]

    def close(self) -> None:
        """Stop listening."""
        self.socket.close()

    def __del__(self) -> None:
        """Close it also if the fit ends before the handshake."""
        if hasattr(self, "socket"):
            self.close()


def _bind(host: str) -> socket.socket:
    """Listen on a numeric address; a name may resolve to one that others cannot reach."""
    flags = socket.AI_NUMERICHOST | socket.AI_PASSIVE
    found = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM, flags=flags)
    family, kind, protocol, _, address = found[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    listener.settimeout(LOOK)
    return listener


def _contexts(worker: Any) -> tuple[ssl.SSLContext | None, ssl.SSLContext | None]:
    """Return the contexts of connections to the worker and from it; None if not encrypted."""
    security = worker.security
    is_encrypted = worker.address.partition("://")[0] in ("tls", "wss")
    if not is_encrypted and not security.require_encryption:
        return None, None
    accepting = security.get_listen_args("worker").get("ssl_context")
    connecting = security.get_connection_args("worker").get("ssl_context")
    if accepting is None or connecting is None:
        raise RuntimeError(
            f"the cluster is encrypted, but worker {worker.address} has no certificate for its "
            "connections to other workers: give its Security tls_ca_file, tls_worker_cert and "
            "tls_worker_key."
        )
    return accepting, connecting
