"""What fits are measured on: the rows of the table, how many trees, and how fast we must be."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from benchmarks.machinery.data import (
    SUFFIX,
    Dataset,
    Loader,
    breast_cancer,
    find_domains,
    one_hot,
    synthetic,
)

LEAVES = 101


@dataclass(frozen=True, slots=True)
class Row:
    """A data set, trees in all and for a quick look, and what we must reach.

    The last two are our time as a share of the fastest peer's: CPU time on one thread, and wall
    time on two.
    """

    source: str | Loader
    trees: int
    quick_trees: int
    cpu_target: float
    wall_target: float


# A text is the name of a domain in the data folder.
ROWS = {
    "breast_cancer": Row(breast_cancer, 200, 200, 0.60, 0.60),
    "small": Row(partial(synthetic, 10_000, 20), 200, 200, 0.34, 0.45),
    "online_shoppers": Row("online_shoppers_intention", 200, 200, 0.45, 0.40),
    "hardware": Row("hardware", 200, 200, 0.60, 0.60),
    "medium": Row(partial(synthetic, 100_000, 50), 200, 40, 0.43, 0.45),
    "give_me_some_credit": Row("give_me_some_credit", 200, 50, 0.70, 0.70),
    "large": Row(partial(synthetic, 583_000, 78), 50, 10, 0.42, 0.45),
    "one_hot": Row(partial(one_hot, 50_000, (5, 10, 20, 50, 115), 5), 100, 20, 1.0, 1.0),
}


@dataclass(frozen=True, slots=True)
class Scope:
    """How much a report measures: rows of the table, peers, repeats, and trees if not as many."""

    loaders: Mapping[str, Loader]
    peers: Sequence[str]
    repeats: int = 3
    quick: bool = False
    trees: int | None = None

    def n_trees(self, name: str) -> int:
        """Return how many trees are grown on a row."""
        return self.trees or (ROWS[name].quick_trees if self.quick else ROWS[name].trees)


@dataclass(frozen=True, slots=True)
class Split:
    """Examples to learn from, and others to test on."""

    name: str
    X: Any
    y: NDArray[np.int64]
    X_test: Any
    y_test: NDArray[np.int64]

    @property
    def title(self) -> str:
        """The name and shape of what is learned from."""
        n_rows, n_features = self.X.shape
        return f"{self.name} {n_rows:,}×{n_features}"


def split(name: str, dataset: Dataset) -> Split:
    """Keep a fifth of the examples for the test."""
    n_rows = len(dataset.y)
    train, test = train_test_split(
        np.arange(n_rows), test_size=n_rows // 5, stratify=dataset.y, random_state=0
    )
    return Split(name, *dataset.take(train), *dataset.take(test))


def find_loaders(names: Sequence[str], folder: Path | None) -> dict[str, Loader]:
    """Return the loaders of rows by name, without those whose domain is not in the folder."""
    domains = find_domains(folder)
    loaders: dict[str, Loader] = {}
    for name in names:
        source = ROWS[name].source
        if not isinstance(source, str):
            loaders[name] = source
        elif source in domains:
            loaders[name] = domains[source]
        else:
            say(f"left out: {name}, for want of {source}{SUFFIX}; --data names its folder")
    if not loaders:
        raise LookupError("no row is left to measure")
    return loaders


def say(text: str) -> None:
    """Tell of progress."""
    print(text, file=sys.stderr, flush=True)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def judged(value: float, bound: float, *, most: bool = True, counts: bool = True) -> str:
    """Return a number with a mark: is it at most, or at least, what it must be, if it counts."""
    good = value <= bound if most else value >= bound
    return f"{value:.2f} {('✓' if good else '✗') if counts else '?'}"
