"""What the pictures of the paper's domains share: their trees, scenes, class names and files.

Trees are grown on all examples of a domain, by the paper's literal setting. A boosted tree depends
on those before it only, so the first ten of ten trees are those of 200.
"""

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image
from scipy.spatial import KDTree

from benchmarks.machinery.data import Dataset
from experiments.context import Context
from experiments.study.models import classifier
from horotree.display import style
from horotree.display.disk.painter import LEVERAGE
from horotree.scene import Scene, find_scenes
from horotree.trees import Model

# Rings around the surest nodes.
BEST = "#e69f00"

METHODS: Mapping[str, str] = MappingProxyType(
    {"sarkar": "the paper's placement", "exact": "the exact layout"}
)

# What 0 and 1 stand for.
CLASSES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "abalone": ("9 rings or fewer", "10 rings or more"),
        "analcatdata_supreme": ("courts agreed", "courts disagreed"),
        "german": ("bad credit", "good credit"),
        "give_me_some_credit": ("pays", "delinquent"),
        "hardware": ("few displays", "many displays"),
        "ionosphere": ("bad return", "good return"),
        "online_shoppers_intention": ("leaves", "buys"),
        "qsar": ("not degradable", "degradable"),
        "winered": ("quality 5 or less", "quality 6 or more"),
    }
)

# Pixels an inch and colors of the pictures on the page.
DPI = 110.0
N_COLORS = 200
MARK_COLORS = (style.VERMILION, style.BLUE, LEVERAGE, BEST)


def grow(data: Dataset, n_trees: int) -> Model:
    """Return the first trees of a domain, by the paper's literal setting."""
    model = classifier(n_trees, "paper").fit(data.X, data.y).model_
    if not isinstance(model, Model):
        raise TypeError(f"the classifier must have a Model, got a {type(model).__name__}")
    return model


def take_scenes(model: Model, name: str, method: str, trees: Sequence[int]) -> list[Scene]:
    """Return scenes of trees in the Poincaré disk (t = 1), with the names of the classes.

    Painters move their nodes to the t-self, each along its radius, as the paper does.
    """
    t: float | str = 1.0 if method == "exact" else "auto"
    found = find_scenes(model, tree=list(trees), center="half", method=method, t=t)
    classes = CLASSES.get(name, ("0", "1"))
    return [replace(scene, classes=classes) for scene in found]


def capital(words: str) -> str:
    """Return words that begin a sentence."""
    return words[:1].upper() + words[1:]


def save(context: Context, figure: Figure, stem: str, *, on_page: bool = False) -> list[Path]:
    """Write a figure in every format, and for the page as a PNG of few colors; return where."""
    paths = context.save(figure, stem)
    if on_page:
        context.pictures.mkdir(parents=True, exist_ok=True)
        path = context.pictures / f"{stem}.png"
        image = Image.open(io.BytesIO(style.to_png(figure, dpi=DPI))).convert("RGB")
        reduce_colors(image).save(path, optimize=True)
        paths.append(path)
    return paths


def reduce_colors(image: Any) -> Any:
    """Return an image of at most 200 colors: less than half the size, and not to be told apart.

    They are those that most pixels have, and the colors of marks, of which there may be few.
    """
    marks = [np.array(to_rgb(color)) for color in MARK_COLORS]
    tints = [255.0 * (1.0 - part * (1.0 - mark)) for mark in marks for part in (1.0, 0.7, 0.4)]
    n_most = N_COLORS - len(tints)
    most = image.quantize(n_most, dither=Image.Dither.NONE).getpalette()[: 3 * n_most]
    palette = np.concatenate([np.array(most).reshape(-1, 3), np.round(tints)]).astype(np.uint8)
    pixels = np.asarray(image, np.int64) @ (1, 256, 65_536)
    codes, which = np.unique(pixels, return_inverse=True)
    colors = np.stack([codes % 256, codes // 256 % 256, codes // 65_536], axis=-1)
    nearest = np.asarray(KDTree(palette).query(colors)[1], np.uint8)
    few = Image.fromarray(nearest[which].reshape(pixels.shape))
    few.putpalette(palette.tobytes())
    return few
