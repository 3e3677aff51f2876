"""The tables of accuracy: models by set, ours next to its monotonic version, and the verdict."""

from collections.abc import Sequence

import numpy as np

from benchmarks.machinery.records import Record
from benchmarks.machinery.scores import LEVEL

METRICS = {"error": ("error %", 100.0, 2), "log_loss": ("log-loss", 1.0, 4)} | {
    "auc": ("AUC", 1.0, 4),
    "calibration": ("calibration error %", 100.0, 2),
}

# What is printed of a model of ours and its monotonic version: the unit, and digits.
MONOTONIC = {
    "error": (100.0, 2),
    "monotonic_error": (100.0, 2),
    "refitted_error": (100.0, 2),
    "log_loss": (1.0, 4),
    "monotonic_log_loss": (1.0, 4),
    "refitted_log_loss": (1.0, 4),
    "kept": (100.0, 1),
}
HEADS = "error % | monotonic | refitted | log-loss | monotonic | refitted | nodes kept %"


def print_tables(records: Sequence[Record]) -> None:
    """Print a table a metric, sets by models, with the mean; ▼ ▲ where ours is worse, better."""
    by_set = _by("set", records)
    models = list(_by("model", records))
    for metric, (title, scale, digits) in METRICS.items():
        print(f"| {title} | rows | protocol | {' | '.join(models)} |")
        print("|---|---|---|" + "---|" * len(models))
        for lines in by_set.values():
            cells = [f"{scale * getattr(line, metric):.{digits}f}" for line in lines]
            if metric == "error":
                cells = [cell + _mark(line) for cell, line in zip(cells, lines, strict=True)]
            print(_head(lines[0]), " | ".join(cells), "|")
        means = [f"{scale * _mean(records, model, metric):.{digits}f}" for model in models]
        print(f"| mean of {len(by_set)} sets | | | {' | '.join(means)} |\n")
    print(f"▼ ▲: the first column's error is significantly higher, lower (McNemar, {LEVEL:g},")
    print("one-sided).\n")


def print_monotonic(records: Sequence[Record]) -> None:
    """Print each model of ours next to its monotonic version, by set; of several also the means."""
    by_model = _by("model", [record for record in records if not np.isnan(record.kept)])
    means = {}
    for model, lines in by_model.items():
        print(f"| {model} | rows | protocol | {HEADS} |")
        print("|---" * (3 + len(MONOTONIC)) + "|")
        for line in lines:
            cells = _cells([line])
            cells[1] += "▼" * (line.p_monotonic_worse < LEVEL)
            print(_head(line), " | ".join(cells), "|")
        means[model] = " | ".join(_cells(lines))
        print(f"| mean of {len(lines)} sets | | | {means[model]} |\n")
    if len(means) > 1:
        print(f"| means | {HEADS} |")
        print("|---" * (1 + len(MONOTONIC)) + "|")
        for model, text in means.items():
            print(f"| {model} | {text} |")
        print()
    if means:
        print(
            "Monotonic: predicted by the monotonic trees, leverages unchanged or refitted; ▼ where"
        )
        print(
            "their error, leverages unchanged, is significantly higher than the trees' own. Nodes"
        )
        print("kept: of a tree's nodes, those of its monotonic tree, the mean over trees.\n")


def print_verdict(records: Sequence[Record]) -> None:
    """Print what the defaults promise, and whether it holds on these sets."""
    peers = [model for model in _by("model", records) if model != "ours"]
    if not peers:
        return
    for metric, sign in {"log_loss": 1, "auc": -1, "calibration": 1}.items():
        means = {model: sign * _mean(records, model, metric) for model in ["ours", *peers]}
        ahead = [model for model in peers if means[model] <= means["ours"]]
        text = f"not better than {', '.join(ahead)}" if ahead else "better than every peer"
        print(f"Mean {METRICS[metric][0]}: ours is {text}.")
    worse = {model: set[str]() for model in peers}
    for record in records:
        if record.model != "ours" and record.p_reference_worse < LEVEL:
            worse[record.model].add(record.set)
    n_sets = len({record.set for record in records})
    for model, names in worse.items():
        share = 100 * (1 - len(names) / n_sets)
        print(f"Error not significantly worse than {model}'s on {share:.0f} % of {n_sets} sets.")
    n_fine = n_sets - len(set[str]().union(*worse.values()))
    print(f"... than any of them: {100 * n_fine / n_sets:.0f} %.\n")


def _by(field: str, records: Sequence[Record]) -> dict[str, list[Record]]:
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(getattr(record, field), []).append(record)
    return groups


def _head(record: Record) -> str:
    return f"| {record.set} | {record.rows:,} | {record.protocol} |"


def _mark(record: Record) -> str:
    return "▼" * (record.p_reference_worse < LEVEL) + "▲" * (record.p_reference_better < LEVEL)


def _mean(records: Sequence[Record], model: str, metric: str) -> float:
    return float(np.mean([getattr(record, metric) for record in records if record.model == model]))


def _cells(records: Sequence[Record]) -> list[str]:
    """Return the means of what is printed of a model and its monotonic version."""
    return [
        f"{scale * np.mean([getattr(record, name) for record in records]):.{digits}f}"
        for name, (scale, digits) in MONOTONIC.items()
    ]
