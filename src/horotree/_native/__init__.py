"""The compiled kernels: functions on arrays, ``out`` last, no state but what is packed once.

Each takes C-contiguous arrays that the caller has checked, and states in its docstring the slow
NumPy expression that it replaces; that expression is its test.
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

# A grown node, as grow_tree writes it.
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
