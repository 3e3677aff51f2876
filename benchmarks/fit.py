"""How long a fit takes, ours and the peers', all in one alternating run.

Run as ``python -m benchmarks.fit``. All have the same data and the same trees × leaves, and all
else as it comes; binning is included. One thread is measured in CPU time, more in wall time.
``--report`` measures this and everything else that has to do with speed, and writes it to a file.
"""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks.machinery.data import SUFFIX, find_folder
from benchmarks.machinery.race import Result, measure
from benchmarks.machinery.report import DEFAULT_PATH, SECTIONS, write_report
from benchmarks.machinery.rows import LEAVES, ROWS, Scope, Split, find_loaders, say, split
from benchmarks.models.classifiers import PEERS, find_peers, versions

# What a quick report leaves out: more than half of its time.
SLOW = ("hardware", "give_me_some_credit", "large")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table row by row, or write the report; return 0 or 2."""
    options = _parse(arguments)
    names = options.rows or list(ROWS)
    if options.report and options.quick and not options.rows:
        names = [name for name in names if name not in SLOW]
    try:
        loaders = find_loaders(names, find_folder(options.data))
    except (FileNotFoundError, LookupError) as error:
        print(f"Error: {error}.", file=sys.stderr)
        return 2
    peers, missing = find_peers(tuple(PEERS))
    for name in missing:
        say(f"left out: {name} is not installed")
    repeats = options.repeats or (1 if options.report and options.quick else 3)
    scope = Scope(loaders, peers, repeats, options.quick, options.trees)
    if options.report:
        write_report(options.output, scope, options.only, _command(options, repeats))
    else:
        _print_table(scope, options.threads)
    return 0


def _print_table(scope: Scope, n_threads: int) -> None:
    _print_head(scope.repeats, n_threads)
    ratios = {}
    for name, load in scope.loaders.items():
        trees = scope.n_trees(name)
        say(f"{name}: {trees} trees")
        data = split(name, load())
        measured = measure(data, trees, ["ours", *scope.peers], (n_threads,), scope.repeats)
        results = {model: result for (model, _), result in measured.items()}
        times = {model: r.cpu if n_threads == 1 else r.wall for model, r in results.items()}
        _print_results(data, trees, results, times)
        if "LightGBM" in times:
            ratios[name] = times["ours"] / times["LightGBM"]
    if ratios:
        n_won = sum(ratio <= 1.0 for ratio in ratios.values())
        print(f"\nNo slower than LightGBM on {n_won} of {len(ratios)} rows.")


def _command(options: argparse.Namespace, repeats: int) -> str:
    """Return what measures the same again, without the places of files."""
    words = ["python -m benchmarks.fit --report"]
    for name in ("only", "rows", "trees"):
        given = getattr(options, name)
        if given and given != list(SECTIONS):
            words.append(f"--{name} {given if name == 'trees' else ' '.join(given)}")
    words += ["--quick"] * options.quick + [f"--repeats {repeats}"] * bool(options.repeats)
    return " ".join(words)


def _print_head(repeats: int, n_threads: int) -> None:
    clock = "CPU time" if n_threads == 1 else "wall time"
    print(f"{versions()}\n{n_threads} of {os.cpu_count()} cores, {LEAVES} leaves, {clock},")
    print(f"median of {repeats}, load {os.getloadavg()[0]:.1f} before the run\n")
    print("| train data | trees | model | seconds | to fastest peer | to LightGBM ", end="")
    print("| leaves a tree | error % | log-loss |\n|---|---|---|---|---|---|---|---|---|")


def _print_results(
    data: Split, trees: int, results: Mapping[str, Result], times: Mapping[str, float]
) -> None:
    fastest = min((time for model, time in times.items() if model != "ours"), default=np.nan)
    lightgbm = times.get("LightGBM", np.nan)
    for model, result in results.items():
        time = times[model]
        print(
            f"| {data.title} | {trees} | {model} | {time:.3f} | {time / fastest:.2f} "
            f"| {time / lightgbm:.2f} | {result.leaves:.1f} | {100 * result.error:.2f} "
            f"| {result.log_loss:.4f} |",
            flush=True,
        )


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fit", description=__doc__)
    parser.add_argument("--data", type=Path, metavar="DIR", help=f"folder of <domain>{SUFFIX}")
    parser.add_argument("--rows", nargs="+", choices=list(ROWS), metavar="ROW")
    parser.add_argument("--quick", action="store_true", help="fewer trees on the large rows")
    parser.add_argument("--trees", type=int, help="so many trees everywhere")
    parser.add_argument("--threads", type=int, default=1, help="of the table, not of the report")
    parser.add_argument("--repeats", type=int, help="3; 1 for a quick report")
    parser.add_argument("--report", action="store_true", help="measure all, and write it to a file")
    parser.add_argument(
        "--only",
        nargs="+",
        choices=list(SECTIONS),
        default=list(SECTIONS),
        metavar="SECTION",
        help=f"these of the report alone, of {', '.join(SECTIONS)}; others stay as they are",
    )
    parser.add_argument("--output", type=Path, default=DEFAULT_PATH, help="docs/performance.md")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
