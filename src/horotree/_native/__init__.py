"""The compiled core: functions on C-contiguous arrays, the output last, no state between calls.

Callers check values, the bindings check lengths. The docstring of a function states the slow NumPy
equivalent, and that is its test. README.md in this folder lists the parts in C++.
"""

import numpy as np

from ._core import (
    PackedTrees,
    boost_trees,
    find_leaves,
    find_leverage,
    find_missing,
    gather_columns,
    grow_tree,
    monotonic_hosts,
    pack_bins,
    pack_trees,
    place_nodes,
    polar_distances,
    read_numbers,
    score_rows,
    sort_columns,
    space_nodes,
    step_factors,
    update_odds,
)

# A node as grow_tree and boost_trees return it.
NODE = np.dtype(
    [
        ("left", np.int32),
        ("right", np.int32),
        ("parent", np.int32),
        ("feature", np.int32),
        ("bin", np.int32),
        ("missing_left", np.bool_),
        ("gain", np.float64),
        ("negative", np.int64),
        ("positive", np.int64),
        ("count", np.int64),
    ],
    align=True,
)

__all__ = [
    "NODE",
    "PackedTrees",
    "boost_trees",
    "find_leaves",
    "find_leverage",
    "find_missing",
    "gather_columns",
    "grow_tree",
    "monotonic_hosts",
    "pack_bins",
    "pack_trees",
    "place_nodes",
    "polar_distances",
    "read_numbers",
    "score_rows",
    "sort_columns",
    "space_nodes",
    "step_factors",
    "update_odds",
]
