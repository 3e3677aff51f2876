"""How accurate and calibrated the defaults are, next to LightGBM and HistGradientBoosting.

Run as ``python -m benchmarks.accuracy``. Sets under 5,000 rows are cross-validated (stratified),
larger ones are split once, 75/25. Results go to a file as sets finish; the same command goes on
from there. ``--sweep smoothing=4,20,100`` compares settings of ours instead, with
``--single-tree`` those of one tree. What is ours is shown next to its monotonic version, too.
"""

import argparse
import ast
import itertools
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit
from threadpoolctl import threadpool_limits

from benchmarks.machinery.data import (
    SUFFIX,
    Dataset,
    Loader,
    breast_cancer,
    choose,
    find_domains,
    find_folder,
    generated,
)
from benchmarks.machinery.records import Record, append_records, read_records
from benchmarks.machinery.scores import (
    MonotonicScores,
    evaluate,
    evaluate_monotonic,
    is_wrong,
    worse_by_chance,
)
from benchmarks.machinery.tables import print_monotonic, print_tables, print_verdict
from benchmarks.models.classifiers import (
    PEERS,
    Fold,
    find_peers,
    our_tree,
    ours,
    predict_fold,
    versions,
)

SPLIT_FROM = 5_000
SIZE = (200, 101)
# Error in % and its standard deviation over 10 folds, in the paper's table of DT against MDT.
PAPER = {"ionosphere": (5.71, 2.70), "breastwisc": (4.15, 2.18)}
LITERAL = {"smoothing": 0.0, "learning_rate": 1.0, "pure_leaves": "forbid", "max_bins": None}

Model = Callable[[], Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; return 0 or 2."""
    options = _parse(arguments)
    try:
        sets = _find_sets(options)
        models = _sweep(options) if options.sweep else _contenders(options.threads)
        read_records(options.output)  # another program's file is refused before the work begins
    except (OSError, LookupError, ValueError) as error:
        print(f"Error: {error}.", file=sys.stderr)
        return 2
    print(f"{versions()}; seed {options.seed}\n")
    with threadpool_limits(options.threads):  # HistGradientBoosting has no other limit
        runs = [_run(name, load, models, options) for name, load in sets.items()]
        records = list(itertools.chain.from_iterable(runs))
        print_tables(records)
        print_monotonic(records)
        if not options.sweep:
            print_verdict(records)
            _reproduce(sets, options)
    return 0


def _run(
    name: str, load: Loader, models: Mapping[str, Model], options: argparse.Namespace
) -> list[Record]:
    """Return the records of a set: from the file if all are there, else measured and added."""
    known = _find_known(name, next(iter(models)), options)
    if all(model in known for model in models):
        _say(f"{name}: kept from {options.output}")
        return [known[model] for model in models]
    records = measure(load(), models, folds=options.folds, seed=options.seed)
    append_records(options.output, records)
    return records


def _find_known(name: str, reference: str, options: argparse.Namespace) -> dict[str, Record]:
    """Return what the file has of a set by model, made by the same code in the same way."""
    return {
        record.model: record
        for record in read_records(options.output)
        if (record.set, record.reference) == (name, reference)
        and (record.seed, record.versions) == (options.seed, versions())
        and record.protocol == protocol_of(record.rows, options.folds)
    }


def measure(
    dataset: Dataset, models: Mapping[str, Model], *, folds: int, seed: int
) -> list[Record]:
    """Fit and test each model; the first is the one that the others' errors are held against."""
    y = dataset.y
    n_rows, n_features = dataset.X.shape
    protocol = protocol_of(n_rows, folds)
    splits = _splits(y, folds, seed)
    labels = [y[test] for _, test in splits]
    records: list[Record] = []
    wrong: dict[str, Any] = {}
    reference = next(iter(models))
    for name, make in models.items():
        fitted = [predict_fold(make(), dataset, *split) for split in splits]
        posteriors = [fold.posterior for fold in fitted]
        seconds = round(sum(fold.seconds for fold in fitted), 3)
        _say(f"{dataset.name} {n_rows:,}×{n_features}, {protocol}: {name} {seconds:.1f} s")
        wrong[name] = is_wrong(np.concatenate(labels), np.concatenate(posteriors))
        record = Record(
            set=dataset.name,
            rows=n_rows,
            features=n_features,
            protocol=protocol,
            model=name,
            **asdict(evaluate(labels, posteriors)),
            reference=reference,
            p_reference_worse=worse_by_chance(wrong[reference], wrong[name]),
            p_reference_better=worse_by_chance(wrong[name], wrong[reference]),
            **asdict(_score_monotonic(labels, fitted)),
            seconds=seconds,
            seed=seed,
            versions=versions(),
        )
        records.append(record)
    return records


def _splits(y: Any, folds: int, seed: int) -> list[tuple[Any, Any]]:
    splitter: Any = StratifiedShuffleSplit(1, test_size=0.25, random_state=seed)
    if len(y) < SPLIT_FROM:
        splitter = StratifiedKFold(folds, shuffle=True, random_state=seed)
    return list(splitter.split(np.empty(len(y)), y))


def protocol_of(n_rows: int, folds: int) -> str:
    """Return how a set of this size is tested."""
    return f"{folds}-fold" if n_rows < SPLIT_FROM else "75/25 split"


def _score_monotonic(labels: Sequence[Any], folds: Sequence[Fold]) -> MonotonicScores:
    """Return the scores of the monotonic version, NaN if there is none."""
    parts = [fold.monotonic for fold in folds if fold.monotonic is not None]
    if not parts:
        return MonotonicScores()
    return evaluate_monotonic(
        labels,
        [fold.posterior for fold in folds],
        [part.posterior for part in parts],
        [part.refitted for part in parts],
        kept=float(np.mean([part.kept for part in parts])),
    )


def _contenders(n_threads: int) -> dict[str, Model]:
    """Return ours, and the peers with its size and as they come."""
    there, missing = find_peers(("LightGBM", "HGB"))
    for name in missing:
        _say(f"left out: {name} is not installed")
    models: dict[str, Model] = {"ours": partial(ours, n_threads)}
    models |= {f"{name} 200×101": partial(PEERS[name], n_threads, *SIZE) for name in there}
    return models | {f"{name} default": partial(PEERS[name], n_threads) for name in there}


def _sweep(options: argparse.Namespace) -> dict[str, Model]:
    """Return ours, boosted or a single tree, under every combination of the values asked for."""
    model, prefix = (our_tree, "one tree, ") if options.single_tree else (ours, "")
    choices = []
    for text in options.sweep:
        name, _, values = text.partition("=")
        if not values:
            raise ValueError(f"a sweep reads parameter=value,value,..., not {text!r}")
        choices.append([(name, _value(value)) for value in values.split(",")])
    return {
        prefix + ", ".join(f"{name}={value}" for name, value in setting): partial(
            model, options.threads, **dict(setting)
        )
        for setting in itertools.product(*choices)
    }


def _value(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def _reproduce(sets: Mapping[str, Loader], options: argparse.Namespace) -> None:
    """Print our error next to the paper's, on domains that are among the sets."""
    models: dict[str, Model] = {
        "ours": partial(ours, options.threads),
        "the paper's setting": partial(ours, options.threads, **LITERAL),
    }
    names = [name for name in PAPER if name in sets]
    if names:
        print("| domain | model | error % | paper's | standard error | away, standard errors |")
        print("|---|---|---|---|---|---|")
    for name in names:
        paper, deviation = PAPER[name]
        standard_error = deviation / np.sqrt(10)
        for model, make in models.items():
            (record,) = _run(name, sets[name], {model: make}, options)
            away = (100 * record.error - paper) / standard_error
            text = "" if abs(away) <= 2 else ", beyond 2"
            print(f"| {name} | {record.model} | {100 * record.error:.2f} | {paper:.2f} ", end="")
            print(f"| {standard_error:.2f} | {away:+.1f}{text} |")


def _find_sets(options: argparse.Namespace) -> dict[str, Loader]:
    folder = find_folder(options.data)
    if folder is None:
        _say(f"left out: the domains; --data names a folder of <domain>{SUFFIX}")
    return choose(
        find_domains(folder) | {"breast_cancer": breast_cancer} | generated(), options.sets
    )


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__)
    parser.add_argument("--data", type=Path, metavar="DIR", help=f"folder of <domain>{SUFFIX}")
    parser.add_argument("--sets", nargs="+", metavar="SET", help="these only; beginnings will do")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--sweep", action="append", metavar="PARAMETER=VALUE,...")
    parser.add_argument("--single-tree", action="store_true", help="sweep a single tree's settings")
    parser.add_argument("--output", type=Path, default=Path("build/accuracy.csv"), metavar="FILE")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
