"""The compiled kernels: functions on arrays, ``out`` last, no state but what is packed once.

Each takes C-contiguous arrays that the caller has checked, and states in its docstring the slow
NumPy expression that it replaces; that expression is its test.
"""

from ._core import (
    PackedTrees,
    find_leaves,
    find_missing,
    fixed_point_weights,
    gather_columns,
    grow_tree,
    monotonic_hosts,
    pack_bins,
    pack_trees,
    place_nodes,
    polar_distances,
    read_numbers,
    score_rows,
    smoothed_values,
    space_nodes,
    update_odds,
)

__all__ = [
    "PackedTrees",
    "find_leaves",
    "find_missing",
    "fixed_point_weights",
    "gather_columns",
    "grow_tree",
    "monotonic_hosts",
    "pack_bins",
    "pack_trees",
    "place_nodes",
    "polar_distances",
    "read_numbers",
    "score_rows",
    "smoothed_values",
    "space_nodes",
    "update_odds",
]
