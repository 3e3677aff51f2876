"""The part of the report on memory and on the time to import, each measured in its own process.

Run as ``python -m benchmarks.memory MODEL FOLDER TREES THREADS`` it fits one model on the arrays of
a folder, and prints by how many bytes the peak of its memory exceeds what it had before.
"""

import contextlib
import gc
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.machinery.data import synthetic
from benchmarks.machinery.race import MAKERS
from benchmarks.machinery.rows import LEAVES, Scope, say, table

ROOT = Path(__file__).parents[1]
STATUS = Path("/proc/self/status")
MOST_SECONDS = 0.3

IMPORTS = """
import time
start = time.perf_counter()
import sklearn.ensemble
middle = time.perf_counter()
import horotree
from horotree import LogisticBoostClassifier
print(middle - start, time.perf_counter() - middle)
"""


def write_memory(scope: Scope) -> str:
    """Fit every model in its own process; return the table."""
    if not tells_peaks():
        return "Not measured: this system does not tell the peak of a process's memory."
    n_rows, n_features = (50_000, 78) if scope.quick else (466_400, 78)
    trees = scope.trees or 3
    rows = peak_rows(n_rows, n_features, trees, ["ours", *scope.peers])
    return (
        f"Peak of a process's memory while it fits {trees} trees on synthetic "
        f"{n_rows:,}×{n_features} with two\nthreads, less what it has once libraries and data are "
        "loaded. Ours must be at most that of the\nleanest peer.\n\n"
        + table(["model", "MB above the data", "to leanest peer", "of the data's size"], rows)
    )


def write_imports(scope: Scope) -> str:
    """Import in new processes; return a sentence."""
    repeats = 3 if scope.quick else 5
    say(f"imports, {repeats} times")
    first, added = import_times(repeats)
    mark = "✓" if added < MOST_SECONDS else "✗"
    return (
        f"`import sklearn.ensemble` takes {first:.2f} s, and then `from horotree import "
        f"LogisticBoostClassifier`\nanother **{added:.2f} s** {mark} (less than {MOST_SECONDS} "
        f"wanted; median of {repeats} new processes)."
    )


def import_times(repeats: int) -> tuple[float, float]:
    """Return the median seconds of importing scikit-learn's ensembles, and then horotree."""
    both = [_run("-c", IMPORTS).split() for _ in range(repeats)]
    first, added = (statistics.median(map(float, times)) for times in zip(*both, strict=True))
    return first, added


def tells_peaks() -> bool:
    """Return whether the system tells the peak of a process's memory, as Linux does."""
    return STATUS.exists() and "VmHWM:" in STATUS.read_text(encoding="ascii")


def peak_rows(n_rows: int, n_features: int, trees: int, names: Sequence[str]) -> list[list[str]]:
    """Return a line a model, with the memory that its fit takes above the data."""
    data = synthetic(n_rows, n_features)
    size = data.X.nbytes
    with tempfile.TemporaryDirectory() as folder:
        # Read from files: no process has ever had more than the data when its fit begins.
        np.save(Path(folder, "X.npy"), data.X)
        np.save(Path(folder, "y.npy"), data.y)
        del data
        peaks = {}
        for name in names:
            say(f"memory: {name}")
            arguments = (name, folder, str(trees), "2")
            peaks[name] = int(_run("-m", "benchmarks.memory", *arguments))
    leanest = min((peak for name, peak in peaks.items() if name != "ours"), default=np.nan)
    rows = []
    for name, peak in peaks.items():
        text = f"{peak / leanest:.2f}"
        if name == "ours":
            text += " ✓" if peak <= leanest else " ✗"
        rows.append([name, f"{peak / 1e6:.1f}", text, f"{peak / size:.2f}"])
    return rows


def peak_of_fit(name: str, folder: Path, trees: int, n_threads: int) -> int:
    """Fit a model here, and return the peak of this process's memory less what it has before."""
    X, y = np.load(folder / "X.npy"), np.load(folder / "y.npy")
    make = MAKERS[name]
    make(n_threads, 2, LEAVES).fit(X[:400].copy(), y[:400])  # load libraries, start threads
    gc.collect()
    # Resets the peak, where that is allowed. Not ru_maxrss: a process inherits it from its parent.
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = _status("VmRSS")
    with threadpool_limits(n_threads):  # HistGradientBoosting knows no other way
        make(n_threads, trees, LEAVES).fit(X, y)
    return _status("VmHWM") - before


def _status(field: str) -> int:
    """Return a size in bytes from what the system tells of this process."""
    lines = STATUS.read_text(encoding="ascii").splitlines()
    (text,) = (line.split()[1] for line in lines if line.startswith(f"{field}:"))
    return 1024 * int(text)


def _run(*arguments: str) -> str:
    """Return what a new Python prints."""
    run = subprocess.run(  # noqa: S603 - this Python, with the arguments above
        [sys.executable, *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    )
    return run.stdout


if __name__ == "__main__":
    print(peak_of_fit(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])))
