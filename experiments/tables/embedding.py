"""Both embeddings of all boosted trees: error of confidences, crossings, nodes too close to others.

All trees of all domains, grown on all examples, 200 in each of two settings; disks of 1,000 pixels.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.embedding import METHODS, compare
from benchmarks.machinery.data import Dataset
from experiments.context import Context, MissingDataError
from experiments.page import table
from experiments.results_table import read_table, write_table
from experiments.study.checksum import checksum
from experiments.study.kept import describe, digest, run_kept
from experiments.study.models import SETTINGS, classifier
from experiments.study.paper import SHAPES
from horotree import monotonic

LABEL = "errorEmbed sarkar-mod"
ORDER = 40
NAME = "tab-embedding"
# What the page shows of the methods that are compared.
SHOWN = {
    "sarkar, drawn at t = 1": "the paper's placement, t = 1",
    "sarkar, drawn at t = 0": "the same, drawn at t = 0",
    "exact, t = 1": "the exact layout, t = 1",
    "exact, automatic t": "the exact layout, automatic t",
}
TITLES = {"paper": "The paper's setting", "default": "Our default"}
INTRODUCTION = """## Two embeddings (`errorEmbed`, `sarkar-mod`)

All trees of {domains} domains, grown on all examples, by the paper's modified Sarkar placement and
by the exact layout that horotree uses unless told. ρ is the paper's error: how far distances from
the center are from confidences, relative, mean over the nodes of a tree. The paper prints ρ in its
figures only. Medians over trees, drawn on a disk of 1,000 pixels; *separation* is the least
distance of two nodes.
"""
NOTES = """{left_out} trees of the paper's setting are left out of the exact layout at t = 1: they
have nodes farther out than angles can tell apart. Late trees have little left to learn and shrink
to the center, with our default more than in the paper's setting: in the exact layout at the
automatic t {first} % of the nodes of the first ten trees are within 6 px of another, and {last} %
of the last ten ({paper_first} and {paper_last} % in the paper's setting).

Domain by domain, for the paper's placement; the exact layout has a worst ρ of {error} % and at most
{crossings} crossings on all of them.
"""
ENDS = 10
FIGURES = ("error", "crossings", "separation", "n_close")


def run(context: Context) -> list[Path]:
    """Write a line a domain, setting and method, and one a setting and method of all domains."""
    heads, parts = [], {}
    for dataset in context.domains(name for name in SHAPES if name != "twitter"):
        for setting in SETTINGS:
            make = partial(classifier, context.n_trees, setting)
            key = digest(checksum(dataset), describe(measure), describe(make))
            path = context.output / "folds" / dataset.name / f"{key}-embedding.json"
            parts[path] = partial(measure, make, dataset)
            heads.append((setting, dataset.name))
    if not parts:
        raise MissingDataError("data not available: none of the paper's domains; pass --data DIR")
    done = run_kept(context, "embedding", parts)
    lines = [
        {"setting": setting, "domain": domain, "method": title, **_summarize([found[name]])}
        for (setting, domain), found in zip(heads, done, strict=True)
        for name, title in SHOWN.items()
    ]
    means = []
    for setting in SETTINGS:
        of_setting = [f for (s, _), f in zip(heads, done, strict=True) if s == setting]
        for name, title in SHOWN.items():
            summary = _summarize([found[name] for found in of_setting])
            means.append({"setting": setting, "method": title, **summary})
    made = {"trees": context.n_trees}
    return [
        write_table(context, NAME, lines, **made),
        write_table(context, f"{NAME}-all", means, **made),
    ]


def measure(make: partial[Any], dataset: Dataset) -> dict[str, dict[str, list[float]]]:
    """Return the figures of every tree by method, of those that a method can embed."""
    (ensemble,) = make().fit(dataset.X, dataset.y).model_.ensembles
    trees = [monotonic(tree) for tree in ensemble.trees]
    found = compare(trees)
    return {
        name: {
            "n_all": [len(trees)],
            "n_nodes": [quality.n_nodes for quality in found[name]],
            # The separation of a single node is infinite, which JSON cannot hold.
            **{f: [_finite(getattr(quality, f)) for quality in found[name]] for f in FIGURES},
        }
        for name in METHODS
    }


def _finite(figure: float) -> float | None:
    return float(figure) if np.isfinite(figure) else None


def _summarize(found: Sequence[dict[str, list[float]]]) -> dict[str, Any]:
    """Return medians over trees, and the worst; shares of trees with a crossing, and of nodes."""
    of = {
        name: np.array([x for part in found for x in part[name] if x is not None], np.float64)
        for name in ("n_nodes", *FIGURES)
    }
    return {
        "trees": len(of["n_nodes"]),
        "left_out": sum(part["n_all"][0] for part in found) - len(of["n_nodes"]),
        "nodes": float(np.median(of["n_nodes"])),
        "error": 100.0 * float(np.median(of["error"])),
        "error_worst": 100.0 * float(np.max(of["error"])),
        "crossings": float(np.median(of["crossings"])),
        "crossings_worst": float(np.max(of["crossings"])),
        "trees_crossed": 100.0 * float(np.mean(of["crossings"] > 0)),
        "separation": float(np.median(of["separation"])),
        "close": _close(found, slice(None)),
        "close_first": _close(found, slice(ENDS)),
        "close_last": _close(found, slice(-ENDS, None)),
    }


def _close(found: Sequence[dict[str, list[float]]], trees: slice) -> float:
    """Return the share of nodes, in %, that are close to another, in some trees of each model."""
    close, nodes = (sum(sum(part[f][trees]) for part in found) for f in ("n_close", "n_nodes"))
    return 100.0 * close / nodes


def page(results: Path) -> str:
    """Return the section."""
    means = read_table(results, f"{NAME}-all")
    lines = read_table(results, NAME)
    domains = list(dict.fromkeys(line["domain"] for line in lines))
    parts = [INTRODUCTION.format(domains=len(domains))]
    head = ["method", "trees", "nodes", "ρ %", "worst ρ %", "trees with crossings %"]
    head += ["most crossings", "separation px", "nodes within 6 px, %"]
    for setting, title in TITLES.items():
        rows = [_cells(line) for line in means if line["setting"] == setting]
        parts += [f"### {title}\n", table(head, rows)]
    return "\n".join([*parts, _notes(means), _by_domain(lines)])


def _notes(means: Sequence[dict[str, str]]) -> str:
    """Say what is left out, why nodes are close, and what the next table shows."""
    exact = [line for line in means if line["method"].startswith("the exact")]
    drawn = {x["setting"]: x for x in exact if x["method"] == SHOWN["exact, automatic t"]}
    close = {
        f"{prefix}{end}": f"{float(drawn[setting][f'close_{end}']):.0f}"
        for setting, prefix in (("default", ""), ("paper", "paper_"))
        for end in ("first", "last")
    }
    return NOTES.format(
        left_out=sum(int(line["left_out"]) for line in exact),
        error=f"{max(float(line['error_worst']) for line in exact):.2g}",
        crossings=f"{max(float(line['crossings_worst']) for line in exact):.0f}",
        **close,
    )


def _cells(line: dict[str, str]) -> list[str]:
    figures = ("error", "error_worst", "trees_crossed", "crossings_worst", "separation", "close")
    error, worst, crossed, most, separation, close = (float(line[name]) for name in figures)
    return [
        line["method"],
        line["trees"],
        f"{float(line['nodes']):.0f}",
        f"{error:.1f}",
        f"{worst:.1f}",
        f"{crossed:.1f}",
        f"{most:.0f}",
        f"{separation:.2f}",
        f"{close:.1f}",
    ]


def _by_domain(lines: Sequence[dict[str, str]]) -> str:
    sarkar = SHOWN["sarkar, drawn at t = 1"]
    by = {(x["setting"], x["domain"]): x for x in lines if x["method"] == sarkar}
    rows = []
    for domain in dict.fromkeys(line["domain"] for line in lines):
        cells = [domain]
        for setting in TITLES:
            line = by[setting, domain]
            cells += [f"{float(line['error']):.1f}", f"{float(line['trees_crossed']):.0f}"]
        rows.append(cells)
    head = [sarkar]
    for title in TITLES.values():
        head += [f"{title.lower()}: ρ %", "trees with crossings %"]
    return table(head, rows)
