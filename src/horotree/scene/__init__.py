"""Trees as they are drawn, in polar coordinates, for any t and size: the input of both renderers.

``find_scenes`` goes from a model and a choice (class, trees, center) to `Scenes`: the layout of
each tree, and what data say of its nodes. `horotree.display` paints each `Scene` with matplotlib;
`horotree.viewer` packs `Scenes` into arrays for the page.
"""

from .scene import MANY_NODES, Scene
from .scenes import Scenes, choose_tree, class_pair, find_scene, find_scenes, lay_out

__all__ = [
    "MANY_NODES",
    "Scene",
    "Scenes",
    "choose_tree",
    "class_pair",
    "find_scene",
    "find_scenes",
    "lay_out",
]
