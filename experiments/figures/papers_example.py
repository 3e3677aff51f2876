"""How to read a picture, pointed out on the paper's own example."""

from pathlib import Path

from experiments.context import Context
from experiments.drawing.pictures import METHODS, grow, save, take_scenes
from experiments.drawing.reading import reading_figure

LABEL = "fig:hyperbolicsum"
ORDER = 14
NAME = "fig-papers-example"
DOMAIN = "online_shoppers_intention"
# The seventh.
TREE = 6


def run(context: Context) -> list[Path]:
    """Write the picture in both embeddings."""
    n_trees = min(TREE + 1, context.n_trees)
    model = grow(context.domain(DOMAIN), n_trees)
    paths = []
    for method, name in METHODS.items():
        (scene,) = take_scenes(model, DOMAIN, method, [n_trees - 1])
        subtitle = f"Does a visitor of a web shop buy? Tree #{n_trees} of {DOMAIN}, {name}"
        stem = NAME if method == "exact" else f"{NAME}-{method}"
        figure = reading_figure(scene, subtitle)
        paths += save(context, figure, stem, on_page=method == "exact")
    return paths


def page(_: Path) -> str:
    """Return the section of the page."""
    return f"""## How to read a picture (`{LABEL}`)

![A disk with a tree. Lines point out the root, sure nodes near the border, the
classes, a wide arc, a ring, the two circles of leverage, an isoline and the
center.](images/{NAME}.png)

The paper's example, tree #{TREE + 1} of {DOMAIN}, in the exact layout;
`python -m experiments {NAME} --data DIR` also draws it by the paper's placement
(`{NAME}-sarkar`). Here and below trees are grown on all examples of a domain,
by the paper's literal setting: `smoothing=0, learning_rate=1, pure_leaves="forbid",
max_bins=None`, at most 201 nodes. A boosted tree depends only on those before it: these are the
first of 200.
"""
