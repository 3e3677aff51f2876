"""Domains from OpenML, by name and version: taken only if they are the tables that were used here.

A table is known by its digest. What OpenML has under a name may be in another order, or decoded in
another way: it is then refused, never used in place of the domain.
"""

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.machinery.data import SUFFIX, Dataset, with_categories
from experiments.study.checksum import checksum


class MissingDataError(FileNotFoundError):
    """A domain that is neither in the folder nor to be fetched."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where OpenML has a domain, and how its table becomes ours.

    Parameters
    ----------
    name, version : str, int
        OpenML's.
    target : str
        The column that the classes come from.
    is_positive : callable
        From that column to booleans.
    digest : str
        What `checksum` returns for the table that results were made with.
    drop : tuple of str
        Columns that are left out.
    """

    name: str
    version: int
    target: str
    is_positive: Callable[[Any], Any]
    digest: str
    drop: tuple[str, ...] = ()


def _is(label: Any) -> Callable[[Any], Any]:
    return lambda column: column == label


def _at_least(bound: int) -> Callable[[Any], Any]:
    return lambda column: column >= bound


SOURCES = {
    "breastwisc": Source(
        "breast-w",
        1,
        "Class",
        _is("malignant"),
        "a254ffd94009863d64fdfc04168f110347de0fe3c9c307c1791266725c4eea14",
    ),
    "ionosphere": Source(
        "ionosphere",
        1,
        "class",
        _is("g"),
        "4523089ade0381b5e12ac58f2bdbf491dc2e2dc1dbfaba63b11019d7d5d8296d",
        drop=("a02",),  # constant
    ),
    "tictactoe": Source(
        "tic-tac-toe",
        1,
        "Class",
        _is("positive"),
        "632c44f654b058067a51dffee21589698662132026146187a935d10c8487cc1a",
    ),
    "winered": Source(
        "wine-quality-red",
        1,
        "class",
        _at_least(6),
        "37ef7d3b2942945c9bb0c3dafe3a4d2c4fab4aebbeccedce95d76aeb5edde65c",
    ),
    "german": Source(
        "credit-g",
        1,
        "class",
        _is("good"),
        "0d673c916b4c85011b60ca1d17d4bf559b0b65af2714ad830a6659d53ac133e0",
    ),
    "analcatdata_supreme": Source(
        "analcatdata_supreme",
        1,
        "Lower_court_disagreement",
        _is(1),
        "956ef6ccb3a075a304c03db2d2d84b0d29401cc6597b95e549c99976e19f0491",
    ),
    "abalone": Source(
        "abalone",
        1,
        "Class_number_of_rings",
        _at_least(10),
        "2dab24d0b4239c7b7314d3ef73198e75971791dcadb7e52b53806de6c3910f73",
    ),
    "qsar": Source(
        "qsar-biodeg",
        1,
        "Class",
        _is(2),
        "ffce1dcaa074aee484fe0793d70770d900333a88504e1e28382ea58f5061db6d",
    ),
    "hillnoise": Source(
        "hill-valley",
        1,
        "Class",
        _is(1),
        "a312d4f70617ef567a809e1c2f2f8c6921b175714e2ba698c90586cb9591c507",
    ),
}


def fetch(name: str, *, offline: bool = False) -> Dataset:
    """Return a domain from OpenML; scikit-learn keeps a copy.

    Parameters
    ----------
    name : str
        The domain.
    offline : bool
        Whether not to try.

    Raises
    ------
    MissingDataError
        If it is not there, cannot be reached, or is not the same table.
    """
    how = f"pass --data DIR, a folder that holds {name}{SUFFIX}"
    source = SOURCES.get(name)
    if source is None:
        raise MissingDataError(f"data not available: OpenML is not known to have {name}; {how}")
    where = f"OpenML's {source.name}, version {source.version}"
    if offline:
        raise MissingDataError(f"data not available: {name} is not looked up offline; {how}")
    from sklearn.datasets import fetch_openml

    try:
        bunch = fetch_openml(source.name, version=source.version, as_frame=True, parser="auto")
        dataset = decode(name, bunch.frame, source)
    except (OSError, ValueError, LookupError) as error:
        reason = " ".join(str(error).split())
        raise MissingDataError(f"data not available: {where} ({reason}); {how}") from error
    if checksum(dataset) != source.digest:
        raise MissingDataError(
            f"data not available: {where} is not the table that results were made with; {how}"
        )
    return dataset


def decode(name: str, frame: Any, source: Source) -> Dataset:
    """Return OpenML's table as it would be read from a file of ours: labels that are numbers are.

    Raises
    ------
    LookupError
        If a column is missing.
    """
    table = pd.read_csv(io.StringIO(frame.to_csv(index=False)))
    table = table.drop(columns=list(source.drop))
    y = source.is_positive(table.pop(source.target)).to_numpy(np.int64)
    return Dataset(name, with_categories(table), y)
