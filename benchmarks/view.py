"""How large and how fast the viewer is, against its limits and next to other viewers.

Run as ``python -m benchmarks.view``. The browser is the Chromium of the system, without a screen
and a graphics card; a frame ends when its pixels are there. Other viewers show the same number of
leaves of a scikit-learn tree, as a page or picture of one tree: none shows an ensemble.
"""

import argparse
import gzip
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.embedding import random_tree
from benchmarks.machinery.chromium import find_chromium, start_chromium
from benchmarks.machinery.data import Dataset, synthetic
from benchmarks.models.large_forests import forest_figures
from benchmarks.models.peer_views import PEERS, measure_peer
from horotree import LogisticBoostClassifier, LogLossTreeClassifier
from horotree.trees import Ensemble, Model
from horotree.viewer import View, view
from horotree.viewer.page import read_script

N_TREES, N_LEAVES = 200, 101

# Nodes of a tree, and milliseconds that a frame may take while t slides.
FRAMES = {200: 8.0, 10_000: 25.0, 100_000: 60.0}
FIRST_PAINT = 400.0
HOVER = 1.0
# Milliseconds for one row: what each feature did, and what would turn the answer.
OF_ROW = {"attributions": 50.0, "change": 200.0}
BUNDLE, PAGE = 60e3, 1.2e6


@dataclass(frozen=True, slots=True)
class Line:
    """A figure, its limit if there is one, and its unit."""

    what: str
    value: float
    limit: float
    unit: str

    def __str__(self) -> str:
        digits = 0 if self.value >= 100.0 else 1
        if np.isnan(self.limit):
            return f"| {self.what} | {self.value:,.{digits}f} {self.unit} | | |"
        text = "yes" if self.value <= self.limit else "NO"
        limit = f"{self.limit:,.0f} {self.unit}"
        return f"| {self.what} | {self.value:,.{digits}f} {self.unit} | {limit} | {text} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; return 1 if a limit does not hold."""
    options = _parse(arguments)
    data = synthetic(options.rows, 20)
    large = boosted(data, options.trees)
    print("| figure | is | limit | holds |\n|---|---|---|---|")
    kept = []
    forests = (Line(*figures) for figures in forest_figures(*options.forest))
    for line in chain(sizes(large, data), browser_lines(large, options), forests):
        print(line, flush=True)
        kept.append(not line.value > line.limit)
    if not options.no_peers:
        print_peers(data)
    return 0 if all(kept) else 1


def boosted(data: Dataset, n_trees: int) -> LogisticBoostClassifier:
    """Return a model of so many trees with 201 nodes each."""
    half = len(data.y) // 2
    classifier = LogisticBoostClassifier(n_estimators=n_trees, max_leaf_nodes=N_LEAVES)
    return classifier.fit(data.X[:half], data.y[:half])


def sizes(classifier: LogisticBoostClassifier, data: Dataset) -> Iterator[Line]:
    """Yield the sizes of bundle and pages, and how long they take to make."""
    nan = float("nan")
    bundle = len(gzip.compress(read_script().encode(), 9))
    yield Line("viewer.js, gzip", bundle / 1e3, BUNDLE / 1e3, "kB")
    half = len(data.y) // 2
    trees = classifier.model_.ensembles[0].trees
    name = f"{len(trees)} × {int(np.median([tree.n_nodes for tree in trees]))} nodes"
    seconds, seen = _timed(lambda: view(classifier))
    yield Line(f"page of {name}", len(seen.html.encode()) / 1e3, PAGE / 1e3, "kB")
    yield Line(f"making it, {name}", seconds, nan, "s")
    seconds, seen = _timed(lambda: view(classifier, data.X[half:], data.y[half:]))
    yield Line(f"... with {half:,} rows held out", len(seen.html.encode()) / 1e3, PAGE / 1e3, "kB")
    yield Line("making it with these", seconds, nan, "s")


def _timed(make: Callable[[], View]) -> tuple[float, View]:
    make()
    start = time.perf_counter()
    seen = make()
    return time.perf_counter() - start, seen


# --- in the browser -------------------------------------------------------------------------------


def browser_lines(classifier: Any, options: argparse.Namespace) -> Iterator[Line]:
    """Yield first paint, frame and hover times in Chromium, if it and Playwright are there."""
    if find_spec("playwright") is None or find_chromium() is None:
        _say("left out: the browser; install playwright and Chromium")
        return
    n_trees = len(classifier.model_.ensembles[0].trees)
    with tempfile.TemporaryDirectory() as folder, start_chromium() as browser:
        path = Path(folder) / "page.html"
        view(classifier).write_html(path)
        paints = [first_paint(browser, path) for _ in range(options.repeats)]
        what = f"first paint, {n_trees} trees"
        yield Line(what, statistics.median(paints), FIRST_PAINT, "ms")
        for name, limit in OF_ROW.items():
            what = f"{name} of a row, {n_trees} trees"
            yield Line(what, of_row(browser, path, name, options.repeats), limit, "ms")
        for n_nodes, limit in FRAMES.items():
            if n_nodes > options.largest:
                continue
            view(_one_tree(n_nodes)).write_html(path)
            frame, hover = frames(browser, path, options.repeats)
            yield Line(f"frame, t sliding, {n_nodes:,} nodes", frame, limit, "ms")
            yield Line(f"hover, {n_nodes:,} nodes", hover, HOVER, "ms")


def _open(browser: Any, path: Path) -> Any:
    page = browser.new_page(viewport={"width": 1300, "height": 850})
    page.goto(path.as_uri())
    while not page.evaluate("globalThis.horotree?.stats?.firstPaint > 0"):
        page.wait_for_timeout(20.0)
    return page


def first_paint(browser: Any, path: Path) -> float:
    """Return the milliseconds from the start of loading to the first paint with content."""
    page = _open(browser, path)
    page.wait_for_timeout(300.0)
    script = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    painted = max(page.evaluate(script), page.evaluate("horotree.stats.firstPaint"))
    page.close()
    return float(painted)


def frames(browser: Any, path: Path, repeats: int) -> tuple[float, float]:
    """Return the median milliseconds of a frame while t slides, and of a look under the pointer."""
    page = _open(browser, path)
    page.wait_for_timeout(500.0)
    times = page.evaluate(f"horotree.viewers[0].benchmark({10 * repeats})")
    box = page.locator("[data-ht='disk']").bounding_box()
    hovers = []
    for share in np.linspace(0.2, 0.8, 20):
        page.mouse.move(box["x"] + share * box["width"], box["y"] + share * box["height"])
        hovers.append(page.evaluate("horotree.stats.hover"))
    page.close()
    # The first frames warm up the compiler of the browser.
    return statistics.median(times[len(times) // 4 :]), statistics.median(hovers)


def of_row(browser: Any, path: Path, name: str, repeats: int) -> float:
    """Return the median milliseconds that the page takes to say something of a row of numbers."""
    page = _open(browser, path)
    script = """([name, rows]) => rows.map((row) => {
      const start = performance.now();
      horotree.viewers[0][name](row);
      return performance.now() - start;
    })"""
    rows = np.random.default_rng(0).normal(size=(8 * repeats, 20))
    times = page.evaluate(script, [name, rows.tolist()])
    page.close()
    return statistics.median(times)


def _one_tree(n_nodes: int) -> Model:
    """Return a model of one tree; all its nodes are kept, and so drawn."""
    tree = random_tree(np.random.default_rng(0), (n_nodes + 1) // 2)
    ensemble = Ensemble((tree,), np.ones(1), np.full(1, np.nan), 0.0)
    return Model((ensemble,), "logistic", np.array([0, 1]), ("x",), (None,), "float64")


# --- the others -----------------------------------------------------------------------------------


def print_peers(data: Dataset) -> None:
    """Print what viewers write for one tree of 101 leaves, and how long that takes."""
    from sklearn.tree import DecisionTreeClassifier

    print(f"\n| one tree, {N_LEAVES} leaves | output | seconds |\n|---|---|---|")
    ours = LogLossTreeClassifier(max_leaf_nodes=N_LEAVES).fit(data.X, data.y)
    seconds, seen = _timed(lambda: view(ours))
    print(f"| horotree | {len(seen.html.encode()) / 1e3:,.0f} kB | {seconds:.3f} |", flush=True)
    tree = DecisionTreeClassifier(max_leaf_nodes=N_LEAVES, random_state=0).fit(data.X, data.y)
    for name in PEERS:
        found = measure_peer(name, tree, data.X, data.y)
        if isinstance(found, str):
            print(f"| {name} | {found} | |", flush=True)
        else:
            print(f"| {name} | {found[1] / 1e3:,.0f} kB | {found[0]:.3f} |", flush=True)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.view", description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000, help="of the data")
    parser.add_argument("--trees", type=int, default=N_TREES, help="of the ensemble")
    parser.add_argument("--repeats", type=int, default=5, help="of timings")
    parser.add_argument("--no-peers", action="store_true", help="ours only")
    parser.add_argument("--quick", action="store_true", help="fewer trees, no large ones")
    options = parser.parse_args(arguments)
    options.largest, options.forest = max(FRAMES), (48_000, 500)
    if options.quick:
        options.rows, options.trees, options.repeats, options.largest = 2_000, 5, 1, 200
        options.forest = (2_000, 20)
    return options


if __name__ == "__main__":
    sys.exit(main())
