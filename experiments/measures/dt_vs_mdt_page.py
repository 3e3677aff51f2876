"""The page's section on trees and their monotonic versions."""

from collections.abc import Sequence
from pathlib import Path

from experiments.measures.dt_vs_mdt_verdict import conclude
from experiments.page import table
from experiments.results_table import read_table
from experiments.study.paper import DT_VS_MDT, LEVEL

NAME = "tab-dt-vs-mdt"
Line = dict[str, str]

INTRODUCTION = """## Trees and their monotonic versions (`tab:dt-vs-mdt-XAI`)

Does a picture of the monotonic trees tell about the trees? The paper compares their test errors:
200 boosted trees of at most 201 nodes (DT), and the same with each tree replaced by its monotonic
version (MDT), leverages unchanged; ten stratified folds, means ± standard deviations of the folds'
errors in %, and p-values of Student's paired t-test.

There are two MDT columns here. **MDT** is the paper's definition: an example is predicted by the
last node on its path that is more confident than all before it. **MDT′** is what the authors'
published program computes: it never looks at the leaf that ends a path, and so predicts by the
best *inner* node. That is not the paper's MDT, and not what is drawn.
"""
LITERAL = """No smoothing, full steps, both classes on both sides of every test, every distinct
value a threshold: `smoothing=0, learning_rate=1, pure_leaves="forbid", max_bins=None`.
"""
DEFAULT = """As many trees, as large; `smoothing=100, learning_rate=0.5`, 255 bins.
"""
SETTINGS = {"paper": ("The paper's setting", LITERAL), "default": ("Our default", DEFAULT)}
SPREAD = """The same with the folds drawn {seeds} times: means, ± the standard deviation of these
means; how far our DT is from the paper's, in units of the paper's standard error (its deviation /
√10); and in how many of the {seeds} runs the monotonic version is significantly (p < 0.05) worse or
better than the trees. The test takes folds for independent, which they are not: it finds too many
differences.
"""


def page(results: Path) -> str:
    """Return the section."""
    lines = read_table(results, NAME)
    parts = [INTRODUCTION, "### What holds\n", conclude(lines)]
    for setting, (title, text) in SETTINGS.items():
        of_setting = [line for line in lines if line["setting"] == setting]
        parts += [f"### {title}\n", text, _first(of_setting)]
        parts += [SPREAD.format(seeds=of_setting[0]["seeds"]), _spread(of_setting)]
    return "\n".join(parts)


def times(results: Path) -> str:
    """Return the median seconds of a fold's fit."""
    lines = read_table(results, f"{NAME}-times")
    by = {(line["domain"], line["setting"]): line["seconds"] for line in lines}
    rows = [[d, by[d, "default"], by[d, "paper"]] for d in dict.fromkeys(d for d, _ in by)]
    head = ["fit of a fold, seconds", "our default", "the paper's setting"]
    return table(head, rows)


def _first(lines: Sequence[Line]) -> str:
    """Return the first seed's table, next to the paper's."""
    rows = []
    for line in lines:
        printed = DT_VS_MDT[line["domain"]]
        rows.append(
            [
                line["domain"],
                f"{printed.dt:.2f} ± {printed.dt_std:.2f}",
                _pair(line, "dt", "dt_std"),
                f"{printed.mdt:.2f} ± {printed.mdt_std:.2f}",
                _pair(line, "mdt", "mdt_std"),
                _pair(line, "inner", "inner_std"),
                _p(printed.p),
                _p(float(line["p_mdt"])),
                _p(float(line["p_inner"])),
            ]
        )
    head = ["domain", "paper's DT", "DT", "paper's MDT", "MDT", "MDT′"]
    return table([*head, "paper's p", "p, MDT", "p, MDT′"], rows)


def _spread(lines: Sequence[Line]) -> str:
    rows = [
        [
            line["domain"],
            *(_pair(line, f"{name}_seeds", f"{name}_seeds_std") for name in ("dt", "mdt", "inner")),
            f"{float(line['away']):+.1f}",
            f"{line['mdt_worse']} / {line['mdt_better']}",
            f"{line['inner_worse']} / {line['inner_better']}",
        ]
        for line in lines
    ]
    head = ["domain", "DT", "MDT", "MDT′", "from the paper's DT"]
    return table([*head, "MDT worse / better", "MDT′ worse / better"], rows)


def _pair(line: Line, mean: str, deviation: str) -> str:
    return f"{float(line[mean]):.2f} ± {float(line[deviation]):.2f}"


def _p(p: float) -> str:
    """Return a p-value as the paper prints it, in bold if it keeps the identity of errors."""
    text = "< 0.0001" if p < 0.0001 else f"{p:.4f}"
    return f"**{text}**" if p >= LEVEL else text
