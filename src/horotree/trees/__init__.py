"""What a model is: trees, ensembles of them, and models that read tables."""

from .center import base_rates, center_ensemble, center_tree, find_center, origin_of
from .ensemble import Ensemble, find_leverage
from .forest import Forest, levels, sum_up
from .model import Model
from .monotonic_tree import MonotonicTree, monotonic
from .naming import rename, rename_with_tables
from .routing import NodeWeights, find_leaves, node_weights
from .rules.paths import Rule, path_rule
from .steps import Steps
from .tables.columns import Columns
from .tree import Tree, find_hosts

__all__ = [
    "Columns",
    "Ensemble",
    "Forest",
    "Model",
    "MonotonicTree",
    "NodeWeights",
    "Rule",
    "Steps",
    "Tree",
    "base_rates",
    "center_ensemble",
    "center_tree",
    "find_center",
    "find_hosts",
    "find_leaves",
    "find_leverage",
    "levels",
    "monotonic",
    "node_weights",
    "origin_of",
    "path_rule",
    "rename",
    "rename_with_tables",
    "sum_up",
]
