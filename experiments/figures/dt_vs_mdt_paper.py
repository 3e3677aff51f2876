"""A small decision tree of abalone beside its monotonic tree."""

from pathlib import Path

from benchmarks.models.classifiers import our_tree
from experiments.context import Context
from experiments.drawing.pictures import CLASSES, save
from horotree.display import TreeDisplay
from horotree.scene import find_scene

LABEL = "fig:dt-vs-mdt"
ORDER = 12
NAME = "fig-dt-vs-mdt-paper"
DOMAIN = "abalone"
N_LEAVES = 7


def run(context: Context) -> list[Path]:
    """Write the picture."""
    data = context.domain(DOMAIN)
    tree = our_tree(1, max_leaf_nodes=N_LEAVES, smoothing=0.0, pure_leaves="forbid", max_bins=None)
    scene = find_scene(tree.fit(data.X, data.y), tree=0, center="half")
    display = TreeDisplay(scene.embedding.monotonic, scene.columns, CLASSES[DOMAIN])
    return save(context, display.plot().figure_, NAME, on_page=True)


def page(_: Path) -> str:
    """Return the section of the page."""
    return f"""## A tree and its monotonic tree (`{LABEL}`)

![Left, a small decision tree; right, its monotonic tree: on each path the nodes that are surer
than all above.](images/{NAME}.png)

A tree of {N_LEAVES} leaves of {DOMAIN}, by the paper's setting. As in the paper's figure, nodes no
surer than one above are left out, their leaves are tags at the node that speaks for them, some
nodes have a single child, and a wide arc stands for two tests.
"""
