"""Read damaged files, score rows with what is read, and make a page of it.

Each file must become a model that works, or be refused by a ValueError, in little time and memory.
"""

import argparse
import collections
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

import numpy as np

from horotree import load
from horotree.io import from_model
from horotree.viewer import encode
from tests.fuzz.damage import damage
from tests.fuzz.sources import FOLDERS, NAMES, read_sources, without_sizes

# What one file may take: files have some kilobytes.
SECONDS, BYTES = 10, 2**30

# Pages of larger models take their time rightly.
MAX_NODES = 20_000


class SlowError(BaseException):
    """A file took too long."""


def main():
    """Damage so many files, and print how many were read, refused, or failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--files", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    sources = {name: files for library in NAMES for name, files in read_sources(library).items()}
    text = sources["lightgbm.txt"]["lightgbm.txt"].decode()
    sources["lightgbm.txt"] = {"lightgbm.txt": without_sizes(text).encode()}
    for name, files in sources.items():  # whole ones are read, and all that is needed is loaded
        use(read(name, files))
    _limit_memory()
    signal.signal(signal.SIGALRM, _stop)
    start, outcomes, n_failed = time.monotonic(), collections.Counter(), 0
    for k in range(options.files):
        name = sorted(sources)[k % len(sources)]
        rng = np.random.default_rng((options.seed, k))
        outcome = try_one(name, damage(sources[name], rng))
        outcomes[outcome.partition(":")[0]] += 1
        if outcome not in ("read", "refused"):
            n_failed += 1
            print(f"{name}, --seed {options.seed}, file {k}: {outcome}", file=sys.stderr)
    seconds = time.monotonic() - start
    counts = ", ".join(f"{n} {word}" for word, n in sorted(outcomes.items()))
    print(f"{options.files} files in {seconds:.0f} s: {counts}")
    return bool(n_failed)


def try_one(name, files):
    """Return the outcome for the files of a source: "read", "refused", or what went wrong."""
    signal.alarm(SECONDS)
    try:
        use(read(name, files))
    except ValueError as error:  # also one of a kind that is not supported
        return "refused" if str(error).strip() else "refused without a word"
    except SlowError:
        return "slow"
    except MemoryError:
        return "too much memory"
    except Exception:  # noqa: BLE001 - that is what is looked for
        return f"failed: {traceback.format_exc(limit=-3)}"
    finally:
        signal.alarm(0)
    return "read"


def read(name, files):
    """Return the model in the files of a source."""
    with tempfile.TemporaryDirectory() as root:
        path = Path(root, name)
        folder = path if name in FOLDERS else path.parent
        folder.mkdir(exist_ok=True)
        for file, data in files.items():
            (folder / file).write_bytes(data)
        return load(path) if name == "own" else from_model(path)


def use(model):
    """Score rows, and make a page."""
    X = np.zeros((5, len(model.feature_names)))
    X[1:4] = np.random.default_rng(0).normal(0.0, 5.0, X[1:4].shape)
    X[4] = np.nan
    matrix = X.astype(np.float32).astype(np.float64)
    for ensemble in model.ensembles:
        ensemble.score(matrix)
    trees = [tree for ensemble in model.ensembles for tree in ensemble.trees]
    if trees and sum(tree.n_nodes for tree in trees) <= MAX_NODES:
        encode(model)


def _limit_memory():
    status = Path("/proc/self/status")
    if status.exists():
        used = 1024 * int(re.search(r"VmSize:\s+(\d+)", status.read_text())[1])
        resource.setrlimit(resource.RLIMIT_AS, (used + BYTES, used + BYTES))


def _stop(*_):
    raise SlowError


if __name__ == "__main__":
    sys.exit(main())
