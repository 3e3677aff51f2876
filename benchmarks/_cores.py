"""How far the cores are from each other: it decides what a second thread is worth."""

import mmap
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path

from joblib import cpu_count

SECONDS = 0.1  # of messages, after as many to wake the cores up
BATCH = 100  # messages between two looks at the clock
LOOKS = 1_000_000_000  # most of a minute: then nobody answers any more
HERE, THERE = 0, 64  # not in one line of a cache


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
    seconds = answer_time()
    return "one core" if seconds is None else f"{1e6 * seconds:.2f} µs"


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
    print(tell_answers())
