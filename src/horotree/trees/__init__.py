"""What a model is: trees, ensembles of them, and models that read tables."""

from .columns import Columns
from .ensemble import Ensemble
from .leverage import find_leverage
from .model import Model
from .monotonic_tree import MonotonicTree, find_hosts, monotonic
from .routing import NodeWeights, find_leaves, node_weights
from .tree import Tree

__all__ = [
    "Columns",
    "Ensemble",
    "Model",
    "MonotonicTree",
    "NodeWeights",
    "Tree",
    "find_hosts",
    "find_leaves",
    "find_leverage",
    "monotonic",
    "node_weights",
]
