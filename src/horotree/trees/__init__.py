"""What a model is: trees, ensembles of them, and models that read tables."""

from .center import base_rates, center_ensemble, center_tree, find_center, origin_of
from .ensemble import Ensemble
from .leverage import find_leverage
from .model import Model
from .monotonic_tree import MonotonicTree, find_hosts, monotonic
from .naming import rename, rename_with_tables
from .routing import NodeWeights, find_leaves, node_weights
from .rules.paths import Rule, path_rule
from .steps import Steps
from .tables.columns import Columns
from .tree import Tree

__all__ = [
    "Columns",
    "Ensemble",
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
    "monotonic",
    "node_weights",
    "origin_of",
    "path_rule",
    "rename",
    "rename_with_tables",
]
