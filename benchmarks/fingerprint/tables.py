"""The data: real ones where they are there, scikit-learn's, and made ones."""

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from benchmarks.machinery.data import SUFFIX, find_folder, with_categories

# More rows than these would take too long; ``tall`` and ``huge`` have all.
MOST_ROWS = 8_000

# The files of two classes.
BINARY = ("breastwisc", "ionosphere", "tictactoe", "german", "qsar", "abalone", "hillnoise")
BINARY += ("firmteacher", "online_shoppers_intention", "hardware", "give_me_some_credit")
# Others by the file that they are of.
OTHERS = {
    "winered6": "winered",
    "tall": "online_shoppers_intention",
    "huge": "give_me_some_credit",
}


@dataclass(frozen=True)
class Table:
    """Rows to train on, and as many others to ask with."""

    X: Any
    y: Any
    X_test: Any
    y_test: Any


def split(X: Any, y: Any, most: int = MOST_ROWS) -> Table:
    """Return every n-th row to train on, and those after them to ask with."""
    step = max(2, -(-len(y) // (most // 2)))
    train, test = slice(0, None, step), slice(1, None, step)
    take = X.iloc if hasattr(X, "iloc") else X
    return Table(take[train], y[train], take[test], y[test])


@functools.cache
def table(name: str) -> Table:
    """Return a table by its name."""
    return split(*_MADE[name]()) if name in _MADE else _read(name)


def names_there() -> list[str]:
    """Return the names of all tables that are there."""
    return [*_MADE, *(name for name in (*BINARY, *OTHERS) if _path(name) is not None)]


def _path(name: str) -> Any:
    folder = find_folder(None)
    file = OTHERS.get(name, name)
    path = None if folder is None else folder / f"{file}{SUFFIX}"
    return path if path is not None and path.exists() else None


def _read(name: str) -> Table:
    path = _path(name)
    frame = pd.read_csv(path)
    y = frame.pop("target").to_numpy(np.int64)
    if name == "winered6":
        y = pd.read_csv(path.with_name(f"winered.raw_target{SUFFIX}")).iloc[:, 0].to_numpy()
    if name in ("tall", "huge"):
        X, rest = with_categories(frame), np.arange(len(y)) % 8 == 0
        return Table(X[~rest], y[~rest], X[rest], y[rest])
    return split(with_categories(frame), y)


def _breast_cancer() -> tuple[Any, Any]:
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return X, np.where(y == 1, "benign", "malignant")


def _iris() -> tuple[Any, Any]:
    data = load_iris(as_frame=True)
    return data.data, data.target_names[data.target]


def _digits() -> tuple[Any, Any]:
    return load_digits(return_X_y=True)


def _wine() -> tuple[Any, Any]:
    X, y = load_wine(return_X_y=True)
    return X.astype(np.float32), y


def _mixed(n_classes: int, n_rows: int = 1_200) -> tuple[Any, Any]:
    """Return numbers, ties, categories of words and of codes, and gaps in all of them."""
    rng = np.random.default_rng(n_classes)
    number, tied = rng.normal(size=n_rows), rng.integers(-3, 4, n_rows).astype(float)
    city = rng.choice(["Bern", "Oslo", "Rome", "Sucre", "Quito", "O'Higgins"], n_rows)
    code = rng.choice([3, 7, 11, 40], n_rows)
    score = number + 0.4 * tied + 1.5 * np.isin(city, ["Bern", "Quito"]) - (code == 7)
    score += rng.normal(0.0, 0.7, n_rows)
    y = np.digitize(score, np.quantile(score, np.arange(1, n_classes) / n_classes))
    number[rng.random(n_rows) < 0.1] = np.nan
    X = pd.DataFrame({"size (cm)": number, "tied": tied})
    X["city"] = pd.Series(np.where(rng.random(n_rows) < 0.05, None, city)).astype("category")
    X["code"] = pd.Series(code).astype("category")
    return X, y


def _rare() -> tuple[Any, Any]:
    rng = np.random.default_rng(7)
    X = rng.normal(size=(1_600, 5))
    return X, X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(0.0, 0.5, 1_600) > 2.6


_MADE = {
    "breast_cancer": _breast_cancer,
    "iris": _iris,
    "digits": _digits,
    "wine": _wine,
    "mixed": functools.partial(_mixed, 2),
    "mixed4": functools.partial(_mixed, 4),
    "rare": _rare,
}
