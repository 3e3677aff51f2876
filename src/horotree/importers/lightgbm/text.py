"""LightGBM's text format: a header, a block a tree, parameters, labels."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree.importers.shared.documents import parse_json
from horotree.importers.shared.forest import check_trees
from horotree.importers.shared.number_lists import read_floats, read_whole

_PARAMETER = re.compile(r"^\[(\w+): (.*)\]$", re.MULTILINE)

Fields = dict[str, str]


@dataclass(frozen=True, slots=True)
class ModelText:
    """A model's text as dicts: a name and a value from each line, which ``=`` separates.

    ``header`` is about the whole model; a line without ``=`` has an empty value. ``parameters`` are
    those of the training. ``labels`` has a list for each category column of the data frame; it is
    empty if they are unknown.
    """

    header: Fields
    trees: list[Fields]
    parameters: Fields
    labels: list[Any]


def parse(text: str) -> ModelText:
    r"""Split what ``save_model`` writes; raise ValueError if it is not that, or cut off.

    Examples
    --------
    >>> from horotree.importers.lightgbm.text import parse
    >>> parsed = parse("tree\nnum_class=1\n\nTree=0\nnum_leaves=1\n\nend of trees\n")
    >>> parsed.header, parsed.trees
    ({'num_class': '1'}, [{'num_leaves': '1'}])
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    first, _, rest = text.partition("\n")
    if first.strip() != "tree":
        raise ValueError(f"a model of LightGBM must start with 'tree', got {first[:40]!r}.")
    body, end, tail = rest.partition("\nend of trees")
    if not end:
        raise ValueError("the file must have 'end of trees', got none: it is damaged or cut off.")
    check_trees(body.count("\nTree="))
    head, *blocks = ("\n" + body).split("\nTree=")
    header = _fields(head)
    _check_blocks(header, blocks)
    return ModelText(
        header=header,
        trees=[_fields(block.partition("\n")[2]) for block in blocks],
        parameters=dict(_PARAMETER.findall(tail)),
        labels=_labels(tail),
    )


def _fields(block: str) -> Fields:
    fields = {}
    for line in block.split("\n"):
        name, _, value = line.partition("=")
        if name:
            fields[name] = value
    return fields


def _check_blocks(header: Fields, blocks: list[str]) -> None:
    """Raise unless LightGBM finds the same trees: by their sizes, or by blank lines."""
    sizes = [len(block.encode()) + len("Tree=\n") for block in blocks]
    given = read_whole(header["tree_sizes"]) if "tree_sizes" in header else np.array(sizes)
    if given is None or given.tolist() != sizes:
        raise ValueError(
            f"tree_sizes must be the bytes of the {len(blocks)} trees, got other numbers: the file "
            "is damaged."
        )
    for block in blocks:
        lines = block.rstrip("\n").split("\n")[1:]
        good = all("=" in line for line in lines) and block.endswith("\n")
        if not good or "\t" in block or "\r" in block:
            raise ValueError(
                "a tree must be lines of names and numbers, with blanks between these and a blank "
                "line after them, got others: the file is damaged."
            )


def _labels(tail: str) -> list[Any]:
    _, found, rest = tail.rpartition("\npandas_categorical:")
    labels = parse_json(rest.partition("\n")[0], "pandas_categorical") if found else None
    if labels is None:
        return []
    good = isinstance(labels, list) and all(
        isinstance(column, list) and all(isinstance(x, str | int | float) for x in column)
        for column in labels
    )
    if not good:
        raise ValueError("pandas_categorical must be lists of labels: the file is damaged.")
    return list(labels)


def floats(fields: Fields, name: str, n: int) -> NDArray[np.float64]:
    """Return a field with n numbers, else raise."""
    return _check_numbers(read_floats(_field(fields, name)), name, "numbers", n)


def whole_numbers(fields: Fields, name: str, n: int | None) -> NDArray[np.int64]:
    """Return a field with n whole numbers, or (None) any number of them, else raise."""
    return _check_numbers(read_whole(_field(fields, name)), name, "whole numbers", n)


def _field(fields: Fields, name: str) -> str:
    if name not in fields:
        raise ValueError(f"a tree must have {name!r}, got none: the file is damaged.")
    return fields[name]


def _check_numbers(
    numbers: NDArray[Any] | None, name: str, what: str, n: int | None
) -> NDArray[Any]:
    if numbers is None:
        raise ValueError(f"{name} must be {what}, got something else: the file is damaged.")
    if n is not None and len(numbers) != n:
        raise ValueError(f"{name} must be {n} {what}, got {len(numbers)}: the file is damaged.")
    return numbers
