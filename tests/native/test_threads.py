"""The thread pool beside signals, forks and other threads."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from .problems import assert_same_tree, bin_table, draw_large, grow_tree

can_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform has no fork")

PREPARE = """
import os, sys
import numpy as np
from tests.native.problems import Table, assert_same_tree, bin_table, draw_large, grow_tree

problem = draw_large(20_000, 20)
arguments = bin_table(problem), problem.weights, int((~problem.positive).sum())
"""


def run_python(code, timeout=60):
    """Run code in another process: it must end well, and in time. Returns what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", PREPARE + code],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@can_fork
@pytest.mark.parametrize("leave", ["os._exit(0)", "sys.exit(0)"])
@pytest.mark.parametrize("n_threads", [1, 4])
def test_a_forked_child_grows_the_same_tree_and_ends(leave, n_threads):
    code = f"""
expected = grow_tree(*arguments, n_threads=4)
child = os.fork()
if child == 0:
    assert_same_tree(grow_tree(*arguments, n_threads={n_threads}), expected)
    {leave}
print(os.waitpid(child, 0)[1])
assert_same_tree(grow_tree(*arguments, n_threads=4), expected)
"""
    assert run_python(code) == ["0"]


@can_fork
def test_a_forked_child_that_grows_nothing_ends_well():
    code = """
grow_tree(*arguments, n_threads=4)
child = os.fork()
if child == 0:
    sys.exit(0)
print(os.waitpid(child, 0)[1])
"""
    assert run_python(code) == ["0"]


@can_fork
def test_worker_processes_grow_the_same_tree():
    code = """
import multiprocessing

def grow(n_threads):
    return grow_tree(*arguments, n_threads=n_threads)

expected = grow(4)
with multiprocessing.get_context("fork").Pool(2) as pool:
    for grown in pool.map(grow, [1, 2, 4]):
        assert_same_tree(grown, expected)
print("same")
"""
    assert run_python(code) == ["same"]


@can_fork
def test_a_fork_while_another_thread_grows_leaves_a_child_that_works():
    code = """
import threading

expected = grow_tree(*arguments, n_threads=4)
stop = threading.Event()

def keep_growing():
    while not stop.is_set():
        grow_tree(*arguments, n_threads=4)

thread = threading.Thread(target=keep_growing)
thread.start()
statuses = []
for _ in range(10):
    child = os.fork()
    if child == 0:
        assert_same_tree(grow_tree(*arguments, n_threads=4), expected)
        os._exit(0)
    statuses.append(os.waitpid(child, 0)[1])
stop.set()
thread.join()
print(*statuses)
"""
    assert run_python(code) == ["0"] * 10


def test_threads_of_python_may_grow_at_the_same_time():
    problem = draw_large(10_000, 20)
    arguments = bin_table(problem), problem.weights, int((~problem.positive).sum())
    expected = grow_tree(*arguments)
    trees = []

    def grow():
        trees.extend(grow_tree(*arguments, n_threads=3) for _ in range(3))

    threads = [threading.Thread(target=grow) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(trees) == 12
    for tree in trees:
        assert_same_tree(tree, expected)


def test_other_threads_of_python_run_while_a_tree_grows():
    problem = draw_large(100_000, 20)
    arguments = bin_table(problem), problem.weights, int((~problem.positive).sum())
    thread = threading.Thread(
        target=grow_tree, args=arguments, kwargs={"max_leaf_nodes": 5_000, "n_histograms": 50}
    )
    thread.start()
    ticks = 0
    while thread.is_alive():
        time.sleep(0.001)
        ticks += 1
    assert ticks > 10  # a kernel that kept the interpreter's lock would allow none


INTERRUPTED = """
rng = np.random.default_rng(0)
n, n_features, n_bins = 300_000, 6, 30_000
noise = Table(
    bins=rng.integers(0, n_bins, (n, n_features)),
    n_bins=np.full(n_features, n_bins, np.int32),
    missing=np.full(n_features, -1, np.int32),
    categorical=np.zeros(n_features, np.uint8),
)
print("ready", flush=True)
try:  # far more leaves, of so many bins each, than a second is enough for
    grow_tree(noise, np.ones(n, np.int32), n // 2, max_leaf_nodes=n, n_histograms=10)
    print("finished", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
grow_tree(*arguments, n_threads=2)
print("usable")
"""


@pytest.mark.clock
@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT cannot be sent to one process there")
def test_an_interrupt_stops_a_long_growth_within_a_second():
    with subprocess.Popen(
        [sys.executable, "-c", PREPARE + INTERRUPTED], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline().split() == ["ready"]
        time.sleep(0.7)  # into the kernel, past the packing of the words
        process.send_signal(signal.SIGINT)
        start = time.perf_counter()
        assert process.stdout.readline().split() == ["interrupted"]
        assert time.perf_counter() - start < 1.0
        assert process.stdout.readline().split() == ["usable"]
        assert process.wait(timeout=30) == 0


@pytest.mark.parametrize("n_threads", [1, 3])
def test_a_process_ends_well_while_a_daemon_thread_grows_trees(n_threads):
    run_python(
        f"""
import threading, time

def grow_for_ever():
    while True:
        grow_tree(*arguments, n_threads={n_threads})

threading.Thread(target=grow_for_ever, daemon=True).start()
time.sleep(0.5)
"""
    )


LITTLE_MEMORY = """
import re, resource, sys
import numpy as np
from horotree import LogisticBoostClassifier
rng = np.random.default_rng(0)
X = rng.normal(size=(20_000, 20))
y = X[:, 0] + rng.normal(size=20_000) > 0.0
one = LogisticBoostClassifier(n_estimators=5, n_jobs=1).fit(X, y)
used = 1024 * int(re.search(r"VmSize:\\s+(\\d+)", open("/proc/self/status").read())[1])
limit = used + int(float(sys.argv[1]) * 2**20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    four = LogisticBoostClassifier(n_estimators=5, n_jobs=4).fit(X, y)
except MemoryError:
    print("no memory")
else:
    print("the same" if four.model_ == one.model_ else "other trees")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")
@pytest.mark.parametrize("megabytes", [4, 8, 12, 16, 24, 60])
def test_with_little_memory_fewer_threads_grow_the_same_trees_or_none(megabytes):
    command = [sys.executable, "-c", LITTLE_MEMORY, str(megabytes)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() in ("the same", "no memory")
    if megabytes == 60:
        assert done.stdout.strip() == "the same"
