"""What an experiment gets: where data come from, where results go, how much to compute."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.machinery.data import SUFFIX, Dataset, read_domain
from experiments.progress import say
from experiments.study.openml import MissingDataError, fetch
from horotree.display import save_figure

__all__ = ["OUTPUT", "RESULTS", "Context", "MissingDataError"]

OUTPUT = Path("build/experiments")
RESULTS = Path(__file__).parent / "results"
PICTURES = Path(__file__).parents[1] / "docs" / "images"
PAGE_DPI = 110.0


@dataclass(frozen=True, slots=True)
class Context:
    """Where an experiment reads and writes.

    Parameters
    ----------
    data : Path or None
        A folder of ``<domain>.csv.gz``; what is not there is fetched from OpenML.
    output : Path
        Where figures go, and what is kept to go on after an interruption.
    results : Path
        Where tables go, as CSV.
    formats : tuple of str
        The kinds of files of a figure.
    dpi : float
        Of figures that are made of pixels.
    jobs : int
        How many processes work at once.
    quick : bool
        Whether to compute as little as shows that the code runs: few trees, folds and seeds.
    pictures : Path
        Where the pictures of `docs/reproduction.md` go, which are small.
    offline : bool
        Whether never to fetch anything.
    """

    data: Path | None = None
    output: Path = OUTPUT
    results: Path = RESULTS
    formats: tuple[str, ...] = ("png", "svg")
    dpi: float = 200.0
    jobs: int = 1
    quick: bool = False
    pictures: Path = PICTURES
    offline: bool = False

    @property
    def n_trees(self) -> int:
        """The paper's 200 trees, or a few."""
        return 5 if self.quick else 200

    @property
    def n_folds(self) -> int:
        """The paper's ten folds, or three."""
        return 3 if self.quick else 10

    @property
    def n_seeds(self) -> int:
        """How many times the folds are drawn."""
        return 2 if self.quick else 5

    def domain(self, name: str) -> Dataset:
        """Return a domain: the folder's file of that name, else what OpenML has of it.

        Raises
        ------
        MissingDataError
            If neither has it; the text says what to do.
        """
        if self.data is not None:
            path = self.data / f"{name}{SUFFIX}"
            if path.is_file():
                return read_domain(path)
        return fetch(name, offline=self.offline)

    def domains(self, names: Iterable[str]) -> list[Dataset]:
        """Return those of some domains that are there; say on stderr which are not."""
        found = []
        for name in names:
            try:
                found.append(self.domain(name))
            except MissingDataError as error:
                say(f"left out: {error}")
        return found

    def save(self, figure: Any, stem: str, *, on_page: bool = False) -> list[Path]:
        """Write a figure in every format, and for the page as well; return where."""
        self.output.mkdir(parents=True, exist_ok=True)
        paths = [
            Path(save_figure(figure, self.output / f"{stem}.{suffix}", dpi=self.dpi))
            for suffix in self.formats
        ]
        if on_page:
            self.pictures.mkdir(parents=True, exist_ok=True)
            paths.append(Path(save_figure(figure, self.pictures / f"{stem}.png", dpi=PAGE_DPI)))
        return paths
