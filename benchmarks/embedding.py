"""How good and how fast embeddings are: the paper's placement against the exact one.

Run as ``python -m benchmarks.embedding``. Trees come from models boosted on real domains, by our
defaults and by the paper's setting; those with 20 kept nodes or more are embedded by each method,
and one table has the medians. ``--reference`` prints ρ of the paper's placement next to the values
of its authors' program instead.
"""

import argparse
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.machinery.data import (
    SUFFIX,
    Loader,
    breast_cancer,
    choose,
    find_domains,
    find_folder,
)
from benchmarks.models.classifiers import ours
from horotree.embedding import LayoutQuality, embed, embed_model
from horotree.embedding.exact import MAX_DRAWN
from horotree.embedding.quality import summarize
from horotree.trees import Ensemble, Model, MonotonicTree, Tree, monotonic

LITERAL = {"smoothing": 0.0, "learning_rate": 1.0, "pure_leaves": "forbid", "max_bins": None}
SETTINGS: dict[str, dict[str, Any]] = {"our defaults": {}, "the paper's setting": LITERAL}
MIN_NODES = 20
ROUNDS = (1, 2, 5, 10, 20, 50, 100, 200)

# What is embedded how, and the temperature of the picture; None for that of the embedding.
METHODS: dict[str, tuple[dict[str, Any], float | None]] = {
    "sarkar, drawn at t = 1": ({"method": "sarkar"}, None),
    "sarkar, drawn at t = 0": ({"method": "sarkar"}, 0.0),
    "sarkar normalized, drawn at t = 1": ({"method": "sarkar", "normalize": True}, None),
    "sarkar normalized, drawn at t = 0": ({"method": "sarkar", "normalize": True}, 0.0),
    "exact, t = 1": ({"t": 1.0}, None),
    "exact, t = 0": ({"t": 0.0}, None),
    "exact, automatic t": ({"t": "auto"}, None),
}
FIGURES = {
    "error": ("ρ %", 100.0, 1),
    "crossings": ("crossings", 1.0, 0),
    "mean_excess": ("mean excess", 1.0, 2),
    "separation": ("separation px", 1.0, 1),
    "n_close": ("nodes within 6 px", 1.0, 0),
}

# ρ in % of the authors' program, trees 1 to 10, mean of ten folds.
REFERENCE = {
    "ionosphere": (10.3, 8.6, 5.2, 5.1, 4.2, 4.0, 4.8, 4.6, 4.5, 5.1),
    "breastwisc": (14.3, 10.2, 7.7, 5.1, 4.2, 4.3, 4.4, 4.2, 5.4, 4.9),
    "tictactoe": (12.5, 9.7, 7.0, 4.9, 3.6, 2.4, 1.9, 1.7, 1.8, 1.9),
}
N_FOLDS = 10

SIZES = (1_001, 3_001, 10_001, 30_001, 100_001)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; return 0 or 2."""
    options = _parse(arguments)
    try:
        sets = _find_sets(options)
    except (FileNotFoundError, LookupError) as error:
        print(f"Error: {error}.", file=sys.stderr)
        return 2
    if options.reference:
        _print_reference(sets, options.repeats)
        return 0
    if not options.no_quality:
        _print_quality(list(_trees(sets, options.trees)))
    if not options.no_speed:
        _print_speed(options)
    return 0


def _trees(sets: Mapping[str, Loader], n_trees: int) -> Iterator[MonotonicTree]:
    """Yield the monotonic trees of some rounds of boosting, if they have enough nodes."""
    for name, load in sets.items():
        dataset = load()
        for setting, parameters in SETTINGS.items():
            start = time.perf_counter()
            model = ours(1, n_estimators=n_trees, **parameters).fit(dataset.X, dataset.y).model_
            (ensemble,) = model.ensembles
            chosen = [round_ - 1 for round_ in ROUNDS if round_ <= len(ensemble.trees)]
            found = [monotonic(ensemble.trees[i]) for i in chosen]
            large = [tree for tree in found if len(tree) >= MIN_NODES]
            seconds = time.perf_counter() - start
            _say(f"{name}, {setting}: {len(large)} of {len(chosen)} trees, {seconds:.1f} s")
            yield from large


def compare(trees: Sequence[MonotonicTree]) -> dict[str, list[LayoutQuality]]:
    """Return the quality of each method's embeddings, of all trees that it can embed."""
    found: dict[str, list[LayoutQuality]] = {}
    for name, (settings, t) in METHODS.items():
        # t = 1 draws the most confident nodes too far out for arcs that must not cross.
        farthest = MAX_DRAWN if settings.get("t") == 1.0 else math.inf
        found[name] = [
            embed(tree, **settings).quality(t=t)
            for tree in trees
            if tree.confidence.max() <= farthest
        ]
    return found


def _print_quality(trees: Sequence[MonotonicTree]) -> None:
    if not trees:
        print(f"no tree has {MIN_NODES} nodes or more\n")
        return
    sizes = [len(tree) for tree in trees]
    print(f"{len(trees)} monotonic trees with {min(sizes)} to {max(sizes)} nodes, median ", end="")
    print(f"{statistics.median(sizes):g}; median (worst) on a disk of 1,000 px\n")
    print(f"| method | trees | {' | '.join(title for title, _, _ in FIGURES.values())} |")
    print("|---|---|" + "---|" * len(FIGURES))
    for name, qualities in compare(trees).items():
        if not qualities:
            continue
        summary = summarize(qualities)
        cells = []
        for figure, (_, scale, digits) in FIGURES.items():
            middle, worst = (scale * value for value in summary[figure])
            cells.append(f"{middle:z.{digits}f} ({worst:z.{digits}f})")
        print(f"| {name} | {len(qualities)} | {' | '.join(cells)} |", flush=True)
    print()


def reference_errors(load: Loader, seed: int) -> Any:
    """Return ρ in %, folds by trees, of the paper's placement of trees grown by its setting.

    Folds are a random permutation dealt in turn, as in the authors' program.
    """
    dataset = load()
    fold = np.empty(len(dataset.y), np.int64)
    fold[np.random.default_rng(seed).permutation(len(fold))] = np.arange(len(fold)) % N_FOLDS
    n_trees = len(next(iter(REFERENCE.values())))
    errors = np.full((N_FOLDS, n_trees), math.nan)
    for k in range(N_FOLDS):
        classifier = ours(1, n_estimators=n_trees, **LITERAL)
        classifier.fit(*dataset.take(np.flatnonzero(fold != k)))
        (embeddings,) = embed_model(classifier.model_, method="sarkar")
        errors[k, : len(embeddings)] = [100.0 * e.quality().error for e in embeddings]
    return errors


def _print_reference(sets: Mapping[str, Loader], repeats: int) -> None:
    n_trees = len(next(iter(REFERENCE.values())))
    print(f"ρ in %, mean of {N_FOLDS} folds, {repeats} times folded anew\n")
    print(f"| domain | trees | {' | '.join(str(j + 1) for j in range(n_trees))} |")
    print("|---|---|" + "---|" * n_trees)
    for name, theirs in REFERENCE.items():
        if name not in sets:
            _say(f"left out: {name}, for want of {name}{SUFFIX}; --data names its folder")
            continue
        errors = np.array([reference_errors(sets[name], seed) for seed in range(repeats)])
        mean = np.nanmean(errors, axis=(0, 1))
        # Theirs is the mean of ten folds, and so is each of ours: both have this standard error.
        noise = np.sqrt(np.nanmean(np.nanvar(errors, axis=1, ddof=1), axis=0) / N_FOLDS)
        rows = {"ours": mean, "authors' program": theirs, "standard error": noise}
        for title, values in rows.items():
            cells = " | ".join(f"{value:.1f}" for value in values)
            print(f"| {name} | {title} | {cells} |", flush=True)


def _print_speed(options: argparse.Namespace) -> None:
    rng = np.random.default_rng(0)
    model = boosted(rng, options.models, 101)
    seconds = _median_seconds(lambda: model, embed_model, options.repeats)
    print(
        f"{options.models} trees × 201 nodes, all kept, spacing included: {1e3 * seconds:.0f} ms ",
        end="",
    )
    print("of CPU time")
    print("\n| nodes of one tree, no spacing | seconds | ns a node |\n|---|---|---|")
    times = []
    sizes = [size for size in SIZES if size <= options.largest]
    for size in sizes:
        tree = random_tree(rng, (size + 1) // 2)
        fast = partial(embed, spacing=False)
        times.append(_median_seconds(partial(monotonic, tree), fast, options.repeats))
        print(f"| {size:,} | {times[-1]:.4f} | {1e9 * times[-1] / size:.0f} |", flush=True)
    if len(sizes) > 1:
        slope, _ = np.polyfit(np.log(sizes), np.log(times), 1)
        print(f"\nSlope of log time against log nodes: {slope:.2f}")


def _median_seconds(
    prepare: Callable[[], Any], run: Callable[[Any], object], repeats: int
) -> float:
    """Return the median CPU time of a run on what is prepared anew; the first one warms up."""
    seconds = []
    for _ in range(repeats + 1):
        given = prepare()
        start = time.process_time()
        run(given)
        seconds.append(time.process_time() - start)
    return statistics.median(seconds[1:])


def boosted(rng: np.random.Generator, n_trees: int, n_leaves: int) -> Model:
    """Return a model of random trees."""
    trees = tuple(random_tree(rng, n_leaves) for _ in range(n_trees))
    ensemble = Ensemble(trees, np.ones(n_trees), np.full(n_trees, math.nan), 0.0)
    return Model((ensemble,), "logistic", np.array([0, 1]), ("x",), (None,), "float64")


def random_tree(rng: np.random.Generator, n_leaves: int) -> Tree:
    """Return a tree of random shape; children are more confident than their parents."""
    n = 2 * n_leaves - 1
    left = np.full(n, -1, np.int32)
    leaves = [0]
    confidence = rng.exponential(0.7, n)
    for end, place in zip(range(1, n, 2), rng.random(n_leaves - 1), strict=True):
        i = int(place * len(leaves))
        node, leaves[i] = leaves[i], end
        leaves.append(end + 1)
        left[node] = end
        confidence[end : end + 2] += confidence[node]
    value = confidence * rng.choice([-1.0, 1.0], n)
    return Tree(
        left=left,
        right=np.where(left < 0, -1, left + 1).astype(np.int32),
        feature=np.where(left < 0, -1, 0).astype(np.int32),
        threshold=np.zeros(n),
        missing_left=np.zeros(n, np.bool_),
        category_start=np.zeros(n + 1, np.int32),
        category=np.empty(0, np.int32),
        value=value,
        output=value,
        weight=np.ones(n),
        count=np.ones(n, np.int64),
    )


def _find_sets(options: argparse.Namespace) -> dict[str, Loader]:
    folder = find_folder(options.data)
    if folder is None:
        _say(f"left out: the domains; --data names a folder of <domain>{SUFFIX}")
    sets = choose(find_domains(folder) | {"breast_cancer": breast_cancer}, options.sets)
    return dict(list(sets.items())[:3]) if options.quick else sets


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.embedding", description=__doc__)
    parser.add_argument("--data", type=Path, metavar="DIR", help=f"folder of <domain>{SUFFIX}")
    parser.add_argument("--sets", nargs="+", metavar="SET", help="these only; beginnings will do")
    parser.add_argument("--trees", type=int, default=50, help="rounds of boosting")
    parser.add_argument("--repeats", type=int, default=5, help="of timings, and of folds")
    parser.add_argument("--reference", action="store_true", help="ρ next to the authors' program")
    parser.add_argument("--quick", action="store_true", help="three domains, smaller trees")
    parser.add_argument("--no-quality", action="store_true", help="speed only")
    parser.add_argument("--no-speed", action="store_true", help="quality only")
    options = parser.parse_args(arguments)
    options.models, options.largest = (20, SIZES[1]) if options.quick else (200, SIZES[-1])
    return options


if __name__ == "__main__":
    sys.exit(main())
