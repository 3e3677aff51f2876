"""Training on a cluster of local workers, next to XGBoost and LightGBM, and what more would cost.

``python -m benchmarks.distributed`` prints tables; with ``--report`` it writes docs/scale.md.
"""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from benchmarks.cluster.cost_model import Costs, Network, Point, fit_costs, fit_network
from benchmarks.cluster.page import write_page
from benchmarks.cluster.workers import (
    Exchange,
    Fit,
    Size,
    cluster,
    measure,
    per_tree,
    time_exchanges,
)
from benchmarks.machinery.report import Watch
from benchmarks.machinery.rows import LEAVES, say, table
from benchmarks.models.classifiers import versions

DEFAULT_PATH = Path(__file__).parents[1] / "docs" / "scale.md"
PACKAGES = {"XGBoost": "xgboost", "LightGBM": "lightgbm"}

# A cluster that nobody here has: rows, features, machines.
LARGE = (10**9, 100, 100)
ETHERNET = Network(hop=50e-6, bandwidth=1.25e9)

Fits = Mapping[int, Mapping[str, Sequence[Fit]]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write the page if asked for."""
    options = _parse(arguments)
    names = ["ours", *(name for name, package in PACKAGES.items() if find_spec(package))]
    watch = Watch()
    size = Size(options.rows, options.features, options.partitions)
    small = Size(max(options.rows // 4, 1_000), options.features, options.partitions)
    fits: dict[int, dict[str, list[Fit]]] = {}
    quarters: dict[int, list[Fit]] = {}
    exchanges: list[Exchange] = []
    for n_workers in options.workers:
        say(f"== {n_workers} worker(s)")
        with cluster(n_workers) as client:
            fits[n_workers] = measure(client, size, names, options.trees, options.repeats)
            ours = measure(client, small, ["ours"], options.trees, options.repeats)
            quarters[n_workers] = ours["ours"]
            exchanges += time_exchanges(client)
    tables = _tables(size, fits, quarters, small, exchanges, options.trees)
    command = _command(options)
    stamp = (
        f"<sub>`{command}` on {os.cpu_count()} cores: {watch.tell()};\n{versions('dask')}.</sub>"
    )
    print("\n\n".join([*tables.values(), stamp]))
    if options.report:
        write_page(options.output, tables, stamp, LEAVES)
        say(f"written to {options.output}")
    return 0


def _tables(
    size: Size,
    fits: Fits,
    quarters: Mapping[int, Sequence[Fit]],
    small: Size,
    exchanges: Sequence[Exchange],
    trees: Sequence[int],
) -> dict[str, str]:
    points = _points(size, {n: by_model["ours"] for n, by_model in fits.items()})
    points += _points(small, quarters)
    network = fit_network(exchanges) if exchanges else Network(0.0, 1e15)
    costs = fit_costs(points, network, os.cpu_count() or 1)
    return {
        "race": _race_table(size, fits, trees),
        "ours": _own_table(size, fits),
        "network": _network_table(exchanges, network),
        "model": _model_table(points, costs),
        "large": _large_table(points, costs),
    }


def _points(size: Size, fits: Mapping[int, Sequence[Fit]]) -> list[Point]:
    return [
        Point(
            size.rows,
            size.features,
            n_workers,
            per_tree(few, many, "sums"),
            per_tree(few, many, "decisions"),
            per_tree(few, many, "sent"),
            per_tree(few, many, "training"),
        )
        for n_workers, (few, many) in fits.items()
    ]


def _race_table(size: Size, fits: Fits, trees: Sequence[int]) -> str:
    rows = []
    for n_workers, by_model in fits.items():
        both = {name: fits for name, fits in by_model.items() if name != "lean"}
        times = {name: per_tree(*fits) for name, fits in both.items()}
        for name, (few, many) in both.items():
            before = few.seconds - few.trees * times[name]
            rows.append(
                [
                    str(n_workers),
                    name,
                    f"{times[name]:.3f}",
                    f"{times['ours'] / times[name]:.2f}",
                    f"{before:.1f}",
                    f"{many.seconds:.1f}",
                ]
            )
    heads = [
        "workers",
        "model",
        "s a tree",
        "ours to it",
        "s before",
        f"s in all, {trees[-1]} trees",
    ]
    return f"{size.rows:,} × {size.features}, {LEAVES} leaves:\n\n{table(heads, rows)}"


def _own_table(size: Size, fits: Fits) -> str:
    rows = []
    first = next(iter(fits.values()))["ours"][-1].model
    for n_workers, by_model in fits.items():
        few, many = by_model["ours"]
        (lean,) = by_model["lean"]
        share = per_tree(few, many, "waiting") / per_tree(few, many, "training")
        rows.append(
            [
                str(n_workers),
                f"{per_tree(few, many, 'training'):.3f}",
                f"{per_tree(few, many, 'sums'):.0f} + {per_tree(few, many, 'decisions'):.0f}",
                f"{per_tree(few, many, 'sent') / 1e6:.1f}",
                f"{100 * share:.0f} %",
                f"{size.rows * size.features / n_workers / 1e6:.0f}",
                f"{lean.rest / 1e6:.0f}",
                f"{lean.memory / 1e6:.0f}",
                f"{lean.peak / 1e6:.0f}",
                "yes" if many.model == first else "NO",
            ]
        )
    heads = [
        "workers",
        "s a tree",
        "sums + decisions a tree",
        "MB a tree",
        "of the time waiting",
        "MB of bins",
        "MB at rest",
        "training",
        "at most",
        "same trees",
    ]
    return table(heads, rows)


def _network_table(exchanges: Sequence[Exchange], network: Network) -> str:
    rows = [
        [
            str(e.workers),
            "decision" if e.n_bytes is None else f"{e.n_bytes / 1e3:,.0f} kB",
            f"{1e3 * e.seconds:.2f}",
            f"{1e3 * _predict(e, network):.2f}",
        ]
        for e in exchanges
    ]
    text = (
        f"h = {1e6 * network.hop:.0f} µs and B = {network.bandwidth / 1e9:.1f} GB/s explain these "
        "sums:"
    )
    return f"{text}\n\n{table(['workers', 'sum of', 'ms', 'ms by the model'], rows)}"


def _predict(exchange: Exchange, network: Network) -> float:
    if exchange.n_bytes is None:
        return network.decision(exchange.workers)
    return network.exchange(exchange.workers, exchange.n_bytes)


def _model_table(points: Sequence[Point], costs: Costs) -> str:
    rows = [
        [
            f"{p.rows:,} × {p.features}",
            str(p.workers),
            f"{p.seconds:.3f}",
            f"{costs.tree(p):.3f}",
            f"{100 * (costs.tree(p) / p.seconds - 1):+.0f} %",
        ]
        for p in points
    ]
    text = (
        f"a = {1e9 * costs.per_value:.2f} ns a row and feature and "
        f"b = {1e6 * costs.per_feature:.0f} µs a feature explain these trees:"
    )
    heads = ["rows × features", "workers", "s a tree", "by the model", "off by"]
    return f"{text}\n\n{table(heads, rows)}"


def _large_table(points: Sequence[Point], costs: Costs) -> str:
    n_rows, n_features, machines = LARGE
    several = [p for p in points if p.workers > 1] or list(points)
    sums = max(p.sums for p in several)
    decisions = max(p.decisions for p in several)
    n_bytes = max(p.n_bytes / p.features for p in several) * n_features
    large = Point(n_rows, n_features, machines, sums, decisions, n_bytes, 0.0)
    lines = []
    for name, network, threads in (
        ("this loopback, one thread a machine", costs.network, 1),
        ("10 Gbit/s, 50 µs a hop, one thread a machine", ETHERNET, 1),
        ("10 Gbit/s, 50 µs a hop, 16 threads a machine", ETHERNET, 16),
    ):
        work = costs.per_value * n_rows / machines * n_features / threads
        scan = costs.per_feature * n_features / threads
        waits = network.waits(large)
        total = work + scan + waits
        lines.append(
            [
                name,
                f"{work:.1f}",
                f"{scan:.2f}",
                f"{waits:.2f}",
                f"{total:.1f}",
                f"{200 * total / 60:.0f}",
            ]
        )
    heads = ["network and machines", "s rows", "s scan", "s waiting", "s a tree", "min, 200 trees"]
    text = f"{n_rows:,} × {n_features} on {machines} machines:"
    return f"{text}\n\n{table(heads, lines)}"


def _command(options: argparse.Namespace) -> str:
    words = ["python -m benchmarks.distributed"]
    words += ["--report"] * options.report
    defaults = _parser().parse_args([])
    for name in ("rows", "features", "partitions", "trees", "workers", "repeats"):
        given = getattr(options, name)
        if given != getattr(defaults, name):
            text = " ".join(map(str, given)) if isinstance(given, list) else given
            words.append(f"--{name} {text}")
    return " ".join(words)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.trees[0] >= options.trees[1]:
        parser.error("--trees takes a small number of trees and a larger one")
    if options.features < 12:
        parser.error("--features must be 12 or more")
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.distributed", description=__doc__)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--features", type=int, default=50)
    parser.add_argument("--partitions", type=int, default=16)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--trees", type=int, nargs=2, default=[5, 45], metavar=("FEW", "MANY"))
    parser.add_argument("--repeats", type=int, default=2, help="the fastest of so many counts")
    parser.add_argument("--report", action="store_true", help="write the page, too")
    parser.add_argument("--output", type=Path, default=DEFAULT_PATH, help="docs/scale.md")
    return parser


if __name__ == "__main__":
    sys.exit(main())
