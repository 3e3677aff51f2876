"""`docs/reproduction.md`, made of the sections that experiments write from their tables.

An experiment has a section if its module has ``ORDER``, a number by which sections are sorted, and
``page(results) -> str``: Markdown from a ``## `` heading on, from the tables in ``results`` alone.
Pictures are `docs/images/<stem>.png`, written by ``context.save(figure, stem, on_page=True)``.
What takes how long is in the last section, and nowhere else: ``times(results) -> str``, if a module
has it. So all but that section is the same, to the byte, whenever the page is made again.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType

from experiments.results_table import PROVENANCE

PAGE = Path(__file__).parents[1] / "docs" / "reproduction.md"
INTRODUCTION = """# The paper, reproduced

"Tempered Calculus for ML: Application to Hyperbolic Model Embedding" (R. Nock, E. Amid, F. Nielsen,
A. Soen, M. K. Warmuth, 2024): its tables and figures, made again by

```bash
python -m experiments all --data DIR
```

where `DIR` holds `<domain>.csv.gz`, a table whose last column `target` is 0 or 1; what is not
there is fetched from OpenML, if it has the same table. `python -m experiments list` names the
parts, which run alone, too. This page is made of `experiments/results/*.csv` by
`python -m experiments page`, and `experiments/results/provenance.json` says of each table with
which commit, versions and machine it was made. [The paper, label by label](paper.md) has the
theory.
"""
# Three letters in a row, but for the "and" between two numbers.
WORD = re.compile(r"(?!and\b)[^\W\d_]{3}")
TIMES = """All that differs when the page is made again: seconds of processor time, one thread, of
{machine}.
"""
MISSING = "Not made yet: `python -m experiments {name} --data DIR` makes it.\n"


def write_page(found: Mapping[str, ModuleType], results: Path, path: Path = PAGE) -> Path:
    """Write the page of all experiments that have a section, and return where."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(make_page(found, results), "utf-8")
    return path


def make_page(found: Mapping[str, ModuleType], results: Path) -> str:
    """Return the text of the page."""
    with_section = {name: module for name, module in found.items() if hasattr(module, "page")}
    ordered = sorted(with_section.items(), key=lambda item: (item[1].ORDER, item[0]))
    sections = [_section(name, module, results) for name, module in ordered]
    return "\n".join([INTRODUCTION, *sections, _times(dict(ordered), results)])


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown; columns without words are set flush right."""
    body = [list(row) for row in rows]
    columns = zip(*body, strict=True) if body else ([] for _ in head)
    rule = ["---" if any(map(WORD.search, column)) else "--:" for column in columns]
    return "".join(f"| {' | '.join(line)} |\n" for line in [head, rule, *body])


def listed(words: Sequence[str]) -> str:
    """Return words as a sentence lists them; "none" if there are none."""
    if len(words) < 2:
        return words[0] if words else "none"
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _section(name: str, module: ModuleType, results: Path) -> str:
    try:
        text = str(module.page(results))
    except FileNotFoundError:
        title = (module.__doc__ or name).partition("\n")[0].rstrip(".")
        text = f"## {title}\n\n{MISSING.format(name=name)}"
    return text.rstrip("\n") + "\n"


def _times(found: Mapping[str, ModuleType], results: Path) -> str:
    """Return the last section: the seconds, and the machine they were measured on."""
    parts = []
    for name, module in found.items():
        try:
            parts += [module.times(results)] if hasattr(module, "times") else []
        except FileNotFoundError:
            parts.append(MISSING.format(name=name))
    if not parts:
        return ""
    text = f"## Times\n\n{TIMES.format(machine=_machine(results))}"
    return "\n".join([text, *parts]).rstrip("\n") + "\n"


def _machine(results: Path) -> str:
    path = results / PROVENANCE
    records = json.loads(path.read_text("utf-8")) if path.exists() else {}
    names = {
        f"{r['machine']['processor']}, {r['machine']['cores']} cores" for r in records.values()
    }
    return " and ".join(sorted(names)) or "an unknown machine"
