"""Whether the cores are ours alone, and what a second one is worth.

How far they are from each other, if there are two whole ones at all, and what others take of them.
"""

import hashlib
import mmap
import os
import tempfile
import threading
import time
from multiprocessing import get_context
from pathlib import Path

from joblib import cpu_count

SECONDS = 0.1  # of messages, after as many to wake the cores up
BATCH = 100  # messages between two looks at the clock
LOOKS = 1_000_000_000  # most of a minute: then nobody answers any more
HERE, THERE = 0, 64  # not in one line of a cache

# Arithmetic that lets other threads run, from a core's own cache: some milliseconds of it, the
# least of so many times.
DATA, TIMES, LEAST_OF = bytes(2**18), 16, 3

# Where Linux tells how long its cores have worked.
STAT = Path("/proc/stat")

# What others may take of the cores, besides seconds that cannot be told: cores count in ticks.
IDLE_SHARE = 0.05
UNCERTAIN = 0.03

# With less, the other half of a core works for somebody else, or both threads are on one.
WHOLE = 0.9


def answer_time() -> float | None:
    """Return the seconds until another process has seen a byte change, and changed one in turn.

    Some 0.1 µs of them are Python's. None with one core, where nobody can answer meanwhile.
    """
    if cpu_count() < 2:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "box"
        path.write_bytes(bytes(2 * THERE))
        other = get_context("spawn").Process(target=_answer, args=(path,))
        other.start()
        try:
            with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as box:
                _ask(box)
                return _ask(box)
        finally:
            other.kill()
            other.join()


def tell_answers() -> str:
    """Return that time in words."""
    try:
        seconds = answer_time()
    except TimeoutError:
        return "no time"
    return "one core" if seconds is None else f"{1e6 * seconds:.2f} µs"


def whole_cores() -> float:
    """Return what part of two whole cores there is: 1 if two threads take as long as one.

    A host may put two virtual cores on one real one, or another guest on the other half of it: no
    program is then faster on two threads by what it would be on two cores.
    """
    one, two = (min(_compute(n) for _ in range(LEAST_OF)) for n in (1, 2))
    return one / two


def are_whole() -> bool:
    """Tell whether there are two whole cores right now, or one alone at all times."""
    return cpu_count() < 2 or whole_cores() >= WHOLE


def others_seconds() -> float:
    """Return the time that all cores have worked for others than this process and its children."""
    if not STAT.exists():
        return 0.0
    user, nice, system = map(int, STAT.read_text(encoding="ascii").split()[1:4])
    ticks: int = os.sysconf("SC_CLK_TCK")
    return (user + nice + system) / ticks - sum(os.times()[:4])


class Alone:
    """Tells again and again whether there were two whole cores, and nobody else used them."""

    def __init__(self) -> None:
        self._looked, self._others = time.perf_counter(), others_seconds()

    def __call__(self) -> bool:
        """Return whether that was so since the last call, and is so now."""
        whole = are_whole()
        looked, others = time.perf_counter(), others_seconds()
        most = IDLE_SHARE * (looked - self._looked) * cpu_count() + UNCERTAIN
        quiet = others - self._others <= most
        self._looked, self._others = looked, others
        return whole and quiet


def _compute(n_threads: int) -> float:
    """Return the seconds in which each thread has done the same, all at once."""
    barrier, seconds = threading.Barrier(n_threads), [0.0] * n_threads

    def work(k: int) -> None:
        barrier.wait()
        start = time.perf_counter()
        for _ in range(TIMES):
            hashlib.sha256(DATA).digest()
        seconds[k] = time.perf_counter() - start

    others = [threading.Thread(target=work, args=(k,)) for k in range(1, n_threads)]
    for thread in others:
        thread.start()
    work(0)
    for thread in others:
        thread.join()
    return max(seconds)


def _ask(box: mmap.mmap) -> float:
    n, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        for _ in range(BATCH):
            box[HERE] ^= 1
            for _ in range(LOOKS):
                if box[THERE] == box[HERE]:
                    break
            else:
                raise TimeoutError("no answer from the other process")
        n += BATCH
    return (time.perf_counter() - start) / n


def _answer(path: Path) -> None:
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as box:
        for _ in range(LOOKS):
            if box[HERE] != box[THERE]:
                box[THERE] = box[HERE]


if __name__ == "__main__":
    print(f"answers in {tell_answers()}, {whole_cores():.2f} of two cores")
