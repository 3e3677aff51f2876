"""Trees and models that tests are about: made by hand, or at random."""

from .models import model_of
from .trees import balanced, leaf, make_tree, random_shape, stump

__all__ = ["balanced", "leaf", "make_tree", "model_of", "random_shape", "stump"]
