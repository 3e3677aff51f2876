"""Tables as CSV, and what they were made with."""

import csv
import functools
import importlib.metadata
import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.context import Context

PROVENANCE = "provenance.json"
DISTRIBUTIONS = ("horotree", "numpy", "scipy", "pandas", "scikit-learn", "joblib")
DIGITS = 6


def write_table(
    context: Context, name: str, rows: Sequence[Mapping[str, Any]], **made_with: Any
) -> Path:
    """Write rows, all with the columns of the first, and record what they were made with.

    Numbers are rounded to six digits: what differs beyond is not a result.

    Parameters
    ----------
    context : Context
        Where to.
    name : str
        The table is ``<name>.csv``.
    rows : sequence of mappings
        At least one.
    **made_with
        What else to record, such as seeds, or versions of other packages.
    """
    context.results.mkdir(parents=True, exist_ok=True)
    path = context.results / f"{name}.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: _text(value) for key, value in row.items()} for row in rows)
    _record(context.results / PROVENANCE, name, {**_provenance(), **made_with})
    return path


def read_table(results: Path, name: str) -> list[dict[str, str]]:
    """Return the rows of a table; `FileNotFoundError` if it has not been made."""
    with (results / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.{DIGITS}g}"
    return "" if value is None else str(value)


def _record(path: Path, name: str, made_with: dict[str, Any]) -> None:
    records = json.loads(path.read_text("utf-8")) if path.exists() else {}
    records[name] = made_with
    text = json.dumps(records, indent=2, sort_keys=True, ensure_ascii=False)
    path.write_text(f"{text}\n", "utf-8")


@functools.cache
def _provenance() -> dict[str, Any]:
    """Return the commit, the versions and the machine."""
    versions = {name: importlib.metadata.version(name) for name in DISTRIBUTIONS}
    return {
        "commit": find_commit(),
        "versions": {"Python": platform.python_version(), **versions},
        "machine": {"system": platform.system(), "cores": os.cpu_count(), "processor": _cpu()},
    }


def find_commit() -> str:
    """Return the commit of this repository, marked if files differ from it; "" outside of one."""
    command = [
        "git",
        "describe",
        "--always",
        "--dirty=, with changes",
        "--exclude=*",
        "--abbrev=40",
    ]
    try:
        found = subprocess.run(  # noqa: S603 - the command is fixed
            command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found.stdout.strip()


def _cpu() -> str:
    """Return the processor's name, as the kernel or else Python has it."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
