"""The first ten trees of nine domains, at t = 1 and t = 0, in both embeddings."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from experiments.context import Context, MissingDataError
from experiments.drawing.contact_sheet import contact_sheet
from experiments.drawing.pictures import METHODS, grow, save, take_scenes
from experiments.page import table
from experiments.results_table import read_table, write_table
from horotree.scene import Scene

DOMAINS = {
    "online_shoppers_intention": "tab:online-shopping-intentions-dt-exerpt",
    "analcatdata_supreme": "tab:analcatdata-supreme-dt-exerpt",
    "abalone": "tab:abalone-dt-exerpt",
    "winered": "tab:winered-dt-exerpt",
    "qsar": "tab:qsar-dt-exerpt",
    "german": "tab:german-dt-exerpt",
    "ionosphere": "tab:ionosphere-dt-exerpt",
    "hardware": "tab:hardware-dt-exerpt",
    "give_me_some_credit": "tab:kaggle-dt-exerpt",
}
LABEL = " ".join(DOMAINS.values())
ORDER = 70
NAME = "fig-first-ten"
N_TREES = 10
# The paper's placement is on the page for one domain; the exact layout for all.
SHOWN = "online_shoppers_intention"
TEXT = """## The first ten trees of nine domains

As in the paper's appendix, at t = 1 and t = 0, each tree with the most that it adds to the score
(± and circle). The exact layout of all is below, and the paper's placement of one domain;
`python -m experiments fig-first-ten --data DIR` draws both for all.

The table has the error ρ of the paper's placement in %, for trees #1 to #10, and for all ten its
crossings and the nodes within 6 px of another, on a disk of 1,000 px at t = 1; then the same count
for the exact layout, whose ρ and crossings are 0.

"""


def run(context: Context) -> list[Path]:
    """Write two pages a domain, one an embedding, and how good the embeddings are."""
    paths, rows = [], []
    n_trees = min(N_TREES, context.n_trees)
    for data in context.domains(DOMAINS):
        model = grow(data, n_trees)
        for method in METHODS:
            scenes = take_scenes(model, data.name, method, range(n_trees))
            figure = contact_sheet(scenes, data.name, method)
            stem = find_stem(data.name, method)
            paths += save(context, figure, stem, on_page=is_shown(data.name, method))
            rows += _measure(scenes, data.name, method)
    if not rows:
        raise MissingDataError("data not available: none of the nine domains; pass --data DIR")
    return [*paths, write_table(context, NAME, rows, trees=n_trees, setting="paper")]


def page(results: Path) -> str:
    """Return the section of the page."""
    lines = read_table(results, NAME)
    parts = [TEXT, _table(lines)]
    for name in dict.fromkeys(line["domain"] for line in lines):
        parts.append(f"\n### {name} (`{DOMAINS[name]}`)\n")
        for method in METHODS:
            if is_shown(name, method):
                words = f"The first ten trees of {name} at t = 1 and t = 0, {METHODS[method]}."
                parts.append(f"\n![{words}](images/{find_stem(name, method)}.png)\n")
    return "".join(parts)


def _table(lines: Sequence[dict[str, str]]) -> str:
    """Return a line a domain: the errors of its trees, and what is wrong with the drawings."""
    rows = []
    for name in dict.fromkeys(line["domain"] for line in lines):
        sarkar, exact = (
            [line for line in lines if (line["domain"], line["method"]) == (name, method)]
            for method in METHODS
        )
        errors = [f"{100.0 * float(line['error']):.1f}" for line in sarkar]
        crossings = sum(int(line["crossings"]) for line in sarkar)
        close = [sum(int(line["close_t1"]) for line in part) for part in (sarkar, exact)]
        rows.append([name, *errors, str(crossings), str(close[0]), str(close[1])])
    numbers = [f"#{line['tree']}" for line in sarkar]
    return table(["domain", *numbers, "crossings", "close", "close, exact"], rows)


def find_stem(name: str, method: str) -> str:
    """Return the name of a domain's picture."""
    stem = f"{NAME}-{name.replace('_', '-')}"
    return stem if method == "exact" else f"{stem}-{method}"


def is_shown(name: str, method: str) -> bool:
    """Tell whether a picture is on the page."""
    return method == "exact" or name == SHOWN


def _measure(scenes: Sequence[Scene], name: str, method: str) -> list[dict[str, Any]]:
    rows = []
    for scene in scenes:
        quality = scene.embedding.quality(t=1.0)
        rows.append(
            {
                "domain": name,
                "method": method,
                "tree": scene.tree + 1,
                "nodes": scene.embedding.monotonic.tree.n_nodes,
                "kept": len(scene),
                "error": quality.error,
                "crossings": quality.crossings,
                "close_t1": quality.n_close,
                "close_t0": scene.embedding.quality(t=0.0).n_close,
            }
        )
    return rows
