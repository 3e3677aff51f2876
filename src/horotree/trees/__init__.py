"""What a model is: trees, ensembles of them, and models that read tables."""

from .columns import Columns
from .ensemble import Ensemble
from .model import Model
from .routing import NodeWeights, find_leaves, node_weights
from .tree import Tree

__all__ = ["Columns", "Ensemble", "Model", "NodeWeights", "Tree", "find_leaves", "node_weights"]
