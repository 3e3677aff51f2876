"""Results in a file, a line a model and set, so that an interrupted run goes on where it was."""

import csv
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Record:
    """One model on one set; see ``Scores`` and ``MonotonicScores``.

    The p-values of the reference compare its error to this model's.
    """

    set: str
    rows: int
    features: int
    protocol: str
    model: str
    error: float
    error_deviation: float
    log_loss: float
    auc: float
    calibration: float
    reference: str
    p_reference_worse: float
    p_reference_better: float
    monotonic_error: float
    monotonic_log_loss: float
    refitted_error: float
    refitted_log_loss: float
    p_monotonic_worse: float
    kept: float
    seconds: float
    seed: int
    versions: str


def append_records(path: Path, records: Sequence[Record]) -> None:
    """Add lines to a file, which begins with a header."""
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(Record.__dataclass_fields__))
        if is_new:
            writer.writeheader()
        writer.writerows(asdict(record) for record in records)


def read_records(path: Path) -> list[Record]:
    """Return a file's lines, none if there is no file."""
    if not path.exists():
        return []
    types: dict[str, Any] = {
        name: field.type for name, field in Record.__dataclass_fields__.items()
    }
    with path.open(newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    if lines and list(lines[0]) != list(types):
        raise ValueError(f"{path} has other columns than results have now; move it away")
    return [Record(**{name: read(line[name]) for name, read in types.items()}) for line in lines]
