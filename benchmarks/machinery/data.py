"""The data of the benchmarks: domains in a folder, scikit-learn's sets, and generated ones.

A domain is a file ``<domain>.csv.gz`` whose last column ``target`` is 0 or 1.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.datasets import (
    load_breast_cancer,
    make_classification,
    make_hastie_10_2,
    make_moons,
)

DEFAULT_FOLDER = Path(__file__).parents[3] / "shared" / "data"
SUFFIX = ".csv.gz"
NOISE_PERCENT = (0, 10, 30)


@dataclass(frozen=True, slots=True)
class Dataset:
    """Examples of two classes.

    Parameters
    ----------
    name : str
        How tables call it.
    X : float64 array or DataFrame
        A DataFrame, with dtype category for what is not a number, if there is any such column.
    y : int64 array
        0 or 1.
    """

    name: str
    X: Any
    y: NDArray[np.int64]

    def take(self, rows: NDArray[np.intp]) -> tuple[Any, NDArray[np.int64]]:
        """Return X and y of some rows."""
        X = self.X.iloc[rows] if isinstance(self.X, pd.DataFrame) else self.X[rows]
        return X, self.y[rows]


Loader = Callable[[], Dataset]


def find_folder(given: Path | None) -> Path | None:
    """Return the folder of the domains, None if none is given and the default is not there."""
    if given is not None and not given.is_dir():
        raise FileNotFoundError(f"there is no folder {given}; name one that holds *{SUFFIX} files")
    if given is None and not DEFAULT_FOLDER.is_dir():
        return None
    return given or DEFAULT_FOLDER


def find_domains(folder: Path | None) -> dict[str, Loader]:
    """Return the loaders of a folder's domains by name, the smallest file first."""
    paths = [] if folder is None else folder.glob(f"*{SUFFIX}")
    named = {path: path.name.removesuffix(SUFFIX) for path in paths}
    return {
        named[path]: partial(read_domain, path)
        for path in sorted(named, key=lambda path: (path.stat().st_size, path))
        if "." not in named[path]  # <domain>.raw_target holds labels only
    }


def read_domain(path: Path) -> Dataset:
    """Read one domain; columns of strings become categories."""
    table = pd.read_csv(path)
    y = table.pop("target").to_numpy(np.int64)
    return Dataset(path.name.removesuffix(SUFFIX), with_categories(table), y)


def with_categories(table: Any) -> Any:
    """Return a table with its strings as categories, or as a matrix if there are none."""
    is_number = table.dtypes.map(pd.api.types.is_numeric_dtype)  # true of booleans, too
    texts = list(table.columns[~is_number])
    return table.astype(dict.fromkeys(texts, "category")) if texts else table.to_numpy(np.float64)


def breast_cancer() -> Dataset:
    """Return scikit-learn's 569 × 30 set."""
    X, y = load_breast_cancer(return_X_y=True)
    return Dataset("breast_cancer", X, y.astype(np.int64))


def synthetic(n_rows: int, n_features: int) -> Dataset:
    """Return scikit-learn's Gaussian clusters, half of the features informative, 10 % flipped."""
    n_informative = n_features // 2
    X, y = make_classification(
        n_rows,
        n_features,
        n_informative=n_informative,
        n_redundant=n_features // 4,
        n_clusters_per_class=min(8, 2 ** (n_informative - 1)),
        flip_y=0.2,  # half of those whose label is drawn anew keep it
        random_state=0,
    )
    return Dataset(f"synthetic {n_rows:,}×{n_features}", X, y.astype(np.int64))


def one_hot(n_rows: int, sizes: Sequence[int], n_numbers: int) -> Dataset:
    """Return flags, one for each value of some categories, and numbers; an effect for each value.

    That is how categories reach most libraries: of all flags of one category, one is set.
    """
    rng = np.random.default_rng(0)
    codes = [rng.integers(0, size, n_rows) for size in sizes]
    numbers = rng.normal(size=(n_rows, n_numbers))
    score = numbers[:, 0] - 0.5 * numbers[:, 1] ** 2
    for code, size in zip(codes, sizes, strict=True):
        score += 0.5 * rng.normal(size=size)[code]
    y = rng.random(n_rows) < 1.0 / (1.0 + np.exp(-score))
    flags = [np.eye(size)[code] for code, size in zip(codes, sizes, strict=True)]
    X = np.hstack([*flags, numbers])
    return Dataset(f"one-hot {n_rows:,}×{X.shape[1]}", X, y.astype(np.int64))


def generated() -> dict[str, Loader]:
    """Return the loaders of sets with a known share of wrong labels: 0, 10 and 30 %."""
    return {
        f"{family}-{percent}": partial(_with_noise, f"{family}-{percent}", make, percent)
        for family, make in _FAMILIES.items()
        for percent in NOISE_PERCENT
    }


def choose(loaders: dict[str, Loader], names: list[str] | None) -> dict[str, Loader]:
    """Return the loaders of these names, or of names that only begin so; all of them for None."""
    if names is None:
        return loaders
    chosen = {}
    for name in names:
        found = [name] if name in loaders else [full for full in loaders if full.startswith(name)]
        if len(found) != 1:
            raise LookupError(f"{name!r} is {len(found)} of the sets {', '.join(loaders)}")
        chosen[found[0]] = loaders[found[0]]
    return chosen


def _clusters(n_rows: int, n_features: int) -> tuple[Any, Any]:
    X, y = make_classification(
        n_rows,
        n_features,
        n_informative=2 * n_features // 5,
        n_redundant=n_features // 5,
        n_clusters_per_class=4,
        flip_y=0.0,
        random_state=0,
    )
    return X, y


_FAMILIES: dict[str, Callable[[], tuple[Any, Any]]] = {
    "moons": partial(make_moons, 1_000, noise=0.2, random_state=0),
    "clusters": partial(_clusters, 2_000, 20),
    "hastie": partial(make_hastie_10_2, 4_000, random_state=0),
    "large": partial(_clusters, 20_000, 30),
}


def _with_noise(name: str, make: Callable[[], tuple[Any, Any]], percent: int) -> Dataset:
    """Flip labels in training and test data alike: the best error is the share of flips."""
    X, y = make()
    flipped = np.random.default_rng(percent).random(len(y)) < percent / 100.0
    return Dataset(name, X, ((y > 0) ^ flipped).astype(np.int64))
