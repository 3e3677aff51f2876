"""XGBoost's JSON files, read in less time than a reader of any JSON takes.

Most of a file are lists of numbers, one entry a node. They are read separately, and unused ones
are left out. In a text of the file quotes would be escaped, so any match is a list.
"""

import re
from typing import Any

from horotree.importers.shared.documents import get, parse_json
from horotree.importers.shared.number_lists import read_floats, read_whole

# A tree has about ten that are not replaced.
MAX_CONTAINERS = 2**21

_UNUSED = ("loss_changes", "parents")
_WHOLE = ("default_left", "left_children", "right_children", "split_indices", "split_type")
_REAL = ("base_weights", "split_conditions", "sum_hessian")
_LIST = re.compile(rf'"({"|".join(_UNUSED + _WHOLE + _REAL)})":\[([^\]\["{{}}]*)\]')


def loads(text: str) -> Any:
    """Return the document of a file, with arrays in place of some lists of the trees."""
    arrays: list[Any] = []

    def shorten(match: re.Match[str]) -> str:
        name, numbers = match.groups()
        if name in _UNUSED:
            return f'"{name}":[]'
        found = (read_floats if name in _REAL else read_whole)(numbers, ",")
        if found is None:
            return match.group()
        arrays.append(found)
        return f'"{name}":{len(arrays) - 1}'

    document = parse_json(_LIST.sub(shorten, text), "the file", MAX_CONTAINERS)
    booster = get(document, "learner", "gradient_booster")
    is_dart = isinstance(booster, dict) and "gbtree" in booster
    model = get(booster, *(("gbtree", "model") if is_dart else ("model",)))
    trees = model.get("trees") if isinstance(model, dict) else None
    # A file may have numbers of its own in these places: then it gets one of its lists, or none.
    for tree in trees if isinstance(trees, list) else ():
        for name in _WHOLE + _REAL if isinstance(tree, dict) else ():
            place = tree.get(name)
            if type(place) is int and 0 <= place < len(arrays):
                tree[name] = arrays[place]
    return document
